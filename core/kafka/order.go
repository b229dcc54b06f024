package kafka

import (
	"cmp"
	"maps"
	"slices"
)

// SortedKeys returns the keys of m ascending. All observable iteration over maps goes through here or SortedFunc.
func SortedKeys[K cmp.Ordered, V any](m map[K]V) []K {
	return slices.Sorted(maps.Keys(m))
}

// SortedFunc returns the keys of m in the order of compare, e.g. ComparePartitions.
func SortedFunc[K comparable, V any](m map[K]V, compare func(a, b K) int) []K {
	return slices.SortedFunc(maps.Keys(m), compare)
}

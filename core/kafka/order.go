package kafka

import (
	"cmp"
	"maps"
	"slices"
	"sort"
)

// SortedKeys returns the keys of m ascending. All observable iteration over maps goes through here or SortedFunc.
func SortedKeys[K cmp.Ordered, V any](m map[K]V) []K {
	return slices.Sorted(maps.Keys(m))
}

// SortedFunc returns the keys of m in the order of compare, e.g. ComparePartitions.
func SortedFunc[K comparable, V any](m map[K]V, compare func(a, b K) int) []K {
	keys := slices.Collect(maps.Keys(m))
	Sort(keys, compare)
	return keys
}

// Sort puts a list into the order of compare; equal elements keep theirs. slices.SortFunc is made anew for every type,
// which was a tenth of the WASM build.
func Sort[E any](list []E, compare func(a, b E) int) {
	if len(list) > 12 {
		sort.Stable(byCompare[E]{list, compare})
		return
	}
	for i := range list { // most lists are short, and this allocates nothing
		for ; i > 0 && compare(list[i], list[i-1]) < 0; i-- {
			list[i], list[i-1] = list[i-1], list[i]
		}
	}
}

type byCompare[E any] struct {
	list    []E
	compare func(a, b E) int
}

func (s byCompare[E]) Len() int           { return len(s.list) }
func (s byCompare[E]) Less(i, j int) bool { return s.compare(s.list[i], s.list[j]) < 0 }
func (s byCompare[E]) Swap(i, j int)      { s.list[i], s.list[j] = s.list[j], s.list[i] }

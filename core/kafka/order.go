package kafka

import (
	"cmp"
	"slices"
)

// SortedKeys returns the keys of m ascending. All observable iteration over maps goes through here or SortedFunc.
func SortedKeys[K cmp.Ordered, V any](m map[K]V) []K {
	keys := keysOf(m)
	slices.Sort(keys)
	return keys
}

// SortedFunc returns the keys of m in the order of compare, e.g. ComparePartitions.
func SortedFunc[K comparable, V any](m map[K]V, compare func(a, b K) int) []K {
	keys := keysOf(m)
	Sort(keys, compare)
	return keys
}

// keysOf lists the keys of m in no order; nil if there are none. The iterators of package maps make several functions of
// each kind of map.
func keysOf[K comparable, V any](m map[K]V) []K {
	if len(m) == 0 {
		return nil
	}
	keys := make([]K, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	return keys
}

// Sort puts a list into the order of compare; equal elements keep theirs. slices.SortFunc is made anew for every type,
// which was a tenth of the WASM build, so what is long is sorted by place.
func Sort[E any](list []E, compare func(a, b E) int) {
	if len(list) <= 12 {
		for i := range list { // most lists are short, and this allocates nothing
			for ; i > 0 && compare(list[i], list[i-1]) < 0; i-- {
				list[i], list[i-1] = list[i-1], list[i]
			}
		}
		return
	}
	places := sortedPlaces(len(list), func(i, j int32) bool { return compare(list[i], list[j]) < 0 })
	if places == nil {
		return
	}
	before := slices.Clone(list)
	for i, place := range places {
		list[i] = before[place]
	}
}

// sortedPlaces tells the places of n elements in ascending order, nil when they stand so already. It merges longer and
// longer runs.
func sortedPlaces(n int, less func(i, j int32) bool) []int32 {
	from, to := make([]int32, n), make([]int32, n)
	sorted := true
	for i := range from {
		from[i] = int32(i)
		sorted = sorted && (i == 0 || !less(int32(i), int32(i-1)))
	}
	if sorted {
		return nil
	}
	for run := 1; run < n; run *= 2 {
		for start := 0; start < n; start += 2 * run {
			middle, end := min(start+run, n), min(start+2*run, n)
			merge(to[start:end], from[start:middle], from[middle:end], less)
		}
		from, to = to, from
	}
	return from
}

// merge fills out from two sorted lists; of equal elements those of a come first.
func merge(out, a, b []int32, less func(i, j int32) bool) {
	if len(a) == 0 || len(b) == 0 || !less(b[0], a[len(a)-1]) {
		copy(out[copy(out, a):], b)
		return
	}
	for i := range out {
		if len(b) == 0 || len(a) > 0 && !less(b[0], a[0]) {
			out[i], a = a[0], a[1:]
		} else {
			out[i], b = b[0], b[1:]
		}
	}
}

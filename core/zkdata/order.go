package zkdata

import (
	"cmp"
	"slices"
	"unicode/utf16"
)

// hashOrder returns keys in the order in which Scala 2.13's mutable.HashMap (and, but for rare collisions, Java's
// ConcurrentHashMap under Properties) iterates over them: by bucket, inside a bucket by signed hash. The table starts with
// 16 buckets and doubles when the next entry would reach three quarters of it.
func hashOrder(keys []string) []string {
	capacity := 16
	for len(keys) >= capacity*3/4 {
		capacity *= 2
	}
	type entry struct {
		key  string
		hash int32
	}
	entries := make([]entry, len(keys))
	for i, k := range keys {
		entries[i] = entry{k, improvedHash(k)}
	}
	mask := int32(capacity - 1)
	slices.SortFunc(entries, func(a, b entry) int {
		return cmp.Or(cmp.Compare(a.hash&mask, b.hash&mask), cmp.Compare(a.hash, b.hash), cmp.Compare(a.key, b.key))
	})
	ordered := make([]string, len(keys))
	for i, e := range entries {
		ordered[i] = e.key
	}
	return ordered
}

// improvedHash is Java's String.hashCode with the upper half mixed into the lower one.
func improvedHash(s string) int32 {
	h := uint32(0)
	for _, r := range s {
		if r > 0xffff {
			high, low := utf16.EncodeRune(r)
			h, r = 31*h+uint32(high), low
		}
		h = 31*h + uint32(r)
	}
	return int32(h ^ h>>16)
}

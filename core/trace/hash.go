package trace

import (
	"fmt"
	"strconv"
	"unicode/utf8"

	"controllerscope/core/env"
)

// Hash is the running sum, over all leaves of a document, of a 32-bit hash of path and value. Since it is a sum, applying a
// diff and reverting it give the same hash, and a step costs what its diff costs. It prints as 8 hex digits, the form that
// permalinks carry; more would not compress, and hashes were a fifth of a lesson's trace.
type Hash uint32

func (h Hash) String() string {
	const digits = "0123456789abcdef"
	var out [8]byte
	for i := range out {
		out[i] = digits[h>>(28-4*i)&15]
	}
	return string(out[:])
}

// parseHash reads what String wrote.
func parseHash(s string) (Hash, error) {
	n, err := strconv.ParseUint(s, 16, 32)
	if err != nil || len(s) != 8 {
		return 0, fmt.Errorf("hash %q is not 8 hex digits", s)
	}
	return Hash(n), nil
}

// FNV-1a with 64 bits.
const (
	fnvOffset = 14695981039346656037
	fnvPrime  = 1099511628211
)

func hashByte(h uint64, b byte) uint64 { return (h ^ uint64(b)) * fnvPrime }

func hashString(h uint64, s string) uint64 {
	for i := 0; i < len(s); i++ {
		h = (h ^ uint64(s[i])) * fnvPrime
	}
	return hashByte(h, 0xff) // no text in UTF-8 has this byte, so words cannot run into each other
}

// mix spreads every bit over the word, so that sums of hashes do not cancel out (the finaliser of SplitMix64).
func mix(h uint64) uint64 {
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	return h ^ h>>31
}

// hashLeaf is the share of one leaf in the hash of its document; words is the hash of its path, by hashString of each word.
// ok is false when clean has something to do.
func hashLeaf(words uint64, value any) (h Hash, ok bool) {
	sum, ok := hashValue(words, value)
	return Hash(mix(sum) >> 32), ok
}

// hashValue continues h with a value. Each type starts with its own letter; the fields of a record are summed. ok is false
// when the value is not as a document holds it: with valid UTF-8 only.
func hashValue(h uint64, value any) (sum uint64, ok bool) {
	switch v := value.(type) {
	case string:
		return hashText(hashByte(h, 's'), v)
	case int64:
		h = hashByte(h, 'i')
		for i := 0; i < 64; i += 8 {
			h = hashByte(h, byte(uint64(v)>>i))
		}
		return h, true
	case bool:
		if v {
			return hashByte(h, 't'), true
		}
		return hashByte(h, 'f'), true
	case []any:
		h, ok = hashByte(h, '['), true
		for _, e := range v {
			sum, fine := hashValue(h, e)
			h, ok = sum, ok && fine
		}
		return hashByte(h, ']'), ok
	case env.Record:
		h, ok = hashByte(h, '{'), true
		sum := uint64(len(v))
		for i := range v {
			field, good := hashText(h, v[i].Name)
			field, fine := hashValue(field, v[i].Value)
			sum, ok = sum+mix(field), ok && good && fine
		}
		return h ^ sum, ok
	}
	return hashByte(h, 'n'), value == nil
}

// hashText is hashString that also reports whether the text is valid UTF-8.
func hashText(h uint64, s string) (sum uint64, ok bool) {
	bits := byte(0)
	for i := 0; i < len(s); i++ {
		bits |= s[i]
		h = (h ^ uint64(s[i])) * fnvPrime
	}
	return hashByte(h, 0xff), bits < utf8.RuneSelf || utf8.ValidString(s)
}

package zkmem

import (
	"encoding/binary"
	"math/bits"
)

// sha1Sum is the hash of the digest scheme. Go's own package brings a whole cryptographic module into the WASM build.
func sha1Sum(data []byte) []byte {
	h := [5]uint32{0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476, 0xC3D2E1F0}
	padded := append(append([]byte(nil), data...), 0x80)
	for len(padded)%64 != 56 {
		padded = append(padded, 0)
	}
	padded = binary.BigEndian.AppendUint64(padded, uint64(len(data))*8)
	for ; len(padded) > 0; padded = padded[64:] {
		sha1Block(&h, padded[:64])
	}
	var sum []byte
	for _, word := range h {
		sum = binary.BigEndian.AppendUint32(sum, word)
	}
	return sum
}

func sha1Block(h *[5]uint32, block []byte) {
	var w [80]uint32
	for i := range w {
		if i < 16 {
			w[i] = binary.BigEndian.Uint32(block[4*i:])
		} else {
			w[i] = bits.RotateLeft32(w[i-3]^w[i-8]^w[i-14]^w[i-16], 1)
		}
	}
	a, b, c, d, e := h[0], h[1], h[2], h[3], h[4]
	for i, word := range w {
		var f, k uint32
		switch i / 20 {
		case 0:
			f, k = b&c|^b&d, 0x5A827999
		case 1:
			f, k = b^c^d, 0x6ED9EBA1
		case 2:
			f, k = b&c|b&d|c&d, 0x8F1BBCDC
		case 3:
			f, k = b^c^d, 0xCA62C1D6
		}
		a, b, c, d, e = bits.RotateLeft32(a, 5)+f+e+k+word, a, bits.RotateLeft32(b, 30), c, d
	}
	for i, v := range [5]uint32{a, b, c, d, e} {
		h[i] += v
	}
}

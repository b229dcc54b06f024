package dynconfig

import "math/bits"

// The core has its own SHA-512 and AES: with those of the standard library core.wasm is 50 KB larger, packed.

// roundConstants are the first 64 bits of the fractions of the cube roots of the first 80 primes (FIPS 180-4, 4.2.3).
var roundConstants = [80]uint64{
	0x428a2f98d728ae22, 0x7137449123ef65cd, 0xb5c0fbcfec4d3b2f, 0xe9b5dba58189dbbc, 0x3956c25bf348b538,
	0x59f111f1b605d019, 0x923f82a4af194f9b, 0xab1c5ed5da6d8118, 0xd807aa98a3030242, 0x12835b0145706fbe,
	0x243185be4ee4b28c, 0x550c7dc3d5ffb4e2, 0x72be5d74f27b896f, 0x80deb1fe3b1696b1, 0x9bdc06a725c71235,
	0xc19bf174cf692694, 0xe49b69c19ef14ad2, 0xefbe4786384f25e3, 0x0fc19dc68b8cd5b5, 0x240ca1cc77ac9c65,
	0x2de92c6f592b0275, 0x4a7484aa6ea6e483, 0x5cb0a9dcbd41fbd4, 0x76f988da831153b5, 0x983e5152ee66dfab,
	0xa831c66d2db43210, 0xb00327c898fb213f, 0xbf597fc7beef0ee4, 0xc6e00bf33da88fc2, 0xd5a79147930aa725,
	0x06ca6351e003826f, 0x142929670a0e6e70, 0x27b70a8546d22ffc, 0x2e1b21385c26c926, 0x4d2c6dfc5ac42aed,
	0x53380d139d95b3df, 0x650a73548baf63de, 0x766a0abb3c77b2a8, 0x81c2c92e47edaee6, 0x92722c851482353b,
	0xa2bfe8a14cf10364, 0xa81a664bbc423001, 0xc24b8b70d0f89791, 0xc76c51a30654be30, 0xd192e819d6ef5218,
	0xd69906245565a910, 0xf40e35855771202a, 0x106aa07032bbd1b8, 0x19a4c116b8d2d0c8, 0x1e376c085141ab53,
	0x2748774cdf8eeb99, 0x34b0bcb5e19b48a8, 0x391c0cb3c5c95a63, 0x4ed8aa4ae3418acb, 0x5b9cca4f7763e373,
	0x682e6ff3d6b2b8a3, 0x748f82ee5defb2fc, 0x78a5636f43172f60, 0x84c87814a1f0ab72, 0x8cc702081a6439ec,
	0x90befffa23631e28, 0xa4506cebde82bde9, 0xbef9a3f7b2c67915, 0xc67178f2e372532b, 0xca273eceea26619c,
	0xd186b8c721c0c207, 0xeada7dd6cde0eb1e, 0xf57d4f7fee6ed178, 0x06f067aa72176fba, 0x0a637dc5a2c898a6,
	0x113f9804bef90dae, 0x1b710b35131c471b, 0x28db77f523047d84, 0x32caab7b40c72493, 0x3c9ebe0a15c9bebc,
	0x431d67c49c100d4c, 0x4cc5d4becb3e42b6, 0x597f299cfc657e2a, 0x5fcb6fab3ad6faec, 0x6c44198c4a475817,
}

// sha512 is the state of a hash over whole blocks of 128 bytes.
type sha512 [8]uint64

// newSHA512 starts from the fractions of the square roots of the first 8 primes (FIPS 180-4, 5.3.5).
func newSHA512() sha512 {
	return sha512{
		0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1, 0x510e527fade682d1,
		0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179,
	}
}

// block takes one block of 128 bytes in.
func (h *sha512) block(b []byte) {
	var w [80]uint64
	for i := range 16 {
		for _, x := range b[8*i : 8*i+8] {
			w[i] = w[i]<<8 | uint64(x)
		}
	}
	rotate := func(x uint64, n int) uint64 { return bits.RotateLeft64(x, -n) }
	for i := 16; i < 80; i++ {
		s0 := rotate(w[i-15], 1) ^ rotate(w[i-15], 8) ^ w[i-15]>>7
		s1 := rotate(w[i-2], 19) ^ rotate(w[i-2], 61) ^ w[i-2]>>6
		w[i] = w[i-16] + s0 + w[i-7] + s1
	}
	v := *h
	for i := range 80 {
		s1 := rotate(v[4], 14) ^ rotate(v[4], 18) ^ rotate(v[4], 41)
		t1 := v[7] + s1 + (v[4]&v[5] ^ ^v[4]&v[6]) + roundConstants[i] + w[i]
		s0 := rotate(v[0], 28) ^ rotate(v[0], 34) ^ rotate(v[0], 39)
		t2 := s0 + (v[0]&v[1] ^ v[0]&v[2] ^ v[1]&v[2])
		copy(v[1:], v[:7])
		v[0], v[4] = t1+t2, v[4]+t1
	}
	for i := range h {
		h[i] += v[i]
	}
}

// sum takes the rest of a message of which before bytes, in whole blocks, are in already, and returns the hash.
func (h sha512) sum(rest []byte, before int) (out [64]byte) {
	for len(rest) >= 128 {
		h.block(rest[:128])
		rest, before = rest[128:], before+128
	}
	tail := make([]byte, 128, 256)
	copy(tail, rest)
	tail[len(rest)] = 0x80
	if len(rest) >= 112 {
		tail = tail[:256]
	}
	for i, n := 0, uint64(before+len(rest))*8; i < 8; i++ {
		tail[len(tail)-1-i] = byte(n >> (8 * i))
	}
	for ; len(tail) > 0; tail = tail[128:] {
		h.block(tail[:128])
	}
	for i := range out {
		out[i] = byte(h[i/8] >> (56 - i%8*8))
	}
	return out
}

// keyedHash is HMAC-SHA512: the hash with its key taken in, inside and outside.
type keyedHash struct{ inner, outer sha512 }

func newKeyedHash(key []byte) (k keyedHash) {
	if len(key) > 128 {
		short := newSHA512().sum(key, 0)
		key = short[:]
	}
	var in, out [128]byte
	copy(in[:], key)
	copy(out[:], key)
	for i := range in {
		in[i], out[i] = in[i]^0x36, out[i]^0x5c
	}
	k = keyedHash{newSHA512(), newSHA512()}
	k.inner.block(in[:])
	k.outer.block(out[:])
	return k
}

func (k keyedHash) sum(message []byte) [64]byte {
	inner := k.inner.sum(message, 128)
	return k.outer.sum(inner[:], 128)
}

// deriveKey is PBKDF2WithHmacSHA512 for keys of up to 64 bytes, which need its first block only.
func deriveKey(secret, salt []byte, iterations, length int) []byte {
	k := newKeyedHash(secret)
	u := k.sum(append(append([]byte(nil), salt...), 0, 0, 0, 1))
	key := u
	for range iterations - 1 {
		u = k.sum(u[:])
		for i := range key {
			key[i] ^= u[i]
		}
	}
	return key[:length]
}

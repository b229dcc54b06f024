package dynconfig

import (
	"errors"
	"math/bits"
)

// aesKey is a key of 16, 24 or 32 bytes, expanded to the round keys (FIPS 197, 5.2).
type aesKey [][16]byte

// Tables of the byte substitution and its inverse.
var sbox, unsbox = substitutions()

// substitutions builds the tables: the inverse in the field, then an affine map (FIPS 197, 5.1.1). p runs over all bytes
// but 0, q over their inverses.
func substitutions() (box, back [256]byte) {
	p, q := byte(1), byte(1)
	for first := true; first || p != 1; first = false {
		p ^= twice(p)
		q ^= q << 1
		q ^= q << 2
		q ^= q << 4
		if q&0x80 != 0 {
			q ^= 0x09
		}
		box[p] = q ^ bits.RotateLeft8(q, 1) ^ bits.RotateLeft8(q, 2) ^ bits.RotateLeft8(q, 3) ^ bits.RotateLeft8(q, 4) ^ 0x63
	}
	box[0] = 0x63
	for i, s := range box {
		back[s] = byte(i)
	}
	return box, back
}

// twice multiplies by 2 in the field of 256 elements.
func twice(x byte) byte { return x<<1 ^ x>>7*0x1b }

func product(x, y byte) (out byte) {
	for ; y > 0; y >>= 1 {
		if y&1 == 1 {
			out ^= x
		}
		x = twice(x)
	}
	return out
}

func newAESKey(key []byte) (aesKey, error) {
	if len(key) != 16 && len(key) != 24 && len(key) != 32 {
		return nil, errors.New("an AES key has 128, 192 or 256 bits")
	}
	n := len(key) / 4
	words := append([]byte(nil), key...)
	for i, round := n, byte(1); i < 4*(n+7); i++ {
		w := [4]byte(words[4*i-4:])
		switch {
		case i%n == 0:
			w = [4]byte{sbox[w[1]] ^ round, sbox[w[2]], sbox[w[3]], sbox[w[0]]}
			round = twice(round)
		case n > 6 && i%n == 4:
			w = [4]byte{sbox[w[0]], sbox[w[1]], sbox[w[2]], sbox[w[3]]}
		}
		for j := range w {
			words = append(words, words[4*(i-n)+j]^w[j])
		}
	}
	var out aesKey
	for ; len(words) > 0; words = words[16:] {
		out = append(out, [16]byte(words))
	}
	return out, nil
}

// mixed multiplies each column of a block by a row of coefficients that is turned for each byte.
func mixed(b [16]byte, row [4]byte) (out [16]byte) {
	for i := range out {
		for j := range 4 {
			out[i] ^= product(b[i&^3+j], row[(j-i)&3])
		}
	}
	return out
}

func added(a, b [16]byte) [16]byte {
	for i := range a {
		a[i] ^= b[i]
	}
	return a
}

func (k aesKey) encrypt(b [16]byte) [16]byte {
	b = added(b, k[0])
	for round, key := range k[1:] {
		var next [16]byte
		for i := range next {
			next[i] = sbox[b[(i+4*(i&3))&15]]
		}
		if round < len(k)-2 {
			next = mixed(next, [4]byte{2, 3, 1, 1})
		}
		b = added(next, key)
	}
	return b
}

func (k aesKey) decrypt(b [16]byte) [16]byte {
	for round := len(k) - 1; round > 0; round-- {
		b = added(b, k[round])
		if round < len(k)-1 {
			b = mixed(b, [4]byte{14, 11, 13, 9})
		}
		var next [16]byte
		for i := range next {
			next[(i+4*(i&3))&15] = unsbox[b[i]]
		}
		b = next
	}
	return added(b, k[0])
}

// encryptCBC is AES/CBC/PKCS5Padding.
func (k aesKey) encryptCBC(iv [16]byte, text []byte) (out []byte) {
	pad := 16 - len(text)%16
	text = append([]byte(nil), text...)
	for range pad {
		text = append(text, byte(pad))
	}
	for ; len(text) > 0; text = text[16:] {
		iv = k.encrypt(added(iv, [16]byte(text)))
		out = append(out, iv[:]...)
	}
	return out
}

// decryptCBC undoes encryptCBC; what does not end in the padding was made with another key.
func (k aesKey) decryptCBC(iv [16]byte, data []byte) (out []byte, err error) {
	if len(data) == 0 || len(data)%16 != 0 {
		return nil, errors.New("it is no whole number of blocks")
	}
	for ; len(data) > 0; data = data[16:] {
		plain := added(iv, k.decrypt([16]byte(data)))
		out, iv = append(out, plain[:]...), [16]byte(data)
	}
	pad := int(out[len(out)-1])
	if pad < 1 || pad > 16 {
		return nil, errors.New("its padding is wrong")
	}
	for _, b := range out[len(out)-pad:] {
		if int(b) != pad {
			return nil, errors.New("its padding is wrong")
		}
	}
	return out[:len(out)-pad], nil
}

package dynconfig

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/pbkdf2"
	stdsha512 "crypto/sha512"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// Our own AES and PBKDF2 give what the standard library's give, for random keys, texts and salts of all lengths.
func TestCiphersAgreeWithTheStandardLibrary(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	random := func(n int) []byte {
		out := make([]byte, n)
		for i := range out {
			out[i] = byte(r.Uint32())
		}
		return out
	}
	for n := range 300 {
		secret, salt := random(n), random(r.IntN(300))
		length := []int{16, 24, 32, 64}[n%4]
		want, err := pbkdf2.Key(stdsha512.New, string(secret), salt, 1+n%5, length)
		require.NoError(t, err)
		require.Equal(t, want, deriveKey(secret, salt, 1+n%5, length))
		sum := newSHA512().sum(secret, 0)
		require.Equal(t, stdsha512.Sum512(secret), sum)

		key, iv, text := random([]int{16, 24, 32}[n%3]), [16]byte(random(16)), random(n%50)
		k, err := newAESKey(key)
		require.NoError(t, err)
		got := k.encryptCBC(iv, text)
		std, err := aes.NewCipher(key)
		require.NoError(t, err)
		padded := make([]byte, len(got))
		cipher.NewCBCDecrypter(std, iv[:]).CryptBlocks(padded, got)
		require.Equal(t, text, padded[:len(text)])
		for _, b := range padded[len(text):] {
			require.Equal(t, len(padded)-len(text), int(b))
		}
		back, err := k.decryptCBC(iv, got)
		require.NoError(t, err)
		require.Equal(t, text, append([]byte{}, back...))
	}
	_, err := newAESKey(make([]byte, 8))
	require.EqualError(t, err, "an AES key has 128, 192 or 256 bits")
}

package zkmem

import (
	"bytes"
	"crypto/sha1"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSHA1(t *testing.T) {
	for n := range 200 { // every length of the padding, one to four blocks
		data := bytes.Repeat([]byte{byte(n)}, n)
		sum := sha1.Sum(data)
		require.Equal(t, sum[:], sha1Sum(data), "%d bytes", n)
	}
}

package measure

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// module is a header, a custom section, a data section, and a last custom section.
func module(data string) []byte {
	return []byte("\x00asm\x01\x00\x00\x00" + "\x00\x02\x01x" + "\x0b" + string(rune(len(data))) + data + "\x00\x02\x01y")
}

func TestJoinSegments(t *testing.T) {
	// Three segments, not in order: "cd" at 0x90 (a second byte, positive), "ab" at 0x80, "z" far away at 2^21 - 1.
	out, err := JoinSegments(module("\x03" + "\x00\x41\x90\x01\x0b\x02cd" + "\x00\x41\x80\x01\x0b\x02ab" + "\x00\x41\xff\xff\xff\x00\x0b\x01z"))
	require.NoError(t, err)
	joined := "ab" + strings.Repeat("\x00", 14) + "cd"
	require.Equal(t, module("\x02"+"\x00\x41\x80\x01\x0b\x12"+joined+"\x00\x41\xff\xff\xff\x00\x0b\x01z"), out)
	again, err := JoinSegments(out)
	require.NoError(t, err)
	require.Equal(t, out, again)
}

func TestNumbersOfWASM(t *testing.T) {
	for n, want := range map[int64]string{0: "\x00", 63: "\x3f", 64: "\xc0\x00", -64: "\x40", -65: "\xbf\x7f", 1 << 31: "\x80\x80\x80\x80\x08"} {
		require.Equal(t, want, string(appendInt(nil, n)))
		r := wasmReader{rest: []byte(want), ok: true}
		require.Equal(t, n, r.int())
		require.True(t, r.ok)
		require.Empty(t, r.rest)
	}
}

func TestJoinSegmentsRefuses(t *testing.T) {
	whole := module("\x02" + "\x00\x41\x10\x0b\x02cd" + "\x00\x41\x00\x0b\x02ab")
	_, err := JoinSegments(whole)
	require.NoError(t, err)
	for name, broken := range map[string][]byte{
		"nothing":            nil,
		"no module":          []byte("not a module"),
		"cut in a section":   whole[:20],
		"another memory":     bytes.Replace(whole, []byte("\x00\x41\x10"), []byte("\x01\x41\x10"), 1),
		"an expression":      bytes.Replace(whole, []byte("\x41\x10"), []byte("\x23\x10"), 1),
		"overlap":            bytes.Replace(whole, []byte("\x41\x10"), []byte("\x41\x01"), 1),
		"fewer than counted": module("\x02" + "\x00\x41\x10\x0b\x02cd"),
		"more than counted":  module("\x01" + "\x00\x41\x10\x0b\x02cd" + "\x00\x41\x00\x0b\x02ab"),
	} {
		_, err := JoinSegments(broken)
		require.ErrorIs(t, err, errModule, name)
	}
}

// Package terminal writes what a person may look at on a terminal.
package terminal

import (
	"fmt"
	"io"
	"os"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Text writes out what would move or colour a terminal, or turn its text round: \x1b, \u202e. Line ends and tabs stay.
func Text(s string) string {
	if strings.IndexFunc(s, hidden) < 0 && utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for i, r := range s {
		switch {
		case r == utf8.RuneError && !strings.HasPrefix(s[i:], "\ufffd"), hidden(r) && r < 0x80:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case hidden(r):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

func hidden(r rune) bool {
	return r != '\n' && r != '\t' && unicode.In(r, unicode.Cc, unicode.Cf)
}

// messages passes on text as Text has it.
type messages struct{ w io.Writer }

// Messages is where messages go that may quote anybody's text.
func Messages(w io.Writer) io.Writer { return messages{w} }

func (m messages) Write(p []byte) (int, error) {
	if _, err := io.WriteString(m.w, Text(string(p))); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Progress overwrites one line of a terminal, and says nothing anywhere else. The last call clears it.
func Progress(w io.Writer, text string, last bool) {
	if last {
		text = strings.Repeat(" ", max(60, len(text)+8))
	}
	if Watched(w) {
		fmt.Fprintf(bare(w), "\r%s\r", text)
	}
}

// Watched reports whether somebody watches.
func Watched(w io.Writer) bool {
	f, ok := bare(w).(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// bare is where messages go in the end.
func bare(w io.Writer) io.Writer {
	if m, ok := w.(messages); ok {
		return m.w
	}
	return w
}

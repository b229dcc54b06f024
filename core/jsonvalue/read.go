// Package jsonvalue reads JSON into plain values and writes them again. It takes what encoding/json takes and says the same
// about it, without reflection: for the WASM build that is a tenth of its size.
//
// A value is nil, bool, string, Number, []any or map[string]any; Append also writes int64, float64 and []string.
package jsonvalue

import (
	"errors"
	"fmt"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// Number is a number as it is spelt.
type Number string

// Int64 is the number when it is whole and has 64 bits.
func (n Number) Int64() (int64, error) { return strconv.ParseInt(string(n), 10, 64) }

// Float64 is the nearest number that a float64 can be.
func (n Number) Float64() (float64, error) { return strconv.ParseFloat(string(n), 64) }

// maxDepth is how deep lists and objects may stand in each other, as in encoding/json.
const maxDepth = 10_000

var (
	errEnds = errors.New("the JSON text ends too early")
	errDeep = errors.New("the JSON text is nested too deeply")
)

// Parse reads text that is one JSON value.
func Parse(text string) (any, error) {
	v, rest, err := First(text)
	if err != nil {
		return nil, err
	}
	r := reader{text: rest}
	if r.space(); r.at < len(rest) {
		return nil, fmt.Errorf("the JSON text goes on after its value at byte %d", len(text)-len(rest)+r.at)
	}
	return v, nil
}

// First reads the JSON value that text begins with, and returns what follows it. The text may end anywhere after.
func First(text string) (value any, rest string, err error) {
	r := reader{text: text}
	if value, err = r.value(0); err != nil {
		return nil, "", err
	}
	return value, text[r.at:], nil
}

// reader stands in a text.
type reader struct {
	text string
	at   int
}

func (r *reader) wrong(want string) error {
	if r.at >= len(r.text) {
		return errEnds
	}
	return fmt.Errorf("at byte %d of the JSON text stands %q, expected %s", r.at, r.text[r.at], want)
}

func (r *reader) space() {
	for r.at < len(r.text) {
		switch r.text[r.at] {
		case ' ', '\t', '\n', '\r':
			r.at++
		default:
			return
		}
	}
}

// takes reports whether c comes next, and steps over it.
func (r *reader) takes(c byte) bool {
	if r.at < len(r.text) && r.text[r.at] == c {
		r.at++
		return true
	}
	return false
}

// next is the byte that comes next; 0 at the end.
func (r *reader) next() byte {
	if r.at < len(r.text) {
		return r.text[r.at]
	}
	return 0
}

func (r *reader) value(depth int) (any, error) {
	r.space()
	switch c := r.next(); {
	case (c == '{' || c == '[') && depth == maxDepth:
		return nil, errDeep
	case c == '{':
		return r.object(depth)
	case c == '[':
		return r.list(depth)
	case c == '"':
		return r.string()
	case c == '-' || '0' <= c && c <= '9':
		return r.number()
	case c == 't':
		return true, r.word("true")
	case c == 'f':
		return false, r.word("false")
	case c == 'n':
		return nil, r.word("null")
	}
	return nil, r.wrong("a value")
}

func (r *reader) word(word string) error {
	for i := range len(word) {
		if !r.takes(word[i]) {
			return r.wrong(word)
		}
	}
	return nil
}

func (r *reader) object(depth int) (any, error) {
	r.at++
	fields := map[string]any{}
	r.space()
	if r.takes('}') {
		return fields, nil
	}
	for {
		r.space()
		if r.next() != '"' {
			return nil, r.wrong("the name of a field in quotes")
		}
		name, err := r.string()
		if err != nil {
			return nil, err
		}
		if r.space(); !r.takes(':') {
			return nil, r.wrong("a colon")
		}
		if fields[name], err = r.value(depth + 1); err != nil {
			return nil, err
		}
		r.space()
		switch {
		case r.takes('}'):
			return fields, nil
		case !r.takes(','):
			return nil, r.wrong("a comma or }")
		}
	}
}

func (r *reader) list(depth int) (any, error) {
	r.at++
	list := []any{}
	r.space()
	if r.takes(']') {
		return list, nil
	}
	for {
		v, err := r.value(depth + 1)
		if err != nil {
			return nil, err
		}
		list = append(list, v)
		r.space()
		switch {
		case r.takes(']'):
			return list, nil
		case !r.takes(','):
			return nil, r.wrong("a comma or ]")
		}
	}
}

func (r *reader) number() (any, error) {
	from := r.at
	r.takes('-')
	if !r.takes('0') && !r.digits() {
		return nil, r.wrong("a digit")
	}
	if r.takes('.') && !r.digits() {
		return nil, r.wrong("a digit")
	}
	if r.takes('e') || r.takes('E') {
		_ = r.takes('+') || r.takes('-')
		if !r.digits() {
			return nil, r.wrong("a digit")
		}
	}
	return Number(r.text[from:r.at]), nil
}

// digits steps over digits and reports whether there were any.
func (r *reader) digits() bool {
	from := r.at
	for c := r.next(); '0' <= c && c <= '9'; c = r.next() {
		r.at++
	}
	return r.at > from
}

// string reads a string. Most stand in the text as they are.
func (r *reader) string() (string, error) {
	r.at++
	from := r.at
	for ; r.at < len(r.text); r.at++ {
		switch c := r.text[r.at]; {
		case c == '"':
			r.at++
			return r.text[from : r.at-1], nil
		case c < ' ' || c == '\\' || c >= utf8.RuneSelf:
			return r.spelt([]byte(r.text[from:r.at]))
		}
	}
	return "", errEnds
}

// spelt reads the rest of a string that has more than plain ASCII in it; out is what was read before.
func (r *reader) spelt(out []byte) (string, error) {
	for r.at < len(r.text) {
		switch c := r.text[r.at]; {
		case c == '"':
			r.at++
			return string(out), nil
		case c < ' ':
			return "", r.wrong("a character that may stand in a string")
		case c == '\\':
			r.at++
			u, err := r.escape()
			if err != nil {
				return "", err
			}
			out = utf8.AppendRune(out, u)
		default:
			u, size := utf8.DecodeRuneInString(r.text[r.at:])
			r.at += size
			out = utf8.AppendRune(out, u)
		}
	}
	return "", errEnds
}

// escape reads what follows a backslash.
func (r *reader) escape() (rune, error) {
	c := r.next()
	plain := map[byte]rune{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}
	if u, is := plain[c]; is {
		r.at++
		return u, nil
	}
	if c != 'u' {
		return 0, r.wrong("the letter of an escape")
	}
	u, err := r.hex()
	if err != nil || !utf16.IsSurrogate(u) {
		return u, err
	}
	// One half without the other stands for no character; the text goes on right after it.
	after := r.at
	if r.takes('\\') && r.next() == 'u' {
		low, err := r.hex()
		if err != nil {
			return 0, err
		}
		if pair := utf16.DecodeRune(u, low); pair != utf8.RuneError {
			return pair, nil
		}
	}
	r.at = after
	return utf8.RuneError, nil
}

// hex reads a u and four hex digits.
func (r *reader) hex() (rune, error) {
	r.at++
	var u rune
	for range 4 {
		digit, err := strconv.ParseUint(r.text[r.at:min(r.at+1, len(r.text))], 16, 8)
		if err != nil {
			return 0, r.wrong("a hex digit")
		}
		u = u<<4 | rune(digit)
		r.at++
	}
	return u, nil
}

package jsonvalue

import (
	"maps"
	"math"
	"slices"
	"strconv"
	"unicode/utf8"
)

// Append writes a value; the fields of an object are sorted. What is no value is written as null.
func Append(out []byte, value any) []byte {
	switch v := value.(type) {
	case bool:
		return strconv.AppendBool(out, v)
	case string:
		return AppendString(out, v)
	case Number:
		return append(out, v...)
	case int64:
		return strconv.AppendInt(out, v, 10)
	case float64:
		if !math.IsInf(v, 0) && !math.IsNaN(v) {
			return strconv.AppendFloat(out, v, 'g', -1, 64)
		}
	case []string:
		return list(out, v, AppendString)
	case []any:
		return list(out, v, Append)
	case map[string]any:
		out = append(out, '{')
		for i, name := range slices.Sorted(maps.Keys(v)) {
			out = comma(out, i)
			out = append(AppendString(out, name), ':')
			out = Append(out, v[name])
		}
		return append(out, '}')
	}
	return append(out, "null"...)
}

func list[T any](out []byte, items []T, each func([]byte, T) []byte) []byte {
	out = append(out, '[')
	for i, item := range items {
		out = each(comma(out, i), item)
	}
	return append(out, ']')
}

func comma(out []byte, i int) []byte {
	if i > 0 {
		return append(out, ',')
	}
	return out
}

// AppendString writes s as encoding/json does that leaves HTML alone: bytes that are no UTF-8 become U+FFFD, and the two line
// ends that JavaScript once refused are escaped.
func AppendString(out []byte, s string) []byte {
	const hex = "0123456789abcdef"
	out = append(out, '"')
	plain := 0 // where what is not yet copied begins
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			if c < ' ' || c == '"' || c == '\\' {
				out = append(out, s[plain:i]...)
				out = append(out, '\\')
				if short := shortEscape(c); short != 0 {
					out = append(out, short)
				} else {
					out = append(out, 'u', '0', '0', hex[c>>4], hex[c&15])
				}
				plain = i + 1
			}
			i++
			continue
		}
		u, size := utf8.DecodeRuneInString(s[i:])
		escaped := ""
		switch {
		case u == utf8.RuneError && size == 1:
			escaped = `\ufffd`
		case u == '\u2028':
			escaped = `\u2028`
		case u == '\u2029':
			escaped = `\u2029`
		}
		if escaped != "" {
			out = append(out, s[plain:i]...)
			out = append(out, escaped...)
			plain = i + size
		}
		i += size
	}
	return append(append(out, s[plain:]...), '"')
}

// shortEscape is the letter that stands for c after a backslash; 0 when c has none.
func shortEscape(c byte) byte {
	switch c {
	case '"', '\\':
		return c
	case '\b':
		return 'b'
	case '\f':
		return 'f'
	case '\n':
		return 'n'
	case '\r':
		return 'r'
	case '\t':
		return 't'
	}
	return 0
}

// AppendCompact writes JSON text without its white space. ok is false, and out as it was, when text is not one JSON value.
func AppendCompact(out []byte, text string) (longer []byte, ok bool) {
	if _, err := Parse(text); err != nil {
		return out, false
	}
	quoted := false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			out = append(out, c)
			i++
		case c == '"':
			quoted = !quoted
		case !quoted && (c == ' ' || c == '\t' || c == '\n' || c == '\r'):
			continue
		}
		out = append(out, text[i])
	}
	return out, true
}

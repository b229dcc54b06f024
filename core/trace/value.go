package trace

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"controllerscope/core/env"
)

// equal reports whether two document values are the same. Absent (nil) equals only absent.
func equal(a, b any) bool {
	switch x := a.(type) {
	case []any:
		y, ok := b.([]any)
		return ok && slices.EqualFunc(x, y, equal)
	case env.Record:
		y, ok := b.(env.Record)
		return ok && slices.EqualFunc(x, y, func(a, b env.Arg) bool { return a.Name == b.Name && equal(a.Value, b.Value) })
	}
	switch b.(type) {
	case []any, env.Record:
		return false
	}
	return a == b
}

// clean returns v with every string made valid UTF-8, since JSON could not carry it otherwise. It panics when v is no
// document value: that is a mistake of the station that wrote it, not of any input.
func clean(v any, path []string) any {
	if _, ok := hashValue(0, v); ok {
		return v
	}
	switch x := v.(type) {
	case string:
		return strings.ToValidUTF8(x, "\ufffd")
	case []any:
		out := make([]any, len(x))
		for i, e := range x {
			out[i] = clean(e, path)
		}
		return out
	case env.Record:
		out := make(env.Record, len(x))
		for i, f := range x {
			out[i] = env.A(strings.ToValidUTF8(f.Name, "\ufffd"), clean(f.Value, path))
		}
		return out.Sorted()
	}
	panic(fmt.Sprintf("trace: %s: a %T is no document value; use string, bool, env.Int, []any or env.Record",
		PathText(path), v))
}

// cleanPath makes every word valid UTF-8.
func cleanPath(path []string) []string {
	for _, word := range path {
		if !utf8.ValidString(word) {
			out := make([]string, len(path))
			for i, w := range path {
				out[i] = strings.ToValidUTF8(w, "\ufffd")
			}
			return out
		}
	}
	return path
}

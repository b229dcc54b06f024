package trace

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// equal reports whether two document values are the same. Absent (nil) equals only absent.
func equal(a, b any) bool {
	switch x := a.(type) {
	case []any:
		y, ok := b.([]any)
		return ok && slices.EqualFunc(x, y, equal)
	case map[string]any:
		y, ok := b.(map[string]any)
		if !ok || len(x) != len(y) {
			return false
		}
		for k, v := range x {
			w, has := y[k]
			if !has || !equal(v, w) {
				return false
			}
		}
		return true
	}
	switch b.(type) {
	case []any, map[string]any:
		return false
	}
	return a == b
}

// clean returns v with every string made valid UTF-8, since JSON could not carry it otherwise. It panics when v is no
// document value: that is a mistake of the station that wrote it, not of any input.
func clean(v any, path []string) any {
	switch x := v.(type) {
	case nil, bool, int64:
		return v
	case string:
		if utf8.ValidString(x) {
			return v
		}
		return strings.ToValidUTF8(x, "\ufffd")
	case []any:
		if isClean(v) {
			return v
		}
		out := make([]any, len(x))
		for i, e := range x {
			out[i] = clean(e, path)
		}
		return out
	case map[string]any:
		if isClean(v) {
			return v
		}
		out := make(map[string]any, len(x))
		for k, e := range x {
			out[strings.ToValidUTF8(k, "\ufffd")] = clean(e, path)
		}
		return out
	}
	panic(fmt.Sprintf("trace: %s: a %T is no document value; use string, bool, env.Int, []any or map[string]any",
		PathText(path), v))
}

// isClean reports whether clean has nothing to do.
func isClean(v any) bool {
	switch x := v.(type) {
	case nil, bool, int64:
		return true
	case string:
		return utf8.ValidString(x)
	case []any:
		return !slices.ContainsFunc(x, func(e any) bool { return !isClean(e) })
	case map[string]any:
		for k, e := range x {
			if !utf8.ValidString(k) || !isClean(e) {
				return false
			}
		}
		return true
	}
	return false
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

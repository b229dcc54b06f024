package trace

import (
	"fmt"
	"slices"
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

// checkValue panics when v is no document value: that is a mistake of the station that wrote it, not of any input.
func checkValue(v any, path []string) {
	switch x := v.(type) {
	case nil, string, bool, int64:
	case []any:
		for _, e := range x {
			checkValue(e, path)
		}
	case map[string]any:
		for _, e := range x {
			checkValue(e, path)
		}
	default:
		panic(fmt.Sprintf("trace: %s: a %T is no document value; use string, bool, env.Int, []any or map[string]any",
			PathText(path), v))
	}
}

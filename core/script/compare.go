package script

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// same compares for equality: numbers by number, lists and records member by member.
func same(a, b any) bool {
	switch x := a.(type) {
	case []any:
		y, ok := b.([]any)
		return ok && slices.EqualFunc(x, y, same)
	case map[string]any:
		y, ok := b.(map[string]any)
		if !ok || len(x) != len(y) {
			return false
		}
		for k, v := range x {
			if w, has := y[k]; !has || !same(v, w) {
				return false
			}
		}
		return true
	case Subtree:
		return false
	case string:
		if y, ok := b.(string); ok {
			return x == y
		}
	case bool:
		return b == a
	case nil:
		return b == nil
	}
	c, ok := order(a, b)
	return ok && c == 0
}

// order compares two numbers, or two texts that are not both numbers. ok is false for what has no order.
func order(a, b any) (c int, ok bool) {
	x, xok := number(a)
	y, yok := number(b)
	if xok && yok {
		return compareNumbers(x, y), true
	}
	s, sok := a.(string)
	t, tok := b.(string)
	if sok && tok {
		return strings.Compare(s, t), true
	}
	return 0, false
}

// compareNumbers compares int64 and float64, whole numbers exactly.
func compareNumbers(a, b any) int {
	x, xok := a.(int64)
	y, yok := b.(int64)
	if xok && yok {
		return cmp.Compare(x, y)
	}
	return cmp.Compare(float(a), float(b))
}

func float(v any) float64 {
	if n, ok := v.(int64); ok {
		return float64(n)
	}
	return v.(float64)
}

// number reads numbers, text that is one, and tagged numbers, as int64 or float64.
func number(v any) (any, bool) {
	switch x := v.(type) {
	case int64, float64:
		return x, true
	case string:
		if n, ok := tagged(x); ok {
			return n, true
		}
		switch n := constant(x).(type) {
		case int64, float64:
			return n, true
		}
	}
	return nil, false
}

// tagged reads zxid:0x7a, session:0x1, time:5, corr:3, and their normal form zxid:#3.
func tagged(s string) (int64, bool) {
	kind, text, found := strings.Cut(s, ":")
	if !found {
		return 0, false
	}
	base := 10
	switch kind {
	case "zxid", "session":
		if hex, ok := strings.CutPrefix(text, "0x"); ok {
			text, base = hex, 16
		} else if !strings.HasPrefix(text, "#") {
			return 0, false
		}
	case "time", "corr":
	default:
		return 0, false
	}
	n, err := strconv.ParseInt(strings.TrimPrefix(text, "#"), base, 64)
	return n, err == nil && n >= 0
}

// has reports whether a list has the member, a record or subtree the word, a text the text.
func has(whole, part any) bool {
	switch x := whole.(type) {
	case []any:
		return slices.ContainsFunc(x, func(e any) bool { return same(e, part) })
	case map[string]any:
		word, ok := plainText(part)
		_, found := x[word]
		return ok && found
	case Subtree:
		word, ok := plainText(part)
		return ok && x.Has(word)
	case string:
		text, ok := plainText(part)
		return ok && strings.Contains(x, text)
	}
	return false
}

// plainText writes a text or whole number as a word.
func plainText(v any) (string, bool) {
	switch x := v.(type) {
	case string:
		return x, true
	case int64:
		return strconv.FormatInt(x, 10), true
	}
	return "", false
}

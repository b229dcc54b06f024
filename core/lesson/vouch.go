package lesson

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"controllerscope/core/script"
	"controllerscope/core/trace"
)

// vouch lets the core check the answers of a stop's question. The cursor is at the stop.
func (a *Ask) vouch(t *trace.Trace, c *trace.Cursor) error {
	if a == nil {
		return nil
	}
	if err := a.vouchValue(c); err != nil {
		return err
	}
	if a.Kind == "order" {
		return a.vouchOrder(t)
	}
	if a.When != "" {
		when, err := script.ParseExpr(a.When)
		if err != nil {
			return in("when", fmt.Errorf(", when: %w", err))
		}
		from := c.At()
		c = trace.NewCursor(t)
		if seek(c, from, when) < 0 {
			return in("when", fmt.Errorf(", when: it holds at no step from the stop on: %s", a.When))
		}
	}
	for i, choice := range a.Choices {
		if choice.Key == "" {
			continue
		}
		key, err := script.ParseExpr(choice.Key)
		if err != nil {
			return keyWrong(i, ", choice %s: %w", choice.ID, err)
		}
		if right := slices.Contains(a.Right, choice.ID); key.True(moment(c)) != right {
			return keyWrong(i, ", choice %s: its key says %t, right says %t: %s", choice.ID, !right, right, choice.Key)
		}
	}
	return nil
}

// keyWrong is an error about the key of the i-th choice.
func keyWrong(i int, format string, args ...any) error {
	return in(fmt.Sprintf("choices[%d].key", i), fmt.Errorf(format, args...))
}

// vouchValue compares the value with the answers that are known.
func (a *Ask) vouchValue(c *trace.Cursor) error {
	if a.Value == "" {
		return nil
	}
	value, err := a.valueAt(c)
	if err != nil {
		return in("value", fmt.Errorf(", value: %w", err))
	}
	for _, id := range a.ids() {
		if right := slices.Contains(a.Right, id); right != (Bare(id) == Bare(value)) {
			return fmt.Errorf(", choice %s: the value is %s, right says %t: %s", id, value, right, a.Value)
		}
	}
	return nil
}

// vouchOrder finds the step at which each key holds first; they must come as right says.
func (a *Ask) vouchOrder(t *trace.Trace) error {
	first := map[string]int{}
	for i, choice := range a.Choices {
		key, err := script.ParseExpr(choice.Key)
		if err != nil {
			return keyWrong(i, ", choice %s: %w", choice.ID, err)
		}
		if first[choice.ID] = seek(trace.NewCursor(t), 0, key); first[choice.ID] < 0 {
			return keyWrong(i, ", choice %s: its key holds at no step: %s", choice.ID, choice.Key)
		}
	}
	for i, id := range a.Right[1:] {
		if ahead := a.Right[i]; first[id] <= first[ahead] {
			return fmt.Errorf(", choice %s: it comes at step %d and %s at step %d, but right puts %s first", id, first[id], ahead, first[ahead], ahead)
		}
	}
	return nil
}

// valueAt is the answer of kinds value and move: what the expression says at the cursor, of a move before the step too.
func (a *Ask) valueAt(c *trace.Cursor) (string, error) {
	e, err := script.ParseExpr(a.Value)
	if err != nil {
		return "", err
	}
	now := valueText(e.Eval(moment(c)))
	if now == "" {
		return "", fmt.Errorf("there is no value there: %s", a.Value)
	}
	if a.Kind == "value" {
		return now, nil
	}
	return valueText(e.Eval(&script.Moment{Now: trace.Past{Doc: c.Doc(), Step: c.Step()}})) + ">" + now, nil
}

// valueText is a value as an answer writes it; "" when there is none, or a whole subtree.
func valueText(v any) string {
	switch x := v.(type) {
	case nil, script.Subtree:
		return ""
	case string:
		return x
	}
	text, err := json.Marshal(v)
	if err != nil {
		return ""
	}
	return string(text)
}

// Bare is an answer without what may be written in one way or another: blanks, brackets, quotes and capitals.
func Bare(answer string) string {
	return strings.ToLower(strings.Map(func(r rune) rune {
		if strings.ContainsRune(" []{}\"'", r) {
			return -1
		}
		return r
	}, strings.ReplaceAll(answer, "，", ",")))
}

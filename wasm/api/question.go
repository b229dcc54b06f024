package api

import (
	"errors"
	"fmt"
	"strconv"

	"controllerscope/core/jsonvalue"
	"controllerscope/core/kafka"
	"controllerscope/core/run"
)

// fields are where the fields of a question go: *string, *int, *uint64.
type fields map[string]any

// read reads the question of one call strictly: a misspelt field is an error. A field that is not there stays as it is.
func (f fields) read(text string) error {
	v, err := jsonvalue.Parse(text)
	question, isObject := v.(map[string]any)
	if err == nil && !isObject {
		err = errors.New("it is no object")
	}
	for _, name := range kafka.SortedKeys(question) {
		if err == nil {
			err = f.put(name, question[name])
		}
	}
	if err != nil {
		return fmt.Errorf("the question is not as this call takes it: %w", err)
	}
	return nil
}

func (f fields) put(name string, value any) (err error) {
	place, known := f[name]
	if !known {
		return fmt.Errorf("unknown field %q", name)
	}
	is := false
	switch place := place.(type) {
	case *string:
		*place, is = value.(string)
	case *bool:
		*place, is = value.(bool)
	case *int:
		if n, isNumber := value.(jsonvalue.Number); isNumber {
			*place, err = strconv.Atoi(string(n))
			is = err == nil
		}
	case *uint64:
		if n, isNumber := value.(jsonvalue.Number); isNumber {
			*place, err = strconv.ParseUint(string(n), 10, 64)
			is = err == nil
		}
	}
	if !is {
		return fmt.Errorf("field %s: %s does not belong there", name, jsonvalue.Append(nil, value))
	}
	return nil
}

// object writes {"name": value}.
func object(name string, value any) string {
	return string(jsonvalue.Append(nil, map[string]any{name: value}))
}

func (p Panic) value() map[string]any {
	return map[string]any{"message": p.Message, "setup": p.Setup, "script": p.Script, "seed": number(p.Seed), "step": int64(p.Step), "stack": p.Stack}
}

func number(n uint64) jsonvalue.Number { return jsonvalue.Number(strconv.FormatUint(n, 10)) }

func inputs(in run.Inputs) map[string]any {
	out := map[string]any{"setup": in.Setup, "script": in.Script, "seed": number(in.Seed)}
	if in.Tree != "" {
		out["tree"] = in.Tree
	}
	return out
}

func pending(c run.Pending) map[string]any {
	out := map[string]any{"id": c.ID, "kind": string(c.Kind), "what": c.What, "due": c.Due, "droppable": c.Droppable, "line": c.Line,
		"ways": listed(c.Ways, option)}
	if c.Process != "" {
		out["process"] = c.Process
	}
	return out
}

func option(o run.Option) map[string]any {
	out := map[string]any{"line": o.Line, "legal": o.Legal}
	if o.Reason != "" {
		out["reason"] = o.Reason
	}
	return out
}

func form(v run.VerbForm) map[string]any {
	out := map[string]any{"words": v.Words, "usage": v.Usage, "about": v.About, "dotted": v.Dotted}
	out["slots"] = listed(v.Slots, func(s run.SlotForm) map[string]any {
		return map[string]any{"name": s.Name, "lead": s.Lead, "optional": s.Optional, "many": s.Many, "values": s.Values}
	})
	return out
}

// listed makes values of a list.
func listed[T any](items []T, value func(T) map[string]any) []any {
	out := make([]any, len(items))
	for i, item := range items {
		out[i] = value(item)
	}
	return out
}

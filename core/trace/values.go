package trace

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"controllerscope/core/env"
	"controllerscope/core/kafka"
)

// valueJSON is a document value: its numbers are whole and have 64 bits.
type valueJSON struct{ value any }

func (v *valueJSON) UnmarshalJSON(data []byte) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	var raw any
	if err := dec.Decode(&raw); err != nil {
		return err
	}
	var err error
	v.value, err = whole(raw)
	return err
}

func whole(raw any) (any, error) {
	var err error
	switch x := raw.(type) {
	case json.Number:
		n, err := strconv.ParseInt(x.String(), 10, 64)
		if err != nil {
			return nil, fmt.Errorf("%s is not a whole number of 64 bits", x)
		}
		return n, nil
	case []any:
		for i := range x {
			if x[i], err = whole(x[i]); err != nil {
				return nil, err
			}
		}
	case map[string]any:
		r := make(env.Record, len(x))
		for i, k := range kafka.SortedKeys(x) {
			v, err := whole(x[k])
			if err != nil {
				return nil, err
			}
			r[i] = env.A(k, v)
		}
		return r, nil
	}
	return raw, nil
}

// argsJSON reads an object in the order of its fields.
type argsJSON []env.Arg

func (a *argsJSON) UnmarshalJSON(data []byte) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	if open, err := dec.Token(); err != nil || open != json.Delim('{') {
		return errors.New("field msg.args: want an object")
	}
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return err
		}
		var v valueJSON
		if err := dec.Decode(&v); err != nil {
			return fmt.Errorf("field msg.args.%v: %w", name, err)
		}
		*a = append(*a, env.Arg{Name: name.(string), Value: v.value})
	}
	return nil
}

type hashJSON Hash

func (h *hashJSON) UnmarshalJSON(data []byte) error {
	var s string
	if err := json.Unmarshal(data, &s); err != nil {
		return errors.New("field hash: want 8 hex digits in quotes")
	}
	n, err := parseHash(s)
	*h = hashJSON(n)
	return err
}

package trace

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"

	"controllerscope/core/env"
)

// Read reads a trace in either form, one object or JSON lines, and verifies it. name is what errors call the input. A torn
// last line of the lines form is left out (Torn).
func Read(name string, data []byte) (*Trace, error) {
	t, claimed, err := read(data)
	if err == nil {
		err = t.Verify()
	}
	if err == nil && claimed != nil && Hash(*claimed) != t.Hash() {
		err = fmt.Errorf("its hash is %s, its steps give %s", Hash(*claimed), t.Hash())
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return t, nil
}

type headerJSON struct {
	Schema  *int                   `json:"schema"`
	Core    string                 `json:"core"`
	Setup   json.RawMessage        `json:"setup"`
	Seed    int64                  `json:"seed"`
	Script  string                 `json:"script"`
	Initial []diffJSON             `json:"initial"`
	Msgs    map[string]env.Message `json:"msgs"`
	Steps   *[]json.RawMessage     `json:"steps"`
	Hash    *hashJSON              `json:"hash"`
}

type stepJSON struct {
	I       int      `json:"i"`
	ID      string   `json:"id"`
	VTimeMS int64    `json:"vtime_ms"`
	Lane    string   `json:"lane"`
	Kind    env.Kind `json:"kind"`
	Entity  string   `json:"entity"`
	Msg     struct {
		Key  string   `json:"key"`
		Args argsJSON `json:"args"`
	} `json:"msg"`
	Diff       []diffJSON `json:"diff"`
	Causes     []int      `json:"causes"`
	Reads      []env.Path `json:"reads"`
	IDs        env.IDs    `json:"ids"`
	Invariants []string   `json:"invariants"`
	Hash       *hashJSON  `json:"hash"`
}

type diffJSON struct {
	Path   env.Path  `json:"path"`
	Before valueJSON `json:"before"`
	After  valueJSON `json:"after"`
}

// read decodes either form; the hash is what a whole trace claims to have.
func read(data []byte) (*Trace, *hashJSON, error) {
	var h headerJSON
	dec := json.NewDecoder(bytes.NewReader(data))
	if err := dec.Decode(&h); err != nil {
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return nil, nil, errors.New("it ends before its first object does; record the trace again")
		}
		return nil, nil, fmt.Errorf("line %d: %w", lineOf(data, dec.InputOffset(), err), plain(err))
	}
	line := 1 + bytes.Count(data[:dec.InputOffset()], []byte("\n"))
	rest := data[dec.InputOffset():]
	t, err := h.trace()
	if err != nil {
		return nil, nil, err
	}
	if h.Steps == nil {
		return t, nil, t.readLines(rest, line)
	}
	if len(bytes.TrimSpace(rest)) > 0 {
		return nil, nil, fmt.Errorf("line %d: something follows the trace", line)
	}
	for i, raw := range *h.Steps {
		if err := t.readStep(raw); err != nil {
			return nil, nil, fmt.Errorf("step %d: %w", i, err)
		}
	}
	return t, h.Hash, nil
}

// trace checks the header and makes a trace without steps of it.
func (h *headerJSON) trace() (*Trace, error) {
	if h.Schema == nil {
		return nil, errors.New("it is no trace: its first object has no field schema")
	}
	if *h.Schema > Schema {
		return nil, fmt.Errorf("its schema is %d, this program reads up to %d; use a newer one", *h.Schema, Schema)
	}
	if *h.Schema < 1 {
		return nil, fmt.Errorf("there is no schema %d; the first is 1", *h.Schema)
	}
	t := &Trace{Core: h.Core, Setup: h.Setup, Seed: h.Seed, Script: h.Script, Initial: NewDocument(), Msgs: h.Msgs}
	for i, d := range h.Initial {
		if len(d.Path) == 0 || d.After.value == nil {
			return nil, fmt.Errorf("initial[%d]: want a path and a value after", i)
		}
		t.Initial.Set(d.After.value, d.Path...)
	}
	return t, nil
}

// readLines reads one step per line; the header stood on line.
func (t *Trace) readLines(data []byte, line int) error {
	data = bytes.TrimPrefix(bytes.TrimPrefix(data, []byte("\r")), []byte("\n"))
	for len(data) > 0 {
		line++
		raw, rest, whole := bytes.Cut(data, []byte("\n"))
		data = rest
		if !whole && !json.Valid(raw) {
			t.Torn = true
			return nil
		}
		if len(bytes.TrimSpace(raw)) == 0 {
			continue
		}
		if err := t.readStep(raw); err != nil {
			return fmt.Errorf("line %d: %w", line, err)
		}
	}
	return nil
}

func (t *Trace) readStep(raw []byte) error {
	var j stepJSON
	if err := json.Unmarshal(raw, &j); err != nil {
		return plain(err)
	}
	switch {
	case j.ID == "":
		return errors.New("field id is missing")
	case j.Lane == "":
		return errors.New("field lane is missing")
	case j.Hash == nil:
		return errors.New("field hash is missing")
	case !slices.Contains(env.Kinds(), j.Kind):
		return fmt.Errorf("field kind: there is no kind %q", j.Kind)
	}
	s := &Step{I: j.I, ID: j.ID, VTimeMS: j.VTimeMS, Lane: j.Lane, Kind: j.Kind, Entity: j.Entity,
		Msg: j.Msg.Key, Args: j.Msg.Args, Causes: j.Causes, Reads: j.Reads, IDs: j.IDs,
		Invariants: j.Invariants, Hash: Hash(*j.Hash)}
	for i, d := range j.Diff {
		if len(d.Path) == 0 {
			return fmt.Errorf("field diff[%d].path is missing", i)
		}
		s.Diff = append(s.Diff, Diff{d.Path, d.Before.value, d.After.value})
	}
	t.Steps = append(t.Steps, s)
	return nil
}

// plain says a type error of encoding/json in our words.
func plain(err error) error {
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) {
		return fmt.Errorf("field %s: a %s does not belong there", wrong.Field, wrong.Value)
	}
	return err
}

// lineOf returns the line in which decoding failed.
func lineOf(data []byte, offset int64, err error) int {
	var syntax *json.SyntaxError
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &syntax) {
		offset = syntax.Offset
	} else if errors.As(err, &wrong) {
		offset = wrong.Offset
	}
	return 1 + bytes.Count(data[:min(int(offset), len(data))], []byte("\n"))
}

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
		for k := range x {
			if x[k], err = whole(x[k]); err != nil {
				return nil, err
			}
		}
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

package trace

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"

	"controllerscope/core/env"
)

// Read reads a trace in any form, one object, JSON lines or packed, and verifies it. name is what errors call the input. A torn
// last line of the lines form is left out (Torn).
func Read(name string, data []byte) (*Trace, error) {
	t, claimed, err := read(data)
	if err == nil {
		err = t.Verify()
	}
	if err == nil {
		err = t.documented()
	}
	if err == nil && claimed != nil && Hash(*claimed) != t.Hash() {
		err = fmt.Errorf("its hash is %s, its steps give %s", Hash(*claimed), t.Hash())
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return t, nil
}

// documented checks that every step has a message, and that msgs says what it stands for.
func (t *Trace) documented() error {
	for i, s := range t.Steps {
		if s.Msg == "" {
			return fmt.Errorf("step %d (%s): field msg.key is missing", i, s.ID)
		}
		if _, known := t.Msgs[s.Msg]; !known {
			return fmt.Errorf("step %d (%s): its message %q is not among msgs", i, s.ID, s.Msg)
		}
	}
	return nil
}

type headerJSON struct {
	Schema  *int                   `json:"schema"`
	Packed  int                    `json:"packed"`
	Core    string                 `json:"core"`
	Setup   json.RawMessage        `json:"setup"`
	Seed    int64                  `json:"seed"`
	Script  string                 `json:"script"`
	Initial json.RawMessage        `json:"initial"`
	Msgs    map[string]env.Message `json:"msgs"`
	Steps   json.RawMessage        `json:"steps"`
	Hash    *hashJSON              `json:"hash"`
}

type stepJSON struct {
	I       int      `json:"i"`
	ID      string   `json:"id"`
	VTimeMS *int64   `json:"vtime_ms"`
	Lane    string   `json:"lane"`
	Kind    env.Kind `json:"kind"`
	Entity  string   `json:"entity"`
	Msg     struct {
		Key  string   `json:"key"`
		Args argsJSON `json:"args"`
	} `json:"msg"`
	Diff       []json.RawMessage `json:"diff"` // read as the form has it
	Causes     []int             `json:"causes"`
	Reads      []env.Path        `json:"reads"`
	IDs        env.IDs           `json:"ids"`
	Invariants []string          `json:"invariants"`
	Hash       *hashJSON         `json:"hash"`
}

type diffJSON struct {
	Path   env.Path  `json:"path"`
	Before valueJSON `json:"before"`
	After  valueJSON `json:"after"`
}

// read decodes either form; the hash is what a whole trace claims to have.
func read(data []byte) (*Trace, *hashJSON, error) {
	var h headerJSON
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if len(bytes.TrimSpace(data)) == 0 {
		return nil, nil, errors.New("the file is empty; record the trace again")
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	if err := dec.Decode(&h); err != nil {
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return nil, nil, errors.New("it ends before its first object does; record the trace again")
		}
		line := lineOf(data, dec.InputOffset(), err)
		if first := bytes.TrimSpace(data); first[0] != '{' {
			return nil, nil, fmt.Errorf("line %d: it is no trace: that is an object of JSON in braces", line)
		}
		return nil, nil, fmt.Errorf("line %d: %w", line, JSONError(err))
	}
	line := 1 + bytes.Count(data[:dec.InputOffset()], []byte("\n"))
	rest := data[dec.InputOffset():]
	t, err := h.trace()
	if err != nil {
		return nil, nil, err
	}
	if len(h.Steps) == 0 {
		return t, nil, t.readLines(rest, line)
	}
	if len(bytes.TrimSpace(rest)) > 0 {
		return nil, nil, fmt.Errorf("line %d: something follows the trace", line)
	}
	next := func(_ int, raw []byte) (*Step, error) { return readStep(raw) }
	if h.Packed > 0 {
		next = newUnpacker(t).step
	}
	var steps []json.RawMessage
	if err := json.Unmarshal(h.Steps, &steps); err != nil || steps == nil {
		return nil, nil, errors.New("field steps: a list is wanted")
	}
	for i, raw := range steps {
		s, err := next(i, raw)
		if err != nil {
			return nil, nil, fmt.Errorf("step %d: %w", i, err)
		}
		t.Steps = append(t.Steps, s)
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
	if h.Packed > Packing {
		return nil, fmt.Errorf("it is packed in form %d, this program reads up to %d; use a newer one", h.Packed, Packing)
	}
	if h.Packed > 0 && len(h.Steps) == 0 {
		return nil, errors.New("it is packed and has no field steps")
	}
	if h.Seed < 0 {
		return nil, fmt.Errorf("field seed: %d; a seed is 0 or more", h.Seed)
	}
	if first := string(append(h.Setup, 'n')[:1]); !strings.Contains(`"{n`, first) {
		return nil, errors.New("field setup: want the text of a script, or an object")
	}
	t := &Trace{Core: h.Core, Setup: h.Setup, Seed: h.Seed, Script: h.Script, Initial: NewDocument(), Msgs: h.Msgs}
	if len(h.Initial) == 0 {
		return t, nil
	}
	if h.Packed > 0 {
		return t, t.readTree(h.Initial)
	}
	return t, t.readInitial(h.Initial)
}

// readInitial reads the leaves that hold before the first step.
func (t *Trace) readInitial(raw []byte) error {
	var leaves []diffJSON
	if err := json.Unmarshal(raw, &leaves); err != nil {
		return fmt.Errorf("initial: %w", JSONError(err))
	}
	for i, d := range leaves {
		if len(d.Path) == 0 || d.After.value == nil {
			return fmt.Errorf("initial[%d]: want a path and a value after", i)
		}
		t.Initial.Set(d.After.value, d.Path...)
	}
	return nil
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
		s, err := readStep(raw)
		if err != nil {
			return fmt.Errorf("line %d: %w", line, err)
		}
		t.Steps = append(t.Steps, s)
	}
	return nil
}

// readStep reads a step that has every field of the contract.
func readStep(raw []byte) (*Step, error) {
	var j stepJSON
	if err := json.Unmarshal(raw, &j); err != nil {
		return nil, JSONError(err)
	}
	switch {
	case j.ID == "":
		return nil, errors.New("field id is missing")
	case j.VTimeMS == nil:
		return nil, errors.New("field vtime_ms is missing")
	}
	s, err := j.step()
	if err != nil {
		return nil, err
	}
	for i, raw := range j.Diff {
		var d diffJSON
		if err := json.Unmarshal(raw, &d); err != nil {
			return nil, JSONError(err)
		}
		if len(d.Path) == 0 {
			return nil, fmt.Errorf("field diff[%d].path is missing", i)
		}
		s.Diff = append(s.Diff, Diff{d.Path, d.Before.value, d.After.value})
	}
	return s, nil
}

// step makes a step of what was read, as yet without its diff.
func (j *stepJSON) step() (*Step, error) {
	switch {
	case j.Lane == "":
		return nil, errors.New("field lane is missing")
	case j.Hash == nil:
		return nil, errors.New("field hash is missing")
	case !slices.Contains(env.Kinds(), j.Kind):
		return nil, fmt.Errorf("field kind: there is no kind %q", j.Kind)
	}
	var vtime int64
	if j.VTimeMS != nil {
		vtime = *j.VTimeMS
	}
	return &Step{I: j.I, ID: j.ID, VTimeMS: vtime, Lane: j.Lane, Kind: j.Kind, Entity: j.Entity,
		Msg: j.Msg.Key, Args: j.Msg.Args, Causes: j.Causes, Reads: j.Reads, IDs: j.IDs,
		Invariants: j.Invariants, Hash: Hash(*j.Hash)}, nil
}

// JSONError says a type error of encoding/json in words of JSON: which field, what is wanted there, what stands there. Other
// errors are as they are.
func JSONError(err error) error {
	var wrong *json.UnmarshalTypeError
	if !errors.As(err, &wrong) {
		return err
	}
	got, rest, _ := strings.Cut(wrong.Value, " ") // "number 1.5": it is the number that does not fit
	if rest == "" {
		rest = map[string]string{"object": "an object", "array": "a list", "string": "a text", "number": "a number", "bool": "true or false"}[got]
	}
	sentence := fmt.Sprintf("%s is wanted, not %s", wanted(wrong.Type), rest)
	if wrong.Field != "" {
		sentence = "field " + wrong.Field + ": " + sentence
	}
	return errors.New(sentence)
}

// wanted names what JSON has for a type of Go.
func wanted(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Struct, reflect.Map:
		return "an object"
	case reflect.Slice, reflect.Array:
		return "a list"
	case reflect.String:
		return "a text"
	case reflect.Bool:
		return "true or false"
	case reflect.Pointer:
		return wanted(t.Elem())
	case reflect.Float32, reflect.Float64:
		return "a number"
	}
	return "a whole number"
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

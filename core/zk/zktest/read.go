package zktest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// Error says what is wrong with a case file: where, which word, and what is allowed there.
type Error struct {
	File    string
	Case    string // "" outside a case
	Step    int    // from 1; 0 outside a step
	Problem string
	Allowed string // "" if there is no list
}

func (e *Error) Error() string {
	at := e.File
	if e.Case != "" {
		at += fmt.Sprintf(": case %q", e.Case)
	}
	if e.Step != 0 {
		at += fmt.Sprintf(", step %d", e.Step)
	}
	if e.Allowed != "" {
		return at + ": " + e.Problem + "; allowed: " + e.Allowed
	}
	return at + ": " + e.Problem
}

// reader knows the place it reads, for errors.
type reader struct {
	file, kase string
	step       int
}

func (r *reader) fail(allowed, format string, args ...any) error {
	return &Error{r.file, r.kase, r.step, fmt.Sprintf(format, args...), allowed}
}

// Read reads a case file and checks all of it, so that a bad one is refused before anything runs. A step of an op that is
// not known is kept, as the last of its case, and fails by itself. file is the name used in errors, which are *Error.
func Read(file string, data []byte) (*File, error) {
	r := &reader{file: file}
	if err := r.syntax(data); err != nil {
		return nil, err
	}
	top, err := r.object(data, "the file", "format about cases")
	if err != nil {
		return nil, err
	}
	f := &File{}
	if err := r.value(top, "format", &f.Format); err != nil {
		return nil, err
	}
	if f.Format != Format {
		return nil, r.fail(Format, "format %q is not known", f.Format)
	}
	if err := r.value(top, "about", &f.About); err != nil {
		return nil, err
	}
	var cases []json.RawMessage
	if err := r.value(top, "cases", &cases); err != nil {
		return nil, err
	}
	if len(cases) == 0 {
		return nil, r.fail("", `there are no cases: "cases" must be a list with at least one`)
	}
	names := map[string]bool{}
	for i, raw := range cases {
		c, err := r.readCase(i, raw)
		if err != nil {
			return nil, err
		}
		if names[c.Name] {
			return nil, r.fail("", "the name stands twice in the file; every case needs its own")
		}
		names[c.Name] = true
		f.Cases = append(f.Cases, c)
		*r = reader{file: file}
	}
	return f, nil
}

// syntax checks that data is one JSON value and names the line where it is not.
func (r *reader) syntax(data []byte) error {
	d := json.NewDecoder(bytes.NewReader(data))
	var raw json.RawMessage
	err := d.Decode(&raw)
	var bad *json.SyntaxError
	switch {
	case err == io.EOF:
		return r.fail("", "the file is empty; a JSON object is expected")
	case errors.As(err, &bad):
		return r.fail("", "line %d is not JSON: %v", 1+bytes.Count(data[:bad.Offset], []byte("\n")), bad)
	case err != nil:
		return r.fail("", "the file is not JSON: it ends in the middle")
	}
	if rest := bytes.TrimSpace(data[d.InputOffset():]); len(rest) > 0 {
		return r.fail("", "line %d: more text follows the end of the JSON object",
			1+bytes.Count(data[:d.InputOffset()], []byte("\n")))
	}
	return nil
}

// object reads an object that may have only the allowed keys.
func (r *reader) object(raw []byte, what, allowed string) (map[string]json.RawMessage, error) {
	var m map[string]json.RawMessage
	if json.Unmarshal(raw, &m) != nil || m == nil {
		return nil, r.fail("", "%s must be a JSON object, but is %s", what, short(raw))
	}
	for _, key := range slices.Sorted(maps.Keys(m)) {
		if !hasWord(allowed, key) {
			return nil, r.fail(words(allowed), "%s has no field %q", what, key)
		}
	}
	return m, nil
}

// value reads one field of an object into v; an absent one leaves v alone.
func (r *reader) value(m map[string]json.RawMessage, key string, v any) error {
	raw, found := m[key]
	if !found {
		return nil
	}
	err := json.Unmarshal(raw, v)
	var wrong *json.UnmarshalTypeError
	switch {
	case errors.As(err, &wrong):
		return r.fail("", "field %q is %s, where %s belongs", key, short(raw), goName(wrong.Type.String()))
	case err != nil:
		return r.fail("", "field %q: %v", key, err)
	}
	return nil
}

// goName says in words what a Go type holds.
func goName(t string) string {
	switch strings.TrimLeft(t, "*") {
	case "string", "zktest.Data":
		return "a string"
	case "int", "int32", "int64", "float64":
		return "a number"
	case "bool":
		return "true or false"
	}
	if strings.HasPrefix(t, "[]") {
		return "a list"
	}
	return "an object"
}

// readCase reads the case at index i.
func (r *reader) readCase(i int, raw []byte) (Case, error) {
	r.kase = fmt.Sprintf("number %d", i+1)
	var c Case
	m, err := r.object(raw, "a case", "name about tags steps")
	if err != nil {
		return c, err
	}
	var steps []json.RawMessage
	for _, f := range []struct {
		key string
		v   any
	}{{"name", &c.Name}, {"about", &c.About}, {"tags", &c.Tags}, {"steps", &steps}} {
		if err := r.value(m, f.key, f.v); err != nil {
			return c, err
		}
	}
	if c.Name == "" {
		return c, r.fail("", `the case has no "name"`)
	}
	r.kase = c.Name
	if len(steps) == 0 {
		return c, r.fail("", `the case has no "steps"`)
	}
	known := scope{sessions: map[string]bool{}, watches: map[[2]string]bool{}, handles: map[[2]string]bool{}}
	for i, raw := range steps {
		r.step = i + 1
		s, err := r.readStep(raw)
		if err != nil {
			return c, err
		}
		if s.Unknown != "" { // what follows may build on it
			c.Steps = append(c.Steps, s)
			break
		}
		if err := r.checkStep(&s, known); err != nil {
			return c, err
		}
		c.Steps = append(c.Steps, s)
	}
	r.step = 0
	return c, nil
}

// readStep reads a step and its arguments.
func (r *reader) readStep(raw []byte) (Step, error) {
	var s Step
	m, err := r.object(raw, "a step", "session op args async expect")
	if err != nil {
		return s, err
	}
	for key, v := range map[string]*string{"session": &s.Session, "op": &s.Op, "async": &s.Async} {
		if err := r.value(m, key, v); err != nil {
			return s, err
		}
	}
	form, known := ops[s.Op]
	if !known {
		s.Unknown = "this op is not known; there are " + strings.Join(slices.Sorted(maps.Keys(ops)), ", ")
		return s, nil
	}
	if raw, found := m["args"]; found {
		if err := r.readArgs(raw, &s, form); err != nil {
			return s, err
		}
	}
	if raw, found := m["expect"]; found {
		what := "expect of " + s.Op
		if _, err := r.object(raw, what, form.fields); err != nil {
			return s, err
		}
		if err := json.Unmarshal(raw, &s.Expect); err != nil {
			return s, r.fail("", "%s: %v", what, err)
		}
	}
	return s, nil
}

func (r *reader) readArgs(raw []byte, s *Step, form opForm) error {
	m, err := r.object(raw, "args of "+s.Op, form.args)
	if err != nil {
		return err
	}
	a := &s.Args
	var subs []json.RawMessage
	for _, f := range []struct {
		key string
		v   any
	}{{"path", &a.Path}, {"data", &a.Data}, {"version", &a.Version}, {"flags", &a.Flags}, {"acl", &a.ACL},
		{"no_acl", &a.NoACL}, {"ttl_ms", &a.TTLMS}, {"watch", &a.Watch}, {"scheme", &a.Scheme}, {"auth", &a.Auth},
		{"count", &a.Count}, {"timeout_ms", &a.TimeoutMS}, {"no_barrier", &a.NoBarrier}, {"handle", &a.Handle},
		{"ops", &subs}} {
		if err := r.value(m, f.key, f.v); err != nil {
			return err
		}
	}
	for i, raw := range subs {
		o, err := r.readSubOp(i, raw)
		if err != nil {
			return err
		}
		a.Ops = append(a.Ops, o)
	}
	return nil
}

func (r *reader) readSubOp(i int, raw []byte) (SubOp, error) {
	var o SubOp
	what := fmt.Sprintf("operation %d of the multi", i+1)
	m, err := r.object(raw, what, "op path data flags version acl no_acl")
	if err != nil {
		return o, err
	}
	if err := r.value(m, "op", &o.Op); err != nil {
		return o, err
	}
	allowed, known := subOps[o.Op]
	if !known {
		return o, r.fail(strings.Join(slices.Sorted(maps.Keys(subOps)), ", "), "%s: op %q is not known", what, o.Op)
	}
	if _, err := r.object(raw, what+" ("+o.Op+")", allowed); err != nil {
		return o, err
	}
	for _, f := range []struct {
		key string
		v   any
	}{{"path", &o.Path}, {"data", &o.Data}, {"flags", &o.Flags}, {"version", &o.Version}, {"acl", &o.ACL},
		{"no_acl", &o.NoACL}} {
		if err := r.value(m, f.key, f.v); err != nil {
			return o, err
		}
	}
	return o, nil
}

func hasWord(list, word string) bool { return slices.Contains(strings.Fields(list), word) }

func words(list string) string {
	if list == "" {
		return "none"
	}
	return strings.Join(strings.Fields(list), ", ")
}

// short is a piece of JSON cut to fit a sentence.
func short(raw []byte) string {
	const most = 40
	text := strings.Join(strings.Fields(string(raw)), " ")
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}

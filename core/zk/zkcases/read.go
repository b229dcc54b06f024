package zkcases

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"sort"
	"strings"
)

// maxJSON bounds a case file, in bytes, so that a wrong path cannot fill the memory.
const maxJSON = 64 << 20

// Read reads a whole case file. name is what errors call it. The first thing that is wrong is reported with file, case,
// step, word and what is allowed; a file with an error gives no cases at all.
func Read(name string, data []byte) (File, error) {
	if len(data) > maxJSON {
		return File{}, fmt.Errorf("%s: %d bytes; a case file has at most %d", name, len(data), maxJSON)
	}
	root, err := decode(data)
	if err != nil {
		return File{}, fmt.Errorf("%s: %w", name, err)
	}
	r := &reader{place: name}
	f := r.file(root)
	if r.err != nil {
		return File{}, r.err
	}
	return f, nil
}

// decode reads one JSON value with whole numbers as int64 and nothing behind it.
func decode(data []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var v any
	err := d.Decode(&v)
	if err == nil {
		if _, err = d.Token(); errors.Is(err, io.EOF) {
			return whole(v)
		}
		err = errors.New("something follows the closing brace")
	}
	at := d.InputOffset()
	if syntax := (*json.SyntaxError)(nil); errors.As(err, &syntax) {
		at = syntax.Offset
	}
	line := 1 + bytes.Count(data[:min(int(at), len(data))], []byte("\n"))
	return nil, fmt.Errorf("line %d: not JSON: %v; a case file is {\"format\":\"%s\",\"about\":…,\"cases\":[…]}", line, err, Format)
}

// whole turns every number into an int64; the format has no others.
func whole(v any) (any, error) {
	var err error
	switch t := v.(type) {
	case json.Number:
		n, e := t.Int64()
		if e != nil {
			return nil, fmt.Errorf("%s is not a whole number of 64 bits", t)
		}
		return n, nil
	case []any:
		for i := range t {
			if t[i], err = whole(t[i]); err != nil {
				return nil, err
			}
		}
	case map[string]any:
		for _, k := range sortedFields(t) {
			if t[k], err = whole(t[k]); err != nil {
				return nil, err
			}
		}
	}
	return v, nil
}

// reader walks a decoded file. It keeps the first error and gives zero values after it.
type reader struct {
	place string
	err   error
}

// fail records the first error at the present place.
func (r *reader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf(r.place+": "+format, args...)
	}
}

// at does the work of one part of the file under its own place.
func (r *reader) at(place string, work func()) {
	if r.err != nil {
		return
	}
	outer := r.place
	r.place = outer + ", " + place
	work()
	r.place = outer
}

// list joins words for a message, sorted.
func list(words []string) string {
	words = slices.Clone(words)
	sort.Strings(words)
	if len(words) == 0 {
		return "none"
	}
	return strings.Join(words, ", ")
}

// object checks that v is an object without fields of other names.
func (r *reader) object(v any, what string, allowed []string) map[string]any {
	o, ok := v.(map[string]any)
	if !ok {
		r.fail("%s is %s; an object is wanted", what, Text(v))
		return nil
	}
	for _, k := range sortedFields(o) {
		if !slices.Contains(allowed, k) {
			r.fail("%s has an unknown field %q; allowed: %s", what, k, list(allowed))
		}
	}
	return o
}

// str is a field that must be a string; absent gives the default.
func (r *reader) str(o map[string]any, key, absent string) string {
	v, has := o[key]
	if !has {
		return absent
	}
	s, ok := v.(string)
	if !ok {
		r.fail("%q is %s; a string is wanted", key, Text(v))
	}
	return s
}

// num is a field that must be a whole number within bounds; absent gives the default.
func (r *reader) num(o map[string]any, key string, absent, low, high int64) int64 {
	v, has := o[key]
	if !has {
		return absent
	}
	n, ok := v.(int64)
	if !ok || n < low || n > high {
		r.fail("%q is %s; a whole number from %d to %d is wanted", key, Text(v), low, high)
		return absent
	}
	return n
}

// flag is a field that must be true or false; absent is false.
func (r *reader) flag(o map[string]any, key string) bool {
	v, has := o[key]
	b, ok := v.(bool)
	if has && !ok {
		r.fail("%q is %s; true or false is wanted", key, Text(v))
	}
	return b
}

// array is a field that must be a list; absent is an empty one.
func (r *reader) array(o map[string]any, key string) []any {
	v, has := o[key]
	a, ok := v.([]any)
	if has && !ok {
		r.fail("%q is %s; a list is wanted", key, Text(v))
	}
	return a
}

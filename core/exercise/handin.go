package exercise

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"controllerscope/core/jsonvalue"
	"controllerscope/core/kafka"
)

// HandIn is what a student hands in, as a file of JSON or as one line of text.
//
//	{"schema":1,"exercise":"E10","version":1,"who":"ada","variant":"0123456789abcdef","core":"0.1.0",
//	 "ops":{"drive":"hold 0\nbroker kill 1\n"},"answers":{"first.case":"bounced"},"hashes":{"drive":"ad64cce7"}}
type HandIn struct {
	Schema   int // 1
	Exercise string
	Version  int
	Who      string            // name or number
	Variant  string            // seed of the variant, 16 hex digits; checked, not used
	Core     string            // version of the core it was made with
	Ops      map[string]string // by part: the operations, one a line
	Answers  map[string]string // by PART.CRITERION
	Hashes   map[string]string // by part: hash of the trace as the page had it; checked, not used
}

const (
	schema     = 1
	linePrefix = "KCL1." // how a hand-in in one line begins
	// MaxFile is the most that a hand-in may hold, in bytes.
	MaxFile = 64 << 10
	maxWho  = 80
)

// Line writes the hand-in as one line of text.
func (h *HandIn) Line() string {
	return linePrefix + base64.RawURLEncoding.EncodeToString(h.JSON())
}

// JSON writes the hand-in as a file holds it.
func (h *HandIn) JSON() []byte {
	out := map[string]any{"schema": int64(h.Schema), "exercise": h.Exercise, "version": int64(h.Version), "who": h.Who, "variant": h.Variant, "core": h.Core}
	for name, texts := range map[string]map[string]string{"ops": h.Ops, "answers": h.Answers, "hashes": h.Hashes} {
		if len(texts) > 0 {
			values := map[string]any{}
			for k, v := range texts {
				values[k] = v
			}
			out[name] = values
		}
	}
	return jsonvalue.Append(nil, out)
}

// Read reads a hand-in in either form. The error says in one sentence what is wrong with it.
func Read(data []byte) (*HandIn, error) {
	if len(data) > MaxFile {
		return nil, fmt.Errorf("it has more than %d bytes; a hand-in is far smaller", MaxFile)
	}
	data = bytes.TrimSpace(bytes.TrimPrefix(data, []byte("\ufeff")))
	if line, ok := bytes.CutPrefix(data, []byte(linePrefix)); ok {
		plain, err := base64.RawURLEncoding.DecodeString(string(bytes.TrimRight(line, "=")))
		if err != nil {
			return nil, errors.New("the line after KCL1. is damaged or cut off; copy it again, whole")
		}
		data = plain
	}
	value, rest, err := jsonvalue.First(string(data))
	if err != nil {
		return nil, fmt.Errorf("it is no hand-in: %w", err)
	}
	if strings.TrimSpace(rest) != "" {
		return nil, errors.New("something follows the hand-in; one file holds one")
	}
	fields, ok := value.(map[string]any)
	if !ok {
		return nil, errors.New("it is no hand-in: that is an object in braces")
	}
	var h HandIn
	for _, name := range kafka.SortedKeys(fields) {
		if err := h.put(name, fields[name]); err != nil {
			return nil, fmt.Errorf("it is no hand-in: %w", err)
		}
	}
	return &h, h.check()
}

// put takes one field.
func (h *HandIn) put(name string, value any) error {
	texts := map[string]*string{"exercise": &h.Exercise, "who": &h.Who, "variant": &h.Variant, "core": &h.Core}
	numbers := map[string]*int{"schema": &h.Schema, "version": &h.Version}
	groups := map[string]*map[string]string{"ops": &h.Ops, "answers": &h.Answers, "hashes": &h.Hashes}
	var ok bool
	switch {
	case texts[name] != nil:
		*texts[name], ok = value.(string)
	case numbers[name] != nil:
		number, _ := value.(jsonvalue.Number)
		n, err := strconv.Atoi(string(number))
		*numbers[name], ok = n, err == nil
	case groups[name] != nil:
		*groups[name], ok = textsOf(value)
	default:
		return fmt.Errorf("there is no field %.40q", name)
	}
	if !ok {
		return fmt.Errorf("the field %s does not hold what it should", name)
	}
	return nil
}

// textsOf reads an object of texts.
func textsOf(value any) (map[string]string, bool) {
	fields, ok := value.(map[string]any)
	out := map[string]string{}
	for name, v := range fields {
		text, isText := v.(string)
		out[name], ok = text, ok && isText
	}
	return out, ok
}

func (h *HandIn) check() error {
	switch {
	case h.Schema != schema:
		return fmt.Errorf("it is of schema %d; this grader reads schema %d", h.Schema, schema)
	case strings.TrimSpace(h.Who) == "":
		return errors.New("nobody's name or number is in it")
	case !utf8.ValidString(h.Who) || utf8.RuneCountInString(h.Who) > maxWho || strings.ContainsFunc(h.Who, unicode.IsControl):
		return fmt.Errorf("the name in it is longer than %d characters or holds control characters", maxWho)
	}
	return nil
}

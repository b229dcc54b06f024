package exercise

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// HandIn is what a student hands in, as a file of JSON or as one line of text.
type HandIn struct {
	Schema   int               `json:"schema"` // 1
	Exercise string            `json:"exercise"`
	Version  int               `json:"version"`
	Who      string            `json:"who"`               // name or number
	Variant  string            `json:"variant"`           // seed of the variant, 16 hex digits; checked, not used
	Core     string            `json:"core"`              // version of the core it was made with
	Ops      map[string]string `json:"ops,omitempty"`     // by part: the operations, one a line
	Answers  map[string]string `json:"answers,omitempty"` // by PART.CRITERION
	Hashes   map[string]string `json:"hashes,omitempty"`  // by part: hash of the trace as the page had it; checked, not used
}

const (
	schema    = 1
	linePaper = "KCL1." // how a hand-in in one line begins
	// MaxFile is the most that a hand-in may hold, in bytes.
	MaxFile = 64 << 10
	maxWho  = 80
)

// Line writes the hand-in as one line of text.
func (h *HandIn) Line() string {
	return linePaper + base64.RawURLEncoding.EncodeToString(h.JSON())
}

// JSON writes the hand-in as a file holds it.
func (h *HandIn) JSON() []byte {
	out, _ := json.Marshal(h) // numbers and texts always marshal
	return out
}

// Read reads a hand-in in either form. The error says in one sentence what is wrong with it.
func Read(data []byte) (*HandIn, error) {
	if len(data) > MaxFile {
		return nil, fmt.Errorf("it has more than %d bytes; a hand-in is far smaller", MaxFile)
	}
	data = bytes.TrimSpace(bytes.TrimPrefix(data, []byte("\ufeff")))
	if line, ok := bytes.CutPrefix(data, []byte(linePaper)); ok {
		plain, err := base64.RawURLEncoding.DecodeString(string(bytes.TrimRight(line, "=")))
		if err != nil {
			return nil, errors.New("the line after KCL1. is damaged or cut off; copy it again, whole")
		}
		data = plain
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	var h HandIn
	if err := d.Decode(&h); err != nil {
		return nil, fmt.Errorf("it is no hand-in: %s", sentence(err))
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("something follows the hand-in; one file holds one")
	}
	return &h, h.check()
}

// sentence makes one line of what the JSON reader says.
func sentence(err error) string {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return "the file is empty or cut off"
	}
	return strings.ReplaceAll(err.Error(), "\n", " ")
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

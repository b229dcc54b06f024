package lesson

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"controllerscope/core/exercise"
	"controllerscope/core/script"
)

// Place is where a value stands in lesson.yaml: its line, of a block of lines the first of them, and how many blanks stand
// before each.
type Place struct{ Line, Indent int }

// fieldError is an error about one field; its text does not name the field.
type fieldError struct {
	field string // its path below what was checked: again.choices[1].key
	error
}

func (e *fieldError) Unwrap() error { return e.error }

// in says which field an error is about; what is known about the fields in it is kept. Without an error there is none.
func in(field string, err error) error {
	var below *fieldError
	if errors.As(err, &below) {
		field += "." + below.field
	}
	if err == nil {
		return nil
	}
	return &fieldError{field, err}
}

// Wrong puts the file and the line before an error about a field of lesson.yaml. Without lines (a lesson made by a program)
// it names the file.
func (l *Lesson) Wrong(field string, err error) error {
	var below *fieldError
	if errors.As(err, &below) {
		field += "." + below.field
	}
	place := l.ID + "/lesson.yaml"
	for ; l.Places != nil; field = field[:max(0, strings.LastIndexAny(field, ".["))] {
		if at, known := l.Places[field]; known {
			place = fmt.Sprintf("%s:%d", place, at.Line)
			break
		} else if field == "" {
			break
		}
	}
	return fmt.Errorf("%s: %w", place, err)
}

// scriptAt reads a script of lesson.yaml, so that errors name line and column of the file.
func (l *Lesson) scriptAt(field, text string) error {
	at := l.Places[field]
	indent := strings.Repeat(" ", at.Indent)
	text = strings.Repeat("\n", max(0, at.Line-1)) + indent + strings.ReplaceAll(text, "\n", "\n"+indent)
	_, err := script.Parse(l.ID+"/lesson.yaml", text)
	return err
}

// located is an error with another text.
type located struct {
	text string
	error
}

func (e *located) Error() string { return e.text }
func (e *located) Unwrap() error { return e.error }

// Located is an error of a run, which begins with a line of its setup or script, with the line of lesson.yaml instead.
func (l *Lesson) Located(r Run, err error) error {
	for name, field := range map[string]string{l.Inputs(r).Name + " setup:": "setup", l.Inputs(r).Name + ":": "script"} {
		text, of := strings.CutPrefix(err.Error(), name)
		number, rest, _ := strings.Cut(text, ":")
		n, noNumber := strconv.Atoi(number)
		i := slices.IndexFunc(l.Runs, func(one Run) bool { return one.ID == r.ID })
		at, known := l.Places[fmt.Sprintf("runs[%d].%s", i, field)]
		if of && known && noNumber == nil {
			return &located{fmt.Sprintf("%s/lesson.yaml:%d:%s", l.ID, at.Line+n-1, rest), err}
		}
	}
	return err
}

// wrongPiece is the smallest piece of an exercise that is wrong by itself, "" when only the whole is.
func wrongPiece(e *exercise.Exercise) string {
	for i, p := range e.Parts {
		for j, c := range p.Criteria {
			part := p
			part.Criteria = []exercise.Criterion{c}
			bare := part
			bare.Criteria = nil
			if alone(e, bare) == nil && alone(e, part) != nil {
				return fmt.Sprintf("parts[%d].criteria[%d]", i, j)
			}
		}
		if alone(e, p) != nil {
			return fmt.Sprintf("parts[%d]", i)
		}
	}
	return ""
}

// alone checks an exercise of one part.
func alone(e *exercise.Exercise, p exercise.Part) error {
	one := *e
	one.Parts = []exercise.Part{p}
	return one.Validate()
}

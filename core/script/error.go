package script

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Error is one place that could not be read.
type Error struct {
	File      string // as the caller named it; may be empty
	Line, Col int    // from 1; Col counts characters
	Source    string // the line
	Width     int    // how many characters are wrong, at least 1
	Message   string // what was expected
}

// Error gives the place, what was expected, and the line with the wrong word underlined.
func (e *Error) Error() string {
	source := strings.NewReplacer("\t", " ", "\n", " ", "\r", " ").Replace(e.Source)
	place := fmt.Sprintf("%d:%d", e.Line, e.Col)
	if e.File != "" {
		place = e.File + ":" + place
	}
	return place + ": " + e.Message + "\n    " + source + "\n    " + strings.Repeat(" ", e.Col-1) + strings.Repeat("^", e.Width)
}

// errorAt makes an Error of the bytes from..to of a line.
func errorAt(source string, from, to int, format string, args ...any) *Error {
	return &Error{
		Line: 1, Col: 1 + utf8.RuneCountInString(source[:from]), Source: source,
		Width: max(1, utf8.RuneCountInString(source[from:to])), Message: fmt.Sprintf(format, args...),
	}
}

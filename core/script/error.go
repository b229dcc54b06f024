package script

import (
	"fmt"
	"strings"
	"unicode"
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

// shownBefore and shown are how much of a long line is shown: that much before the wrong word, and that much in all.
const (
	shownBefore = 80
	shown       = 160
)

// Error gives the place, what was expected, and the line with the wrong word underlined; of a long line, what is around it.
func (e *Error) Error() string {
	place := fmt.Sprintf("%d:%d", e.Line, e.Col)
	if e.File != "" {
		place = e.File + ":" + place
	}
	source, before, width := e.excerpt()
	return place + ": " + clip(e.Message) + "\n    " + source + "\n    " + strings.Repeat(" ", before) + strings.Repeat("^", width)
}

// excerpt is the line, or the part of it around the wrong word, which begins after so many characters and is so wide.
func (e *Error) excerpt() (source string, before, width int) {
	text := []rune(strings.Map(printable, e.Source))
	before, width = e.Col-1, e.Width
	if len(text) <= shown {
		return string(text), before, width
	}
	from := max(0, min(before, len(text))-shownBefore)
	to := min(len(text), from+shown)
	head, tail := "", ""
	if from > 0 {
		head = "…"
	}
	if to < len(text) {
		tail = "…"
	}
	before -= from
	return head + string(text[from:to]) + tail, before + len([]rune(head)), max(1, min(width, shown-before))
}

// printable replaces what would move or colour a terminal.
func printable(c rune) rune {
	if unicode.IsControl(c) {
		return ' '
	}
	return c
}

// clip shortens a message that quotes a very long word.
func clip(message string) string {
	if text := []rune(strings.Map(printable, message)); len(text) > 4*shown {
		return string(text[:2*shown]) + " … " + string(text[len(text)-shown:])
	}
	return message
}

// errorAt makes an Error of the bytes from..to of a line.
func errorAt(source string, from, to int, format string, args ...any) *Error {
	return &Error{
		Line: 1, Col: 1 + utf8.RuneCountInString(source[:from]), Source: source,
		Width: max(1, utf8.RuneCountInString(source[from:to])), Message: fmt.Sprintf(format, args...),
	}
}

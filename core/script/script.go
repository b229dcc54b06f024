package script

import (
	"errors"
	"fmt"
	"strings"
)

// Script is a parsed text: its lines, also the empty ones and those with only a comment.
type Script struct {
	Lines []*Line
}

// Line is one operation.
type Line struct {
	File    string
	Number  int      // from 1
	Verb    string   // "topic create"; empty on a line without operation
	Args    []Arg    // in the order written
	Options []Option // k=v, in the order written
	Expr    *Expr    // of until, expect and never, and behind the time of clock and wait
	Comment string   // from # on
	verb    *Verb
}

// Arg is one argument. Which of the values are set depends on Kind.
type Arg struct {
	Name  string // of the slot: "N", "T-P", "[ids]"
	Kind  Kind
	Text  string // as written, without quotes
	Int   int64
	Ints  []int64
	Topic string
}

// Option is one k=v.
type Option struct{ Key, Value string }

// maxErrors is how many lines that could not be read are told of one by one: a file that is no script has one in every line.
const maxErrors = 20

// Parse reads a script, with or without a byte order mark. file is what errors call it. The error joins an *Error for every
// line that could not be read, up to maxErrors of them.
func Parse(file, text string) (*Script, error) {
	s := &Script{}
	var errs []error
	text = strings.TrimSuffix(strings.TrimPrefix(text, "\ufeff"), "\n")
	if text == "" {
		return s, nil
	}
	for i, source := range strings.Split(text, "\n") {
		line, err := ParseLine(file, i+1, strings.TrimSuffix(source, "\r"))
		if err != nil {
			if errs = append(errs, err); len(errs) == maxErrors {
				errs = append(errs, fmt.Errorf("%d lines cannot be read so far; what follows line %d was not looked at", maxErrors, i+1))
				break
			}
			continue
		}
		s.Lines = append(s.Lines, line)
	}
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	return s, nil
}

// Operations returns the lines that do something.
func (s *Script) Operations() []*Line {
	var out []*Line
	for _, l := range s.Lines {
		if l.Verb != "" {
			out = append(out, l)
		}
	}
	return out
}

// String prints the script in canonical spacing, each line ended by a newline.
func (s *Script) String() string {
	var b strings.Builder
	for _, l := range s.Lines {
		b.WriteString(l.String())
		b.WriteByte('\n')
	}
	return b.String()
}

// Arg returns the first argument of the given slot.
func (l *Line) Arg(name string) (Arg, bool) {
	for _, a := range l.Args {
		if a.Name == name {
			return a, true
		}
	}
	return Arg{}, false
}

// Text returns the text of the first argument of the given slot, "" when there is none.
func (l *Line) Text(name string) string {
	a, _ := l.Arg(name)
	return a.Text
}

// Int returns the number of the first argument of the given slot, 0 when there is none.
func (l *Line) Int(name string) int64 {
	a, _ := l.Arg(name)
	return a.Int
}

// All returns every argument of the given slot.
func (l *Line) All(name string) []Arg {
	var out []Arg
	for _, a := range l.Args {
		if a.Name == name {
			out = append(out, a)
		}
	}
	return out
}

// Option returns the value of k=v.
func (l *Line) Option(key string) (string, bool) {
	for _, o := range l.Options {
		if o.Key == key {
			return o.Value, true
		}
	}
	return "", false
}

// String prints the line in canonical spacing.
func (l *Line) String() string {
	words := []string{}
	if l.Verb != "" {
		words = append(words, l.Verb)
	}
	for i, a := range l.Args {
		text := quoted(a, l.Comment != "")
		if i == 0 && l.verb.Dotted {
			words[0] += "." + text
		} else {
			words = append(words, text)
		}
	}
	if len(l.Options) > 0 || l.Expr != nil {
		if word := l.verb.Slots[len(l.verb.Slots)-1].Lead; word != "" {
			words = append(words, word)
		}
	}
	for _, o := range l.Options {
		words = append(words, optionText(o))
	}
	if l.Expr != nil {
		words = append(words, l.Expr.String())
	}
	if l.Comment != "" {
		words = append(words, l.Comment)
	}
	return strings.Join(words, " ")
}

// quoted prints an argument as it can be read again.
func quoted(a Arg, comment bool) string {
	switch {
	case a.Kind == List:
		return a.Text
	case a.Kind != Raw:
		return QuoteWord(a.Text)
	case comment || a.Text == "" || a.Text != strings.TrimSpace(a.Text) || a.Text[0] == '\'' || a.Text[0] == '#':
		return quote(a.Text)
	}
	return a.Text
}

func optionText(o Option) string {
	if strings.ContainsAny(o.Key, " \t'\"#[") {
		return quote(o.Key + "=" + o.Value)
	}
	if strings.ContainsAny(o.Value, " \t'\"") {
		return o.Key + "=" + quote(o.Value)
	}
	return o.Key + "=" + o.Value
}

// QuoteWord writes a word so that a line has it as one word.
func QuoteWord(s string) string {
	if s == "" || strings.ContainsAny(s, " \t'\"") || s[0] == '#' || s[0] == '[' {
		return quote(s)
	}
	return s
}

func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

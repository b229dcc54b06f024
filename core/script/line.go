package script

import (
	"cmp"
	"slices"
	"strings"
)

// token is one word of a line.
type token struct {
	text     string // without quotes, a list without spaces
	from, to int    // bytes of the line
	quoted   bool
}

// lineParser reads one line from left to right.
type lineParser struct {
	source string
	at     int
	line   *Line
	open   []opening // what could follow the last word taken
}

// opening is something that could come next: an argument of the slot, or first the word that leads it in.
type opening struct {
	slot *Slot
	lead bool
}

// ParseLine reads one line, which has the given number in the file. The error is an *Error.
func ParseLine(file string, number int, source string) (*Line, error) {
	p := &lineParser{source: source, line: &Line{File: file, Number: number}}
	if err := p.parse(); err != nil {
		err.File, err.Line = file, number
		return nil, err
	}
	return p.line, nil
}

func (p *lineParser) parse() *Error {
	first, found, err := p.peek()
	if err != nil || !found {
		return err
	}
	verb, err := p.verb(first)
	if err != nil {
		return err
	}
	p.line.Verb, p.line.verb = verb.Words, verb
	for {
		if err := p.slots(verb); err != nil {
			return err
		}
		next, found, err := p.peek()
		if err != nil || found && !verb.Repeat {
			return cmp.Or(err, p.wrong(next, verb, "the end of the line"))
		}
		if !found {
			return nil
		}
	}
}

// verb takes the words of the verb that the line starts with, the longest that fits.
func (p *lineParser) verb(first token) (*Verb, *Error) {
	if name, _, dotted := strings.Cut(first.text, "."); dotted {
		for i := range verbs {
			if verbs[i].Dotted && verbs[i].Words == name {
				if first.text == name+"." {
					return nil, errorAt(p.source, first.from, first.to, "expected a name after the dot: %s", verbs[i].Usage())
				}
				p.at = first.from + len(name) + 1
				return &verbs[i], nil
			}
		}
	}
	var whole *Verb
	var seconds []string
	p.at = first.to
	second, found, err := p.peek()
	if err != nil {
		second, found = token{from: len(p.source), to: len(p.source)}, false
	}
	for i := range verbs {
		word, next, two := strings.Cut(verbs[i].Words, " ")
		switch {
		case word != first.text || verbs[i].Dotted:
		case !two:
			whole = &verbs[i]
		case found && next == second.text:
			p.at = second.to
			return &verbs[i], nil
		default:
			seconds = append(seconds, next)
		}
	}
	switch {
	case whole != nil:
		return whole, nil
	case len(seconds) > 0:
		return nil, errorAt(p.source, second.from, second.to, "expected %s after %s", either(seconds), first.text)
	}
	return nil, errorAt(p.source, first.from, first.to, "there is no verb %s; expected %s", first.text, either(verbWords()))
}

// verbWords returns the words that a line can start with.
func verbWords() []string {
	var out []string
	for i := range verbs {
		word, _, _ := strings.Cut(verbs[i].Words, " ")
		if verbs[i].Dotted {
			word += ".NAME"
		}
		out = append(out, word)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// slots reads the arguments of a verb.
func (p *lineParser) slots(verb *Verb) *Error {
	p.open = nil
	for i := range verb.Slots {
		slot := &verb.Slots[i]
		next, found, err := p.peek()
		rest := slot.Kinds[0] == Raw || slot.Kinds[0] == Expression
		switch {
		case err != nil && (!rest || slot.Lead != ""):
			return err
		case err == nil && !found && slot.Optional:
			p.open = append(p.open, opening{slot, slot.Lead != ""})
			continue
		case slot.Lead != "" && next.text == slot.Lead:
			p.at, p.open = next.to, nil
		case slot.Lead != "":
			p.open = append(p.open, opening{slot, true})
			continue
		}
		if rest {
			p.open = append(p.open, opening{slot: slot})
			if slot.Kinds[0] == Expression {
				return p.expression()
			}
			return p.raw(slot, verb)
		}
		taken, err := p.slot(slot)
		if err != nil {
			return err
		}
		if taken > 0 {
			p.open = nil
		}
		if taken == 0 || slot.Many {
			p.open = append(p.open, opening{slot: slot})
		}
		if taken == 0 && (!slot.Optional || slot.Lead != "") {
			next, _, _ := p.peek()
			return p.wrong(next, verb)
		}
	}
	if verb.Repeat {
		p.open = append(p.open, opening{slot: &verb.Slots[0]})
	}
	return nil
}

// slot takes as many words as belong to the slot.
func (p *lineParser) slot(slot *Slot) (taken int, err *Error) {
	for {
		next, found, err := p.peek()
		if err != nil || !found || !p.take(slot, next) {
			return taken, err
		}
		taken++
		p.at = next.to
		if !slot.Many {
			return taken, nil
		}
	}
}

// take reads one word as the first kind of the slot that fits it.
func (p *lineParser) take(slot *Slot, t token) bool {
	for _, kind := range slot.Kinds {
		a := Arg{Name: slot.Name, Kind: kind, Text: t.text}
		if kind == KeyValue {
			key, value, _ := strings.Cut(t.text, "=")
			if !kinds[kind].read(t.text, &a) {
				continue
			}
			p.line.Options = append(p.line.Options, Option{key, value})
			return true
		}
		if kinds[kind].read(t.text, &a) {
			p.line.Args = append(p.line.Args, a)
			return true
		}
	}
	return false
}

// raw takes the rest of the line as it stands; if it starts with a quote, what is quoted.
func (p *lineParser) raw(slot *Slot, verb *Verb) *Error {
	for p.at < len(p.source) && isSpace(p.source[p.at]) {
		p.at++
	}
	text := strings.TrimRight(p.source[p.at:], " \t")
	if text == "" {
		return p.wrong(token{from: p.at, to: p.at}, verb)
	}
	if text[0] == '\'' {
		inner, end, closed := readQuote(p.source, p.at)
		if !closed {
			return unclosed(p.source, p.at)
		}
		text, p.at = inner, end
	} else {
		p.at = len(p.source)
	}
	p.line.Args = append(p.line.Args, Arg{Name: slot.Name, Kind: Raw, Text: text})
	return nil
}

// expression takes the rest of the line up to a comment.
func (p *lineParser) expression() *Error {
	expr, end, err := parseExpr(p.source, p.at)
	if err != nil {
		return err
	}
	p.line.Expr, p.at = expr, end
	return nil
}

// wrong says what was expected instead of the word: what is open, or else.
func (p *lineParser) wrong(t token, verb *Verb, more ...string) *Error {
	var expected []string
	for _, o := range p.open {
		if o.lead {
			expected = append(expected, o.slot.Lead)
			continue
		}
		for _, k := range o.slot.Kinds {
			expected = append(expected, kinds[k].want)
		}
	}
	return errorAt(p.source, t.from, t.to, "expected %s: %s", either(append(expected, more...)), verb.Usage())
}

// either joins words: a, b or c.
func either(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	n := len(words) - 1
	return strings.Join(words[:n], ", ") + " or " + words[n]
}

package script

import "strings"

// peek returns the next word without taking it. It takes a comment; found is false at the end of the line.
func (p *lineParser) peek() (t token, found bool, err *Error) {
	for p.at < len(p.source) && isSpace(p.source[p.at]) {
		p.at++
	}
	if p.at == len(p.source) {
		return token{from: p.at, to: p.at}, false, nil
	}
	if p.source[p.at] == '#' {
		p.line.Comment = strings.TrimRight(p.source[p.at:], " \t")
		p.at = len(p.source)
		return token{from: p.at, to: p.at}, false, nil
	}
	if p.source[p.at] == '[' {
		return p.list()
	}
	var text strings.Builder
	t.from = p.at
	i := p.at
	for i < len(p.source) && !isSpace(p.source[i]) {
		quote := p.source[i]
		if quote != '\'' && quote != '"' {
			text.WriteByte(quote)
			i++
			continue
		}
		inner, end, closed := readQuote(p.source, i)
		if !closed {
			return t, false, unclosed(p.source, i)
		}
		text.WriteString(inner)
		t.quoted = true
		i = end
	}
	t.text, t.to = text.String(), i
	return t, true, nil
}

// list reads [1, 2, 0] as one word without spaces.
func (p *lineParser) list() (token, bool, *Error) {
	n := strings.IndexByte(p.source[p.at:], ']')
	if n < 0 {
		return token{}, false, errorAt(p.source, p.at, len(p.source), "the list is not closed; expected ] before the end of the line")
	}
	end := p.at + n + 1
	for end < len(p.source) && !isSpace(p.source[end]) {
		end++
	}
	text := strings.NewReplacer(" ", "", "\t", "").Replace(p.source[p.at:end])
	return token{text: text, from: p.at, to: end}, true, nil
}

// readQuote reads 'text' or "text" at from, in which the quote itself is doubled.
func readQuote(s string, from int) (text string, end int, closed bool) {
	var b strings.Builder
	for i := from + 1; i < len(s); i++ {
		if s[i] == s[from] {
			if i+1 == len(s) || s[i+1] != s[from] {
				return b.String(), i + 1, true
			}
			i++
		}
		b.WriteByte(s[i])
	}
	return "", 0, false
}

// unclosed says that the quote at from has no end.
func unclosed(s string, from int) *Error {
	return errorAt(s, from, len(s), "the quote is not closed; expected %c before the end of the line", s[from])
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' }

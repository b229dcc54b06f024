package script

import (
	"strings"
)

// tokenKind is a class of the expression's words.
type tokenKind int

const (
	tokEnd    tokenKind = iota
	tokWord             // a path, a bare word, a number, a keyword, a function
	tokString           // quoted
	tokSign             // operator, parenthesis, bracket, comma
)

// exprToken is one word of an expression.
type exprToken struct {
	kind     tokenKind
	text     string   // as written
	value    string   // of a string: without quotes
	words    []string // of a word: split at dots and brackets; nil when it has empty parts
	brackets bool     // the word has brackets
	from, to int
}

// lexer splits an expression, which ends at a comment or at the end of the source.
type lexer struct {
	source string
	at     int
}

func (l *lexer) next() (exprToken, *Error) {
	s := l.source
	for l.at < len(s) && strings.IndexByte(" \t\r\n", s[l.at]) >= 0 {
		l.at++
	}
	t := exprToken{from: l.at, to: l.at}
	if l.at == len(s) || s[l.at] == '#' {
		return t, nil
	}
	switch c := s[l.at]; {
	case c == '"' || c == '\'':
		return l.quoted(t)
	case strings.HasPrefix(s[l.at:], "!=") || strings.HasPrefix(s[l.at:], "<=") || strings.HasPrefix(s[l.at:], ">="):
		l.at += 2
	case strings.IndexByte("=<>()[],", c) >= 0:
		l.at++
	case wordByte(c):
		return l.word(t)
	default:
		return t, errorAt(s, t.from, t.from+1, "expected a path, a value or an operator")
	}
	t.kind, t.to, t.text = tokSign, l.at, s[t.from:l.at]
	return t, nil
}

// quoted reads a text in quotes.
func (l *lexer) quoted(t exprToken) (exprToken, *Error) {
	text, end, closed := readQuote(l.source, l.at)
	if !closed {
		return t, unclosed(l.source, l.at)
	}
	l.at = end
	t.kind, t.to, t.text, t.value = tokString, end, l.source[t.from:end], text
	return t, nil
}

// word reads a run of word characters and brackets: zk[/controller].data.
func (l *lexer) word(t exprToken) (exprToken, *Error) {
	s := l.source
	part, broken := "", false
	for l.at < len(s) {
		switch c := s[l.at]; {
		case c == '.':
			broken = broken || part == "" && !closes(s, l.at)
			if part != "" {
				t.words = append(t.words, part)
			}
			part = ""
			l.at++
		case c == '[':
			broken = broken || part == "" && !closes(s, l.at)
			if part != "" {
				t.words = append(t.words, part)
			}
			raw, err := l.bracket()
			if err != nil {
				return t, err
			}
			t.words, t.brackets, part = append(t.words, raw), true, ""
		case wordByte(c):
			if closes(s, l.at) && l.at > t.from {
				return t, errorAt(s, l.at, l.at+1, "expected . or [ after the bracket")
			}
			start := l.at
			for l.at < len(s) && wordByte(s[l.at]) && s[l.at] != '.' {
				l.at++
			}
			part = s[start:l.at]
		default:
			return l.endWord(t, part, broken), nil
		}
	}
	return l.endWord(t, part, broken), nil
}

// closes reports whether a bracket ends just before at.
func closes(s string, at int) bool { return at > 0 && s[at-1] == ']' }

func (l *lexer) endWord(t exprToken, part string, broken bool) exprToken {
	t.kind, t.to, t.text = tokWord, l.at, l.source[t.from:l.at]
	if part != "" {
		t.words = append(t.words, part)
	} else if !closes(l.source, l.at) {
		broken = true // it ends with a dot
	}
	if broken {
		t.words = nil
	}
	return t
}

// bracket reads [raw], in which ] and \ are escaped by \.
func (l *lexer) bracket() (string, *Error) {
	var b strings.Builder
	for i := l.at + 1; i < len(l.source); i++ {
		switch c := l.source[i]; {
		case c == '\\' && i+1 < len(l.source):
			i++
			b.WriteByte(l.source[i])
		case c == ']':
			if b.Len() == 0 {
				return "", errorAt(l.source, l.at, i+1, "expected a word between the brackets")
			}
			l.at = i + 1
			return b.String(), nil
		default:
			b.WriteByte(c)
		}
	}
	return "", errorAt(l.source, l.at, len(l.source), "the bracket is not closed; expected ] before the end")
}

// wordByte reports whether c can be part of a bare word.
func wordByte(c byte) bool {
	return c >= 0x80 || c > ' ' && c < 0x7f && strings.IndexByte("()[],=!<>'\"{}|\\^`", c) < 0
}

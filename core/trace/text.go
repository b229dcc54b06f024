package trace

import (
	"fmt"
	"strings"
)

// Text writes the step for a terminal: a line that says what happened, an indented line per difference.
//
//	#3 350 ms 0.controller#2 ctx.set orders-0: election.won brokerId=0 <- zk#4, 0.controller#1
//	    ctx[0].epoch: none -> 1
//
// The step's causes are named by the trace it belongs to, which must hold them.
func (t *Trace) Text(s *Step) string {
	var b strings.Builder
	fmt.Fprintf(&b, "#%d %d ms %s %s", s.I, s.VTimeMS, s.ID, s.Kind)
	if s.Entity != "" {
		b.WriteString(" " + s.Entity)
	}
	if s.Msg != "" {
		b.WriteString(": " + s.Msg)
	}
	for _, a := range s.Args {
		b.WriteString(" " + a.Name + "=" + ValueText(a.Value))
	}
	for i, c := range s.Causes {
		b.WriteString([]string{" <- ", ", "}[min(i, 1)] + t.Steps[c].ID)
	}
	for _, name := range s.Invariants {
		b.WriteString(" VIOLATED " + name)
	}
	for _, d := range s.Diff {
		b.WriteString("\n    " + d.Text())
	}
	return b.String()
}

// Text writes one difference: ctx[0].epoch: none -> 1.
func (d Diff) Text() string {
	return PathText(d.Path) + ": " + ValueText(d.Before) + " -> " + ValueText(d.After)
}

// ValueText writes a document value as JSON, and the absent value as none.
func ValueText(value any) string {
	if value == nil {
		return "none"
	}
	return string(appendValue(nil, value))
}

// PathText writes a path as expressions do: zk[/controller].data, ctx[0].liveBrokerEpochs[2]. A word that is not a plain
// name stands in brackets as it is; a closing bracket or backslash inside it is escaped by a backslash.
func PathText(path []string) string {
	var b strings.Builder
	for i, word := range path {
		switch {
		case !plainWord(word):
			b.WriteByte('[')
			for j := 0; j < len(word); j++ {
				if word[j] == ']' || word[j] == '\\' {
					b.WriteByte('\\')
				}
				b.WriteByte(word[j])
			}
			b.WriteByte(']')
		case i > 0:
			b.WriteByte('.')
			fallthrough
		default:
			b.WriteString(word)
		}
	}
	return b.String()
}

// plainWord reports whether word is a letter followed by letters, digits, - and _.
func plainWord(word string) bool {
	for i := 0; i < len(word); i++ {
		c := word[i]
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		if !letter && (i == 0 || !(c >= '0' && c <= '9' || c == '-' || c == '_')) {
			return false
		}
	}
	return word != ""
}

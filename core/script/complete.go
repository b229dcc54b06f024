package script

import (
	"slices"
	"strings"
)

// Complete returns the words that could come where the line ends, sorted: words that continue the last one when the line
// does not end with a space. values gives what exists for arguments of a kind (ids of brokers, partitions, paths); it may
// be nil.
func Complete(line string, values func(Kind) []string) []string {
	cut := strings.LastIndexByte(line, ' ') + 1
	head, prefix := line[:cut], line[cut:]
	var out []string
	for _, word := range next(head, values) {
		if strings.HasPrefix(word, prefix) {
			out = append(out, word)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// next returns what could follow the complete words of a line.
func next(head string, values func(Kind) []string) []string {
	p := &lineParser{source: head, line: &Line{}}
	first, found, err := p.peek()
	if err != nil || p.line.Comment != "" {
		return nil
	}
	if !found {
		return verbWords()
	}
	var out []string
	if strings.TrimSpace(head) == first.text {
		for i := range verbs {
			if second, ok := strings.CutPrefix(verbs[i].Words, first.text+" "); ok {
				out = append(out, second)
			}
		}
	}
	if err := p.parse(); err != nil && strings.TrimSpace(err.Source[byteOf(err):]) != "" {
		return out // something before the end is wrong
	}
	if p.line.Expr != nil {
		return []string{"and", "or"}
	}
	for _, o := range p.open {
		if o.lead {
			out = append(out, o.slot.Lead)
			continue
		}
		for _, k := range o.slot.Kinds {
			out = append(out, fixed(k)...)
			if values != nil {
				out = append(out, values(k)...)
			}
		}
	}
	return out
}

// byteOf returns the byte at which an error stands in its line.
func byteOf(e *Error) int {
	n := 1
	for i := range e.Source {
		if n == e.Col {
			return i
		}
		n++
	}
	return len(e.Source)
}

// fixed returns the words of a kind that do not depend on the world.
func fixed(k Kind) []string {
	switch k {
	case Switch:
		return []string{"off", "on"}
	case All:
		return []string{"*"}
	case Entity:
		return []string{"brokers/", "clients/", "ips/", "topics/", "users/"}
	case Expression:
		return append(Roots(), "after.", "before.", "count(", "exists(", "not", "step.")
	}
	return nil
}

package trace

import (
	"cmp"
	"strconv"
	"strings"

	"controllerscope/core/env"
	"controllerscope/core/kafka"
)

// Normalise returns the trace in normal form: tagged strings (env.Zxid, Session, Time, Correlation), alone or inside
// longer strings, in values, arguments, ids and paths, become "zxid:#1", "zxid:#2" ... in the order of their first
// occurrence, each kind by itself. Hashes are those of the new values.
func Normalise(t *Trace) *Trace {
	n := &namer{names: map[string]string{}, count: map[string]int{}}
	out := &Trace{Core: t.Core, Setup: t.Setup, Seed: t.Seed, Script: t.Script, Msgs: t.Msgs, Torn: t.Torn,
		Initial: NewDocument()}
	if t.Initial != nil {
		for _, id := range sessionsByNumber(t.Initial) {
			n.text(id)
		}
		t.Initial.Walk(func(path env.Path, value any) bool {
			words := n.path(path)
			out.Initial.Set(n.value(value), words...)
			return true
		})
	}
	doc := NewCursor(out).Doc()
	for _, s := range t.Steps {
		c := *s
		n.step(&c)
		doc.Apply(&c)
		c.Hash = doc.Hash()
		out.Steps = append(out.Steps, &c)
	}
	return out
}

// sessionsByNumber lists the sessions of a document as they were opened; a server's ids need not grow.
func sessionsByNumber(d *Document) []string {
	number := func(id string) int64 { n, _ := d.Get("session", id, "number").(int64); return n }
	ids := d.Names("session")
	kafka.Sort(ids, func(a, b string) int { return cmp.Compare(number(a), number(b)) })
	return ids
}

// namer gives each tagged string its number.
type namer struct {
	names map[string]string
	count map[string]int
}

// step rewrites a copy of a step, in the order of the contract.
func (n *namer) step(s *Step) {
	s.Entity = n.text(s.Entity)
	args, diff, reads := s.Args, s.Diff, s.Reads
	s.Args, s.Diff, s.Reads = nil, nil, nil
	for _, a := range args {
		s.Args = append(s.Args, env.Arg{Name: a.Name, Value: n.value(a.Value)})
	}
	for _, d := range diff {
		path := n.path(d.Path)
		before := n.value(d.Before)
		s.Diff = append(s.Diff, Diff{path, before, n.value(d.After)})
	}
	for _, p := range reads {
		s.Reads = append(s.Reads, n.path(p))
	}
	s.IDs.Zxid = n.text(s.IDs.Zxid)
	s.IDs.Session = n.text(s.IDs.Session)
	s.IDs.Event = n.text(s.IDs.Event)
	s.IDs.Correlation = n.text(s.IDs.Correlation)
}

func (n *namer) path(path env.Path) env.Path {
	out := make(env.Path, len(path))
	for i, word := range path {
		out[i] = n.text(word)
	}
	return out
}

func (n *namer) value(v any) any {
	switch x := v.(type) {
	case string:
		return n.text(x)
	case []any:
		out := make([]any, len(x))
		for i, e := range x {
			out[i] = n.value(e)
		}
		return out
	case env.Record:
		out := make(env.Record, len(x))
		for i, f := range x {
			name := n.text(f.Name)
			out[i] = env.A(name, n.value(f.Value))
		}
		return out.Sorted()
	}
	return v
}

func (n *namer) text(s string) string {
	var b strings.Builder
	for {
		from, to := findTag(s)
		if from < 0 {
			break
		}
		tag := s[from:to]
		name := n.names[tag]
		if name == "" {
			kind, _, _ := strings.Cut(tag, ":")
			n.count[kind]++
			name = kind + ":#" + strconv.Itoa(n.count[kind])
			n.names[tag] = name
		}
		b.WriteString(s[:from])
		b.WriteString(name)
		s = s[to:]
	}
	if b.Len() == 0 {
		return s
	}
	return b.String() + s
}

// findTag returns where the first tagged string in s stands, in the form of package env or in normal form; -1 if none does.
func findTag(s string) (from, to int) {
	for at := 0; ; at++ {
		colon := strings.IndexByte(s[at:], ':')
		if colon < 0 {
			return -1, -1
		}
		at += colon
		from = at
		for from > 0 && isLetter(s[from-1]) {
			from--
		}
		if from > 0 && isDigit(s[from-1]) {
			continue
		}
		if n := tagNumber(s[from:at], s[at+1:]); n > 0 {
			return from, at + 1 + n
		}
	}
}

// tagNumber returns the length of the number of a tag of this kind at the start of s, 0 when there is none.
func tagNumber(kind, s string) int {
	hex := false
	switch kind {
	case "zxid", "session":
		hex = true
	case "time", "corr":
	default:
		return 0
	}
	start := 0
	if strings.HasPrefix(s, "#") {
		hex, start = false, 1
	} else if hex {
		if !strings.HasPrefix(s, "0x") {
			return 0
		}
		start = 2
	}
	end := start
	for end < len(s) && (isDigit(s[end]) || hex && s[end] >= 'a' && s[end] <= 'f') {
		end++
	}
	if end == start {
		return 0
	}
	return end
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }
func isDigit(c byte) bool  { return c >= '0' && c <= '9' }

package trace

import (
	"fmt"
	"slices"
	"strings"

	"controllerscope/core/env"
	"controllerscope/core/kafka"
)

// Order says how much of the order of steps two traces must share.
type Order int

const (
	// Whole order: the same steps in the same sequence.
	Whole Order = iota
	// PerLane: the same steps in each lane, with the same causes; lanes may be interleaved differently.
	PerLane
)

// Divergence is the first place where two traces part.
type Divergence struct {
	Step             string // id of the step; "" when already the initial documents differ
	Field            string // "kind", "diff ctx[0].epoch", "order", "missing", ...
	A, B             *Step  // nil on the side that has no such step
	ValueA, ValueB   string // the field on both sides, as text
	CausesA, CausesB []*Step
	textA, textB     string
}

// Compare returns where the traces part, nil when they agree. Steps are matched by id. Tagged strings agree when one
// renaming of all of them makes them equal, so neither trace needs to be in normal form; everything else must be equal,
// except what follows from these: the position in the trace (under PerLane) and the hashes.
func Compare(a, b *Trace, order Order) *Divergence {
	c := &comparison{a: a, b: b, there: map[string]string{}, back: map[string]string{}}
	if d := c.initial(); d != nil {
		return d
	}
	byID := make(map[string]*Step, len(b.Steps))
	for _, s := range b.Steps {
		byID[s.ID] = s
	}
	for i, sa := range a.Steps {
		sb := byID[sa.ID]
		if order == Whole && (i >= len(b.Steps) || b.Steps[i] != sb) {
			if i < len(b.Steps) {
				sb = b.Steps[i]
				return c.part(sa, sb, "order", sa.ID, sb.ID)
			}
			sb = nil
		}
		if sb == nil {
			return c.part(sa, nil, "missing", sa.ID, "none")
		}
		delete(byID, sa.ID)
		if field, va, vb, same := c.step(sa, sb); !same {
			return c.part(sa, sb, field, va, vb)
		}
	}
	for _, sb := range b.Steps {
		if byID[sb.ID] != nil {
			return c.part(nil, sb, "missing", "none", sb.ID)
		}
	}
	return nil
}

// String names the step and the field, and prints both sides with their causes.
func (d *Divergence) String() string {
	if d.Step == "" {
		return fmt.Sprintf("the traces start differently: %s: %s | %s", d.Field, d.ValueA, d.ValueB)
	}
	var out strings.Builder
	fmt.Fprintf(&out, "the traces part at %s: %s: %s | %s", d.Step, d.Field, d.ValueA, d.ValueB)
	fmt.Fprintf(&out, "\na: %s\nb: %s", d.textA, d.textB)
	for i, causes := range [][]*Step{d.CausesA, d.CausesB} {
		for _, s := range causes {
			fmt.Fprintf(&out, "\ncause in %c: #%d %s %s %s: %s", 'a'+i, s.I, s.ID, s.Kind, s.Entity, s.Msg)
		}
	}
	return out.String()
}

// comparison holds the renaming of tagged strings found so far, in both directions.
type comparison struct {
	a, b        *Trace
	there, back map[string]string
}

func (c *comparison) part(a, b *Step, field, va, vb string) *Divergence {
	d := &Divergence{A: a, B: b, Field: field, ValueA: va, ValueB: vb, textA: "no such step", textB: "no such step"}
	if b != nil {
		d.Step, d.textB, d.CausesB = b.ID, c.b.Text(b), causesOf(c.b, b)
	}
	if a != nil {
		d.Step, d.textA, d.CausesA = a.ID, c.a.Text(a), causesOf(c.a, a)
	}
	return d
}

func causesOf(t *Trace, s *Step) []*Step {
	var out []*Step
	for _, i := range s.Causes {
		out = append(out, t.Steps[i])
	}
	return out
}

// initial compares what holds before the first step, leaf by leaf.
func (c *comparison) initial() *Divergence {
	leaves := func(t *Trace) (out []Diff) {
		if t.Initial != nil {
			t.Initial.Walk(func(path env.Path, value any) bool {
				out = append(out, Diff{Path: path, After: value})
				return true
			})
		}
		return out
	}
	if c.a.Initial != nil && c.b.Initial != nil {
		a, b := sessionsByNumber(c.a.Initial), sessionsByNumber(c.b.Initial)
		for i := range min(len(a), len(b)) {
			c.rename(a[i], b[i])
		}
	}
	la, lb := leaves(c.a), leaves(c.b)
	kafka.Sort(lb, func(x, y Diff) int { return slices.Compare(c.asInA(x.Path), c.asInA(y.Path)) })
	if field, va, vb, same := c.diffs(la, lb); !same {
		return &Divergence{Field: field, ValueA: va, ValueB: vb}
	}
	return nil
}

// asInA is a path of b as a writes it, as far as is known.
func (c *comparison) asInA(path env.Path) env.Path {
	out := slices.Clone(path)
	for i, word := range out {
		if name, met := c.back[word]; met {
			out[i] = name
		}
	}
	return out
}

// step compares two steps of the same id and returns the first field they differ in, with both values.
func (c *comparison) step(a, b *Step) (field, va, vb string, same bool) {
	for _, f := range []struct {
		name string
		a, b any
	}{
		{"kind", string(a.Kind), string(b.Kind)},
		{"entity", a.Entity, b.Entity},
		{"msg", a.Msg, b.Msg},
		{"args", argValues(a.Args), argValues(b.Args)},
		{"vtime_ms", a.VTimeMS, b.VTimeMS},
		{"causes", causeIDs(c.a, a), causeIDs(c.b, b)},
		{"reads", pathValues(a.Reads), pathValues(b.Reads)},
	} {
		if !c.same(f.a, f.b) {
			return f.name, ValueText(f.a), ValueText(f.b), false
		}
	}
	if field, va, vb, same = c.diffs(a.Diff, b.Diff); !same {
		return "diff " + field, va, vb, false
	}
	ia := []any{a.IDs.Zxid, a.IDs.Session, a.IDs.Event, a.IDs.Correlation}
	ib := []any{b.IDs.Zxid, b.IDs.Session, b.IDs.Event, b.IDs.Correlation}
	if !c.same(ia, ib) {
		return "ids", ValueText(ia), ValueText(ib), false
	}
	if !slices.Equal(a.Invariants, b.Invariants) {
		return "invariants", ValueText(env.Strings(a.Invariants)), ValueText(env.Strings(b.Invariants)), false
	}
	return "", "", "", true
}

// diffs compares two lists of differences and names the first path that is not the same.
func (c *comparison) diffs(a, b []Diff) (path, va, vb string, same bool) {
	for i := range max(len(a), len(b)) {
		switch {
		case i >= len(a):
			return PathText(b[i].Path), "unchanged", b[i].Text(), false
		case i >= len(b):
			return PathText(a[i].Path), a[i].Text(), "unchanged", false
		}
		if !c.same(env.Strings(a[i].Path), env.Strings(b[i].Path)) ||
			!c.same(a[i].Before, b[i].Before) || !c.same(a[i].After, b[i].After) {
			return PathText(a[i].Path), a[i].Text(), b[i].Text(), false
		}
	}
	return "", "", "", true
}

// same is equal under the renaming, which grows by the tags that were not met before.
func (c *comparison) same(a, b any) bool {
	switch x := a.(type) {
	case string:
		y, ok := b.(string)
		return ok && c.text(x, y)
	case []any:
		y, ok := b.([]any)
		return ok && slices.EqualFunc(x, y, c.same)
	case env.Record:
		y, ok := b.(env.Record)
		return ok && slices.EqualFunc(x, y, func(a, b env.Arg) bool { return c.text(a.Name, b.Name) && c.same(a.Value, b.Value) })
	}
	return equal(a, b)
}

func (c *comparison) text(a, b string) bool {
	for {
		fa, ta := findTag(a)
		fb, tb := findTag(b)
		if fa < 0 || fb < 0 {
			return fa == fb && a == b
		}
		if a[:fa] != b[:fb] || !c.rename(a[fa:ta], b[fb:tb]) {
			return false
		}
		a, b = a[ta:], b[tb:]
	}
}

// rename pairs two tags of one kind; each has one partner for the whole comparison.
func (c *comparison) rename(a, b string) bool {
	ka, _, _ := strings.Cut(a, ":")
	kb, _, _ := strings.Cut(b, ":")
	if ka != kb {
		return false
	}
	pa, metA := c.there[a]
	pb, metB := c.back[b]
	if !metA && !metB {
		c.there[a], c.back[b] = b, a
		return true
	}
	return metA && metB && pa == b && pb == a
}

func argValues(args []env.Arg) []any {
	out := make([]any, 0, 2*len(args))
	for _, a := range args {
		out = append(out, a.Name, a.Value)
	}
	return out
}

func pathValues(paths []env.Path) []any {
	out := make([]any, len(paths))
	for i, p := range paths {
		out[i] = env.Strings(p)
	}
	return out
}

// causeIDs names the causes of a step, sorted: their order in the trace depends on how lanes were interleaved.
func causeIDs(t *Trace, s *Step) []any {
	ids := make([]string, len(s.Causes))
	for i, c := range s.Causes {
		ids[i] = t.Steps[c].ID
	}
	slices.Sort(ids)
	return env.Strings(ids)
}

package script

import (
	"slices"
	"strconv"

	"controllerscope/core/jsonvalue"
)

// Doc is a world document: *trace.Document, or trace.Past for the one before a step.
type Doc interface {
	Get(path ...string) any   // value of the leaf, nil when nothing or a subtree is there
	Has(path ...string) bool  // whether a leaf or a subtree is there
	Count(path ...string) int // how many words follow
}

// record is a small record of a document: an env.Record.
type record interface {
	Len() int
	Field(i int) (name string, value any)
	Get(name string) any // nil when there is none of that name
}

// Step is what an expression sees of a step: *trace.Step.
type Step interface {
	// Field returns the value of step.WORDS and the words that lead further into it.
	Field(words ...string) (value any, rest []string)
}

// Moment is where an expression is evaluated. Before and Step may be nil (the interfaces themselves): then what they would
// say is absent.
type Moment struct {
	Now    Doc
	Before Doc
	Step   Step
}

// True reports whether the expression holds.
func (e *Expr) True(m *Moment) bool { return truth(e.root.eval(m)) }

// Eval returns the value of the expression: nil, string, bool, int64, float64, []any, map[string]any, or Subtree.
func (e *Expr) Eval(m *Moment) any { return e.root.eval(m) }

// Subtree is the value of a path under which there are leaves.
type Subtree struct {
	doc  Doc
	path []string
}

// Has reports whether a word follows the subtree's path.
func (s Subtree) Has(word string) bool {
	return s.doc.Has(append(slices.Clone(s.path), word)...)
}

// Path returns where the subtree is.
func (s Subtree) Path() []string { return slices.Clone(s.path) }

func truth(v any) bool {
	switch x := v.(type) {
	case nil:
		return false
	case bool:
		return x
	case int64:
		return x != 0
	case float64:
		return x != 0
	case string:
		return x != ""
	}
	return true
}

type node interface{ eval(m *Moment) any }

type (
	orNode      struct{ left, right node }
	andNode     struct{ left, right node }
	notNode     struct{ inner node }
	compareNode struct {
		op          string
		left, right node
	}
	callNode struct {
		name string
		path *pathNode
	}
	literal struct {
		value any
		bare  bool // a bare word that is text
	}
)

func (n *orNode) eval(m *Moment) any  { return truth(n.left.eval(m)) || truth(n.right.eval(m)) }
func (n *andNode) eval(m *Moment) any { return truth(n.left.eval(m)) && truth(n.right.eval(m)) }
func (n *notNode) eval(m *Moment) any { return !truth(n.inner.eval(m)) }
func (n *literal) eval(*Moment) any   { return n.value }

func (n *compareNode) eval(m *Moment) any {
	l, r := n.left.eval(m), n.right.eval(m)
	switch n.op {
	case "=":
		return same(l, r)
	case "!=":
		return !same(l, r)
	case "in":
		return has(r, l)
	case "contains":
		return has(l, r)
	}
	c, ok := order(l, r)
	switch n.op {
	case "<":
		return ok && c < 0
	case "<=":
		return ok && c <= 0
	case ">":
		return ok && c > 0
	}
	return ok && c >= 0
}

func (n *callNode) eval(m *Moment) any {
	v := n.path.eval(m)
	if n.name == "exists" {
		return v != nil
	}
	switch x := v.(type) {
	case Subtree:
		return int64(x.doc.Count(x.path...))
	case string:
		v = n.path.json(x)
	}
	switch x := v.(type) {
	case []any:
		return int64(len(x))
	case map[string]any:
		return int64(len(x))
	}
	return int64(0)
}

// Where a path starts.
const (
	fromNow = iota
	fromBefore
	fromStep
)

type pathNode struct {
	from  int
	words []string

	text   string // the JSON text parsed last, and what it says
	parsed any
}

func (n *pathNode) eval(m *Moment) any {
	if n.from == fromStep {
		if m.Step == nil {
			return nil
		}
		v, rest := m.Step.Field(n.words...)
		return n.into(v, rest)
	}
	doc := m.Now
	if n.from == fromBefore {
		doc = m.Before
	}
	if doc == nil {
		return nil
	}
	if v := doc.Get(n.words...); v != nil {
		return plain(v)
	}
	if doc.Has(n.words...) {
		return Subtree{doc, n.words}
	}
	for k := len(n.words) - 1; k > 0; k-- {
		if v := doc.Get(n.words[:k]...); v != nil {
			return n.into(v, n.words[k:])
		}
	}
	return nil
}

// into follows words into a value; nil when they lead nowhere.
func (n *pathNode) into(v any, words []string) any {
	for _, word := range words {
		if s, ok := v.(string); ok {
			v = n.json(s)
		}
		switch x := v.(type) {
		case map[string]any:
			v = x[word]
		case record:
			v = x.Get(word)
		case []any:
			i, err := strconv.Atoi(word)
			if err != nil || i < 0 || i >= len(x) {
				return nil
			}
			v = x[i]
		default:
			return nil
		}
	}
	return plain(v)
}

// plain makes the records of a document what JSON text has in their place.
func plain(v any) any {
	switch x := v.(type) {
	case record:
		fields := make(map[string]any, x.Len())
		for i := range x.Len() {
			name, value := x.Field(i)
			fields[name] = plain(value)
		}
		return fields
	case []any:
		out := make([]any, len(x))
		for i, e := range x {
			out[i] = plain(e)
		}
		return out
	}
	return v
}

// json returns what JSON text says, nil when it is none. It remembers the last one, since a znode is looked at after
// every step and seldom changes.
func (n *pathNode) json(text string) any {
	if text != n.text {
		n.text, n.parsed = text, nil
		if v, _, err := jsonvalue.First(text); err == nil {
			n.parsed = numbers(v)
		}
	}
	return n.parsed
}

// numbers makes whole numbers int64 and others float64.
func numbers(v any) any {
	switch x := v.(type) {
	case jsonvalue.Number:
		if i, err := x.Int64(); err == nil {
			return i
		}
		f, _ := x.Float64()
		return f
	case []any:
		for i := range x {
			x[i] = numbers(x[i])
		}
	case map[string]any:
		for k := range x {
			x[k] = numbers(x[k])
		}
	}
	return v
}

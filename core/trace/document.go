package trace

import (
	"maps"
	"slices"

	"controllerscope/core/env"
)

// Document is the world as one tree of words with values at its leaves. The zero value is not usable; see NewDocument.
// Values handed in or out must not be changed afterwards.
type Document struct {
	root node
	hash Hash
}

// node is a leaf (value not nil, no kids) or an inner node (kids not empty). Only the root may be neither.
type node struct {
	value any
	hash  Hash // share of a leaf in the document's hash
	kids  map[string]*node
}

// Diff says what one step did to one leaf: Before and After are its values, nil where it was or is absent.
type Diff struct {
	Path   env.Path
	Before any
	After  any
}

// NewDocument returns a document without leaves.
func NewDocument() *Document { return &Document{} }

// find returns the node at path, or nil.
func (d *Document) find(path []string) *node {
	n := &d.root
	for _, word := range path {
		if n = n.kids[word]; n == nil {
			return nil
		}
	}
	return n
}

// Get returns the value of the leaf at path; nil when nothing or a subtree is there.
func (d *Document) Get(path ...string) any {
	if n := d.find(path); n != nil {
		return n.value
	}
	return nil
}

// Has reports whether a leaf or a subtree is at path.
func (d *Document) Has(path ...string) bool {
	n := d.find(path)
	return n != nil && (n.value != nil || len(n.kids) > 0)
}

// Names returns the words that follow path, sorted; none when a leaf or nothing is there.
func (d *Document) Names(path ...string) []string {
	n := d.find(path)
	if n == nil {
		return nil
	}
	return n.names()
}

// Count returns how many words follow path: len(Names(path...)) without the sorting.
func (d *Document) Count(path ...string) int {
	n := d.find(path)
	if n == nil {
		return 0
	}
	return len(n.kids)
}

func (n *node) names() []string { return slices.Sorted(maps.Keys(n.kids)) }

// Hash returns the hash of what the document holds now.
func (d *Document) Hash() Hash { return d.hash }

// Walk calls f for every leaf below the given path, in the order of the sorted words, until f returns false. f may keep
// the path.
func (d *Document) Walk(f func(path env.Path, value any) bool, under ...string) {
	if n := d.find(under); n != nil {
		n.walk(slices.Clone(under), f)
	}
}

func (n *node) walk(path []string, f func(env.Path, any) bool) bool {
	if n.value != nil {
		return f(slices.Clone(path), n.value)
	}
	for _, name := range n.names() {
		if !n.kids[name].walk(append(path, name), f) {
			return false
		}
	}
	return true
}

// Set makes the document an env.Dump: the value at path is after from now on; nil removes path and everything below it.
func (d *Document) Set(after any, path ...string) {
	d.Change(env.Change{Path: path, After: after}, nil)
}

// Change applies one change and appends what it did, leaf by leaf, to diff. What already stands there gives no entry. A
// value that replaces a subtree, or grows below another value, removes that first.
func (d *Document) Change(c env.Change, diff []Diff) []Diff {
	if c.After == nil {
		return d.remove(cleanPath(c.Path), diff)
	}
	if n := d.find(c.Path); n != nil && n.value != nil { // most often a value takes another's place
		if equal(n.value, c.After) {
			return diff
		}
		return d.replace(n, c.Path, clean(c.After, c.Path), diff)
	}
	c.Path = cleanPath(c.Path)
	c.After = clean(c.After, c.Path)
	n := &d.root
	for i, word := range c.Path {
		if n.value != nil {
			diff = append(diff, Diff{slices.Clone(c.Path[:i]), n.value, nil})
			d.hash -= n.hash
			n.value, n.hash = nil, 0
		}
		next := n.kids[word]
		if next == nil {
			if n.kids == nil {
				n.kids = map[string]*node{}
			}
			next = &node{}
			n.kids[word] = next
		}
		n = next
	}
	if n.kids != nil {
		diff = d.clear(n, slices.Clone(c.Path), diff)
		n.kids = nil
	}
	return d.replace(n, c.Path, c.After, diff)
}

// replace gives a leaf a value, unless it has it.
func (d *Document) replace(n *node, path env.Path, after any, diff []Diff) []Diff {
	if equal(n.value, after) {
		return diff
	}
	h := hashLeaf(path, after)
	d.hash += h - n.hash
	diff = append(diff, Diff{path, n.value, after})
	n.value, n.hash = after, h
	return diff
}

// remove takes away what is at path and every inner node that is left without leaves by that.
func (d *Document) remove(path []string, diff []Diff) []Diff {
	var room [8]*node
	way := append(room[:0], &d.root)
	for _, word := range path {
		next := way[len(way)-1].kids[word]
		if next == nil {
			return diff
		}
		way = append(way, next)
	}
	diff = d.clear(way[len(path)], slices.Clone(path), diff)
	if len(path) == 0 {
		d.root = node{}
	}
	for i := len(path) - 1; i >= 0; i-- {
		delete(way[i].kids, path[i])
		if len(way[i].kids) > 0 {
			break
		}
	}
	return diff
}

// clear writes down the removal of every leaf at or below n, and takes their shares out of the hash.
func (d *Document) clear(n *node, path []string, diff []Diff) []Diff {
	if n.value != nil {
		d.hash -= n.hash
		return append(diff, Diff{slices.Clone(path), n.value, nil})
	}
	for _, name := range n.names() {
		diff = d.clear(n.kids[name], append(path, name), diff)
	}
	return diff
}

// Apply takes the document from before the step to after it.
func (d *Document) Apply(s *Step) {
	for i := range s.Diff {
		d.Change(env.Change{Path: s.Diff[i].Path, After: s.Diff[i].After}, nil)
	}
}

// Revert takes the document from after the step to before it.
func (d *Document) Revert(s *Step) {
	for i := len(s.Diff) - 1; i >= 0; i-- {
		d.Change(env.Change{Path: s.Diff[i].Path, After: s.Diff[i].Before}, nil)
	}
}

// FirstDifference returns the first leaf, in the order of Walk, that the two documents do not agree on, with both values
// (nil where absent). ok is false when they are equal.
func (d *Document) FirstDifference(other *Document) (diff Diff, ok bool) {
	return firstDifference(&d.root, &other.root, nil)
}

// Equal reports whether both documents have the same leaves.
func (d *Document) Equal(other *Document) bool {
	_, differ := d.FirstDifference(other)
	return !differ
}

func firstDifference(a, b *node, path []string) (Diff, bool) {
	if a == nil {
		a = &node{}
	}
	if b == nil {
		b = &node{}
	}
	if !equal(a.value, b.value) {
		return Diff{slices.Clone(path), a.value, b.value}, true
	}
	names := a.names()
	for _, name := range b.names() {
		if a.kids[name] == nil {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		if diff, ok := firstDifference(a.kids[name], b.kids[name], append(path, name)); ok {
			return diff, true
		}
	}
	return Diff{}, false
}

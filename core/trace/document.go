package trace

import (
	"slices"

	"controllerscope/core/env"
)

// Document is the world as one tree of words with values at its leaves. The zero value is not usable; see NewDocument.
// Values handed in or out, and paths handed out, must not be changed afterwards.
type Document struct {
	root   node
	hash   Hash
	leaves int
	writer int32   // 1 + the step that changes are put down to; 0 for none
	way    []*node // to the leaf that was changed last, from the root on: changes come in bunches below one path
	nodes  room[node]
	paths  room[string]
}

// Diff says what one step did to one leaf: Before and After are its values, nil where it was or is absent.
type Diff struct {
	Path   env.Path
	Before any
	After  any
}

// NewDocument returns a document without leaves.
func NewDocument() *Document {
	d := &Document{root: node{words: fnvOffset}}
	d.way = append(d.way, &d.root)
	return d
}

// Get returns the value of the leaf at path; nil when nothing or a subtree is there.
func (d *Document) Get(path ...string) any {
	if n := d.root.find(path); n != nil {
		return n.value
	}
	return nil
}

// Place is what stands at and below one path, for who asks for much of it. It holds until the document changes.
type Place struct{ node *node }

// At returns the place at path; where nothing is, nothing is below.
func (d *Document) At(path ...string) Place { return Place{d.root.find(path)} }

// Get is Document.Get below the place.
func (p Place) Get(path ...string) any {
	if p.node != nil {
		if n := p.node.find(path); n != nil {
			return n.value
		}
	}
	return nil
}

// Has reports whether a leaf or a subtree is at path.
func (d *Document) Has(path ...string) bool {
	n := d.root.find(path)
	return n != nil && !n.isEmpty()
}

// Names returns the words that follow path, sorted; none when a leaf or nothing is there.
func (d *Document) Names(path ...string) []string {
	n := d.root.find(path)
	if n == nil {
		return nil
	}
	return n.names()
}

// Count returns how many words follow path: len(Names(path...)) without the sorting.
func (d *Document) Count(path ...string) int {
	n := d.root.find(path)
	if n == nil {
		return 0
	}
	return int(n.live)
}

// Leaves returns how many values the document holds.
func (d *Document) Leaves() int { return d.leaves }

// Hash returns the hash of what the document holds now.
func (d *Document) Hash() Hash { return d.hash }

// Walk calls f for every leaf below the given path, in the order of the sorted words, until f returns false. f may keep
// the path.
func (d *Document) Walk(f func(path env.Path, value any) bool, under ...string) {
	if n := d.root.find(under); n != nil {
		n.walk(f)
	}
}

func (n *node) walk(f func(env.Path, any) bool) bool {
	if n.value != nil {
		return f(n.path, n.value)
	}
	for _, name := range n.names() {
		if !n.kid(name).walk(f) {
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
// value that replaces a subtree, or grows below another value, removes that first. The change's path is not kept.
func (d *Document) Change(c env.Change, diff []Diff) []Diff {
	if c.After == nil {
		return d.remove(c.Path, diff)
	}
	same := 0 // words that the path shares with that of the change before
	for same < len(c.Path) && same+1 < len(d.way) && d.way[same+1].path[same] == c.Path[same] {
		same++
	}
	way := d.way[:same+1]
	n := way[same]
	for _, word := range c.Path[same:] {
		if n.value != nil {
			diff = d.clear(n, diff)
		}
		n = d.grow(n, word)
		way = append(way, n)
	}
	d.way = way
	after, h, differs := n.differs(c.After)
	if !differs {
		return diff
	}
	if n.live > 0 {
		diff = d.clear(n, diff)
	}
	d.hash += h - n.hash
	if n.value == nil {
		d.leaves++
	}
	diff = append(diff, Diff{n.path, n.value, after})
	n.value, n.hash = after, h
	revive(way)
	d.wrote(way)
	return diff
}

// remove takes away what is at path and every inner node that is left without leaves by that.
func (d *Document) remove(path []string, diff []Diff) []Diff {
	var some [8]*node
	n := &d.root
	way := append(some[:0], n)
	for _, word := range path {
		if n = n.kid(word); n == nil {
			return diff
		}
		way = append(way, n)
	}
	if n.isEmpty() {
		return diff
	}
	diff = d.clear(n, diff)
	bury(way)
	d.wrote(way)
	return diff
}

// clear empties n, writes down the removal of every leaf at or below it, and takes their shares out of the hash.
func (d *Document) clear(n *node, diff []Diff) []Diff {
	n.last = d.writer
	if n.value != nil {
		diff = append(diff, Diff{n.path, n.value, nil})
		d.hash -= n.hash
		d.leaves--
		n.value, n.hash = nil, 0
		return diff
	}
	for _, k := range n.sorted() {
		diff = d.clear(k.node, diff)
	}
	n.live = 0
	return diff
}

// wrote puts a change down to its step, all along the way to it.
func (d *Document) wrote(way []*node) {
	for _, n := range way {
		n.last = d.writer
	}
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
	if same(&d.root, &other.root) {
		return Diff{}, false
	}
	return firstDifference(&d.root, &other.root)
}

// Equal reports whether both documents have the same leaves.
func (d *Document) Equal(other *Document) bool {
	return same(&d.root, &other.root)
}

func firstDifference(a, b *node) (Diff, bool) {
	if !equal(a.value, b.value) {
		path := a.path
		if a.isEmpty() {
			path = b.path
		}
		return Diff{path, a.value, b.value}, true
	}
	names := append(a.names(), b.names()...)
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		if diff, ok := firstDifference(a.below(name), b.below(name)); ok {
			return diff, true
		}
	}
	return Diff{}, false
}

// below is kid for who does not care whether anything ever stood there.
func (n *node) below(word string) *node {
	if k := n.kid(word); k != nil {
		return k
	}
	return &node{}
}

// same reports whether both nodes hold the same; it is quicker than to look for the first difference.
func same(a, b *node) bool {
	if a.live != b.live || !equal(a.value, b.value) {
		return false
	}
	for _, k := range a.kids[:a.live] {
		other := b.kid(k.word)
		if other == nil || !same(k.node, other) {
			return false
		}
	}
	return true
}

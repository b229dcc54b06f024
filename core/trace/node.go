package trace

import (
	"slices"
	"strings"
	"unicode/utf8"

	"controllerscope/core/env"
	"controllerscope/core/kafka"
)

// node is a place in the tree of a document: a leaf (it has a value), an inner node (something below it has one), or
// empty. What goes leaves its node behind, empty: its last writer stays known, and what comes back finds its place.
type node struct {
	path  env.Path // from the root; every diff of this leaf shares it
	value any
	words uint64 // the path's part in the hash of a leaf
	hash  Hash   // share of a leaf in the document's hash
	last  int32  // 1 + the last step that wrote here or below; 0 when none did
	at    int32  // place among the kids of the parent
	live  int32  // how many kids are not empty; they come first
	kids  []kid
	index map[string]*node // the kids by their words, once there are many
}

// kid is a node under its word.
type kid struct {
	word string
	*node
}

// few is how many kids are looked through one by one.
const few = 12

// kid returns what stands below n under a word, empty or not; nil when nothing ever did.
func (n *node) kid(word string) *node {
	if n.index != nil {
		return n.index[word]
	}
	for i := range n.kids {
		if n.kids[i].word == word {
			return n.kids[i].node
		}
	}
	return nil
}

// find follows a path, also to and through empty nodes; nil when it leads to where nothing ever was.
func (n *node) find(path []string) *node {
	for _, word := range path {
		if n = n.kid(word); n == nil {
			return nil
		}
	}
	return n
}

func (n *node) isEmpty() bool { return n.value == nil && n.live == 0 }

// differs reports whether a value is another one than the node has. It returns the value as a document holds it and its
// share in the hash: values are the same only if these are, and most that come are another one.
func (n *node) differs(value any) (after any, h Hash, yes bool) {
	switch value.(type) {
	case []any, env.Record:
	default:
		if n.value == value {
			return value, n.hash, false
		}
	}
	h, ok := hashLeaf(n.words, value)
	if !ok {
		value = clean(value, n.path)
		h, _ = hashLeaf(n.words, value)
	}
	return value, h, h != n.hash || !equal(n.value, value)
}

// names are the words of the kids that are not empty, sorted.
func (n *node) names() []string {
	if n.live == 0 {
		return nil
	}
	out := make([]string, n.live)
	for i, k := range n.kids[:n.live] {
		out[i] = k.word
	}
	slices.Sort(out)
	return out
}

// sorted puts the kids that are not empty into the order of their words.
func (n *node) sorted() []kid {
	live := n.kids[:n.live]
	kafka.Sort(live, func(a, b kid) int { return strings.Compare(a.word, b.word) })
	for i, k := range live {
		k.at = int32(i)
	}
	return live
}

// swap lets two kids change places.
func (n *node) swap(i, j int32) {
	n.kids[i], n.kids[j] = n.kids[j], n.kids[i]
	n.kids[i].at, n.kids[j].at = i, j
}

// revive counts the last node of a way among those that are not empty, and everything above it.
func revive(way []*node) {
	for i := len(way) - 1; i > 0; i-- {
		n, parent := way[i], way[i-1]
		if n.at < parent.live {
			return
		}
		parent.swap(n.at, parent.live)
		parent.live++
	}
}

// bury counts the last node of a way among the empty ones, and what is left empty above it.
func bury(way []*node) {
	for i := len(way) - 1; i > 0 && way[i].isEmpty(); i-- {
		parent := way[i-1]
		parent.live--
		parent.swap(way[i].at, parent.live)
	}
}

// grow returns what stands below n under a word; when nothing ever did, an empty node from now on. A word that is no valid
// UTF-8 is made so.
func (d *Document) grow(n *node, word string) *node {
	if k := n.kid(word); k != nil {
		return k
	}
	if !utf8.ValidString(word) {
		return d.grow(n, strings.ToValidUTF8(word, "\ufffd"))
	}
	k := d.nodes.one()
	*k = node{path: d.paths.join(n.path, word), words: hashString(n.words, word), at: int32(len(n.kids))}
	if n.kids == nil {
		n.kids = make([]kid, 0, 5) // most have few or many
	}
	n.kids = append(n.kids, kid{word, k})
	switch {
	case n.index != nil:
		n.index[word] = k
	case len(n.kids) > few:
		n.index = make(map[string]*node, 2*few)
		for _, k := range n.kids {
			n.index[k.word] = k.node
		}
	}
	return k
}

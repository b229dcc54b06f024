// Package zktree is a tree of znodes as text that people can read, edit and compare, one line a node:
//
//	zktree/1
//	# a comment
//	/brokers version=0 creates=3
//	/brokers/ids version=0 creates=7 data=
//	/brokers/ids/1 version=1 creates=0 owner=0x10000b3c4d50001 data={"version":5,"port":9092}
//	"/a path" version=0 creates=0 quoted="two\nlines"
//
// A node stands after its parent. creates counts the children that it ever had: the next sequence name. owner is the session
// of an ephemeral. data goes to the end of the line; without it the data is null. Text that a line cannot show, and a path
// with a space, stand in Go's quotes. A missing parent, a path that is no path, a child of an ephemeral and fewer creates
// than children are errors. Everything else of a Stat, and the ACL, is not part of the text.
package zktree

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"controllerscope/core/zk"
)

// Format is the first line of every text.
const Format = "zktree/1"

// Tree is a tree in order of its paths: parents first.
type Tree []zk.Plant

// Sort puts the nodes into the order of a text.
func (t Tree) Sort() { slices.SortFunc(t, func(a, b zk.Plant) int { return compare(a.Path, b.Path) }) }

// compare orders paths as if the slash came before every other character, so that a node's children follow it at once.
func compare(a, b string) int {
	for i := range min(len(a), len(b)) {
		switch {
		case a[i] == b[i]:
		case a[i] == '/':
			return -1
		case b[i] == '/':
			return 1
		default:
			return cmp.Compare(a[i], b[i])
		}
	}
	return cmp.Compare(len(a), len(b))
}

// Of is the tree of a store that can show it (a walk visits every node, as zkmem's and zkreal's do), without ZooKeeper's own
// nodes.
func Of(walk func(visit func(path string, data []byte, stat zk.Stat))) Tree {
	var t Tree
	walk(func(path string, data []byte, stat zk.Stat) {
		if !Own(path) {
			t = append(t, Node(path, data, stat))
		}
	})
	t.Sort()
	return t
}

// Node is a node as a tree holds it. The count of creates is hidden in the Cversion, which a server shows as 2 × creates −
// children.
func Node(path string, data []byte, stat zk.Stat) zk.Plant {
	return zk.Plant{Path: path, Data: data, Version: stat.Version, Creates: int32(uint32(stat.Cversion+stat.NumChildren) / 2),
		Owner: stat.EphemeralOwner}
}

// Own reports whether a node is ZooKeeper's own.
func Own(path string) bool { return path == "/zookeeper" || strings.HasPrefix(path, "/zookeeper/") }

// String is the tree as text.
func (t Tree) String() string {
	var b strings.Builder
	b.WriteString(Format + "\n")
	for i := range t {
		b.WriteString(Line(&t[i]) + "\n")
	}
	return b.String()
}

// Line is one node as text.
func Line(n *zk.Plant) string {
	path := n.Path
	if strings.ContainsAny(path, " \"#") || !showable(path) {
		path = strconv.Quote(path)
	}
	line := path + " version=" + strconv.Itoa(int(n.Version)) + " creates=" + strconv.Itoa(int(n.Creates))
	if n.Owner != 0 {
		line += " owner=0x" + strconv.FormatUint(uint64(n.Owner), 16)
	}
	switch text := string(n.Data); {
	case n.Data == nil:
		return line
	case showable(text):
		return line + " data=" + text
	default:
		return line + " quoted=" + strconv.Quote(text)
	}
}

// showable reports whether text can stand as it is at the end of a line, and be read again from there.
func showable(text string) bool {
	return utf8.ValidString(text) && strings.TrimSpace(text) == text &&
		!strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) })
}

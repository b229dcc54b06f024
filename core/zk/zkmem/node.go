package zkmem

import (
	"strings"

	"controllerscope/core/zk"
)

// node is a znode (DataNode). Its fields are those a server stores; stat derives what a server shows.
type node struct {
	path     string
	parent   *node // nil for the root
	sibling  entry // the node's place in its parent's children
	data     []byte
	acl      *aclList
	children *hashSet // nil until the first child

	czxid, mzxid, pzxid        int64
	ctime, mtime               int64
	owner                      zk.SessionID // of an ephemeral, else 0
	ttl                        int64        // of a TTL node in ms, else 0
	version, aversion, creates int32        // creates counts the children ever created, the number sequence names get
	container                  bool
	gone                       bool // deleted; a transaction may still look at it
}

// name is the last component of the node's path.
func (n *node) name() string { return n.path[n.parent.beforeName():] }

// beforeName is how long the path of a child is before its name: the node's path and a slash, which the root's path ends in.
func (n *node) beforeName() int {
	if n.parent == nil {
		return len("/")
	}
	return len(n.path) + len("/")
}

// childNames lists the children in the server's order; a leaf has an empty list, not nil. It reads nothing of a child but
// where its path is: among a hundred thousand each more would have to come from afar.
func (n *node) childNames() []string {
	names, before := make([]string, 0, n.children.len()), n.beforeName()
	for c := range n.children.all() {
		names = append(names, c.path[before:])
	}
	return names
}

// stat is what a client sees. The server stores only the count of creates and shows 2 × creates − children as Cversion.
func (n *node) stat() zk.Stat {
	children := int32(n.children.len())
	return zk.Stat{
		Czxid: n.czxid, Mzxid: n.mzxid, Pzxid: n.pzxid,
		Ctime: n.ctime, Mtime: n.mtime,
		Version: n.version, Cversion: 2*n.creates - children, Aversion: n.aversion,
		EphemeralOwner: n.owner, DataLength: int32(len(n.data)), NumChildren: children,
	}
}

// lookup finds a node; the server knows the root under "" as well.
func (s *Store) lookup(path string) *node {
	if path == "" {
		return s.root
	}
	return s.nodes[path]
}

// parentPath is what stands before the last slash: "" for a child of the root.
func parentPath(path string) string { return path[:strings.LastIndexByte(path, '/')] }

// attach puts a finished node under its parent.
func (s *Store) attach(n *node) {
	p := n.parent
	if p.children == nil {
		p.children = newHashSet(childrenCapacity)
	}
	n.sibling = entry{hash: hashOf(n.name()), node: n}
	p.children.add(&n.sibling)
	s.nodes[n.path] = n
	switch {
	case n.owner != 0:
		s.sessions[n.owner].ephemerals.add(&entry{hash: hashOf(n.path), node: n})
	case n.container || n.ttl != 0:
		s.removable[n.path] = n
	}
}

// detach takes a node without children out of the tree.
func (s *Store) detach(n *node) {
	n.parent.children.remove(n.sibling.hash, n)
	delete(s.nodes, n.path)
	n.gone = true
	switch {
	case n.owner != 0:
		s.sessions[n.owner].ephemerals.remove(hashOf(n.path), n)
	case n.container || n.ttl != 0:
		delete(s.removable, n.path)
	}
}

// plant makes the tree of a fresh server: zxids and times 0, no create counted, and data that is empty, not null.
func (s *Store) plant() {
	s.root = &node{path: "/", data: []byte{}, acl: openACL}
	s.nodes["/"] = s.root
	zookeeper := &node{path: "/zookeeper", parent: s.root, data: []byte{}, acl: openACL}
	s.attach(zookeeper)
	s.attach(&node{path: "/zookeeper/quota", parent: zookeeper, data: []byte{}, acl: openACL})
	s.attach(&node{path: "/zookeeper/config", parent: zookeeper, data: []byte{}, acl: readOnlyACL, aversion: -1})
}

package zkmem

import (
	"strings"

	"controllerscope/core/zk"
)

// node is a znode (DataNode). Its fields are those a server stores; stat derives what a server shows.
type node struct {
	path     string
	parent   *node // nil for the root
	data     []byte
	acl      *aclList
	children *hashSet // nil until the first child

	czxid, mzxid, pzxid        int64
	ctime, mtime               int64
	owner                      zk.SessionID // of an ephemeral, else 0
	ttl                        int64        // of a TTL node in ms, else 0
	version, aversion, creates int32        // creates counts the children ever created, the number sequence names get
	container                  bool
}

// name is the last component of the node's path.
func (n *node) name() string { return n.path[strings.LastIndexByte(n.path, '/')+1:] }

// childNames lists the children in the server's order; a leaf has an empty list, not nil.
func (n *node) childNames() []string {
	names := make([]string, 0, n.children.len())
	for c := range n.children.all() {
		names = append(names, c.name())
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
	p.children.add(hashOf(n.name()), n)
	s.nodes[n.path] = n
	switch {
	case n.owner != 0:
		s.sessions[n.owner].ephemerals.add(hashOf(n.path), n)
	case n.container || n.ttl != 0:
		s.removable[n.path] = n
	}
}

// detach takes a node without children out of the tree.
func (s *Store) detach(n *node) {
	n.parent.children.remove(hashOf(n.name()), n)
	delete(s.nodes, n.path)
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

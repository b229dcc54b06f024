package zkmem

import "controllerscope/core/zk"

// transaction carries out changes under one zxid and time (DataTree.processTxn).
type transaction struct {
	store   *Store
	session *session
	zxid    int64
	now     int64
	fx      zk.Effects
	touched []*node         // changed nodes in the order of their first change, each path once
	seen    map[string]bool // paths of touched, once there are many
}

// write executes a write whose zxid is in fx.
func (s *Store) write(now int64, ss *session, op *zk.Op, fx *zk.Effects) zk.Result {
	p := prep{store: s, session: ss}
	if op.Kind == zk.Multi {
		return s.multi(now, &p, op, fx)
	}
	c, code := p.check(op)
	if code != zk.OK {
		return zk.Result{Err: code}
	}
	t := transaction{store: s, session: ss, zxid: fx.Zxid, now: now}
	r := t.apply(&c)
	t.finish()
	t.fx.Zxid = fx.Zxid
	*fx = t.fx
	return r
}

// multi executes all operations or none. A refused one has its own code, those before it OK, those after it
// RuntimeInconsistency. One that the server cannot read fails as a whole, without results.
func (s *Store) multi(now int64, p *prep, op *zk.Op, fx *zk.Effects) zk.Result {
	for i := range op.Ops {
		if !readable(&op.Ops[i]) {
			return zk.Result{Err: zk.MarshallingError}
		}
	}
	r := zk.Result{Results: make([]zk.Result, len(op.Ops))}
	p.pending = make(map[string]*record, len(op.Ops))
	changes := make([]change, len(op.Ops))
	for i := range op.Ops {
		var code zk.Code
		if changes[i], code = p.check(&op.Ops[i]); code != zk.OK {
			r.Err, r.Results[i].Err = code, code
			for j := i + 1; j < len(op.Ops); j++ {
				r.Results[j].Err = zk.RuntimeInconsistency
			}
			return r
		}
	}
	t := transaction{store: s, session: p.session, zxid: fx.Zxid, now: now}
	for i := range changes {
		r.Results[i] = t.apply(&changes[i])
		r.Results[i].Zxid = fx.Zxid
	}
	t.finish()
	t.fx.Zxid = fx.Zxid
	*fx = t.fx
	return r
}

// readable reports what a server can read in a multi: its four kinds, and no TTL flag in a create that brings no TTL.
func readable(op *zk.Op) bool {
	switch op.Kind {
	case zk.Create:
		return !timed(op.Mode) || op.TTL != 0
	case zk.Delete, zk.Set, zk.Check:
		return true
	}
	return false
}

// apply carries out one change and fires its watches.
func (t *transaction) apply(c *change) zk.Result {
	s := t.store
	switch c.kind {
	case zk.Create:
		return t.create(c)
	case zk.Delete:
		t.remove(s.nodes[c.path])
		return zk.Result{}
	case zk.Set:
		n := s.nodes[c.path]
		n.data, n.version, n.mzxid, n.mtime = c.data, c.version, t.zxid, t.now
		t.touch(n)
		s.fire(n.path, zk.DataWatch, 0, zk.NodeDataChanged, n.acl, &t.fx)
		return zk.Result{Stat: n.stat()}
	case zk.SetACL:
		n := s.nodes[c.path]
		n.acl, n.aversion = c.acl, c.version
		t.touch(n)
		return zk.Result{Stat: n.stat()}
	}
	return zk.Result{} // a check changes nothing
}

// create is DataTree.createNode. The parent's count of creates only ever grows: at its largest value it sticks, and then
// the parent's Pzxid does not move either.
func (t *transaction) create(c *change) zk.Result {
	s := t.store
	parent := s.lookup(parentPath(c.path))
	n := &node{
		path: c.path, parent: parent, data: c.data, acl: c.acl,
		czxid: t.zxid, mzxid: t.zxid, pzxid: t.zxid, ctime: t.now, mtime: t.now,
		container: c.mode == zk.Container,
	}
	if ephemeral(c.mode) {
		n.owner = t.session.id
	}
	if timed(c.mode) {
		n.ttl = c.ttl
	}
	if c.version > parent.creates {
		parent.creates, parent.pzxid = c.version, t.zxid
	}
	s.attach(n)
	t.touch(n)
	t.touch(parent)
	s.fireCreated(n, &t.fx)
	return zk.Result{Path: n.path, Stat: n.stat()}
}

// remove is DataTree.deleteNode.
func (t *transaction) remove(n *node) {
	t.store.detach(n)
	n.parent.pzxid = t.zxid
	t.touch(n)
	t.touch(n.parent)
	t.store.fireDeleted(n, &t.fx)
}

// touch notes that a node changed.
func (t *transaction) touch(n *node) {
	const few = 8
	if t.touched == nil {
		t.touched = make([]*node, 0, 2) // a node and its parent
	}
	if t.seen == nil {
		for _, m := range t.touched {
			if m == n || m.path == n.path {
				return
			}
		}
		if len(t.touched) == few {
			t.seen = make(map[string]bool, 2*few)
			for _, m := range t.touched {
				t.seen[m.path] = true
			}
		}
	}
	if t.seen != nil {
		if t.seen[n.path] {
			return
		}
		t.seen[n.path] = true
	}
	t.touched = append(t.touched, n)
}

// finish shows the changed nodes as they stand now.
func (t *transaction) finish() {
	if len(t.touched) == 0 {
		return
	}
	t.fx.Nodes = make([]zk.Node, len(t.touched))
	for i, n := range t.touched {
		if n.gone {
			if n = t.store.nodes[n.path]; n == nil { // else it was made anew
				t.fx.Nodes[i] = zk.Node{Path: t.touched[i].path, Gone: true}
				continue
			}
		}
		t.fx.Nodes[i] = zk.Node{Path: n.path, Data: n.data, Stat: n.stat()}
	}
}

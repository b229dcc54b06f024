package zkmem

import (
	"fmt"

	"controllerscope/core/zk"
)

// record is what the checks of a write look at (PrepRequestProcessor's ChangeRecord): a node as it will be once the
// operations before this one are carried out.
type record struct {
	version, aversion int32
	creates           int32
	children          int
	ephemeral         bool
	acl               *aclList
}

// prep checks the operations of one request.
type prep struct {
	store   *Store
	session *session
	// pending holds the records that earlier operations of a multi changed, nil for a deleted node. A single write has none.
	pending map[string]*record
}

// change is one operation that passed its checks.
type change struct {
	kind    zk.Kind
	path    string   // with the sequence number
	data    []byte   // of a create or set
	acl     *aclList // of a create or set_acl
	version int32    // after a set or set_acl; of a create the parent's count of creates
	mode    zk.Mode  // of a create
	ttl     int64    // of a create
}

// record finds a node's record; "" is the root, as in lookup.
func (p *prep) record(path string) (record, bool) {
	if path == "" {
		path = "/"
	}
	if r, found := p.pending[path]; found {
		if r == nil {
			return record{}, false
		}
		return *r, true
	}
	n := p.store.nodes[path]
	if n == nil {
		return record{}, false
	}
	return record{version: n.version, aversion: n.aversion, creates: n.creates, children: n.children.len(),
		ephemeral: n.owner != 0, acl: n.acl}, true
}

// put leaves a record for the operations that follow.
func (p *prep) put(path string, r record) {
	if p.pending == nil {
		return
	}
	if path == "" {
		path = "/"
	}
	kept := r // copied here, so that a single write costs nothing
	p.pending[path] = &kept
}

// check tests one operation and gives the change that it makes. The order of the tests decides which error wins.
func (p *prep) check(op *zk.Op) (change, zk.Code) {
	switch op.Kind {
	case zk.Create:
		return p.create(op)
	case zk.Delete:
		return p.delete(op)
	case zk.Set:
		return p.set(op)
	case zk.SetACL:
		return p.setACL(op)
	default: // zk.Check; write lets nothing else in
		return p.checkVersion(op)
	}
}

func (p *prep) create(op *zk.Op) (change, zk.Code) {
	if code := p.store.checkMode(op); code != zk.OK {
		return change{}, code
	}
	if !splittable(op.Path) {
		return change{}, zk.BadArguments
	}
	acl, code := fixupACL(op.ACL, p.session.auth)
	if code != zk.OK {
		return change{}, code
	}
	above := parentPath(op.Path)
	parent, found := p.record(above)
	switch {
	case !found:
		return change{}, zk.NoNode
	case !parent.acl.allows(permCreate, p.session.auth):
		return change{}, zk.NoAuth
	}
	path := op.Path
	if sequential(op.Mode) {
		path += fmt.Sprintf("%010d", parent.creates)
	}
	if !validPath(path) {
		return change{}, zk.BadArguments
	}
	if _, taken := p.record(path); taken {
		return change{}, zk.NodeExists
	}
	if parent.ephemeral {
		return change{}, zk.NoChildrenForEphemerals
	}
	parent.creates++
	parent.children++
	p.put(above, parent)
	p.put(path, record{ephemeral: ephemeral(op.Mode), acl: acl})
	return change{kind: op.Kind, path: path, data: op.Data, acl: acl, version: parent.creates, mode: op.Mode, ttl: op.TTL}, zk.OK
}

func (p *prep) delete(op *zk.Op) (change, zk.Code) {
	if !splittable(op.Path) || systemNode(op.Path) {
		return change{}, zk.BadArguments
	}
	above := parentPath(op.Path)
	parent, found := p.record(above)
	switch {
	case !found:
		return change{}, zk.NoNode
	case !parent.acl.allows(permDelete, p.session.auth):
		return change{}, zk.NoAuth
	}
	node, found := p.record(op.Path)
	switch {
	case !found:
		return change{}, zk.NoNode
	case !versionMatches(node.version, op.Version):
		return change{}, zk.BadVersion
	case node.children > 0:
		return change{}, zk.NotEmpty
	}
	parent.children--
	p.put(above, parent)
	if p.pending != nil {
		p.pending[op.Path] = nil
	}
	return change{kind: op.Kind, path: op.Path}, zk.OK
}

func (p *prep) set(op *zk.Op) (change, zk.Code) {
	node, code := p.own(op, permWrite)
	switch {
	case code != zk.OK:
		return change{}, code
	case !versionMatches(node.version, op.Version):
		return change{}, zk.BadVersion
	}
	node.version++
	p.put(op.Path, node)
	return change{kind: op.Kind, path: op.Path, data: op.Data, version: node.version}, zk.OK
}

func (p *prep) setACL(op *zk.Op) (change, zk.Code) {
	if !validPath(op.Path) {
		return change{}, zk.BadArguments
	}
	acl, code := fixupACL(op.ACL, p.session.auth)
	if code != zk.OK {
		return change{}, code
	}
	node, code := p.own(op, permAdmin)
	switch {
	case code != zk.OK:
		return change{}, code
	case !versionMatches(node.aversion, op.Version):
		return change{}, zk.BadVersion
	}
	return change{kind: op.Kind, path: op.Path, acl: acl, version: node.aversion + 1}, zk.OK
}

func (p *prep) checkVersion(op *zk.Op) (change, zk.Code) {
	node, code := p.own(op, permRead)
	switch {
	case code != zk.OK:
		return change{}, code
	case !versionMatches(node.version, op.Version):
		return change{}, zk.BadVersion
	}
	return change{kind: op.Kind, path: op.Path}, zk.OK
}

// own finds the node an operation is about and asks for a permission on the node itself.
func (p *prep) own(op *zk.Op, perm int32) (record, zk.Code) {
	if !validPath(op.Path) {
		return record{}, zk.BadArguments
	}
	node, found := p.record(op.Path)
	switch {
	case !found:
		return record{}, zk.NoNode
	case !node.acl.allows(perm, p.session.auth):
		return record{}, zk.NoAuth
	}
	return node, zk.OK
}

// checkMode is PrepRequestProcessor.validateCreateRequest.
func (s *Store) checkMode(op *zk.Op) zk.Code {
	const maxTTL = 1<<40 - 1
	switch {
	case op.Mode < zk.Persistent || op.Mode > zk.TTLSequential:
		return zk.BadArguments
	case !timed(op.Mode):
		return zk.OK
	case !s.options.ExtendedTypes:
		return zk.Unimplemented
	case op.TTL <= 0 || op.TTL > maxTTL:
		return zk.BadArguments
	}
	return zk.OK
}

func versionMatches(have, want int32) bool { return want == zk.AnyVersion || want == have }

func sequential(m zk.Mode) bool {
	return m == zk.PersistentSequential || m == zk.EphemeralSequential || m == zk.TTLSequential
}
func ephemeral(m zk.Mode) bool { return m == zk.Ephemeral || m == zk.EphemeralSequential }
func timed(m zk.Mode) bool     { return m == zk.TTL || m == zk.TTLSequential }

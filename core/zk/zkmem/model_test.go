package zkmem

import (
	"cmp"
	"crypto/sha1"
	"encoding/base64"
	"fmt"
	"slices"
	"strings"

	"controllerscope/core/zk"
)

// plain is a second, plain model of ZooKeeper to compare the emulator with: values in maps, copied before every request, so
// that a refused write is undone by going back to the copy. It is slow and knows world and digest ACLs only.
type plain struct {
	plainState
	zxid int64
	next zk.SessionID
	cut  map[zk.SessionID]bool
	// Of the request at hand: its time, its session, what it did.
	now int64
	id  zk.SessionID
	fx  zk.Effects
}

type plainState struct {
	nodes   map[string]plainNode
	sets    map[string]plainSet       // the children of a path, the ephemerals of a session's number
	ids     map[zk.SessionID][]string // the credentials of each session
	watches []zk.ArmedAt              // by age
}

type plainNode struct {
	stat    zk.Stat // without Cversion, NumChildren and DataLength
	data    []byte
	acl     []zk.ACL
	creates int32
}

func world(perms int32) []zk.ACL { return []zk.ACL{{Perms: perms, Scheme: "world", ID: "anyone"}} }

func newPlain() *plain {
	p := &plain{next: 1 << 56, cut: map[zk.SessionID]bool{}, plainState: plainState{ids: map[zk.SessionID][]string{}, nodes: map[string]plainNode{
		"/": {data: []byte{}, acl: world(31)}, "/zookeeper": {data: []byte{}, acl: world(31)}, "/zookeeper/quota": {data: []byte{}, acl: world(31)},
		"/zookeeper/config": {data: []byte{}, acl: world(1), stat: zk.Stat{Aversion: -1}}}}}
	p.sets = map[string]plainSet{"/": p.set("/").with("zookeeper"), "/zookeeper": p.set("/zookeeper").with("quota").with("config")}
	return p
}

// need ends an operation with a code; try makes that its result.
func need(ok bool, code zk.Code) {
	if !ok {
		panic(code)
	}
}

func try(what func() zk.Result) (r zk.Result) {
	defer func() {
		if code := recover(); code != nil {
			r = zk.Result{Err: code.(zk.Code)}
		}
	}()
	return what()
}

// split parts a path into its parent and its name.
func split(path string) (parent, name string) {
	cut := strings.LastIndex(path, "/")
	return cmp.Or(path[:max(cut, 0)], "/"), path[cut+1:]
}

func own(id zk.SessionID) string { return fmt.Sprint(id) }

func (p *plain) set(key string) plainSet {
	s, there := p.sets[key]
	if !there {
		s.table = map[bool]int{true: 8, false: 16}[key[0] == '/']
	}
	return s
}

func (p *plain) shown(path string) zk.Stat {
	n := p.nodes[path]
	n.stat.NumChildren, n.stat.DataLength = int32(len(p.set(path).items)), int32(len(n.data))
	n.stat.Cversion = 2*n.creates - n.stat.NumChildren
	return n.stat
}

func (p *plain) put(path string, n plainNode) {
	p.nodes[path] = n
	if !slices.ContainsFunc(p.fx.Nodes, func(n zk.Node) bool { return n.Path == path }) {
		p.fx.Nodes = append(p.fx.Nodes, zk.Node{Path: path})
	}
}

// may reports whether a session has a permission on a node.
func (p *plain) may(id zk.SessionID, n plainNode, perm int32) bool {
	return slices.ContainsFunc(n.acl, func(a zk.ACL) bool {
		return a.Perms&perm != 0 && (a.Scheme == "world" || slices.Contains(p.ids[id], a.ID))
	})
}

// lookup needs a node and a permission on it.
func (p *plain) lookup(path string, perm int32) plainNode {
	n, found := p.nodes[path]
	need(found, zk.NoNode)
	need(perm == 0 || p.may(p.id, n, perm), zk.NoAuth)
	return n
}

// fixed is a checked ACL.
func (p *plain) fixed(list []zk.ACL) (out []zk.ACL) {
	if list == nil {
		return world(31)
	}
	for i, a := range list {
		known := a.Scheme == "world" && a.ID == "anyone" || a.Scheme == "digest" && strings.Count(a.ID, ":") == 1
		need(known || a.Scheme == "auth", zk.InvalidACL)
		if known && !slices.Contains(list[:i], a) {
			out = append(out, a)
		}
		for _, id := range p.ids[p.id] {
			if a.Scheme == "auth" {
				out = append(out, zk.ACL{Perms: a.Perms, Scheme: "digest", ID: id})
			}
		}
	}
	need(out != nil, zk.InvalidACL)
	return out
}

func plainValid(path string) bool {
	return path == "/" || strings.HasPrefix(path, "/") && !slices.ContainsFunc(strings.Split(path[1:], "/"),
		func(n string) bool { return n == "" || n == "." || n == ".." || strings.ContainsAny(n, "\x00\x01") })
}

func (p *plain) do(op zk.Op) zk.Result {
	return map[zk.Kind]func(zk.Op) zk.Result{zk.Create: p.create, zk.Delete: p.delete, zk.Set: p.change, zk.SetACL: p.change, zk.Check: p.change,
		zk.Multi: p.multi, zk.AddAuth: p.addAuth, zk.Sync: func(op zk.Op) zk.Result { return zk.Result{Path: op.Path} },
		zk.Exists: p.read, zk.Get: p.read, zk.Children: p.read, zk.GetACL: p.read}[op.Kind](op)
}

func (p *plain) create(op zk.Op) zk.Result {
	need(op.Mode <= zk.Container, zk.Unimplemented)
	need(strings.Contains(op.Path, "/"), zk.BadArguments)
	acl := p.fixed(op.ACL)
	above, name := split(op.Path)
	parent := p.lookup(above, 4)
	if op.Mode == 2 || op.Mode == 3 {
		name += fmt.Sprintf("%010d", parent.creates)
	}
	path := strings.TrimSuffix(above, "/") + "/" + name
	need(plainValid(path), zk.BadArguments)
	_, taken := p.nodes[path]
	need(!taken, zk.NodeExists)
	need(parent.stat.EphemeralOwner == 0, zk.NoChildrenForEphemerals)
	n := plainNode{data: op.Data, acl: acl, stat: zk.Stat{Czxid: p.zxid, Mzxid: p.zxid, Pzxid: p.zxid, Ctime: p.now, Mtime: p.now}}
	if op.Mode == 1 || op.Mode == 3 {
		n.stat.EphemeralOwner = p.id
		p.sets[own(p.id)] = p.set(own(p.id)).with(path)
	}
	parent.creates++
	p.sets[above] = p.set(above).with(name)
	p.put(path, n)
	p.tell(path, zk.NodeCreated, n, zk.DataWatch)
	p.touch(above, parent)
	return zk.Result{Path: path, Stat: p.shown(path)}
}

// touch has a node's children change.
func (p *plain) touch(path string, n plainNode) {
	n.stat.Pzxid = p.zxid
	p.put(path, n)
	p.tell(path, zk.NodeChildrenChanged, n, zk.ChildWatch)
}

func (p *plain) delete(op zk.Op) zk.Result {
	need(!slices.Contains([]string{"", "/", "/zookeeper", "/zookeeper/quota", "/zookeeper/config"}, op.Path), zk.BadArguments)
	above, _ := split(op.Path)
	p.lookup(above, 8)
	n := p.lookup(op.Path, 0)
	need(op.Version == -1 || op.Version == n.stat.Version, zk.BadVersion)
	need(len(p.set(op.Path).items) == 0, zk.NotEmpty)
	p.remove(op.Path)
	return zk.Result{}
}

func (p *plain) remove(path string) {
	n, mine := p.nodes[path], own(p.nodes[path].stat.EphemeralOwner)
	above, name := split(path)
	p.put(path, n)
	delete(p.nodes, path)
	delete(p.sets, path)
	p.sets[mine] = p.set(mine).without(path) // of session 0 when nobody owns it
	p.sets[above] = p.set(above).without(name)
	p.tell(path, zk.NodeDeleted, n, zk.DataWatch, zk.ChildWatch)
	p.touch(above, p.nodes[above])
}

// change is set, set_acl and check.
func (p *plain) change(op zk.Op) zk.Result {
	need(plainValid(op.Path), zk.BadArguments)
	if op.Kind == zk.SetACL {
		acl := p.fixed(op.ACL)
		n := p.lookup(op.Path, 16)
		need(op.Version == -1 || op.Version == n.stat.Aversion, zk.BadVersion)
		n.acl = acl
		n.stat.Aversion++
		p.put(op.Path, n)
		return zk.Result{Stat: p.shown(op.Path)}
	}
	n := p.lookup(op.Path, map[zk.Kind]int32{zk.Set: 2, zk.Check: 1}[op.Kind])
	need(op.Version == -1 || op.Version == n.stat.Version, zk.BadVersion)
	if op.Kind == zk.Check {
		return zk.Result{}
	}
	n.data, n.stat.Mzxid, n.stat.Mtime = op.Data, p.zxid, p.now
	n.stat.Version++
	p.put(op.Path, n)
	p.tell(op.Path, zk.NodeDataChanged, n, zk.DataWatch)
	return zk.Result{Stat: p.shown(op.Path)}
}

// addAuth adds a credential to the connection.
func (p *plain) addAuth(op zk.Op) zk.Result {
	sum := sha1.Sum(op.Auth.Data)
	id := strings.Split(string(op.Auth.Data), ":")[0] + ":" + base64.StdEncoding.EncodeToString(sum[:])
	if ids := p.ids[p.id]; !slices.Contains(ids, id) {
		p.ids[p.id] = append(slices.Clone(ids), id)
	}
	return zk.Result{}
}

func (p *plain) read(op zk.Op) zk.Result {
	if op.Kind == zk.Exists && op.Watch {
		p.arm(op.Path, zk.DataWatch)
	}
	n := p.lookup(op.Path, map[zk.Kind]int32{zk.GetACL: 1 | 16, zk.Get: 1, zk.Children: 1}[op.Kind])
	if op.Watch {
		p.arm(op.Path, map[zk.Kind]zk.WatchKind{zk.Exists: zk.DataWatch, zk.Get: zk.DataWatch, zk.Children: zk.ChildWatch}[op.Kind])
	}
	r := zk.Result{Stat: p.shown(op.Path)}
	switch op.Kind {
	case zk.Get:
		r.Data = n.data
	case zk.Children:
		r.Children = p.set(op.Path).inOrder()
	case zk.GetACL:
		for _, a := range n.acl {
			if user, _, digest := strings.Cut(a.ID, ":"); digest && !p.may(p.id, n, 16) {
				a.ID = user + ":x"
			}
			r.ACL = append(r.ACL, a)
		}
	}
	return r
}

func (p *plain) multi(op zk.Op) zk.Result {
	r := zk.Result{Results: make([]zk.Result, len(op.Ops))}
	for i, o := range op.Ops {
		r.Results[i] = zk.Result{Err: zk.RuntimeInconsistency}
		if r.Err == zk.OK {
			r.Results[i] = try(func() zk.Result { return p.do(o) })
			r.Results[i].Zxid, r.Err = p.zxid, r.Results[i].Err
		}
	}
	for i := range r.Results {
		if r.Err != zk.OK {
			r.Results[i] = zk.Result{Err: r.Results[i].Err}
		}
	}
	return r
}

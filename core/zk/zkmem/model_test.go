package zkmem

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"controllerscope/core/zk"
	"controllerscope/core/zk/zktest"
)

// plain is a second, plain model of ZooKeeper to compare the emulator with: values in maps, copied before every request, so
// that a refused write is undone by going back to the copy. It is slow, and knows world and digest ACLs only.
type plain struct {
	nodes       map[string]plainNode
	owned       map[zk.SessionID]plainSet // paths, of every session that lives; 0 owns what is not ephemeral
	credentials map[zk.SessionID][]string
	watches     []zk.ArmedAt // by age
	zxid, now   int64
	opened, id  zk.SessionID // how many sessions there were, and whose request is at hand
	touched     []string     // the paths that it changed
	told        []zk.Fired
}

type plainNode struct {
	zk.Stat  // without Cversion, NumChildren and DataLength
	data     []byte
	acl      []zk.ACL
	creates  int32
	children plainSet // their names
}

func newPlain() *plain {
	leaf := plainNode{data: []byte{}, acl: world(31), children: plainSet{table: 8}}
	root, system, config := leaf, leaf, leaf
	root.children, system.children = leaf.children.with("zookeeper"), leaf.children.with("quota").with("config")
	config.acl, config.Aversion = world(1), -1
	return &plain{owned: map[zk.SessionID]plainSet{0: {table: 16}}, credentials: map[zk.SessionID][]string{},
		nodes: map[string]plainNode{"/": root, "/zookeeper": system, "/zookeeper/quota": leaf, "/zookeeper/config": config}}
}

func world(perms int32) []zk.ACL { return []zk.ACL{{Perms: perms, Scheme: "world", ID: "anyone"}} }
func above(path string) string   { return path[:max(strings.LastIndex(path, "/"), 1)] }

func (n plainNode) shown() zk.Stat {
	n.NumChildren, n.DataLength = int32(len(n.children.items)), int32(len(n.data))
	n.Cversion = 2*n.creates - n.NumChildren
	return n.Stat
}

func (p *plain) open(ms int32) (id zk.SessionID, negotiated int32) {
	p.zxid, p.opened = p.zxid+1, p.opened+1
	id = 1<<56 + p.opened - 1
	p.owned[id] = plainSet{table: 16}
	return id, min(max(ms, 4000), 40000)
}

// close deletes what the session owns, in the order of a clone of the set.
func (p *plain) close() {
	p.zxid++
	for _, path := range p.owned[p.id].clone().inOrder() {
		p.link(path, p.nodes[path], zk.NodeDeleted)
	}
	p.cut()
	delete(p.owned, p.id)
}

func (p *plain) cut() {
	delete(p.credentials, p.id)
	p.watches = slices.DeleteFunc(p.watches, func(w zk.ArmedAt) bool { return w.Session == p.id })
}

// heal sets watches again: those on data, on missing nodes, on children. What one of them missed is told at once.
func (p *plain) heal(seen int64, watches []zk.Watch) {
	for _, group := range []zk.Watch{{Kind: zk.DataWatch}, {Kind: zk.DataWatch, Exists: true}, {Kind: zk.ChildWatch}} {
		for _, w := range watches {
			n, there := p.nodes[w.Path]
			switch group.Path = w.Path; {
			case w != group:
			case w.Exists && there:
				p.tell(p.id, zk.NodeCreated, w.Path, w.Kind)
			case !w.Exists && !there:
				p.tell(p.id, zk.NodeDeleted, w.Path, w.Kind)
			case !w.Exists && w.Kind == zk.DataWatch && n.Mzxid > seen:
				p.tell(p.id, zk.NodeDataChanged, w.Path, w.Kind)
			case w.Kind == zk.ChildWatch && n.Pzxid > seen:
				p.tell(p.id, zk.NodeChildrenChanged, w.Path, w.Kind)
			default:
				p.arm(true, w.Path, w.Kind)
			}
		}
	}
}

func (p *plain) tell(id zk.SessionID, t zk.EventType, path string, kinds ...zk.WatchKind) {
	p.told = append(p.told, zk.Fired{Session: id, Event: zk.Event{Type: t, Path: path}, Kinds: kinds})
}

func (p *plain) arm(asked bool, path string, kind zk.WatchKind) {
	if w := (zk.ArmedAt{Session: p.id, Path: path, Kind: kind}); asked && !slices.Contains(p.watches, w) {
		p.watches = append(p.watches, w)
	}
}

// put leaves a node as an event makes it. A session hears of it once, and not at all if it may not read the node.
func (p *plain) put(path string, n plainNode, t zk.EventType, kinds ...zk.WatchKind) {
	p.nodes[path], p.touched = n, append(p.touched, path)
	earlier := len(p.told)
	for _, kind := range kinds {
		for _, w := range p.watches {
			told := p.told[earlier:]
			i := slices.IndexFunc(told, func(f zk.Fired) bool { return f.Session == w.Session })
			switch {
			case w.Path != path || w.Kind != kind || !p.may(w.Session, n, 1):
			case i < 0:
				p.tell(w.Session, t, path, kind)
			default:
				told[i].Kinds = append(told[i].Kinds, kind)
			}
		}
		p.watches = slices.DeleteFunc(p.watches, func(w zk.ArmedAt) bool { return w.Path == path && w.Kind == kind })
	}
}

// link makes or deletes a node. Its parent and its owner learn of it.
func (p *plain) link(path string, n plainNode, t zk.EventType) {
	parent, owned := p.nodes[above(path)], p.owned[n.EphemeralOwner]
	name := path[strings.LastIndex(path, "/")+1:]
	parent.Pzxid = p.zxid
	if t == zk.NodeCreated {
		parent.creates++
		parent.children, owned = parent.children.with(name), owned.with(path)
		p.put(path, n, t, zk.DataWatch)
	} else {
		parent.children, owned = parent.children.without(name), owned.without(path)
		p.put(path, n, t, zk.DataWatch, zk.ChildWatch)
		delete(p.nodes, path)
	}
	p.owned[n.EphemeralOwner] = owned
	p.put(above(path), parent, zk.NodeChildrenChanged, zk.ChildWatch)
}

// request answers a request. Of a write that is refused nothing is left but its zxid.
func (p *plain) request(op zk.Op) (r zk.Result) {
	nodes, owned, watches := maps.Clone(p.nodes), maps.Clone(p.owned), slices.Clone(p.watches)
	if op.Kind.IsWrite() {
		p.zxid++
	}
	if r = p.do(op); r.Err != zk.OK && op.Kind.IsWrite() {
		p.nodes, p.owned, p.watches, p.touched, p.told = nodes, owned, watches, nil, nil
	}
	return r
}

// do carries out an operation until a need is not met.
func (p *plain) do(op zk.Op) (r zk.Result) {
	defer func() {
		if code := recover(); code != nil {
			r = zk.Result{Err: code.(zk.Code)}
		}
	}()
	switch op.Kind {
	case zk.Create:
		r = p.create(op)
	case zk.Delete:
		need(!slices.Contains([]string{"", "/", "/zookeeper", "/zookeeper/quota", "/zookeeper/config"}, op.Path),
			zk.BadArguments)
		p.find(above(op.Path), 8)
		n := p.find(op.Path, 0)
		need(op.Version == zk.AnyVersion || op.Version == n.Version, zk.BadVersion)
		need(len(n.children.items) == 0, zk.NotEmpty)
		p.link(op.Path, n, zk.NodeDeleted)
	case zk.Set, zk.SetACL, zk.Check:
		r.Stat = p.change(op)
	case zk.Multi:
		need(!slices.ContainsFunc(op.Ops, func(o zk.Op) bool { return o.Mode > zk.Container }), zk.MarshallingError)
		r.Results = make([]zk.Result, len(op.Ops))
		for i, o := range op.Ops {
			if r.Err != zk.OK {
				r.Results[i].Err = zk.RuntimeInconsistency
			} else if r.Results[i] = p.do(o); r.Results[i].Err != zk.OK {
				r.Err = r.Results[i].Err
				clear(r.Results[:i])
			}
		}
	case zk.Sync:
		r.Path = op.Path
	case zk.AddAuth:
		user, password, _ := strings.Cut(string(op.Auth.Data), ":")
		id := zktest.List([]zktest.Entry{{ID: user, Password: password}}, false)[0].ID
		if !slices.Contains(p.credentials[p.id], id) {
			p.credentials[p.id] = append(p.credentials[p.id], id)
		}
	case zk.Exists:
		p.arm(op.Watch, op.Path, zk.DataWatch)
		r.Stat = p.find(op.Path, 0).shown()
	case zk.Get:
		n := p.find(op.Path, 1)
		p.arm(op.Watch, op.Path, zk.DataWatch)
		r.Stat, r.Data = n.shown(), n.data
	case zk.Children:
		n := p.find(op.Path, 1)
		p.arm(op.Watch, op.Path, zk.ChildWatch)
		r.Stat, r.Children = n.shown(), n.children.inOrder()
	case zk.GetACL:
		n := p.find(op.Path, 1|16)
		r.Stat, r.ACL = n.shown(), slices.Clone(n.acl)
		for i, a := range n.acl {
			if user, _, digest := strings.Cut(a.ID, ":"); digest && !p.may(p.id, n, 16) {
				r.ACL[i].ID = user + ":x"
			}
		}
	}
	return r
}

func need(ok bool, code zk.Code) {
	if !ok {
		panic(code)
	}
}

// find needs a node and a permission on it.
func (p *plain) find(path string, perm int32) plainNode {
	n, found := p.nodes[path]
	need(found, zk.NoNode)
	need(perm == 0 || p.may(p.id, n, perm), zk.NoAuth)
	return n
}

func (p *plain) may(id zk.SessionID, n plainNode, perm int32) bool {
	return slices.ContainsFunc(n.acl, func(a zk.ACL) bool {
		return a.Perms&perm != 0 && (a.Scheme == "world" || slices.Contains(p.credentials[id], a.ID))
	})
}

func (p *plain) fixupACL(list []zk.ACL) (out []zk.ACL) {
	if list == nil {
		return world(31)
	}
	for i, a := range list {
		switch {
		case slices.Contains(list[:i], a):
		case a.Scheme == "auth":
			for _, id := range p.credentials[p.id] {
				out = append(out, zk.ACL{Perms: a.Perms, Scheme: "digest", ID: id})
			}
		default:
			need(a == world(a.Perms)[0] || a.Scheme == "digest" && strings.Count(a.ID, ":") == 1, zk.InvalidACL)
			out = append(out, a)
		}
	}
	need(out != nil, zk.InvalidACL)
	return out
}

// validPlain: no name is empty, "." or "..".
var validPlain = regexp.MustCompile(`^(/|(/([^/.[:cntrl:]]|\.[^/.[:cntrl:]]|\.\.[^/[:cntrl:]])[^/[:cntrl:]]*)+)$`)

func (p *plain) create(op zk.Op) zk.Result {
	need(op.Mode <= zk.Container, zk.Unimplemented)
	need(strings.Contains(op.Path, "/"), zk.BadArguments)
	n := plainNode{data: op.Data, acl: p.fixupACL(op.ACL), children: plainSet{table: 8},
		Stat: zk.Stat{Czxid: p.zxid, Mzxid: p.zxid, Pzxid: p.zxid, Ctime: p.now, Mtime: p.now}}
	parent := p.find(above(op.Path), 4)
	if op.Mode == zk.PersistentSequential || op.Mode == zk.EphemeralSequential {
		op.Path += fmt.Sprintf("%010d", parent.creates)
	}
	need(validPlain.MatchString(op.Path), zk.BadArguments)
	_, taken := p.nodes[op.Path]
	need(!taken, zk.NodeExists)
	need(parent.EphemeralOwner == 0, zk.NoChildrenForEphemerals)
	if op.Mode == zk.Ephemeral || op.Mode == zk.EphemeralSequential {
		n.EphemeralOwner = p.id
	}
	p.link(op.Path, n, zk.NodeCreated)
	return zk.Result{Path: op.Path, Stat: n.shown()}
}

func (p *plain) change(op zk.Op) zk.Stat {
	need(validPlain.MatchString(op.Path), zk.BadArguments)
	acl := p.fixupACL(op.ACL)
	n := p.find(op.Path, map[zk.Kind]int32{zk.Check: 1, zk.Set: 2, zk.SetACL: 16}[op.Kind])
	version := map[bool]int32{false: n.Version, true: n.Aversion}[op.Kind == zk.SetACL]
	need(op.Version == zk.AnyVersion || op.Version == version, zk.BadVersion)
	switch op.Kind {
	case zk.Check:
		return zk.Stat{}
	case zk.Set:
		n.data, n.Mzxid, n.Mtime, n.Version = op.Data, p.zxid, p.now, version+1
		p.put(op.Path, n, zk.NodeDataChanged, zk.DataWatch)
	case zk.SetACL:
		n.acl, n.Aversion = acl, version+1
		p.put(op.Path, n, 0)
	}
	return n.shown()
}

package zkmem

import (
	"cmp"
	"crypto/sha1"
	"encoding/base64"
	"fmt"
	"maps"
	"slices"
	"strings"

	"controllerscope/core/zk"
)

// plain is a second, plain model of ZooKeeper to compare the emulator with: values in a map, copied before every write, so
// that a refused one is undone by forgetting the copy. It is slow and knows world and digest ACLs only.
type plain struct {
	plainState
	next zk.SessionID
}

type plainState struct {
	zxid     int64
	nodes    map[string]plainNode
	sessions map[zk.SessionID]plainSession
	watches  []zk.ArmedAt // by age
}

type plainNode struct {
	stat     zk.Stat // without Cversion and NumChildren
	data     []byte
	acl      []zk.ACL
	creates  int32
	children plainSet
}

type plainSession struct {
	up   bool
	ids  []string
	owns plainSet
}

var worldAll = []zk.ACL{{Perms: 31, Scheme: "world", ID: "anyone"}}

func newPlain() *plain {
	node := func(aversion, perms int32, children ...string) plainNode {
		n := plainNode{data: []byte{}, acl: []zk.ACL{{Perms: perms, Scheme: "world", ID: "anyone"}}, children: plainSet{table: 8}}
		n.stat.Aversion = aversion
		for _, c := range children {
			n.children = n.children.with(c)
		}
		return n
	}
	return &plain{next: 1 << 56, plainState: plainState{sessions: map[zk.SessionID]plainSession{}, nodes: map[string]plainNode{
		"/": node(0, 31, "zookeeper"), "/zookeeper": node(0, 31, "quota", "config"),
		"/zookeeper/quota": node(0, 31), "/zookeeper/config": node(-1, 1)}}}
}

func (n plainNode) shown() zk.Stat {
	n.stat.NumChildren, n.stat.DataLength = int32(len(n.children.items)), int32(len(n.data))
	n.stat.Cversion = 2*n.creates - n.stat.NumChildren
	return n.stat
}

func (n plainNode) lets(perm int32, ids []string) bool {
	return slices.ContainsFunc(n.acl, func(a zk.ACL) bool {
		return a.Perms&perm != 0 && (a.Scheme == "world" || slices.Contains(ids, a.ID))
	})
}

// work is one request on a copy of the state.
type work struct {
	plainState
	now     int64
	id      zk.SessionID
	fx      zk.Effects
	touched []string
}

func (p *plain) begin(now int64, id zk.SessionID, write bool) *work {
	w := &work{plainState: p.plainState, now: now, id: id}
	w.nodes, w.sessions, w.watches = maps.Clone(p.nodes), maps.Clone(p.sessions), slices.Clone(p.watches)
	if write {
		p.zxid++
		w.zxid, w.fx.Zxid = p.zxid, p.zxid
	}
	return w
}

// keep makes the work's state the state.
func (p *plain) keep(w *work) zk.Effects {
	p.plainState = w.plainState
	for _, path := range w.touched {
		n, there := w.nodes[path]
		node := zk.Node{Path: path, Gone: !there}
		if there {
			node.Data, node.Stat = n.data, n.shown()
		}
		w.fx.Nodes = append(w.fx.Nodes, node)
	}
	return w.fx
}

// split parts a path into its parent and its name.
func split(path string) (parent, name string) {
	cut := strings.LastIndex(path, "/")
	return cmp.Or(path[:max(cut, 0)], "/"), path[cut+1:]
}

func (w *work) put(path string, n plainNode) {
	w.nodes[path] = n
	if !slices.Contains(w.touched, path) {
		w.touched = append(w.touched, path)
	}
}

// tell fires the watches of a path, of the first kind that lists them; a session hears of one path once.
func (w *work) tell(path string, t zk.EventType, acl plainNode, kinds ...zk.WatchKind) {
	for _, kind := range kinds {
		for _, a := range slices.Clone(w.watches) {
			if a.Path != path || a.Kind != kind || !slices.Contains(w.watches, a) {
				continue
			}
			var used []zk.WatchKind
			for _, k := range kinds {
				all := len(w.watches)
				w.watches = slices.DeleteFunc(w.watches, func(o zk.ArmedAt) bool { return o == zk.ArmedAt{Session: a.Session, Path: path, Kind: k} })
				if len(w.watches) < all {
					used = append(used, k)
				}
			}
			if acl.lets(1, w.sessions[a.Session].ids) {
				w.fx.Fired = append(w.fx.Fired, zk.Fired{Session: a.Session, Event: zk.Event{Type: t, Path: path}, Kinds: used})
				continue
			}
			for _, k := range used {
				w.fx.Dropped = append(w.fx.Dropped, zk.ArmedAt{Session: a.Session, Path: path, Kind: k})
			}
		}
	}
}

func (w *work) arm(path string, kind zk.WatchKind) {
	if a := (zk.ArmedAt{Session: w.id, Path: path, Kind: kind}); !slices.Contains(w.watches, a) {
		w.watches, w.fx.Armed = append(w.watches, a), append(w.fx.Armed, a)
	}
}

// drop forgets a session's watches, by path and kind.
func (w *work) drop(id zk.SessionID) {
	var mine []zk.ArmedAt
	w.watches = slices.DeleteFunc(w.watches, func(a zk.ArmedAt) bool {
		if a.Session == id {
			mine = append(mine, a)
		}
		return a.Session == id
	})
	slices.SortFunc(mine, func(a, b zk.ArmedAt) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Kind, b.Kind))
	})
	w.fx.Dropped = append(w.fx.Dropped, mine...)
}

func (w *work) ids() []string { return w.sessions[w.id].ids }

// fixed is a checked ACL, nil if it is refused.
func (w *work) fixed(list []zk.ACL) (out []zk.ACL) {
	if list == nil {
		return worldAll
	}
	for i, a := range list {
		switch {
		case slices.Contains(list[:i], a):
		case a.Scheme == "auth":
			for _, id := range w.ids() {
				out = append(out, zk.ACL{Perms: a.Perms, Scheme: "digest", ID: id})
			}
		case a.Scheme == "world" && a.ID == "anyone", a.Scheme == "digest" && strings.Count(a.ID, ":") == 1:
			out = append(out, a)
		default:
			return nil
		}
	}
	return out
}

func plainValid(path string) bool {
	return path == "/" || strings.HasPrefix(path, "/") && !slices.ContainsFunc(strings.Split(path[1:], "/"),
		func(n string) bool { return n == "" || n == "." || n == ".." || strings.ContainsAny(n, "\x00\x01") })
}

func (w *work) create(op zk.Op) zk.Result {
	if op.Mode > zk.Container {
		return zk.Result{Err: zk.Unimplemented}
	} else if !strings.Contains(op.Path, "/") {
		return zk.Result{Err: zk.BadArguments}
	}
	acl := w.fixed(op.ACL)
	if acl == nil {
		return zk.Result{Err: zk.InvalidACL}
	}
	above, name := split(op.Path)
	parent, found := w.nodes[above]
	if !found {
		return zk.Result{Err: zk.NoNode}
	} else if !parent.lets(4, w.ids()) {
		return zk.Result{Err: zk.NoAuth}
	}
	if op.Mode == 2 || op.Mode == 3 {
		name += fmt.Sprintf("%010d", parent.creates)
	}
	path := strings.TrimSuffix(above, "/") + "/" + name
	if !plainValid(path) {
		return zk.Result{Err: zk.BadArguments}
	} else if _, taken := w.nodes[path]; taken {
		return zk.Result{Err: zk.NodeExists}
	} else if parent.stat.EphemeralOwner != 0 {
		return zk.Result{Err: zk.NoChildrenForEphemerals}
	}
	n := plainNode{data: op.Data, acl: acl, children: plainSet{table: 8},
		stat: zk.Stat{Czxid: w.zxid, Mzxid: w.zxid, Pzxid: w.zxid, Ctime: w.now, Mtime: w.now}}
	if op.Mode == 1 || op.Mode == 3 {
		n.stat.EphemeralOwner = w.id
		mine := w.sessions[w.id]
		mine.owns = mine.owns.with(path)
		w.sessions[w.id] = mine
	}
	parent.creates++
	parent.stat.Pzxid = w.zxid
	parent.children = parent.children.with(name)
	w.put(path, n)
	w.put(above, parent)
	w.tell(path, zk.NodeCreated, n, zk.DataWatch)
	w.tell(above, zk.NodeChildrenChanged, parent, zk.ChildWatch)
	return zk.Result{Path: path, Stat: n.shown()}
}

func (w *work) delete(op zk.Op) zk.Code {
	if slices.Contains([]string{"", "/", "/zookeeper", "/zookeeper/quota", "/zookeeper/config"}, op.Path) {
		return zk.BadArguments
	}
	above, _ := split(op.Path)
	parent, found := w.nodes[above]
	n, there := w.nodes[op.Path]
	switch {
	case !found:
		return zk.NoNode
	case !parent.lets(8, w.ids()):
		return zk.NoAuth
	case !there:
		return zk.NoNode
	case op.Version != -1 && op.Version != n.stat.Version:
		return zk.BadVersion
	case len(n.children.items) > 0:
		return zk.NotEmpty
	}
	w.remove(op.Path)
	return zk.OK
}

func (w *work) remove(path string) {
	above, name := split(path)
	n, parent := w.nodes[path], w.nodes[above]
	if owner, lives := w.sessions[n.stat.EphemeralOwner]; lives {
		owner.owns = owner.owns.without(path)
		w.sessions[n.stat.EphemeralOwner] = owner
	}
	w.put(path, n)
	delete(w.nodes, path)
	parent.stat.Pzxid = w.zxid
	parent.children = parent.children.without(name)
	w.put(above, parent)
	w.tell(path, zk.NodeDeleted, n, zk.DataWatch, zk.ChildWatch)
	w.tell(above, zk.NodeChildrenChanged, parent, zk.ChildWatch)
}

// change is set, set_acl and check.
func (w *work) change(op zk.Op) zk.Result {
	if !plainValid(op.Path) {
		return zk.Result{Err: zk.BadArguments}
	}
	acl := w.fixed(op.ACL)
	if op.Kind == zk.SetACL && acl == nil {
		return zk.Result{Err: zk.InvalidACL}
	}
	n, found := w.nodes[op.Path]
	version := &n.stat.Version
	if op.Kind == zk.SetACL {
		version = &n.stat.Aversion
	}
	switch perm := map[zk.Kind]int32{zk.Set: 2, zk.SetACL: 16, zk.Check: 1}[op.Kind]; {
	case !found:
		return zk.Result{Err: zk.NoNode}
	case !n.lets(perm, w.ids()):
		return zk.Result{Err: zk.NoAuth}
	case op.Version != -1 && op.Version != *version:
		return zk.Result{Err: zk.BadVersion}
	case op.Kind == zk.Check:
		return zk.Result{}
	}
	*version++
	if op.Kind == zk.SetACL {
		n.acl = acl
		w.put(op.Path, n)
		return zk.Result{Stat: n.shown()}
	}
	n.data, n.stat.Mzxid, n.stat.Mtime = op.Data, w.zxid, w.now
	w.put(op.Path, n)
	w.tell(op.Path, zk.NodeDataChanged, n, zk.DataWatch)
	return zk.Result{Stat: n.shown()}
}

func (w *work) read(op zk.Op) zk.Result {
	n, found := w.nodes[op.Path]
	perm := map[zk.Kind]int32{zk.GetACL: 1 | 16, zk.Get: 1, zk.Children: 1, zk.Exists: -1}[op.Kind]
	if op.Kind == zk.Exists && op.Watch {
		w.arm(op.Path, zk.DataWatch)
	}
	switch {
	case op.Kind == zk.Sync:
		return zk.Result{Path: op.Path}
	case op.Kind == zk.AddAuth:
		sum := sha1.Sum(op.Auth.Data)
		id := strings.Split(string(op.Auth.Data), ":")[0] + ":" + base64.StdEncoding.EncodeToString(sum[:])
		if mine := w.sessions[w.id]; !slices.Contains(mine.ids, id) {
			mine.ids = append(slices.Clone(mine.ids), id)
			w.sessions[w.id] = mine
		}
		return zk.Result{}
	case !found:
		return zk.Result{Err: zk.NoNode}
	case perm > 0 && !n.lets(perm, w.ids()):
		return zk.Result{Err: zk.NoAuth}
	}
	r := zk.Result{Stat: n.shown()}
	switch op.Kind {
	case zk.Get:
		r.Data = n.data
	case zk.Children:
		r.Children = n.children.inOrder()
	case zk.GetACL:
		for _, a := range n.acl {
			if user, _, digest := strings.Cut(a.ID, ":"); digest && !n.lets(16, w.ids()) {
				a.ID = user + ":x"
			}
			r.ACL = append(r.ACL, a)
		}
	}
	if op.Watch && op.Kind != zk.Exists {
		w.arm(op.Path, map[zk.Kind]zk.WatchKind{zk.Get: zk.DataWatch, zk.Children: zk.ChildWatch}[op.Kind])
	}
	return r
}

func (w *work) one(op zk.Op) zk.Result {
	switch op.Kind {
	case zk.Create:
		return w.create(op)
	case zk.Delete:
		return zk.Result{Err: w.delete(op)}
	case zk.Set, zk.SetACL, zk.Check:
		return w.change(op)
	case zk.Multi:
		r := zk.Result{Results: make([]zk.Result, len(op.Ops))}
		for i, o := range op.Ops {
			r.Results[i].Err = zk.RuntimeInconsistency
			if r.Err == zk.OK {
				r.Results[i] = w.one(o)
				r.Err = r.Results[i].Err
			}
		}
		for i := range r.Results {
			if r.Err == zk.OK {
				r.Results[i].Zxid = w.zxid
			} else {
				r.Results[i] = zk.Result{Err: r.Results[i].Err}
			}
		}
		return r
	}
	return w.read(op)
}

func (p *plain) Open(_ int64, ms int32) (zk.SessionID, int32, zk.Effects, error) {
	p.zxid++
	p.next++
	p.sessions[p.next-1] = plainSession{up: true, owns: plainSet{table: 16}}
	return p.next - 1, min(max(ms, 4000), 40000), zk.Effects{Zxid: p.zxid}, nil
}

func (p *plain) Apply(now int64, id zk.SessionID, op zk.Op) (zk.Result, zk.Effects, error) {
	if s, lives := p.sessions[id]; !lives {
		return zk.Result{Err: zk.SessionExpired, Zxid: p.zxid}, zk.Effects{}, nil
	} else if !s.up {
		return zk.Result{Err: zk.ConnectionLoss, Zxid: p.zxid}, zk.Effects{}, nil
	}
	w := p.begin(now, id, op.Kind.IsWrite())
	r := w.one(op)
	r.Zxid = p.zxid
	if r.Err != zk.OK && op.Kind.IsWrite() {
		return r, zk.Effects{Zxid: p.zxid}, nil
	}
	return r, p.keep(w), nil
}

func (p *plain) Close(now int64, id zk.SessionID) (zk.Effects, error) {
	if _, lives := p.sessions[id]; !lives {
		return zk.Effects{}, nil
	}
	w := p.begin(now, id, true)
	table := 1
	for table < len(w.sessions[id].owns.items)*4/3+1 {
		table *= 2
	}
	order := plainSet{table: table}
	for _, path := range w.sessions[id].owns.inOrder() {
		order = order.with(path)
	}
	for _, path := range order.inOrder() {
		w.remove(path)
	}
	w.drop(id)
	delete(w.sessions, id)
	return p.keep(w), nil
}

func (p *plain) Expire(now int64, id zk.SessionID) (zk.Effects, error) { return p.Close(now, id) }

func (p *plain) Cut(id zk.SessionID) error {
	if s, lives := p.sessions[id]; lives {
		w := p.begin(0, id, false)
		w.drop(id)
		s.up, s.ids = false, nil
		w.sessions[id] = s
		p.keep(w)
	}
	return nil
}

func (p *plain) Heal(now int64, id zk.SessionID, rel int64, watches []zk.Watch) (bool, zk.Effects, error) {
	s, lives := p.sessions[id]
	if !lives {
		return false, zk.Effects{}, nil
	}
	w := p.begin(now, id, false)
	s.up = true
	w.sessions[id] = s
	for _, group := range []zk.Watch{{Kind: zk.DataWatch}, {Kind: zk.DataWatch, Exists: true}, {Kind: zk.ChildWatch}} {
		for _, x := range watches {
			n, there := w.nodes[x.Path]
			var t zk.EventType
			switch {
			case x.Kind != group.Kind || x.Exists != group.Exists:
				continue
			case x.Exists && there:
				t = zk.NodeCreated
			case !x.Exists && !there:
				t = zk.NodeDeleted
			case !x.Exists && x.Kind == zk.DataWatch && n.stat.Mzxid > rel:
				t = zk.NodeDataChanged
			case x.Kind == zk.ChildWatch && n.stat.Pzxid > rel:
				t = zk.NodeChildrenChanged
			default:
				w.arm(x.Path, x.Kind)
				continue
			}
			w.fx.Fired = append(w.fx.Fired, zk.Fired{Session: id, Event: zk.Event{Type: t, Path: x.Path}, Kinds: []zk.WatchKind{x.Kind}})
		}
	}
	return true, p.keep(w), nil
}

func (p *plain) Shutdown() error { return nil }

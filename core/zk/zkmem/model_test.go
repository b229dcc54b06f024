package zkmem

import (
	"cmp"
	"fmt"
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

// tell fires the watches of a path; a session hears of one path once, whatever kinds of watch it holds.
func (w *work) tell(path string, t zk.EventType, n plainNode, kinds ...zk.WatchKind) {
	var told []zk.SessionID
	for _, kind := range kinds {
		for _, a := range w.watches {
			if a.Path == path && a.Kind == kind && !slices.Contains(told, a.Session) {
				told = append(told, a.Session)
			}
		}
	}
	for _, id := range told {
		f := zk.Fired{Session: id, Event: zk.Event{Type: t, Path: path}}
		for _, kind := range kinds {
			a := zk.ArmedAt{Session: id, Path: path, Kind: kind}
			i := slices.Index(w.watches, a)
			if i < 0 {
				continue
			}
			w.watches, f.Kinds = slices.Delete(w.watches, i, i+1), append(f.Kinds, kind)
			if !n.lets(1, w.sessions[id].ids) {
				w.fx.Dropped = append(w.fx.Dropped, a)
			}
		}
		if n.lets(1, w.sessions[id].ids) {
			w.fx.Fired = append(w.fx.Fired, f)
		}
	}
}

func (w *work) arm(path string, kind zk.WatchKind) {
	if a := (zk.ArmedAt{Session: w.id, Path: path, Kind: kind}); !slices.Contains(w.watches, a) {
		w.watches, w.fx.Armed = append(w.watches, a), append(w.fx.Armed, a)
	}
}

func (w *work) ids() []string { return w.sessions[w.id].ids }

// fixed is a checked ACL.
func (w *work) fixed(list []zk.ACL) (out []zk.ACL) {
	if list == nil {
		return worldAll
	}
	for i, a := range list {
		known := a.Scheme == "world" && a.ID == "anyone" || a.Scheme == "digest" && strings.Count(a.ID, ":") == 1
		need(known || a.Scheme == "auth", zk.InvalidACL)
		if known && !slices.Contains(list[:i], a) {
			out = append(out, a)
		}
		for _, id := range w.ids() {
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

// need ends an operation with a code; try turns that into its result.
func need(ok bool, code zk.Code) {
	if !ok {
		panic(code)
	}
}

func (w *work) try(op zk.Op) (r zk.Result) {
	defer func() {
		if code := recover(); code != nil {
			r = zk.Result{Err: code.(zk.Code)}
		}
	}()
	return map[zk.Kind]func(zk.Op) zk.Result{zk.Create: w.create, zk.Delete: w.delete, zk.Set: w.change, zk.SetACL: w.change,
		zk.Check: w.change, zk.Multi: w.multi, zk.Sync: func(op zk.Op) zk.Result { return zk.Result{Path: op.Path} }, zk.AddAuth: w.addAuth, zk.Exists: w.read, zk.Get: w.read,
		zk.Children: w.read, zk.GetACL: w.read}[op.Kind](op)
}

// lookup needs a node and a permission on it.
func (w *work) lookup(path string, perm int32) plainNode {
	n, found := w.nodes[path]
	need(found, zk.NoNode)
	need(perm == 0 || n.lets(perm, w.ids()), zk.NoAuth)
	return n
}

func (w *work) create(op zk.Op) zk.Result {
	need(op.Mode <= zk.Container, zk.Unimplemented)
	need(strings.Contains(op.Path, "/"), zk.BadArguments)
	acl := w.fixed(op.ACL)
	above, name := split(op.Path)
	parent := w.lookup(above, 4)
	if op.Mode == 2 || op.Mode == 3 {
		name += fmt.Sprintf("%010d", parent.creates)
	}
	path := strings.TrimSuffix(above, "/") + "/" + name
	need(plainValid(path), zk.BadArguments)
	_, taken := w.nodes[path]
	need(!taken, zk.NodeExists)
	need(parent.stat.EphemeralOwner == 0, zk.NoChildrenForEphemerals)
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

func (w *work) delete(op zk.Op) zk.Result {
	need(!slices.Contains([]string{"", "/", "/zookeeper", "/zookeeper/quota", "/zookeeper/config"}, op.Path), zk.BadArguments)
	above, _ := split(op.Path)
	w.lookup(above, 8)
	n := w.lookup(op.Path, 0)
	need(op.Version == -1 || op.Version == n.stat.Version, zk.BadVersion)
	need(len(n.children.items) == 0, zk.NotEmpty)
	w.remove(op.Path)
	return zk.Result{}
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
	need(plainValid(op.Path), zk.BadArguments)
	if op.Kind == zk.SetACL {
		acl := w.fixed(op.ACL)
		n := w.lookup(op.Path, 16)
		need(op.Version == -1 || op.Version == n.stat.Aversion, zk.BadVersion)
		n.acl = acl
		n.stat.Aversion++
		w.put(op.Path, n)
		return zk.Result{Stat: n.shown()}
	}
	n := w.lookup(op.Path, map[zk.Kind]int32{zk.Set: 2, zk.Check: 1}[op.Kind])
	need(op.Version == -1 || op.Version == n.stat.Version, zk.BadVersion)
	if op.Kind == zk.Check {
		return zk.Result{}
	}
	n.data, n.stat.Mzxid, n.stat.Mtime = op.Data, w.zxid, w.now
	n.stat.Version++
	w.put(op.Path, n)
	w.tell(op.Path, zk.NodeDataChanged, n, zk.DataWatch)
	return zk.Result{Stat: n.shown()}
}

func (w *work) read(op zk.Op) zk.Result {
	if op.Kind == zk.Exists && op.Watch {
		w.arm(op.Path, zk.DataWatch)
	}
	n := w.lookup(op.Path, map[zk.Kind]int32{zk.GetACL: 1 | 16, zk.Get: 1, zk.Children: 1}[op.Kind])
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

func (w *work) multi(op zk.Op) zk.Result {
	r := zk.Result{Results: make([]zk.Result, len(op.Ops))}
	for i, o := range op.Ops {
		r.Results[i].Err = zk.RuntimeInconsistency
		if r.Err == zk.OK {
			r.Results[i] = w.try(o)
			r.Results[i].Zxid = w.zxid
			r.Err = r.Results[i].Err
		}
	}
	for i := range r.Results {
		if r.Err != zk.OK {
			r.Results[i] = zk.Result{Err: r.Results[i].Err}
		}
	}
	return r
}

package live

import (
	"strings"

	"controllerscope/core/env"
	"controllerscope/core/zk"
)

var opKinds = map[zk.Kind]env.Kind{zk.Create: env.ZkCreate, zk.Delete: env.ZkDelete, zk.Set: env.ZkSet, zk.Multi: env.ZkMulti,
	zk.Exists: env.ZkRead, zk.Get: env.ZkRead, zk.Children: env.ZkRead, zk.Sync: env.ZkRead, zk.Check: env.ZkCheck}

// noteOp records an answered request and what it tells of ZooKeeper.
func (s *session) noteOp(op zk.Op, r zk.Result) {
	kind, path := opKinds[op.Kind], op.Subject()
	if r.Err != zk.OK && !(r.Err == zk.NoNode && kind == env.ZkRead) {
		kind = env.ZkError
	}
	n := env.Note{Kind: kind, Lane: "zk", Entity: path, Msg: "zk." + op.Kind.String(), IDs: s.ids(),
		Args: []env.Arg{env.A("client", s.p.name), env.A("path", path), env.A("code", r.Err.Error())}}
	switch op.Kind {
	case zk.Multi:
		n.Args = append(n.Args, env.A("ops", op.Outcomes(r)))
		for _, o := range op.Ops {
			n.Reads = append(n.Reads, env.P("zk", o.Path))
		}
	case zk.Children:
		n.Args = append(n.Args, env.A("children", env.Strings(r.Children)))
		n.Reads = []env.Path{env.P("zk", path)}
	default:
		n.Reads = []env.Path{env.P("zk", path)}
	}
	if r.Path != "" {
		n.Args = append(n.Args, env.A("created", r.Path))
	}
	if op.Kind.IsWrite() && r.Zxid != 0 {
		n.IDs.Zxid = env.Zxid(r.Zxid)
	}
	s.p.recorder.learn(s.p.at, n, op, r, s.ids().Session)
	s.p.noted(n)
	s.noteArmed(op, r)
}

// noteArmed records the watch that a read armed, unless its event came before the answer.
func (s *session) noteArmed(op zk.Op, r zk.Result) {
	if !op.Watch || r.Err != zk.OK && !(op.Kind == zk.Exists && r.Err == zk.NoNode) {
		return
	}
	key := watchKey{op.Path, zk.DataWatch}
	if op.Kind == zk.Children {
		key.kind = zk.ChildWatch
	}
	if s.armed[key] || s.fired[key] {
		return
	}
	s.armed[key] = true
	s.p.Note(env.Note{Kind: env.WatchArm, Lane: "zk", Entity: op.Path, Msg: "zk.watch.arm", IDs: s.ids(),
		Args:    []env.Arg{env.A("client", s.p.name), env.A("path", op.Path), env.A("kind", key.kind.String())},
		Changes: []env.Change{env.Set(true, s.watchPath(key)...)}})
}

// learn records a note with what its answer tells of nodes, where the document does not know better.
func (r *Recorder) learn(at *cursor, n env.Note, op zk.Op, res zk.Result, session string) {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if op.Kind == zk.Multi && res.Err == zk.OK {
		for i, o := range op.Ops {
			if i < len(res.Results) {
				n.Changes = append(n.Changes, r.node(o, res.Results[i], session)...)
			}
		}
	} else if op.Kind != zk.Multi {
		n.Changes = r.node(op, res, session)
	}
	if op.Kind.IsWrite() && res.Err == zk.OK && res.Zxid > r.seen[""] {
		r.seen[""] = res.Zxid
		n.Changes = append(n.Changes, env.Set(env.Zxid(res.Zxid), "zxid"))
	}
	r.step(at, n)
}

// newer reports whether an answer knows a node's later state, and remembers that it does.
func (r *Recorder) newer(path string, zxid int64) bool {
	if path == "/" || path == "/zookeeper" || strings.HasPrefix(path, "/zookeeper/") || zxid < r.seen[path] || zxid == 0 {
		return false
	}
	r.seen[path] = zxid
	return true
}

// node is what the answer to one operation changes in the document.
func (r *Recorder) node(op zk.Op, res zk.Result, session string) []env.Change {
	gone := res.Err == zk.NoNode && (op.Kind == zk.Get || op.Kind == zk.Exists || op.Kind == zk.Children)
	switch {
	case gone || op.Kind == zk.Delete && res.Err == zk.OK:
		if r.newer(op.Path, res.Zxid) {
			return []env.Change{env.Unset("zk", op.Path)}
		}
	case res.Err != zk.OK:
	case op.Kind == zk.Create:
		if r.newer(res.Path, res.Zxid) {
			return created(op, res, session)
		}
	case op.Kind == zk.Get:
		if r.newer(op.Path, res.Zxid) {
			return append(leaves(op.Path, res.Stat), data(op.Path, res.Data))
		}
	case op.Kind == zk.Set:
		if r.newer(op.Path, res.Zxid) {
			return append(leaves(op.Path, res.Stat), data(op.Path, op.Data))
		}
	case op.Kind == zk.Children:
		return r.vanished(op.Path, res)
	}
	return nil
}

// vanished are the known children of a node that a list of its children does not have any more.
func (r *Recorder) vanished(path string, res zk.Result) []env.Change {
	listed := map[string]bool{}
	for _, name := range res.Children {
		listed[name] = true
	}
	var out []env.Change
	prefix := strings.TrimSuffix(path, "/") + "/"
	var missing []string
	for _, known := range r.trace.Doc().Names("zk") {
		name, below := strings.CutPrefix(known, prefix)
		if name, _, _ = strings.Cut(name, "/"); below && !listed[name] {
			missing = append(missing, known)
		}
	}
	for _, known := range missing {
		if r.newer(known, res.Zxid) {
			out = append(out, env.Unset("zk", known))
		}
	}
	return out
}

func data(path string, value []byte) env.Change {
	if value == nil {
		return env.Unset("zk", path, "data")
	}
	return env.Set(string(value), "zk", path, "data")
}

// created is a new node: version 0, its transaction, its owner; when it was made only the server knows.
func created(op zk.Op, res zk.Result, session string) []env.Change {
	stat := zk.Stat{Czxid: res.Zxid, Mzxid: res.Zxid, Pzxid: res.Zxid}
	changes := append([]env.Change{env.Unset("zk", res.Path)}, leaves(res.Path, stat)...)
	if op.Mode == zk.Ephemeral || op.Mode == zk.EphemeralSequential {
		changes = append(changes, env.Set(session, "zk", res.Path, "owner"))
	}
	return append(changes, data(res.Path, op.Data))
}

// leaves spells out a Stat, times where it has them.
func leaves(path string, s zk.Stat) []env.Change {
	leaf := func(name string, v any) env.Change { return env.Change{Path: env.P("zk", path, name), After: v} }
	out := []env.Change{leaf("version", env.Int(s.Version)), leaf("cversion", env.Int(s.Cversion)), leaf("aversion", env.Int(s.Aversion)),
		leaf("czxid", env.Zxid(s.Czxid)), leaf("mzxid", env.Zxid(s.Mzxid)), leaf("pzxid", env.Zxid(s.Pzxid))}
	if s.Ctime != 0 {
		out = append(out, leaf("ctime", env.Time(s.Ctime)), leaf("mtime", env.Time(s.Mtime)))
	}
	if s.EphemeralOwner == 0 {
		return append(out, leaf("owner", nil))
	}
	return append(out, leaf("owner", env.Session(int64(s.EphemeralOwner))))
}

package sim

import (
	"cmp"
	"slices"
	"strings"

	"controllerscope/core/env"
	"controllerscope/core/kafka"
	"controllerscope/core/zk"
)

// opNotes say how a request is noted.
var opNotes = map[zk.Kind]struct {
	kind env.Kind
	msg  string
}{zk.Create: {env.ZkCreate, "zk.create"}, zk.Delete: {env.ZkDelete, "zk.delete"}, zk.Set: {env.ZkSet, "zk.set"},
	zk.Multi: {env.ZkMulti, "zk.multi"}, zk.Exists: {env.ZkRead, "zk.exists"}, zk.Get: {env.ZkRead, "zk.get"},
	zk.Children: {env.ZkRead, "zk.children"}, zk.Sync: {env.ZkRead, "zk.sync"}, zk.Check: {env.ZkCheck, "zk.check"}}

// noteOp records a request applied by the store and the watches it armed; it returns the step of the request.
func (w *World) noteOp(s *session, op zk.Op, r zk.Result, fx zk.Effects) int {
	w.committed(fx)
	if !w.tracing() {
		w.noteArmed(fx)
		return w.at.last()
	}
	said := opNotes[op.Kind]
	missing := r.Err == zk.NoNode && (op.Kind == zk.Exists || op.Kind == zk.Get || op.Kind == zk.Children)
	if r.Err != zk.OK && !missing {
		said.kind = env.ZkError
	}
	path, ids := op.Subject(), env.IDs{Session: s.tag()}
	var some [5]env.Arg
	args := append(some[:0], s.proc.client, env.A("path", path), w.code(r.Err))
	switch op.Kind {
	case zk.Multi:
		args = append(args, env.A("ops", op.Outcomes(r)))
		for _, o := range op.Ops {
			w.notes.Read("zk", o.Path)
		}
	case zk.Children:
		args = append(args, env.A("children", env.Strings(r.Children)))
		w.notes.Read("zk", op.Path)
	default:
		w.notes.Read("zk", op.Path)
	}
	if r.Path != "" {
		args = append(args, env.A("created", r.Path))
	}
	if fx.Zxid != 0 {
		ids.Zxid = env.Zxid(fx.Zxid)
		w.nodeChanges(fx)
		w.notes.Set(ids.Zxid, "zxid")
	}
	w.notes.Note(said.kind, path, said.msg, ids, nil, args)
	step := w.at.last()
	w.noteArmed(fx)
	return step
}

// code is an answer's code as an argument of notes, which all that say it share.
func (w *World) code(c zk.Code) env.Arg {
	a, known := w.codes[c]
	if !known {
		a = env.A("code", c.Error())
		w.codes[c] = a
	}
	return a
}

// committed remembers the last transaction.
func (w *World) committed(fx zk.Effects) {
	if fx.Zxid != 0 {
		w.zxid = fx.Zxid
	}
}

// noteArmed records watches that a read armed.
func (w *World) noteArmed(fx zk.Effects) {
	for _, a := range fx.Armed {
		if s := w.sessions[a.Session]; s != nil {
			s.armed[a] = true
		}
		if !w.tracing() {
			continue
		}
		session := env.Session(int64(a.Session))
		w.notes.Set(true, "watch", a.Path, a.Kind.String(), session)
		w.notes.Note(env.WatchArm, a.Path, "zk.watch.arm", env.IDs{Session: session}, nil,
			[]env.Arg{env.A("client", w.clientOf(a.Session)), env.A("path", a.Path), env.A("kind", a.Kind.String())})
	}
}

func watchPath(a zk.ArmedAt) []string {
	return []string{"watch", a.Path, a.Kind.String(), env.Session(int64(a.Session))}
}

func (w *World) clientOf(id zk.SessionID) string {
	if s := w.sessions[id]; s != nil {
		return s.proc.name
	}
	return ""
}

// effects sends the watch events of a transaction on their way and shows the changes that nobody hears of.
func (w *World) effects(fx zk.Effects) {
	cause := w.at.last()
	for _, f := range fx.Fired {
		if s := w.sessions[f.Session]; s != nil {
			w.at.prev = append(w.at.prev[:0], cause)
			w.fire(s, f)
		}
	}
	if w.tracing() && len(fx.Nodes) > 0 {
		w.at.prev = append(w.at.prev[:0], cause)
		w.unseen(fx)
	}
	w.at.prev = append(w.at.prev[:0], cause)
	if cause < 0 {
		w.at.prev = w.at.prev[:0]
	}
}

// fire is a watch used up: its event is on its way to the client.
func (w *World) fire(s *session, f zk.Fired) {
	for _, k := range f.Kinds {
		delete(s.armed, zk.ArmedAt{Session: f.Session, Path: f.Event.Path, Kind: k})
	}
	if w.tracing() {
		n := env.Note{Kind: env.WatchFire, Entity: f.Event.Path, Msg: "zk.watch.fire", IDs: env.IDs{Session: s.tag()},
			Args:  []env.Arg{s.proc.client, env.A("event", f.Event.Type.String()), env.A("path", f.Event.Path)},
			Reads: []env.Path{watchPath(zk.ArmedAt{Session: f.Session, Path: f.Event.Path, Kind: firstKind(f)})}}
		for _, k := range f.Kinds {
			n.Changes = append(n.Changes, env.Unset(watchPath(zk.ArmedAt{Session: f.Session, Path: f.Event.Path, Kind: k})...))
		}
		w.note(n)
	}
	c := s.in.put(&Choice{Kind: WatchToClient, What: f.Event.Type.String() + " " + f.Event.Path, proc: s.proc})
	c.run = func() {
		for _, k := range f.Kinds {
			s.release(f.Event.Path, k)
		}
		s.owner.WatchEvent(f.Event)
	}
}

func firstKind(f zk.Fired) zk.WatchKind {
	if len(f.Kinds) == 0 {
		return zk.DataWatch
	}
	return f.Kinds[0]
}

// unseen notes, for each client that has a handler but no armed watch, a change it does not hear of.
func (w *World) unseen(fx zk.Effects) {
	heard := func(id zk.SessionID, path string) bool {
		return slices.ContainsFunc(fx.Fired, func(f zk.Fired) bool { return f.Session == id && f.Event.Path == path })
	}
	for _, s := range w.opened {
		id := s.id
		if w.sessions[id] != s || s.proc.dead || s.state != zk.Connected || s.owner == nil {
			continue
		}
		for _, n := range fx.Nodes {
			kind := zk.DataWatch
			if !n.Gone && n.Stat.Mzxid != fx.Zxid {
				kind = zk.ChildWatch
			}
			if s.owner.Interested(n.Path, kind) && !heard(id, n.Path) {
				w.note(env.Note{Kind: env.WatchLost, Entity: n.Path, Msg: "zk.watch.lost", IDs: env.IDs{Session: env.Session(int64(id))},
					Args: []env.Arg{s.proc.client, env.A("path", n.Path), env.A("kind", kind.String())}})
			}
		}
	}
}

// nodeChanges puts into the journal what a transaction did to the tree.
func (w *World) nodeChanges(fx zk.Effects) {
	for _, n := range fx.Nodes {
		if ownNode(n.Path) {
			continue
		}
		if n.Gone {
			w.notes.Unset("zk", n.Path)
			continue
		}
		switch s := n.Stat; fx.Zxid {
		case s.Czxid:
			node(n, &w.notes.Changes)
		case s.Mzxid:
			nodeData(n, &w.notes.Changes)
			nodeChildren(n, &w.notes.Changes)
		case s.Pzxid:
			nodeChildren(n, &w.notes.Changes)
		default: // an access list
			w.notes.Set(env.Int(s.Aversion), "zk", n.Path, "aversion")
		}
	}
}

// ownNode reports whether a node is ZooKeeper's own, or the root, and so no part of the document.
func ownNode(path string) bool {
	return path == "/" || path == "/zookeeper" || strings.HasPrefix(path, "/zookeeper/")
}

// nodeData spells out the leaves of a znode that a set changes; a nil value stands for an absent leaf.
func nodeData(n zk.Node, to *env.Changes) {
	if n.Data == nil {
		to.Unset("zk", n.Path, "data")
	} else {
		to.Set(string(n.Data), "zk", n.Path, "data")
	}
	to.Set(env.Int(n.Stat.Version), "zk", n.Path, "version")
	to.Set(env.Zxid(n.Stat.Mzxid), "zk", n.Path, "mzxid")
	to.Set(env.Time(n.Stat.Mtime), "zk", n.Path, "mtime")
}

// nodeChildren spells out the leaves of a znode that a child's coming or going changes.
func nodeChildren(n zk.Node, to *env.Changes) {
	to.Set(env.Int(n.Stat.Cversion), "zk", n.Path, "cversion")
	to.Set(env.Zxid(n.Stat.Pzxid), "zk", n.Path, "pzxid")
}

// node spells out all leaves of one znode.
func node(n zk.Node, to *env.Changes) {
	nodeData(n, to)
	nodeChildren(n, to)
	s := n.Stat
	to.Set(env.Int(s.Aversion), "zk", n.Path, "aversion")
	to.Set(env.Zxid(s.Czxid), "zk", n.Path, "czxid")
	to.Set(env.Time(s.Ctime), "zk", n.Path, "ctime")
	if s.EphemeralOwner == 0 {
		to.Unset("zk", n.Path, "owner")
	} else {
		to.Set(env.Session(int64(s.EphemeralOwner)), "zk", n.Path, "owner")
	}
}

// disarm forgets all watches that the server held for a session that has gone.
func (s *session) disarm() []env.Change {
	var out []env.Change
	for _, a := range s.watchesHeld() {
		out = append(out, env.Unset(watchPath(a)...))
	}
	clear(s.armed)
	return out
}

// watchesHeld lists the watches that the server holds for the session, by path, then kind.
func (s *session) watchesHeld() []zk.ArmedAt {
	return kafka.SortedFunc(s.armed, func(a, b zk.ArmedAt) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), cmp.Compare(a.Kind, b.Kind))
	})
}

package kafkaplay

import (
	"slices"

	"controllerscope/core/zk"
	"controllerscope/core/zk/zkmem"
)

// tap is the emulator with a line tapped: it writes down every conversation, in the order of the server.
type tap struct {
	*zkmem.Store
	log  []said
	peek zk.SessionID // a session of the tap's own, to look at the tree
}

// said is one request with its answer, or one watch event.
type said struct {
	session zk.SessionID
	connect string // "new" or "resume": a connect request
	close   bool   // a closeSession request
	sets    bool   // a setWatches request, for the watches in set
	set     []zk.Watch
	op      zk.Op
	result  zk.Result
	wrote   bool // a write that succeeded
	event   *zk.Event
	zxid    int64
}

func newTap() (*tap, error) {
	t := &tap{Store: zkmem.New(zkmem.Options{})}
	id, _, _, err := t.Store.Open(0, 30000)
	t.peek = id
	return t, err
}

func (t *tap) Open(now int64, timeoutMS int32) (zk.SessionID, int32, zk.Effects, error) {
	id, ms, fx, err := t.Store.Open(now, timeoutMS)
	t.log = append(t.log, said{session: id, connect: "new"})
	t.fired(fx)
	return id, ms, fx, err
}

// Apply puts the events of a request before it: ZooKeeper sends them before the answer, wherever they go.
func (t *tap) Apply(now int64, id zk.SessionID, op zk.Op) (zk.Result, zk.Effects, error) {
	r, fx, err := t.Store.Apply(now, id, op)
	t.fired(fx)
	t.log = append(t.log, said{session: id, op: op, result: r, wrote: op.Kind.IsWrite() && r.Err == zk.OK, zxid: fx.Zxid})
	return r, fx, err
}

func (t *tap) Close(now int64, id zk.SessionID) (zk.Effects, error) {
	fx, err := t.Store.Close(now, id)
	t.fired(fx)
	t.log = append(t.log, said{session: id, close: true})
	return fx, err
}

func (t *tap) Expire(now int64, id zk.SessionID) (zk.Effects, error) {
	fx, err := t.Store.Expire(now, id)
	t.fired(fx, id)
	return fx, err
}

// fired writes watch events down; a session that expires does not hear of what it takes along.
func (t *tap) fired(fx zk.Effects, deaf ...zk.SessionID) {
	for _, f := range fx.Fired {
		if !slices.Contains(deaf, f.Session) {
			t.log = append(t.log, said{session: f.Session, event: &f.Event})
		}
	}
}

// look answers a read as the tree stands, without leaving a trace of it.
func (t *tap) look(op zk.Op) zk.Result {
	op.Watch = false
	r, _, err := t.Store.Apply(0, t.peek, op)
	if err != nil {
		return zk.Result{Err: zk.RuntimeInconsistency}
	}
	return r
}

// wouldAnswer is the code that a request would get now. Inside a multi only creates before it are taken into account.
func (t *tap) wouldAnswer(op zk.Op) zk.Code {
	switch op.Kind {
	case zk.Multi:
		made := map[string]bool{}
		for _, o := range op.Ops {
			if made[o.Path] {
				continue
			}
			if code := t.wouldAnswer(o); code != zk.OK {
				return code
			}
			made[o.Path] = o.Kind == zk.Create
		}
		return zk.OK
	case zk.Create:
		if op.Mode == zk.PersistentSequential || op.Mode == zk.EphemeralSequential {
			return t.look(zk.Op{Kind: zk.Exists, Path: parent(op.Path)}).Err
		}
		if t.look(zk.Op{Kind: zk.Exists, Path: op.Path}).Err == zk.OK {
			return zk.NodeExists
		}
		return t.look(zk.Op{Kind: zk.Exists, Path: parent(op.Path)}).Err
	case zk.Set, zk.Check, zk.Delete:
		r := t.look(zk.Op{Kind: zk.Exists, Path: op.Path})
		if r.Err == zk.OK && op.Version != zk.AnyVersion && op.Version != r.Stat.Version {
			return zk.BadVersion
		}
		if r.Err == zk.OK && op.Kind == zk.Delete && r.Stat.NumChildren > 0 {
			return zk.NotEmpty
		}
		return r.Err
	}
	return t.look(op).Err
}

func parent(path string) string {
	for i := len(path) - 1; i > 0; i-- {
		if path[i] == '/' {
			return path[:i]
		}
	}
	return "/"
}

// Znode is a node of a snapshot.
type znode struct {
	data []byte
	stat zk.Stat
}

// snapshot is the whole tree but ZooKeeper's own part.
func (t *tap) snapshot() map[string]znode {
	out := map[string]znode{}
	t.Walk(func(path string, data []byte, stat zk.Stat) {
		if path != "/" && path != "/zookeeper" && !hasPrefix(path, "/zookeeper/") {
			out[path] = znode{data, stat}
		}
	})
	return out
}

func hasPrefix(s, p string) bool { return len(s) >= len(p) && s[:len(p)] == p }

// Heal is a client that resumes its session, and sets its watches again.
func (t *tap) Heal(now int64, id zk.SessionID, relZxid int64, watches []zk.Watch) (bool, zk.Effects, error) {
	ok, fx, err := t.Store.Heal(now, id, relZxid, watches)
	if ok {
		t.log = append(t.log, said{session: id, connect: "resume"}, said{session: id, set: slices.Clone(watches), sets: true})
	}
	t.fired(fx)
	return ok, fx, err
}

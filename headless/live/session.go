package live

import (
	"cmp"
	"net"
	"slices"
	"strings"
	"sync"
	"time"

	"controllerscope/core/env"
	"controllerscope/core/kafka"
	"controllerscope/core/zk"
	"controllerscope/core/zk/zkreal"
)

// connector makes a process's sessions. It keeps their network connections, so that they can break with the process.
type connector struct {
	p     *Process
	real  *zkreal.Connector
	batch func(lane string, ops []zk.Op, began time.Time) // nil for nobody

	sessions []*session

	mu    sync.Mutex
	conns []net.Conn
	dead  bool
}

// newConnector makes no connection yet; dial nil is TCP.
func newConnector(p *Process, a zkreal.Address, dial zkreal.Dialer) *connector {
	c := &connector{p: p}
	if dial == nil {
		dial = net.DialTimeout
	}
	c.real = zkreal.NewConnector(zkreal.LiveOptions{Address: a, Lock: p.lock, Unlock: p.unlock,
		Dial: func(network, address string, timeout time.Duration) (net.Conn, error) {
			return c.dial(dial, network, address, timeout)
		}})
	return c
}

func (c *connector) dial(dial zkreal.Dialer, network, address string, timeout time.Duration) (net.Conn, error) {
	conn, err := dial(network, address, timeout)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.dead {
		conn.Close()
		return nil, net.ErrClosed
	}
	c.conns = append(c.conns, conn)
	return conn, nil
}

// Open implements zk.Connector.
func (c *connector) Open(owner zk.Owner, o zk.Options) zk.Session {
	s := &session{p: c.p, batch: c.batch, owner: owner, timeout: o.TimeoutMS, armed: map[watchKey]bool{}, fired: map[watchKey]bool{}}
	c.sessions = append(c.sessions, s)
	s.real = c.real.Open(s, o)
	return s
}

// connected reports whether the newest session has its connection.
func (c *connector) connected() bool {
	c.p.mu.Lock()
	defer c.p.mu.Unlock()
	n := len(c.sessions)
	return n > 0 && c.sessions[n-1].real.State() == zk.Connected
}

// sever breaks all connections without a word to the server, so that a session that is still open is left to expire.
func (c *connector) sever() {
	c.mu.Lock()
	c.dead = true
	for _, conn := range c.conns {
		conn.Close()
	}
	c.mu.Unlock()
	for _, s := range c.sessions {
		go func() {
			c.p.mu.Lock()
			defer c.p.mu.Unlock()
			s.real.Close() // ends the client; no connection is left over which the server could hear of it
		}()
	}
}

// watchKey is one entry of a session's watches.
type watchKey struct {
	path string
	kind zk.WatchKind
}

// session records what a session of the real client does. It stands between the client and the session's owner.
type session struct {
	p       *Process
	batch   func(lane string, ops []zk.Op, began time.Time)
	real    zk.Session
	owner   zk.Owner
	timeout int32
	opened  bool              // its opening has been noted
	armed   map[watchKey]bool // watches that the server holds, as far as is known here
	fired   map[watchKey]bool // events that came while a request was under way
	busy    int               // batches under way
}

func (s *session) ID() zk.SessionID { return s.real.ID() }
func (s *session) State() zk.State  { return s.real.State() }

// Do implements zk.Session.
func (s *session) Do(ops ...zk.Op) []zk.Result {
	var results []zk.Result
	if s.busy++; s.busy == 1 {
		clear(s.fired)
	}
	began := time.Now()
	s.p.leave(func() {
		results = s.real.Do(ops...)
		s.busy--
	})
	if s.batch != nil {
		s.batch(s.p.at.lane, ops, began)
	}
	if s.p.Tracing() {
		for i, op := range ops {
			s.noteOp(op, results[i])
		}
	}
	return results
}

// Close implements zk.Session.
func (s *session) Close() {
	open := s.real.State() == zk.Connected
	s.p.leave(s.real.Close)
	if open {
		s.note(env.SessionClose, "zk.session.close", append(s.doc("closed"), s.disarm()...))
	}
}

// WatchEvent implements zk.Owner.
func (s *session) WatchEvent(e zk.Event) {
	at := cursor{lane: s.p.name}
	s.p.on(&at, func() {
		if s.p.dead {
			return
		}
		if s.p.Tracing() {
			n := env.Note{Kind: env.WatchFire, Lane: "zk", Entity: e.Path, Msg: "zk.watch.fire", IDs: s.ids(),
				Args:  []env.Arg{env.A("client", s.p.name), env.A("event", e.Type.String()), env.A("path", e.Path)},
				Reads: []env.Path{env.P("zk", e.Path)}}
			for _, kind := range used(e.Type) {
				key := watchKey{e.Path, kind}
				s.fired[key] = true
				if s.armed[key] {
					delete(s.armed, key)
					n.Reads = append(n.Reads, s.watchPath(key))
					n.Changes = append(n.Changes, env.Unset(s.watchPath(key)...))
				}
			}
			s.p.Note(n)
		}
		s.owner.WatchEvent(e)
	})
}

// used are the watches that an event uses up.
func used(t zk.EventType) []zk.WatchKind {
	switch t {
	case zk.NodeChildrenChanged:
		return []zk.WatchKind{zk.ChildWatch}
	case zk.NodeDeleted:
		return []zk.WatchKind{zk.DataWatch, zk.ChildWatch}
	}
	return []zk.WatchKind{zk.DataWatch}
}

// StateChanged implements zk.Owner.
func (s *session) StateChanged(state zk.State) {
	at := cursor{lane: s.p.name}
	s.p.on(&at, func() {
		if s.p.dead {
			return
		}
		switch {
		case state == zk.Connected && !s.opened:
			s.opened = true
			s.note(env.SessionOpen, "zk.session.open", s.doc("connected"), env.A("timeout", env.Int(s.timeout)))
		case state == zk.Connected:
			s.note(env.SessionHeal, "zk.session.heal", s.doc("connected"))
		case state == zk.Disconnected && s.opened:
			s.note(env.SessionCut, "zk.session.cut", s.doc("cut"))
		case state == zk.Expired:
			s.note(env.SessionLearn, "zk.session.learn", append(s.doc("expired"), s.disarm()...))
		}
		s.owner.StateChanged(state)
	})
}

// Interested implements zk.Owner.
func (s *session) Interested(path string, kind zk.WatchKind) bool {
	return s.owner.Interested(path, kind)
}

func (s *session) note(kind env.Kind, msg string, changes []env.Change, args ...env.Arg) {
	if s.p.Tracing() {
		s.p.Note(env.Note{Kind: kind, Lane: "zk", Entity: "session " + s.p.name, Msg: msg, Changes: changes, IDs: s.ids(),
			Args: append([]env.Arg{env.A("client", s.p.name)}, args...)})
	}
}

func (s *session) ids() env.IDs { return env.IDs{Session: env.Session(int64(s.real.ID()))} }

// doc is the session's part of the document; timeout is what was asked for.
func (s *session) doc(state string) []env.Change {
	id := env.Session(int64(s.real.ID()))
	return []env.Change{env.Set(s.p.name, "session", id, "client"), env.Set(state, "session", id, "state"),
		env.Set(env.Int(s.timeout), "session", id, "timeout")}
}

func (s *session) watchPath(k watchKey) env.Path {
	return env.P("watch", k.path, k.kind.String(), env.Session(int64(s.real.ID())))
}

// disarm forgets all watches.
func (s *session) disarm() []env.Change {
	var out []env.Change
	for _, k := range kafka.SortedFunc(s.armed, func(a, b watchKey) int {
		return cmp.Or(strings.Compare(a.path, b.path), cmp.Compare(a.kind, b.kind))
	}) {
		out = append(out, env.Unset(s.watchPath(k)...))
	}
	clear(s.armed)
	return slices.Clip(out)
}

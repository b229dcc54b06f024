package sim

import (
	"cmp"
	"slices"
	"strconv"

	"controllerscope/core/env"
	"controllerscope/core/zk"
)

// session is one ZooKeeper session as both ends see it. Requests stand in out, answers and watch events in in: two pipes,
// so that each end keeps ZooKeeper's order.
type session struct {
	w       *World
	proc    *process
	owner   zk.Owner
	opts    zk.Options
	id      zk.SessionID
	tagged  string // id as text, once somebody asked
	timeout int32
	state   zk.State // as the client knows it
	out, in *pipe

	server   serverState
	expiry   *Choice             // of a silent session
	armed    map[zk.ArmedAt]bool // watches the server holds for it
	seen     int64               // last zxid in an answer the client read
	watches  []zk.Watch
	batches  []*batch // under way, of all threads of the process
	unsent   []call   // requests that wait for a free place in flight
	inFlight int
	unaware  bool    // its connection broke while it was paused, and it has not noticed yet
	closing  *thread // waits for the end of the session
	number   int     // among all sessions ever opened, from 1
}

// serverState is what the server knows of a session.
type serverState string

const (
	unopened  serverState = ""
	connected serverState = "connected"
	cut       serverState = "cut" // no connection, or a silent one
	expired   serverState = "expired"
	closed    serverState = "closed"
)

// batch is one call of Do under way.
type batch struct {
	thread  *thread
	ops     []zk.Op
	results []zk.Result
	missing int // answers still to come
}

// call is one request of a batch.
type call struct {
	*batch
	i int
}

func (c call) op() zk.Op { return c.ops[c.i] }

// connector makes a process's sessions.
type connector struct{ proc *process }

// Open implements zk.Connector: the session exists at once, the server is asked when the connect request arrives.
func (c connector) Open(owner zk.Owner, o zk.Options) zk.Session {
	w := c.proc.w
	s := &session{w: w, proc: c.proc, owner: owner, opts: o, armed: map[zk.ArmedAt]bool{}}
	n := len(c.proc.sessions)
	suffix := c.proc.name
	if n > 0 {
		suffix += "'" + strconv.Itoa(n)
	}
	s.out = &pipe{w: w, name: "zk." + suffix, latency: toStore}
	s.in = &pipe{w: w, name: "client." + suffix, latency: toClient}
	c.proc.sessions = append(c.proc.sessions, s)
	s.out.put(&Choice{Kind: RequestToStore, What: "connect", run: s.connect})
	return s
}

// connect is the connect request arriving at the server.
func (s *session) connect() {
	if s.withoutQuorum(s.connect) {
		return
	}
	s.w.at.lane = "zk"
	id, timeout, fx, err := s.w.cfg.Store.Open(Epoch+s.w.now, s.opts.TimeoutMS)
	if err != nil {
		s.w.fail(err)
		return
	}
	s.id, s.tagged, s.timeout, s.server = id, "", timeout, connected
	s.w.sessions[id] = s
	s.w.opened = append(s.w.opened, s)
	s.number = len(s.w.opened)
	s.w.committed(fx)
	if s.w.tracing() {
		s.w.note(env.Note{Kind: env.SessionOpen, Entity: "session " + s.proc.name, Msg: "zk.session.open",
			Args:    []env.Arg{s.proc.client, env.A("timeout", env.Int(timeout))},
			Changes: append(s.doc(), env.Set(env.Zxid(fx.Zxid), "zxid")),
			IDs:     env.IDs{Zxid: env.Zxid(fx.Zxid), Session: s.tag()}})
	}
	s.in.put(&Choice{Kind: StateToClient, What: "Connected", proc: s.proc, run: func() { s.become(zk.Connected) }})
}

// become tells the owner a new state.
func (s *session) become(state zk.State) {
	if s.state == state || s.state == zk.ClosedState {
		return
	}
	s.state = state
	s.owner.StateChanged(state)
}

// tag is the session's id in the document.
func (s *session) tag() string {
	if s.tagged == "" {
		s.tagged = env.Session(int64(s.id))
	}
	return s.tagged
}

func (s *session) ID() zk.SessionID { return s.id }
func (s *session) State() zk.State  { return s.state }

// Do implements zk.Session. Threads of one process share the connection: their requests travel in one order.
func (s *session) Do(ops ...zk.Op) []zk.Result {
	results := make([]zk.Result, len(ops))
	code := s.refusal()
	for i := range results {
		results[i].Err = cmp.Or(code, zk.ConnectionLoss) // until the answer comes
	}
	if code != zk.OK {
		return results
	}
	if len(ops) == 0 {
		return results
	}
	s.w.batches++
	b := &batch{thread: s.w.mustRun(), ops: ops, results: results, missing: len(ops)}
	s.batches = append(s.batches, b)
	for i := range ops {
		s.unsent = append(s.unsent, call{b, i})
	}
	s.send()
	b.thread.park()
	return results
}

// refusal is the code that a request gets at once in the present state; OK lets it go.
func (s *session) refusal() zk.Code {
	switch s.state {
	case zk.Expired:
		return zk.SessionExpired
	case zk.ClosedState:
		return zk.Closed
	case zk.Disconnected:
		return zk.ConnectionLoss
	}
	return zk.OK
}

// send hands requests to the pipe, as many as may be in flight together.
func (s *session) send() {
	for len(s.unsent) > 0 && (s.opts.MaxInFlight == 0 || s.inFlight < s.opts.MaxInFlight) {
		c := s.unsent[0]
		s.unsent = s.unsent[1:]
		s.inFlight++
		s.w.on(&c.thread.cursor, func() {
			s.out.put(&Choice{Kind: RequestToStore, What: c.op().Kind.String() + " " + c.op().Subject(),
				asked: &asked{s, c.op()}, run: func() { s.apply(c) }})
		})
	}
}

// apply is a request arriving at the server.
func (s *session) apply(c call) {
	if s.server != connected {
		return // the connection is gone: nobody reads this request
	}
	s.w.at.lane = "zk"
	op := c.op()
	result, fx, err := s.w.cfg.Store.Apply(Epoch+s.w.now, s.id, op)
	if err != nil {
		s.w.fail(err)
		return
	}
	step := s.w.noteOp(s, op, result, fx)
	s.w.effects(fx)
	s.w.watchContainers()
	if s.w.loseReply(s, op) {
		return
	}
	answer := s.in.put(&Choice{Kind: AnswerToClient, What: op.Kind.String() + " " + op.Subject() + " " + result.Err.Error(),
		proc: s.proc, run: func() { s.answer(c, result, step) }})
	answer.cause = step
	answer.dropped = func() { s.loseConnection(op.Subject()) }
}

// answer is an answer arriving at the client; the last one of a batch lets its thread go on.
func (s *session) answer(c call, r zk.Result, step int) {
	c.results[c.i] = r
	c.missing--
	s.inFlight--
	s.seen = max(s.seen, r.Zxid)
	s.hold(c.op(), r)
	c.thread.cursor.after(step)
	s.send()
	if c.missing > 0 {
		return
	}
	s.batches = slices.DeleteFunc(s.batches, func(o *batch) bool { return o == c.batch })
	c.thread.answered()
}

// hold keeps the client's own list of watches, which it sets again after a reconnect.
func (s *session) hold(op zk.Op, r zk.Result) {
	if !op.Watch {
		return
	}
	var held zk.Watch
	switch {
	case op.Kind == zk.Children && r.Err == zk.OK:
		held = zk.Watch{Path: op.Path, Kind: zk.ChildWatch}
	case op.Kind == zk.Get && r.Err == zk.OK, op.Kind == zk.Exists && r.Err == zk.OK:
		held = zk.Watch{Path: op.Path, Kind: zk.DataWatch}
	case op.Kind == zk.Exists && r.Err == zk.NoNode:
		held = zk.Watch{Path: op.Path, Kind: zk.DataWatch, Exists: true}
	default:
		return
	}
	s.release(held.Path, held.Kind)
	s.watches = append(s.watches, held)
}

func (s *session) release(path string, kind zk.WatchKind) {
	s.watches = slices.DeleteFunc(s.watches, func(x zk.Watch) bool { return x.Path == path && x.Kind == kind })
}

// Close implements zk.Session.
func (s *session) Close() {
	if s.state == zk.Expired || s.state == zk.ClosedState {
		s.state = zk.ClosedState
		return
	}
	t := s.w.mustRun()
	if s.server != connected {
		s.state = zk.ClosedState // the server will expire it
		return
	}
	s.closing = t
	s.out.put(&Choice{Kind: RequestToStore, What: "closeSession", run: s.closeAtServer})
	t.park()
}

// closeAtServer is the close request arriving; everything the session owned goes in one transaction.
func (s *session) closeAtServer() {
	if s.server == connected {
		s.end(closed, "zk.session.close", env.SessionClose, s.w.cfg.Store.Close)
	}
	s.in.put(&Choice{Kind: AnswerToClient, What: "closeSession", proc: s.proc, run: func() {
		s.state = zk.ClosedState
		s.drop()
	}})
}

// end ends the session at the server: by close or by expiry, the same transaction.
func (s *session) end(to serverState, msg string, kind env.Kind, call func(int64, zk.SessionID) (zk.Effects, error)) {
	s.w.at.lane = "zk"
	fx, err := call(Epoch+s.w.now, s.id)
	if err != nil {
		s.w.fail(err)
		return
	}
	s.server = to
	s.w.committed(fx)
	s.stopExpiry()
	delete(s.w.sessions, s.id)
	disarmed := s.disarm()
	if s.w.tracing() {
		ids := env.IDs{Zxid: env.Zxid(fx.Zxid), Session: s.tag()}
		s.w.notes.Add(s.doc())
		s.w.nodeChanges(fx)
		s.w.notes.Add(disarmed)
		s.w.notes.Set(ids.Zxid, "zxid")
		s.w.notes.Note(kind, "session "+s.proc.name, msg, ids, nil, []env.Arg{s.proc.client})
	}
	s.w.effects(fx)
}

// doc is the session's part of the document.
func (s *session) doc() []env.Change {
	id := s.tag()
	changes := []env.Change{env.Set(s.proc.name, "session", id, "client"), env.Set(string(s.server), "session", id, "state"),
		env.Set(env.Int(s.timeout), "session", id, "timeout"), env.Set(env.Int(s.number), "session", id, "number"),
		env.Unset("session", id, "expires")}
	if s.expiry != nil {
		changes[4] = env.Set(s.expiry.Due, "session", id, "expires")
	}
	if _, many := s.w.cfg.Store.(zk.Ensemble); many {
		changes = append(changes, s.serverLeaf())
	}
	return changes
}

package sim

import (
	"slices"

	"controllerscope/core/env"
	"controllerscope/core/zk"
)

// reconnect is how long a client library takes to come back after a lost connection, in virtual ms.
const reconnect = 1000

// drop breaks a connection: what was under way is lost, and its client sees that at once.
func (s *session) drop() {
	s.out.clear()
	s.in.clear()
	s.lose()
}

// lose is the moment at which a client sees its connection broken: what it still waits for is answered ConnectionLoss
// (the code that a result has from the start).
func (s *session) lose() {
	s.unaware = false
	lost := s.batches
	s.batches, s.unsent, s.inFlight = nil, nil, 0
	s.become(zk.Disconnected)
	for _, b := range lost {
		b.thread.cursor.after(s.w.at.last())
		b.thread.answered()
	}
	s.closed()
}

// closed lets the thread go on that waits for the session's end.
func (s *session) closed() {
	if t := s.closing; t != nil {
		s.closing, s.state = nil, zk.ClosedState
		t.cursor.after(s.w.at.last())
		t.answered()
	}
}

// silence is the moment at which the server hears no more of a session: its watches go, its expiry comes nearer.
func (s *session) silence() {
	if s.server != connected {
		return
	}
	s.server = cut
	s.giveUpAfter()
}

// giveUpAfter offers the expiry of a session that is not heard any more; one that is silent already expires when it would.
func (s *session) giveUpAfter() {
	if s.expiry != nil || s.w.noQuorum {
		return
	}
	s.expiry = s.w.offer(&Choice{Kind: SessionExpiry, What: "session of " + s.proc.name, Due: s.w.now + int64(s.timeout),
		name: "expiry." + s.proc.name, number: s.number, cause: s.w.at.last(), run: s.expire,
		leaf: env.P("session", s.tag(), "expires")})
}

// mute is a paused process: the connection stands, but nothing is heard on it, so the session's expiry comes nearer.
func (s *session) mute() {
	s.giveUpAfter()
	if s.w.tracing() {
		s.w.note(env.Note{Kind: env.SessionCut, Lane: "zk", Entity: "session " + s.proc.name, Msg: "zk.session.silent",
			Args: []env.Arg{s.proc.client}, Changes: s.doc(), IDs: env.IDs{Session: s.tag()}})
	}
}

// unmute is a process that goes on in time.
func (s *session) unmute() {
	if s.server != connected || s.expiry == nil {
		return
	}
	s.stopExpiry()
	if s.w.tracing() {
		s.w.note(env.Note{Kind: env.SessionHeal, Lane: "zk", Entity: "session " + s.proc.name, Msg: "zk.session.heard",
			Args: []env.Arg{s.proc.client}, Changes: s.doc(), IDs: env.IDs{Session: s.tag()}})
	}
}

func (s *session) stopExpiry() {
	if s.expiry != nil {
		s.expiry.gone = true
		s.expiry = nil
	}
}

// cutOff breaks the connection for both ends.
func (s *session) cutOff(msg string) {
	if s.server != connected {
		return
	}
	if err := s.w.cfg.Store.Cut(s.id); err != nil {
		s.w.fail(err)
		return
	}
	s.silence()
	disarmed := s.disarm()
	if s.w.tracing() {
		s.w.note(env.Note{Kind: env.SessionCut, Entity: "session " + s.proc.name, Msg: msg, Args: []env.Arg{s.proc.client},
			Changes: append(s.doc(), disarmed...), IDs: env.IDs{Session: s.tag()}})
	}
	switch {
	case s.proc.dead:
	case s.proc.paused: // it finds out when it goes on; until then it may send, but nobody reads that
		s.out.clear()
		s.in.clear()
		s.unaware = true
		s.in.put(&Choice{Kind: StateToClient, What: "Disconnected", proc: s.proc, run: func() {
			s.out.clear()
			s.lose()
		}})
	default:
		s.drop()
	}
}

// heal brings the connection back; the client hears that it is connected, or that its session is gone.
func (s *session) heal() {
	if s.proc.dead || s.state == zk.Expired || s.state == zk.ClosedState || s.server == connected {
		return
	}
	if s.proc.paused || s.unaware { // a library reconnects when it goes on and has seen that it must
		s.in.put(&Choice{Kind: StateToClient, What: "reconnect", proc: s.proc, returns: s, run: s.heal})
		return
	}
	if s.withoutQuorum(s.heal) {
		return
	}
	if s.server != cut {
		s.learnExpiry()
		return
	}
	s.w.at.lane = "zk"
	ok, fx, err := s.w.cfg.Store.Heal(Epoch+s.w.now, s.id, s.seen, slices.Clone(s.watches))
	if err != nil {
		s.w.fail(err)
		return
	}
	if !ok {
		s.learnExpiry()
		return
	}
	s.server = connected
	s.stopExpiry()
	if s.w.tracing() {
		s.w.note(env.Note{Kind: env.SessionHeal, Entity: "session " + s.proc.name, Msg: "zk.session.heal",
			Args: []env.Arg{s.proc.client}, Changes: s.doc(), IDs: env.IDs{Session: s.tag()}})
	}
	s.in.put(&Choice{Kind: StateToClient, What: "Connected", proc: s.proc, run: func() { s.become(zk.Connected) }})
	s.w.noteArmed(fx)
	s.w.effects(fx)
}

// learnExpiry tells the client, on its next contact, that its session is gone.
func (s *session) learnExpiry() {
	s.in.put(&Choice{Kind: StateToClient, What: "Expired", proc: s.proc, run: func() {
		if s.state == zk.Expired || s.state == zk.ClosedState {
			return
		}
		s.drop()
		if s.w.tracing() {
			s.w.note(env.Note{Kind: env.SessionLearn, Entity: "session " + s.proc.name, Msg: "zk.session.learn",
				Args: []env.Arg{s.proc.client}, IDs: env.IDs{Session: s.tag()}})
		}
		s.become(zk.Expired)
	}})
}

// expire is the server giving a session up. A client that still has a connection learns of it when it reconnects.
func (s *session) expire() {
	if s.server != connected && s.server != cut {
		return
	}
	had := s.server == connected
	s.end(expired, "zk.session.expire", env.SessionExpire, s.w.cfg.Store.Expire)
	s.out.clear()
	if had && !s.proc.dead {
		s.learnExpiry()
	}
}

// loseConnection is the fault of a lost answer: the request was applied, its answer is withheld, the connection breaks,
// and the client library comes back by itself.
func (s *session) loseConnection(path string) {
	s.w.note(env.Note{Kind: env.Fault, Entity: path, Msg: "world.reply-lost", Args: []env.Arg{s.proc.client, env.A("path", path)}})
	s.cutOff("zk.session.cut")
	s.out.put(&Choice{Kind: StateToClient, What: "reconnect", Due: reconnect, returns: s, run: s.heal})
}

// loseReply carries out an armed lose-reply fault if this write is the one.
func (s *session) writes(op zk.Op, path string) bool {
	if op.Kind == zk.Multi {
		return slices.ContainsFunc(op.Ops, func(o zk.Op) bool { return o.Kind != zk.Check && o.Path == path })
	}
	return op.Kind.IsWrite() && op.Path == path
}

// loseReply reports whether the answer to op was withheld, as lose-reply asked for.
func (w *World) loseReply(s *session, op zk.Op) bool {
	armed := w.loseOn[s.proc.name]
	i := slices.IndexFunc(armed, func(path string) bool { return s.writes(op, path) })
	if i < 0 {
		return false
	}
	path := armed[i]
	w.loseOn[s.proc.name] = slices.Delete(armed, i, i+1)
	if len(s.in.queue) == 0 {
		s.loseConnection(path)
		return true
	}
	s.in.put(&Choice{Kind: AnswerToClient, What: "reply lost " + path, proc: s.proc, run: func() { s.loseConnection(path) }})
	return true
}

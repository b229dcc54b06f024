package sim

import (
	"container/heap"
	"errors"
	"fmt"
	"strconv"

	"controllerscope/core/env"
	"controllerscope/core/kafka"
	"controllerscope/core/zk"
)

// What clients see of a ZooKeeper of several servers: reads from a follower that lags, sync, a move to another server, the
// loss of the quorum. It is there only in worlds whose Store is a zk.Ensemble; everywhere else one server answers.

// quorumLost is the document's word for it, under hold; a follower that lags is lagWord and its number.
const (
	quorumLost = "zk.quorum"
	lagWord    = "zk.server."
)

// follower finds a server that can lag.
func (w *World) follower(server int) (zk.Ensemble, error) {
	e, ok := w.cfg.Store.(zk.Ensemble)
	switch {
	case !ok:
		return nil, errors.New("ZooKeeper is one server in this world; write servers=3 into the cluster line")
	case server < 1 || server >= e.Servers():
		return nil, fmt.Errorf("no follower %d; server 0 leads, the followers are 1 to %d", server, e.Servers()-1)
	}
	return e, nil
}

// LagServer has a follower of the ensemble fall behind: the clients that are connected to it read old data.
func (w *World) LagServer(server int) error {
	e, err := w.follower(server)
	if err != nil {
		return err
	}
	w.lagging[server] = true
	e.Lag(server, true)
	w.outside(serverNote("admin.zk.lag", server, env.Set(true, "hold", lagWord+strconv.Itoa(server))), func() {})
	return nil
}

// CatchUpServer lets a follower catch up; watch events that it was late with are sent now.
func (w *World) CatchUpServer(server int) error {
	e, err := w.follower(server)
	if err != nil {
		return err
	}
	delete(w.lagging, server)
	w.outside(serverNote("admin.zk.catch-up", server, env.Unset("hold", lagWord+strconv.Itoa(server))), func() {
		w.at.lane = "zk"
		w.effects(e.Lag(server, false))
	})
	return nil
}

func serverNote(msg string, server int, changes ...env.Change) env.Note {
	return env.Note{Kind: env.Fault, Entity: "ZooKeeper server " + strconv.Itoa(server), Msg: msg,
		Args: []env.Arg{env.A("server", env.Int(int32(server)))}, Changes: changes}
}

// MoveClient has the client of a process lose its connection and connect to another server, with the same session. A server
// that is behind what the client has seen refuses it.
func (w *World) MoveClient(client string, server int) error {
	if server != 0 {
		if _, err := w.follower(server); err != nil {
			return err
		}
	}
	e, ok := w.cfg.Store.(zk.Ensemble)
	p := w.procs[client]
	switch {
	case !ok:
		return errors.New("ZooKeeper is one server in this world; write servers=3 into the cluster line")
	case p == nil || p.session() == nil || p.session().server != connected:
		return fmt.Errorf("%s is not connected to ZooKeeper; clients are processes, such as 0 for broker 0, and admin", client)
	}
	s := p.session()
	before := e.Server(s.id)
	if !e.Move(s.id, server, s.seen) {
		return fmt.Errorf("server %d refuses client %s: it is behind what that client has seen; let it catch up first", server, client)
	}
	n := serverNote("admin.zk.move", server, s.serverLeaf())
	n.Args = append(n.Args, env.A("client", client), env.A("from", env.Int(int32(before))))
	w.outside(n, func() {
		s.cutOff("zk.session.cut")
		s.comeBack(s.heal)
	})
	return nil
}

// serverLeaf is the follower that a session is connected to; the leader is not said.
func (s *session) serverLeaf() env.Change {
	path := env.P("session", s.tag(), "server")
	if e, ok := s.w.cfg.Store.(zk.Ensemble); ok && e.Server(s.id) != 0 {
		return env.Set(env.Int(int32(e.Server(s.id))), path...)
	}
	return env.Unset(path...)
}

// LoseQuorum takes the majority of ZooKeeper's servers away: those that are left answer nobody, every connection breaks,
// and no session expires, since only a leader expires sessions.
func (w *World) LoseQuorum() error {
	if w.noQuorum {
		return errors.New("the quorum is lost already")
	}
	w.noQuorum = true
	w.outside(env.Note{Kind: env.Fault, Entity: "ZooKeeper", Msg: "admin.quorum.lost", Changes: []env.Change{env.Set(true, "hold", quorumLost)}}, func() {
		for _, s := range w.opened {
			if s.server == connected {
				s.cutOff("zk.session.cut")
				s.withoutQuorum(s.heal)
			}
			s.keep()
		}
	})
	return nil
}

// keep takes a session's expiry back: there is no leader that would expire it.
func (s *session) keep() {
	if s.expiry == nil {
		return
	}
	s.stopExpiry()
	if s.w.tracing() {
		s.w.note(env.Note{Kind: env.SessionCut, Lane: "zk", Entity: "session " + s.proc.name, Msg: "zk.session.kept",
			Args: []env.Arg{s.proc.client}, Changes: s.doc(), IDs: env.IDs{Session: s.tag()}})
	}
}

// RegainQuorum brings the majority back. The new leader begins an epoch, which shows in its zxids, and gives every session
// its whole timeout; clients that run come back with the sessions they had.
func (w *World) RegainQuorum() error {
	if !w.noQuorum {
		return errors.New("the quorum is not lost")
	}
	w.noQuorum = false
	w.outside(env.Note{Kind: env.Release, Entity: "ZooKeeper", Msg: "admin.quorum.back", Changes: []env.Change{env.Unset("hold", quorumLost)}}, func() {
		if e, many := w.cfg.Store.(zk.Ensemble); many {
			e.Elect()
		}
		for _, s := range w.opened {
			if s.server == cut {
				s.mute()
			}
		}
		due := w.atQuorum
		w.atQuorum = nil
		for _, again := range due {
			again()
		}
	})
	return nil
}

// withoutQuorum reports whether nobody answers; then the client tries again once somebody does.
func (s *session) withoutQuorum(what func()) bool {
	if s.w.noQuorum {
		s.w.atQuorum = append(s.w.atQuorum, func() { s.comeBack(what) })
	}
	return s.w.noQuorum
}

// comeBack has the client library try again, after the pause that it makes.
func (s *session) comeBack(what func()) {
	if s.proc.dead {
		return
	}
	s.out.put(&Choice{Kind: StateToClient, What: "reconnect", Due: reconnect, returns: s, run: what})
	heap.Init(&s.w.agenda)
}

// dumpEnsemble shows what is wrong with the ensemble.
func (w *World) dumpEnsemble(d env.Dump) {
	for _, server := range kafka.SortedKeys(w.lagging) {
		d.Set(true, "hold", lagWord+strconv.Itoa(server))
	}
	if w.noQuorum {
		d.Set(true, "hold", quorumLost)
	}
}

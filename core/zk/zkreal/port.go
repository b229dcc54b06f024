package zkreal

import (
	"fmt"

	"controllerscope/core/zk"
)

// Open makes a session on the next server of the list. The server is asked for a long timeout, since every expiry is
// forced; the negotiated timeout is what a server with the default tick grants.
func (s *Store) Open(now int64, timeoutMS int32) (id zk.SessionID, negotiatedMS int32, fx zk.Effects, err error) {
	err = s.guard(func() error {
		ss := &session{identity: identity{timeoutMS: longTimeoutMS}, member: len(s.order) % len(s.servers),
			watches: map[watchKey]bool{}}
		if _, err := s.connect(ss); err != nil {
			return err
		}
		request := fmt.Sprintf("opening session 0x%x", ss.id)
		s.sessions[ss.id], s.order = ss, append(s.order, ss)
		// No answer shows the transaction that made the session; the first read after it shows that one or a later one of
		// another client, and no node will ever name it.
		if err := s.flush(ss, max(s.before, s.zxids.last())+1); err != nil {
			return err
		}
		mirror, negotiated, mine, err := s.mirror.Open(now, timeoutMS)
		if err != nil {
			return err
		}
		ss.mirror, s.byMirror[mirror] = mirror, ss
		id, negotiatedMS = ss.id, negotiated
		fx, err = s.settle(request, mine, ss.seen, false)
		return err
	})
	return
}

// Apply executes one request of a session; see zk.Store. A request too large for a server breaks the session's connection
// like Cut.
func (s *Store) Apply(now int64, id zk.SessionID, op zk.Op) (res zk.Result, fx zk.Effects, err error) {
	err = s.guard(func() error {
		ss, err := s.find(id)
		if err != nil {
			return err
		}
		request := fmt.Sprintf("%s %s of session 0x%x", op.Kind, op.Path, id)
		if err := possible(op); err != nil {
			return fmt.Errorf("%s: %w", request, err)
		}
		real, asked, err := s.answer(ss, op, request)
		if err != nil {
			return err
		}
		mirrored, mine, err := s.mirror.Apply(now, ss.mirror, op)
		if err != nil {
			return err
		}
		for _, a := range mine.Armed {
			ss.watches[watchKey{a.Path, a.Kind}] = op.Kind == zk.Exists && mirrored.Err == zk.NoNode
		}
		if fx, err = s.settle(request, mine, real.Zxid, true); err != nil {
			return err
		}
		if asked {
			res, err = s.agree(request, op, real, mirrored)
		} else {
			res, err = s.result(mirrored)
		}
		return err
	})
	return
}

// answer asks the server, except for a session without connection and about the nodes under /zookeeper. A write there is
// the mirror's alone: the server only gives it a transaction, by refusing to delete its root.
func (s *Store) answer(ss *session, op zk.Op, request string) (real zk.Result, asked bool, err error) {
	if ss.gone || ss.link == nil {
		return zk.Result{}, false, nil
	}
	if own(op) {
		if op.Kind.IsWrite() {
			real, err = s.ask(ss, zk.Op{Kind: zk.Delete, Path: "/"}, request)
		}
		return real, false, err
	}
	real, err = s.ask(ss, op, request)
	return real, true, err
}

// Close ends the session by its client's wish. The session hears the events of its own end, as it would.
func (s *Store) Close(now int64, id zk.SessionID) (zk.Effects, error) {
	return s.end(now, id, "closing", s.mirror.Close, func(ss *session) (*wire, error) {
		err := s.ensure(ss)
		return ss.link.wire, err
	})
}

// Expire ends the session as a server does whose client is silent: it is resumed on another connection, which takes it
// from the client, and closed there.
func (s *Store) Expire(now int64, id zk.SessionID) (zk.Effects, error) {
	return s.end(now, id, "expiring", s.mirror.Expire, s.elsewhere)
}

func (s *Store) end(now int64, id zk.SessionID, verb string, mirrored func(int64, zk.SessionID) (zk.Effects, error),
	connection func(*session) (*wire, error)) (fx zk.Effects, err error) {
	err = s.guard(func() error {
		ss, err := s.find(id)
		if err != nil || ss.gone {
			return err
		}
		w := ss.keeper
		if w == nil {
			if w, err = connection(ss); err != nil {
				return err
			}
		}
		zxid, err := w.closeSession(patience)
		if err != nil {
			return fmt.Errorf("%w: %s while session 0x%x was being closed", ErrServer, err, id)
		}
		own, err := s.heard(ss)
		if err != nil {
			return err
		}
		mine, err := mirrored(now, ss.mirror)
		if err != nil {
			return err
		}
		ss.gone, ss.watches = true, nil
		ss.release()
		w.Close()
		request := fmt.Sprintf("%s session 0x%x", verb, id)
		if verb == "closing" {
			if err := sameEvents(request, ss, own, mine.Fired, false); err != nil {
				return err
			}
		}
		fx, err = s.settle(request, mine, zxid, false)
		return err
	})
	return
}

// Cut breaks the session's connection: the server drops its watches and keeps the session.
func (s *Store) Cut(id zk.SessionID) error {
	return s.guard(func() error {
		ss, err := s.find(id)
		if err != nil || ss.gone || ss.link == nil {
			return err
		}
		if err := s.park(ss); err != nil {
			return err
		}
		return s.mirror.Cut(ss.mirror)
	})
}

// Heal resumes a cut session on a new connection and sets the watches; see zk.Store.
func (s *Store) Heal(now int64, id zk.SessionID, relZxid int64, watches []zk.Watch) (ok bool, fx zk.Effects, err error) {
	err = s.guard(func() error {
		ss, err := s.find(id)
		if err != nil || ss.gone {
			return err
		}
		if ss.link == nil {
			if ok, err = s.connect(ss); err != nil {
				return err
			}
			ss.keeper.Close()
			ss.keeper = nil
			if !ok {
				return fmt.Errorf("%w: session 0x%x is gone, though the run did not end it", ErrServer, id)
			}
		} else if err := s.ensure(ss); err != nil {
			return err
		}
		if err := s.flush(ss, s.zxids.last()); err != nil {
			return err
		}
		if _, err := ss.link.setWatches(relZxid, ours(watches), s.root, patience); err != nil {
			return lostConnection(err, s.servers[ss.member])
		}
		var mine zk.Effects
		if ok, mine, err = s.mirror.Heal(now, ss.mirror, s.zxids.toMirror(relZxid), watches); err != nil {
			return err
		}
		for _, a := range mine.Armed {
			ss.watches[watchKey{a.Path, a.Kind}] = onMissing(watches, a)
		}
		fx, err = s.settle(fmt.Sprintf("resuming session 0x%x", id), mine, 0, false)
		return err
	})
	return
}

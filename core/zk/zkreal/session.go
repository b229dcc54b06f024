package zkreal

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"controllerscope/core/zk"
	"controllerscope/core/zk/jute"
)

// session is one simulated client's session on the server.
type session struct {
	identity
	mirror zk.SessionID // the same session in the mirror
	member int          // which of the servers it is connected to

	link   *link // while connected
	keeper *wire // while cut: keeps the session alive at the server
	gone   bool  // closed or expired

	watches map[watchKey]bool // held by the server for this connection; true: set on a missing node
	seen    int64             // newest transaction that an answer on this connection has shown
}

type watchKey struct {
	path string
	kind zk.WatchKind
}

// held lists the session's watches in a fixed order.
func (ss *session) held() []zk.Watch {
	out := make([]zk.Watch, 0, len(ss.watches))
	for k, missing := range ss.watches {
		out = append(out, zk.Watch{Path: k.path, Kind: k.kind, Exists: missing})
	}
	slices.SortFunc(out, func(a, b zk.Watch) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), cmp.Compare(a.Kind, b.Kind))
	})
	return out
}

// connect gives the session a connection: a new session if it has no id yet. It begins with the server the session was
// on and tries the others after it. ok is false when the session is gone.
func (s *Store) connect(ss *session) (ok bool, err error) {
	for i := range s.servers {
		member := (ss.member + i) % len(s.servers)
		l, r, ok, dialErr := openLink(s.dial, s.servers[member], ss.identity, patience)
		if dialErr != nil {
			err = fmt.Errorf("%w at %s: %v; run again", ErrServer, s.servers[member], dialErr)
			continue
		}
		if !ok {
			return false, nil
		}
		ss.link, ss.member, ss.seen = l, member, 0
		ss.id, ss.password, ss.timeoutMS = r.SessionID, r.Password, r.TimeoutMS
		return true, nil
	}
	return false, err
}

// How long a lost connection is tried again before the run ends. An ensemble that chooses a new leader needs about a
// second and a few more on a busy machine.
const (
	reconnectEnsemble = 10 * time.Second
	reconnectSingle   = time.Second
)

// ensure makes good a connection that was lost while nothing was under way, as when an ensemble changes its leader. The
// events of all settled transactions are in, so nothing is missed.
func (s *Store) ensure(ss *session) error {
	if !ss.link.wire.gone() {
		return nil
	}
	ss.link.finish()
	deadline := time.Now().Add(reconnectSingle)
	if len(s.servers) > 1 {
		deadline = time.Now().Add(reconnectEnsemble)
	}
	for {
		err := s.resume(ss)
		if err == nil || time.Now().After(deadline) {
			return err
		}
		time.Sleep(100 * time.Millisecond)
	}
}

// resume connects once more and sets the session's watches again.
func (s *Store) resume(ss *session) error {
	ok, err := s.connect(ss)
	if err != nil {
		return err
	}
	if !ok {
		return fmt.Errorf("%w: session 0x%x expired because its connection was silent for longer than %d ms", ErrServer,
			ss.id, ss.timeoutMS)
	}
	if err := s.flush(ss, s.zxids.last()); err != nil {
		return err
	}
	_, err = ss.link.setWatches(s.settled, ours(ss.held()), s.root, patience)
	return lostConnection(err, s.servers[ss.member])
}

// flush reads on the session's connection until an answer shows the transaction: then its server has carried it out,
// and all events of it have been heard.
func (s *Store) flush(ss *session, zxid int64) error {
	shown, err := s.readUntil(ss, zxid)
	s.saw(ss, shown)
	return err
}

// readUntil is flush without keeping account, so that it can run for several sessions at once. On an ensemble a sync goes
// before the read, and is answered before the read is sent: a ZooKeeper 3.8 server that gets both at once now and then
// leaves the read lying until the session's next ping.
func (s *Store) readUntil(ss *session, zxid int64) (shown int64, err error) {
	read := jute.Request{Code: jute.OpExists, Op: zk.Op{Kind: zk.Exists, Path: s.root}}
	sync := jute.Request{Code: jute.OpSync, Op: zk.Op{Kind: zk.Sync, Path: s.root}}
	behind := len(s.servers) > 1
	for deadline := time.Now().Add(patience); ; behind = true {
		if behind {
			if _, err := ss.link.wire.call(patience, sync); err != nil {
				return shown, lostConnection(err, s.servers[ss.member])
			}
		}
		answers, err := ss.link.wire.call(patience, read)
		if err != nil {
			return shown, lostConnection(err, s.servers[ss.member])
		}
		if shown = answers[0].Zxid; shown >= zxid {
			return shown, nil
		}
		if time.Now().After(deadline) {
			return shown, fmt.Errorf("%w: %s is still behind transaction 0x%x after %v", ErrServer, s.servers[ss.member],
				zxid, patience)
		}
	}
}

// saw notes how far an answer on the session's connection shows its server to be.
func (s *Store) saw(ss *session, zxid int64) {
	ss.seen = max(ss.seen, zxid)
	s.applied[ss.member] = max(s.applied[ss.member], zxid)
}

// lostConnection words the failure of a call.
func lostConnection(err error, server string) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%w: %s: %v; run again", ErrServer, server, err)
}

// park breaks the session's connection and keeps the session alive on a raw one. The server has dropped the watches of
// the broken connection when it returns.
func (s *Store) park(ss *session) error {
	ss.link.finish()
	ss.link = nil
	clear(ss.watches)
	w, err := s.elsewhere(ss)
	if err != nil {
		return err
	}
	ss.keeper = w
	go w.keepAlive(time.Duration(ss.timeoutMS) * time.Millisecond / 3)
	return nil
}

// elsewhere resumes the session on a raw connection.
func (s *Store) elsewhere(ss *session) (*wire, error) {
	var err error
	for i := range s.servers {
		member := (ss.member + i) % len(s.servers)
		w, ok, dialErr := resumeRaw(s.dial, s.servers[member], ss.identity, patience)
		if ok {
			return w, nil
		}
		if err = lostConnection(dialErr, s.servers[member]); err == nil {
			return nil, fmt.Errorf("%w: session 0x%x is gone from %s, though the run did not end it", ErrServer, ss.id,
				s.servers[member])
		}
	}
	return nil, err
}

// release lets go of the session's connections.
func (ss *session) release() {
	if ss.link != nil {
		ss.link.finish()
		ss.link = nil
	}
	if ss.keeper != nil {
		ss.keeper.Close()
		ss.keeper = nil
	}
}

package zkreal

import (
	"errors"
	"fmt"
	"net"
	"time"

	"controllerscope/core/zk"
	"controllerscope/core/zk/zkmem"
)

// Store is a real server or ensemble, one request at a time, compared with a mirror. See the package's documentation.
// After an error it is broken and every call returns that error; Shutdown still cleans up.
type Store struct {
	dial    Dialer
	servers []string
	guest   *guest
	root    string // the run's folder; every path of the world is under it

	mirror   *zkmem.Store
	zxids    zxids
	before   int64 // newest transaction before the run
	settled  int64 // newest transaction whose events are all in
	sessions map[zk.SessionID]*session
	byMirror map[zk.SessionID]*session
	order    []*session // by opening
	applied  []int64    // newest transaction each server is known to have carried out

	broken error
	counts Counts
}

// Counts says what a run cost.
type Counts struct {
	Requests int // requests of the world, opening and closing of sessions included
	Barriers int // reads that waited for the events of a write, on all sessions
}

var _ zk.Store = (*Store)(nil)

// NewStore claims the address's chroot and makes a fresh folder in it for one run. dial nil is net.DialTimeout. The errors
// are those of Prepare.
func NewStore(a Address, dial Dialer) (*Store, error) {
	dial = orDial(dial)
	g, err := enter(dial, a)
	if err != nil {
		return nil, err
	}
	s := &Store{dial: dial, servers: a.Servers, guest: g, mirror: zkmem.New(zkmem.Options{}),
		sessions: map[zk.SessionID]*session{}, byMirror: map[zk.SessionID]*session{}, applied: make([]int64, len(a.Servers))}
	if err := s.begin(); err != nil {
		g.leave()
		return nil, err
	}
	return s, nil
}

func (s *Store) begin() error {
	if err := s.guest.claim(); err != nil {
		return err
	}
	root, err := s.guest.newRun()
	if err != nil {
		return err
	}
	s.root = root
	res, err := s.guest.ask(zk.Op{Kind: zk.Exists, Path: root})
	s.before = res.Zxid
	return err
}

func orDial(d Dialer) Dialer {
	if d == nil {
		return net.DialTimeout
	}
	return d
}

// Root is the run's folder on the server.
func (s *Store) Root() string { return s.root }

// Counts says what the run has cost until now.
func (s *Store) Counts() Counts { return s.counts }

// Shutdown compares the whole tree (Verify) unless the run has failed, closes all sessions, removes the run's folder and
// leaves. After a failure of the server it does what it can; Clean removes what is left.
func (s *Store) Shutdown() error {
	if s.guest.wire.gone() {
		s.guest.finish()
		g, err := enter(s.dial, s.guest.address)
		if err != nil {
			s.releaseAll()
			return fmt.Errorf("%s was not removed (clean removes it later): %w", s.root, err)
		}
		s.guest = g
	}
	defer s.guest.leave()
	var different error
	if s.broken == nil {
		different = s.Verify()
	}
	s.releaseAll()
	_, err := s.guest.remove(s.root)
	return errors.Join(different, err)
}

// releaseAll closes the sessions that are still there.
func (s *Store) releaseAll() {
	for _, ss := range s.order {
		w := ss.keeper
		if ss.link != nil {
			w = ss.link.wire
		}
		if w != nil && !w.gone() {
			w.closeSession(time.Second)
		}
		ss.release()
	}
}

// guard runs one call of the port unless an earlier one failed.
func (s *Store) guard(call func() error) error {
	if s.broken == nil {
		s.counts.Requests++
		s.broken = call()
	}
	return s.broken
}

func (s *Store) find(id zk.SessionID) (*session, error) {
	if ss := s.sessions[id]; ss != nil {
		return ss, nil
	}
	return nil, fmt.Errorf("session 0x%x was never opened in this run", id)
}

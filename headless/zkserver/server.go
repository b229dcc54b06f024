// Package zkserver puts ZooKeeper's wire protocol in front of a zk.Store: over TCP for any client, over net.Pipe for one
// in the same process. Sessions live by the wall clock here, with ZooKeeper's ticks.
//
// One lock orders everything, as a standalone server's request pipeline does: a request is applied and its watch events
// and its answer are queued at their connections under it, so each client sees events before the answers that show the
// change. Every connection has a goroutine that reads and one that writes; neither ever holds the lock while it waits
// for the network.
package zkserver

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"net"
	"sync"
	"time"

	"controllerscope/core/kafka"
	"controllerscope/core/zk"
	"controllerscope/core/zk/jute"
)

// Options of a server; zero values have defaults.
type Options struct {
	TickMS            int32 // tickTime, 2000; sessions expire at the end of one
	MinSessionMS      int32 // minSessionTimeout, 2 ticks
	MaxSessionMS      int32 // maxSessionTimeout, 20 ticks
	CheckContainersMS int64 // znode.container.checkIntervalMs, zk.CheckContainersEveryMS; at the end of a tick
}

// Server serves one Store. Make it with New; after Close it is finished.
type Server struct {
	opts    Options
	started time.Time
	secret  [16]byte // makes passwords; new in every server, since sessions do not outlive it
	stop    chan struct{}
	running sync.WaitGroup

	mu        sync.Mutex
	store     zk.Store
	sessions  map[zk.SessionID]*session
	conns     map[*conn]struct{}
	listeners map[net.Listener]struct{}
	lastZxid  int64
	closed    bool
	fault     error // what the Store failed with, if it did
	waits     latency
	stats     counters // needs no lock
}

// session is a ZooKeeper session; conn is nil while its client is away.
type session struct {
	id        zk.SessionID
	timeoutMS int32
	expires   int64 // wall clock ms, a multiple of the tick
	conn      *conn
}

// New starts a server over a store that nobody else uses from now on.
func New(store zk.Store, o Options) *Server {
	if o.TickMS <= 0 {
		o.TickMS = 2000
	}
	if o.MinSessionMS <= 0 {
		o.MinSessionMS = 2 * o.TickMS
	}
	if o.MaxSessionMS <= 0 {
		o.MaxSessionMS = 20 * o.TickMS
	}
	if o.CheckContainersMS <= 0 {
		o.CheckContainersMS = zk.CheckContainersEveryMS
	}
	s := &Server{opts: o, started: time.Now(), stop: make(chan struct{}), store: store,
		sessions: map[zk.SessionID]*session{}, conns: map[*conn]struct{}{}, listeners: map[net.Listener]struct{}{}}
	_, _ = rand.Read(s.secret[:]) // never fails (crypto/rand)
	s.running.Add(1)
	go s.tick()
	return s
}

// now is the server's wall clock in ms.
func now() int64 { return time.Now().UnixMilli() }

// Serve takes connections until the listener or the server is closed; then it reports nil.
func (s *Server) Serve(l net.Listener) error {
	s.mu.Lock()
	closed := s.closed
	if !closed {
		s.listeners[l] = struct{}{}
	}
	s.mu.Unlock()
	if closed {
		return l.Close()
	}
	for {
		c, err := l.Accept()
		if errors.Is(err, net.ErrClosed) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("zookeeper emulator on %s: %w", l.Addr(), err)
		}
		s.ServeConn(c)
	}
}

// Dial gives the client's end of a new connection in this process. net.Pipe has no buffer: a client must read and write
// in different goroutines, as every ZooKeeper client does.
func (s *Server) Dial() (net.Conn, error) {
	client, server := net.Pipe()
	if !s.ServeConn(server) {
		return nil, errors.New("zookeeper emulator: the server is closed")
	}
	return client, nil
}

// ServeConn serves one connection in the background and closes it at the end; false means that the server is closed.
func (s *Server) ServeConn(nc net.Conn) bool {
	c := newConn(s, nc)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		nc.Close()
		return false
	}
	s.conns[c] = struct{}{}
	s.running.Add(2)
	go c.read()
	go c.write()
	return true
}

// Close ends every connection and releases the store. Sessions are not expired: the server just stops.
func (s *Server) Close() error {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return nil
	}
	s.closed = true
	close(s.stop)
	for l := range s.listeners {
		l.Close()
	}
	for c := range s.conns {
		c.abort()
	}
	s.mu.Unlock()
	s.running.Wait()
	return errors.Join(s.fault, s.store.Shutdown())
}

// Err is what the Store failed with; after that the server has closed every connection and takes no new one.
func (s *Server) Err() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.fault
}

// failed stops everything after the Store itself failed: no answer would be true any more. The lock is held.
func (s *Server) failed(err error) {
	if s.fault == nil {
		s.fault = err
	}
	for c := range s.conns {
		c.abort()
	}
}

// tick expires sessions at the end of each tick and removes empty containers.
func (s *Server) tick() {
	defer s.running.Done()
	tick := int64(s.opts.TickMS)
	nextCheck := now() + s.opts.CheckContainersMS
	for {
		t := now()
		select {
		case <-s.stop:
			return
		case <-time.After(time.Duration((t/tick+1)*tick-t) * time.Millisecond):
		}
		s.mu.Lock()
		s.expire(now())
		if t := now(); t >= nextCheck {
			nextCheck = t + s.opts.CheckContainersMS
			s.checkContainers(t)
		}
		s.mu.Unlock()
	}
}

// expire ends the sessions whose time has come, lowest id first. The lock is held.
func (s *Server) expire(at int64) {
	for _, id := range kafka.SortedKeys(s.sessions) {
		ses := s.sessions[id]
		if ses.expires > at || s.fault != nil {
			continue
		}
		fx, err := s.store.Expire(at, id)
		if err != nil {
			s.failed(err)
			return
		}
		s.deliver(fx)
		s.forget(ses)
	}
}

// forget drops an ended session and, after what is queued, its connection. The lock is held.
func (s *Server) forget(ses *session) {
	delete(s.sessions, ses.id)
	if ses.conn != nil {
		ses.conn.session = nil
		ses.conn.finish()
		ses.conn = nil
	}
}

// checkContainers has the store remove what it removes by itself. The lock is held.
func (s *Server) checkContainers(at int64) {
	checker, ok := s.store.(zk.ContainerChecker)
	if !ok || s.fault != nil {
		return
	}
	for _, fx := range checker.CheckContainers(at) {
		s.deliver(fx)
	}
}

// deliver queues the watch events of one transaction, in the server's order. The lock is held.
func (s *Server) deliver(fx zk.Effects) {
	s.saw(fx.Zxid)
	for _, f := range fx.Fired {
		if ses := s.sessions[f.Session]; ses != nil && ses.conn != nil {
			ses.conn.send(func(b []byte) []byte { return jute.AppendEvent(b, f.Event) })
		}
	}
}

// saw keeps the highest transaction. The lock is held.
func (s *Server) saw(zxid int64) {
	if zxid > s.lastZxid {
		s.lastZxid = zxid
	}
}

// touch moves a session's end to the first tick boundary after its timeout (ExpiryQueue.update). The lock is held.
func (s *Server) touch(ses *session, at int64) {
	tick := int64(s.opts.TickMS)
	ses.expires = ((at+int64(ses.timeoutMS))/tick + 1) * tick
}

// negotiate keeps an asked timeout within the server's bounds.
func (s *Server) negotiate(askedMS int32) int32 {
	return min(max(askedMS, s.opts.MinSessionMS), s.opts.MaxSessionMS)
}

// password is a function of the session's id.
func (s *Server) password(id zk.SessionID) []byte {
	var b [24]byte
	copy(b[:], s.secret[:])
	binary.BigEndian.PutUint64(b[16:], uint64(id))
	sum := sha256.Sum256(b[:])
	return sum[:jute.PasswordLength]
}

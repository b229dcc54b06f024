package zkreal

import (
	"net"
	"sync"
	"time"

	gozk "github.com/go-zookeeper/zk"

	"controllerscope/core/zk"
	"controllerscope/core/zk/jute"
)

// LiveOptions of a Connector.
type LiveOptions struct {
	Address Address
	// Lock and Unlock are the process's one lock (see package env, Threads). Do and Close are called with it held, release
	// it while they wait, and return with it held; the Owner is called with it held.
	Lock, Unlock func()
	// Dial opens connections; nil is net.DialTimeout. An emulator behind a pipe goes here; its address must be one that
	// needs no name service, such as 127.0.0.1:2181.
	Dial Dialer
}

// Connector makes the sessions of one process in real time.
type Connector struct{ o LiveOptions }

var _ zk.Connector = (*Connector)(nil)

// NewConnector makes no connection yet. The chroot must be there: see Prepare.
func NewConnector(o LiveOptions) *Connector {
	o.Dial = orDial(o.Dial)
	return &Connector{o}
}

// Open starts a session. It returns at once and tries the servers until the session is there or closed.
func (c *Connector) Open(owner zk.Owner, o zk.Options) zk.Session {
	s := &liveSession{o: c.o, owner: owner, tickets: map[int32]*ticket{}, quit: make(chan struct{}), made: make(chan struct{})}
	if o.MaxInFlight > 0 {
		s.room = make(chan struct{}, o.MaxInFlight)
	}
	go s.connect(time.Duration(o.TimeoutMS) * time.Millisecond)
	return s
}

// liveSession is one session over one library connection, which reconnects by itself and sets the watches again. When the
// session expires the connection is finished: the dialer refuses it from then on, so the new session that the library
// would begin by itself never comes to be.
type liveSession struct {
	o     LiveOptions
	owner zk.Owner
	room  chan struct{} // one place for each request in flight; nil is no limit
	quit  chan struct{} // closed at the end: expired or closed
	made  chan struct{} // closed when conn is there

	sending sync.Mutex // requests are queued one after the other

	mu      sync.Mutex
	conn    *gozk.Conn
	wire    *wire // the present connection
	state   zk.State
	id      zk.SessionID
	writing *ticket           // of the request that is being queued
	tickets map[int32]*ticket // of requests written and not answered, by xid
}

// ticket follows one request over the wire.
type ticket struct {
	written chan struct{} // closed when it was written
	zxid    int64         // of its answer
}

// connect makes the library connection. It fails only while a server's name cannot be resolved.
func (s *liveSession) connect(timeout time.Duration) {
	for {
		conn, _, err := gozk.Connect(s.o.Address.Servers, timeout, gozk.WithDialer(s.dial),
			gozk.WithEventCallback(s.hear), gozk.WithLogger(silent{}), gozk.WithLogInfo(false))
		if err == nil {
			s.mu.Lock()
			s.conn = conn
			over := s.over()
			s.mu.Unlock()
			close(s.made)
			if over {
				conn.Close()
			}
			return
		}
		select {
		case <-s.quit:
			return
		case <-time.After(time.Second):
		}
	}
}

// over reports whether the session has ended. The caller holds mu.
func (s *liveSession) over() bool { return s.state == zk.Expired || s.state == zk.ClosedState }

// dial makes a tapped connection, unless the session is over.
func (s *liveSession) dial(network, address string, timeout time.Duration) (net.Conn, error) {
	s.mu.Lock()
	over := s.over()
	s.mu.Unlock()
	if over {
		return nil, errWireDead
	}
	c, err := s.o.Dial(network, address, timeout)
	if err != nil {
		return nil, err
	}
	w := newWire(c)
	w.onSent, w.onAnswer = s.sent, s.answered
	s.mu.Lock()
	s.wire = w
	s.mu.Unlock()
	return w, nil
}

// sent hears that the request being queued was written. Until then no other is.
func (s *liveSession) sent(xid int32) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.writing != nil {
		s.tickets[xid] = s.writing
		close(s.writing.written)
		s.writing = nil
	}
}

// answered notes the zxid of an answer.
func (s *liveSession) answered(h jute.ReplyHeader) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if t := s.tickets[h.Xid]; t != nil {
		t.zxid = h.Zxid
		delete(s.tickets, h.Xid)
	}
}

// hear takes the library's events. It is called from the library's own goroutines, before any later answer is given to
// who waits for it. What it says of lost watches (EventNotWatching) is not ours: it comes with a state.
func (s *liveSession) hear(e gozk.Event) {
	switch {
	case e.Type >= gozk.EventNodeCreated && e.Type <= gozk.EventNodeChildrenChanged:
		path, err := outside(s.o.Address.Chroot, e.Path)
		s.o.Lock()
		defer s.o.Unlock()
		if err == nil && !s.ended() {
			s.owner.WatchEvent(zk.Event{Type: zk.EventType(e.Type), Path: path})
		}
	case e.Type == gozk.EventSession && e.State == gozk.StateHasSession:
		s.become(zk.Connected)
	case e.Type == gozk.EventSession && e.State == gozk.StateDisconnected:
		s.become(zk.Disconnected)
	case e.Type == gozk.EventSession && e.State == gozk.StateExpired:
		s.become(zk.Expired)
	}
}

func (s *liveSession) ended() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.over()
}

// become tells the owner a new state, once. Expired is final.
func (s *liveSession) become(state zk.State) {
	<-s.made
	s.o.Lock()
	defer s.o.Unlock()
	s.mu.Lock()
	if s.over() || s.state == state {
		s.mu.Unlock()
		return
	}
	s.state = state
	switch state {
	case zk.Connected:
		s.id = zk.SessionID(s.conn.SessionID())
	case zk.Disconnected:
		clear(s.tickets) // no answer will come
	case zk.Expired:
		close(s.quit)
		go s.conn.Close()
	}
	s.mu.Unlock()
	s.owner.StateChanged(state)
}

// ID is the session's id, 0 before the first Connected.
func (s *liveSession) ID() zk.SessionID {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.id
}

// State is the state last told to the owner.
func (s *liveSession) State() zk.State {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.state
}

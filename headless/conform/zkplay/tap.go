package zkplay

import (
	"encoding/binary"
	"errors"
	"net"
	"os"
	"slices"
	"sync"
	"time"

	"controllerscope/core/zk"
	"controllerscope/core/zk/jute"
)

// Dial connects to a server, as net.DialTimeout does.
type Dial func(network, address string, timeout time.Duration) (net.Conn, error)

// tap stands between one client and its servers. It can cut the network and can hold back what servers send.
type tap struct {
	dial Dial

	mu      sync.Mutex
	changed sync.Cond
	cut     bool // connections are broken and new ones refused
	stalled bool // nothing from a server reaches the client
	conns   map[*tapConn]struct{}
	written int                  // packets and other writes of the client so far
	rearmed bool                 // the client has sent SetWatches on its present connection
	answer  jute.ConnectResponse // the last one of a server
}

func newTap(dial Dial) *tap {
	t := &tap{dial: dial, conns: map[*tapConn]struct{}{}}
	t.changed.L = &t.mu
	return t
}

// errCut is what dialing gives while the network is cut.
var errCut = errors.New("the network is cut")

// open is the client's dialer. While the network is cut it waits, as a dialer does whose packets get lost, so that the
// client goes on as soon as the network is there again.
func (t *tap) open(network, address string, timeout time.Duration) (net.Conn, error) {
	if !t.passable(timeout) {
		return nil, errCut
	}
	inner, err := t.dial(network, address, timeout)
	if err != nil {
		return nil, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.cut {
		inner.Close()
		return nil, errCut
	}
	c := &tapConn{Conn: inner, tap: t, first: []byte{}}
	t.conns[c] = struct{}{}
	t.rearmed = false
	return c, nil
}

// passable waits until the network is not cut, for as long as limit.
func (t *tap) passable(limit time.Duration) bool {
	return t.until(limit, func() bool { return !t.cut })
}

// watchesSet waits until the client has sent SetWatches on its present connection, for as long as limit.
func (t *tap) watchesSet(limit time.Duration) bool {
	return t.until(limit, func() bool { return t.rearmed })
}

// until waits for a condition on the tap's fields; it reports whether the condition was met.
func (t *tap) until(limit time.Duration, met func() bool) bool {
	end := time.Now().Add(limit)
	wake := time.AfterFunc(limit, t.changed.Broadcast)
	defer wake.Stop()
	t.mu.Lock()
	defer t.mu.Unlock()
	for !met() && time.Now().Before(end) {
		t.changed.Wait()
	}
	return met()
}

// set puts the network into a state; cutting it breaks what is connected.
func (t *tap) set(cut, stalled bool) {
	t.mu.Lock()
	t.cut, t.stalled = cut, stalled
	var broken []*tapConn
	if cut {
		for c := range t.conns {
			broken = append(broken, c)
		}
	}
	t.changed.Broadcast()
	t.mu.Unlock()
	for _, c := range broken {
		c.Close()
	}
}

// get is the state that set last put the network into.
func (t *tap) get() (cut, stalled bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.cut, t.stalled
}

// identity is what resumes the client's session.
func (t *tap) identity() (zk.SessionID, []byte) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.answer.SessionID, t.answer.Password
}

// writes counts the client's writes.
func (t *tap) writes() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.written
}

// tapConn is one connection through the tap.
type tapConn struct {
	net.Conn
	tap      *tap
	deadline time.Time // for reading; guarded by tap.mu
	closed   bool      // guarded by tap.mu
	greeted  bool      // the connect request has been sent; only the client's writer looks at it
	first    []byte    // the first frame of the server, as far as it has been read; nil once it is complete
}

// Read reads what the server sent and holds it back while the tap is stalled.
func (c *tapConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	c.tap.mu.Lock()
	defer c.tap.mu.Unlock()
	c.notice(p[:n])
	for c.tap.stalled {
		if c.closed {
			return 0, net.ErrClosed
		}
		var wake *time.Timer
		if !c.deadline.IsZero() {
			left := time.Until(c.deadline)
			if left <= 0 {
				return 0, os.ErrDeadlineExceeded // the client gives the connection up, so nothing is missed
			}
			wake = time.AfterFunc(left, c.tap.changed.Broadcast)
		}
		c.tap.changed.Wait()
		if wake != nil {
			wake.Stop()
		}
	}
	return n, err
}

// notice keeps the server's answer to the connect request. The tap's lock is held.
func (c *tapConn) notice(p []byte) {
	if c.first == nil {
		return
	}
	c.first = append(c.first, p...)
	if len(c.first) < 4 {
		return
	}
	if end := 4 + int(binary.BigEndian.Uint32(c.first)); len(c.first) >= end {
		if r, err := jute.DecodeConnectResponse(c.first[4:end]); err == nil {
			c.tap.answer = r
		}
		c.first = nil
	}
}

// Write counts, and notes when the client sets its watches again. The library writes packet by packet. The first is the
// connect request; the others begin with length, xid and type.
func (c *tapConn) Write(p []byte) (int, error) {
	sets := c.greeted && len(p) >= 12 && jute.OpCode(binary.BigEndian.Uint32(p[8:])) == jute.OpSetWatches
	if sets {
		p = inOrder(p)
	}
	n, err := c.Conn.Write(p)
	c.greeted = true
	c.tap.mu.Lock()
	defer c.tap.mu.Unlock()
	c.tap.written++
	if sets && err == nil {
		c.tap.rearmed = true
		c.tap.changed.Broadcast()
	}
	return n, err
}

// inOrder is a SetWatches packet with its paths in order. The library writes them in the order of a Go map, and a server
// tells what was missed in the order written: the same history would be told in another order each time.
func inOrder(p []byte) []byte {
	r, err := jute.DecodeRequest(p[4:])
	if err != nil {
		return p
	}
	for _, paths := range [][]string{r.Watches.Data, r.Watches.Exist, r.Watches.Child} {
		slices.Sort(paths)
	}
	return jute.EndFrame(r.Append(jute.BeginFrame(nil)), 0)
}

// SetReadDeadline also bounds how long a stalled Read holds.
func (c *tapConn) SetReadDeadline(t time.Time) error {
	c.tap.mu.Lock()
	c.deadline = t
	c.tap.mu.Unlock()
	return c.Conn.SetReadDeadline(t)
}

// Close also ends a stalled Read.
func (c *tapConn) Close() error {
	c.tap.mu.Lock()
	c.closed = true
	delete(c.tap.conns, c)
	c.tap.changed.Broadcast()
	c.tap.mu.Unlock()
	return c.Conn.Close()
}

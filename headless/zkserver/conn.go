package zkserver

import (
	"bufio"
	"errors"
	"io"
	"net"
	"sync"
	"time"

	"controllerscope/core/zk/jute"
)

const (
	// handshakeTimeout is how long a connection may stay without a session (NIOServerCnxnFactory's default).
	handshakeTimeout = 10 * time.Second
	// maxQueued is how many bytes of answers may wait for a client before its further requests wait too.
	maxQueued = 4 << 20
)

// conn is one client's connection.
type conn struct {
	server  *Server
	net     net.Conn
	session *session // guarded by server.mu
	stats   counters

	mu       sync.Mutex
	wake     sync.Cond // the queue, finishing or aborted changed
	queue    []byte    // frames that wait to be written
	finished bool      // nothing more will be queued: write the rest, then close
	aborted  bool      // closed
}

func newConn(s *Server, nc net.Conn) *conn {
	c := &conn{server: s, net: nc}
	c.wake.L = &c.mu
	return c
}

// send queues one frame; body appends what it holds.
func (c *conn) send(body func([]byte) []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.finished || c.aborted {
		return
	}
	start := len(c.queue)
	c.queue = jute.EndFrame(body(jute.BeginFrame(c.queue)), start)
	c.stats.sent.Add(1)
	c.server.stats.sent.Add(1)
	c.wake.Broadcast()
}

// received counts a packet of the client.
func (c *conn) received() {
	c.stats.received.Add(1)
	c.server.stats.received.Add(1)
}

// sendRaw queues bytes that are no frame.
func (c *conn) sendRaw(text string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.queue = append(c.queue, text...)
	c.wake.Broadcast()
}

// finish closes the connection after what is queued has been written, which a client that does not read cannot delay
// for ever.
func (c *conn) finish() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.finished = true
	_ = c.net.SetWriteDeadline(time.Now().Add(handshakeTimeout))
	c.wake.Broadcast()
}

// abort closes the connection at once.
func (c *conn) abort() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.aborted = true
	c.net.Close()
	c.wake.Broadcast()
}

// write is the goroutine that empties the queue.
func (c *conn) write() {
	defer c.server.running.Done()
	defer c.server.ended(c)
	var out []byte
	for {
		c.mu.Lock()
		for len(c.queue) == 0 && !c.finished && !c.aborted {
			c.wake.Wait()
		}
		out, c.queue = c.queue, out[:0]
		stop := c.aborted || len(out) == 0
		c.wake.Broadcast()
		c.mu.Unlock()
		if stop {
			return
		}
		if _, err := c.net.Write(out); err != nil {
			return
		}
		if cap(out) > maxQueued {
			out = nil
		}
	}
}

// room waits while the client leaves too much unread; false means that the connection is over.
func (c *conn) room() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	for len(c.queue) > maxQueued && !c.finished && !c.aborted {
		c.wake.Wait()
	}
	return !c.finished && !c.aborted
}

// read is the goroutine that takes packets. Whatever is wrong with them ends this connection and nothing else.
func (c *conn) read() {
	defer c.server.running.Done()
	defer c.server.dropped(c)
	in := bufio.NewReaderSize(c.net, 64<<10)
	_ = c.net.SetReadDeadline(time.Now().Add(handshakeTimeout))
	if c.handshake(in) != nil {
		return
	}
	_ = c.net.SetReadDeadline(time.Time{})
	var frame []byte
	for c.room() {
		var err error
		if frame, err = readFrame(in, frame); err != nil {
			return
		}
		r, err := jute.DecodeRequest(frame)
		if err != nil || !c.server.request(c, r) {
			return
		}
	}
}

// errFourLetterWord ends a connection that sent one.
var errFourLetterWord = errors.New("zkserver: a four-letter word was answered")

// handshake takes the connect request, or a four-letter word in its place.
func (c *conn) handshake(in *bufio.Reader) error {
	head, err := in.Peek(4)
	if err != nil {
		return err
	}
	if text, ok := c.server.fourLetterWord(string(head)); ok {
		c.received()
		c.sendRaw(text)
		c.finish()
		return errFourLetterWord
	}
	frame, err := readFrame(in, nil)
	if err != nil {
		return err
	}
	r, err := jute.DecodeConnectRequest(frame)
	if err != nil {
		return err
	}
	return c.server.connect(c, r)
}

// readFrame reads the next packet into b, which is made anew when it is too small.
func readFrame(in *bufio.Reader, b []byte) ([]byte, error) {
	var head [4]byte
	if _, err := io.ReadFull(in, head[:]); err != nil {
		return nil, err
	}
	n, err := jute.FrameLength(head, jute.MaxFrame)
	if err != nil {
		return nil, err
	}
	if n > cap(b) {
		b = make([]byte, n, max(n, 4096))
	}
	_, err = io.ReadFull(in, b[:n])
	return b[:n], err
}

package zkserver

import (
	"fmt"
	"net"
	"os"
	"sync"
	"testing"
	"time"

	gozk "github.com/go-zookeeper/zk"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"controllerscope/core/zk"
	"controllerscope/core/zk/jute"
	"controllerscope/core/zk/zkmem"
)

// testTickMS is short, so that sessions expire soon.
const testTickMS = 100

// newServer is a fresh emulator.
func newServer(t testing.TB) *Server {
	s := New(zkmem.New(zkmem.Options{TickMS: testTickMS}), Options{TickMS: testTickMS})
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s
}

// raw is a client that writes packets itself.
type raw struct {
	t testing.TB
	net.Conn
}

func dialRaw(t testing.TB, s *Server) *raw {
	c, err := s.Dial()
	require.NoError(t, err)
	t.Cleanup(func() { c.Close() })
	require.NoError(t, c.SetDeadline(time.Now().Add(20*time.Second)))
	return &raw{t, c}
}

// put sends one frame.
func (c *raw) put(body []byte) {
	_, err := c.Write(jute.EndFrame(append(jute.BeginFrame(nil), body...), 0))
	require.NoError(c.t, err)
}

// get reads one frame; an error says that the server closed the connection.
func (c *raw) get() ([]byte, error) {
	var head [4]byte
	for n := 0; n < 4; {
		m, err := c.Read(head[n:])
		if err != nil {
			return nil, err
		}
		n += m
	}
	size, err := jute.FrameLength(head, 1<<30)
	require.NoError(c.t, err)
	b := make([]byte, size)
	for n := 0; n < size; {
		m, err := c.Read(b[n:])
		if err != nil {
			return nil, err
		}
		n += m
	}
	return b, nil
}

// connect sends a connect request and reads the answer.
func (c *raw) connect(r jute.ConnectRequest) jute.ConnectResponse {
	c.put(r.Append(nil))
	b, err := c.get()
	require.NoError(c.t, err)
	answer, err := jute.DecodeConnectResponse(b)
	require.NoError(c.t, err)
	return answer
}

// ask sends a request and reads its answer.
func (c *raw) ask(r jute.Request) (jute.ReplyHeader, zk.Result) {
	c.put(r.Append(nil))
	b, err := c.get()
	require.NoError(c.t, err)
	h, res, err := jute.DecodeReply(r, b)
	require.NoError(c.t, err)
	return h, res
}

// closed waits until the server has closed the connection.
func (c *raw) closed() {
	_, err := c.get()
	assert.Error(c.t, err)
	assert.NotErrorIs(c.t, err, os.ErrDeadlineExceeded)
}

func TestConnectAndResume(t *testing.T) {
	s := newServer(t)
	a := dialRaw(t, s)
	first := a.connect(jute.ConnectRequest{TimeoutMS: 1, HasReadOnly: true})
	assert.True(t, first.HasReadOnly)
	assert.Equal(t, int32(2*testTickMS), first.TimeoutMS) // 2 ticks at least
	assert.NotZero(t, first.SessionID)
	_, made := a.ask(jute.Request{Xid: 1, Code: jute.OpCreate, Op: zk.Op{Kind: zk.Create, Path: "/e", Mode: zk.Ephemeral}})
	assert.Equal(t, zk.OK, made.Err)

	// The same session on a second connection: its old one is closed, the timeout negotiated anew, no zxid taken.
	b := dialRaw(t, s)
	resume := jute.ConnectRequest{TimeoutMS: 1 << 30, SessionID: first.SessionID, Password: first.Password, LastZxidSeen: 2}
	again := b.connect(resume)
	assert.Equal(t, jute.ConnectResponse{TimeoutMS: 20 * testTickMS, SessionID: first.SessionID, Password: first.Password}, again)
	a.closed()
	h, seen := b.ask(jute.Request{Xid: 1, Code: jute.OpExists, Op: zk.Op{Kind: zk.Exists, Path: "/e"}})
	assert.Equal(t, int64(2), h.Zxid)
	assert.Equal(t, first.SessionID, seen.Stat.EphemeralOwner)

	// A wrong password gets no session and closes the real holder's connection, not its session (reference, 6.2).
	c := dialRaw(t, s)
	wrong := resume
	wrong.Password = make([]byte, 16)
	gone := jute.ConnectResponse{Password: make([]byte, 16)}
	assert.Equal(t, gone, c.connect(wrong))
	c.closed()
	b.closed()
	d := dialRaw(t, s)
	assert.Equal(t, first.SessionID, d.connect(resume).SessionID)

	// Closing ends it: the answer, then the connection; resuming it finds nothing.
	h, _ = d.ask(jute.Request{Xid: 9, Code: jute.OpClose})
	assert.Equal(t, jute.ReplyHeader{Xid: 9, Zxid: 3}, h)
	d.closed()
	e := dialRaw(t, s)
	assert.Equal(t, gone, e.connect(resume))
	e.closed()
}

func TestClientThatHasSeenMore(t *testing.T) {
	c := dialRaw(t, newServer(t))
	c.put(jute.ConnectRequest{TimeoutMS: 1000, LastZxidSeen: 1}.Append(nil))
	c.closed()
}

// TestExpiry has a session expire at the end of a tick, not before its timeout, and another hear of it.
func TestExpiry(t *testing.T) {
	s := newServer(t)
	a, b := dialRaw(t, s), dialRaw(t, s)
	a.connect(jute.ConnectRequest{TimeoutMS: 3 * testTickMS})
	b.connect(jute.ConnectRequest{TimeoutMS: 20 * testTickMS})
	start := time.Now()
	a.ask(jute.Request{Xid: 1, Code: jute.OpCreate, Op: zk.Op{Kind: zk.Create, Path: "/e", Mode: zk.Ephemeral}})
	b.ask(jute.Request{Xid: 1, Code: jute.OpExists, Op: zk.Op{Kind: zk.Exists, Path: "/e", Watch: true}})
	event, err := b.get()
	require.NoError(t, err)
	took := time.Since(start)
	assert.GreaterOrEqual(t, took, 3*testTickMS*time.Millisecond)
	d := jute.NewDecoder(event)
	assert.Equal(t, jute.XidNotification, d.ReplyHeader().Xid)
	assert.Equal(t, zk.Event{Type: zk.NodeDeleted, Path: "/e"}, d.Event())
	a.closed()
}

// TestPingKeepsASession pings for longer than the timeout.
func TestPingKeepsASession(t *testing.T) {
	c := dialRaw(t, newServer(t))
	c.connect(jute.ConnectRequest{TimeoutMS: 2 * testTickMS})
	for end := time.Now().Add(5 * testTickMS * time.Millisecond); time.Now().Before(end); {
		h, _ := c.ask(jute.Request{Xid: jute.XidPing, Code: jute.OpPing})
		assert.Equal(t, jute.ReplyHeader{Xid: jute.XidPing, Zxid: 1}, h)
	}
}

// TestDamage has frames that are wrong in every way close their own connection and nothing else.
func TestDamage(t *testing.T) {
	s := newServer(t)
	good := dialRaw(t, s)
	good.connect(jute.ConnectRequest{TimeoutMS: 20 * testTickMS})
	for name, bytes := range map[string][]byte{
		"too long":        {0, 0x10, 0, 0},
		"negative":        {0xff, 0xff, 0xff, 0xff},
		"no connect":      {0, 0, 0, 2, 1, 2},
		"half a password": append([]byte{0, 0, 0, 28}, append(make([]byte, 24), 0, 0, 0, 9)...),
	} {
		t.Run("connect "+name, func(t *testing.T) {
			c := dialRaw(t, s)
			_, err := c.Write(bytes)
			require.NoError(t, err)
			c.closed()
		})
	}
	for name, bytes := range map[string][]byte{
		"too long":       {0x7f, 0xff, 0xff, 0xff},
		"too short":      {0, 0, 0, 4, 0, 0, 0, 1},
		"string too big": {0, 0, 0, 12, 0, 0, 0, 1, 0, 0, 0, 4, 0, 0, 1, 0},
		"multi of reads": {0, 0, 0, 22, 0, 0, 0, 1, 0, 0, 0, 14, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			c := dialRaw(t, s)
			c.connect(jute.ConnectRequest{TimeoutMS: 20 * testTickMS})
			_, err := c.Write(bytes)
			require.NoError(t, err)
			c.closed()
		})
	}
	h, _ := good.ask(jute.Request{Xid: jute.XidPing, Code: jute.OpPing})
	assert.Equal(t, zk.OK, h.Err)
}

// TestUnknownRequests are answered UNIMPLEMENTED, and the connection goes on.
func TestUnknownRequests(t *testing.T) {
	c := dialRaw(t, newServer(t))
	c.connect(jute.ConnectRequest{TimeoutMS: 20 * testTickMS})
	for i, r := range []jute.Request{{Code: 16}, {Code: 106}, {Code: -1}, {Code: jute.OpCheck},
		{Code: jute.OpSetWatches2, Watches: jute.SetWatches{Persistent: []string{"/"}}}} {
		r.Xid = int32(i)
		h, _ := c.ask(r)
		assert.Equal(t, jute.ReplyHeader{Xid: int32(i), Zxid: 1, Err: zk.Unimplemented}, h)
	}
}

// TestSlowReader has a client that sends without reading: the server stops reading from it, and others go on.
func TestSlowReader(t *testing.T) {
	s := newServer(t)
	slow, other := dialRaw(t, s), dialRaw(t, s)
	slow.connect(jute.ConnectRequest{TimeoutMS: 20 * testTickMS})
	other.connect(jute.ConnectRequest{TimeoutMS: 20 * testTickMS})
	_, made := other.ask(jute.Request{Xid: 1, Code: jute.OpCreate, Op: zk.Op{Kind: zk.Create, Path: "/big", Data: make([]byte, 1_000_000)}})
	require.Equal(t, zk.OK, made.Err)
	sent := make(chan int, 1)
	go func() {
		n := 0
		get := jute.EndFrame(jute.Request{Code: jute.OpGetData, Op: zk.Op{Kind: zk.Get, Path: "/big"}}.Append(jute.BeginFrame(nil)), 0)
		_ = slow.SetWriteDeadline(time.Now().Add(300 * time.Millisecond))
		for n < 1000 {
			if _, err := slow.Write(get); err != nil {
				break
			}
			n++
		}
		sent <- n
	}()
	// 1 answer is being written, 5 wait (more than maxQueued), and a few requests stand in the reader's buffer.
	assert.Less(t, <-sent, 1000)
	h, _ := other.ask(jute.Request{Xid: 2, Code: jute.OpExists, Op: zk.Op{Kind: zk.Exists, Path: "/big"}})
	assert.Equal(t, zk.OK, h.Err)
}

// connectLibrary is a go-zookeeper client over the pipe.
func connectLibrary(t testing.TB, s *Server) *gozk.Conn {
	dial := func(string, string, time.Duration) (net.Conn, error) { return s.Dial() }
	c, _, err := gozk.Connect([]string{"127.0.0.1:2181"}, 2*time.Second, gozk.WithDialer(dial), gozk.WithLogInfo(false))
	require.NoError(t, err)
	t.Cleanup(c.Close)
	return c
}

// TestManyClients has 50 clients count one node up together: no increment is lost.
func TestManyClients(t *testing.T) {
	s := newServer(t)
	const clients, each = 50, 20
	first := connectLibrary(t, s)
	_, err := first.Create("/n", nil, 0, gozk.WorldACL(gozk.PermAll))
	require.NoError(t, err)
	var wait sync.WaitGroup
	for i := range clients {
		c := connectLibrary(t, s)
		wait.Go(func() {
			for done := 0; done < each; {
				_, stat, err := c.Get("/n")
				if !assert.NoError(t, err) {
					return
				}
				switch _, err := c.Set("/n", []byte(fmt.Sprint(i)), stat.Version); err {
				case nil:
					done++
				case gozk.ErrBadVersion:
				default:
					assert.NoError(t, err)
					return
				}
			}
		})
	}
	wait.Wait()
	_, stat, err := first.Get("/n")
	require.NoError(t, err)
	assert.Equal(t, int32(clients*each), stat.Version)
}

func TestCloseEndsEverything(t *testing.T) {
	s := New(zkmem.New(zkmem.Options{}), Options{})
	c := dialRaw(t, s)
	c.connect(jute.ConnectRequest{TimeoutMS: 4000})
	require.NoError(t, s.Close())
	require.NoError(t, s.Close())
	c.closed()
	_, err := s.Dial()
	assert.EqualError(t, err, "zookeeper emulator: the server is closed")
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	assert.NoError(t, s.Serve(l))
}

package zkrealtest

import (
	"errors"
	"fmt"
	"net"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"controllerscope/core/zk"
	"controllerscope/core/zk/zkmem"
	"controllerscope/core/zk/zkreal"
	"controllerscope/headless/zkserver"
)

// live is a process with one session: its lock, and what its owner heard.
type live struct {
	t *testing.T
	sync.Mutex
	session zk.Session
	heard   []string
}

func (l *live) WatchEvent(e zk.Event)                { l.heard = append(l.heard, e.Type.String()+" "+e.Path) }
func (l *live) StateChanged(s zk.State)              { l.heard = append(l.heard, s.String()) }
func (l *live) Interested(string, zk.WatchKind) bool { return true }

// newLive opens a session and waits for it.
func newLive(t *testing.T, connect string, timeoutMS int32, dial zkreal.Dialer) *live {
	t.Helper()
	l := &live{t: t}
	c := zkreal.NewConnector(zkreal.LiveOptions{Address: address(t, connect), Lock: l.Lock, Unlock: l.Unlock, Dial: dial})
	l.Lock()
	l.session = c.Open(l, zk.Options{TimeoutMS: timeoutMS, MaxInFlight: 10})
	assert.Zero(t, l.session.ID())
	l.Unlock()
	l.await("Connected")
	t.Cleanup(func() { l.Lock(); l.session.Close(); l.Unlock() })
	return l
}

// await waits until the owner has heard the words as its last.
func (l *live) await(last string) {
	l.t.Helper()
	require.Eventually(l.t, func() bool {
		l.Lock()
		defer l.Unlock()
		return len(l.heard) > 0 && l.heard[len(l.heard)-1] == last
	}, 20*time.Second, 5*time.Millisecond, last)
}

func (l *live) do(ops ...zk.Op) []zk.Result {
	l.Lock()
	defer l.Unlock()
	return l.session.Do(ops...)
}

func (l *live) take() []string {
	l.Lock()
	defer l.Unlock()
	out := l.heard
	l.heard = nil
	return out
}

// network is a dialer that can be broken.
type network struct {
	mu    sync.Mutex
	down  bool
	conns []net.Conn
}

func (n *network) dial(network, address string, timeout time.Duration) (net.Conn, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.down {
		return nil, errors.New("the network is down")
	}
	c, err := net.DialTimeout(network, address, timeout)
	if err == nil {
		n.conns = append(n.conns, c)
	}
	return c, err
}

func (n *network) set(down bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.down = down
	for _, c := range n.conns {
		c.Close()
	}
	n.conns = nil
}

// prepared is a connection string whose chroot is ours.
func prepared(t *testing.T, connect string) string {
	t.Helper()
	require.NoError(t, zkreal.Prepare(address(t, connect), nil))
	return connect
}

// TestBatchIsInOrder: many requests at once are executed in their order, more of them than fit in flight.
func TestBatchIsInOrder(t *testing.T) {
	for name, at := range map[string]string{"standalone": standalone(t).Connect(), "ensemble": ensemble(t).Connect()} {
		t.Run(name, func(t *testing.T) {
			l := newLive(t, prepared(t, at+"/batch"), 10_000, nil)
			ops := []zk.Op{{Kind: zk.Create, Path: "/seq"}}
			for range 300 {
				ops = append(ops, zk.Op{Kind: zk.Create, Path: "/seq/n", Mode: zk.EphemeralSequential},
					zk.Op{Kind: zk.Exists, Path: "/seq"})
			}
			ops = append(ops, zk.Op{Kind: zk.Set, Path: "/seq", Version: 7}, zk.Op{Kind: zk.Get, Path: "a//b"})
			got := l.do(ops...)
			for i := range 300 {
				made, seen := got[1+2*i], got[2+2*i]
				require.Equal(t, fmt.Sprintf("/seq/n%010d", i), made.Path)
				require.EqualValues(t, i+1, seen.Stat.NumChildren)
				require.Equal(t, made.Zxid, seen.Stat.Pzxid)
				require.GreaterOrEqual(t, seen.Zxid, made.Zxid)
			}
			assert.Equal(t, zk.BadVersion, got[601].Err)
			assert.Greater(t, got[601].Zxid, got[599].Zxid, "a refused write takes a zxid")
			assert.Equal(t, zk.BadArguments, got[602].Err)
			root := l.do(zk.Op{Kind: zk.Children, Path: "/"})[0]
			assert.Equal(t, []string{"seq"}, root.Children, "the mark is not seen")
		})
	}
}

// TestMultiLive: all or nothing, each operation with its own code.
func TestMultiLive(t *testing.T) {
	l := newLive(t, prepared(t, standalone(t).Connect()+"/multi"), 10_000, nil)
	got := l.do(zk.Op{Kind: zk.Multi, Ops: []zk.Op{{Kind: zk.Create, Path: "/a"}, {Kind: zk.Set, Path: "/a", Version: 0}}},
		zk.Op{Kind: zk.Multi, Ops: []zk.Op{{Kind: zk.Check, Path: "/a", Version: 1}, {Kind: zk.Create, Path: "/a"},
			{Kind: zk.Delete, Path: "/a", Version: 1}}})
	assert.Equal(t, "/a", got[0].Results[0].Path)
	assert.EqualValues(t, 1, got[0].Results[1].Stat.Version)
	assert.Equal(t, zk.NodeExists, got[1].Err)
	assert.Equal(t, []zk.Code{zk.OK, zk.NodeExists, zk.RuntimeInconsistency},
		[]zk.Code{got[1].Results[0].Err, got[1].Results[1].Err, got[1].Results[2].Err})
}

// TestWatchEventBeforeAnswer: the owner has the event of a change before it gets an answer that shows the change.
func TestWatchEventBeforeAnswer(t *testing.T) {
	at := prepared(t, standalone(t).Connect()+"/watch")
	a, b := newLive(t, at, 10_000, nil), newLive(t, at, 10_000, nil)
	a.do(zk.Op{Kind: zk.Create, Path: "/n"})
	for i := range int32(50) {
		b.do(zk.Op{Kind: zk.Get, Path: "/n", Watch: true})
		b.take()
		a.do(zk.Op{Kind: zk.Set, Path: "/n", Version: i})
		require.EqualValues(t, i+1, b.do(zk.Op{Kind: zk.Get, Path: "/n"})[0].Stat.Version)
		require.Equal(t, []string{"NodeDataChanged /n"}, b.take())
	}
}

// TestLostConnection: the session, its ephemeral and its watches outlive a connection; a request without one is lost.
func TestLostConnection(t *testing.T) {
	at := prepared(t, standalone(t).Connect()+"/lost")
	n := &network{}
	l, other := newLive(t, at, 20_000, n.dial), newLive(t, at, 10_000, nil)
	id := l.session.ID()
	assert.NotZero(t, id)
	l.do(zk.Op{Kind: zk.Create, Path: "/n", Mode: zk.Ephemeral}, zk.Op{Kind: zk.Get, Path: "/n", Watch: true})
	n.set(true)
	l.await("Disconnected")
	assert.Equal(t, zk.ConnectionLoss, l.do(zk.Op{Kind: zk.Get, Path: "/n"})[0].Err)
	other.do(zk.Op{Kind: zk.Set, Path: "/n", Version: 0})
	n.set(false)
	l.await("NodeDataChanged /n")
	assert.Equal(t, []string{"Connected", "Disconnected", "Connected", "NodeDataChanged /n"}, l.take())
	got := l.do(zk.Op{Kind: zk.Get, Path: "/n"})[0]
	assert.Equal(t, id, got.Stat.EphemeralOwner)
	assert.Equal(t, id, l.session.ID())
}

// TestExpiredIsFinal: after an expiry the session stays expired, though the library would go on in a new one.
func TestExpiredIsFinal(t *testing.T) {
	at := prepared(t, standalone(t).Connect()+"/expired")
	n := &network{}
	l, other := newLive(t, at, 20*quick, n.dial), newLive(t, at, 20_000, nil)
	l.do(zk.Op{Kind: zk.Create, Path: "/n", Mode: zk.Ephemeral})
	other.do(zk.Op{Kind: zk.Get, Path: "/n", Watch: true})
	n.set(true)
	other.await("NodeDeleted /n")
	n.set(false)
	l.await("Expired")
	assert.Equal(t, []string{"Connected", "Disconnected", "Expired"}, l.take())
	assert.Equal(t, zk.Expired, l.session.State())
	assert.Equal(t, zk.SessionExpired, l.do(zk.Op{Kind: zk.Create, Path: "/n"})[0].Err)
	assert.Equal(t, zk.NoNode, other.do(zk.Op{Kind: zk.Exists, Path: "/n"})[0].Err)
}

// TestClose: the ephemerals of a closed session are gone when Close returns.
func TestClose(t *testing.T) {
	at := prepared(t, standalone(t).Connect()+"/close")
	l, other := newLive(t, at, 10_000, nil), newLive(t, at, 10_000, nil)
	l.do(zk.Op{Kind: zk.Create, Path: "/n", Mode: zk.Ephemeral})
	l.Lock()
	l.session.Close()
	l.Unlock()
	assert.Equal(t, zk.NoNode, other.do(zk.Op{Kind: zk.Exists, Path: "/n"})[0].Err)
	assert.Equal(t, zk.Closed, l.do(zk.Op{Kind: zk.Exists, Path: "/n"})[0].Err)
	assert.Equal(t, zk.ClosedState, l.session.State())
}

// TestLiveOnTheEmulator: the same sessions over a pipe to the emulator.
func TestLiveOnTheEmulator(t *testing.T) {
	server := zkserver.New(zkmem.New(zkmem.Options{}), zkserver.Options{})
	t.Cleanup(func() { require.NoError(t, server.Close()) })
	dial := func(string, string, time.Duration) (net.Conn, error) { return server.Dial() }
	at := "127.0.0.1:2181/emulator"
	require.NoError(t, zkreal.Prepare(address(t, at), dial))
	a, b := newLive(t, at, 10_000, dial), newLive(t, at, 10_000, dial)
	got := a.do(zk.Op{Kind: zk.Create, Path: "/n", Mode: zk.Ephemeral}, zk.Op{Kind: zk.Get, Path: "/n"})
	assert.Equal(t, a.session.ID(), got[1].Stat.EphemeralOwner)
	assert.Equal(t, got[0].Zxid, got[1].Stat.Czxid)
	b.do(zk.Op{Kind: zk.Exists, Path: "/n", Watch: true})
	a.Lock()
	a.session.Close()
	a.Unlock()
	b.await("NodeDeleted /n")
}

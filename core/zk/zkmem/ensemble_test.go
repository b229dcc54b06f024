package zkmem

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"controllerscope/core/zk"
	"controllerscope/core/zk/zktest"
)

// placed is an ensemble that connects every new session to one of its servers.
type placed struct {
	zk.Ensemble
	at func(opened int) int
	n  int
}

func (p *placed) Open(now int64, ms int32) (zk.SessionID, int32, zk.Effects, error) {
	id, negotiated, fx, err := p.Ensemble.Open(now, ms)
	p.Move(id, p.at(p.n), 0)
	p.n++
	return id, negotiated, fx, err
}

func three(at func(opened int) int) *placed {
	return &placed{Ensemble: New(Options{}).Ensemble(3), at: at}
}

// TestEnsemblePlaysTheRecordedCases: while no server lags, nobody can tell an ensemble from one server.
func TestEnsemblePlaysTheRecordedCases(t *testing.T) {
	zktest.Run(t, func() zk.Store { return three(func(n int) int { return n % 3 }) })
}

// firstEpoch is where the zxids of an ensemble begin.
const firstEpoch int64 = 1 << 32

// TestEnsembleRandomHistories compares one server, whose zxids are made to begin with an epoch, with an ensemble whose
// sessions are all at one follower.
func TestEnsembleRandomHistories(t *testing.T) {
	for i := range 300 {
		seed := zktest.Seed(i)
		c := zktest.Random(&seed, fmt.Sprintf("random-seed-%d", i), 80, false)
		e := three(func(int) int { return 1 })
		one := New(Options{})
		one.zxid = firstEpoch
		p, err := zktest.NewStorePlayer(&zktest.Twin{One: one, Other: e}, "/base")
		require.NoError(t, err)
		for j := range c.Steps {
			_, err := p.Do(&c.Steps[j])
			require.NoError(t, err, "seed %d, step %d (%s)", i, j+1, c.Steps[j].Op)
		}
		for server := 1; server < 3; server++ {
			assert.Equal(t, treeOf(e.Ensemble.(*Ensemble).Store), treeOf(e.Ensemble.(*Ensemble).server(server)), "seed %d, server %d", i, server)
		}
	}
}

func treeOf(s *Store) (out []string) {
	s.Walk(func(path string, data []byte, stat zk.Stat) {
		out = append(out, fmt.Sprintf("%s %q %+v", path, data, stat))
	})
	return out
}

// client is a session for the tests of lag.
type lagClient struct {
	t  *testing.T
	e  zk.Ensemble
	id zk.SessionID
}

func (c lagClient) do(op zk.Op) (zk.Result, zk.Effects) {
	r, fx, err := c.e.Apply(1, c.id, op)
	require.NoError(c.t, err)
	return r, fx
}

// TestLaggingFollower: reads from a follower that lags are old, a sync before a read and an own write are the cures, and the
// watch event comes when the server does, before the new data can be read there.
func TestLaggingFollower(t *testing.T) {
	e := New(Options{}).Ensemble(3)
	client := func(server int) lagClient {
		id, _, _, err := e.Open(1, 10_000)
		require.NoError(t, err)
		require.True(t, e.Move(id, server, 0))
		return lagClient{t, e, id}
	}
	writer, reader, other := client(0), client(1), client(2)
	writer.do(zk.Op{Kind: zk.Create, Path: "/a", Data: []byte("old")})
	get := zk.Op{Kind: zk.Get, Path: "/a", Watch: true}
	r, _ := reader.do(get)
	assert.Equal(t, "old", string(r.Data))
	other.do(get)
	e.Lag(1, true)
	_, fx := writer.do(zk.Op{Kind: zk.Set, Path: "/a", Data: []byte("new"), Version: -1})
	assert.Equal(t, []zk.Fired{{Session: other.id, Event: zk.Event{Type: zk.NodeDataChanged, Path: "/a"}, Kinds: []zk.WatchKind{zk.DataWatch}}}, fx.Fired)
	r, _ = reader.do(get)
	assert.Equal(t, "old", string(r.Data), "the follower lags")
	assert.EqualValues(t, firstEpoch+4, r.Zxid, "and says how far it has come: three sessions and the create")

	// A client that has seen the write may not go back to it.
	require.NoError(t, e.Cut(writer.id))
	assert.False(t, e.Move(writer.id, 1, firstEpoch+5))
	assert.True(t, e.Move(writer.id, 2, firstEpoch+5))
	ok, _, err := e.Heal(1, writer.id, firstEpoch+5, nil)
	require.NoError(t, err)
	assert.True(t, ok)
	assert.Equal(t, 2, e.Server(writer.id))

	r, fx = reader.do(zk.Op{Kind: zk.Sync, Path: "/"})
	assert.Equal(t, zk.OK, r.Err)
	assert.Len(t, fx.Fired, 1, "the event comes before the answer to the sync")
	assert.Equal(t, reader.id, fx.Fired[0].Session)
	r, _ = reader.do(get)
	assert.Equal(t, "new", string(r.Data))

	writer.do(zk.Op{Kind: zk.Set, Path: "/a", Data: []byte("newer"), Version: -1})
	r, fx = reader.do(zk.Op{Kind: zk.Set, Path: "/a", Data: []byte("x"), Version: 1})
	assert.Equal(t, zk.BadVersion, r.Err, "the leader judges writes")
	assert.Len(t, fx.Fired, 1, "an own write, refused or not, makes the server catch up before it answers")
	r, _ = reader.do(get)
	assert.Equal(t, "newer", string(r.Data))
	writer.do(zk.Op{Kind: zk.Delete, Path: "/a", Version: -1})
	assert.Equal(t, zk.NodeDeleted, e.Lag(1, false).Fired[0].Event.Type)
}

// TestMovedSession keeps its ephemerals, and hears of what it missed, when it comes back at another server.
func TestMovedSession(t *testing.T) {
	e := New(Options{}).Ensemble(2)
	id, _, _, err := e.Open(1, 10_000)
	require.NoError(t, err)
	c := lagClient{t, e, id}
	c.do(zk.Op{Kind: zk.Create, Path: "/e", Mode: zk.Ephemeral})
	c.do(zk.Op{Kind: zk.Exists, Path: "/x", Watch: true})
	require.NoError(t, e.Cut(id))
	other, _, _, err := e.Open(1, 10_000)
	require.NoError(t, err)
	lagClient{t, e, other}.do(zk.Op{Kind: zk.Create, Path: "/x"})
	require.True(t, e.Move(id, 1, firstEpoch+2))
	ok, fx, err := e.Heal(1, id, firstEpoch+2, []zk.Watch{{Path: "/x", Kind: zk.DataWatch, Exists: true}})
	require.NoError(t, err)
	assert.True(t, ok)
	assert.Equal(t, zk.Event{Type: zk.NodeCreated, Path: "/x"}, fx.Fired[0].Event)
	r, _ := c.do(zk.Op{Kind: zk.Exists, Path: "/e"})
	assert.Equal(t, id, r.Stat.EphemeralOwner)
	_, err = e.Expire(1, id)
	require.NoError(t, err)
	ok, _, err = e.Heal(1, id, firstEpoch+2, nil)
	require.NoError(t, err)
	assert.False(t, ok)
	assert.Nil(t, e.(*Ensemble).Store.Ensemble(2), "only a server that nobody has used becomes a leader")
}

// TestElection: the next leader's zxids begin again in the next epoch, also at a follower that lags meanwhile.
func TestElection(t *testing.T) {
	e := New(Options{}).Ensemble(3)
	id, _, _, err := e.Open(1, 10_000)
	require.NoError(t, err)
	c := lagClient{t, e, id}
	r, _ := c.do(zk.Op{Kind: zk.Create, Path: "/a"})
	assert.EqualValues(t, 0x100000002, r.Stat.Czxid)
	e.Lag(1, true)
	e.Elect()
	r, _ = c.do(zk.Op{Kind: zk.Create, Path: "/a/b"})
	assert.EqualValues(t, 0x200000001, r.Stat.Czxid)
	require.True(t, e.Move(id, 1, 0))
	r, _ = c.do(zk.Op{Kind: zk.Get, Path: "/a"})
	assert.EqualValues(t, 0x100000002, r.Zxid, "the follower has not heard of the election")
	c.do(zk.Op{Kind: zk.Sync, Path: "/"})
	r, _ = c.do(zk.Op{Kind: zk.Get, Path: "/a"})
	assert.EqualValues(t, []int64{0x200000001, 0x100000002, 0x200000001}, []int64{r.Zxid, r.Stat.Mzxid, r.Stat.Pzxid})
}

// TestEnsembleOverATree: a tree that was planted grows at every server, and its sessions live at all of them.
func TestEnsembleOverATree(t *testing.T) {
	s := New(Options{})
	const owner = 0x5000000000000007
	require.NoError(t, s.Plant(7, []zk.Plant{{Path: "/a", Creates: 3, Version: 2, Data: []byte("x")}, {Path: "/a/b", Owner: owner}}))
	e := s.Ensemble(3)
	require.NotNil(t, e)
	id, _, _, err := e.Open(1, 10_000)
	require.NoError(t, err)
	c := lagClient{t, e, id}
	require.True(t, e.Move(id, 2, 0))
	e.Lag(2, true)
	_, err = e.Expire(8, owner)
	require.NoError(t, err)
	r, _ := c.do(zk.Op{Kind: zk.Exists, Path: "/a/b"})
	assert.EqualValues(t, owner, r.Stat.EphemeralOwner, "a follower that lags still shows what was planted")
	c.do(zk.Op{Kind: zk.Sync, Path: "/"})
	r, _ = c.do(zk.Op{Kind: zk.Get, Path: "/a"})
	assert.Equal(t, zk.Stat{Czxid: 1, Mzxid: 1, Pzxid: firstEpoch + 2, Ctime: 7, Mtime: 7, Version: 2, Cversion: 6, DataLength: 1}, r.Stat)
	for server := 1; server < 3; server++ {
		assert.Equal(t, treeOf(e.(*Ensemble).Store), treeOf(e.(*Ensemble).server(server)))
	}
}

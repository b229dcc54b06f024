package zkrealtest

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"controllerscope/core/zk"
	"controllerscope/core/zk/zkreal"
	"controllerscope/core/zk/zktest"
	"controllerscope/headless/internal/zkensemble"
)

// TestSuite plays the recorded cases.
func TestSuite(t *testing.T) {
	for name, e := range map[string]func(*testing.T) *zkensemble.Ensemble{"standalone": standalone, "ensemble": ensemble} {
		t.Run(name, func(t *testing.T) {
			at := address(t, e(t).Connect()+"/suite")
			zktest.Run(t, func() zk.Store {
				s, err := zkreal.NewStore(at, nil)
				require.NoError(t, err)
				return s
			})
		})
	}
}

// world drives a store by short words; every error of the store fails the test.
type world struct {
	t *testing.T
	*zkreal.Store
	now int64
}

func (w *world) open() zk.SessionID {
	id, _, _, err := w.Open(w.now, 10_000)
	require.NoError(w.t, err)
	return id
}

func (w *world) do(id zk.SessionID, op zk.Op) (zk.Result, zk.Effects) {
	w.now++
	res, fx, err := w.Apply(w.now, id, op)
	require.NoError(w.t, err)
	return res, fx
}

// told are the events that effects send to a session.
func told(fx zk.Effects, id zk.SessionID) []zk.Event {
	var out []zk.Event
	for _, f := range fx.Fired {
		if f.Session == id {
			out = append(out, f.Event)
		}
	}
	return out
}

func TestCutHealExpire(t *testing.T) {
	w := &world{t: t, Store: newStore(t, standalone(t).Connect()+"/faults"), now: 1000}
	a, b := w.open(), w.open()
	assert.NotEqual(t, a, b)

	made, fx := w.do(a, zk.Op{Kind: zk.Create, Path: "/e", Data: []byte("1"), Mode: zk.Ephemeral})
	assert.Equal(t, "/e", made.Path)
	got, _ := w.do(b, zk.Op{Kind: zk.Get, Path: "/e", Watch: true})
	assert.Equal(t, zk.Stat{Czxid: fx.Zxid, Mzxid: fx.Zxid, Pzxid: fx.Zxid, Ctime: 1001, Mtime: 1001, EphemeralOwner: a,
		DataLength: 1}, got.Stat, "zxids and owner of the server, times of the world")
	_, fx = w.do(b, zk.Op{Kind: zk.Exists, Path: "/later", Watch: true})
	assert.Equal(t, []zk.ArmedAt{{Session: b, Path: "/later", Kind: zk.DataWatch}}, fx.Armed)

	require.NoError(t, w.Cut(b))
	lost, _ := w.do(b, zk.Op{Kind: zk.Get, Path: "/e"})
	assert.Equal(t, zk.ConnectionLoss, lost.Err)
	set, fx := w.do(a, zk.Op{Kind: zk.Set, Path: "/e", Data: []byte("22"), Version: 0})
	assert.Empty(t, fx.Fired, "b's watch went with its connection")
	assert.Equal(t, fx.Zxid, set.Stat.Mzxid)

	ok, fx, err := w.Heal(w.now, b, got.Zxid, []zk.Watch{{Path: "/e", Kind: zk.DataWatch},
		{Path: "/later", Kind: zk.DataWatch, Exists: true}})
	require.NoError(t, err)
	assert.True(t, ok)
	assert.Equal(t, []zk.Event{{Type: zk.NodeDataChanged, Path: "/e"}}, told(fx, b))
	_, fx = w.do(a, zk.Op{Kind: zk.Create, Path: "/later"})
	assert.Equal(t, []zk.Event{{Type: zk.NodeCreated, Path: "/later"}}, told(fx, b))

	w.do(b, zk.Op{Kind: zk.Get, Path: "/e", Watch: true})
	fx, err = w.Expire(w.now, a)
	require.NoError(t, err)
	assert.Equal(t, []zk.Event{{Type: zk.NodeDeleted, Path: "/e"}}, told(fx, b))
	gone, _ := w.do(a, zk.Op{Kind: zk.Get, Path: "/later"})
	assert.Equal(t, zk.SessionExpired, gone.Err)
	ok, _, err = w.Heal(w.now, a, 0, nil)
	require.NoError(t, err)
	assert.False(t, ok)
}

// TestReadsAreNotStale writes through one member of an ensemble and reads through another.
func TestReadsAreNotStale(t *testing.T) {
	w := &world{t: t, Store: newStore(t, ensemble(t).Connect()+"/stale"), now: 1}
	sessions := []zk.SessionID{w.open(), w.open(), w.open()}
	w.do(sessions[0], zk.Op{Kind: zk.Create, Path: "/n"})
	for i := range 60 {
		set, _ := w.do(sessions[i%3], zk.Op{Kind: zk.Set, Path: "/n", Version: int32(i)})
		require.Equal(t, zk.OK, set.Err)
		got, _ := w.do(sessions[(i+1)%3], zk.Op{Kind: zk.Get, Path: "/n"})
		require.EqualValues(t, i+1, got.Stat.Version)
	}
}

// TestForeignWriteIsADifference: what somebody else does to the run's tree is named with request, field and both sides.
func TestForeignWriteIsADifference(t *testing.T) {
	at := standalone(t).Connect()
	w := &world{t: t, Store: newStore(t, at+"/foreign"), now: 1}
	id := w.open()
	w.do(id, zk.Op{Kind: zk.Create, Path: "/n", Data: []byte("ours")})
	stranger := newLive(t, at+"/", 5000, nil)
	assert.Equal(t, zk.OK, stranger.do(zk.Op{Kind: zk.Set, Path: w.Root() + "/n", Data: []byte("theirs"), Version: 0})[0].Err)
	_, _, err := w.Apply(2, id, zk.Op{Kind: zk.Get, Path: "/n"})
	var d *zkreal.Difference
	require.ErrorAs(t, err, &d)
	assert.Equal(t, zkreal.Difference{Request: d.Request, Field: "data", Server: `"theirs"`, Mirror: `"ours"`}, *d)
	assert.Contains(t, d.Request, "get /n of session 0x")
	_, _, again := w.Apply(3, id, zk.Op{Kind: zk.Get, Path: "/n"})
	assert.Equal(t, err, again, "the run is over")
}

// TestFinishedTree: what nobody read during the run is compared at its end.
func TestFinishedTree(t *testing.T) {
	at := standalone(t).Connect()
	s, err := zkreal.NewStore(address(t, at+"/finished"), nil)
	require.NoError(t, err)
	w := &world{t: t, Store: s, now: 5}
	id := w.open()
	_, fx := w.do(id, zk.Op{Kind: zk.Create, Path: "/n", Data: []byte("x")})
	var seen []string
	w.Walk(func(path string, data []byte, stat zk.Stat) {
		if seen = append(seen, path); path == "/n" {
			assert.Equal(t, zk.Stat{Czxid: fx.Zxid, Mzxid: fx.Zxid, Pzxid: fx.Zxid, Ctime: 6, Mtime: 6, DataLength: 1}, stat)
		}
	})
	assert.Equal(t, []string{"/", "/n", "/zookeeper", "/zookeeper/config", "/zookeeper/quota"}, seen)
	require.NoError(t, w.Verify())
	newLive(t, at+"/", 5000, nil).do(zk.Op{Kind: zk.Create, Path: w.Root() + "/n/theirs"})
	var d *zkreal.Difference
	require.ErrorAs(t, w.Shutdown(), &d)
	assert.Equal(t, "the finished tree, node /n", d.Request)
	assert.Equal(t, "stat.pzxid", d.Field)
}

func TestServerGoesAway(t *testing.T) {
	e := zkensemble.ForTest(t, zkensemble.Options{})
	s, err := zkreal.NewStore(address(t, e.Connect()+"/gone"), nil)
	require.NoError(t, err)
	id, _, _, err := s.Open(1, 10_000)
	require.NoError(t, err)
	require.NoError(t, e.Kill(0))
	_, _, err = s.Apply(2, id, zk.Op{Kind: zk.Create, Path: "/n"})
	require.ErrorIs(t, err, zkreal.ErrServer)
	require.ErrorIs(t, s.Shutdown(), zkreal.ErrServer)
	_, err = zkreal.NewStore(address(t, e.Connect()+"/gone"), nil)
	require.ErrorIs(t, err, zkreal.ErrServer)
}

// TestLeaderChange: a run goes on over a change of leader, whose transactions begin a new epoch.
func TestLeaderChange(t *testing.T) {
	e := zkensemble.ForTest(t, zkensemble.Options{Servers: 3})
	w := &world{t: t, Store: newStore(t, e.Connect()+"/epoch"), now: 1}
	sessions := []zk.SessionID{w.open(), w.open(), w.open()}
	_, before := w.do(sessions[0], zk.Op{Kind: zk.Create, Path: "/n"})
	for _, id := range sessions {
		w.do(id, zk.Op{Kind: zk.Get, Path: "/n", Watch: true})
	}
	leader := e.Leader()
	require.NoError(t, e.Kill(leader))
	require.NoError(t, e.Restart(leader))
	_, fx := w.do(sessions[1], zk.Op{Kind: zk.Set, Path: "/n", Version: 0})
	assert.Greater(t, fx.Zxid>>32, before.Zxid>>32, "a new epoch")
	for _, id := range sessions {
		assert.Equal(t, []zk.Event{{Type: zk.NodeDataChanged, Path: "/n"}}, told(fx, id))
	}
}

func TestGuest(t *testing.T) {
	at := standalone(t).Connect()
	root := newLive(t, at+"/", 5000, nil)
	root.do(zk.Op{Kind: zk.Create, Path: "/theirs"}, zk.Op{Kind: zk.Create, Path: "/theirs/data", Data: []byte("x")},
		zk.Op{Kind: zk.Create, Path: "/empty"})

	_, err := zkreal.NewStore(address(t, at+"/theirs"), nil)
	require.ErrorIs(t, err, zkreal.ErrNotOurs)
	assert.Contains(t, err.Error(), "/theirs on "+at+" holds somebody else's data (data); choose another chroot")
	_, err = zkreal.Clean(address(t, at+"/theirs"), nil)
	require.ErrorIs(t, err, zkreal.ErrNotOurs)
	assert.Equal(t, []string{"data"}, root.do(zk.Op{Kind: zk.Children, Path: "/theirs"})[0].Children)

	root.do(zk.Op{Kind: zk.Create, Path: "/leaf", Data: []byte("theirs")}, zk.Op{Kind: zk.Create, Path: "/session", Mode: zk.Ephemeral})
	for chroot, holds := range map[string]string{"/leaf": "the znode itself, 6 bytes", "/session": "an ephemeral znode"} {
		require.ErrorIs(t, zkreal.Reach(address(t, at+chroot), nil), zkreal.ErrNotOurs)
		err := zkreal.Prepare(address(t, at+chroot), nil)
		require.ErrorIs(t, err, zkreal.ErrNotOurs)
		assert.Contains(t, err.Error(), chroot+" on "+at+" holds somebody else's data ("+holds+"); choose another chroot")
		assert.Empty(t, root.do(zk.Op{Kind: zk.Children, Path: chroot})[0].Children, "nothing was made in it")
	}

	s, err := zkreal.NewStore(address(t, at+"/new/deep"), nil)
	require.NoError(t, err)
	assert.Equal(t, "/new/deep/run-0000000001", s.Root(), "the mark took number 0")
	require.NoError(t, s.Shutdown())
	assert.Equal(t, []string{zkreal.MarkNode}, root.do(zk.Op{Kind: zk.Children, Path: "/new/deep"})[0].Children)
	for chroot, removed := range map[string]int{"/new/deep": 3, "/never": 0} {
		n, err := zkreal.Clean(address(t, at+chroot), nil)
		require.NoError(t, err)
		assert.Equal(t, removed, n, chroot)
	}
	assert.Equal(t, zk.NoNode, root.do(zk.Op{Kind: zk.Exists, Path: "/new"})[0].Err, "made for the chroot, so removed")

	require.NoError(t, zkreal.Prepare(address(t, at+"/empty"), nil))
	require.NoError(t, zkreal.Prepare(address(t, at+"/empty"), nil))
	root.do(zk.Op{Kind: zk.Create, Path: "/empty/ids"}, zk.Op{Kind: zk.Create, Path: "/empty/ids/1", Mode: zk.Ephemeral})
	_, err = zkreal.Clean(address(t, at+"/empty"), nil)
	assert.ErrorContains(t, err, "/empty is in use: /empty/ids/1 belongs to session 0x")
	assert.ErrorContains(t, err, "; stop what runs there, or wait until the session has expired; nothing was removed")
	assert.Equal(t, []string{"1"}, root.do(zk.Op{Kind: zk.Children, Path: "/empty/ids"})[0].Children)
	root.do(zk.Op{Kind: zk.Delete, Path: "/empty/ids/1", Version: zk.AnyVersion}, zk.Op{Kind: zk.Delete, Path: "/empty/ids", Version: zk.AnyVersion})
	n, err := zkreal.Clean(address(t, at+"/empty"), nil)
	require.NoError(t, err)
	assert.Equal(t, 1, n)
	assert.Equal(t, zk.OK, root.do(zk.Op{Kind: zk.Exists, Path: "/empty"})[0].Err, "was there before, so it stays")
}

// TestOversizedRequest: a server drops the connection and the watches, keeps the session, and has applied nothing.
func TestOversizedRequest(t *testing.T) {
	w := &world{t: t, Store: newStore(t, standalone(t).Connect()+"/large"), now: 1}
	id := w.open()
	w.do(id, zk.Op{Kind: zk.Exists, Path: "/n", Watch: true})
	res, fx := w.do(id, zk.Op{Kind: zk.Create, Path: "/n", Data: make([]byte, 1<<20)})
	assert.Equal(t, zk.ConnectionLoss, res.Err)
	assert.Equal(t, []zk.ArmedAt{{Session: id, Path: "/n", Kind: zk.DataWatch}}, fx.Dropped)
	ok, _, err := w.Heal(3, id, 0, nil)
	require.NoError(t, err)
	assert.True(t, ok)
	res, _ = w.do(id, zk.Op{Kind: zk.Exists, Path: "/n"})
	assert.Equal(t, zk.NoNode, res.Err)
}

// TestManyWatchesAreSetAgain needs several packets, each below what a server takes.
func TestManyWatchesAreSetAgain(t *testing.T) {
	w := &world{t: t, Store: newStore(t, standalone(t).Connect()+"/many"), now: 1}
	a, b := w.open(), w.open()
	var watches []zk.Watch
	for i := range 4000 {
		watches = append(watches, zk.Watch{Path: fmt.Sprintf("/%0100d", i), Kind: zk.DataWatch, Exists: true})
	}
	require.NoError(t, w.Cut(a))
	ok, fx, err := w.Heal(1, a, 0, watches)
	require.NoError(t, err)
	assert.True(t, ok)
	assert.Len(t, fx.Armed, 4000)
	_, fx = w.do(b, zk.Op{Kind: zk.Create, Path: watches[3999].Path})
	assert.Equal(t, []zk.Event{{Type: zk.NodeCreated, Path: watches[3999].Path}}, told(fx, a))
}

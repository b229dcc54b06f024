package zkmem

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"controllerscope/core/zk"
)

func fired(id zk.SessionID, t zk.EventType, path string, kinds ...zk.WatchKind) zk.Fired {
	return zk.Fired{Session: id, Event: zk.Event{Type: t, Path: path}, Kinds: kinds}
}

func TestArmingTwiceIsOneEntry(t *testing.T) {
	b := newBench(t, Options{})
	b.create("/a", zk.Persistent)
	get := zk.Op{Kind: zk.Get, Path: "/a", Watch: true}
	_, fx := b.do(get)
	assert.Equal(t, []zk.ArmedAt{{Session: b.a, Path: "/a", Kind: zk.DataWatch}}, fx.Armed)
	_, fx = b.do(get)
	assert.Empty(t, fx.Armed)
	_, fx = b.do(zk.Op{Kind: zk.Exists, Path: "/a", Watch: true})
	assert.Empty(t, fx.Armed, "exists and get share the data watches")
	_, fx = b.do(zk.Op{Kind: zk.Get, Path: "/no", Watch: true})
	assert.Empty(t, fx.Armed, "a failed get sets nothing")
}

// TestDeleteTellsEachSessionOnce: the sessions with a data watch first, then those with a child watch only; by age.
func TestDeleteTellsEachSessionOnce(t *testing.T) {
	b := newBench(t, Options{})
	s2, s3 := b.open(), b.open()
	b.create("/p", zk.Persistent)
	b.watch(s3, zk.Children, "/p")
	b.watch(b.a, zk.Children, "/p")
	b.watch(s2, zk.Get, "/p")
	b.watch(b.a, zk.Get, "/p")
	b.watch(s2, zk.Children, "/")
	_, fx := b.do(zk.Op{Kind: zk.Delete, Path: "/p", Version: -1})
	assert.Equal(t, []zk.Fired{
		fired(s2, zk.NodeDeleted, "/p", zk.DataWatch),
		fired(b.a, zk.NodeDeleted, "/p", zk.DataWatch, zk.ChildWatch),
		fired(s3, zk.NodeDeleted, "/p", zk.ChildWatch),
		fired(s2, zk.NodeChildrenChanged, "/", zk.ChildWatch),
	}, fx.Fired)
	assert.Empty(t, b.Watches())
}

func TestCutDropsWatchesAndCredentialsButNotTheSession(t *testing.T) {
	b := newBench(t, Options{})
	b.create("/e", zk.Ephemeral)
	b.do(zk.Op{Kind: zk.AddAuth, Auth: zk.Auth{Scheme: "digest", Data: []byte("u:p")}})
	b.watch(b.a, zk.Get, "/e")
	b.watch(b.a, zk.Children, "/")
	assert.Equal(t, []zk.ArmedAt{{Session: b.a, Path: "/", Kind: zk.ChildWatch}, {Session: b.a, Path: "/e", Kind: zk.DataWatch}},
		b.WatchesOf(b.a))
	require.NoError(t, b.Cut(b.a))
	assert.Empty(t, b.Watches())
	r, _ := b.do(zk.Op{Kind: zk.Get, Path: "/e"})
	assert.Equal(t, zk.ConnectionLoss, r.Err)
	ok, fx, err := b.Heal(0, b.a, b.Zxid(), nil)
	require.NoError(t, err)
	assert.True(t, ok)
	assert.Equal(t, zk.Effects{}, fx)
	r, _ = b.do(zk.Op{Kind: zk.Create, Path: "/x", ACL: []zk.ACL{{Perms: 31, Scheme: "auth"}}})
	assert.Equal(t, zk.InvalidACL, r.Err, "the credential is gone")
	_, _, found := b.Node("/e")
	assert.True(t, found)
}

// TestHealJudgesByThePresentTree is the table of section 4.5.
func TestHealJudgesByThePresentTree(t *testing.T) {
	b := newBench(t, Options{})
	s := b.open()
	for _, p := range []string{"/same", "/set", "/gone", "/again", "/kids", "/calm"} {
		b.create(p, zk.Persistent)
	}
	seen := b.Zxid()
	require.NoError(t, b.Cut(s))
	b.do(zk.Op{Kind: zk.Set, Path: "/set", Version: -1})
	for _, p := range []string{"/gone", "/again"} {
		b.do(zk.Op{Kind: zk.Delete, Path: p, Version: -1})
	}
	b.create("/again", zk.Persistent)
	b.create("/came", zk.Persistent)
	b.create("/kids/k", zk.Persistent)
	b.do(zk.Op{Kind: zk.Delete, Path: "/kids/k", Version: -1})
	w := func(path string, kind zk.WatchKind, exists bool) zk.Watch {
		return zk.Watch{Path: path, Kind: kind, Exists: exists}
	}
	ok, fx, err := b.Heal(0, s, seen, []zk.Watch{
		w("/kids", zk.ChildWatch, false), w("/calm", zk.ChildWatch, false), w("/gone", zk.ChildWatch, false),
		w("/came", zk.DataWatch, true), w("/never", zk.DataWatch, true),
		w("/same", zk.DataWatch, false), w("/set", zk.DataWatch, false), w("/gone", zk.DataWatch, false),
		w("/again", zk.DataWatch, false),
	})
	require.NoError(t, err)
	assert.True(t, ok)
	assert.Equal(t, []zk.Fired{
		fired(s, zk.NodeDataChanged, "/set", zk.DataWatch), fired(s, zk.NodeDeleted, "/gone", zk.DataWatch),
		fired(s, zk.NodeDataChanged, "/again", zk.DataWatch), fired(s, zk.NodeCreated, "/came", zk.DataWatch),
		fired(s, zk.NodeChildrenChanged, "/kids", zk.ChildWatch), fired(s, zk.NodeDeleted, "/gone", zk.ChildWatch),
	}, fx.Fired)
	assert.Equal(t, []zk.ArmedAt{{Session: s, Path: "/same", Kind: zk.DataWatch}, {Session: s, Path: "/never", Kind: zk.DataWatch},
		{Session: s, Path: "/calm", Kind: zk.ChildWatch}}, fx.Armed)
}

func TestEndOfASession(t *testing.T) {
	b := newBench(t, Options{}) // zxid 1
	s := b.open()               // zxid 2
	b.create("/e", zk.Ephemeral)
	b.watch(s, zk.Get, "/e")
	b.watch(b.a, zk.Exists, "/e")
	b.watch(b.a, zk.Children, "/zookeeper")
	b.watch(b.a, zk.Children, "/zookeeper/quota")
	b.watch(b.a, zk.Get, "/zookeeper/quota")
	fx, err := b.Expire(0, b.a)
	require.NoError(t, err)
	assert.Equal(t, zk.Effects{
		Zxid: 4,
		Nodes: []zk.Node{{Path: "/e", Gone: true},
			{Path: "/", Data: []byte{}, Stat: zk.Stat{Pzxid: 4, Cversion: 1, NumChildren: 1}}},
		Fired: []zk.Fired{fired(s, zk.NodeDeleted, "/e", zk.DataWatch), fired(b.a, zk.NodeDeleted, "/e", zk.DataWatch)},
		Dropped: []zk.ArmedAt{{Session: b.a, Path: "/zookeeper", Kind: zk.ChildWatch},
			{Session: b.a, Path: "/zookeeper/quota", Kind: zk.DataWatch}, {Session: b.a, Path: "/zookeeper/quota", Kind: zk.ChildWatch}},
	}, fx)
	r, fx := b.do(zk.Op{Kind: zk.Get, Path: "/"})
	assert.Equal(t, zk.Result{Err: zk.SessionExpired, Zxid: 4}, r)
	assert.Equal(t, zk.Effects{}, fx)
	fx, err = b.Close(0, b.a)
	require.NoError(t, err)
	assert.Equal(t, zk.Effects{}, fx, "the session is gone already")
	ok, _, err := b.Heal(0, b.a, 0, nil)
	require.NoError(t, err)
	assert.False(t, ok)
	assert.Equal(t, []Session{{ID: s, TimeoutMS: 10000, Connected: true}}, b.Sessions())
}

// TestEventIsKeptFromWhoMayNotRead: the watch is used up all the same.
func TestEventIsKeptFromWhoMayNotRead(t *testing.T) {
	b := newBench(t, Options{})
	s := b.open()
	b.watch(s, zk.Exists, "/l")
	b.watch(b.a, zk.Exists, "/l")
	_, fx := b.do(zk.Op{Kind: zk.Create, Path: "/l", ACL: []zk.ACL{{Perms: 30, Scheme: "world", ID: "anyone"}}})
	assert.Empty(t, fx.Fired)
	assert.Equal(t, []zk.ArmedAt{{Session: s, Path: "/l", Kind: zk.DataWatch}, {Session: b.a, Path: "/l", Kind: zk.DataWatch}},
		fx.Dropped, "by age")
	assert.Empty(t, b.Watches())
}

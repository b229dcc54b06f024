package zkmem

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"controllerscope/core/zk"
)

var _ zk.Store = (*Store)(nil)

// bench is a store with one session and terse calls; every call happens at time 1000 + zxid before it.
type bench struct {
	t *testing.T
	*Store
	a zk.SessionID
}

func newBench(t *testing.T, o Options) *bench {
	b := &bench{t: t, Store: New(o)}
	b.a = b.open()
	return b
}

func (b *bench) open() zk.SessionID {
	id, _, _, err := b.Open(0, 10_000)
	require.NoError(b.t, err)
	return id
}

func (b *bench) as(id zk.SessionID, op zk.Op) (zk.Result, zk.Effects) {
	r, fx, err := b.Apply(1000+b.Zxid(), id, op)
	require.NoError(b.t, err)
	return r, fx
}

func (b *bench) do(op zk.Op) (zk.Result, zk.Effects) { return b.as(b.a, op) }

func (b *bench) create(path string, m zk.Mode) zk.Effects {
	r, fx := b.do(zk.Op{Kind: zk.Create, Path: path, Mode: m})
	require.Equal(b.t, zk.OK, r.Err, path)
	return fx
}

func (b *bench) watch(id zk.SessionID, kind zk.Kind, path string) {
	b.as(id, zk.Op{Kind: kind, Path: path, Watch: true})
}

// TestFreshTree is section 1.2 of the reference.
func TestFreshTree(t *testing.T) {
	s := New(Options{})
	type shown struct {
		path                        string
		version, cversion, aversion int32
		children                    int32
	}
	var got []shown
	s.Walk(func(path string, data []byte, st zk.Stat) {
		assert.Equal(t, []byte{}, data)
		assert.Zero(t, st.Czxid+st.Mzxid+st.Pzxid+st.Ctime+st.Mtime)
		got = append(got, shown{path, st.Version, st.Cversion, st.Aversion, st.NumChildren})
	})
	assert.Equal(t, []shown{{"/", 0, -1, 0, 1}, {"/zookeeper", 0, -2, 0, 2}, {"/zookeeper/config", 0, 0, -1, 0},
		{"/zookeeper/quota", 0, 0, 0, 0}}, got)
	_, _, fx, _ := s.Open(0, 0)
	assert.EqualValues(t, 1, fx.Zxid, "the first session takes zxid 1")
}

func TestTimeoutIsKeptWithinTwoToTwentyTicks(t *testing.T) {
	for asked, granted := range map[int32]int32{0: 4000, 3999: 4000, 18000: 18000, 90000: 40000} {
		_, got, _, _ := New(Options{}).Open(0, asked)
		assert.Equal(t, granted, got)
	}
	_, got, _, _ := New(Options{TickMS: 500}).Open(0, 90000)
	assert.EqualValues(t, 10000, got)
}

func TestEffectsOfACreate(t *testing.T) {
	b := newBench(t, Options{}) // zxid 1
	other := b.open()           // zxid 2
	b.watch(other, zk.Exists, "/a")
	b.watch(other, zk.Children, "/")
	r, fx := b.do(zk.Op{Kind: zk.Create, Path: "/a", Data: []byte("x")})
	node := zk.Stat{Czxid: 3, Mzxid: 3, Pzxid: 3, Ctime: 1002, Mtime: 1002, DataLength: 1}
	assert.Equal(t, zk.Result{Path: "/a", Stat: node, Zxid: 3}, r)
	assert.Equal(t, zk.Effects{
		Zxid: 3,
		Nodes: []zk.Node{{Path: "/a", Data: []byte("x"), Stat: node},
			{Path: "/", Data: []byte{}, Stat: zk.Stat{Pzxid: 3, Cversion: 0, NumChildren: 2}}},
		Fired: []zk.Fired{
			{Session: other, Event: zk.Event{Type: zk.NodeCreated, Path: "/a"}, Kinds: []zk.WatchKind{zk.DataWatch}},
			{Session: other, Event: zk.Event{Type: zk.NodeChildrenChanged, Path: "/"}, Kinds: []zk.WatchKind{zk.ChildWatch}},
		},
	}, fx)
	assert.Empty(t, b.Watches())
}

func TestRefusedWriteTakesAZxidAndChangesNothing(t *testing.T) {
	b := newBench(t, Options{})
	r, fx := b.do(zk.Op{Kind: zk.Set, Path: "/no"})
	assert.Equal(t, zk.Result{Err: zk.NoNode, Zxid: 2}, r)
	assert.Equal(t, zk.Effects{Zxid: 2}, fx)
	r, fx = b.do(zk.Op{Kind: zk.Get, Path: "/no", Watch: true})
	assert.Equal(t, zk.Result{Err: zk.NoNode, Zxid: 2}, r)
	assert.Equal(t, zk.Effects{}, fx)
}

func TestMultiChangesEachNodeOnceInOrderOfFirstTouch(t *testing.T) {
	b := newBench(t, Options{})
	r, fx := b.do(zk.Op{Kind: zk.Multi, Ops: []zk.Op{
		{Kind: zk.Create, Path: "/p"},
		{Kind: zk.Create, Path: "/p/s-", Mode: zk.PersistentSequential},
		{Kind: zk.Set, Path: "/p", Data: []byte("1"), Version: 0},
		{Kind: zk.Create, Path: "/gone"},
		{Kind: zk.Delete, Path: "/gone", Version: -1},
	}})
	require.Equal(t, zk.OK, r.Err)
	var paths []string
	for _, n := range fx.Nodes {
		paths = append(paths, n.Path)
	}
	assert.Equal(t, []string{"/p", "/", "/p/s-0000000000", "/gone"}, paths)
	assert.True(t, fx.Nodes[3].Gone)
	// Two creates and one delete under the root: 2×2 creates − 2 children.
	assert.Equal(t, zk.Stat{Pzxid: 2, Cversion: 2, NumChildren: 2}, fx.Nodes[1].Stat)
	assert.Equal(t, "/p/s-0000000000", r.Results[1].Path)
	assert.EqualValues(t, 1, r.Results[2].Stat.Version)
}

func TestFailedMultiGivesSequenceNumbersBack(t *testing.T) {
	b := newBench(t, Options{})
	b.create("/p", zk.Persistent)
	seq := zk.Op{Kind: zk.Create, Path: "/p/s-", Mode: zk.PersistentSequential}
	r, fx := b.do(zk.Op{Kind: zk.Multi, Ops: []zk.Op{seq, seq, {Kind: zk.Delete, Path: "/no"}, seq}})
	assert.Equal(t, zk.NoNode, r.Err)
	assert.Equal(t, []zk.Result{{}, {}, {Err: zk.NoNode}, {Err: zk.RuntimeInconsistency}}, r.Results)
	assert.Equal(t, zk.Effects{Zxid: 3}, fx)
	r, _ = b.do(seq)
	assert.Equal(t, "/p/s-0000000000", r.Path)
}

// TestCreateCountSticks is the overflow table of section 2.2.
func TestCreateCountSticks(t *testing.T) {
	b := newBench(t, Options{})
	b.create("/p", zk.Persistent)
	p := b.nodes["/p"]
	p.creates = 2147483647
	seq := zk.Op{Kind: zk.Create, Path: "/p/s-", Mode: zk.PersistentSequential}
	r, _ := b.do(seq)
	assert.Equal(t, "/p/s-2147483647", r.Path)
	assert.EqualValues(t, 2147483647, p.creates)
	assert.EqualValues(t, 2, p.pzxid, "Pzxid does not move")
	assert.EqualValues(t, -2-1, p.stat().Cversion, "2 × 2147483647 − 1 in 32 bits")
	r, _ = b.do(seq)
	assert.Equal(t, zk.NodeExists, r.Err)
	other := zk.Op{Kind: zk.Create, Path: "/p/t-", Mode: zk.PersistentSequential}
	r, _ = b.do(zk.Op{Kind: zk.Multi, Ops: []zk.Op{other, other, other}})
	require.Equal(t, zk.OK, r.Err)
	assert.Equal(t, "/p/t-2147483647", r.Results[0].Path)
	assert.Equal(t, "/p/t--2147483648", r.Results[1].Path)
	assert.Equal(t, "/p/t--2147483647", r.Results[2].Path)
	assert.EqualValues(t, 2147483647, p.creates)
}

func TestTakenSequenceNameKeepsTheCounter(t *testing.T) {
	b := newBench(t, Options{})
	b.create("/p", zk.Persistent)
	b.create("/p/s-0000000001", zk.Persistent)
	seq := zk.Op{Kind: zk.Create, Path: "/p/s-", Mode: zk.PersistentSequential}
	for range 2 {
		r, _ := b.do(seq)
		assert.Equal(t, zk.NodeExists, r.Err)
	}
	b.create("/p/x", zk.Persistent)
	r, _ := b.do(seq)
	assert.Equal(t, "/p/s-0000000002", r.Path)
	r, _ = b.do(zk.Op{Kind: zk.Create, Path: "/p/", Mode: zk.EphemeralSequential})
	assert.Equal(t, "/p/0000000003", r.Path)
	r, _ = b.do(zk.Op{Kind: zk.Create, Path: "/", Mode: zk.PersistentSequential})
	assert.Equal(t, "/0000000001", r.Path, "/p is the root's only counted child")
}

// TestPathRules is section 2.4, the server's side.
func TestPathRules(t *testing.T) {
	b := newBench(t, Options{})
	b.create("/a", zk.Persistent)
	for path, want := range map[string]zk.Code{
		"": zk.BadArguments, "a": zk.BadArguments, "/a/": zk.BadArguments, "/no/": zk.NoNode, "/a//b": zk.NoNode,
		"/a/.": zk.BadArguments, "/a/..": zk.BadArguments, "/./x": zk.NoNode, "/a/\x00": zk.BadArguments,
		"/a/\x01": zk.BadArguments, "/a/\u0085": zk.BadArguments, "/a/\ue000": zk.BadArguments, "/a/\uf8ff": zk.BadArguments,
		"/a/\uffff": zk.BadArguments, "/a/😀": zk.BadArguments, "/a/\xff": zk.BadArguments, "/": zk.NodeExists,
		"/a/...": zk.OK, "/a/.b": zk.OK, "/a/b.": zk.OK, "/a/b c": zk.OK, "/a/é": zk.OK, "//a": zk.BadArguments,
	} {
		r, _ := b.do(zk.Op{Kind: zk.Create, Path: path})
		assert.Equal(t, want, r.Err, "create %q", path)
	}
	for path, want := range map[string]zk.Code{"": zk.BadArguments, "/a/": zk.NoNode, "/no/x": zk.NoNode, "/": zk.BadArguments,
		"/zookeeper": zk.BadArguments, "/zookeeper/quota": zk.BadArguments, "/zookeeper/config": zk.BadArguments} {
		r, _ := b.do(zk.Op{Kind: zk.Delete, Path: path, Version: -1})
		assert.Equal(t, want, r.Err, "delete %q", path)
	}
	r, _ := b.do(zk.Op{Kind: zk.Set, Path: "/a/", Version: -1})
	assert.Equal(t, zk.BadArguments, r.Err)
	r, _ = b.do(zk.Op{Kind: zk.Set, Path: "/", Version: -1})
	assert.Equal(t, zk.OK, r.Err, "the root can be set")
	r, _ = b.do(zk.Op{Kind: zk.Exists, Path: "/a\x00"})
	assert.Equal(t, zk.BadArguments, r.Err)
	r, _ = b.do(zk.Op{Kind: zk.Sync, Path: "no path"})
	assert.Equal(t, zk.Result{Path: "no path", Zxid: b.Zxid()}, r)
}

// TestWhichErrorWins is section 3.
func TestWhichErrorWins(t *testing.T) {
	b := newBench(t, Options{})
	locked := []zk.ACL{{Perms: 0, Scheme: "world", ID: "anyone"}}
	none := []zk.ACL{}
	b.create("/a", zk.Persistent)
	b.create("/a/c", zk.Persistent)
	b.create("/e", zk.Ephemeral)
	r, _ := b.do(zk.Op{Kind: zk.Create, Path: "/l", ACL: locked})
	require.Equal(t, zk.OK, r.Err)
	for _, c := range []struct {
		op   zk.Op
		want zk.Code
	}{
		{zk.Op{Kind: zk.Create, Path: "/no/t", Mode: zk.TTL, ACL: none}, zk.Unimplemented},
		{zk.Op{Kind: zk.Create, Path: "x", ACL: none}, zk.BadArguments},
		{zk.Op{Kind: zk.Create, Path: "/a", ACL: none}, zk.InvalidACL},
		{zk.Op{Kind: zk.Create, Path: "/no/x", ACL: none}, zk.InvalidACL},
		{zk.Op{Kind: zk.Create, Path: "/l/."}, zk.NoAuth},
		{zk.Op{Kind: zk.Create, Path: "/e/."}, zk.BadArguments},
		{zk.Op{Kind: zk.Create, Path: "/e/x"}, zk.NoChildrenForEphemerals},
		{zk.Op{Kind: zk.Create, Path: "/a", Mode: 99}, zk.BadArguments},
		{zk.Op{Kind: zk.Delete, Path: "/l/x", Version: -1}, zk.NoAuth},
		{zk.Op{Kind: zk.Delete, Path: "/a", Version: 7}, zk.BadVersion},
		{zk.Op{Kind: zk.Delete, Path: "/a", Version: 0}, zk.NotEmpty},
		{zk.Op{Kind: zk.Set, Path: "/l", Version: 7}, zk.NoAuth},
		{zk.Op{Kind: zk.Set, Path: "/a", Version: -2}, zk.BadVersion},
		{zk.Op{Kind: zk.SetACL, Path: "/no", ACL: none}, zk.InvalidACL},
		{zk.Op{Kind: zk.SetACL, Path: "/no/", ACL: none}, zk.BadArguments},
		{zk.Op{Kind: zk.SetACL, Path: "/l", Version: 7}, zk.NoAuth},
		{zk.Op{Kind: zk.SetACL, Path: "/a", Version: 7}, zk.BadVersion},
		{zk.Op{Kind: zk.Multi, Ops: []zk.Op{{Kind: zk.Check, Path: "/l", Version: 7}}}, zk.NoAuth},
		{zk.Op{Kind: zk.Multi, Ops: []zk.Op{{Kind: zk.Get, Path: "/a"}}}, zk.MarshallingError},
		{zk.Op{Kind: zk.Multi, Ops: []zk.Op{{Kind: zk.Create, Path: "/t", Mode: zk.TTL}}}, zk.MarshallingError},
		{zk.Op{Kind: zk.Multi, Ops: []zk.Op{{Kind: zk.Create, Path: "/t", Mode: zk.TTL, TTL: 9}}}, zk.Unimplemented},
		{zk.Op{Kind: zk.Multi, Ops: []zk.Op{{Kind: zk.Create, Path: "/t", Mode: 99}}}, zk.BadArguments},
		{zk.Op{Kind: zk.Multi}, zk.OK},
		{zk.Op{Kind: zk.Get, Path: "/l"}, zk.NoAuth},
		{zk.Op{Kind: zk.GetACL, Path: "/l"}, zk.NoAuth},
		{zk.Op{Kind: zk.Exists, Path: "/l"}, zk.OK},
		{zk.Op{Kind: zk.Delete, Path: "/l", Version: -1}, zk.OK},
	} {
		r, _ := b.do(c.op)
		assert.Equal(t, c.want, r.Err, "%v %q", c.op.Kind, c.op.Path)
	}
}

func TestVersionWraps(t *testing.T) {
	b := newBench(t, Options{})
	b.create("/a", zk.Persistent)
	b.nodes["/a"].version = 2147483647
	r, _ := b.do(zk.Op{Kind: zk.Set, Path: "/a", Version: 2147483647})
	assert.EqualValues(t, -2147483648, r.Stat.Version)
}

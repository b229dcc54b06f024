package zkmem

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"controllerscope/core/zk"
)

func (b *bench) at(now int64, op zk.Op) zk.Code {
	r, _, err := b.Apply(now, b.a, op)
	require.NoError(b.t, err)
	return r.Err
}

func gonePaths(all []zk.Effects) []string {
	var out []string
	for _, fx := range all {
		out = append(out, fx.Nodes[0].Path)
	}
	return out
}

func TestContainersGoOnceTheyHadAChild(t *testing.T) {
	b := newBench(t, Options{})
	assert.False(t, b.HasRemovable())
	b.create("/k", zk.Container)
	b.create("/k/in", zk.Container)
	b.create("/new", zk.Container)
	assert.True(t, b.HasRemovable())
	assert.Empty(t, b.CheckContainers(60_000), "one has a child, the others never had one")
	b.create("/k/in/e", zk.Ephemeral)
	b.do(zk.Op{Kind: zk.Delete, Path: "/k/in/e", Version: -1})
	b.watch(b.a, zk.Children, "/k")
	before := b.Zxid()
	all := b.CheckContainers(120_000)
	require.Equal(t, []string{"/k/in"}, gonePaths(all), "the outer one had a child when the check began")
	assert.Equal(t, before+1, all[0].Zxid)
	assert.Equal(t, []zk.Fired{fired(b.a, zk.NodeChildrenChanged, "/k", zk.ChildWatch)}, all[0].Fired)
	assert.Equal(t, []string{"/k"}, gonePaths(b.CheckContainers(180_000)))
	before = b.Zxid()
	assert.Empty(t, b.CheckContainers(240_000))
	assert.Equal(t, before, b.Zxid(), "a check without candidates takes no zxid")
}

func TestTTLRunsFromMtimeAndNeedsTheOption(t *testing.T) {
	b := newBench(t, Options{})
	ttl := zk.Op{Kind: zk.Create, Path: "/t", Mode: zk.TTL, TTL: 1000}
	assert.Equal(t, zk.Unimplemented, b.at(0, ttl))

	b = newBench(t, Options{ExtendedTypes: true})
	for ttl, want := range map[int64]zk.Code{0: zk.BadArguments, -1: zk.BadArguments, 1 << 40: zk.BadArguments, 1<<40 - 1: zk.OK} {
		assert.Equal(t, want, b.at(0, zk.Op{Kind: zk.Create, Path: "/limit", Mode: zk.TTL, TTL: ttl}), ttl)
	}
	require.Equal(t, zk.OK, b.at(5000, ttl))
	_, st, _ := b.Node("/t")
	assert.Zero(t, st.EphemeralOwner)
	require.Equal(t, zk.OK, b.at(5500, zk.Op{Kind: zk.Set, Path: "/t", Version: -1}))
	assert.Empty(t, b.CheckContainers(6500), "exactly the TTL is not over it")
	require.Equal(t, zk.OK, b.at(6500, zk.Op{Kind: zk.Create, Path: "/t/c"}))
	assert.Empty(t, b.CheckContainers(9000), "it has a child")
	require.Equal(t, zk.OK, b.at(9000, zk.Op{Kind: zk.Delete, Path: "/t/c", Version: -1}))
	assert.Equal(t, []string{"/t"}, gonePaths(b.CheckContainers(9001)))
}

// TestRequestSizes is section 2.5: the largest data under a path of L bytes.
func TestRequestSizes(t *testing.T) {
	b := newBench(t, Options{})
	const path = "/big" // 4 bytes
	data := func(n int) []byte { return make([]byte, n) }
	before := b.Zxid()
	b.watch(b.a, zk.Exists, path)
	r, fx := b.do(zk.Op{Kind: zk.Create, Path: path, Data: data(1_048_528 - 4 + 1)})
	assert.Equal(t, zk.Result{Err: zk.ConnectionLoss, Zxid: before}, r)
	assert.Equal(t, zk.Effects{Dropped: []zk.ArmedAt{{Session: b.a, Path: path, Kind: zk.DataWatch}}}, fx)
	r, _ = b.do(zk.Op{Kind: zk.Exists, Path: path})
	assert.Equal(t, zk.ConnectionLoss, r.Err, "the connection is gone")
	_, _, err := b.Heal(0, b.a, before, nil)
	require.NoError(t, err)
	assert.Equal(t, zk.OK, b.at(0, zk.Op{Kind: zk.Create, Path: path, Data: data(1_048_528 - 4)}))
	assert.Equal(t, zk.OK, b.at(0, zk.Op{Kind: zk.Set, Path: path, Data: data(1_048_555 - 4), Version: -1}))
	assert.Equal(t, zk.ConnectionLoss, b.at(0, zk.Op{Kind: zk.Set, Path: path, Data: data(1_048_555 - 3), Version: -1}))
	_, _, err = b.Heal(0, b.a, before, nil)
	require.NoError(t, err)
	// 17 bytes around a multi, 48 + path + data for each create.
	multi := zk.Op{Kind: zk.Multi, Ops: []zk.Op{{Kind: zk.Create, Path: "/m", Data: data(maxRequest - 17 - 48 - 2)}}}
	assert.Equal(t, zk.OK, b.at(0, multi))
	multi.Ops[0].Path = "/mm"
	assert.Equal(t, zk.ConnectionLoss, b.at(0, multi))
}

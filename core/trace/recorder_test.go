package trace

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"controllerscope/core/env"
)

// TestRecordElection records how a broker takes office, a deletion and a second election, and checks every field.
func TestRecordElection(t *testing.T) {
	r := NewRecorder()
	one := r.Record(0, "admin", nil, env.Note{Kind: env.Admin, Msg: "admin.start"})
	two := r.Record(3, "zk", []int{one}, env.Note{
		Kind: env.ZkCreate, Entity: "/controller", Msg: "zk.created",
		Changes: []env.Change{
			env.Set(`{"brokerid":0}`, "zk", "/controller", "data"),
			env.Set(int64(0), "zk", "/controller", "version"),
			env.Set("zxid:0x7", "zxid"),
		},
		IDs: env.IDs{Zxid: "zxid:0x7"},
	})
	three := r.Record(4, "0.controller", []int{one, two, two}, env.Note{
		Kind: env.CtxSet, Msg: "election.won", Args: []env.Arg{env.A("brokerId", int64(0))},
		Reads:   []env.Path{env.P("zk", "/controller"), env.P("zk", "/nobody"), env.P("zxid")},
		Changes: []env.Change{env.Set(int64(1), "ctx", "0", "epoch"), env.Set(int64(1), "ctx", "0", "epoch")},
	})
	four := r.Record(9, "0.controller", nil, env.Note{
		Lane: "zk", Kind: env.ZkDelete, Entity: "/controller",
		Changes: []env.Change{env.Unset("zk", "/controller"), env.Unset("zk", "/controller")},
	})
	assert.Equal(t, []int{0, 1, 2, 3}, []int{one, two, three, four})

	steps := r.Steps()
	assert.Equal(t, []string{"admin#1", "zk#1", "0.controller#1", "zk#2"},
		[]string{steps[0].ID, steps[1].ID, steps[2].ID, steps[3].ID})
	assert.Equal(t, []int{0, 1}, steps[2].Causes, "each cause once; /nobody was never written")
	assert.Equal(t, []Diff{{Path: env.P("ctx", "0", "epoch"), After: int64(1)}}, steps[2].Diff, "an equal value is no change")
	assert.Equal(t, []Diff{
		{Path: env.P("zk", "/controller", "data"), Before: `{"brokerid":0}`},
		{Path: env.P("zk", "/controller", "version"), Before: int64(0)},
	}, steps[3].Diff, "a removed subtree is a diff per leaf, sorted")
	assert.Equal(t, int64(0), steps[2].Arg("brokerId"))
	assert.Nil(t, steps[2].Arg("epoch"))

	w, ok := r.LastWriter("zk", "/controller", "data")
	assert.True(t, ok)
	assert.Equal(t, four, w, "who removed it wrote it last")
	w, _ = r.LastWriter("zxid")
	assert.Equal(t, two, w)
	_, ok = r.LastWriter("ctx", "1")
	assert.False(t, ok)
	assert.False(t, r.Doc().Has("zk"), "no inner node without leaves stays")
	assert.Equal(t, steps[3].Hash, r.Doc().Hash())
	assert.NotEqual(t, steps[2].Hash, steps[3].Hash)
}

// TestHooks checks their order: the projection before the hash and the check, the sink last.
func TestHooks(t *testing.T) {
	r := NewRecorder()
	var sunk []*Step
	r.Project = func(s *Step, d *Document) []env.Change {
		return []env.Change{env.Set(env.Int(d.Count("zk")), "view", "znodes")}
	}
	r.Check = func(s *Step, d *Document) []string {
		assert.Equal(t, s.Hash, d.Hash())
		if d.Get("view", "znodes") == int64(2) {
			return []string{"at-most-one-znode"}
		}
		return nil
	}
	r.Sink = func(s *Step) { sunk = append(sunk, s) }
	for _, name := range []string{"/a", "/a", "/b"} {
		r.Record(0, "zk", nil, env.Note{Kind: env.ZkCreate, Changes: []env.Change{env.Set("", "zk", name, "data")}})
	}
	assert.Equal(t, r.Steps(), sunk)
	assert.Len(t, sunk[0].Diff, 2)
	assert.Empty(t, sunk[1].Diff)
	assert.Empty(t, sunk[1].Invariants)
	assert.Equal(t, []string{"at-most-one-znode"}, sunk[2].Invariants)
	assert.Equal(t, Diff{env.P("view", "znodes"), int64(1), int64(2)}, sunk[2].Diff[1])
}

func BenchmarkRecord(b *testing.B) {
	r := NewRecorder()
	for i := range b.N {
		zxid := env.Zxid(int64(i))
		r.Record(int64(i), "zk", []int{i - 1}, env.Note{
			Kind: env.ZkSet, Entity: "/brokers/topics/orders/partitions/0/state", Msg: "zk.set",
			Args:  []env.Arg{env.A("path", "/brokers/topics/orders/partitions/0/state")},
			Reads: []env.Path{env.P("ctx", "0", "partitionAssignments", "orders-0")},
			Changes: []env.Change{
				env.Set(env.Int(i), "zk", "/brokers/topics/orders/partitions/0/state", "version"),
				env.Set(zxid, "zk", "/brokers/topics/orders/partitions/0/state", "mzxid"),
				env.Set(zxid, "zxid"),
			},
		})
	}
}

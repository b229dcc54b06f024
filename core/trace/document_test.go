package trace

import (
	"fmt"
	"math/rand"
	"testing"

	"github.com/stretchr/testify/assert"

	"controllerscope/core/env"
)

func TestDocument(t *testing.T) {
	d := NewDocument()
	d.Set("x", "zk", "/b", "data")
	d.Set(int64(1), "zk", "/a", "version")
	d.Set(true, "watch", "/a", "data", "session:0x1")
	assert.Equal(t, []string{"/a", "/b"}, d.Names("zk"))
	assert.Equal(t, 2, d.Count("zk"))
	assert.Equal(t, 0, d.Count("zk", "/a", "version"))
	assert.Nil(t, d.Get("zk", "/a"), "a subtree has no value")
	assert.True(t, d.Has("zk", "/a"))
	assert.False(t, d.Has("zk", "/c"))

	var seen []string
	d.Walk(func(p env.Path, v any) bool {
		seen = append(seen, PathText(p)+"="+ValueText(v))
		return true
	})
	assert.Equal(t, []string{`watch[/a].data[session:0x1]=true`, `zk[/a].version=1`, `zk[/b].data="x"`}, seen)
	seen = nil
	d.Walk(func(p env.Path, v any) bool {
		seen = append(seen, PathText(p))
		return false
	}, "zk")
	assert.Equal(t, []string{`zk[/a].version`}, seen, "false stops the walk")

	assert.Equal(t, 3, d.Leaves())
	d.Set(nil, "watch", "/a")
	assert.Equal(t, 2, d.Leaves())
	assert.False(t, d.Has("watch"))
	d.Set(nil)
	assert.Equal(t, Hash(0), d.Hash(), "an empty document has the hash 0")
	assert.False(t, d.Has())
}

// TestChangeOfShape checks that a value may replace a subtree and the other way round, and that both can be reverted.
func TestChangeOfShape(t *testing.T) {
	d := NewDocument()
	d.Set("old", "a", "b")
	d.Set("other", "a", "c")
	start := d.Hash()
	s := &Step{Diff: d.Change(env.Set(int64(1), "a"), nil)}
	assert.Equal(t, []Diff{
		{env.P("a", "b"), "old", nil}, {env.P("a", "c"), "other", nil}, {env.P("a"), nil, int64(1)},
	}, s.Diff)
	back := &Step{Diff: d.Change(env.Set("deep", "a", "b", "c"), nil)}
	assert.Equal(t, []Diff{{env.P("a"), int64(1), nil}, {env.P("a", "b", "c"), nil, "deep"}}, back.Diff)
	d.Revert(back)
	assert.Equal(t, int64(1), d.Get("a"))
	d.Revert(s)
	assert.Equal(t, start, d.Hash())
	assert.Equal(t, "other", d.Get("a", "c"))
}

func TestFirstDifference(t *testing.T) {
	a, b := NewDocument(), NewDocument()
	for _, d := range []*Document{a, b} {
		d.Set(env.Record{env.A("isr", env.Ints([]int{1, 2}))}, "ctx", "0", "info")
		d.Set("same", "zk", "/a", "data")
	}
	assert.True(t, a.Equal(b))
	b.Set("new", "zk", "/a", "extra")
	b.Set(int64(2), "zxid")
	diff, ok := a.FirstDifference(b)
	assert.True(t, ok)
	assert.Equal(t, Diff{env.P("zk", "/a", "extra"), nil, "new"}, diff)
	a.Set(env.Record{env.A("isr", env.Ints([]int{2, 1}))}, "ctx", "0", "info")
	diff, _ = a.FirstDifference(b)
	assert.Equal(t, env.P("ctx", "0", "info"), diff.Path)
	assert.Equal(t, `{"isr":[2,1]}`, ValueText(diff.Before))
}

// TestHashTellsValuesApart: values that print alike, fields in another place, words cut differently.
func TestHashTellsValuesApart(t *testing.T) {
	seen := map[Hash]string{}
	add := func(name string, v any, path ...string) {
		d := NewDocument()
		d.Set(v, path...)
		if old, met := seen[d.Hash()]; met {
			t.Errorf("%s and %s have one hash", old, name)
		}
		seen[d.Hash()] = name
	}
	add("text 1", "1", "a")
	add("number 1", int64(1), "a")
	add("true", true, "a")
	add("false", false, "a")
	add("list 1", []any{int64(1)}, "a")
	add("list 1 1", []any{int64(1), int64(1)}, "a")
	add("nested", []any{[]any{int64(1)}, int64(1)}, "a")
	add("record", env.Record{env.A("x", int64(1)), env.A("y", int64(2))}, "a")
	add("record swapped", env.Record{env.A("x", int64(2)), env.A("y", int64(1))}, "a")
	add("path ab", "1", "ab")
	add("path a b", "1", "a", "b")
	add("empty", "", "a")
	same := NewDocument()
	same.Set(env.R(env.A("y", int64(2)), env.A("x", int64(1))), "a")
	assert.Equal(t, "record", seen[same.Hash()])
}

func TestBadValues(t *testing.T) {
	d := NewDocument()
	assert.PanicsWithValue(t, "trace: ctx[0].epoch: a int is no document value; use string, bool, env.Int, []any or env.Record",
		func() { d.Set(1, "ctx", "0", "epoch") })
	assert.Panics(t, func() { d.Set([]any{int32(1)}, "a") })
	d.Set("a\xffb", "zk", "/\xfe", "data")
	assert.Equal(t, "a\ufffdb", d.Get("zk", "/\ufffd", "data"), "what JSON cannot carry is replaced")
	list := []any{"\xff", int64(1)}
	d.Set(list, "l")
	assert.Equal(t, []any{"\ufffd", int64(1)}, d.Get("l"))
	assert.Equal(t, "\xff", list[0], "the caller's value stays")
}

// TestBackAndForth applies random changes, and checks the hash after every step of a walk back and forth against a
// document that is built anew.
func TestBackAndForth(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	r := NewRecorder()
	words := []string{"a", "b", "c"}
	for range 300 {
		var changes []env.Change
		for range rng.Intn(4) {
			var path []string
			for range 1 + rng.Intn(4) {
				path = append(path, words[rng.Intn(3)])
			}
			values := []any{nil, nil, int64(rng.Intn(3)), fmt.Sprint(rng.Intn(3)), []any{int64(rng.Intn(2))},
				env.Record{env.A("k", int64(rng.Intn(2)))}}
			changes = append(changes, env.Set(values[rng.Intn(len(values))], path...))
		}
		r.Record(0, "x", nil, env.Note{Kind: env.CtxSet, Changes: changes})
	}
	tr := r.Trace(Trace{})
	assert.NoError(t, tr.Verify())
	c := NewCursor(tr)
	for range 100 {
		at := rng.Intn(301) - 1
		c.Seek(at)
		fresh := NewDocument()
		c.Doc().Walk(func(p env.Path, v any) bool {
			fresh.Set(v, p...)
			return true
		})
		want := Hash(0)
		if at >= 0 {
			want = tr.Steps[at].Hash
		}
		assert.Equal(t, want, c.Doc().Hash())
		assert.Equal(t, want, fresh.Hash())
		assert.Equal(t, fresh.Leaves(), c.Doc().Leaves())
	}
	c.Seek(1000)
	assert.Equal(t, 299, c.At())
	assert.True(t, c.Doc().Equal(r.Doc()))
	assert.Equal(t, tr.Steps[299], c.Step())
}

func TestPast(t *testing.T) {
	r := election(0x10)
	c := NewCursor(r.Trace(Trace{}))
	c.Seek(3)
	p := Past{c.Doc(), c.Step()}
	assert.Equal(t, `{"host":"b1","port":9092}`, p.Get("zk", "/brokers/ids/1", "data"))
	assert.Nil(t, c.Doc().Get("zk", "/brokers/ids/1", "data"))
	assert.Nil(t, p.Get("zxid"))
	assert.Equal(t, "zxid:0x12", c.Doc().Get("zxid"))
	assert.True(t, p.Has("zk", "/brokers/ids/1"))
	assert.Equal(t, 2, p.Count("zk", "/brokers/ids/1"))
	assert.Equal(t, r.Steps()[3].Hash, c.Doc().Hash(), "asking leaves the document as it was")
}

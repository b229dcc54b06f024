package trace

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"controllerscope/core/env"
)

func TestNormalise(t *testing.T) {
	n := Normalise(electionTrace(0x10))
	assert.Equal(t, "zxid:#1", n.Initial.Get("broker", "1", "epoch"))
	assert.Equal(t, env.Record{env.A("epoch", "zxid:#2"), env.A("isr", []any{int64(1), int64(2)})}, n.Steps[1].Diff[2].After)
	assert.Equal(t, env.IDs{Zxid: "zxid:#2", Session: "session:#1"}, n.Steps[1].IDs)
	assert.Equal(t, "was <zxid:#2>", n.Steps[5].Arg("text"))
	assert.Equal(t, "zxid:#3", n.Steps[3].Diff[2].After)
	assert.NoError(t, n.Verify(), "the hashes are those of the new values")
	assert.Equal(t, n.JSON(), Normalise(electionTrace(0x77000)).JSON(), "the same run elsewhere")
	assert.Equal(t, n.JSON(), Normalise(n).JSON(), "normal form stays")
}

func TestFindTag(t *testing.T) {
	for in, want := range map[string]string{
		"zxid:0x7a": "zxid:0x7a", "a zxid:0x7a b": "zxid:0x7a", "session:0xff,": "session:0xff", "time:123": "time:123",
		"corr:9": "corr:9", "zxid:#4": "zxid:#4", "x: time:5": "time:5",
		"uptime:5": "", "zxid:7": "", "zxid:0x": "", "time:": "", "corr:x": "", "9time:5": "", "http://h:9": "", "": "",
	} {
		from, to := findTag(in)
		got := ""
		if from >= 0 {
			got = in[from:to]
		}
		assert.Equal(t, want, got, in)
	}
}

func TestCompareAgrees(t *testing.T) {
	assert.Nil(t, Compare(electionTrace(0x10), electionTrace(0x10), Whole))
	assert.Nil(t, Compare(electionTrace(0x10), electionTrace(0x900), Whole))
}

// TestCompareFindsEveryField changes one field at a time.
func TestCompareFindsEveryField(t *testing.T) {
	for field, change := range map[string]func(s []*Step){
		"kind":             func(s []*Step) { s[4].Kind = env.EventDone },
		"entity":           func(s []*Step) { s[4].Entity = "x" },
		"msg":              func(s []*Step) { s[4].Msg = "x" },
		"args":             func(s []*Step) { s[5].Args[0].Value = "was <zxid:0x12>" },
		"vtime_ms":         func(s []*Step) { s[4].VTimeMS++ },
		"causes":           func(s []*Step) { s[5].Causes = []int{4, 1} },
		"reads":            func(s []*Step) { s[5].Reads[0] = env.P("ctx", "1", "info") },
		"ids":              func(s []*Step) { s[5].IDs.Event = "e1" },
		"invariants":       func(s []*Step) { s[5].Invariants = []string{"one-leader"} },
		"diff ctx[0].dead": func(s []*Step) { s[5].Diff[0].After = int64(2) },
		"diff ctx[0].info": func(s []*Step) { s[5].Diff = s[5].Diff[:1] },
	} {
		b := electionTrace(0x10)
		change(b.Steps)
		d := Compare(electionTrace(0x10), b, PerLane)
		if assert.NotNil(t, d, field) {
			assert.Equal(t, field, d.Field)
		}
	}
	b := electionTrace(0x10)
	b.Initial.Set("zxid:0x1", "broker", "2", "epoch")
	assert.Equal(t, "the traces start differently: broker[2].epoch: unchanged | broker[2].epoch: none -> \"zxid:0x1\"",
		Compare(electionTrace(0x10), b, Whole).String())
}

// TestCompareReport checks the text of a difference: place, field, both sides, causes of both.
func TestCompareReport(t *testing.T) {
	b := electionTrace(0x20)
	b.Steps[4].Msg = "event.topic-change"
	assert.Equal(t, `the traces part at 0.controller#1: msg: "event.broker-change" | "event.topic-change"
a: #4 7 ms 0.controller#1 event.take: event.broker-change <- zk#2
b: #4 7 ms 0.controller#1 event.take: event.topic-change <- zk#2
cause in a: #3 zk#2 session.expire : session.expired
cause in b: #3 zk#2 session.expire : session.expired`, Compare(electionTrace(0x10), b, Whole).String())
}

// TestCompareOrder swaps two steps of different lanes: another whole order, the same order per lane.
func TestCompareOrder(t *testing.T) {
	run := func(first, second string) *Trace {
		r := NewRecorder()
		for i, lane := range []string{first, second} {
			r.Record(1, lane, nil, env.Note{Kind: env.CtxSet, Changes: []env.Change{
				env.Set(env.Zxid(int64(i)), "ctx", lane, "epoch")}})
		}
		r.Record(2, "2", []int{0, 1}, env.Note{Kind: env.Resp})
		return r.Trace(Trace{})
	}
	a, b := run("0", "1"), run("1", "0")
	assert.Nil(t, Compare(a, b, PerLane))
	d := Compare(a, b, Whole)
	assert.Equal(t, "order", d.Field)
	assert.Equal(t, "0#1", d.A.ID)
	assert.Equal(t, "1#1", d.B.ID)

	b.Steps = slices.Clone(b.Steps[:2])
	for _, order := range []Order{Whole, PerLane} {
		d = Compare(run("1", "0"), b, order)
		assert.Equal(t, "missing", d.Field)
		assert.Equal(t, "2#1", d.Step)
		assert.Nil(t, d.B)
		d = Compare(b, run("1", "0"), order)
		assert.Nil(t, d.A)
		assert.Equal(t, []string{"1#1", "0#1"}, []string{d.CausesB[0].ID, d.CausesB[1].ID})
	}
}

// TestRenamingIsOneToOne: two ids in one trace cannot both stand for one id of the other.
func TestRenamingIsOneToOne(t *testing.T) {
	run := func(x, y string) *Trace {
		r := NewRecorder()
		r.Record(0, "l", nil, env.Note{Kind: env.Resp, Args: []env.Arg{env.A("a", x), env.A("b", y)}})
		return r.Trace(Trace{})
	}
	assert.Nil(t, Compare(run("zxid:0x1", "zxid:0x2"), run("zxid:0x5", "zxid:0x4"), Whole))
	assert.NotNil(t, Compare(run("zxid:0x1", "zxid:0x2"), run("zxid:0x5", "zxid:0x5"), Whole))
	assert.NotNil(t, Compare(run("zxid:0x1", "zxid:0x1"), run("zxid:0x5", "zxid:0x4"), Whole))
	assert.NotNil(t, Compare(run("zxid:0x1", ""), run("session:0x1", ""), Whole))
	assert.NotNil(t, Compare(run("zxid:0x1", ""), run("-1", ""), Whole), "the unknown epoch is no zxid")
}

func TestWhy(t *testing.T) {
	tr := electionTrace(0x10)
	links := Why(tr, env.P("ctx", "0", "dead"), 5)
	var ids []string
	for _, l := range links {
		ids = append(ids, l.Step.ID+" "+PathText(l.Path))
	}
	assert.Equal(t, []string{"0.controller#2 ctx[0].dead", "zk#2 zk[/brokers/ids/1].data", "op#2 "}, ids,
		"the kill led to it, not the older start of the cluster")
	facts := links[0].Facts
	assert.Equal(t, env.P("ctx", "0", "info"), facts[0].Path)
	assert.Equal(t, env.Record{env.A("epoch", "zxid:0x11"), env.A("isr", []any{int64(1), int64(2)})}, facts[0].Value)
	assert.Equal(t, "zk#1", facts[0].Writer.ID)
	assert.Nil(t, facts[1].Value, "broker 1 was gone")
	assert.Equal(t, "zk#2", facts[1].Writer.ID)
	assert.Equal(t, `ctx[0].info = {"epoch":"zxid:0x11","isr":[1,2]}`, facts[0].Text())
	assert.Equal(t, `zk[/brokers/ids/1].data = none`, facts[1].Text())
	assert.Equal(t, `zk[/brokers/ids/1]: czxid, data`, links[1].Facts[0].Text(), "a subtree is what is below it")

	links = Why(tr, env.P("zk", "/brokers/ids/1", "data", "host"), 2)
	assert.Equal(t, "zk#1", links[0].Step.ID, "into the JSON text of a leaf, at an earlier step")
	assert.Equal(t, "op#1", links[1].Step.ID)
	assert.Empty(t, Why(tr, env.P("ctx", "0", "dead"), 4))
	assert.Empty(t, Why(tr, env.P("nothing"), 99))
}

// TestWhyTellsWhatMattered: a controller compares eight brokers, does two things that have nothing to do with the question,
// and then drops broker 1 from its cache.
func TestWhyTellsWhatMattered(t *testing.T) {
	r := NewRecorder()
	set := func(value any, path ...string) []env.Change { return []env.Change{{Path: path, After: value}} }
	r.Record(0, "admin", nil, env.Note{Kind: env.Admin, Changes: set(int64(1), "op")})
	r.Record(1, "0.controller", []int{0}, env.Note{Kind: env.EventTake, Changes: set("BrokerChange", "queue")})
	var reads []env.Path
	for _, b := range []string{"1", "2", "3", "4", "5", "6", "7", "8"} {
		reads = append(reads, env.P("zk", "/brokers/ids/"+b, "czxid"))
	}
	r.Record(2, "0.controller", []int{1}, env.Note{Kind: env.CtxSet, Changes: set("1", "ctx", "0", "bounced"), Reads: append(reads, env.P("ctx", "0", "live", "1"))})
	r.Record(3, "0.controller", []int{2}, env.Note{Kind: env.CtxSet, Changes: set("x", "ctx", "0", "other")})
	r.Record(4, "0.controller", []int{3}, env.Note{Kind: env.CtxSet, Changes: set("y", "batch"), Reads: []env.Path{env.P("ctx", "0", "other")}})
	r.Record(5, "0.controller", []int{4}, env.Note{Kind: env.CtxSet, Changes: set(false, "ctx", "0", "live", "1")})
	links := Why(r.Trace(Trace{}), env.P("ctx", "0", "live", "1"), 5)
	var ids []string
	for _, l := range links {
		ids = append(ids, l.Step.ID)
	}
	assert.Equal(t, []string{"0.controller#5", "0.controller#2", "0.controller#1", "admin#1"}, ids)
	facts := links[1].Facts
	assert.Equal(t, []env.Path{env.P("zk", "/brokers/ids/1", "czxid"), env.P("ctx", "0", "live", "1")}, []env.Path{facts[0].Path, facts[1].Path})
	assert.Len(t, facts, 2)
	assert.Equal(t, 7, links[1].More)
}

func TestText(t *testing.T) {
	tr := electionTrace(0x10)
	assert.Equal(t, `#5 8 ms 0.controller#2 ctx.set broker 1: ctx.dead text="was <zxid:0x11>" <- 0.controller#1, zk#1, zk#2
    ctx[0].dead: none -> 1
    ctx[0].info: {"epoch":"zxid:0x11","isr":[1,2]} -> none`, tr.Text(tr.Steps[5]))
	assert.Equal(t, `handler[0][data:/controller]`, PathText([]string{"handler", "0", "data:/controller"}))
	assert.Equal(t, `zk[/a\]b\\c]`, PathText([]string{"zk", `/a]b\c`}))
	assert.Equal(t, `partition[orders.v1-0]`, PathText([]string{"partition", "orders.v1-0"}))
	assert.Equal(t, `topic.orders-0`, PathText([]string{"topic", "orders-0"}))
}

func TestField(t *testing.T) {
	s := electionTrace(0x10).Steps[5]
	for _, c := range []struct {
		words []string
		want  any
	}{
		{[]string{"i"}, int64(5)}, {[]string{"id"}, "0.controller#2"}, {[]string{"vtime_ms"}, int64(8)},
		{[]string{"lane"}, "0.controller"}, {[]string{"kind"}, "ctx.set"}, {[]string{"entity"}, "broker 1"},
		{[]string{"msg"}, "ctx.dead"}, {[]string{"args", "text"}, "was <zxid:0x11>"}, {[]string{"args", "none"}, nil},
		{[]string{"causes"}, []any{int64(4), int64(1), int64(3)}}, {[]string{"invariants"}, []any{}},
		{[]string{"ids", "zxid"}, nil}, {[]string{"args"}, nil}, {nil, nil}, {[]string{"else"}, nil},
	} {
		got, rest := s.Field(c.words...)
		assert.Equal(t, c.want, got, c.words)
		assert.Empty(t, rest)
	}
	value, rest := electionTrace(0x10).Steps[1].Field("ids", "session", "x")
	assert.Equal(t, "session:0x100", value)
	assert.Equal(t, []string{"x"}, rest)
}

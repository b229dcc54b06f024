package trace

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"controllerscope/core/env"
)

// TestPack pins the packed form: what it leaves out and how it says the rest.
func TestPack(t *testing.T) {
	tr := electionTrace(0x10)
	h := func(i int) string { return tr.Steps[i].Hash.String() }
	want := `{"schema":1,"packed":1,"core":"1.0","setup":{"brokers":[1,2]},"seed":7,"script":"broker kill 1\n",` +
		`"initial":{"broker":{"1":{"epoch":"zxid:0x1"}}},` +
		`"msgs":{"ctx.dead":{"src":"controller.removeLiveBrokers","kafka":"ControllerContext.removeLiveBrokers","article":"S2"},` +
		`"event.broker-change":{"src":"","kafka":""},"op.cluster":{"src":"","kafka":""},"op.kill":{"src":"","kafka":""},"session.expired":{"src":"","kafka":""},` +
		`"zk.created":{"src":"sim.create","kafka":"-"}},"steps":[` + strings.Join([]string{
		`{"lane":"op","kind":"admin","entity":"cluster","msg":{"key":"op.cluster"},"hash":"` + h(0) + `"}`,
		`{"lane":"zk","vtime_ms":2,"kind":"zk.create","entity":"/brokers/ids/1",` +
			`"msg":{"key":"zk.created","args":{"path":"/brokers/ids/1"}},"diff":[` +
			`[["zk","/brokers/ids/1","data"],"{\"host\":\"b1\",\"port\":9092}"],[[2,"czxid"],"zxid:0x11"],` +
			`[["ctx","0","info"],{"epoch":"zxid:0x11","isr":[1,2]}]],` +
			`"causes":[1],"ids":{"zxid":"zxid:0x11","session":"session:0x100"},"hash":"` + h(1) + `"}`,
		`{"lane":"op","vtime_ms":3,"kind":"broker.state","entity":"broker 1","msg":{"key":"op.kill"},"hash":"` + h(1) + `"}`,
		`{"lane":"zk","vtime_ms":1,"kind":"session.expire","msg":{"key":"session.expired"},"diff":[` +
			`[["zk","/brokers/ids/1","czxid"]],[[2,"data"]],[["zxid"],"zxid:0x12"]],` +
			`"causes":[1,2],"reads":[["zk","/brokers/ids/1"]],"hash":"` + h(3) + `"}`,
		`{"lane":"0.controller","vtime_ms":1,"kind":"event.take","msg":{"key":"event.broker-change"},"causes":[1],"hash":"` + h(3) + `"}`,
		`{"lane":"0.controller","vtime_ms":1,"kind":"ctx.set","entity":"broker 1",` +
			`"msg":{"key":"ctx.dead","args":{"text":"was <zxid:0x11>"}},"diff":[[["ctx","0","dead"],1],[[2,"info"]]],` +
			`"causes":[1,4,2],"reads":[["ctx","0","info"],["zk","/brokers/ids/1","data"]],"hash":"` + h(5) + `"}`,
	}, ",") + `],"hash":"` + tr.Hash().String() + `"}`
	assert.Equal(t, want, string(tr.Pack()))

	back, err := Read("t.json", tr.Pack())
	require.NoError(t, err)
	assert.Equal(t, tr.Steps, back.Steps)
	assert.Equal(t, string(tr.JSON()), string(back.JSON()))
}

// TestPackKeepsEveryValue has leaves of every type before the first step and after, records in inner nodes and lists in
// lists, and values that one step writes twice.
func TestPackKeepsEveryValue(t *testing.T) {
	values := []any{"", "é <&> \u2028 \x01 \"\\", int64(-1 << 63), int64(1<<63 - 1), true, false, []any{}, []any{[]any{}},
		[]any{"a", []any{int64(1)}, nil}, env.Record{}, env.Record{env.A("a", []any{false}), env.A("z", int64(1))}}
	r := NewRecorder()
	for i, v := range values {
		r.Begin(env.Set(v, "initial", stepID("leaf", i)))
	}
	for _, v := range values {
		r.Record(1, "l", nil, env.Note{Kind: env.CtxSet, Msg: "m", Changes: []env.Change{
			env.Set("first", "v"), env.Set(v, "v"), env.Set(v, "w", "below"), env.Unset("w"), env.Unset("initial", "leaf#3")}})
	}
	tr := r.Trace(Trace{Msgs: map[string]env.Message{"m": {}}})
	back, err := Read("x", tr.Pack())
	require.NoError(t, err)
	assert.Equal(t, tr.Steps, back.Steps)
	assert.Equal(t, string(tr.JSON()), string(back.JSON()))

	empty := &Trace{}
	back, err = Read("empty", empty.Pack())
	require.NoError(t, err)
	assert.Equal(t, string(empty.JSON()), string(back.JSON()))
}

func TestReadPackedErrors(t *testing.T) {
	text := string(electionTrace(0x10).Pack())
	for _, c := range []struct{ old, new, want string }{
		{`"packed":1`, `"packed":2`, "t: it is packed in form 2, this program reads up to 1; use a newer one"},
		{`"steps":[`, `"was":[`, "t: it is packed and has no field steps"},
		{`"initial":{`, `"initial":[],"was":{`, "t: initial: want an object of what holds"},
		{`"initial":{"broker"`, `"initial":{"":{},"zk":[],"broker"`, "t: initial: zk: want one value in a list of its own"},
		{`"epoch":"zxid:0x1"`, `"epoch":null`, "t: initial: broker[1].epoch has no value"},
		{`"epoch":"zxid:0x1"`, `"epoch":["a","b"]`, "t: initial: broker[1].epoch: want one value in a list of its own"},
		{`"epoch":"zxid:0x1"`, `"epoch":0.5`, "t: initial: 0.5 is not a whole number of 64 bits"},
		{`"lane":"op",`, ``, "t: step 0: field lane is missing"},
		{`"kind":"session.expire"`, `"kind":"session.explode"`, `t: step 3: field kind: there is no kind "session.explode"`},
		{`"causes":[1,4,2]`, `"causes":[0]`, "t: step 5 (0.controller#2): cause 5 is not an earlier step"},
		{`"causes":[1,4,2]`, `"causes":[6]`, "t: step 5 (0.controller#2): cause -1 is not an earlier step"},
		{`["zxid"],"zxid:0x12"`, `["zxid"]`, "t: step 3 (zk#2): its diff of zxid changes nothing, there is no such leaf"},
		{`[["zxid"],"zxid:0x12"]`, `["zxid","zxid:0x12"]`, "t: step 3: field diff[2]: want a list of a path and the value after"},
		{`[["zxid"],"zxid:0x12"]`, `[]`, "t: step 3: field diff[2]: want a list of a path and the value after"},
		{`[[2,"info"]]`, `[[4,"info"]]`, "t: step 5: field diff[1]: its path shares 4 words with the one before, which has 3"},
		{`[[2,"info"]]`, `[[-1,"info"]]`, "t: step 5: field diff[1]: its path shares -1 words with the one before, which has 3"},
		{`[[2,"info"]]`, `[[2,7]]`, "t: step 5: field diff[1]: 7 is no word of a path"},
		{`[["ctx","0","dead"],1]`, `[["ctx","0","dead"],1.5]`, "t: step 5: field diff[0]: 1.5 is not a whole number of 64 bits"},
		{`[["ctx","0","dead"],1]`, `[["ctx","0","dead"],2]`, "t: step 5 (0.controller#2): its hash is"},
		{`"vtime_ms":3`, `"vtime_ms":-3`, "t: step 2 (op#2): its field vtime_ms is -1; times are 0 or more"},
		{`"msg":{"key":"op.kill"},`, ``, "t: step 2 (op#2): field msg.key is missing"},
		{`"lane":"op","vtime_ms":3`, `"lane":"op2","vtime_ms":3`, "t: its hash is"},
	} {
		require.Contains(t, text, c.old)
		_, err := Read("t", []byte(strings.Replace(text, c.old, c.new, 1)))
		if assert.Error(t, err, c.want) {
			assert.Contains(t, err.Error(), c.want)
			assert.NotContains(t, err.Error(), "\n", "one sentence")
		}
	}
	for cut := range len(text) {
		_, err := Read("t", []byte(text[:cut]))
		assert.Error(t, err)
	}
}

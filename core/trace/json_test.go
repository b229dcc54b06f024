package trace

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"controllerscope/core/env"
)

// TestJSON pins the form of the contract: keys, their order, what is left out.
func TestJSON(t *testing.T) {
	tr := electionTrace(0x10)
	h := func(i int) string { return tr.Steps[i].Hash.String() }
	want := `{"schema":1,"core":"1.0","setup":{"brokers":[1,2]},"seed":7,"script":"broker kill 1\n",` +
		`"initial":[{"path":["broker","1","epoch"],"after":"zxid:0x1"}],` +
		`"msgs":{"ctx.dead":{"src":"controller.removeLiveBrokers","kafka":"ControllerContext.removeLiveBrokers","article":"S2"},` +
		`"event.broker-change":{"src":"","kafka":""},"op.cluster":{"src":"","kafka":""},"op.kill":{"src":"","kafka":""},"session.expired":{"src":"","kafka":""},` +
		`"zk.created":{"src":"sim.create","kafka":"-"}},"steps":[` + strings.Join([]string{
		`{"i":0,"id":"op#1","vtime_ms":0,"lane":"op","kind":"admin","entity":"cluster","msg":{"key":"op.cluster"},"hash":"` + h(0) + `"}`,
		`{"i":1,"id":"zk#1","vtime_ms":2,"lane":"zk","kind":"zk.create","entity":"/brokers/ids/1",` +
			`"msg":{"key":"zk.created","args":{"path":"/brokers/ids/1"}},"diff":[` +
			`{"path":["zk","/brokers/ids/1","data"],"after":"{\"host\":\"b1\",\"port\":9092}"},` +
			`{"path":["zk","/brokers/ids/1","czxid"],"after":"zxid:0x11"},` +
			`{"path":["ctx","0","info"],"after":{"epoch":"zxid:0x11","isr":[1,2]}}],` +
			`"causes":[0],"ids":{"zxid":"zxid:0x11","session":"session:0x100"},"hash":"` + h(1) + `"}`,
		`{"i":2,"id":"op#2","vtime_ms":5,"lane":"op","kind":"broker.state","entity":"broker 1","msg":{"key":"op.kill"},"hash":"` + h(1) + `"}`,
		`{"i":3,"id":"zk#2","vtime_ms":6,"lane":"zk","kind":"session.expire","msg":{"key":"session.expired"},"diff":[` +
			`{"path":["zk","/brokers/ids/1","czxid"],"before":"zxid:0x11"},` +
			`{"path":["zk","/brokers/ids/1","data"],"before":"{\"host\":\"b1\",\"port\":9092}"},` +
			`{"path":["zxid"],"after":"zxid:0x12"}],"causes":[2,1],"reads":[["zk","/brokers/ids/1"]],"hash":"` + h(3) + `"}`,
		`{"i":4,"id":"0.controller#1","vtime_ms":7,"lane":"0.controller","kind":"event.take","msg":{"key":"event.broker-change"},"causes":[3],"hash":"` + h(3) + `"}`,
		`{"i":5,"id":"0.controller#2","vtime_ms":8,"lane":"0.controller","kind":"ctx.set","entity":"broker 1",` +
			`"msg":{"key":"ctx.dead","args":{"text":"was <zxid:0x11>"}},"diff":[{"path":["ctx","0","dead"],"after":1},` +
			`{"path":["ctx","0","info"],"before":{"epoch":"zxid:0x11","isr":[1,2]}}],"causes":[4,1,3],` +
			`"reads":[["ctx","0","info"],["zk","/brokers/ids/1","data"]],"hash":"` + h(5) + `"}`,
	}, ",") + `],"hash":"` + tr.Hash().String() + `"}`
	assert.Equal(t, want, string(tr.JSON()))
}

func lines(tr *Trace) []byte {
	out := tr.HeaderLine()
	for _, s := range tr.Steps {
		out = append(s.AppendJSON(out), '\n')
	}
	return out
}

func TestReadBothForms(t *testing.T) {
	tr := electionTrace(0x10)
	whole, err := Read("t.json", tr.JSON())
	require.NoError(t, err)
	assert.Equal(t, tr.JSON(), whole.JSON())
	assert.Equal(t, tr.Steps, whole.Steps)

	byLine, err := Read("t.jsonl", lines(tr))
	require.NoError(t, err)
	assert.Equal(t, tr.JSON(), byLine.JSON())
	assert.False(t, byLine.Torn)

	data := lines(tr)
	for cut := 2; cut < 100; cut += 7 {
		torn, err := Read("t.jsonl", data[:len(data)-cut])
		require.NoError(t, err)
		assert.True(t, torn.Torn)
		assert.Equal(t, tr.Steps[:5], torn.Steps)
	}
	marked, err := Read("t.jsonl", append([]byte("\ufeff"), data...)) // as some editors save
	require.NoError(t, err)
	assert.Equal(t, tr.Steps, marked.Steps)
	complete, err := Read("t.jsonl", data[:len(data)-1])
	require.NoError(t, err)
	assert.Len(t, complete.Steps, 6, "a last line that lacks only its newline counts")
}

func TestValuesSurviveJSON(t *testing.T) {
	r := NewRecorder()
	for _, v := range []any{"", "é <&> \u2028 \x01 \"\\", int64(-1 << 63), int64(1<<63 - 1), true, false, []any{},
		[]any{"a", []any{int64(1)}, nil}, env.Record{}, env.Record{env.A("a", []any{false}), env.A("z", int64(1))}, "bad \xff"} {
		r.Record(1, "l", nil, env.Note{Kind: env.CtxSet, Msg: "m", Changes: []env.Change{env.Set(v, "v")}})
	}
	tr := r.Trace(Trace{Msgs: map[string]env.Message{"m": {}}})
	back, err := Read("x", tr.JSON())
	require.NoError(t, err)
	assert.Equal(t, tr.Steps, back.Steps)
}

func TestReadErrors(t *testing.T) {
	tr := electionTrace(0x10)
	text, byLine := string(tr.JSON()), string(lines(tr))
	sub := func(s, old, new string) string {
		require.Contains(t, s, old)
		return strings.Replace(s, old, new, 1)
	}
	for _, c := range []struct{ in, want string }{
		{"", "t: the file is empty; record the trace again"},
		{"\ufeff \n", "t: the file is empty; record the trace again"},
		{text[:len(text)-10], "t: it ends before its first object does; record the trace again"},
		{"hello", "t: line 1: it is no trace: that is an object of JSON in braces"},
		{"\n\n[]", "t: line 3: it is no trace: that is an object of JSON in braces"},
		{`{"schema":}`, "t: line 1: invalid character '}' looking for beginning of value"},
		{sub(text, `"steps":[`, `"steps":[7,`), "t: step 0: an object is wanted, not a number"},
		{sub(text, `"steps":[{"i":0`, `"steps":[{"i":{}`), "t: step 0: field i: a whole number is wanted, not an object"},
		{`{"a":1}`, "t: it is no trace: its first object has no field schema"},
		{sub(text, `"schema":1`, `"schema":2`), "t: its schema is 2, this program reads up to 1; use a newer one"},
		{sub(text, `"schema":1`, `"schema":0`), "t: there is no schema 0; the first is 1"},
		{sub(text, `"seed":7`, `"seed":"7"`), "t: line 1: field seed: a whole number is wanted, not a text"},
		{sub(text, `"seed":7`, `"seed":-7`), "t: field seed: -7; a seed is 0 or more"},
		{sub(text, `"seed":7`, `"seed":7.5`), "t: line 1: field seed: a whole number is wanted, not 7.5"},
		{sub(text, `"setup":{"brokers":[1,2]}`, `"setup":[1]`), "t: field setup: want the text of a script, or an object"},
		{sub(text, `"setup":{"brokers":[1,2]}`, `"setup":true`), "t: field setup: want the text of a script, or an object"},
		{text[:strings.Index(text, `"steps"`)] + `"steps":null}`, "t: field steps: a list is wanted"},
		{text[:strings.Index(text, `"steps"`)] + `"steps":{}}`, "t: field steps: a list is wanted"},
		{sub(text, `"initial":[{"path":["broker","1","epoch"],"after":"zxid:0x1"}]`, `"initial":{}`), "t: initial: a list is wanted, not an object"},
		{sub(text, `"msg":{"key":"op.kill"},`, ``), "t: step 2 (op#2): field msg.key is missing"},
		{sub(text, `"msg":{"key":"op.kill"}`, `"msg":{"key":"op.kil"}`), `t: step 2 (op#2): its message "op.kil" is not among msgs`},
		{sub(text, `"msg":{"key":"op.kill"}`, `"msg":"op.kill"`), `t: step 2: field msg: an object is wanted, not a text`},
		{sub(text, `"vtime_ms":5`, `"vtime_ms":-5`), "t: step 2 (op#2): its field vtime_ms is -5; times are 0 or more"},
		{sub(text, `"vtime_ms":5,`, ``), "t: step 2: field vtime_ms is missing"},
		{text + "\n{}", "t: line 1: something follows the trace"},
		{sub(text, `"kind":"session.expire"`, `"kind":"session.explode"`), `t: step 3: field kind: there is no kind "session.explode"`},
		{sub(text, `"after":1}`, `"after":1.5}`), "t: step 5: 1.5 is not a whole number of 64 bits"},
		{sub(text, `"after":1}`, `"after":2}`), "t: step 5 (0.controller#2): its hash is"},
		{sub(text, `"before":"zxid:0x11"`, `"before":"zxid:0x12"`), `t: step 3 (zk#2): zk[/brokers/ids/1].czxid is "zxid:0x11" here, the diff says before was "zxid:0x12"`},
		{sub(text, `"causes":[4,1,3]`, `"causes":[5]`), "t: step 5 (0.controller#2): cause 5 is not an earlier step"},
		{sub(text, `"i":4`, `"i":5`), "t: step 4: its field i is 5; a step is missing, twice there or out of order"},
		{sub(text, `"id":"op#2"`, `"id":"op#3"`), "t: step 2: its id is op#3, by its lane it is op#2"},
		{sub(text, `"hash":"`+tr.Hash().String(), `"hash":"00000000`), "t: its hash is 00000000, its steps give " + tr.Hash().String()},
		{sub(text, `"hash":"`+tr.Steps[0].Hash.String(), `"hash":"12`), `t: step 0: hash "12" is not 8 hex digits`},
		{sub(text, `{"path":["ctx","0","dead"],`, `{`), "t: step 5: field diff[0].path is missing"},
		{sub(text, `"initial":[{"path":["broker","1","epoch"],`, `"initial":[{`), "t: initial[0]: want a path and a value after"},
		{sub(text, `{"path":["zxid"],"after":"zxid:0x12"}`, `{"path":["zxid"]}`), "t: step 3 (zk#2): its diff of zxid changes nothing, there is no such leaf"},
		{sub(byLine, `"vtime_ms":5`, `"vtime_ms":x`), "t: line 4: invalid character 'x' looking for beginning of value"},
		{sub(byLine, `"vtime_ms":5`, `"vtime_ms":"5"`), "t: line 4: field vtime_ms: a whole number is wanted, not a text"},
		{sub(byLine, `"lane":"op",`, ``), "t: line 2: field lane is missing"},
	} {
		_, err := Read("t", []byte(c.in))
		if assert.Error(t, err, c.want) {
			assert.Contains(t, err.Error(), c.want)
		}
	}
}

func FuzzRead(f *testing.F) {
	tr := electionTrace(0x10)
	f.Add(tr.JSON())
	f.Add(lines(tr))
	f.Add(tr.Pack())
	f.Add([]byte(`{"schema":1,"steps":[{"i":0,"id":"a#1","lane":"a","kind":"resp","msg":{"args":null},"hash":"00000000"}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		if got, err := Read("f", data); err == nil {
			again, err := Read("f", got.JSON())
			if assert.NoError(t, err) {
				assert.Equal(t, string(got.JSON()), string(again.JSON()))
			}
			packed, err := Read("f", got.Pack())
			if assert.NoError(t, err) {
				assert.Equal(t, string(got.JSON()), string(packed.JSON()))
			}
		}
	})
}

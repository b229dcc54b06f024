package script

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// leaves is a document by its leaves; the words of a path are joined by a byte that no word has.
type leaves map[string]any

func doc(pairs ...any) leaves {
	d := leaves{}
	for i := 0; i < len(pairs); i += 2 {
		d[strings.Join(pairs[i].([]string), "\x00")] = pairs[i+1]
	}
	return d
}

func at(words ...string) []string { return words }

func (d leaves) Get(path ...string) any { return d[strings.Join(path, "\x00")] }

func (d leaves) Has(path ...string) bool { return d.Get(path...) != nil || d.Count(path...) > 0 }

func (d leaves) Count(path ...string) int {
	kids := map[string]bool{}
	for leaf := range d {
		if rest, ok := strings.CutPrefix(leaf, strings.Join(path, "\x00")+"\x00"); ok {
			kid, _, _ := strings.Cut(rest, "\x00")
			kids[kid] = true
		}
	}
	return len(kids)
}

// fakeStep has the fields of a step as a record.
type fakeStep map[string]any

func (s fakeStep) Field(words ...string) (any, []string) {
	if words[0] == "args" || words[0] == "ids" {
		inner, _ := s[words[0]].(map[string]any)
		return inner[words[1]], words[2:]
	}
	return s[words[0]], words[1:]
}

func moment() *Moment {
	return &Moment{
		Now: doc(
			at("zk", "/controller", "data"), `{"version":1,"brokerid":2,"timestamp":"1669","ratio":0.5,"list":[{"a":[1,2]}]}`,
			at("zk", "/controller", "version"), int64(0),
			at("zk", "/a]b\\c", "data"), "odd",
			at("zk", "/brokers/topics/orders", "data"), `{"partitions":{"0":[1,2,0],"1":[2,0,1]}}`,
			at("zk", "/bad", "data"), "{not JSON",
			at("zxid"), "zxid:0x10",
			at("ctx", "0", "epoch"), int64(2),
			at("ctx", "0", "liveBrokerEpochs", "0"), "zxid:0x9",
			at("ctx", "0", "liveBrokerEpochs", "2"), "zxid:0xa",
			at("ctx", "0", "allTopics", "orders"), true,
			at("ctx", "0", "partitionLeadershipInfo", "orders-0"), map[string]any{"leader": int64(1), "isr": []any{int64(1), int64(2)}},
			at("broker", "2", "replica", "orders-1", "role"), "leader",
			at("broker", "2", "up"), false,
			at("broker", "2", "exit"), "",
			at("config", "0", "topics", "orders", "retention.ms"), "1000",
			at("batch", "0", "psm", "leaderAndIsr", "1"), []any{"orders-0", "orders-1"},
			at("metric", "0", "OfflinePartitionsCount"), int64(0),
		),
		Before: doc(at("ctx", "0", "epoch"), int64(1), at("zk", "/old", "data"), "x"),
		Step: fakeStep{"kind": "zk.create", "msg": "controller.bounced", "lane": "0.controller", "id": "zk#12", "i": int64(7),
			"entity": "/controller", "invariants": []any{"one-leader"}, "vtime_ms": int64(350),
			"args": map[string]any{"bounced": []any{int64(2)}, "name": "zk.root", "record": map[string]any{"x": int64(1)}},
			"ids":  map[string]any{"zxid": "zxid:0x10"}},
	}
}

func TestEval(t *testing.T) {
	m := moment()
	for _, c := range []struct {
		text string
		want bool
	}{
		// values and paths
		{"ctx[0].epoch = 2", true}, {"ctx.0.epoch = 2", true}, {"ctx[0][epoch] = 2", true}, {"after.ctx[0].epoch = 2", true},
		{"ctx[0].epoch = 3", false}, {"ctx[0].epoch != 3", true}, {"ctx[0].epoch != 2", false},
		{"ctx[1].epoch = none", true}, {"ctx[0].epoch = none", false}, {"ctx[1].epoch != none", false},
		{"ctx[0].epoch != none", true}, {"ctx[1].epoch != 2", true},
		{"broker[2].replica[orders-1].role = leader", true}, {"broker[2].replica[orders-1].role = follower", false},
		{`broker[2].replica[orders-1].role = "leader"`, true}, {"broker[2].replica[orders-1].role = 'leader'", true},
		{"broker[2].up = false", true}, {"broker[2].up = true", false}, {`broker[2].exit = ""`, true},
		{`zk[/a\]b\\c].data = odd`, true},
		// into values
		{"zk[/controller].data.brokerid = 2", true}, {"zk[/controller].data.brokerid = 1", false},
		{"zk[/controller].data.timestamp > 1668", true}, {"zk[/controller].data.ratio < 0.6", true}, {"zk[/controller].data.ratio = 0.5", true},
		{"zk[/controller].data.list.0.a.1 = 2", true}, {"zk[/controller].data.list[0].a[2] = none", true},
		{"zk[/controller].data.list.x = none", true}, {"zk[/controller].data.list.-1 = none", true},
		{"zk[/controller].data.nothing.more = none", true}, {"zk[/bad].data.x = none", true}, {"zk[/nowhere].data.x = none", true},
		{"zk[/brokers/topics/orders].data.partitions.0 = [1,2,0]", true}, {"zk[/brokers/topics/orders].data.partitions.0 = [1,2]", false},
		{"ctx[0].partitionLeadershipInfo[orders-0].leader = 1", true}, {"ctx[0].partitionLeadershipInfo[orders-0].isr = [1,2]", true},
		{"ctx[0].partitionLeadershipInfo[orders-0].isr = [2,1]", false},
		// numbers
		{"ctx[0].epoch < 10", true}, {"ctx[0].epoch <= 2", true}, {"ctx[0].epoch > 2", false}, {"ctx[0].epoch >= 2", true}, {"ctx[0].epoch < 2.5", true},
		{"ctx[0].liveBrokerEpochs[2] > ctx[0].liveBrokerEpochs[0]", true}, {"zxid > ctx[0].liveBrokerEpochs[2]", true},
		{"zxid = zxid:0x10", true}, {"zxid > zxid:0x9", true}, {"zxid > -1", true}, {"zxid = 16", true}, {"zxid:0x9 < zxid", true},
		{"config[0].topics.orders[retention.ms] = 1000", true}, {"config[0].topics.orders[retention.ms] < 200", false},
		{"ctx[1].epoch < 5", false}, {"ctx[1].epoch >= 0", false}, {"broker[2].up < 1", false}, {"ctx[0] < 5", false},
		{"broker[2].replica[orders-1].role < zz", true}, {"broker[2].replica[orders-1].role > zz", false},
		// in, contains
		{"2 in ctx[0].liveBrokerEpochs", true}, {"1 in ctx[0].liveBrokerEpochs", false}, {"orders in ctx[0].allTopics", true},
		{"ctx[0].liveBrokerEpochs contains 0", true}, {"ctx[0].epoch in [1,2]", true}, {"ctx[0].epoch in [1,3]", false}, {"ctx[1].epoch in [none]", true},
		{"batch[0].psm.leaderAndIsr[1] contains orders-1", true}, {"orders-2 in batch[0].psm.leaderAndIsr[1]", false},
		{"zk[/controller].data contains brokerid", true}, {"zk[/bad].data contains JSON", true}, {"zk[/bad].data contains json", false},
		{"leader in ctx[0].partitionLeadershipInfo[orders-0]", true}, {"2 in ctx[0].partitionLeadershipInfo[orders-0].isr", true},
		{"1 in ctx[1].liveBrokerEpochs", false}, {"ctx[0].epoch contains 2", false}, {"[1] in [[1],[2]]", true}, {"ctx[9].x in zxid", false},
		// and, or, not, truth
		{"ctx[0].epoch", true}, {"ctx[1].epoch", false}, {"zk[/controller]", true}, {"zk[/nowhere]", false}, {"zk[/controller] = none", false},
		{"zk[/nowhere] = none", true}, {"zk[/controller] != none", true}, {"broker[2].up", false}, {"broker[2].exit", false}, {"zk[/controller].version", false},
		{"not broker[2].up", true}, {"not not broker[2].up", false}, {"not ctx[0].epoch = 3", true},
		{"true or false and false", true}, {"(true or false) and false", false}, {"false and false or true", true}, {"not true or true", true},
		{"not (true or true)", false}, {"none", false}, {"0", false}, {"0.0", false}, {`"x"`, true}, {`""`, false}, {"[]", true},
		// functions
		{"count(ctx[0].liveBrokerEpochs) = 2", true}, {"count(ctx[1].liveBrokerEpochs) = 0", true}, {"count(zk) = 4", true},
		{"count(zk[/brokers/topics/orders].data.partitions) = 2", true}, {"count(zk[/brokers/topics/orders].data) = 1", true},
		{"count(ctx[0].partitionLeadershipInfo[orders-0]) = 2", true}, {"count(batch[0].psm.leaderAndIsr[1]) = 2", true},
		{"count(zxid) = 0", true}, {"count(step.args.bounced) = 1", true}, {"count(before.zk) = 1", true},
		{"exists(zk[/controller])", true}, {"exists(zk[/controller].data)", true}, {"exists(zk[/x])", false}, {"exists(broker[2].up)", true},
		// step
		{"step.kind = zk.create", true}, {"step.kind = zk.set", false}, {"step.kind != zk.set", true}, {"step.msg = controller.bounced", true},
		{"step.kind in [zk.set, zk.create]", true}, {"step.lane = 0.controller", true}, {"step.id = zk#12", true}, {"step.i >= 7", true},
		{"step.entity = /controller", true}, {"step.args.bounced", true}, {"step.args.bounced = [2]", true}, {"step.args.bounced contains 2", true},
		{"step.args.bounced.0 = 2", true}, {"step.args.record.x = 1", true}, {"step.args.name = zk.root", true}, {"step.args.nothing", false}, {"step.ids.zxid = zxid", false},
		{"step.ids.zxid = after.zxid", true}, {"step.args.bounced.0 = ctx[0].epoch", true}, {"step.invariants contains one-leader", true}, {"step.vtime_ms < 351", true},
		// before
		{"before.ctx[0].epoch = 1", true}, {"before.ctx[0].epoch < ctx[0].epoch", true}, {"before.zk[/controller]", false}, {"before.zk[/old].data = x", true},
	} {
		e, err := ParseExpr(c.text)
		if assert.NoError(t, err, c.text) {
			assert.Equal(t, c.want, e.True(m), c.text)
			again, err := ParseExpr(e.String())
			require.NoError(t, err, e.String())
			assert.Equal(t, e.String(), again.String())
			assert.Equal(t, c.want, again.True(m), e.String())
		}
	}
}

// TestNothingToLookAt: without a step or a document before, what they would say is absent.
func TestNothingToLookAt(t *testing.T) {
	m := &Moment{Now: doc()}
	for _, text := range []string{"step.kind", "before.ctx[0].epoch", "exists(step.args.x)", "count(before.zk) > 0", "before.zk"} {
		e, err := ParseExpr(text)
		require.NoError(t, err)
		assert.False(t, e.True(m), text)
	}
}

// TestEvalValue checks what predictions read as a value, not as true or false.
func TestEvalValue(t *testing.T) {
	for text, want := range map[string]any{
		"ctx[0].epoch": int64(2), "zk[/controller].data.ratio": 0.5, "zk[/x]": nil, "count(ctx[0].liveBrokerEpochs)": int64(2),
		"zk[/brokers/topics/orders].data.partitions.1": []any{int64(2), int64(0), int64(1)}, "ctx[0].epoch = 2": true, "[1,a,none,[true]]": []any{int64(1), "a", nil, []any{true}},
	} {
		e, err := ParseExpr(text)
		require.NoError(t, err)
		assert.Equal(t, want, e.Eval(moment()), text)
	}
	e, err := ParseExpr("ctx[0].liveBrokerEpochs")
	require.NoError(t, err)
	sub := e.Eval(moment()).(Subtree)
	assert.Equal(t, []string{"ctx", "0", "liveBrokerEpochs"}, sub.Path())
	assert.True(t, sub.Has("2"))
	assert.False(t, sub.Has("1"))
}

// TestJSONIsReadAgain: the parsed text is remembered only as long as it stays.
func TestJSONIsReadAgain(t *testing.T) {
	e, err := ParseExpr("zk[/a].data.x = 1")
	require.NoError(t, err)
	for _, c := range []struct {
		data any
		want bool
	}{{`{"x":1}`, true}, {`{"x":2}`, false}, {"broken", false}, {nil, false}, {`{"x":1}`, true}} {
		m := &Moment{Now: doc(at("zk", "/a", "data"), c.data)}
		assert.Equal(t, c.want, e.True(m), c.data)
	}
}

func TestExprErrors(t *testing.T) {
	roots := "batch, broker, channel, client, clock, config, ctl, ctx, fix, guard, handler, hold, lane, layers, metric, notices, queue, session, timer, view, watch, zk, zxid"
	either := strings.Replace(roots, ", zxid", " or zxid", 1)
	operand := "expected a path, a value, not or ("
	for _, c := range []struct {
		in         string
		col, width int
		want       string
	}{
		{"", 1, 1, operand},
		{"ctx[0].epoch =", 15, 1, operand},
		{"ctx[0].epoch = and", 16, 3, operand},
		{"ctx[0].epoch 2", 14, 1, "expected an operator (= != < <= > >= in contains), and, or, or the end"},
		{"ctx[0].epoch == 2", 15, 1, operand},
		{"1 = 1 = 1", 7, 1, "expected and, or, or the end; a comparison has two sides"},
		{"ctxx[0].epoch = 2", 1, 13, "expected a path; ctxx[0].epoch starts with none of " + roots + ", step, before and after (text stands in quotes)"},
		{"zk[/a].data = é and leader = 1", 21, 6, "expected a path; leader starts with none of " + roots + ", step, before and after (text stands in quotes)"},
		{"zk[/a].data = foo[1]", 15, 6, "expected a path; foo[1] starts with none of " + roots + ", step, before and after (text stands in quotes)"},
		{"idle", 1, 4, "expected a path; idle starts with none of " + roots + ", step, before and after (text stands in quotes)"},
		{"zk[/a", 3, 3, "the bracket is not closed; expected ] before the end"},
		{"zk[] = 1", 3, 2, "expected a word between the brackets"},
		{"zk[/a]data = 1", 7, 1, "expected . or [ after the bracket"},
		{"zk..a = 1", 1, 5, "expected a word at each side of every dot"},
		{"zk.a. = 1", 1, 5, "expected a word at each side of every dot"},
		{"zk.[a] = 1", 1, 6, "expected a word at each side of every dot"},
		{"step.colour = red", 1, 11, "expected step.FIELD, where FIELD is args.NAME, causes, entity, i, id, ids.NAME, invariants, kind, lane, msg or vtime_ms"},
		{"step.args = 1", 1, 9, "expected step.FIELD, where FIELD is args.NAME, causes, entity, i, id, ids.NAME, invariants, kind, lane, msg or vtime_ms"},
		{"step", 1, 4, "expected step.FIELD, where FIELD is args.NAME, causes, entity, i, id, ids.NAME, invariants, kind, lane, msg or vtime_ms"},
		{"before.step.kind = x", 1, 16, "expected before.PATH, where PATH starts with " + either},
		{"before", 1, 6, "expected before.PATH, where PATH starts with " + either},
		{"size(zk) = 1", 1, 4, "there is no function size; expected count or exists"},
		{"count(5) = 1", 7, 1, "expected a path; 5 starts with none of " + roots + ", step, before and after (text stands in quotes)"},
		{"count() = 1", 7, 1, "expected a path"},
		{"count(zk = 1", 10, 1, "expected )"},
		{"(zxid", 6, 1, "expected )"},
		{"zxid)", 5, 1, "expected an operator (= != < <= > >= in contains), and, or, or the end"},
		{"zxid = \"a", 8, 2, "the quote is not closed; expected \" before the end of the line"},
		{"zxid in [1,", 12, 1, "expected a value or ]"},
		{"zxid in [1 2]", 12, 1, "expected , or ]"},
		{"zxid in [1,]", 12, 1, "expected a value"},
		{"zxid ! 1", 6, 1, "expected a path, a value or an operator"},
		{"zxid = {1}", 8, 1, "expected a path, a value or an operator"},
		{"zxid # c", 6, 3, "expected the end; an expression has no comment here"},
		{strings.Repeat("(", 101) + "1", 101, 1, "expected less nesting: at most 100 levels"},
		{strings.Repeat("not ", 101) + "1", 401, 3, "expected less nesting: at most 100 levels"},
		{"1 in " + strings.Repeat("[", 101), 106, 1, "expected less nesting: at most 100 levels"},
	} {
		_, err := ParseExpr(c.in)
		if assert.Error(t, err, c.in) {
			e := err.(*Error)
			assert.Equal(t, c.want, e.Message, c.in)
			assert.Equal(t, []int{c.col, c.width}, []int{e.Col, e.Width}, c.in)
		}
	}
}

func TestErrorPicture(t *testing.T) {
	_, err := ParseExpr("zk[/a].data\t= é and leader = 1")
	require.Error(t, err)
	lines := strings.Split(err.Error(), "\n")
	assert.Equal(t, "    zk[/a].data = é and leader = 1", lines[1])
	assert.Equal(t, "                        ^^^^^^", lines[2])
}

func TestParsePath(t *testing.T) {
	for in, want := range map[string][]string{
		"zk[/controller].data.brokerid": {"zk", "/controller", "data", "brokerid"},
		" ctx[0][epoch] ":               {"ctx", "0", "epoch"},
		`zk[x\]y]`:                      {"zk", "x]y"},
		"zxid":                          {"zxid"},
	} {
		got, err := ParsePath(in)
		assert.NoError(t, err, in)
		assert.Equal(t, want, got)
	}
	for in, want := range map[string]string{
		"": "1:1: expected a path", "zk..b": "1:1: expected a word at each side", "zxid x": "1:6: expected an operator",
		"zxid = 1": "1:1: expected a path of the world document", "zk[b": "1:3: the bracket is not closed",
		"before.zxid": "1:1: expected a path of the world document", "5": "1:1: expected a path of the world document",
	} {
		_, err := ParsePath(in)
		if assert.Error(t, err, in) {
			assert.Contains(t, err.Error(), want)
		}
	}
}

package api

import (
	"encoding/json"
	"maps"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"controllerscope/core/exercise"
	"controllerscope/core/run"
	"controllerscope/core/script"
	"controllerscope/core/trace"
	"controllerscope/core/zk"
	"controllerscope/core/zk/zkmem"
	"controllerscope/core/zk/zktree"
	"controllerscope/lessons"
)

const setup = "cluster brokers=0,1,2\nbroker start 0\nuntil idle\nbroker start 1\nuntil idle\nbroker start 2\nuntil idle\n"
const play = "topic create orders 2x3\nuntil idle\nbroker kill 2\nuntil idle\n"

// The questions of the four calls.
type (
	loadQuestion struct {
		Setup  string `json:"setup"`
		Script string `json:"script"`
		Seed   uint64 `json:"seed"`
	}
	actQuestion struct {
		Base int    `json:"base"`
		Line string `json:"line"`
	}
	choicesQuestion struct {
		At int `json:"at"`
	}
	evalQuestion struct {
		At   int    `json:"at"`
		Expr string `json:"expr"`
	}
)

// reply is any answer.
type reply struct {
	Trace   json.RawMessage `json:"trace"`
	Inputs  loadQuestion    `json:"inputs"`
	From    int             `json:"from"`
	Failure string          `json:"failure"`
	Choices []run.Pending   `json:"choices"`
	Verbs   []run.Option    `json:"verbs"`
	Value   any             `json:"value"`
	Below   []string        `json:"below"`
	Error   string          `json:"error"`
	Panic   *Panic          `json:"panic"`
}

func ask(t *testing.T, a *API, name string, question any) reply {
	t.Helper()
	text, err := json.Marshal(question)
	require.NoError(t, err)
	var r reply
	require.NoError(t, json.Unmarshal([]byte(a.Call(name, string(text))), &r))
	return r
}

func loaded(t *testing.T, script string) (*API, *trace.Trace) {
	t.Helper()
	a := New()
	r := ask(t, a, "load", loadQuestion{setup, script, 1})
	require.Empty(t, r.Error)
	tr, err := trace.Read("answer", r.Trace)
	require.NoError(t, err)
	require.NoError(t, tr.Verify())
	return a, tr
}

// executed is the trace of a script on its own.
func executed(t *testing.T, in loadQuestion) string {
	t.Helper()
	r, err := run.Start(run.Inputs{Setup: in.Setup, Script: in.Script, Seed: in.Seed}, run.Options{Store: zkmem.New(zkmem.Options{}), Record: true})
	require.NoError(t, err)
	defer r.Close()
	require.NoError(t, r.Finish())
	return string(r.Trace().JSON())
}

// TestActsEqualExecution forks, acts, goes back and forks again: each future is what its script gives on its own.
func TestActsEqualExecution(t *testing.T) {
	a, tr := loaded(t, play)
	middle := len(tr.Steps) / 2
	first := ask(t, a, "act", actQuestion{middle, "broker kill 1"})
	require.Equal(t, executed(t, first.Inputs), string(first.Trace))
	fork, err := trace.Read("fork", first.Trace)
	require.NoError(t, err)
	require.Equal(t, "admin.broker.kill", fork.Steps[first.From].Msg)

	on := ask(t, a, "act", actQuestion{len(fork.Steps) - 1, "until idle"}) // goes on, without executing again
	require.Equal(t, executed(t, on.Inputs), string(on.Trace))
	require.Equal(t, first.Inputs.Script+"until idle\n", on.Inputs.Script)

	back := ask(t, a, "act", actQuestion{3, "zk delete /controller"})
	require.Equal(t, executed(t, back.Inputs), string(back.Trace))
	again := ask(t, a, "load", loadQuestion{setup, play, 1})
	require.Equal(t, string(tr.JSON()), string(again.Trace))
}

// TestTails: a page that has the run is told only what it lacks, and has the same then.
func TestTails(t *testing.T) {
	a, tr := loaded(t, play)
	base := len(tr.Steps) / 2
	question := map[string]any{"base": base, "line": "broker kill 1", "tail": true}
	tail := ask(t, a, "act", question)
	head, steps, found := strings.Cut(string(tail.Trace), `"steps":[`)
	require.True(t, found)
	require.Contains(t, head, `"initial":[],`)
	whole := executed(t, tail.Inputs)
	first := string(tr.Steps[base].AppendJSON(nil)) // the last one that the page has
	require.True(t, strings.HasSuffix(whole, first+","+steps), "steps and hash are the whole run's")
	require.Contains(t, steps, `{"i":`+strconv.Itoa(tail.From)+`,`)

	back := ask(t, a, "load", map[string]any{"setup": setup, "script": play, "seed": 1, "tail": true})
	require.Contains(t, string(back.Trace), `"steps":[],"hash":"`+tr.Hash().String()+`"}`)
	require.Equal(t, loadQuestion{setup, play, 1}, back.Inputs)
}

// TestChoicesThenAct asks what is possible before acting: the act goes on from the run that was made for the answer.
func TestChoicesThenAct(t *testing.T) {
	a, tr := loaded(t, play)
	at := len(tr.Steps) / 3
	c := ask(t, a, "choices", choicesQuestion{at})
	require.NotEmpty(t, c.Choices)
	require.Equal(t, "deliver "+c.Choices[0].ID, c.Choices[0].Line)
	require.Contains(t, c.Verbs, run.Option{Line: "broker kill 0", Legal: true})
	require.Contains(t, c.Verbs, run.Option{Line: "broker start 0", Reason: "broker 0 is running already; stop or kill it first"})
	refused := ask(t, a, "act", actQuestion{at, "broker start 0"})
	require.Contains(t, refused.Error, "broker 0 is running already")
	act := ask(t, a, "act", actQuestion{at, c.Choices[0].Line})
	require.Equal(t, executed(t, act.Inputs), string(act.Trace))
}

// TestWeather: the line that blows comes with the choices, and can be done.
func TestWeather(t *testing.T) {
	a, tr := loaded(t, play)
	last := len(tr.Steps) - 1
	for _, weather := range []string{"breezy", "storm"} {
		var out struct{ Gust string }
		require.NoError(t, json.Unmarshal([]byte(a.Call("choices", `{"at":`+strconv.Itoa(last)+`,"weather":"`+weather+`"}`)), &out))
		require.NotEmpty(t, out.Gust)
		require.Empty(t, ask(t, a, "act", actQuestion{last, out.Gust}).Error)
		ask(t, a, "load", loadQuestion{setup, play, 1})
	}
	require.NotContains(t, a.Call("choices", `{"at":3}`), `"gust"`)
}

func TestEval(t *testing.T) {
	a, tr := loaded(t, play)
	last := len(tr.Steps) - 1
	require.Equal(t, "1", ask(t, a, "eval", evalQuestion{last, "zk[/controller_epoch].data"}).Value)
	require.Equal(t, []string{"0", "1"}, ask(t, a, "eval", evalQuestion{last, "ctx[0].liveBrokerEpochs"}).Below)
	require.Equal(t, true, ask(t, a, "eval", evalQuestion{last, "broker[2].up = false"}).Value)
	require.Equal(t, false, ask(t, a, "eval", evalQuestion{-1, "broker[2].up = false"}).Value)
	require.Nil(t, ask(t, a, "eval", evalQuestion{last, "zk[/nothing]"}).Value)
}

func TestAFailureIsShown(t *testing.T) {
	a, _ := loaded(t, play)
	r := ask(t, a, "load", loadQuestion{setup, "broker kill 0\nexpect broker[0].up = true\n", 1})
	require.Empty(t, r.Error)
	require.Contains(t, r.Failure, "script:2: expect broker[0].up = true: it does not hold")
	require.Contains(t, string(r.Trace), "admin.broker.kill")
	fork := ask(t, a, "act", actQuestion{0, "broker start 0"})
	require.Empty(t, fork.Error+fork.Failure)
}

func TestBadInput(t *testing.T) {
	a := New()
	for _, c := range [][3]string{
		{"act", `{"base":0,"line":"until idle"}`, "no run is loaded; load one first"},
		{"choices", `{"at":0}`, "no run is loaded; load one first"},
		{"eval", `{"at":0,"expr":"zk"}`, "no run is loaded; load one first"},
		{"save", `{}`, "there is no call save; there are [load act choices eval]"},
		{"load", `{"setup":{},"script":"","seed":1}`, "the question is not as this call takes it: field setup: {} does not belong there"},
		{"load", `{"script":"","sead":1}`, `unknown field "sead"`},
		{"load", `{`, "the question is not as this call takes it: the JSON text ends too early"},
		{"load", `[]`, "the question is not as this call takes it: it is no object"},
		{"load", `{"script":"","seed":-1}`, "the question is not as this call takes it: field seed: -1 does not belong there"},
		{"load", `{"script":"broker kil 1","seed":1}`, "script:1:"},
		{"load", `{"script":"broker kill 1","seed":1}`, "script:1: broker kill 1: broker 1 is not running; start it first"},
	} {
		var r reply
		require.NoError(t, json.Unmarshal([]byte(a.Call(c[0], c[1])), &r))
		require.Contains(t, r.Error, c[2], "%v", c)
	}
	a, tr := loaded(t, play)
	for _, c := range [][3]string{
		{"act", `{"base":100000,"line":"until idle"}`, "there is no step 100000; the run has "},
		{"act", `{"base":3,"line":"broker kil 1"}`, "there is no"},
		{"act", `{"base":3,"line":"broker kill 7"}`, "no broker 7; the cluster has [0 1 2]"},
		{"choices", `{"at":-7}`, "there is no step -7; the run has "},
		{"eval", `{"at":100000,"expr":"zk"}`, "there is no step 100000; the run has "},
		{"eval", `{"at":0,"expr":"zk["}`, "expected"},
	} {
		var r reply
		require.NoError(t, json.Unmarshal([]byte(a.Call(c[0], c[1])), &r))
		require.NotEmpty(t, r.Error, "%v", c)
		if c[1] != `{"base":3,"line":"broker kil 1"}` {
			require.Contains(t, r.Error, c[2], "%v", c)
		}
	}
	again := ask(t, a, "load", loadQuestion{setup, play, 1})
	require.Equal(t, string(tr.JSON()), string(again.Trace), "bad input must not change the run")
}

// faulty is a store with a mistake: it panics on a write of one path.
type faulty struct{ zk.Store }

func (f faulty) Apply(now int64, id zk.SessionID, op zk.Op) (zk.Result, zk.Effects, error) {
	if op.Kind == zk.Create && op.Path == "/boom" {
		panic("the store is broken")
	}
	return f.Store.Apply(now, id, op)
}

// TestPanicIsReported provokes a mistake inside of the core: the answer has what is needed to see it again, and the next
// load works.
func TestPanicIsReported(t *testing.T) {
	a := New()
	a.store = func() zk.Store { return faulty{zkmem.New(zkmem.Options{})} }
	require.Empty(t, ask(t, a, "load", loadQuestion{setup, play, 1}).Error)
	require.Empty(t, ask(t, a, "act", actQuestion{9, "zk create /boom"}).Error)
	last := a.run.Steps() - 1
	p := ask(t, a, "act", actQuestion{last, "until idle"}).Panic
	require.NotNil(t, p)
	require.Equal(t, "the store is broken", p.Message)
	require.Equal(t, setup, p.Setup)
	require.Equal(t, "topic create orders 2x3\nuntil step.i >= 9\nzk create /boom\nuntil idle\n", p.Script)
	require.Equal(t, uint64(1), p.Seed)
	require.GreaterOrEqual(t, p.Step, last)
	require.Contains(t, p.Stack, "faulty.Apply")
	require.Empty(t, ask(t, a, "load", loadQuestion{setup, play, 1}).Error)
	require.NotNil(t, ask(t, a, "load", loadQuestion{setup, p.Script, 1}).Panic)
}

// TestChoicesSayWhatCanBeDone: with each choice, with a line begun, and with every verb.
func TestChoicesSayWhatCanBeDone(t *testing.T) {
	a, tr := loaded(t, play+"broker start 2\n")
	var r struct {
		Choices []struct {
			Kind string
			Ways []run.Option
		}
		Office   string
		Complete []string
		Forms    []struct {
			Words string
			Slots []struct {
				Name   string
				Values []string
			}
		}
	}
	at := strconv.Itoa(len(tr.Steps) - 1)
	require.NoError(t, json.Unmarshal([]byte(a.Call("choices", `{"at":`+at+`,"line":"broker kill ","forms":true}`)), &r))
	require.Equal(t, "0", r.Office)
	require.Equal(t, []string{"0", "1", "2"}, r.Complete)
	require.Len(t, r.Forms, len(script.Verbs()))
	require.Equal(t, "broker start", r.Forms[1].Words)
	require.Equal(t, []string{"0", "1", "2"}, r.Forms[1].Slots[0].Values)
	require.NotEmpty(t, r.Choices)
	for _, c := range r.Choices {
		require.Len(t, c.Ways, 5)
		require.True(t, c.Ways[0].Legal)
		require.Equal(t, c.Kind == "control", c.Ways[4].Legal)
		require.Equal(t, c.Ways[4].Legal, c.Ways[4].Reason == "")
	}
	require.NoError(t, json.Unmarshal([]byte(a.Call("choices", `{"at":`+at+`,"line":"topic delete "}`)), &r))
	require.Contains(t, r.Complete, "orders")
	require.NoError(t, json.Unmarshal([]byte(a.Call("choices", `{"at":`+at+`,"line":"reassign orders-"}`)), &r))
	require.Equal(t, []string{"orders-0", "orders-1"}, r.Complete)
}

// TestATreeIsTakenOver: brokers start over a tree that grew elsewhere, and the first of them takes office over its topic.
func TestATreeIsTakenOver(t *testing.T) {
	tree := zktree.Tree{zktree.Node("/brokers", nil, zk.Stat{Cversion: 1, NumChildren: 1}), zktree.Node("/brokers/topics", nil, zk.Stat{Cversion: 1, NumChildren: 1}),
		zktree.Node("/brokers/topics/orders", []byte(`{"version":2,"partitions":{"0":[1,0]},"adding_replicas":{},"removing_replicas":{}}`), zk.Stat{})}.String()
	question, err := json.Marshal(map[string]any{"tree": tree, "seed": 1})
	require.NoError(t, err)
	a := New()
	var r reply
	require.NoError(t, json.Unmarshal([]byte(a.Call("load", string(question))), &r))
	require.Empty(t, r.Error)
	require.Equal(t, "cluster brokers=0,1\nuntil idle\nbroker start 0\nuntil idle\nbroker start 1\nuntil idle\n", r.Inputs.Script)
	tr, err := trace.Read("answer", r.Trace)
	require.NoError(t, err)
	require.EqualValues(t, 0, ask(t, a, "eval", evalQuestion{len(tr.Steps) - 1, "ctl[0].active"}).Value)
	require.Contains(t, a.Call("load", `{"tree":"nonsense","seed":1}`), "tree:1:")
}

// TestExercises: a part of a variant, operations on it, and the grading of what comes of them; the line is what headless
// grade reads.
func TestExercises(t *testing.T) {
	l, err := lessons.Embedded("10-bounce")
	require.NoError(t, err)
	text, err := json.Marshal(l.Exercise)
	require.NoError(t, err)
	a := New()
	question := func(more map[string]any) string {
		q := map[string]any{"exercise": string(text), "who": "ada", "class": "c"}
		maps.Copy(q, more)
		out, err := json.Marshal(q)
		require.NoError(t, err)
		return string(out)
	}
	var begun struct {
		Dealt struct {
			Variant    string
			Values     map[string]string
			Operations int
			Verbs      []string
		}
	}
	require.NoError(t, json.Unmarshal([]byte(a.Call("load", question(map[string]any{"part": "drive"}))), &begun))
	require.Equal(t, exercise.SeedText(exercise.Seed("c", "ada", "E10")), begun.Dealt.Variant)
	require.Equal(t, 5, begun.Dealt.Operations)
	b := begun.Dealt.Values["b"]
	require.Contains(t, []string{"1", "2"}, b)
	ops := "hold 0\nbroker kill " + b + "\nbroker start " + b + "\nuntil broker[" + b + "].state = 3\nrelease 0\n"
	handin, err := json.Marshal(map[string]any{"ops": map[string]string{"drive": ops}})
	require.NoError(t, err)
	var graded struct {
		Report struct {
			Points, Of int
			Results    []struct{ Points int }
		}
		File, Line string
	}
	require.NoError(t, json.Unmarshal([]byte(a.Call("eval", question(map[string]any{"handin": string(handin), "part": "drive"}))), &graded))
	require.Equal(t, 6, graded.Report.Points)
	require.Len(t, graded.Report.Results, 3)
	h, err := exercise.Read([]byte(graded.Line))
	require.NoError(t, err)
	require.Equal(t, "ada", h.Who)
	report, err := l.Exercise.Grade(h, "c", func() zk.Store { return zkmem.New(zkmem.Options{}) })
	require.NoError(t, err)
	require.Equal(t, 6, report.Points)
	require.Empty(t, report.Notes)
	require.Contains(t, a.Call("load", question(map[string]any{"part": "none"})), `the exercise E10 has no part`)
	require.Contains(t, a.Call("eval", question(map[string]any{"handin": "[]"})), "the hand-in is no object")
}

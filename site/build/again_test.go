package main

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"controllerscope/lessons"
	"controllerscope/wasm/api"
)

// againPage asks the core what the page asks it, in the same calls.
type againPage struct {
	t *testing.T
	*api.API
}

func (p againPage) call(name string, question, answer any) {
	p.t.Helper()
	text, err := json.Marshal(question)
	require.NoError(p.t, err)
	out := p.Call(name, string(text))
	var wrong struct {
		Error, Failure string
		Panic          any
	}
	require.NoError(p.t, json.Unmarshal([]byte(out), &wrong))
	require.Empty(p.t, wrong.Error+wrong.Failure, "%s %s", name, text)
	require.Nil(p.t, wrong.Panic)
	require.NoError(p.t, json.Unmarshal([]byte(out), answer))
}

type dealtRun struct {
	Trace struct{ Steps []json.RawMessage }
	Dealt struct{ Values map[string]string }
}

func (p againPage) load(a sideAgain, who, part string) (out dealtRun) {
	p.t.Helper()
	p.call("load", map[string]string{"exercise": a.Exercise, "who": who, "class": "", "part": part}, &out)
	return out
}

func (p againPage) eval(at int, expr string) any {
	p.t.Helper()
	var out struct{ Value any }
	p.call("eval", map[string]any{"at": at, "expr": expr}, &out)
	return out.Value
}

// moment is the step that the keys are evaluated at.
func (p againPage) moment(a sideAgain, d dealtRun, from int) int {
	p.t.Helper()
	last := len(d.Trace.Steps) - 1
	if a.At == "" {
		return last
	}
	for i := from; i <= last; i++ {
		if p.eval(i, "not not ("+gapsIn(a.At, d.Dealt.Values)+")") == true {
			return i
		}
	}
	p.t.Fatalf("it holds at no step after the question: %s", a.At)
	return -1
}

// answers are what is right: ids, or the value.
func (p againPage) answers(a sideAgain, values map[string]string, at int) (right []string) {
	p.t.Helper()
	if a.Value != "" {
		value := p.eval(at, gapsIn(a.Value, values))
		require.NotNil(p.t, value, a.Value)
		text := fmt.Sprint(value)
		if a.Kind == "move" {
			text = fmt.Sprint(p.eval(at-1, gapsIn(a.Value, values))) + ">" + text
		}
		return []string{text}
	}
	for _, c := range a.Choices {
		if p.eval(at, "not not ("+gapsIn(c.Key, values)+")") == true {
			right = append(right, c.ID)
		}
	}
	return right
}

var gap = regexp.MustCompile(`\{(\w+)\}`)

func gapsIn(text string, values map[string]string) string {
	return gap.ReplaceAllStringFunc(text, func(g string) string { return values[g[1:len(g)-1]] })
}

// TestAnotherOneLikeThis deals every question that can be asked again twenty times: what is seen is the beginning of the
// run, its end is not seen, the core finds exactly one right answer (of kind multi one at least), every gap of the text is
// dealt, and the answer is not always the same.
func TestAnotherOneLikeThis(t *testing.T) {
	asked := 0
	for _, name := range lessons.Names() {
		l, err := lessons.Embedded(name)
		require.NoError(t, err)
		for stop, a := range againOf(l, "en") {
			asked++
			t.Run(name+"/"+stop, func(t *testing.T) {
				p := againPage{t, api.New()}
				different := map[string]bool{}
				for seed := 1; seed <= 20; seed++ {
					who := strconv.Itoa(seed)
					seen, whole := p.load(a, who, "seen"), p.load(a, who, "run")
					require.Equal(t, seen.Dealt, whole.Dealt)
					require.Less(t, len(seen.Trace.Steps), len(whole.Trace.Steps))
					require.Equal(t, seen.Trace.Steps, whole.Trace.Steps[:len(seen.Trace.Steps)])
					right := p.answers(a, whole.Dealt.Values, p.moment(a, whole, len(seen.Trace.Steps)))
					if a.Kind == "multi" {
						require.NotEmpty(t, right)
					} else {
						require.Len(t, right, 1, "seed %d: %v", seed, whole.Dealt.Values)
					}
					different[fmt.Sprint(right)] = true
				}
				require.Greater(t, len(different), 1, "the answer is always %v: it cannot vary", different)
				t.Log(different)
			})
		}
	}
	require.NotZero(t, asked)
}

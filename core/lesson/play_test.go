package lesson

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"controllerscope/core/run"
	"controllerscope/core/trace"
	"controllerscope/core/zk/zkmem"
)

// script holds and releases three times: steps 0 hold 0, 1 hold 1, 2 hold 0.startup, 3..5 their releases.
const script3 = "hold 0\nhold 1\nhold 0.startup\nrelease 0\nrelease 1\nrelease 0.startup\n"

func play(t *testing.T) *trace.Trace {
	t.Helper()
	l := &Lesson{ID: "x"}
	r, err := run.Start(l.Inputs(Run{ID: "main", Seed: 1, Setup: "cluster brokers=0,1\n", Script: script3}),
		run.Options{Store: zkmem.New(zkmem.Options{}), Record: true})
	require.NoError(t, err)
	defer r.Close()
	require.NoError(t, r.Finish())
	tr := r.Trace()
	require.Len(t, tr.Steps, 6)
	return tr
}

func TestInputsAreNamedAfterLessonAndRun(t *testing.T) {
	in := (&Lesson{ID: "10-bounce"}).Inputs(Run{ID: "main", Seed: 7, Setup: "a", Script: "b"})
	assert.Equal(t, run.Inputs{Name: "10-bounce/main", Setup: "a", Script: "b", Seed: 7}, in)
}

func TestResolve(t *testing.T) {
	tr := play(t)
	for _, c := range []struct {
		name  string
		stops []Stop
		want  []int
		err   string
	}{
		{"each is the first after the one before", []Stop{{ID: "a", At: "step.args.what = '0.controller'"}, {ID: "b", At: "step.kind = release"}}, []int{0, 3}, ""},
		{"the last may hold again", []Stop{{ID: "a", At: "step.kind = hold"}}, []int{0}, ""},
		{"before is the step before", []Stop{{ID: "a", At: "hold[0.startup] and not before.hold[0.startup]"}}, []int{2}, ""},
		{"none", nil, []int{}, ""},
		{"never", []Stop{{ID: "a", At: "step.kind = hold and step.i = 2"}, {ID: "b", At: "step.kind = admin"}}, nil,
			"x/lesson.yaml: stop b: its anchor holds at no step after stop a: step.kind = admin"},
		{"only before", []Stop{{ID: "a", At: "step.i = 3"}, {ID: "b", At: "step.kind = hold"}}, nil,
			"x/lesson.yaml: stop b: its anchor holds at no step after stop a: step.kind = hold"},
		{"never, the first", []Stop{{ID: "a", At: "step.i = 9"}}, nil,
			"x/lesson.yaml: stop a: its anchor holds at no step after stop (the start): step.i = 9"},
		{"twice", []Stop{{ID: "a", At: "step.kind = hold"}, {ID: "b", At: "step.kind = release"}}, nil,
			"x/lesson.yaml: stop a: its anchor holds at step 0 and again at step 1, before stop b; make it narrower: step.kind = hold"},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := &Lesson{ID: "x"}
			found, err := l.Resolve(Run{Stops: c.stops}, tr)
			if c.err != "" {
				assert.EqualError(t, err, c.err)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, c.want, found)
		})
	}
}

func TestResolveNamesTheWordOfABadAnchor(t *testing.T) {
	_, err := (&Lesson{ID: "x"}).Resolve(Run{Stops: []Stop{{ID: "a", At: "step.kind = = hold"}}}, play(t))
	assert.EqualError(t, err, "x/lesson.yaml: stop a: at: 1:13: expected a path, a value, not or (\n"+
		"    step.kind = = hold\n"+
		"                ^")
}

func TestKeysMustSayWhatIsRight(t *testing.T) {
	tr := play(t)
	ask := func(right, a, b string) []Stop {
		return []Stop{{ID: "s", At: "step.i = 1", Ask: &Ask{Kind: "choice", Right: []string{right},
			Choices: []Choice{{ID: "a", Key: a}, {ID: "b", Key: b}, {ID: "c"}}}}}
	}
	held, free := "exists(hold[1.controller])", "not exists(hold[1.controller])"
	l := &Lesson{ID: "x"}
	_, err := l.Resolve(Run{Stops: ask("a", held, free)}, tr)
	require.NoError(t, err)
	_, err = l.Resolve(Run{Stops: ask("b", held, held)}, tr)
	assert.EqualError(t, err, "x/lesson.yaml: stop s, choice a: its key says true, right says false: "+held)
	_, err = l.Resolve(Run{Stops: ask("a", free, free)}, tr)
	assert.EqualError(t, err, "x/lesson.yaml: stop s, choice a: its key says false, right says true: "+free)
	_, err = l.Resolve(Run{Stops: ask("a", "=", free)}, tr)
	require.Error(t, err)
	assert.Contains(t, err.Error(), "x/lesson.yaml: stop s, choice a: ")
}

package run_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"controllerscope/core/run"
	"controllerscope/core/trace"
	"controllerscope/core/zk/zkmem"
	"controllerscope/lessons"
)

// lessonRuns are the inputs of every run of every lesson.
func lessonRuns(t testing.TB) []run.Inputs {
	t.Helper()
	var out []run.Inputs
	for _, name := range lessons.Names() {
		l, err := lessons.Embedded(name)
		require.NoError(t, err)
		for _, r := range l.Runs {
			out = append(out, l.Inputs(r))
		}
	}
	return out
}

// randomRun is the run of one seed's random script.
func randomRun(t testing.TB, seed uint64) run.Inputs {
	t.Helper()
	text, err := run.Random{}.Script(seed, zkmem.New(zkmem.Options{}))
	require.NoError(t, err, "seed %d:\n%s", seed, text)
	return run.Inputs{Name: fmt.Sprintf("random %d", seed), Script: text, Seed: seed}
}

// start begins a recorded run that is closed, and proved to leave no coroutine, when the test ends.
func start(t testing.TB, in run.Inputs, o run.Options) *run.Run {
	t.Helper()
	o.Store, o.Record = zkmem.New(zkmem.Options{}), true
	r, err := run.Start(in, o)
	require.NoError(t, err, in.Name)
	t.Cleanup(func() {
		require.NoError(t, r.Close())
		if w := r.World(); w != nil {
			require.Zero(t, w.Threads(), "%s: coroutines left", in.Name)
		}
	})
	return r
}

// finished is start and Finish.
func finished(t testing.TB, in run.Inputs) *run.Run {
	t.Helper()
	r := start(t, in, run.Options{})
	require.NoError(t, r.Finish(), "%s:\n%s", in.Name, in.Script)
	return r
}

func stepText(s *trace.Step) string { return string(s.AppendJSON(nil)) }

package run_test

import (
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"controllerscope/core/env"
	"controllerscope/core/run"
	"controllerscope/core/trace"
	"controllerscope/core/view"
	"controllerscope/core/zk/zkmem"
)

// randomSeeds is how many random scripts the tests of this package run.
func randomSeeds() uint64 {
	if testing.Short() {
		return 4
	}
	return 50
}

// every is all lesson runs and the random ones.
func every(t *testing.T) []run.Inputs {
	all := lessonRuns(t)
	for seed := range randomSeeds() {
		all = append(all, randomRun(t, seed))
	}
	return all
}

func TestSameInputsSameBytes(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, in := range lessonRuns(t) {
		first := string(finished(t, in).Trace().JSON())
		for n := range 100 / len(lessonRuns(t)) {
			runtime.GOMAXPROCS(1 + n%4)
			require.Equal(t, first, string(finished(t, in).Trace().JSON()), "%s, time %d", in.Name, n)
		}
	}
}

// TestRandomScripts holds every random script, and every lesson, to what must hold of any run.
func TestRandomScripts(t *testing.T) {
	for _, in := range every(t) {
		t.Run(in.Name, func(t *testing.T) {
			var r *run.Run
			r = start(t, in, run.Options{OnStep: func(s *trace.Step, doc *trace.Document) { dumped(t, r, s, doc) }})
			require.NoError(t, r.Finish(), in.Script)
			tr := r.Trace()
			require.NoError(t, tr.Verify())
			explained(t, tr)
			require.Equal(t, string(tr.JSON()), string(finished(t, in).Trace().JSON()), "the second time it went another way")
			packed, err := trace.Read(in.Name, tr.Pack())
			require.NoError(t, err)
			require.Equal(t, string(tr.JSON()), string(packed.JSON()), "packing lost something")
		})
	}
}

// dumped holds the reduced document against the full dump of the world; now and then against its full projection too
// (package view compares that after every step).
func dumped(t *testing.T, r *run.Run, s *trace.Step, doc *trace.Document) {
	full := trace.NewDocument()
	r.World().Dump(full)
	if s.I%10 == 0 {
		for _, c := range view.New().Begin(full) {
			full.Change(c, nil)
		}
	} else {
		doc.Walk(func(path env.Path, value any) bool {
			full.Set(value, path...)
			return true
		}, "view")
	}
	if d, differs := doc.FirstDifference(full); differs {
		require.Fail(t, "document and dump differ", "after step %d %s %s %s %v:\n%s", s.I, s.ID, s.Kind, s.Msg, s.Args, d.Text())
	}
}

// explained holds the causes: outside operations have none, everything else has, and a taken event follows from its put.
func explained(t *testing.T, tr *trace.Trace) {
	put := map[string]int{}
	for _, s := range tr.Steps {
		event := strings.Split(s.Lane, ".")[0] + " " + s.IDs.Event
		outside := s.Lane == "admin" && strings.HasPrefix(s.Msg, "admin.") && s.Msg != "admin.answer"
		if outside {
			require.Empty(t, s.Causes, stepText(s))
		} else if !begun(tr) {
			require.NotEmpty(t, s.Causes, stepText(s))
		}
		switch s.Kind {
		case "event.put":
			put[event] = s.I
		case "event.take", "event.preempt":
			if at, known := put[event]; known {
				require.Contains(t, s.Causes, at, stepText(s))
			}
		}
	}
}

// begun reports whether the recording began in a running world: what was under way then has no cause in the trace.
func begun(tr *trace.Trace) bool { return len(tr.Initial.Names()) > 0 }

// TestRecordingChangesNothing runs scripts with and without the recorder: the world ends up the same.
func TestRecordingChangesNothing(t *testing.T) {
	for seed := range randomSeeds() {
		in := randomRun(t, seed)
		bare, err := run.Start(in, run.Options{Store: zkmem.New(zkmem.Options{})})
		require.NoError(t, err)
		require.NoError(t, bare.Finish())
		want, got := trace.NewDocument(), trace.NewDocument()
		finished(t, in).World().Dump(want)
		bare.World().Dump(got)
		d, differs := want.FirstDifference(got)
		require.False(t, differs, "%s: %s", in.Name, d.Text())
		require.NoError(t, bare.Close())
	}
}

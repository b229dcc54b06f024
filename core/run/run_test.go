package run_test

import (
	"fmt"
	"reflect"
	"runtime"
	"slices"
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

// TestEveryStep holds every step of every random script and of every lesson to what must hold of any run: the full dump of
// the world and its full projection are the reduced document; diffs back and forth lead to the same hashes; and a second
// execution has, at every step, the document that diffs lead to.
func TestEveryStep(t *testing.T) {
	for _, in := range every(t) {
		t.Run(in.Name, func(t *testing.T) {
			t.Parallel()
			var r *run.Run
			r = start(t, in, run.Options{OnStep: func(s *trace.Step, doc *trace.Document) { dumped(t, r, s, doc) }})
			require.NoError(t, r.Finish(), in.Script)
			tr := r.Trace()
			require.NoError(t, tr.Verify())
			explained(t, tr)
			there := trace.NewCursor(tr)
			again := start(t, in, run.Options{OnStep: func(s *trace.Step, doc *trace.Document) {
				there.Seek(s.I)
				d, differs := there.Doc().FirstDifference(doc)
				require.False(t, differs, "seek and execution differ at step %d: %s", s.I, d.Text())
			}})
			require.NoError(t, again.Finish(), in.Script)
			require.Equal(t, string(tr.JSON()), string(again.Trace().JSON()), "the second time it went another way")
			for there.At() > 0 {
				there.Seek(there.At() - 1)
				require.Equal(t, there.Step().Hash, there.Doc().Hash(), "back to step %d", there.At())
			}
			there.Seek(-1)
			require.True(t, there.Doc().Equal(tr.Initial), "back to the start")
		})
	}
}

// against is an env.Dump that holds what is dumped against a document.
type against struct {
	doc    *trace.Document
	leaves int
	wrong  string // the first leaf that the document has otherwise
}

func (a *against) Set(after any, path ...string) {
	if after == nil {
		return
	}
	a.leaves++
	is := a.doc.Get(path...)
	same := false
	switch after.(type) {
	case []any, env.Record:
		same = reflect.DeepEqual(after, is)
	default:
		same = after == is
	}
	if !same && a.wrong == "" {
		a.wrong = trace.Diff{Path: slices.Clone(path), Before: is, After: after}.Text()
	}
}

// dumped holds the reduced document against the full dump of the world and against its full projection.
func dumped(t *testing.T, r *run.Run, s *trace.Step, doc *trace.Document) {
	full := &against{doc: doc}
	r.World().Dump(full)
	for _, c := range view.Full(doc) {
		full.Set(c.After, c.Path...)
	}
	if full.wrong == "" && full.leaves != doc.Leaves() {
		full.wrong = fmt.Sprintf("%d leaves are dumped and projected, the document has %d", full.leaves, doc.Leaves())
	}
	if full.wrong != "" {
		require.Fail(t, "document and dump differ", "after step %d %s %s %s %v:\n%s", s.I, s.ID, s.Kind, s.Msg, s.Args, full.wrong)
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

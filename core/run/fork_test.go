package run_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"controllerscope/core/run"
	"controllerscope/core/trace"
)

// TestForkEverywhere forks at every step: what comes before the fork is the same, byte for byte, and so is the document that
// diffs lead to; a fork at the end of a fork's own prefix is that prefix.
func TestForkEverywhere(t *testing.T) {
	all := lessonRuns(t)
	all = append(all, run.Inputs{Name: "clock and bounce", Seed: 3, Script: `cluster brokers=0,1,2
broker start 0
broker start 1
until idle
topic create orders 2x2
clock +40s
broker start 2
wait 9ms
until idle
broker bounce 2
broker crash 1
clock +20s
until idle
`})
	for _, in := range all {
		t.Run(in.Name, func(t *testing.T) {
			t.Parallel()
			whole := finished(t, in)
			steps, there := whole.Trace().Steps, trace.NewCursor(whole.Trace())
			stride := 1
			switch {
			case testing.Short():
				stride = 41
			case in.Seed == 3:
				stride = 31 // a long script
			case in.Name != "10-bounce/main" && in.Name != "03-election/race":
				stride = 17 // the others go through the same code
			}
			for i := -1; i < len(steps); i += stride {
				forked, err := whole.At(i)
				require.NoError(t, err)
				r := finished(t, forked)
				require.Greater(t, r.Steps(), i, "%s", forked.Script)
				samePrefix(t, steps, r.Trace().Steps, forked.Script)
				there.Seek(r.Steps() - 1)
				d, differs := there.Doc().FirstDifference(r.Doc())
				require.False(t, differs, "%s at %d: %s", in.Name, i, d.Text())
				if i%8 == 0 {
					again, err := whole.At(r.Steps() - 1)
					require.NoError(t, err)
					require.Equal(t, r.Steps(), finished(t, again).Steps(), "%s", again.Script)
				}
			}
		})
	}
}

// samePrefix holds that the steps of part are the first of whole, but for what a world at rest adds to its last.
func samePrefix(t *testing.T, whole, part []*trace.Step, script string) {
	t.Helper()
	require.LessOrEqual(t, len(part), len(whole))
	for n, s := range part {
		want := *whole[n]
		if n == len(part)-1 {
			want.Invariants = s.Invariants
		}
		require.Equal(t, stepText(&want), stepText(s), "%s", script)
	}
}

// TestAppendEqualsFork does a line at the end of a living run, and in a run executed again from the start.
func TestAppendEqualsFork(t *testing.T) {
	for _, in := range lessonRuns(t) {
		whole := finished(t, in)
		line := "broker crash 0"
		if !strings.Contains(in.Setup+in.Script, "broker start 0") { // a world of plain clients
			line = "client open late"
		}
		for _, i := range []int{-1, whole.Steps() / 3, whole.Steps() / 2, whole.Steps() - 1} {
			forked, err := whole.Fork(i, line)
			require.NoError(t, err)
			executed := finished(t, forked)

			prefix, err := whole.At(i)
			require.NoError(t, err)
			living := start(t, prefix, run.Options{})
			require.NoError(t, living.Finish())
			require.NoError(t, living.Append(strings.Replace(line, " ", "  ", 1)))
			require.Equal(t, string(executed.Trace().JSON()), string(living.Trace().JSON()))
			require.Equal(t, forked, living.Inputs())
		}
	}
}

// TestRefusedChangesNothing appends what cannot be carried out: the run is as before and goes on.
func TestRefusedChangesNothing(t *testing.T) {
	in := run.Inputs{Name: "refused", Script: "broker start 0\nuntil idle\n"}
	r := finished(t, in)
	before := string(r.Trace().JSON())
	require.EqualError(t, r.Append("broker start 0"), "refused:3: broker start 0: broker 0 is running already; stop or kill it first")
	require.Equal(t, before, string(r.Trace().JSON()))
	require.NoError(t, r.Append("broker kill 0"))
	require.Equal(t, in.Script+"broker kill 0\n", r.Inputs().Script)
}

func TestForkWithBadInput(t *testing.T) {
	r := finished(t, run.Inputs{Name: "bad", Script: "broker start 0\nuntil idle\nexpect broker[0].state = 3\n"})
	for line, want := range map[string]string{
		"broker kil 2":       "expected start, stop, kill, crash, bounce, pause, resume, config or set-listener after broker",
		"":                   "nothing is to be done; write one operation, such as broker kill 2",
		"# only a comment":   "nothing is to be done; write one operation, such as broker kill 2",
		"broker kill":        "expected a broker id, such as 1: broker kill N",
		"clock +1s untill x": "expected until",
	} {
		_, err := r.Fork(3, line)
		require.ErrorContains(t, err, want)
	}
	_, err := r.Fork(100_000, "broker kill 0")
	require.ErrorContains(t, err, "there is no step 100000; the run has ")
	_, err = r.Fork(-2, "broker kill 0")
	require.ErrorContains(t, err, "there is no step -2; the run has ")
}

// TestAfterAFailure holds that a run that failed goes no further, and that what led to its failure can be forked.
func TestAfterAFailure(t *testing.T) {
	in := run.Inputs{Name: "fails", Script: "broker start 0\nuntil idle\nexpect broker[0].state = 7\nbroker kill 0\n"}
	r := start(t, in, run.Options{})
	var failure *run.Failure
	require.ErrorAs(t, r.Finish(), &failure)
	require.ErrorAs(t, r.Append("broker kill 0"), &failure)
	forked, err := r.Fork(r.Steps()-1, "broker kill 0")
	require.NoError(t, err)
	require.Equal(t, "broker start 0\nuntil idle\nbroker kill 0\n", forked.Script)
	finished(t, forked)

	never := "broker start 0\nnever ctl[0].isActive = true\nuntil idle\n"
	r = start(t, run.Inputs{Name: "never", Script: never}, run.Options{})
	require.ErrorAs(t, r.Finish(), &failure)
	require.Equal(t, r.Steps()-1, failure.Step.I)
	before, err := r.At(failure.Step.I - 1)
	require.NoError(t, err)
	require.Equal(t, "broker start 0\nnever ctl[0].isActive = true\nuntil step.i >= "+itoa(failure.Step.I-1)+"\n", before.Script)
}

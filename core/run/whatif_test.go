package run_test

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"controllerscope/core/run"
)

func itoa(n int) string { return strconv.Itoa(n) }

// tried is a finished run that is recorded without what only pictures need.
func tried(t *testing.T, in run.Inputs) *run.Run {
	t.Helper()
	r := start(t, in, run.Options{Bare: true})
	require.NoError(t, r.Finish())
	return r
}

// harmless are operations that could be carried out but are said not to be legal, because they would do nothing.
func harmless(reason string) bool {
	switch reason {
	case "there is no /controller to delete", "the guard broker-epoch is on already", "the guard broker-epoch is off already",
		"the guard controller-epoch is on already", "the guard controller-epoch is off already":
		return true
	}
	return len(reason) > 30 && reason[len(reason)-len("; release it first"):] == "; release it first"
}

// TestOptionsTellTheTruth tries every option at many places: what is legal can be carried out, and what is not fails with
// the very reason given.
func TestOptionsTellTheTruth(t *testing.T) {
	for _, in := range append(lessonRuns(t), randomRun(t, 4)) {
		t.Run(in.Name, func(t *testing.T) {
			t.Parallel()
			tellsTheTruth(t, in)
		})
	}
}

func tellsTheTruth(t *testing.T, in run.Inputs) {
	whole := finished(t, in)
	for i := 5; i < whole.Steps(); i += 97 {
		prefix, err := whole.At(i)
		require.NoError(t, err)
		here := finished(t, prefix)
		options := here.Options()
		require.Len(t, options, 9*len(here.World().Brokers())+5)
		refuses := tried(t, prefix) // what is refused leaves it as it is
		for n, o := range options {
			if testing.Short() && n%3 != i%3 {
				continue
			}
			if !o.Legal && !harmless(o.Reason) {
				require.ErrorContains(t, refuses.Append(o.Line), o.Reason, "%s at %d: %s", in.Name, i, o.Line)
				continue
			}
			require.NoError(t, tried(t, prefix).Append(o.Line), "%s at %d: %s", in.Name, i, o.Line)
			if o.Legal {
				require.Empty(t, o.Reason)
			}
		}
		for _, c := range here.Choices() {
			r := tried(t, prefix)
			require.NoError(t, r.Append(c.Line), "%s at %d", in.Name, i)
			if c.Droppable {
				r = tried(t, prefix)
				require.NoError(t, r.Append("drop"+c.Line[len("deliver"):]))
			}
		}
	}
}

func TestOptionsAndChoicesOfARun(t *testing.T) {
	r := finished(t, run.Inputs{Name: "two", Script: "cluster brokers=0,1\nbroker start 0\nuntil idle\nbroker start 1\nhold 1\n"})
	reasons := map[string]string{}
	for _, o := range r.Options() {
		reasons[o.Line] = o.Reason
	}
	require.Equal(t, map[string]string{
		"broker start 0":             "broker 0 is running already; stop or kill it first",
		"broker stop 0":              "",
		"broker kill 0":              "",
		"broker crash 0":             "",
		"broker bounce 0":            "a bounce needs another broker in office as controller",
		"broker pause 0":             "",
		"broker resume 0":            "broker 0 is not paused",
		"hold 0.controller":          "",
		"release 0.controller":       "0.controller is not held; held are [1.controller]",
		"broker start 1":             "broker 1 is running already; stop or kill it first",
		"broker stop 1":              "",
		"broker kill 1":              "",
		"broker crash 1":             "",
		"broker bounce 1":            "",
		"broker pause 1":             "",
		"broker resume 1":            "broker 1 is not paused",
		"hold 1.controller":          "1.controller is held already; release it first",
		"release 1.controller":       "",
		"zk delete /controller":      "",
		"guard.broker-epoch on":      "the guard broker-epoch is on already",
		"guard.broker-epoch off":     "",
		"guard.controller-epoch on":  "the guard controller-epoch is on already",
		"guard.controller-epoch off": "",
	}, reasons)
	first := r.Choices()[0]
	require.Equal(t, run.Pending{ID: "1.startup#1", Kind: "wake", What: "start", Process: "1", Due: first.Due,
		Line: "deliver 1.startup#1", Ways: []run.Option{
			{Line: "deliver 1.startup#1", Legal: true}, {Line: "hold 1.startup#1", Legal: true}, {Line: "delay 1.startup#1 1s", Legal: true},
			{Line: "drop 1.startup#1", Reason: "only answers of ZooKeeper and requests between processes can be lost"},
			{Line: "duplicate 1.startup#1", Reason: "only requests between processes can be duplicated"},
		}}, first)
}

package run_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"controllerscope/core/run"
	"controllerscope/core/zk"
	"controllerscope/core/zk/zkmem"
)

func emulator() zk.Store { return zkmem.New(zkmem.Options{}) }

// TestSwarm: nothing but what Kafka 2.8.2 itself gets wrong.
func TestSwarm(t *testing.T) {
	for seed := range randomSeeds() {
		found, err := run.Swarm{Store: emulator}.Try(seed)
		require.NoError(t, err)
		if found != nil {
			require.NotNil(t, found.Known, "seed %d breaks %v:\n%s\n%s", seed, found.Broken, found.Shrunk, found.At)
		}
	}
}

// TestSwarmShrinks: seed 59 loses the reply of a write; of its script as little remains as breaks the invariant.
func TestSwarmShrinks(t *testing.T) {
	found, err := run.Swarm{Store: emulator}.Try(59)
	require.NoError(t, err)
	require.NotNil(t, found)
	require.Equal(t, "broker start 1\ntopic create t0 1x2\nzk lose-reply 1 /brokers/topics/t0/partitions/0/state\nuntil idle\n", found.Shrunk)
	require.Greater(t, strings.Count(found.Script, "\n"), 20)
	require.Equal(t, []string{"context-equals-zookeeper /brokers/topics/t0/partitions/0/state"}, found.Broken)
	require.Contains(t, found.At, "VIOLATED")
	require.Equal(t, "lost-reply-of-partition-state", found.Known.Name)
}

// TestDefects: the script of each breaks what it says and nothing else, and breaks nothing with the fix on.
func TestDefects(t *testing.T) {
	for _, d := range run.Defects {
		t.Run(d.Name, func(t *testing.T) {
			broken, err := run.Swarm{Store: emulator}.Breaks(d.Script, 1)
			require.NoError(t, err)
			require.NotEmpty(t, broken)
			for _, name := range broken {
				kind, _, _ := strings.Cut(name, " ")
				require.True(t, slices.Contains(d.Breaks, kind) || slices.Contains(d.Breaks, name), name)
			}
			broken, err = run.Swarm{Store: emulator}.Breaks(switched(d.Script, "fix."+d.Fix+" on"), 1)
			require.NoError(t, err)
			require.Empty(t, broken)
		})
	}
}

// switched plays a line before a script, but after its cluster line.
func switched(script, line string) string {
	if first, rest, _ := strings.Cut(script, "\n"); strings.HasPrefix(first, "cluster") {
		return first + "\n" + line + "\n" + rest
	}
	return line + "\n" + script
}

// TestGuards: with a protection of 2.8.2 off the swarm finds a violation that needs it to be off, after as many scripts as
// are written down here; each takes some tens of milliseconds.
func TestGuards(t *testing.T) {
	for guard, after := range map[string]uint64{"broker-epoch": 27, "controller-epoch": 3} {
		line := "guard." + guard + " off"
		swarm := run.Swarm{Random: run.Random{Switch: []string{line}}, Store: emulator}
		seed := uint64(1)
		for ; seed <= 100; seed++ {
			found, err := swarm.Try(seed)
			require.NoError(t, err)
			if found != nil && found.Known == nil && strings.Contains(found.Shrunk, line) {
				break
			}
		}
		require.Equal(t, after, seed, guard)
	}
}

package run_test

import (
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

// TestSwarmShrinks: seed 35 loses the reply of a write; of its script as little remains as breaks the invariant.
func TestSwarmShrinks(t *testing.T) {
	found, err := run.Swarm{Store: emulator}.Try(35)
	require.NoError(t, err)
	require.NotNil(t, found)
	require.Equal(t, "broker start 0\ntopic create t1 3x1\nzk lose-reply 0 /brokers/topics/t1/partitions/0/state\nuntil idle\n", found.Shrunk)
	require.Greater(t, strings.Count(found.Script, "\n"), 20)
	require.Equal(t, []string{"context-equals-zookeeper /brokers/topics/t1/partitions/0/state"}, found.Broken)
	require.Contains(t, found.At, "VIOLATED")
	require.Equal(t, "lost-reply-of-partition-state", found.Known.Name)
}

func TestDefectsHaveTheirReason(t *testing.T) {
	found, err := run.Swarm{Store: emulator}.Try(2753)
	require.NoError(t, err)
	require.NotNil(t, found)
	require.Equal(t, "lost-reply-of-alter-isr", found.Known.Name)
	for _, d := range run.Defects {
		require.Contains(t, d.Reason, "lost")
		require.NotEmpty(t, d.Breaks)
	}
}

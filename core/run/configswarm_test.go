package run_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"controllerscope/core/run"
)

// With clocks together and pauses below 15 minutes every broker ends with ZooKeeper's configs.
func TestConfigsReachEveryBroker(t *testing.T) {
	seeds := uint64(40)
	if testing.Short() {
		seeds = 10
	}
	for seed := range seeds {
		lost, err := run.ConfigSwarm{Store: emulator}.Try(seed)
		require.NoError(t, err, "seed %d", seed)
		require.Nil(t, lost, "seed %d", seed)
	}
}

// With clocks 20 minutes off the swarm finds the lost update. What it shrinks to is the last act of lesson 16-purge: a fast
// clock, a slow reader, a change.
func TestSkewLosesAnUpdate(t *testing.T) {
	var found *run.Lost
	for seed := uint64(0); found == nil; seed++ {
		require.Less(t, seed, uint64(60), "no update was lost")
		var err error
		found, err = run.ConfigSwarm{Store: emulator, Skewed: true}.Try(seed)
		require.NoError(t, err, "seed %d", seed)
	}
	require.NotEmpty(t, found.Where)
	require.Contains(t, found.Shrunk, "skew ")
	require.Contains(t, found.Shrunk, "config set ")
	require.Contains(t, found.Shrunk, "hold client.")
	require.Less(t, len(found.Shrunk), len(found.Script))
}

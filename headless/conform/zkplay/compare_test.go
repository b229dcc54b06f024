package zkplay

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"controllerscope/core/zk/zkmem"
	"controllerscope/core/zk/zktest"
	"controllerscope/headless/internal/zkensemble"
	"controllerscope/headless/zkserver"
)

// ordinary is an emulator with ZooKeeper's default tick.
func ordinary(t *testing.T, o zkmem.Options) *zkserver.Server {
	s := zkserver.New(zkmem.New(o), zkserver.Options{})
	t.Cleanup(func() { assert.NoError(t, s.Close()) })
	return s
}

// TestRandomHistories has a real server and the emulator agree on everything that a client sees of random histories.
func TestRandomHistories(t *testing.T) {
	t.Parallel()
	real := zkensemble.ForTest(t, zkensemble.Options{})
	s := ordinary(t, zkmem.Options{})
	for seed := range uint64(3) {
		c := Random(seed, 50)
		d, err := Compare(&c, tcp(real.Connect()), pipe(s))
		require.NoError(t, err)
		require.Nil(t, d, "seed %d: %v\n%s", seed, d, c.JSON())
	}
}

// TestComparisonSeesADifference compares two emulators that do differ: only one allows TTL nodes.
func TestComparisonSeesADifference(t *testing.T) {
	t.Parallel()
	c := zktest.Case{Name: "ttl", Steps: []zktest.Step{{Session: "A", Op: "open"},
		{Session: "A", Op: "create_ttl", Args: zktest.Args{Path: "~/t", Flags: 5, TTLMS: 1000}}}}
	d, err := Compare(&c, pipe(ordinary(t, zkmem.Options{})), pipe(ordinary(t, zkmem.Options{ExtendedTypes: true})))
	require.NoError(t, err)
	require.NotNil(t, d)
	assert.Equal(t, `case ttl, step 2 (create_ttl), error: want "unknown error: -6", got null`, d.String())
}

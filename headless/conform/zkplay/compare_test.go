package zkplay

import (
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"controllerscope/core/zk/zkmem"
	"controllerscope/core/zk/zktest"
	"controllerscope/core/zk/zktest/drawn"
	"controllerscope/headless/internal/zkensemble"
	"controllerscope/headless/zkserver"
)

// ordinary is an emulator with ZooKeeper's default tick.
func ordinary(t *testing.T, o zkmem.Options) *zkserver.Server {
	s := zkserver.New(zkmem.New(o), zkserver.Options{})
	t.Cleanup(func() { assert.NoError(t, s.Close()) })
	return s
}

func TestMain(m *testing.M) {
	drawn.Defaults(200, 40)
	os.Exit(m.Run())
}

// TestRandomHistories has a real server and the emulator agree on everything that a client sees of 200 random histories. A
// failure names the seed and shows the shrunk history as a case that can be added to a file.
func TestRandomHistories(t *testing.T) {
	t.Parallel()
	real := zkensemble.ForTest(t, zkensemble.Options{})
	s := ordinary(t, zkmem.Options{})
	operations, expired := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		c := readBack(drawn.History(t, true))
		d, err := Compare(&c, tcp(real.Connect()), pipe(s))
		require.NoError(t, err)
		if d != nil {
			require.NoError(t, Record(&c, tcp(real.Connect())))
			t.Fatalf("%v\nwith the real server's answers:\n%s", d, c.JSON())
		}
		operations += len(c.Steps)
		for _, step := range c.Steps {
			if step.Op == "await_gone" {
				expired++
			}
		}
	})
	assert.Positive(t, expired)
	t.Logf("%d operations compared, %d of them expiries", operations, expired)
}

// TestRecord: a history becomes a case that can be read, and that passes where it was recorded.
func TestRecord(t *testing.T) {
	t.Parallel()
	s := ordinary(t, zkmem.Options{})
	expires := func(s zktest.Step) bool { return s.Op == "await_gone" } // which would take as long as it takes
	c := Random(1, 60)
	for seed := uint64(2); slices.ContainsFunc(c.Steps, expires); seed++ {
		c = Random(seed, 60)
	}
	require.NoError(t, Record(&c, pipe(s)))
	f, err := zktest.Read("recorded", []byte(`{"format":"zkcases/1","cases":[`+c.JSON()+`]}`))
	require.NoError(t, err)
	report, err := Run(pipe(s), f, nil)
	require.NoError(t, err)
	assert.Equal(t, Report{Passed: 1}, report)
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

package zkplay

import (
	"fmt"
	"io"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"controllerscope/core/zk/zkmem"
	"controllerscope/core/zk/zktest"
	"controllerscope/headless/internal/zkensemble"
	"controllerscope/headless/zkserver"
)

// TestFound plays the cases of the differences found so far, on servers that look for containers to remove every second.
func TestFound(t *testing.T) {
	t.Run("emulator", func(t *testing.T) {
		t.Parallel()
		s := zkserver.New(zkmem.New(zkmem.Options{}), zkserver.Options{TickMS: 500, CheckContainersMS: 1000})
		defer s.Close()
		playFound(t, pipe(s))
	})
	t.Run("real", func(t *testing.T) {
		t.Parallel()
		e := zkensemble.ForTest(t, zkensemble.Options{TickMS: 500, Java: []string{"-Dznode.container.checkIntervalMs=1000"}})
		playFound(t, tcp(e.Connect()))
	})
}

func playFound(t *testing.T, target Target) {
	report, err := Run(target, zktest.Found(), nil)
	require.NoError(t, err)
	assert.Empty(t, texts(report))
	assert.Equal(t, len(zktest.Found().Cases), report.Passed)
}

// TestSessionsEndAlikeUnderOtherPaths: a server deletes a closing session's ephemerals in the order of the hashes of their
// full paths. Two servers that have made other base nodes before must all the same agree on a history.
func TestSessionsEndAlikeUnderOtherPaths(t *testing.T) {
	t.Parallel()
	targets := map[string]Target{"emulator": pipe(ordinary(t, zkmem.Options{}))}
	if zkensemble.Check() == nil && !testing.Short() {
		targets["real"] = tcp(zkensemble.ForTest(t, zkensemble.Options{}).Connect())
	}
	c := zktest.Case{Name: "ends", Steps: []zktest.Step{{Session: "A", Op: "open"}, {Session: "B", Op: "open"}}}
	for _, name := range []string{"a", "b", "c", "d", "e", "f", "g"} {
		path := zktest.Args{Path: "~/" + name, Flags: 1}
		c.Steps = append(c.Steps, zktest.Step{Session: "A", Op: "create", Args: path},
			zktest.Step{Session: "B", Op: "exists_w", Args: zktest.Args{Path: path.Path}})
	}
	c.Steps = append(c.Steps, zktest.Step{Session: "A", Op: "close"}, zktest.Step{Session: "B", Op: "events"})
	for name, other := range targets {
		_, err := Run(other, &zktest.File{Cases: []zktest.Case{{Name: "before", Steps: c.Steps[:1]}}}, nil)
		require.NoError(t, err)
		d, err := Compare(&c, other, pipe(ordinary(t, zkmem.Options{})))
		require.NoError(t, err)
		assert.Nil(t, d, name)
	}
}

// TestNoSessionOutlivesItsHistory: a client that is still cut at the end could not close its session, which would end, and
// take a zxid, in the middle of the next history.
func TestNoSessionOutlivesItsHistory(t *testing.T) {
	t.Parallel()
	servers := []*zkserver.Server{ordinary(t, zkmem.Options{}), ordinary(t, zkmem.Options{})}
	c := zktest.Case{Name: "cut", Steps: []zktest.Step{{Session: "A", Op: "open", Args: zktest.Args{TimeoutMS: 40_000}},
		{Session: "A", Op: "cut"}}}
	d, err := Compare(&c, pipe(servers[0]), pipe(servers[1]))
	require.NoError(t, err)
	assert.Nil(t, d)
	for _, s := range servers {
		conn, err := s.Dial()
		require.NoError(t, err)
		_, err = io.WriteString(conn, "mntr")
		require.NoError(t, err)
		monitor, err := io.ReadAll(conn)
		require.NoError(t, err)
		assert.Contains(t, string(monitor), "zk_global_sessions\t0\n")
	}
}

// TestWatchesAreSetAgainInOneOrder: the library writes SetWatches in the order of a Go map, and a server tells what was
// missed in the order written. Twenty paths hardly ever come in order by themselves.
func TestWatchesAreSetAgainInOneOrder(t *testing.T) {
	t.Parallel()
	c := zktest.Case{Name: "order", Steps: []zktest.Step{{Session: "A", Op: "open"}, {Session: "B", Op: "open"}}}
	var made []zktest.Step
	var want []any
	for i := range 20 {
		path := zktest.Args{Path: fmt.Sprintf("~/%02d", i)}
		c.Steps = append(c.Steps, zktest.Step{Session: "A", Op: "exists_w", Args: path})
		made = append(made, zktest.Step{Session: "B", Op: "create", Args: path})
		want = append(want, map[string]any{"type": "NodeCreated", "state": "SyncConnected", "path": path.Path})
	}
	states := []any{}
	for _, state := range []string{"Disconnected", "Connecting", "Connected", "HasSession"} {
		states = append(states, map[string]any{"type": "Session", "state": state})
	}
	c.Steps = slices.Concat(c.Steps, []zktest.Step{{Session: "A", Op: "events"}, {Session: "A", Op: "cut"}}, made, []zktest.Step{
		{Session: "A", Op: "heal"}, {Session: "A", Op: "events", Expect: map[string]any{"events": append(states, want...)}}})
	report, err := Run(pipe(ordinary(t, zkmem.Options{})), &zktest.File{Cases: []zktest.Case{c}}, nil)
	require.NoError(t, err)
	assert.Empty(t, texts(report))
}

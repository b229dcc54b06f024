package conform

import (
	"os"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"controllerscope/headless/internal/zkensemble"
)

// TestSoak compares as many random operations as SOAK says, from seed SEED on, on a real server of its own (make soak).
func TestSoak(t *testing.T) {
	operations, err := strconv.Atoi(os.Getenv("SOAK"))
	if err != nil {
		t.Skip("skipped 1: SOAK is not set to a number of operations; make soak sets 100000")
	}
	seed := os.Getenv("SEED")
	if seed == "" {
		seed = "1"
	}
	e := zkensemble.ForTest(t, zkensemble.Options{})
	code := Zookeeper([]string{"--random", strconv.Itoa(operations), "--seed", seed, "--zk", e.Connect()}, os.Stdout, os.Stderr)
	require.Equal(t, exitOK, code)
}

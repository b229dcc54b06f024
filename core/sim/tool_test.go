package sim_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestReassignToolEveryStep: at every step of the tool, over both ways, the world dumps what the diffs have built; without a
// broker that answers it gives up after a minute.
func TestReassignToolEveryStep(t *testing.T) {
	w, _ := cluster(t, map[string]string{})
	defer w.Close()
	file := `{"version":1,"partitions":[{"topic":"orders","partition":0,"replicas":[2,0]}]}`
	for _, args := range [][]string{
		{"--bootstrap-server", "x", "--execute", "--throttle", "1000", "--reassignment-json-file", file},
		{"--bootstrap-server", "x", "--verify", "--reassignment-json-file", file},
		{"--zookeeper", "x", "--verify", "--reassignment-json-file", file},
		{"--zookeeper", "x", "--execute", "--throttle", "1000", "--reassignment-json-file", file},
	} {
		tool := w.Reassign(args)
		rest(t, w)
		require.True(t, tool.Done && tool.OK, "%v: %v", args, tool.Lines)
	}
	for _, id := range w.Brokers() {
		require.NoError(t, w.KillBroker(id))
	}
	tool := w.Reassign([]string{"--bootstrap-server", "x", "--list"})
	rest(t, w)
	require.True(t, tool.Done)
	require.False(t, tool.OK)
	require.Equal(t, []string{"Error: org.apache.kafka.common.errors.TimeoutException: Timed out waiting for a node assignment."}, tool.Lines)
}

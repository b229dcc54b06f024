package election

import (
	"testing"

	"github.com/stretchr/testify/require"

	"controllerscope/core/kafka"
)

// The cases of Kafka's PartitionLeaderElectionAlgorithmsTest, by id. The assignment (or the target) is always [2,4].

// PLE-01: an offline election picks the first assigned replica that is live and in sync.
func TestPLE_01(t *testing.T) {
	leader, found, unclean := OfflinePartitionLeader(ids(2, 4), ids(2, 4), Of(4), false)
	require.True(t, found)
	require.Equal(t, kafka.BrokerID(4), leader)
	require.False(t, unclean)
}

// PLE-02: without a live ISR member, and with unclean election off, nobody is found and no unclean election is counted.
func TestPLE_02(t *testing.T) {
	_, found, unclean := OfflinePartitionLeader(ids(2, 4), ids(2), Of(4), false)
	require.False(t, found)
	require.False(t, unclean)
}

// PLE-04: a reassign election picks the first target replica that is live and in sync.
func TestPLE_04(t *testing.T) {
	leader, found := ReassignPartitionLeader(ids(2, 4), ids(2, 4), Of(4))
	require.True(t, found)
	require.Equal(t, kafka.BrokerID(4), leader)
}

// PLE-05: a reassign election without a live replica finds nobody.
func TestPLE_05(t *testing.T) {
	_, found := ReassignPartitionLeader(ids(2, 4), ids(2), Of())
	require.False(t, found)
}

// PLE-07: a preferred election returns the head of the assignment when it is live and in sync.
func TestPLE_07(t *testing.T) {
	leader, found := PreferredReplicaLeader(ids(2, 4), ids(2, 4), Of(2, 4))
	require.True(t, found)
	require.Equal(t, kafka.BrokerID(2), leader)
}

// PLE-08: the preferred replica is in the ISR but dead: nobody.
func TestPLE_08(t *testing.T) {
	_, found := PreferredReplicaLeader(ids(2, 4), ids(2), Of())
	require.False(t, found)
}

// PLE-10: the preferred replica is neither live nor in the ISR: nobody.
func TestPLE_10(t *testing.T) {
	_, found := PreferredReplicaLeader(ids(2, 4), ids(), Of())
	require.False(t, found)
}

// PLE-11: a controlled-shutdown election skips the broker that is shutting down.
func TestPLE_11(t *testing.T) {
	leader, found := ControlledShutdownLeader(ids(2, 4), ids(2, 4), Of(2, 4), Of(2))
	require.True(t, found)
	require.Equal(t, kafka.BrokerID(4), leader)
}

package admin

import (
	"testing"

	"github.com/stretchr/testify/require"

	"controllerscope/core/kafka"
)

func brokers(ids ...kafka.BrokerID) (list []kafka.Broker) {
	for _, id := range ids {
		list = append(list, kafka.Broker{ID: id})
	}
	return list
}

func racked(racks ...string) (list []kafka.Broker) {
	for id, rack := range racks {
		list = append(list, kafka.Broker{ID: kafka.BrokerID(id), Rack: rack})
	}
	return list
}

// kafka-znodes-and-config.md 5.9, example 1.
func TestAssignReplicasRackUnaware(t *testing.T) {
	got, err := AssignReplicas(brokers(101, 102, 103, 104), 10, 3, 0, Placement{1, 1})
	require.NoError(t, err)
	require.Equal(t, [][]kafka.BrokerID{{102, 104, 101}, {103, 101, 102}, {104, 102, 103}, {101, 103, 104}, {102, 101, 103},
		{103, 102, 104}, {104, 103, 101}, {101, 104, 102}, {102, 103, 104}, {103, 104, 101}}, got)
	got, err = AssignReplicas(brokers(101, 102, 103, 104), 3, 2, 3, Placement{2, 2})
	require.NoError(t, err)
	require.Equal(t, [][]kafka.BrokerID{{102, 101}, {103, 104}, {104, 101}}, got)
}

// 5.9, example 2 and uneven racks.
func TestAssignReplicasRackAware(t *testing.T) {
	got, err := AssignReplicas(racked("rack1", "rack3", "rack3", "rack2", "rack2", "rack1"), 7, 3, 0, Placement{})
	require.NoError(t, err)
	require.Equal(t, [][]kafka.BrokerID{{0, 3, 1}, {3, 1, 5}, {1, 5, 4}, {5, 4, 2}, {4, 2, 0}, {2, 0, 3}, {0, 4, 2}}, got)
	uneven := []kafka.Broker{{ID: 1, Rack: "a"}, {ID: 2, Rack: "a"}, {ID: 3, Rack: "b"}, {ID: 4, Rack: "c"}}
	got, err = AssignReplicas(uneven, 5, 2, 0, Placement{1, 1})
	require.NoError(t, err)
	require.Equal(t, [][]kafka.BrokerID{{3, 4}, {4, 2}, {2, 3}, {1, 3}, {3, 4}}, got)
}

func TestAssignReplicasErrors(t *testing.T) {
	for _, c := range []struct {
		brokers                 []kafka.Broker
		partitions, replication int
		want                    string
	}{
		{brokers(1), 0, 1, "INVALID_PARTITIONS: Number of partitions must be larger than 0."},
		{brokers(1), 1, 0, "INVALID_REPLICATION_FACTOR: Replication factor must be larger than 0."},
		{brokers(1), 1, 2, "INVALID_REPLICATION_FACTOR: Replication factor: 2 larger than available brokers: 1."},
		{racked("a", ""), 1, 1, "INVALID_REQUEST: Not all brokers have rack information for replica rack aware assignment."},
	} {
		_, err := AssignReplicas(c.brokers, c.partitions, c.replication, 0, Placement{})
		require.EqualError(t, err, c.want)
	}
	one, err := AssignReplicas(brokers(1), 2, 1, 0, Placement{})
	require.NoError(t, err)
	require.Equal(t, [][]kafka.BrokerID{{1}, {1}}, one)
}

func TestTopicNames(t *testing.T) {
	long := string(make([]byte, 250))
	for name, ok := range map[string]bool{"orders": true, "a.b_c-D9": true, "": false, ".": false, "..": false, "a b": false, "ü": false, long: false} {
		require.Equal(t, ok, validTopicName(name) == "", "%q", name)
	}
	require.True(t, collides("a.b", "a_b"))
	require.False(t, collides("a.b", "a-b"))
}

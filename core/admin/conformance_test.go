package admin

import (
	"testing"

	"github.com/stretchr/testify/require"

	"controllerscope/core/kafka"
)

// The cases of Kafka's AdminRackAwareTest, by id.

// r6 are the racks of the cases: six brokers, two in each of three racks.
func r6() []kafka.Broker { return racked("rack1", "rack2", "rack2", "rack3", "rack3", "rack1") }

// placement is what an assignment shall be like: leads and holds are per broker, -1 where it does not matter.
type placement struct {
	partitions, replication int
	racks                   int // different racks per partition
	leads, holds            int
}

// anywhere assigns from every start and with every shift, and checks what must hold of each assignment.
func anywhere(t *testing.T, brokers []kafka.Broker, p placement) {
	for start := range brokers {
		for shift := range brokers {
			got, err := AssignReplicas(brokers, p.partitions, p.replication, 0, Placement{start, shift})
			require.NoError(t, err)
			holds(t, brokers, got, p)
		}
	}
}

func holds(t *testing.T, brokers []kafka.Broker, got [][]kafka.BrokerID, p placement) {
	rackOf, leads, all := map[kafka.BrokerID]string{}, map[kafka.BrokerID]int{}, map[kafka.BrokerID]int{}
	for _, b := range brokers {
		rackOf[b.ID] = b.Rack
	}
	require.Len(t, got, p.partitions)
	for _, replicas := range got {
		distinct, racks := map[kafka.BrokerID]bool{}, map[string]bool{}
		for _, id := range replicas {
			distinct[id], racks[rackOf[id]] = true, true
			all[id]++
		}
		leads[replicas[0]]++
		require.Len(t, replicas, p.replication)
		require.Len(t, distinct, p.replication, "P-DIST %v", got)
		require.Len(t, racks, p.racks, "P-RACK %v", got)
	}
	for _, b := range brokers {
		if p.leads >= 0 {
			require.Equal(t, p.leads, leads[b.ID], "P-LEAD %v", got)
		}
		if p.holds >= 0 {
			require.Equal(t, p.holds, all[b.ID], "P-REPL %v", got)
		}
	}
}

// RAK-01: the rack-alternating list of brokers, and the assignment made from it.
func TestRAK_01(t *testing.T) {
	list := racked("rack1", "rack3", "rack3", "rack2", "rack2", "rack1")
	order := func(brokers []kafka.Broker) (ids []kafka.BrokerID) {
		alternating, racks := alternate(brokers)
		require.Equal(t, 3, racks)
		for _, b := range alternating {
			ids = append(ids, b.ID)
		}
		return ids
	}
	require.Equal(t, []kafka.BrokerID{0, 3, 1, 5, 4, 2}, order(list))
	require.Equal(t, []kafka.BrokerID{0, 3, 1, 4, 2}, order(list[:5]))
	got, err := AssignReplicas(list, 7, 3, 0, Placement{}) // a fixed start index is the first shift too
	require.NoError(t, err)
	require.Equal(t, [][]kafka.BrokerID{{0, 3, 1}, {3, 1, 5}, {1, 5, 4}, {5, 4, 2}, {4, 2, 0}, {2, 0, 3}, {0, 4, 2}}, got)
}

// RAK-02: rack-aware, fixed start, perfectly divisible.
func TestRAK_02(t *testing.T) {
	got, err := AssignReplicas(r6(), 6, 3, 0, Placement{2, 2})
	require.NoError(t, err)
	holds(t, r6(), got, placement{partitions: 6, replication: 3, racks: 3, leads: 1, holds: 3})
	require.Equal(t, [][]kafka.BrokerID{{3, 2, 0}, {5, 4, 1}, {2, 0, 3}, {4, 1, 5}, {0, 3, 2}, {1, 5, 4}}, got)
}

// RAK-03: rack-aware, from every start.
func TestRAK_03(t *testing.T) {
	anywhere(t, r6(), placement{partitions: 6, replication: 3, racks: 3, leads: 1, holds: 3})
}

// RAK-06: fewer replicas than racks, 12 partitions.
func TestRAK_06(t *testing.T) {
	anywhere(t, r6(), placement{partitions: 12, replication: 2, racks: 2, leads: 2, holds: 4})
}

// RAK-08: fewer replicas than racks, 6 partitions.
func TestRAK_08(t *testing.T) {
	anywhere(t, r6(), placement{partitions: 6, replication: 2, racks: 2, leads: 1, holds: 2})
}

// RAK-10: 96 partitions on 12 brokers.
func TestRAK_10(t *testing.T) {
	anywhere(t, racked("rack1", "rack2", "rack2", "rack3", "rack3", "rack1", "rack1", "rack2", "rack2", "rack3", "rack1", "rack3"),
		placement{partitions: 96, replication: 3, racks: 3, leads: 8, holds: 24})
}

// RAK-12: fewer replicas than racks, on uneven racks.
func TestRAK_12(t *testing.T) {
	anywhere(t, racked("rack1", "rack2", "rack2", "rack3", "rack3", "rack2"), placement{partitions: 6, replication: 2, racks: 2, leads: -1, holds: -1})
}

// RAK-13: all brokers in one rack.
func TestRAK_13(t *testing.T) {
	anywhere(t, racked("rack1", "rack1", "rack1", "rack1", "rack1", "rack1"), placement{partitions: 6, replication: 3, racks: 1, leads: 1, holds: -1})
}

// RAK-15: placement without racks: what is refused, and the exact result.
func TestRAK_15(t *testing.T) {
	five := brokers(0, 1, 2, 3, 4)
	for _, replication := range []int{0, 6} {
		_, err := AssignReplicas(five, 10, replication, 0, Placement{})
		require.ErrorContains(t, err, "INVALID_REPLICATION_FACTOR")
	}
	got, err := AssignReplicas(five, 10, 3, 0, Placement{})
	require.NoError(t, err)
	require.Equal(t, [][]kafka.BrokerID{{0, 1, 2}, {1, 2, 3}, {2, 3, 4}, {3, 4, 0}, {4, 0, 1}, {0, 2, 3}, {1, 3, 4}, {2, 4, 0}, {3, 0, 1}, {4, 1, 2}}, got)
}

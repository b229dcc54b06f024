package election

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"controllerscope/core/kafka"
)

func ids(list ...kafka.BrokerID) []kafka.BrokerID { return list }

// The whole domain of a partition with the assignment [2,4]: four ISRs (rows) by four sets of online brokers (columns).
// Kafka's own cases (PLE-01 to PLE-11) are cells of these grids.
var subsets = [][]kafka.BrokerID{{}, {2}, {4}, {2, 4}}

// grid runs elect over the domain and prints it; "-" is nobody, "!" marks an unclean election.
func grid(elect func(isr, online []kafka.BrokerID) (kafka.BrokerID, bool, bool)) string {
	var rows []string
	for _, isr := range subsets {
		var row []string
		for _, online := range subsets {
			leader, found, unclean := elect(isr, online)
			cell := "-"
			if found {
				cell = leader.String()
			}
			if unclean {
				cell += "!"
			}
			row = append(row, cell)
		}
		rows = append(rows, strings.Join(row, " "))
	}
	return strings.Join(rows, "\n")
}

// online {} {2} {4} {2,4}
const (
	clean     = "- - - -\n- 2 - 2\n- - 4 4\n- 2 4 2" // ISR {}, {2}, {4}, {2,4}
	unclean   = "- 2! 4! 2!\n- 2 4! 2\n- 2! 4 4\n- 2 4 2"
	preferred = "- - - -\n- 2 - 2\n- - - -\n- 2 - 2"
	without2  = "- - - -\n- - - -\n- - 4 4\n- - 4 4"
	without4  = "- - - -\n- 2 - 2\n- - - -\n- 2 - 2"
	nobody    = "- - - -\n- - - -\n- - - -\n- - - -"
)

func TestOfflinePartitionLeader(t *testing.T) {
	for allow, want := range map[bool]string{false: clean, true: unclean} {
		require.Equal(t, want, grid(func(isr, online []kafka.BrokerID) (kafka.BrokerID, bool, bool) {
			return OfflinePartitionLeader(ids(2, 4), isr, Of(online...), allow)
		}), "unclean %v", allow)
	}
}

func TestReassignPartitionLeader(t *testing.T) {
	require.Equal(t, clean, grid(func(isr, online []kafka.BrokerID) (kafka.BrokerID, bool, bool) {
		leader, found := ReassignPartitionLeader(ids(2, 4), isr, Of(online...))
		return leader, found, false
	}))
}

func TestPreferredReplicaLeader(t *testing.T) {
	require.Equal(t, preferred, grid(func(isr, online []kafka.BrokerID) (kafka.BrokerID, bool, bool) {
		leader, found := PreferredReplicaLeader(ids(2, 4), isr, Of(online...))
		return leader, found, false
	}))
	_, found := PreferredReplicaLeader(nil, ids(2), Of(2))
	require.False(t, found, "an empty assignment has no head")
}

func TestControlledShutdownLeader(t *testing.T) {
	for i, want := range []string{clean, without2, without4, nobody} {
		require.Equal(t, want, grid(func(isr, online []kafka.BrokerID) (kafka.BrokerID, bool, bool) {
			leader, found := ControlledShutdownLeader(ids(2, 4), isr, Of(online...), Of(subsets[i]...))
			return leader, found, false
		}), "shutting down %v", subsets[i])
	}
}

// The order of the assignment decides, not that of the ISR.
func TestOrderOfTheAssignmentDecides(t *testing.T) {
	all := Of(1, 2, 3)
	for _, assignment := range [][]kafka.BrokerID{{1, 2, 3}, {1, 3, 2}, {2, 1, 3}, {2, 3, 1}, {3, 1, 2}, {3, 2, 1}} {
		for _, isr := range [][]kafka.BrokerID{{1, 2, 3}, {3, 2, 1}} {
			leader, found, wasUnclean := OfflinePartitionLeader(assignment, isr, all, true)
			require.True(t, found)
			require.False(t, wasUnclean)
			require.Equal(t, assignment[0], leader)
		}
		leader, _, wasUnclean := OfflinePartitionLeader(assignment, ids(9), Of(assignment[1], assignment[2]), true)
		require.True(t, wasUnclean)
		require.Equal(t, assignment[1], leader)
		leader, _ = ControlledShutdownLeader(assignment, ids(3, 2, 1), all, Of(assignment[0]))
		require.Equal(t, assignment[1], leader)
	}
}

func current(isr ...kafka.BrokerID) kafka.LeaderAndIsr {
	return kafka.LeaderAndIsr{Leader: 9, LeaderEpoch: 7, ISR: isr, ZkVersion: 12}
}

func next(leader kafka.BrokerID, isr ...kafka.BrokerID) kafka.LeaderAndIsr {
	return kafka.LeaderAndIsr{Leader: leader, LeaderEpoch: 8, ISR: isr, ZkVersion: 12}
}

func TestResults(t *testing.T) {
	ar := ids(1, 2, 3)
	for i, c := range []struct {
		got        Result
		next       kafka.LeaderAndIsr // Leader 0: nobody is elected
		unclean    bool
		recipients []kafka.BrokerID
	}{
		{Offline(current(1, 2, 3), ar, Of(2, 3), false), next(2, 2, 3), false, ids(2, 3)},
		{Offline(current(3, 1, 2), ar, Of(1, 3), false), next(1, 3, 1), false, ids(1, 3)},           // the ISR keeps its order
		{Offline(current(5, 1), ar, Of(1, 5), false), next(1, 5, 1), false, ids(1)},                 // also a member outside the assignment
		{Offline(current(1), ar, Of(2, 3), false), kafka.LeaderAndIsr{}, false, ids(2, 3)},          // recipients also without a leader
		{Offline(current(1), ar, Of(3, 2), true), next(2, 2), true, ids(2, 3)},                      // unclean: the leader alone
		{Offline(current(1, 3), ar, Of(2, 3), true), next(3, 3), false, ids(2, 3)},                  // allowed but not needed
		{Offline(current(1), ar, Of(), true), kafka.LeaderAndIsr{}, false, ids()},                   // nobody there
		{Reassign(current(1, 4, 5), ids(4, 5, 6), Of(5, 6)), next(5, 1, 4, 5), false, ids(4, 5, 6)}, // ISR and recipients unfiltered
		{Reassign(current(1), ids(4, 5), Of(4, 5)), kafka.LeaderAndIsr{}, false, ids(4, 5)},
		{Preferred(current(2, 1), ar, Of(1)), next(1, 2, 1), false, ids(1, 2, 3)},
		{Preferred(current(2, 3), ar, Of(1, 2, 3)), kafka.LeaderAndIsr{}, false, ids(1, 2, 3)},             // not in the ISR
		{Preferred(current(1, 2), ar, Of(2, 3)), kafka.LeaderAndIsr{}, false, ids(1, 2, 3)},                // not online
		{ControlledShutdown(current(1, 2, 3), ar, Of(1, 2), Of(1)), next(2, 2, 3), false, ids(1, 2)},       // offline 3 stays in the ISR
		{ControlledShutdown(current(1, 2, 3), ar, Of(1, 2, 3), Of(1, 2)), next(3, 3), false, ids(1, 2, 3)}, // all leavers go
		{ControlledShutdown(current(1), ar, Of(1, 2, 3), Of(1)), kafka.LeaderAndIsr{}, false, ids(1, 2, 3)},
	} {
		name := fmt.Sprintf("case %d", i)
		require.Equal(t, c.next.Leader != 0, c.got.Elected, name)
		require.Equal(t, c.unclean, c.got.Unclean, name)
		require.Equal(t, fmt.Sprint(c.recipients), fmt.Sprint(c.got.Recipients), name)
		if c.got.Elected {
			require.Equal(t, c.next, c.got.Next, name)
		}
	}
}

// A preferred leader that leads already is elected again with a higher epoch: callers filter first.
func TestPreferredLeaderIsElectedAgain(t *testing.T) {
	l := kafka.LeaderAndIsr{Leader: 1, LeaderEpoch: 7, ISR: ids(1), ZkVersion: 2}
	r := Preferred(l, ids(1), Of(1))
	require.True(t, r.Elected)
	require.EqualValues(t, 8, r.Next.LeaderEpoch)
	require.Equal(t, ids(1), l.ISR, "what was given stays as it was")
}

package controller

import (
	"testing"

	"github.com/stretchr/testify/require"

	"controllerscope/core/kafka"
)

func testContext(t *testing.T) *controllerContext {
	return newContext(newJournal(&proc{w: newWorld(t), id: 1}, "1"), kafka.Sorted)
}

func tpOf(topic string, p int32) kafka.TopicPartition {
	return kafka.TopicPartition{Topic: topic, Partition: p}
}

func led(leader kafka.BrokerID, isr ...kafka.BrokerID) kafka.Leadership {
	return kafka.Leadership{LeaderAndIsr: kafka.LeaderAndIsr{Leader: leader, ISR: isr}}
}

// leadershipOf is the leadership of a partition, the zero value if there is none.
func leadershipOf(x *controllerContext, tp kafka.TopicPartition) kafka.Leadership {
	l, _ := x.leadership(tp)
	return l
}

func replicas(ids ...kafka.BrokerID) kafka.ReplicaAssignment {
	return kafka.ReplicaAssignment{Replicas: ids}
}

func live(ids ...kafka.BrokerID) []liveBroker {
	var out []liveBroker
	for _, id := range ids {
		out = append(out, liveBroker{kafka.Broker{ID: id}, int64(10 + id)})
	}
	return out
}

// Kafka: ControllerContextTest.testPreferredReplicaImbalanceMetric.
func TestPreferredReplicaImbalanceCount(t *testing.T) {
	x := testContext(t)
	for i, tp := range []kafka.TopicPartition{tpOf("A", 0), tpOf("A", 1), tpOf("B", 0)} {
		require.NoError(t, x.putAssignment(tp, replicas(1, 2, 3)))
		require.Equal(t, 0, x.preferredReplicaImbalanceCount, "without leadership nothing counts")
		_ = i
	}
	require.NoError(t, x.putLeadership(tpOf("A", 0), led(1, 1, 2, 3)))
	require.NoError(t, x.putLeadership(tpOf("A", 1), led(2, 2, 3, 1)))
	require.NoError(t, x.putLeadership(tpOf("B", 0), led(3, 3, 1, 2)))
	require.Equal(t, 2, x.preferredReplicaImbalanceCount)
	require.NoError(t, x.putAssignment(tpOf("A", 0), replicas(2, 3, 1)))
	require.NoError(t, x.putAssignment(tpOf("A", 1), replicas(2, 3, 1)))
	require.Equal(t, 2, x.preferredReplicaImbalanceCount)
	x.queueTopicDeletion([]string{"A"})
	require.Equal(t, 1, x.preferredReplicaImbalanceCount)
	x.queueTopicDeletion([]string{"A"})
	require.Equal(t, 0, x.preferredReplicaImbalanceCount, "it drifts: queueing again subtracts again")
	x.removeTopic("A")
	x.removeTopic("B")
	require.Equal(t, -1, x.preferredReplicaImbalanceCount)
}

// While the preferred replica is being added it does not count until it is in the ISR.
func TestImbalanceDuringReassignment(t *testing.T) {
	x := testContext(t)
	require.NoError(t, x.putAssignment(tpOf("A", 0), kafka.ReplicaAssignment{Replicas: []kafka.BrokerID{4, 1}, Adding: []kafka.BrokerID{4}, Removing: []kafka.BrokerID{1}}))
	require.NoError(t, x.putLeadership(tpOf("A", 0), led(1, 1)))
	require.Equal(t, 0, x.preferredReplicaImbalanceCount)
	require.NoError(t, x.putLeadership(tpOf("A", 0), led(1, 1, 4)))
	require.Equal(t, 1, x.preferredReplicaImbalanceCount)
	require.NoError(t, x.putLeadership(tpOf("A", 0), led(4, 1, 4)))
	require.Equal(t, 1, x.preferredReplicaImbalanceCount, "still imbalanced while it is being added")
}

func TestEmptyReplicaListHasNoPreferredReplica(t *testing.T) {
	x := testContext(t)
	require.NoError(t, x.putAssignment(tpOf("A", 0), replicas()))
	require.EqualError(t, x.putLeadership(tpOf("A", 0), led(1, 1)), "A-0 has an empty replica list, so it has no preferred replica")
}

// Kafka: PartitionStateMachineTest.testUpdatingOfflinePartitionsCountDuringTopicDeletion.
func TestOfflinePartitionCount(t *testing.T) {
	x := testContext(t)
	tp := tpOf("A", 0)
	for _, step := range []struct {
		to   kafka.PartitionState
		want int
	}{{kafka.NewPartition, 0}, {kafka.OfflinePartition, 1}, {kafka.OfflinePartition, 1}, {kafka.OnlinePartition, 0},
		{kafka.OfflinePartition, 1}, {kafka.NonExistentPartition, 0}} {
		x.putPartitionState(tp, step.to)
		require.Equal(t, step.want, x.offlinePartitionCount, step.to)
	}
	x.markDeletionStarted("A", true)
	x.putPartitionState(tp, kafka.OfflinePartition)
	require.Equal(t, 0, x.offlinePartitionCount, "a topic whose deletion has started is not counted")
}

func TestPartitionsWithOfflineLeader(t *testing.T) {
	x := testContext(t)
	x.addLiveBrokers(live(1, 2, 3))
	for i, l := range []kafka.Leadership{led(1, 1, 2), led(2, 1, 2), led(9, 9), led(kafka.NoLeader, 1), led(3, 3)} {
		require.NoError(t, x.putAssignment(tpOf("A", int32(i)), replicas(1, 2, 3)))
		require.NoError(t, x.putLeadership(tpOf("A", int32(i)), l))
	}
	require.Equal(t, []kafka.TopicPartition{tpOf("A", 2), tpOf("A", 3)}, x.partitionsWithOfflineLeader())
	x.setShuttingDown(1)
	x.setReplicasOnOfflineDirs(3, setOf(tpOf("A", 4), tpOf("A", 1)))
	require.Equal(t, []kafka.TopicPartition{tpOf("A", 0), tpOf("A", 2), tpOf("A", 3), tpOf("A", 4)}, x.partitionsWithOfflineLeader(),
		"a leader that shuts down, or whose directory failed, is not online")
	require.True(t, x.isReplicaOnlineOrShuttingDown(1, tpOf("A", 0)))
	require.False(t, x.isReplicaOnline(1, tpOf("A", 0)))
	require.Equal(t, ids(1, 2, 3), x.liveOrShuttingDownBrokerIDs())
	x.queueTopicDeletion([]string{"A"})
	require.Empty(t, x.partitionsWithOfflineLeader())
	require.Empty(t, x.partitionsWithLeaders())
}

func TestRemoveTopicKeepsStates(t *testing.T) {
	x := testContext(t)
	x.setAllTopics(setOf("A"))
	require.NoError(t, x.addTopicID("A", kafka.UUID{1}))
	require.NoError(t, x.putAssignment(tpOf("A", 0), replicas(1)))
	require.NoError(t, x.putLeadership(tpOf("A", 0), led(1, 1)))
	x.putPartitionState(tpOf("A", 0), kafka.OnlinePartition)
	x.putReplicaState(kafka.PartitionReplica{TopicPartition: tpOf("A", 0), Replica: 1}, kafka.OnlineReplica)
	x.markIneligible("A", true)
	x.markReassigned(tpOf("A", 0), true)
	x.removeTopic("A")
	require.Empty(t, x.allTopics)
	require.Empty(t, x.topicIDs)
	require.Empty(t, x.topicNames)
	require.Empty(t, x.allPartitions())
	require.Zero(t, x.partitionsLed)
	require.Empty(t, x.replicasOnBrokers(ids(1)))
	require.Empty(t, x.partitionsWithOfflineLeader())
	require.True(t, x.hasState(tpOf("A", 0)))
	require.Equal(t, kafka.OnlinePartition, x.partitionState(tpOf("A", 0)))
	require.Equal(t, kafka.OnlineReplica, x.replicaState(kafka.PartitionReplica{TopicPartition: tpOf("A", 0), Replica: 1}))
	require.True(t, x.topicsIneligibleForDeletion.has("A"))
	require.True(t, x.partitionsReassigned.has(tpOf("A", 0)))
}

func TestTopicIDsStayConsistent(t *testing.T) {
	x := testContext(t)
	require.ErrorContains(t, x.addTopicID("A", kafka.UUID{1}), "illegal state")
	x.setAllTopics(setOf("A", "B"))
	require.NoError(t, x.addTopicID("A", kafka.UUID{1}))
	require.NoError(t, x.addTopicID("A", kafka.UUID{1}))
	require.ErrorContains(t, x.addTopicID("A", kafka.UUID{2}), "did not match existing id")
	require.ErrorContains(t, x.addTopicID("B", kafka.UUID{1}), "did not match existing name")
}

func TestReplicasOnBrokersUsesFullLists(t *testing.T) {
	x := testContext(t)
	require.NoError(t, x.putAssignment(tpOf("A", 0), kafka.ReplicaAssignment{Replicas: ids(4, 1), Adding: ids(4), Removing: ids(1)}))
	require.NoError(t, x.putAssignment(tpOf("A", 1), replicas(2, 4)))
	require.Equal(t, []kafka.PartitionReplica{{TopicPartition: tpOf("A", 0), Replica: 4}, {TopicPartition: tpOf("A", 1), Replica: 4}}, x.replicasOnBrokers(ids(4)))
	require.NoError(t, x.putAssignment(tpOf("A", 0), replicas(1)))
	require.Equal(t, []kafka.PartitionReplica{{TopicPartition: tpOf("A", 1), Replica: 4}}, x.replicasOnBrokers(ids(4)))
}

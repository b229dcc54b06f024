package controller

import (
	"testing"

	"github.com/stretchr/testify/require"

	"controllerscope/core/env"
	"controllerscope/core/kafka"
	"controllerscope/core/request"
	"controllerscope/core/zk"
	"controllerscope/core/zkdata"
)

// onSix starts brokers 1 (the controller) to 6 with topic a-0 on 1, 2, 3.
func onSix(t *testing.T) (*world, *proc) {
	w := newWorld(t)
	w.blind = true
	one := w.start(1)
	for id := kafka.BrokerID(2); id <= 6; id++ {
		w.start(id)
	}
	w.topic("a", ids(1, 2, 3))
	w.blind = false
	w.forgetLog()
	return w, one
}

func (w *world) assignment(topic string) map[int32]kafka.ReplicaAssignment {
	data, _, found := w.store.Node(zkdata.TopicPath(topic))
	require.True(w.t, found)
	a, err := zkdata.DecodeTopic(topic, data)
	require.NoError(w.t, err)
	return a.Partitions
}

func TestA7Reassign(t *testing.T) {
	w, one := onSix(t)
	var results []request.PartitionResult
	one.ctl.AlterPartitionReassignments([]request.PartitionReassignment{{TopicPartition: tpOf("a", 0), Replicas: ids(4, 5, 6)}}, func(r []request.PartitionResult, top kafka.Error) {
		require.Equal(t, kafka.NONE, top)
		results = r
	})
	w.run()
	require.Equal(t, []request.PartitionResult{{TopicPartition: tpOf("a", 0)}}, results, "accepted, not finished")
	require.Equal(t, kafka.ReplicaAssignment{Replicas: ids(4, 5, 6, 1, 2, 3), Adding: ids(4, 5, 6), Removing: ids(1, 2, 3)}, w.assignment("a")[0])
	require.Equal(t, "1/[1 2 3]/1", w.state("a-0"))
	require.Equal(t, []string{
		"LeaderAndIsr>5 a-0 1/[1 2 3]/1 new=true",
		"UpdateMetadata>5 live=[1 2 3 4 5 6]; a-0 1/[1 2 3]/1 offline=[]",
		"UpdateMetadata>5 live=[1 2 3 4 5 6]; a-0 1/[1 2 3]/1 offline=[]",
		"LeaderAndIsr>5 a-0 1/[1 2 3]/1 new=true",
		"UpdateMetadata>5 live=[1 2 3 4 5 6]; a-0 1/[1 2 3]/1 offline=[]",
		"UpdateMetadata>5 live=[1 2 3 4 5 6]; a-0 1/[1 2 3]/1 offline=[]",
	}, w.to(5), "A1, then one batch per adding replica")

	var listed []request.OngoingReassignment
	one.ctl.ListPartitionReassignments(nil, func(l []request.OngoingReassignment, _ kafka.Error) { listed = l })
	w.run()
	require.Len(t, listed, 1)

	w.forgetLog()
	w.alterIsr(one, 1, "a-0", 1, ids(1, 2, 3, 4, 5, 6), 1)
	require.Equal(t, []string{
		"set /brokers/topics/a/partitions/0/state 1/[1 2 3 4 5 6]/1",
		"set /brokers/topics/a/partitions/0/state 4/[1 2 3 4 5 6]/2",
		"set /brokers/topics/a/partitions/0/state 4/[2 3 4 5 6]/3",
		"set /brokers/topics/a/partitions/0/state 4/[3 4 5 6]/4",
		"set /brokers/topics/a/partitions/0/state 4/[4 5 6]/5",
	}, w.stateWrites())
	require.Equal(t, kafka.ReplicaAssignment{Replicas: ids(4, 5, 6), Adding: nil, Removing: nil}.Replicas, w.assignment("a")[0].Replicas)
	require.False(t, w.assignment("a")[0].IsReassigning())
	stops := keep(w.sent, func(s string) bool { return s[:11] == "StopReplica" })
	require.ElementsMatch(t, []string{
		"StopReplica>1 a-0 epoch=2 delete=false", "StopReplica>2 a-0 epoch=3 delete=false", "StopReplica>3 a-0 epoch=4 delete=false",
		"StopReplica>1 a-0 epoch=5 delete=true", "StopReplica>2 a-0 epoch=5 delete=true", "StopReplica>3 a-0 epoch=5 delete=true",
	}, stops)
	require.Empty(t, one.ctl.ctx.partitionsReassigned)
}

func TestReassignmentIsRefused(t *testing.T) {
	w, one := onSix(t)
	for _, c := range []struct {
		ask  request.PartitionReassignment
		want kafka.Error
	}{
		{request.PartitionReassignment{TopicPartition: tpOf("a", 0), Replicas: []kafka.BrokerID{}}, kafka.INVALID_REPLICA_ASSIGNMENT},
		{request.PartitionReassignment{TopicPartition: tpOf("a", 0), Replicas: ids(1, 1)}, kafka.INVALID_REPLICA_ASSIGNMENT},
		{request.PartitionReassignment{TopicPartition: tpOf("a", 0), Replicas: ids(-1)}, kafka.INVALID_REPLICA_ASSIGNMENT},
		{request.PartitionReassignment{TopicPartition: tpOf("a", 0), Replicas: ids(9)}, kafka.INVALID_REPLICA_ASSIGNMENT},
		{request.PartitionReassignment{TopicPartition: tpOf("a", 0), Replicas: nil}, kafka.NO_REASSIGNMENT_IN_PROGRESS},
		{request.PartitionReassignment{TopicPartition: tpOf("b", 0), Replicas: nil}, kafka.NO_REASSIGNMENT_IN_PROGRESS},
		{request.PartitionReassignment{TopicPartition: tpOf("b", 0), Replicas: ids(1)}, kafka.UNKNOWN_TOPIC_OR_PARTITION},
	} {
		var got []request.PartitionResult
		one.ctl.AlterPartitionReassignments([]request.PartitionReassignment{c.ask}, func(r []request.PartitionResult, _ kafka.Error) { got = r })
		w.run()
		require.Equal(t, c.want, got[0].Error, c.ask)
	}
	require.Equal(t, "1/[1 2 3]/0", w.state("a-0"))
}

// Kafka: a target equal to the current list is accepted and raises the leader epoch. Trap TR-40.
func TestReassignToTheSameAndCancel(t *testing.T) {
	w, one := onSix(t)
	ask := func(to []kafka.BrokerID) {
		one.ctl.AlterPartitionReassignments([]request.PartitionReassignment{{TopicPartition: tpOf("a", 0), Replicas: to}}, func([]request.PartitionResult, kafka.Error) {})
		w.run()
	}
	ask(ids(1, 2, 3))
	require.Equal(t, "1/[1 2 3]/1", w.state("a-0"))
	ask(ids(3, 4, 2))
	require.Equal(t, ids(3, 4, 2, 1), w.assignment("a")[0].Replicas)
	ask(nil)
	require.Equal(t, ids(3, 2, 1), w.assignment("a")[0].Replicas, "the original order does not come back")
	require.Equal(t, "1/[1 2 3]/3", w.state("a-0"), "1 by the first, 2 when the second began, 3 by the cancellation")
}

func TestA8DeleteTopic(t *testing.T) {
	w, one := onSix(t)
	w.do(zk.Op{Kind: zk.Create, Path: "/admin/delete_topics/a"})
	require.Equal(t, []string{
		"set /brokers/topics/a/partitions/0/state -1/[2 3]/1",
		"set /brokers/topics/a/partitions/0/state -1/[3]/2",
		"set /brokers/topics/a/partitions/0/state -1/[3]/3",
	}, keep(w.stateWrites(), func(s string) bool { return s[:3] == "set" }))
	require.Equal(t, []string{
		"UpdateMetadata>2 live=[1 2 3 4 5 6]; a-0 -2/[1 2 3]/0 offline=[]",
		"StopReplica>2 a-0 epoch=-2 delete=false",
		"StopReplica>2 a-0 epoch=-2 delete=true",
	}, w.to(2))
	for _, path := range []string{"/brokers/topics/a", "/admin/delete_topics/a"} {
		_, _, found := w.store.Node(path)
		require.False(t, found, path)
	}
	require.Empty(t, one.ctl.ctx.allTopics)
	require.Zero(t, one.ctl.ctx.offlinePartitionCount)
	w.topic("a", ids(1, 2, 3))
	require.Equal(t, "1/[1 2 3]/0", w.state("a-0"), "created again")
}

// Kafka: TopicDeletionManagerTest.testDeletionWithBrokerOffline, in the full flow.
func TestDeletionWaitsForADeadBroker(t *testing.T) {
	w, _, _, three := onThree(t, "a", ids(1, 3))
	w.kill(three)
	w.do(zk.Op{Kind: zk.Create, Path: "/admin/delete_topics/a"})
	_, _, found := w.store.Node("/brokers/topics/a")
	require.True(t, found)
	w.start(3)
	_, _, found = w.store.Node("/brokers/topics/a")
	require.False(t, found)
	_, _, found = w.store.Node("/admin/delete_topics/a")
	require.False(t, found)
}

func TestDeletionOfAnUnknownTopicAndWhenDisabled(t *testing.T) {
	w := newWorld(t)
	w.start(1, func(c *Config) { c.DeleteTopic = false })
	w.topic("a", ids(1))
	for _, topic := range []string{"a", "ghost"} {
		w.do(zk.Op{Kind: zk.Create, Path: "/admin/delete_topics/" + topic})
		_, _, found := w.store.Node("/admin/delete_topics/" + topic)
		require.False(t, found, "the marker is removed")
	}
	require.Equal(t, "1/[1]/0", w.state("a-0"))
}

func TestA9ControlledShutdown(t *testing.T) {
	w, one, _, _ := onThree(t, "a", ids(2, 1, 3), ids(1, 2, 3))
	_, stat, _ := w.store.Node("/brokers/ids/2")
	ask := func(epoch int64) (got request.ControlledShutdownResponse) {
		one.ctl.ControlledShutdown(request.ControlledShutdown{BrokerID: 2, BrokerEpoch: epoch}, func(r request.ControlledShutdownResponse) { got = r })
		w.run()
		return got
	}
	require.Equal(t, kafka.STALE_BROKER_EPOCH, ask(stat.Czxid-1).Error)
	require.Equal(t, request.ControlledShutdownResponse{}, ask(stat.Czxid))
	require.Equal(t, "1/[1 3]/1", w.state("a-0"))
	require.Equal(t, "1/[1 3]/1", w.state("a-1"))
	require.Equal(t, []string{
		"LeaderAndIsr>2 a-0 1/[1 3]/1 new=false",
		"UpdateMetadata>2 live=[1 2 3]; a-0 1/[1 3]/1 offline=[2]",
		"StopReplica>2 a-1 epoch=0 delete=false",
		"UpdateMetadata>2 live=[1 2 3]; a-1 1/[1 3]/1 offline=[2]",
		"StopReplica>2 a-1 epoch=0 delete=false",
	}, w.to(2))
}

// Kafka: ControllerIntegrationTest.testControlledShutdown.
func TestControlledShutdownOfAllButOne(t *testing.T) {
	w, one, _, _ := onThree(t, "a", ids(1, 2, 3))
	for _, c := range []struct {
		id        kafka.BrokerID
		remaining []kafka.TopicPartition
		state     string
	}{{3, nil, "1/[1 2]/1"}, {2, nil, "1/[1]/2"}, {1, []kafka.TopicPartition{tpOf("a", 0)}, "1/[1]/2"}} {
		var got request.ControlledShutdownResponse
		one.ctl.ControlledShutdown(request.ControlledShutdown{BrokerID: c.id, BrokerEpoch: kafka.UnknownBrokerEpoch}, func(r request.ControlledShutdownResponse) { got = r })
		w.run()
		require.Equal(t, c.remaining, got.Remaining)
		require.Equal(t, c.state, w.state("a-0"))
	}
}

func TestAutoRebalance(t *testing.T) {
	w := newWorld(t)
	one := w.start(1, func(c *Config) { c.AutoLeaderRebalance = true })
	two := w.start(2)
	w.topic("a", ids(2, 1))
	w.kill(two)
	w.start(2)
	w.alterIsr(one, 1, "a-0", 1, ids(1, 2), 1)
	require.Equal(t, int64(5000), one.timers[0].MS)
	w.forgetLog()
	one.fire("auto-leader-rebalance-task")
	require.Equal(t, "2/[1 2]/2", w.state("a-0"))
	require.Equal(t, int64(300_000), one.timers[0].MS)
	require.NotContains(t, w.asked, "1: multi(check /controller_epoch, delete /admin/preferred_replica_election NONODE)")
}

func TestElectLeaders(t *testing.T) {
	w, one, two, _ := onThree(t, "a", ids(2, 3), ids(1), ids(2))
	w.kill(two)
	require.Equal(t, "3/[3]/1", w.state("a-0"))
	elect := func(unclean bool, tps ...kafka.TopicPartition) (got map[kafka.TopicPartition]kafka.Error) {
		got = map[kafka.TopicPartition]kafka.Error{}
		one.ctl.ElectLeaders(tps, unclean, func(r map[kafka.TopicPartition]ElectionResult) {
			for tp, result := range r {
				got[tp] = result.Error
			}
		})
		w.run()
		return got
	}
	require.Equal(t, map[kafka.TopicPartition]kafka.Error{tpOf("a", 0): kafka.PREFERRED_LEADER_NOT_AVAILABLE,
		tpOf("a", 1): kafka.ELECTION_NOT_NEEDED, tpOf("x", 0): kafka.UNKNOWN_TOPIC_OR_PARTITION}, elect(false, tpOf("a", 0), tpOf("a", 1), tpOf("x", 0)))
	require.Equal(t, map[kafka.TopicPartition]kafka.Error{tpOf("a", 0): kafka.ELECTION_NOT_NEEDED,
		tpOf("a", 2): kafka.ELIGIBLE_LEADERS_NOT_AVAILABLE}, elect(true, tpOf("a", 0), tpOf("a", 2)))
}

func TestNotifications(t *testing.T) {
	w, one, _, _ := onThree(t, "a", ids(1, 2))
	w.do(zk.Op{Kind: zk.Set, Path: "/brokers/topics/a/partitions/0/state", Version: -1,
		Data: zkdata.EncodeTopicPartitionState(kafka.Leadership{ControllerEpoch: 1, LeaderAndIsr: kafka.LeaderAndIsr{Leader: 1, ISR: ids(1)}})})
	w.forgetLog()
	w.do(zk.Op{Kind: zk.Create, Mode: zk.PersistentSequential, Path: zkdata.IsrChangeSequencePath, Data: zkdata.EncodeIsrChange([]kafka.TopicPartition{tpOf("a", 0)})})
	require.Equal(t, ids(1), leadershipOf(one.ctl.ctx, tpOf("a", 0)).ISR)
	require.Equal(t, []string{"UpdateMetadata>2 live=[1 2 3]; a-0 1/[1]/0 offline=[]"}, w.to(2))

	w.forgetLog()
	w.answer = func(to kafka.BrokerID, r request.Request) (request.ControlResponse, error) {
		resp := allNone(r)
		if to == 1 && len(resp.Errors) > 0 {
			resp.Errors[0].Error = kafka.KAFKA_STORAGE_ERROR
		}
		return resp, nil
	}
	w.do(zk.Op{Kind: zk.Create, Mode: zk.PersistentSequential, Path: zkdata.LogDirEventSequencePath, Data: zkdata.EncodeLogDirEvent(1)})
	require.Equal(t, "-1/[1]/1", w.state("a-0"), "the only ISR member is on the failed directory")
	require.Equal(t, kafka.OfflinePartition, one.ctl.ctx.partitionState(tpOf("a", 0)))
	for _, path := range []string{"/isr_change_notification", "/log_dir_event_notification"} {
		_, stat, _ := w.store.Node(path)
		require.Zero(t, stat.NumChildren, path)
	}
	require.Empty(t, w.keys(env.EventFail))
}

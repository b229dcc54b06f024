package zkclient

import (
	"testing"

	"github.com/stretchr/testify/require"

	"controllerscope/core/kafka"
	"controllerscope/core/zk"
	"controllerscope/core/zkdata"
)

func ids(list ...kafka.BrokerID) []kafka.BrokerID { return list }

func tp(topic string, partition int32) kafka.TopicPartition {
	return kafka.TopicPartition{Topic: topic, Partition: partition}
}

func plain(lists ...[]kafka.BrokerID) map[int32]kafka.ReplicaAssignment {
	m := map[int32]kafka.ReplicaAssignment{}
	for p, list := range lists {
		m[int32(p)] = kafka.ReplicaAssignment{Replicas: list}
	}
	return m
}

func TestTopicZNodes(t *testing.T) { // ZKC-07
	w, c := clusterFixture(t)
	exists, err := c.TopicExists("topic1")
	require.NoError(t, err)
	require.False(t, exists)
	_, found, err := c.GetTopicPartitionCount("topic1")
	require.NoError(t, err)
	require.False(t, found)
	full, err := c.GetFullReplicaAssignment([]string{"topic1"})
	require.NoError(t, err)
	require.Empty(t, full)
	missing, err := c.GetReplicaAssignmentAndTopicIDs([]string{"topic1"})
	require.NoError(t, err)
	require.Equal(t, []zkdata.TopicAssignment{{Topic: "topic1", Partitions: plain()}}, missing, "an entry without partitions")

	three := plain(ids(0, 1), ids(0, 1), ids(1, 2, 3))
	require.NoError(t, c.CreateTopicAssignment("topic1", kafka.UUID{1}, three))
	require.ErrorIs(t, c.CreateTopicAssignment("topic1", kafka.UUID{1}, three), zk.NodeExists)
	n, found, err := c.GetTopicPartitionCount("topic1")
	require.NoError(t, err)
	require.True(t, found)
	require.Equal(t, 3, n)
	full, err = c.GetFullReplicaAssignment([]string{"topic1"})
	require.NoError(t, err)
	require.Equal(t, map[kafka.TopicPartition]kafka.ReplicaAssignment{tp("topic1", 0): three[0], tp("topic1", 1): three[1], tp("topic1", 2): three[2]}, full)

	two := plain(ids(0, 1), ids(0, 1))
	w.take()
	require.NoError(t, c.SetTopicAssignment("topic1", kafka.UUID{1}, two, kafka.MatchAnyVersion))
	require.NoError(t, c.SetTopicAssignment("topic1", kafka.UUID{1}, two, 0))
	require.Equal(t, []string{"1 set /brokers/topics/topic1 v-1 OK", "1 multi[check /controller_epoch v0, set /brokers/topics/topic1 v-1] OK"}, w.take())
	require.ErrorIs(t, c.SetTopicAssignment("none", kafka.UUID{1}, two, 0), zk.NoNode)
	require.ErrorIs(t, c.SetTopicAssignment("topic1", kafka.UUID{1}, two, 1), ErrControllerMoved)

	require.NoError(t, c.CreateTopicAssignment("topic2", kafka.UUID{}, two))
	w.take()
	both, err := c.GetReplicaAssignmentAndTopicIDs([]string{"topic2", "none", "topic1"})
	require.NoError(t, err)
	require.Equal(t, []zkdata.TopicAssignment{{Topic: "topic2", Partitions: two}, {Topic: "none", Partitions: plain()},
		{Topic: "topic1", ID: kafka.UUID{1}, Partitions: two}}, both)
	require.Equal(t, []string{"3 get /brokers/topics/topic2 OK", "3 get /brokers/topics/none NONODE", "3 get /brokers/topics/topic1 OK"}, w.take())
	topicIDs, err := c.GetTopicIDs([]string{"topic1", "topic2", "none"})
	require.NoError(t, err)
	require.Equal(t, map[string]kafka.UUID{"topic1": {1}}, topicIDs)
	topics, err := c.GetAllTopicsInCluster(false)
	require.NoError(t, err)
	require.ElementsMatch(t, []string{"topic1", "topic2"}, topics)
}

func TestSetTopicIDs(t *testing.T) {
	w, c := clusterFixture(t)
	one := plain(ids(1))
	require.NoError(t, c.CreateTopicAssignment("a", kafka.UUID{}, one))
	w.take()
	named, err := c.SetTopicIDs([]zkdata.TopicAssignment{{Topic: "a", Partitions: one}, {Topic: "gone", Partitions: one}}, 0)
	require.NoError(t, err, "single codes are ignored")
	require.Equal(t, []zkdata.TopicAssignment{{Topic: "a", ID: kafka.UUID{1}, Partitions: one}, {Topic: "gone", ID: kafka.UUID{2}, Partitions: one}}, named)
	require.Equal(t, []string{"2 multi[check /controller_epoch v0, set /brokers/topics/a v-1] OK",
		"2 multi[check /controller_epoch v0, set /brokers/topics/gone v-1] OK NONODE"}, w.take())
	data, _, _ := w.store.Node("/brokers/topics/a")
	require.Equal(t, `{"partitions":{"0":[1]},"topic_id":"AQAAAAAAAAAAAAAAAAAAAA","adding_replicas":{},"removing_replicas":{},"version":3}`, string(data))
	_, err = c.SetTopicIDs(named, 0)
	require.EqualError(t, err, "the topic a has the id AQAAAAAAAAAAAAAAAAAAAA already: it must not get another")
	_, err = c.SetTopicIDs([]zkdata.TopicAssignment{{Topic: "a", Partitions: one}}, 4)
	require.ErrorIs(t, err, ErrControllerMoved)
}

func state(topic string, p int32, leader kafka.BrokerID, epoch, zkVersion int32, isr ...kafka.BrokerID) PartitionLeadership {
	return PartitionLeadership{tp(topic, p), kafka.Leadership{
		LeaderAndIsr: kafka.LeaderAndIsr{Leader: leader, LeaderEpoch: epoch, ISR: isr, ZkVersion: zkVersion}, ControllerEpoch: 1}}
}

func TestPartitionStates(t *testing.T) { // ZKC-40, ZKC-36
	w, c := clusterFixture(t)
	require.NoError(t, c.CreateTopicAssignment("t", kafka.UUID{}, plain()))
	require.NoError(t, c.CreateTopicAssignment("u", kafka.UUID{}, plain()))
	none, err := c.GetAllPartitions()
	require.NoError(t, err)
	require.Empty(t, none)
	w.take()
	answers, err := c.CreateTopicPartitionStatesRaw([]PartitionLeadership{state("t", 1, 1, 0, 0, 1, 2), state("u", 0, 2, 0, 0, 2), state("t", 0, 1, 0, 0, 1)}, 0)
	require.NoError(t, err)
	require.Len(t, answers, 3)
	fenced := func(n, path string) string { return n + " multi[check /controller_epoch v0, create " + path + "] OK" }
	require.Equal(t, []string{
		fenced("2", "/brokers/topics/t/partitions"), fenced("2", "/brokers/topics/u/partitions"),
		fenced("3", "/brokers/topics/t/partitions/1"), fenced("3", "/brokers/topics/u/partitions/0"), fenced("3", "/brokers/topics/t/partitions/0"),
		fenced("3", "/brokers/topics/t/partitions/1/state"), fenced("3", "/brokers/topics/u/partitions/0/state"), fenced("3", "/brokers/topics/t/partitions/0/state"),
	}, w.take())

	answers, err = c.CreateTopicPartitionStatesRaw([]PartitionLeadership{state("t", 1, 9, 0, 0, 9)}, 0)
	require.NoError(t, err)
	require.Equal(t, zk.NodeExists, answers[0].Err, "the first two rounds do not count, the third does")
	_, err = c.CreateTopicPartitionStatesRaw([]PartitionLeadership{state("t", 2, 9, 0, 0, 9)}, 3)
	require.ErrorIs(t, err, ErrControllerMoved)

	w.put("/brokers/topics/t/partitions/7", "")
	w.put("/brokers/topics/t/partitions/7/state", "not json")
	got, err := c.GetTopicPartitionStates([]kafka.TopicPartition{tp("t", 1), tp("t", 5), tp("t", 7), tp("u", 0)})
	require.NoError(t, err)
	require.Equal(t, []PartitionLeadership{state("t", 1, 1, 0, 0, 1, 2), state("u", 0, 2, 0, 0, 2)}, got)
	_, found, err := c.GetTopicPartitionState(tp("t", 5))
	require.NoError(t, err)
	require.False(t, found)
	raw, err := c.GetTopicPartitionStatesRaw([]kafka.TopicPartition{tp("t", 0), tp("t", 5)})
	require.NoError(t, err)
	require.Equal(t, `{"controller_epoch":1,"leader":1,"version":1,"leader_epoch":0,"isr":[1]}`, string(raw[0].Data))
	require.Equal(t, zk.NoNode, raw[1].Err)

	all, err := c.GetAllPartitions()
	require.NoError(t, err)
	require.Equal(t, []kafka.TopicPartition{tp("t", 0), tp("t", 1), tp("t", 7), tp("u", 0)}, all)
}

func TestUpdateLeaderAndIsr(t *testing.T) {
	w, c := clusterFixture(t)
	require.NoError(t, c.CreateTopicAssignment("t", kafka.UUID{}, plain()))
	_, err := c.CreateTopicPartitionStatesRaw([]PartitionLeadership{state("t", 0, 1, 0, 0, 1, 2), state("t", 1, 1, 0, 0, 1, 2)}, 0)
	require.NoError(t, err)
	w.take()
	next := func(p, zkVersion int32) PartitionLeaderAndIsr {
		return PartitionLeaderAndIsr{tp("t", p), kafka.LeaderAndIsr{Leader: 2, LeaderEpoch: 1, ISR: ids(2), ZkVersion: zkVersion}}
	}
	r, err := c.UpdateLeaderAndIsr([]PartitionLeaderAndIsr{next(0, 0), next(1, 5), next(2, 0)}, 8, 0)
	require.NoError(t, err)
	require.Equal(t, []kafka.TopicPartition{tp("t", 1)}, r.PartitionsToRetry)
	require.Len(t, r.Finished, 2)
	require.Equal(t, FinishedUpdate{TopicPartition: tp("t", 0), LeaderAndIsr: next(0, 1).LeaderAndIsr}, r.Finished[0])
	require.Equal(t, tp("t", 2), r.Finished[1].TopicPartition)
	require.ErrorIs(t, r.Finished[1].Err, zk.NoNode)
	require.Len(t, w.take(), 3)
	l, _, err := c.GetTopicPartitionState(tp("t", 0))
	require.NoError(t, err)
	require.Equal(t, kafka.Leadership{LeaderAndIsr: next(0, 1).LeaderAndIsr, ControllerEpoch: 8}, l)

	// A lost answer of an applied update looks like a conflict.
	c.current().faults = []fault{lostAnswer}
	r, err = c.UpdateLeaderAndIsr([]PartitionLeaderAndIsr{next(0, 1)}, 8, 0)
	require.NoError(t, err)
	require.Empty(t, r.Finished)
	require.Equal(t, []kafka.TopicPartition{tp("t", 0)}, r.PartitionsToRetry)

	_, err = c.UpdateLeaderAndIsr([]PartitionLeaderAndIsr{next(0, 2)}, 8, 1)
	require.ErrorIs(t, err, ErrControllerMoved)

	c.current().faults = []fault{expiry}
	r, err = c.UpdateLeaderAndIsr([]PartitionLeaderAndIsr{next(0, 2), next(1, 0)}, 8, 0)
	require.NoError(t, err)
	require.Empty(t, r.PartitionsToRetry)
	require.Len(t, r.Finished, 2)
	for _, f := range r.Finished {
		require.ErrorIs(t, f.Err, ErrClientExpired)
	}
}

func TestTopicDeletion(t *testing.T) { // ZKC-24
	w, c := clusterFixture(t)
	require.NoError(t, c.DeleteTopicZNode("t", 0))
	require.NoError(t, c.CreateTopicAssignment("t", kafka.UUID{}, plain()))
	_, err := c.CreateTopicPartitionStatesRaw([]PartitionLeadership{state("t", 0, 1, 0, 0, 1)}, 0)
	require.NoError(t, err)
	require.NoError(t, c.CreateDeleteTopicPath("t"))
	require.ErrorIs(t, c.CreateDeleteTopicPath("t"), zk.NodeExists)
	marked, err := c.IsTopicMarkedForDeletion("t")
	require.NoError(t, err)
	require.True(t, marked)
	topics, err := c.GetTopicDeletions()
	require.NoError(t, err)
	require.Equal(t, []string{"t"}, topics)
	require.NoError(t, c.SetOrCreateEntityConfigs("topics", "t", map[string]string{}))
	w.take()
	require.NoError(t, c.DeleteTopicZNode("t", 0))
	require.NoError(t, c.DeleteTopicConfigs([]string{"t"}, 0))
	require.NoError(t, c.DeleteTopicDeletions([]string{"t", "u"}, 0))
	fenced := func(path string) string { return "1 multi[check /controller_epoch v0, delete " + path + " v-1] OK" }
	require.Equal(t, []string{
		"1 children /brokers/topics/t OK", "1 children /brokers/topics/t/partitions OK", "1 children /brokers/topics/t/partitions/0 OK",
		"1 children /brokers/topics/t/partitions/0/state OK", fenced("/brokers/topics/t/partitions/0/state"),
		fenced("/brokers/topics/t/partitions/0"), fenced("/brokers/topics/t/partitions"), fenced("/brokers/topics/t"),
		fenced("/config/topics/t"),
		"2 multi[check /controller_epoch v0, delete /admin/delete_topics/t v-1] OK",
		"2 multi[check /controller_epoch v0, delete /admin/delete_topics/u v-1] OK NONODE",
	}, w.take())
	require.ErrorIs(t, c.DeleteTopicDeletions([]string{"t"}, 1), ErrControllerMoved)
	require.NoError(t, c.DeleteTopicDeletions(nil, 1), "nothing to delete asks nothing")
}

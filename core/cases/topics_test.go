package cases

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"controllerscope/core/env"
	"controllerscope/core/kafka"
	"controllerscope/core/request"
)

// The cases of Kafka's DeleteTopicTest, AddPartitionsTest, RackAwareAutoTopicCreationTest, AdminZkClientTest and of the
// tests of dynamic configs that ask for topics, by id.

// deleted holds "deletion complete": no marker, no topic, nothing of partition 0 on any of the brokers.
func (s *story) deleted(topic string, brokers ...int) {
	s.Helper()
	s.play("expect not exists(zk[/admin/delete_topics/" + topic + "])\nexpect not exists(zk[/brokers/topics/" + topic + "])")
	require.Equal(s, 1, s.count("step.kind = zk.multi and step.entity = /admin/delete_topics/"+topic)+
		s.count("step.kind = zk.delete and step.entity = /admin/delete_topics/"+topic), "the marker is deleted once")
	for _, id := range brokers {
		s.play(fmt.Sprintf("expect not exists(broker[%d].replica[%s-0])\nexpect not exists(broker[%d].log[%s-0])", id, topic, id, topic))
	}
}

// onAll holds that all three brokers have a log of a partition.
func (s *story) onAll(tp string) {
	s.Helper()
	for id := range 3 {
		s.play(fmt.Sprintf("expect exists(broker[%d].log[%s])", id, tp))
	}
}

// deletion is F-DEL: brokers 0, 1, 2 without controlled shutdown, topic test on all of them.
func deletion(t *testing.T, options ...string) *story {
	s := cluster(t, 3, append(options, "controlled.shutdown.enable=false")...)
	s.play("topic create test [0,1,2]\nuntil idle")
	s.onAll("test-0")
	return s
}

// topicError is the error of the only topic in an answer.
func topicError(s *story, r request.Request) kafka.Error {
	s.Helper()
	answer := ask[request.TopicResponse](s, r)
	require.Len(s, answer.Topics, 1)
	return answer.Topics[0].Error
}

// DEL-01: deletion with all replicas alive.
func TestDEL_01(t *testing.T) {
	s := deletion(t)
	require.Equal(t, kafka.NONE, topicError(s, request.DeleteTopics{Topics: []string{"test"}}))
	s.deleted("test", 0, 1, 2)
}

// DEL-02: deletion halts on a dead follower and goes on when it is back.
func TestDEL_02(t *testing.T) {
	s := deletion(t)
	s.play(`
		broker stop 2
		until idle
		topic delete test
		until idle
		expect not exists(broker[0].log[test-0])
		expect not exists(broker[1].log[test-0])
		expect exists(zk[/admin/delete_topics/test])
		broker start 2
		until idle`)
	s.deleted("test", 0, 1, 2)
}

// DEL-08: a deleted topic can be created again; it begins anew, with another id.
func TestDEL_08(t *testing.T) {
	s := deletion(t)
	id := s.Doc().Get("ctx", "0", "topicIds", "test")
	s.play("topic delete test\nuntil idle")
	s.deleted("test", 0, 1, 2)
	s.play("topic create test [0,1,2]\nuntil idle")
	s.onAll("test-0")
	s.state("test-0", "leader=0 leader_epoch=0 isr=[0, 1, 2] controller_epoch=1 version=0")
	again := s.Doc().Get("ctx", "0", "topicIds", "test")
	require.NotNil(t, again)
	require.NotEqual(t, id, again)
}

// DEL-09: deleting an unknown topic fails and leaves the others alone.
func TestDEL_09(t *testing.T) {
	s := deletion(t)
	s.play("never exists(zk[/admin/delete_topics/test2])")
	require.Equal(t, kafka.UNKNOWN_TOPIC_OR_PARTITION, topicError(s, request.DeleteTopics{Topics: []string{"test2"}}))
	s.onAll("test-0")
	s.state("test-0", "leader=0 leader_epoch=0 isr=[0, 1, 2] controller_epoch=1 version=0")
}

// DEL-11: the same deletion asked for twice. What writes the marker says that it is there already (its znode exists); the
// API swallows that and waits for the deletion, as ZkAdminManager.deleteTopics does.
func TestDEL_11(t *testing.T) {
	s := deletion(t)
	first := s.World().Ask(request.DeleteTopics{Topics: []string{"test"}}, "test")
	second := s.World().Ask(request.DeleteTopics{Topics: []string{"test"}}, "test")
	s.play("until idle")
	require.True(t, first.Done && second.Done)
	require.Empty(t, first.Error+second.Error)
	require.Equal(t, 1, s.count("step.entity = /admin/delete_topics/test and step.args.code = NODEEXISTS"))
	s.deleted("test", 0, 1, 2)
}

// DEL-12: topic deletion is disabled: the controller removes the marker and nothing else.
func TestDEL_12(t *testing.T) {
	s := deletion(t, "delete.topic.enable=false")
	s.play(`
		zk create /admin/delete_topics/test
		until idle
		expect not exists(zk[/admin/delete_topics/test])
		expect exists(zk[/brokers/topics/test])`)
	s.onAll("test-0")
	s.state("test-0", "leader=0 leader_epoch=0 isr=[0, 1, 2] controller_epoch=1 version=0")
}

// adding is F-ADP: four brokers, four topics.
func adding(t *testing.T) *story {
	s := cluster(t, 4)
	s.play(`
		topic create new-topic1 [0,1]
		until idle
		topic create new-topic2 [1,2]
		until idle
		topic create new-topic3 [2,3,0,1]
		until idle
		topic create new-topic4 [0,3]
		until idle`)
	return s
}

// ADP-01: an assignment with another number of replicas is refused, and nothing is written.
func TestADP_01(t *testing.T) {
	s := adding(t)
	s.play("never zk[/brokers/topics/new-topic1].version > 0")
	require.Equal(t, kafka.INVALID_REPLICA_ASSIGNMENT, topicError(s, request.CreatePartitions{Topics: []request.NewPartitions{
		{Name: "new-topic1", Count: 2, Assignment: [][]kafka.BrokerID{{0, 1, 2}}}}}))
}

// ADP-03: growing from one to three partitions.
func TestADP_03(t *testing.T) {
	s := adding(t)
	require.Equal(t, kafka.NONE, topicError(s, request.CreatePartitions{Topics: []request.NewPartitions{{Name: "new-topic1", Count: 3}}}))
	s.state("new-topic1-1", "leader=1 leader_epoch=0 isr=[1, 2] controller_epoch=1 version=0")
	s.state("new-topic1-2", "leader=2 leader_epoch=0 isr=[2, 3] controller_epoch=1 version=0")
	s.play(`
		expect broker[0].meta.partition[new-topic1-0].replicas = [0,1]
		expect broker[0].meta.partition[new-topic1-1].replicas = [1,2]
		expect broker[0].meta.partition[new-topic1-1].leader = 1
		expect broker[0].meta.partition[new-topic1-2].replicas = [2,3]
		expect broker[0].meta.partition[new-topic1-2].leader = 2
		expect not exists(broker[0].meta.partition[new-topic1-3])`)
}

// ADP-04: growing with an assignment by hand.
func TestADP_04(t *testing.T) {
	s := adding(t)
	require.Equal(t, kafka.NONE, topicError(s, request.CreatePartitions{Topics: []request.NewPartitions{
		{Name: "new-topic2", Count: 3, Assignment: [][]kafka.BrokerID{{0, 1}, {2, 3}}}}}))
	s.state("new-topic2-1", "leader=0 leader_epoch=0 isr=[0, 1] controller_epoch=1 version=0")
	s.state("new-topic2-2", "leader=2 leader_epoch=0 isr=[2, 3] controller_epoch=1 version=0")
	s.play(`
		expect broker[0].meta.partition[new-topic2-0].replicas = [1,2]
		expect broker[0].meta.partition[new-topic2-1].replicas = [0,1]
		expect broker[0].meta.partition[new-topic2-1].leader = 0
		expect broker[0].meta.partition[new-topic2-2].leader = 2
		expect not exists(broker[0].meta.partition[new-topic2-3])`)
}

// ADP-06: placement goes on round robin from partition 0's first replica.
func TestADP_06(t *testing.T) {
	s := adding(t)
	require.Equal(t, kafka.NONE, topicError(s, request.CreatePartitions{Topics: []request.NewPartitions{{Name: "new-topic2", Count: 3}}}))
	s.play(`
		expect zk[/brokers/topics/new-topic2].data.partitions.0 = [1,2]
		expect zk[/brokers/topics/new-topic2].data.partitions.1 = [2,0]
		expect zk[/brokers/topics/new-topic2].data.partitions.2 = [3,1]`)
	s.state("new-topic2-1", "leader=2 leader_epoch=0 isr=[2, 0] controller_epoch=1 version=0")
	s.state("new-topic2-2", "leader=3 leader_epoch=0 isr=[3, 1] controller_epoch=1 version=0")
}

// RAK-16: topics without an assignment are placed rack-aware. Kafka's case lets a producer create the topic; here nobody
// creates topics by themselves, so the topic is asked for: what places it is the same.
func TestRAK_16(t *testing.T) {
	s := tell(t, `
		cluster brokers=0,1,2,3 racks=0,0,1,1 num.partitions=8 default.replication.factor=2
		broker start 0
		broker start 1
		broker start 2
		broker start 3
		until idle`)
	for id, rack := range []string{"0", "0", "1", "1"} {
		s.play(fmt.Sprintf("expect zk[/brokers/ids/%d].data.rack = '%s'", id, rack))
	}
	require.Equal(t, kafka.NONE, topicError(s, request.CreateTopics{Topics: []request.NewTopic{{Name: "auto", NumPartitions: -1, ReplicationFactor: -1}}}))
	leads, holds := map[int64]int{}, map[int64]int{}
	for p := range 8 {
		record := s.Doc().Get("ctx", "0", "partitionAssignments", fmt.Sprintf("auto-%d", p)).(env.Record)
		replicas := record.Get("replicas").([]any)
		require.Len(t, replicas, 2)
		a, b := replicas[0].(int64), replicas[1].(int64)
		require.NotEqual(t, a/2, b/2, "two racks")
		leads[a]++
		holds[a]++
		holds[b]++
		s.play(fmt.Sprintf("expect broker[0].meta.partition[auto-%d].leader = %d", p, a))
	}
	require.Nil(t, s.Doc().Get("ctx", "0", "partitionAssignments", "auto-8"))
	require.Equal(t, map[int64]int{0: 2, 1: 2, 2: 2, 3: 2}, leads)
	require.Equal(t, map[int64]int{0: 4, 1: 4, 2: 4, 3: 4}, holds)
	s.play(`
		produce auto-0
		until idle`)
	require.Equal(t, 1, s.count("step.msg = admin.answer and step.entity = auto-0 and step.args.result = NONE"))
}

func creating(name string, assignment ...[]kafka.BrokerID) request.CreateTopics {
	return request.CreateTopics{Topics: []request.NewTopic{{Name: name, Assignment: assignment}}}
}

// ADM-01: what is refused of an assignment by hand. In a request partition i is the i-th list, so that the cases of
// partitions that do not follow each other cannot even be said.
func TestADM_01(t *testing.T) {
	s := cluster(t, 5)
	s.play("never exists(zk[/brokers/topics/test])")
	require.Equal(t, kafka.INVALID_REPLICA_ASSIGNMENT, topicError(s, creating("test", []kafka.BrokerID{0, 0})))
	require.Equal(t, kafka.INVALID_REPLICA_ASSIGNMENT, topicError(s, creating("test", []kafka.BrokerID{0, 1}, []kafka.BrokerID{0})))
	s = cluster(t, 5)
	require.Equal(t, kafka.NONE, topicError(s, creating("test", []kafka.BrokerID{0, 1, 2}, []kafka.BrokerID{1, 2, 3})))
	s.play(`
		expect zk[/brokers/topics/test].data.partitions.0 = [0,1,2]
		expect zk[/brokers/topics/test].data.partitions.1 = [1,2,3]
		expect count(zk[/brokers/topics/test].data.adding_replicas) = 0
		expect count(zk[/brokers/topics/test].data.removing_replicas) = 0`)
}

// ADM-02: the topic's znode holds the assignment as it was given; a second creation fails.
func TestADM_02(t *testing.T) {
	s := cluster(t, 5)
	lists := [][]kafka.BrokerID{{0, 1, 2}, {1, 2, 3}, {2, 3, 4}, {3, 4, 0}, {4, 0, 1}, {0, 2, 3}, {1, 3, 4}, {2, 4, 0}, {3, 0, 1}, {4, 1, 2}, {1, 2, 3}, {1, 3, 4}}
	require.Equal(t, kafka.NONE, topicError(s, creating("test", lists...)))
	for p, list := range lists {
		s.play(fmt.Sprintf("expect zk[/brokers/topics/test].data.partitions.%d = %s", p, brokerList(list)))
	}
	require.Equal(t, kafka.TOPIC_ALREADY_EXISTS, topicError(s, creating("test", lists...)))
}

// ADM-03: names that differ in "." and "_" only collide.
func TestADM_03(t *testing.T) {
	s := cluster(t, 5)
	require.Equal(t, kafka.NONE, topicError(s, creating("test.topic", []kafka.BrokerID{0}, []kafka.BrokerID{1}, []kafka.BrokerID{2})))
	require.Equal(t, kafka.INVALID_TOPIC_EXCEPTION, topicError(s, creating("test_topic", []kafka.BrokerID{0})))
}

// ELE-07: a topic cannot be created with an unclean setting that is no boolean.
func TestELE_07(t *testing.T) {
	s := cluster(t, 1)
	s.play("never exists(zk[/brokers/topics/t])")
	require.Equal(t, kafka.INVALID_CONFIG, topicError(s, request.CreateTopics{Topics: []request.NewTopic{{Name: "t", Assignment: [][]kafka.BrokerID{{0}},
		Config: []request.ConfigEntry{{Key: "unclean.leader.election.enable", Value: "invalid"}}}}}))
}

// DYN-13: changing the config of an unknown topic.
func TestDYN_13(t *testing.T) {
	s := cluster(t, 1)
	answer := ask[request.EntityResponse](s, request.IncrementalAlterConfigs{Resources: []request.AlterConfigs{
		{Type: "topics", Name: "none", Ops: []request.ConfigOp{{Key: "flush.messages", Value: "10000"}}}}})
	require.Len(t, answer.Entities, 1)
	require.Equal(t, kafka.UNKNOWN_TOPIC_OR_PARTITION, answer.Entities[0].Error)
	s.play("expect not exists(zk[/config/topics/none])")
}

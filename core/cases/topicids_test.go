package cases

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// The cases of Kafka's ControllerIntegrationTest that are about topic ids.

const old = "inter.broker.protocol.version=2.7-IV0"

// CTL-37: topic ids are made for new topics, differ, and stay.
func TestCTL_37(t *testing.T) {
	s := cluster(t, 1)
	s.play(`
		expect not exists(ctx[0].topicIds.t1)
		topic create t1 [0]
		until idle`)
	first := s.Doc().Get("ctx", "0", "topicIds", "t1")
	require.NotNil(t, first)
	s.play(`
		topic create t2 [0]
		until idle
		expect ctx[0].topicIds.t1 = zk[/brokers/topics/t1].data.topic_id
		expect ctx[0].topicIds.t2 = zk[/brokers/topics/t2].data.topic_id
		expect ctx[0].topicIds.t1 != ctx[0].topicIds.t2`)
	require.Equal(t, first, s.Doc().Get("ctx", "0", "topicIds", "t1"))
	s.state("t1-0", "leader=0 leader_epoch=0 isr=[0] controller_epoch=1 version=0")
	s.state("t2-0", "leader=0 leader_epoch=0 isr=[0] controller_epoch=1 version=0")
}

// CTL-38: an old protocol makes no topic ids.
func TestCTL_38(t *testing.T) {
	s := cluster(t, 1, old)
	s.play(`
		never count(ctx[0].topicIds) > 0
		topic create t1 [0]
		until idle
		topic create t2 [0]
		until idle`)
	s.state("t1-0", "leader=0 leader_epoch=0 isr=[0] controller_epoch=1 version=0")
	s.state("t2-0", "leader=0 leader_epoch=0 isr=[0] controller_epoch=1 version=0")
}

const withoutID = `
		zk create /brokers/topics/t {"version":2,"partitions":{"0":[0]},"adding_replicas":{},"removing_replicas":{}}
		until idle`

// CTL-39: the controller adds an id that is missing; it survives more partitions and goes with the topic.
func TestCTL_39(t *testing.T) {
	s := cluster(t, 1)
	s.play(withoutID + `
		expect exists(zk[/brokers/topics/t].data.topic_id)
		expect ctx[0].topicIds.t = zk[/brokers/topics/t].data.topic_id`)
	id := s.Doc().Get("ctx", "0", "topicIds", "t")
	s.play(`
		topic add-partitions t [0]
		until idle
		expect broker[0].meta.partition[t-1].leader = 0
		expect ctx[0].topicIds.t = zk[/brokers/topics/t].data.topic_id`)
	require.Equal(t, id, s.Doc().Get("ctx", "0", "topicIds", "t"))
	s.play(`
		topic delete t
		until idle
		expect not exists(ctx[0].topicIds.t)
		expect not exists(zk[/brokers/topics/t])`)
}

// CTL-40: the same on an old protocol never makes an id.
func TestCTL_40(t *testing.T) {
	cluster(t, 1, old).play(`
		never count(ctx[0].topicIds) > 0
		never exists(zk[/brokers/topics/t].data.topic_id)` + withoutID + `
		topic add-partitions t [0]
		until idle
		expect broker[0].meta.partition[t-1].leader = 0
		topic delete t
		until idle
		expect not exists(ctx[0].allTopics.t)`)
}

// CTL-41: the topic id survives a move of the controller.
func TestCTL_41(t *testing.T) {
	s := cluster(t, 2)
	s.play(`
		topic create t [0]
		until idle`)
	id := s.Doc().Get("ctx", "0", "topicIds", "t")
	require.NotNil(t, id)
	s.play(`
		broker stop 0
		until idle
		expect ctl[1].isActive`)
	require.Equal(t, id, s.Doc().Get("ctx", "1", "topicIds", "t"))
}

// CTL-42: on an old protocol "no id" survives it too.
func TestCTL_42(t *testing.T) {
	cluster(t, 2, old).play(`
		topic create t [0]
		until idle
		broker stop 0
		until idle
		expect ctl[1].isActive
		expect ctx[1].allTopics.t
		expect not exists(ctx[1].topicIds.t)`)
}

// CTL-43: the topic id survives a restart of the only broker.
func TestCTL_43(t *testing.T) {
	s := cluster(t, 1)
	s.play(`
		topic create t [0]
		until idle`)
	id := s.Doc().Get("ctx", "0", "topicIds", "t")
	require.NotNil(t, id)
	s.play(`
		broker stop 0
		until idle
		broker start 0
		until idle`)
	require.Equal(t, id, s.Doc().Get("ctx", "0", "topicIds", "t"))
}

// CTL-44: a newer protocol makes the id that is missing when its controller takes office.
func TestCTL_44(t *testing.T) {
	cluster(t, 1, old).play(`
		topic create t [0]
		until idle
		expect not exists(zk[/brokers/topics/t].data.topic_id)
		expect not exists(ctx[0].topicIds.t)
		broker stop 0
		until idle
		broker config 0 inter.broker.protocol.version=2.8-IV1
		broker start 0
		until idle
		expect exists(zk[/brokers/topics/t].data.topic_id)
		expect ctx[0].topicIds.t = zk[/brokers/topics/t].data.topic_id
		topic delete t
		until idle
		expect not exists(ctx[0].allTopics.t)`)
}

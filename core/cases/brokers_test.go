package cases

import (
	"testing"

	"github.com/stretchr/testify/require"

	"controllerscope/core/kafka"
	"controllerscope/core/request"
)

// The cases of Kafka's UncleanLeaderElectionTest and BrokerEpochIntegrationTest, by id.

// unclean plays "first; F down; second; L down; F back" with L = 0 and F = 1, and ends with whatever leads then.
func unclean(t *testing.T, config string, options ...string) *story {
	s := cluster(t, 2, append(options, "controlled.shutdown.max.retries=1")...)
	s.play("topic create t [0,1] " + config + `
		until idle
		produce t-0
		until idle
		expect broker[0].replica[t-0].hw = 1
		expect broker[1].replica[t-0].hw = 1
		broker stop 1
		until idle
		produce t-0
		until idle
		expect broker[0].replica[t-0].hw = 2
		broker stop 0
		until idle
		broker start 1
		until idle`)
	return s
}

// takesOver holds that the follower leads alone, by one unclean election, and that what only the leader had is lost.
func takesOver(s *story) {
	s.play(`
		expect zk[/brokers/topics/t/partitions/0/state].data.leader = 1
		expect zk[/brokers/topics/t/partitions/0/state].data.isr = [1]
		expect broker[1].replica[t-0].leo = 1
		produce t-0
		until idle
		expect broker[1].replica[t-0].leo = 2`)
	require.Equal(s, 1, s.count("step.msg = election.unclean"), "UncleanLeaderElectionsPerSec")
}

// ELE-03: unclean election is on: the follower that was out of sync takes over, and a record is lost.
func TestELE_03(t *testing.T) { takesOver(unclean(t, "", "unclean.leader.election.enable=true")) }

// ELE-05: the topic's "on" overrides the brokers' "off".
func TestELE_05(t *testing.T) {
	takesOver(unclean(t, "config unclean.leader.election.enable=true", "unclean.leader.election.enable=false"))
}

// ELE-04: unclean election is off: the old leader is waited for.
func TestELE_04(t *testing.T) {
	s := unclean(t, "")
	s.play("expect zk[/brokers/topics/t/partitions/0/state].data.leader = -1")
	require.ErrorContains(t, s.Append("produce t-0"), "t-0 has no leader to produce to")
	s.play(`
		broker start 0
		until idle
		expect zk[/brokers/topics/t/partitions/0/state].data.leader = 0
		produce t-0
		until idle
		expect zk[/brokers/topics/t/partitions/0/state].data.isr contains 1
		broker stop 0
		until idle
		expect zk[/brokers/topics/t/partitions/0/state].data.leader = 1
		expect broker[1].replica[t-0].leo = 3`)
	require.Zero(t, s.count("step.msg = election.unclean"))
}

// BEP-01: a broker's own epoch is the creation zxid of its registration.
func TestBEP_01(t *testing.T) {
	cluster(t, 2).play(`
		expect broker[0].epoch = zk[/brokers/ids/0].czxid
		expect broker[1].epoch = zk[/brokers/ids/1].czxid
		expect broker[0].epoch != broker[1].epoch`)
}

// BEP-03: control requests with the current broker epoch are accepted. A sender plays controller 2.
func TestBEP_03(t *testing.T) {
	s := cluster(t, 2)
	s.play("topic create new-topic [0,1]\nuntil idle")
	b, err := s.World().RegistrationEpoch(1)
	require.NoError(t, err)
	head := request.Control{ControllerID: 2, ControllerEpoch: 1, BrokerEpoch: b}
	tp := kafka.TopicPartition{Topic: "new-topic"}
	id, err := kafka.ParseUUID(s.Doc().Get("ctx", "0", "topicIds", "new-topic").(string))
	require.NoError(t, err)
	both := []kafka.BrokerID{0, 1}
	leads := kafka.LeaderAndIsr{Leader: 1, LeaderEpoch: 1, ISR: both}
	send := func(r request.Request) {
		out := s.World().AskBroker(1, r, "new-topic-0")
		s.play("until idle")
		require.True(t, out.Done)
		answer := out.Answer.(request.ControlResponse)
		require.Equal(t, kafka.NONE, answer.Error)
		for _, p := range answer.Errors {
			require.Equal(t, kafka.NONE, p.Error)
		}
	}
	brokers := []kafka.Broker{{ID: 0}, {ID: 1}}
	send(request.LeaderAndIsr{Control: head, LiveLeaders: brokers, Partitions: []request.LeaderAndIsrPartition{{TopicPartition: tp, TopicID: id,
		ControllerEpoch: 1, LeaderAndIsr: leads, Assignment: kafka.ReplicaAssignment{Replicas: both}}}})
	s.play("expect broker[1].replica[new-topic-0].role = leader")
	send(request.UpdateMetadata{Control: head, LiveBrokers: brokers, Partitions: []request.UpdateMetadataPartition{{TopicPartition: tp, TopicID: id,
		ControllerEpoch: 1, LeaderAndIsr: leads, Replicas: both}}})
	s.play("expect broker[1].meta.partition[new-topic-0].leader = 1")
	send(request.StopReplica{Control: head, Partitions: []request.StopReplicaPartition{{TopicPartition: tp, LeaderEpoch: 2, Delete: true}}})
	s.play("expect not exists(broker[1].replica[new-topic-0])")
}

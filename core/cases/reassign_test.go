package cases

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"controllerscope/core/kafka"
	"controllerscope/core/request"
)

// The cases of Kafka's ReassignPartitionsIntegrationTest, by id. RSN-12 and RSN-14 stand beside the ZooKeeper client.
// What kafka-reassign-partitions does about throttles is said as what it asks for: configs of brokers and topics.

// moving is F-RSN: five brokers on two racks with three log directories each, topics foo, bar and baz.
func moving(t *testing.T) *story {
	s := tell(t, `
		cluster brokers=0,1,2,3,4 racks=rack0,rack0,rack1,rack1,rack1 logdirs=3,3,3,3,3 controlled.shutdown.enable=false auto.leader.rebalance.enable=false
		broker start 0
		until idle
		broker start 1
		broker start 2
		broker start 3
		broker start 4
		until idle
		topic create foo [0,1,2] [1,2,3]
		topic create bar [3,2,1]
		topic create baz [1,0,2] [2,0,1] [0,2,1]
		until idle`)
	return s
}

// ongoing is what is under way.
func (s *story) ongoing() []request.OngoingReassignment {
	s.Helper()
	answer := ask[request.ListPartitionReassignmentsResponse](s, request.ListPartitionReassignments{})
	require.Equal(s, kafka.NONE, answer.Error)
	return answer.Partitions
}

// assigned holds the replicas of a partition in ZooKeeper, with nothing adding or removing.
func (s *story) assigned(topic string, p int, replicas ...kafka.BrokerID) {
	s.Helper()
	s.play(fmt.Sprintf(`
		expect zk[/brokers/topics/%[1]s].data.partitions.%[2]d = %[3]s
		expect not exists(zk[/brokers/topics/%[1]s].data.adding_replicas.%[2]d)
		expect not exists(zk[/brokers/topics/%[1]s].data.removing_replicas.%[2]d)`, topic, p, brokerList(replicas)))
}

// throttles sets or removes the rate of brokers 0 to 3; 0 removes it.
func (s *story) throttles(rate int) {
	s.Helper()
	for id := range 4 {
		verb, keys := "set", fmt.Sprintf("leader.replication.throttled.rate=%[1]d follower.replication.throttled.rate=%[1]d", rate)
		if rate == 0 {
			verb, keys = "delete", "leader.replication.throttled.rate follower.replication.throttled.rate"
		}
		s.play(fmt.Sprintf("config %s brokers/%d %s", verb, id, keys))
	}
	s.play("until idle")
}

// throttled holds that brokers 0 to 3 have that rate, in ZooKeeper and applied, and that 4 has none; 0 is none at all.
func (s *story) throttled(rate int) {
	s.Helper()
	for id := range 5 {
		for _, key := range []string{"leader.replication.throttled.rate", "follower.replication.throttled.rate"} {
			where := fmt.Sprintf("zk[/config/brokers/%d].data.config[%s]", id, key)
			if rate == 0 || id == 4 {
				s.play("expect not exists(" + where + ")")
			} else {
				s.play(fmt.Sprintf("expect %s = '%d'", where, rate))
			}
		}
	}
}

// RSN-01: two reassignments by the API.
func TestRSN_01(t *testing.T) {
	s := moving(t)
	s.assigned("foo", 0, 0, 1, 2)
	s.assigned("bar", 0, 3, 2, 1)
	require.Empty(t, s.ongoing())
	s.play(`
		never exists(zk[/admin/reassign_partitions])
		never count(zk[/config/brokers/0]) > 0
		reassign foo-0 [0,1,3] bar-0 [3,2,0]
		until idle`)
	s.assigned("foo", 0, 0, 1, 3)
	s.assigned("bar", 0, 3, 2, 0)
	require.Empty(t, s.ongoing())
	s.throttled(0)
	s.play(`
		expect zk[/brokers/topics/foo/partitions/0/state].data.leader_epoch = 3
		expect zk[/brokers/topics/foo/partitions/0/state].data.leader = 0
		expect zk[/brokers/topics/bar/partitions/0/state].data.leader_epoch = 3
		expect zk[/brokers/topics/bar/partitions/0/state].data.leader = 3`)
}

// RSN-04: the same by the legacy znode, from which each partition is taken as it completes.
func TestRSN_04(t *testing.T) {
	s := moving(t)
	s.play(`
		zk create /admin/reassign_partitions {"version":1,"partitions":[{"topic":"foo","partition":0,"replicas":[0,1,3]},{"topic":"bar","partition":0,"replicas":[3,2,0]}]}
		until zk[/admin/reassign_partitions].version = 1
		expect count(zk[/admin/reassign_partitions].data.partitions) = 1
		until idle
		expect not exists(zk[/admin/reassign_partitions])`)
	s.assigned("foo", 0, 0, 1, 3)
	s.assigned("bar", 0, 3, 2, 0)
	require.Empty(t, s.ongoing())
}

// slowly begins foo-0 and baz-2, with records to copy, and keeps both under way: broker 3, which both are to go to, does not
// fetch.
func slowly(s *story) {
	s.play(`
		produce foo-0 50
		produce baz-2 60
		until idle
		reassign foo-0 [0,3,2] baz-2 [3,2,1]
		until broker[3].replica[baz-2].role = follower
		lag 3 baz-2
		until broker[3].replica[foo-0].role = follower
		lag 3 foo-0
		until idle`)
	require.Len(s, s.ongoing(), 2)
}

const released = `
		catch-up 3 foo-0
		catch-up 3 baz-2
		until idle`

// RSN-06: the throttle is raised while reassignments run; asking again for the same leaves them as they are.
func TestRSN_06(t *testing.T) {
	s := moving(t)
	s.throttles(1)
	slowly(s)
	s.throttled(1)
	before := s.ongoing()
	s.throttles(300000)
	s.play("reassign foo-0 [0,3,2] baz-2 [3,2,1]\nuntil idle")
	require.Equal(t, before, s.ongoing(), "adding and removing stay")
	s.throttled(300000)
	s.play(released)
	s.assigned("foo", 0, 0, 3, 2)
	s.assigned("baz", 2, 3, 2, 1)
	require.Empty(t, s.ongoing())
	s.throttles(0)
	s.throttled(0)
}

// RSN-07: throttles stay until they are removed.
func TestRSN_07(t *testing.T) {
	s := moving(t)
	require.Empty(t, s.ongoing())
	s.throttled(0)
	s.throttles(300000)
	slowly(s)
	targets := map[string]string{}
	for _, o := range s.ongoing() {
		targets[o.TopicPartition.String()] = brokerList(o.Target())
	}
	require.Equal(t, map[string]string{"foo-0": "[0, 3, 2]", "baz-2": "[3, 2, 1]"}, targets)
	s.throttled(300000)
	s.play(released)
	s.assigned("foo", 0, 0, 3, 2)
	s.assigned("baz", 2, 3, 2, 1)
	require.Empty(t, s.ongoing())
	s.throttled(300000)
	s.throttles(0)
	s.throttled(0)
}

// RSN-08: clients go on writing and reading while a slow reassignment runs.
func TestRSN_08(t *testing.T) {
	s := moving(t)
	s.throttles(300)
	slowly(s)
	s.play(`
		produce baz-2 100
		until idle
		expect broker[0].replica[baz-2].leo = 160
		expect broker[0].replica[baz-2].hw = 160`)
	s.throttles(0)
	s.play(strings.TrimSpace(released))
	s.assigned("baz", 2, 3, 2, 1)
	s.play("expect broker[3].replica[baz-2].leo = 160")
	require.Empty(t, s.ongoing())
}

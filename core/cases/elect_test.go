package cases

import (
	"testing"

	"github.com/stretchr/testify/require"

	"controllerscope/core/kafka"
	"controllerscope/core/request"
)

// The cases of Kafka's PreferredReplicaLeaderElectionCommandTest and LeaderElectionCommandTest, by id. LEC-11 stands beside
// the ZooKeeper client. A tool here is a line of a script: it asks the controller itself and takes no bootstrap addresses.

// preferred is F-PRE after broker 1, the preferred leader of test-0, was stopped and started again: it follows.
func preferred(t *testing.T, config ...string) *story {
	s := cluster(t, 3, append(config, "controlled.shutdown.enable=false")...)
	s.play(`
		topic create test [1,2,0]
		until idle
		broker stop 1
		until idle
		broker start 1
		until idle
		expect broker[0].meta.partition[test-0].isr contains 1
		expect broker[1].meta.partition[test-0].isr contains 1
		expect broker[2].meta.partition[test-0].isr contains 1
		expect broker[0].meta.partition[test-0].leader != 1`)
	return s
}

func test0(topic string) []kafka.TopicPartition { return []kafka.TopicPartition{{Topic: topic}} }

const oneLeads = "expect zk[/brokers/topics/test/partitions/0/state].data.leader = 1"

// LEC-01: whichever broker is asked first, the preferred leader leads.
func TestLEC_01(t *testing.T) {
	for _, id := range []kafka.BrokerID{1, 0} {
		s := preferred(t)
		out := s.World().AskBroker(id, request.ElectLeaders{}, "all")
		s.play("until idle")
		require.True(t, out.Done)
		if id != 0 { // not the controller: a client asks that one then
			require.Equal(t, kafka.NOT_CONTROLLER.Error(), errorOf(out.Answer))
			require.Empty(t, errorOf(ask[request.PartitionResponse](s, request.ElectLeaders{})))
		}
		s.play(oneLeads)
	}
}

// errorOf is the first error of an answer about partitions.
func errorOf(r request.Response) string {
	if r.TopError() != kafka.NONE {
		return r.TopError().Error()
	}
	for _, p := range r.(request.PartitionResponse).Partitions {
		if p.Error != kafka.NONE {
			return p.Error.Error()
		}
	}
	return ""
}

// nobodyThere asks for an election where no broker runs: the client gives up.
func nobodyThere(t *testing.T, unclean bool) {
	s := tell(t, "cluster brokers=0,1,2")
	out := s.World().Ask(request.ElectLeaders{Unclean: unclean}, "all")
	s.play("until idle")
	require.True(t, out.Done)
	require.Nil(t, out.Answer)
	require.NotEmpty(t, out.Error)
}

// LEC-02, LEC-22: no broker can be reached.
func TestLEC_02(t *testing.T) { nobodyThere(t, false) }
func TestLEC_22(t *testing.T) { nobodyThere(t, true) }

// LEC-03: no list means all partitions; those that need no election are left out of the answer.
func TestLEC_03(t *testing.T) {
	s := preferred(t)
	s.play("topic create other [0,1,2]\nuntil idle")
	answer := ask[request.PartitionResponse](s, request.ElectLeaders{})
	require.Equal(t, []request.PartitionResult{{TopicPartition: test0("test")[0]}}, answer.Partitions)
	s.play(oneLeads)
}

// LEC-04: a preferred election of one partition.
func TestLEC_04(t *testing.T) {
	preferred(t).play("elect preferred test-0\nuntil idle\n" + oneLeads)
}

// unknown asks for the election of a partition that does not exist.
func unknown(t *testing.T, topic string) {
	s := cluster(t, 3)
	answer := ask[request.PartitionResponse](s, request.ElectLeaders{Partitions: test0(topic)})
	require.Len(t, answer.Partitions, 1)
	require.Equal(t, kafka.UNKNOWN_TOPIC_OR_PARTITION, answer.Partitions[0].Error)
}

// LEC-05, LEC-19: the topic does not exist.
func TestLEC_05(t *testing.T) { unknown(t, "does.not.exist") }
func TestLEC_19(t *testing.T) { unknown(t, "unknown-topic-name") }

// LEC-10: the authorizer denies ALTER on the cluster; the tool would say that it is not authorized, with this error as cause.
func TestLEC_10(t *testing.T) {
	s := preferred(t, "scope.deny=ALTER")
	before, _ := s.node("/brokers/topics/test/partitions/0/state")
	answer := ask[request.PartitionResponse](s, request.ElectLeaders{Partitions: test0("test")})
	require.Equal(t, kafka.CLUSTER_AUTHORIZATION_FAILED, answer.Error)
	require.Equal(t, []request.PartitionResult{{TopicPartition: test0("test")[0], Error: kafka.CLUSTER_AUTHORIZATION_FAILED}}, answer.Partitions)
	after, _ := s.node("/brokers/topics/test/partitions/0/state")
	require.Equal(t, before, after)
	s.play(`
		expect broker[0].meta.partition[test-0].leader != 1
		reassign test-0 [0,1]
		until idle
		expect zk[/brokers/topics/test].version = 0`)
	listed := ask[request.ListPartitionReassignmentsResponse](s, request.ListPartitionReassignments{})
	require.Equal(t, kafka.NONE, listed.Error, "DESCRIBE is not denied")
}

// leaderless is F-LEC with a topic on [1,2] that lost both, and 2, which is not in the ISR, started again.
func leaderless(t *testing.T) *story {
	s := cluster(t, 3, "controlled.shutdown.max.retries=1")
	s.play(`
		topic create unclean-topic [1,2]
		until idle
		broker stop 2
		until idle
		expect zk[/brokers/topics/unclean-topic/partitions/0/state].data.isr = [1]
		broker stop 1
		until idle
		expect zk[/brokers/topics/unclean-topic/partitions/0/state].data.leader = -1
		broker start 2
		until idle
		expect zk[/brokers/topics/unclean-topic/partitions/0/state].data.leader = -1`)
	return s
}

const twoLeads = "\nuntil idle\nexpect zk[/brokers/topics/unclean-topic/partitions/0/state].data.leader = 2"

// LEC-13: an unclean election of all partitions.
func TestLEC_13(t *testing.T) { leaderless(t).play("elect unclean *" + twoLeads) }

// LEC-14: of one named partition.
func TestLEC_14(t *testing.T) { leaderless(t).play("elect unclean unclean-topic-0" + twoLeads) }

// LEC-15: of a list.
func TestLEC_15(t *testing.T) {
	s := leaderless(t)
	s.play("topic create other [0]\nuntil idle\nelect unclean unclean-topic-0 other-0" + twoLeads)
}

// LEC-17: a topic without a partition is no list of partitions.
func TestLEC_17(t *testing.T) {
	s := cluster(t, 3)
	require.ErrorContains(t, s.Append("elect unclean unclean-topic"), "expected")
	require.ErrorContains(t, s.Append("elect unclean"), "elect unclean T-P|*...")
}

// LEC-20: without an election type.
func TestLEC_20(t *testing.T) {
	s := cluster(t, 3)
	require.ErrorContains(t, s.Append("elect unclean-topic-0"), "expected preferred or unclean after elect")
}

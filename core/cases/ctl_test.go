package cases

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// The cases of Kafka's ControllerIntegrationTest and ControllerFailoverTest, by id. CTL-34 stands beside the controller.

// CTL-01: one broker, no topics: it becomes controller with epoch 1.
func TestCTL_01(t *testing.T) {
	cluster(t, 1).play(`
		expect zk[/controller].data.brokerid = 0
		expect zk[/controller_epoch].data = 1
		expect zk[/controller_epoch].version = 1`)
}

// CTL-02: the controller epoch survives the loss of every broker.
func TestCTL_02(t *testing.T) {
	cluster(t, 1).play(`
		broker stop 0
		until idle
		expect not exists(zk[/controller])
		expect zk[/controller_epoch].data = 1`)
}

// CTL-03: each election raises the controller epoch, also when the same broker wins it.
func TestCTL_03(t *testing.T) {
	cluster(t, 1).play(`
		broker stop 0
		until idle
		broker start 0
		until idle
		expect zk[/controller].data.brokerid = 0
		expect zk[/controller_epoch].data = 2`)
}

// CTL-04: an empty cluster of one broker needs exactly one control request; brokers here have one listener.
func TestCTL_04(t *testing.T) {
	s := cluster(t, 1)
	require.Equal(t, 1, s.count("step.kind = req.send"))
	require.Equal(t, 1, s.count("step.kind = req.send and step.args.kind = UpdateMetadata"))
	s.play("expect broker[0].meta.brokers contains '0'")
}

// CTL-07: creating a topic produces a state znode with leader epoch 0.
func TestCTL_07(t *testing.T) {
	s := cluster(t, 1)
	s.play(`
		topic create t [0]
		until idle`)
	s.state("t-0", "leader=0 leader_epoch=0 isr=[0] controller_epoch=1 version=0")
}

// CTL-08: a topic whose first replica is dead gets the next one as leader, at epoch 0, and only live ones in its ISR.
func TestCTL_08(t *testing.T) {
	s := cluster(t, 2)
	s.play(`
		broker stop 1
		until idle
		topic create t [1,0]
		until idle`)
	s.state("t-0", "leader=0 leader_epoch=0 isr=[0] controller_epoch=1 version=0")
}

// CTL-09: a partition is added by writing the topic's znode again.
func TestCTL_09(t *testing.T) {
	s := cluster(t, 1)
	s.play(`
		topic create t [0]
		until idle
		zk set /brokers/topics/t {"version":2,"partitions":{"0":[0],"1":[0]},"adding_replicas":{},"removing_replicas":{}}
		until idle
		expect broker[0].meta.partition[t-1].leader = 0`)
	s.state("t-1", "leader=0 leader_epoch=0 isr=[0] controller_epoch=1 version=0")
}

// CTL-11: a partition of one replica moves as a whole by the reassignment znode: three leader epochs (start, election,
// removal from the ISR); the follower's joining costs none.
func TestCTL_11(t *testing.T) {
	s := cluster(t, 2)
	s.play(`
		topic create t [0]
		until idle
		zk create /admin/reassign_partitions {"version":1,"partitions":[{"topic":"t","partition":0,"replicas":[1]}]}
		until idle
		expect zk[/brokers/topics/t].data.partitions.0 = [1]
		expect count(zk[/brokers/topics/t].data.adding_replicas) = 0
		expect count(zk[/brokers/topics/t].data.removing_replicas) = 0
		expect not exists(zk[/admin/reassign_partitions])`)
	s.state("t-0", "leader=1 leader_epoch=3 isr=[1] controller_epoch=1 version=4")
	require.Positive(t, s.count("step.kind = event.done and step.args.event = ZkPartitionReassignment"), "what PartitionReassignmentRateAndTimeMs counts")
}

// CTL-13: a reassignment to a dead broker starts, and then waits.
func TestCTL_13(t *testing.T) {
	s := cluster(t, 2)
	s.play(`
		topic create t [0]
		until idle
		broker stop 1
		until idle
		zk create /admin/reassign_partitions {"version":1,"partitions":[{"topic":"t","partition":0,"replicas":[1]}]}
		until idle
		expect exists(zk[/admin/reassign_partitions])
		expect zk[/brokers/topics/t].data.partitions.0 = [1,0]
		expect zk[/brokers/topics/t].data.adding_replicas.0 = [1]
		expect zk[/brokers/topics/t].data.removing_replicas.0 = [0]`)
	s.state("t-0", "leader=0 leader_epoch=1 isr=[0] controller_epoch=1 version=1")
}

// CTL-15: a preferred election by the znode, after the preferred broker was away.
func TestCTL_15(t *testing.T) {
	s := cluster(t, 2)
	s.play(`
		topic create t [1,0]
		until idle
		broker stop 1
		until idle`)
	s.state("t-0", "leader=0 leader_epoch=1 isr=[0] controller_epoch=1 version=1")
	s.play(`
		broker start 1
		until idle
		expect zk[/brokers/topics/t/partitions/0/state].data.isr = [0,1]
		zk create /admin/preferred_replica_election {"version":1,"partitions":[{"topic":"t","partition":0}]}
		until idle
		expect not exists(zk[/admin/preferred_replica_election])`)
	s.state("t-0", "leader=1 leader_epoch=2 isr=[0, 1] controller_epoch=1 version=3")
}

// CTL-18: the automatic rebalance gives leadership back.
func TestCTL_18(t *testing.T) {
	s := cluster(t, 2, "auto.leader.rebalance.enable=true leader.imbalance.check.interval.seconds=1")
	s.play(`
		topic create t [1,0]
		until idle
		broker stop 1
		until idle`)
	s.state("t-0", "leader=0 leader_epoch=1 isr=[0] controller_epoch=1 version=1")
	s.play(`
		broker start 1
		until idle
		clock +10s`)
	s.state("t-0", "leader=1 leader_epoch=2 isr=[0, 1] controller_epoch=1 version=3")
}

// CTL-19: the whole ISR is gone, unclean election is off: no leader, and the ISR stays.
func TestCTL_19(t *testing.T) {
	s := cluster(t, 2)
	s.play(`
		topic create t [1]
		until idle`)
	s.state("t-0", "leader=1 leader_epoch=0 isr=[1] controller_epoch=1 version=0")
	s.play(`
		broker stop 1
		until idle`)
	s.state("t-0", "leader=-1 leader_epoch=1 isr=[1] controller_epoch=1 version=1")
}

// deposed makes broker 1, which does not run, controller of epoch 2 behind broker 0's back, then lets 0 go on.
const deposed = `
		zk delete /controller
		zk create /controller {"version":1,"brokerid":1,"timestamp":"0"}
		zk set /controller_epoch 2
		until idle
		release 0
		until idle
		expect ctl[0].isActive = false
		expect ctl[0].active = 1`

// CTL-23: a controller that was deposed resigns while it handles the creation of a topic; it writes nothing.
func TestCTL_23(t *testing.T) {
	s := cluster(t, 1)
	s.play(`
		hold 0
		zk create /brokers/topics/t {"version":2,"partitions":{"0":[0]},"adding_replicas":{},"removing_replicas":{}}
		until idle` + deposed + `
		expect not exists(zk[/brokers/topics/t/partitions])
		expect zk[/brokers/topics/t].version = 0
		expect not exists(zk[/brokers/topics/t].data.topic_id)`)
	require.Equal(t, 1, s.count("step.msg = controller.moved and step.entity = TopicChange"))
}

// CTL-25: a controller that was deposed resigns while it handles a preferred election; the znode stays.
func TestCTL_25(t *testing.T) {
	s := cluster(t, 1)
	s.play(`
		topic create t [0]
		until idle
		hold 0
		zk create /admin/preferred_replica_election {"version":1,"partitions":[{"topic":"t","partition":0}]}
		until idle` + deposed + `
		expect exists(zk[/admin/preferred_replica_election])`)
	require.Equal(t, 1, s.count("step.msg = controller.moved and step.entity = ReplicaLeaderElection"))
}

// features starts one broker under a protocol, over a feature znode if one is given, and says what /feature is then.
func features(t *testing.T, protocol, before, after string) {
	s := tell(t, "cluster brokers=0 inter.broker.protocol.version="+protocol)
	if before != "" {
		s.play("zk create /feature " + before + "\nuntil idle")
	}
	s.play("broker start 0\nuntil idle\nexpect ctl[0].isActive\nexpect zk[/feature].version = 0")
	data, _ := s.node("/feature")
	require.JSONEq(t, after, data)
}

const (
	enabled  = `{"version":1,"status":1,"features":{}}`
	disabled = `{"version":1,"status":0,"features":{}}`
)

// CTL-27: protocol 2.7-IV0, no feature znode: it is created enabled.
func TestCTL_27(t *testing.T) { features(t, "2.7-IV0", "", enabled) }

// CTL-29: protocol 2.7-IV0, an enabled feature znode: it stays.
func TestCTL_29(t *testing.T) { features(t, "2.7-IV0", enabled, enabled) }

// CTL-30: protocol 2.6-IV0, no feature znode: it is created disabled.
func TestCTL_30(t *testing.T) { features(t, "2.6-IV0", "", disabled) }

// CTL-31: protocol 2.6-IV0, a disabled feature znode: it stays.
func TestCTL_31(t *testing.T) { features(t, "2.6-IV0", disabled, disabled) }

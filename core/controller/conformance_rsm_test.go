package controller

import (
	"testing"

	"github.com/stretchr/testify/require"

	"controllerscope/core/kafka"
)

// The cases of Kafka's ReplicaStateMachineTest, by id. The fixture is that of the partition machine.

var t0on5 = kafka.PartitionReplica{TopicPartition: t0, Replica: 5}

// replicaIn is the fixture with replica (t-0, 5) in a state, unless that is NonExistentReplica.
func replicaIn(t *testing.T, from kafka.ReplicaState, alive ...kafka.BrokerID) (*world, *proc) {
	w, p := fixture(t, alive...)
	if from != kafka.NonExistentReplica {
		p.ctl.ctx.putReplicaState(t0on5, from)
	}
	w.forgetLog()
	return w, p
}

// moveReplica moves the replica and returns what it is then; the call itself must not fail.
func moveReplica(t *testing.T, p *proc, to kafka.ReplicaState) kafka.ReplicaState {
	p.within(func() { require.NoError(t, p.ctl.rsm.handleStateChanges([]kafka.PartitionReplica{t0on5}, to)) })
	return p.ctl.ctx.replicaState(t0on5)
}

// refused holds that a move changes nothing: no request to ZooKeeper, none to a broker, no error.
func refused(t *testing.T, from, to kafka.ReplicaState) {
	t.Helper()
	w, p := replicaIn(t, from, 5)
	require.Equal(t, from, moveReplica(t, p, to))
	require.Empty(t, w.asked)
	require.Empty(t, w.sent)
}

// moves holds that a move is legal.
func moves(t *testing.T, from, to kafka.ReplicaState) {
	t.Helper()
	_, p := replicaIn(t, from, 5)
	require.Equal(t, to, moveReplica(t, p, to))
}

// cached gives t-0 the assignment [5] and a leadership that only the context knows.
func cached(t *testing.T, p *proc) kafka.LeaderAndIsr {
	l := kafka.LeaderAndIsr{Leader: 5, ISR: ids(5)}
	require.NoError(t, p.ctl.ctx.putAssignment(t0, replicas(5)))
	require.NoError(t, p.ctl.ctx.putLeadership(t0, kafka.Leadership{LeaderAndIsr: l, ControllerEpoch: 50}))
	return l
}

// RSM-01: at startup replicas on live brokers are Online.
func TestRSM_01(t *testing.T) {
	_, p := fixture(t, 5)
	require.NoError(t, p.ctl.ctx.putAssignment(t0, replicas(5)))
	p.within(func() { require.NoError(t, p.ctl.rsm.startup()) })
	require.Equal(t, kafka.OnlineReplica, p.ctl.ctx.replicaState(t0on5))
}

// RSM-02: at startup replicas on dead brokers are Offline.
func TestRSM_02(t *testing.T) {
	_, p := fixture(t)
	require.NoError(t, p.ctl.ctx.putAssignment(t0, replicas(5)))
	p.within(func() { require.NoError(t, p.ctl.rsm.startup()) })
	require.Equal(t, kafka.OfflineReplica, p.ctl.ctx.replicaState(t0on5))
}

// RSM-04: NonExistent to New is legal; without leadership no broker is told.
func TestRSM_04(t *testing.T) {
	w, p := replicaIn(t, kafka.NonExistentReplica, 5)
	require.Equal(t, kafka.NewReplica, moveReplica(t, p, kafka.NewReplica))
	require.Empty(t, w.sent)
}

// RSM-11: New to Online is legal; the broker was told when it became new, and the assignment stays.
func TestRSM_11(t *testing.T) {
	w, p := replicaIn(t, kafka.NewReplica, 5)
	require.NoError(t, p.ctl.ctx.putAssignment(t0, replicas(5)))
	require.Equal(t, kafka.OnlineReplica, moveReplica(t, p, kafka.OnlineReplica))
	require.Empty(t, w.sent)
	require.Equal(t, replicas(5), p.ctl.ctx.assignment(t0))
}

// RSM-12: New to Offline stops the replica; without a leader it refreshes metadata, and ZooKeeper is not touched.
func TestRSM_12(t *testing.T) {
	w, p := replicaIn(t, kafka.NewReplica, 5)
	require.Equal(t, kafka.OfflineReplica, moveReplica(t, p, kafka.OfflineReplica))
	require.Equal(t, []string{"UpdateMetadata>5 live=[5]", "StopReplica>5 t-0 epoch=-1 delete=false"}, w.sent,
		"a partition without leadership is left out of the metadata")
	require.Empty(t, w.asked)
}

// RSM-18: Online to Online sends the cached leadership again.
func TestRSM_18(t *testing.T) { resends(t, kafka.OnlineReplica) }

// RSM-25: Offline to Online sends the cached leadership again.
func TestRSM_25(t *testing.T) { resends(t, kafka.OfflineReplica) }

func resends(t *testing.T, from kafka.ReplicaState) {
	w, p := replicaIn(t, from, 5)
	l := cached(t, p)
	require.Equal(t, kafka.OnlineReplica, moveReplica(t, p, kafka.OnlineReplica))
	require.Equal(t, []string{"LeaderAndIsr>5 t-0 5/[5]/0 new=false", "UpdateMetadata>5 live=[5]; t-0 5/[5]/0 offline=[]"}, w.sent)
	require.Equal(t, request0{50, l, 50, replicas(5), false}, lastLeaderAndIsr(t, p))
	require.Empty(t, w.asked)
}

// RSM-26: Offline to DeletionStarted sends a StopReplica that deletes.
func TestRSM_26(t *testing.T) {
	w, p := replicaIn(t, kafka.OfflineReplica, 5)
	require.Equal(t, kafka.ReplicaDeletionStarted, moveReplica(t, p, kafka.ReplicaDeletionStarted))
	require.Equal(t, []string{"StopReplica>5 t-0 epoch=-1 delete=true"}, w.sent)
	require.Empty(t, w.asked)
}

// RSM-33: DeletionStarted to DeletionIneligible is legal.
func TestRSM_33(t *testing.T) {
	moves(t, kafka.ReplicaDeletionStarted, kafka.ReplicaDeletionIneligible)
}

// RSM-34: DeletionStarted to DeletionSuccessful is legal.
func TestRSM_34(t *testing.T) {
	moves(t, kafka.ReplicaDeletionStarted, kafka.ReplicaDeletionSuccessful)
}

// The refused moves; none of them touches ZooKeeper or a broker.

// RSM-05: NonExistentReplica to OnlineReplica is refused.
func TestRSM_05(t *testing.T) { refused(t, kafka.NonExistentReplica, kafka.OnlineReplica) }

// RSM-07: NonExistentReplica to ReplicaDeletionStarted is refused.
func TestRSM_07(t *testing.T) { refused(t, kafka.NonExistentReplica, kafka.ReplicaDeletionStarted) }

// RSM-09: NonExistentReplica to ReplicaDeletionSuccessful is refused.
func TestRSM_09(t *testing.T) { refused(t, kafka.NonExistentReplica, kafka.ReplicaDeletionSuccessful) }

// RSM-10: NewReplica to NonExistentReplica is refused.
func TestRSM_10(t *testing.T) { refused(t, kafka.NewReplica, kafka.NonExistentReplica) }

// RSM-14: NewReplica to ReplicaDeletionIneligible is refused.
func TestRSM_14(t *testing.T) { refused(t, kafka.NewReplica, kafka.ReplicaDeletionIneligible) }

// RSM-15: NewReplica to ReplicaDeletionSuccessful is refused.
func TestRSM_15(t *testing.T) { refused(t, kafka.NewReplica, kafka.ReplicaDeletionSuccessful) }

// RSM-16: OnlineReplica to NonExistentReplica is refused.
func TestRSM_16(t *testing.T) { refused(t, kafka.OnlineReplica, kafka.NonExistentReplica) }

// RSM-17: OnlineReplica to NewReplica is refused.
func TestRSM_17(t *testing.T) { refused(t, kafka.OnlineReplica, kafka.NewReplica) }

// RSM-22: OnlineReplica to ReplicaDeletionSuccessful is refused.
func TestRSM_22(t *testing.T) { refused(t, kafka.OnlineReplica, kafka.ReplicaDeletionSuccessful) }

// RSM-23: OfflineReplica to NonExistentReplica is refused.
func TestRSM_23(t *testing.T) { refused(t, kafka.OfflineReplica, kafka.NonExistentReplica) }

// RSM-24: OfflineReplica to NewReplica is refused.
func TestRSM_24(t *testing.T) { refused(t, kafka.OfflineReplica, kafka.NewReplica) }

// RSM-29: ReplicaDeletionStarted to NonExistentReplica is refused.
func TestRSM_29(t *testing.T) { refused(t, kafka.ReplicaDeletionStarted, kafka.NonExistentReplica) }

// RSM-30: ReplicaDeletionStarted to NewReplica is refused.
func TestRSM_30(t *testing.T) { refused(t, kafka.ReplicaDeletionStarted, kafka.NewReplica) }

// RSM-36: ReplicaDeletionSuccessful to NewReplica is refused.
func TestRSM_36(t *testing.T) { refused(t, kafka.ReplicaDeletionSuccessful, kafka.NewReplica) }

// RSM-37: ReplicaDeletionSuccessful to OnlineReplica is refused.
func TestRSM_37(t *testing.T) { refused(t, kafka.ReplicaDeletionSuccessful, kafka.OnlineReplica) }

// RSM-42: ReplicaDeletionIneligible to NewReplica is refused.
func TestRSM_42(t *testing.T) { refused(t, kafka.ReplicaDeletionIneligible, kafka.NewReplica) }

// RSM-45: ReplicaDeletionIneligible to ReplicaDeletionSuccessful is refused.
func TestRSM_45(t *testing.T) {
	refused(t, kafka.ReplicaDeletionIneligible, kafka.ReplicaDeletionSuccessful)
}

package controller

import (
	"testing"

	"github.com/stretchr/testify/require"

	"controllerscope/core/env"
	"controllerscope/core/kafka"
)

// machines is a controller in office over one topic with one partition on brokers 1 and 2.
func machines(t *testing.T) (*world, *proc) {
	w := newWorld(t)
	w.blind = true
	one := w.start(1)
	w.start(2)
	w.start(3)
	w.topic("a", ids(1, 2))
	w.forgetLog()
	return w, one
}

// within runs f on a thread of the process, as the controller thread would.
func (p *proc) within(f func()) {
	p.Go("test", f)
	p.w.run()
}

// All pairs: an illegal move changes nothing and is noted; a legal one that needs no election ends in its target.
func TestPartitionMachineAllPairs(t *testing.T) {
	for _, from := range kafka.PartitionStates() {
		for _, to := range kafka.PartitionStates() {
			t.Run(from.String()+" to "+to.String(), func(t *testing.T) {
				w, p := machines(t)
				w.blind = from != kafka.OfflinePartition
				tp := tpOf("a", 0)
				p.ctl.ctx.putPartitionState(tp, from)
				var err error
				p.within(func() { _, err = p.ctl.psm.handleStateChanges([]kafka.TopicPartition{tp}, to, offlineStrategy(false)) })
				require.NoError(t, err)
				want := from
				if from.CanBecome(to) && !(from == kafka.NewPartition && to == kafka.OnlinePartition) {
					want = to
				}
				require.Equal(t, want, p.ctl.ctx.partitionState(tp), "a state znode that exists keeps a new partition new")
				if !from.CanBecome(to) {
					require.Equal(t, []string{"psm.invalid"}, w.keys(env.SmRefuse))
				}
			})
		}
	}
}

func TestReplicaMachineAllPairs(t *testing.T) {
	for _, from := range kafka.ReplicaStates() {
		for _, to := range kafka.ReplicaStates() {
			t.Run(from.String()+" to "+to.String(), func(t *testing.T) {
				w, p := machines(t)
				w.blind = from != kafka.OfflineReplica
				r := kafka.PartitionReplica{TopicPartition: tpOf("a", 0), Replica: 2}
				p.ctl.ctx.putReplicaState(r, from)
				p.within(func() { require.NoError(t, p.ctl.rsm.handleStateChanges([]kafka.PartitionReplica{r}, to)) })
				got := p.ctl.ctx.replicaState(r)
				switch {
				case !from.CanBecome(to):
					require.Equal(t, from, got)
					require.Equal(t, []string{"rsm.invalid"}, w.keys(env.SmRefuse))
				case to == kafka.NonExistentReplica:
					require.Zero(t, got)
					require.Equal(t, ids(1), p.ctl.ctx.assignment(r.TopicPartition).Replicas)
				default:
					require.Equal(t, to, got)
				}
			})
		}
	}
}

func TestRequestsOfReplicaMoves(t *testing.T) {
	for _, c := range []struct {
		replica  kafka.BrokerID
		from, to kafka.ReplicaState
		want     []string // to broker 2
		state    kafka.ReplicaState
	}{
		{2, kafka.NonExistentReplica, kafka.NewReplica, []string{"LeaderAndIsr>2 a-0 1/[1 2]/0 new=true", "UpdateMetadata>2 live=[1 2 3]; a-0 1/[1 2]/0 offline=[]"}, kafka.NewReplica},
		{1, kafka.NonExistentReplica, kafka.NewReplica, nil, kafka.NonExistentReplica}, // the leader cannot become new
		{2, kafka.NewReplica, kafka.OnlineReplica, nil, kafka.OnlineReplica},
		{2, kafka.OfflineReplica, kafka.OnlineReplica, []string{"LeaderAndIsr>2 a-0 1/[1 2]/0 new=false", "UpdateMetadata>2 live=[1 2 3]; a-0 1/[1 2]/0 offline=[]"}, kafka.OnlineReplica},
		{2, kafka.OnlineReplica, kafka.OfflineReplica, []string{"UpdateMetadata>2 live=[1 2 3]; a-0 1/[1]/1 offline=[]", "StopReplica>2 a-0 epoch=0 delete=false"}, kafka.OfflineReplica},
		{2, kafka.OfflineReplica, kafka.ReplicaDeletionStarted, []string{"StopReplica>2 a-0 epoch=0 delete=true"}, kafka.ReplicaDeletionStarted},
		{2, kafka.ReplicaDeletionStarted, kafka.ReplicaDeletionIneligible, nil, kafka.ReplicaDeletionIneligible},
	} {
		w, p := machines(t)
		r := kafka.PartitionReplica{TopicPartition: tpOf("a", 0), Replica: c.replica}
		p.ctl.ctx.putReplicaState(r, c.from)
		p.within(func() { require.NoError(t, p.ctl.rsm.handleStateChanges([]kafka.PartitionReplica{r}, c.to)) })
		require.Equal(t, c.want, w.to(2), "%s to %s", c.from, c.to)
		require.Equal(t, c.state, p.ctl.ctx.replicaState(r))
	}
}

// The ISR never becomes empty, and a leader that leaves leaves no leader.
func TestWithoutReplica(t *testing.T) {
	for _, c := range []struct {
		before string
		l      kafka.LeaderAndIsr
		b      kafka.BrokerID
		want   string
	}{
		{"follower", kafka.LeaderAndIsr{Leader: 1, ISR: ids(1, 2, 3)}, 3, "1/[1 2]/1"},
		{"leader", kafka.LeaderAndIsr{Leader: 1, ISR: ids(1, 2, 3)}, 1, "-1/[2 3]/1"},
		{"last", kafka.LeaderAndIsr{Leader: 1, ISR: ids(1), LeaderEpoch: 4}, 1, "-1/[1]/5"},
	} {
		require.Equal(t, c.want, stateText(withoutReplica(c.l, c.b)), c.before)
	}
}

// A version conflict is tried again with a fresh read; "nobody can lead" is final.
func TestElectionRetriesVersionConflictsOnly(t *testing.T) {
	w, one, two, _ := onThree(t, "a", ids(2, 1))
	conflicts := 2
	w.hold = func(p *proc, ops []zkOp) {
		if p == one && conflicts > 0 && isStateWrite(ops[0]) {
			conflicts--
			data, _, _ := w.store.Node("/brokers/topics/a/partitions/0/state")
			w.doQuietly(zkOp{Kind: zkSet, Path: "/brokers/topics/a/partitions/0/state", Data: data, Version: -1})
		}
	}
	w.kill(two)
	require.Equal(t, "1/[1]/1", w.state("a-0"))
	require.Equal(t, []string{"psm.again", "psm.again"}, w.keys(env.SmRefuse))
}

package controller

import (
	"controllerscope/core/env"
	"controllerscope/core/kafka"
	"controllerscope/core/zkclient"
	"controllerscope/core/zkdata"
)

// removeReplicasFromIsr takes broker b out of the ISRs and tries again where a znode had changed in between. It returns
// the leadership of every partition that is as it should be afterwards, also where nothing had to be written.
// Kafka: ReplicaStateMachine.removeReplicasFromIsr.
func (m *replicaStateMachine) removeReplicasFromIsr(b kafka.BrokerID, tps []kafka.TopicPartition) (map[kafka.TopicPartition]kafka.Leadership, error) {
	done := map[kafka.TopicPartition]kafka.Leadership{}
	for len(tps) > 0 {
		again, err := m.removeOnce(b, tps, done)
		if err != nil {
			return nil, err
		}
		tps = again
	}
	return done, nil
}

// removeOnce is one round: read, write where b is in the ISR, remember. Kafka: doRemoveReplicasFromIsr.
func (m *replicaStateMachine) removeOnce(b kafka.BrokerID, tps []kafka.TopicPartition, done map[kafka.TopicPartition]kafka.Leadership) ([]kafka.TopicPartition, error) {
	x := m.c.ctx
	answers, err := m.c.zk.GetTopicPartitionStatesRaw(tps)
	if err != nil {
		for _, tp := range tps {
			m.failed(tp, b, err)
		}
		return nil, nil
	}
	var updates []zkclient.PartitionLeaderAndIsr
	read := 0 // what was put into a map that the updates are taken from
	for i, tp := range tps {
		info, ok, err := decodeState(tp, answers[i])
		switch {
		case err != nil:
			m.failed(tp, b, err)
		case !ok && x.isTopicQueuedUpForDeletion(tp.Topic):
			// dropped without a word, and its replica keeps its state
		case !ok:
			m.failed(tp, b, stateChangeFailed("failed to change state of replica %d for partition %s since the leader and isr path is empty in ZooKeeper", b, tp))
		case info.ControllerEpoch > x.epoch:
			m.failed(tp, b, stateChangeFailed("leader and isr path of %s was written by another controller: its epoch is %d, ours is %d",
				tp, info.ControllerEpoch, x.epoch))
		case !contains(info.ISR, b):
			read++
			done[tp] = kafka.Leadership{LeaderAndIsr: info.LeaderAndIsr, ControllerEpoch: x.epoch}
			if err := x.putLeadership(tp, done[tp]); err != nil {
				return nil, err
			}
		default:
			read++
			shrunk := withoutReplica(info.LeaderAndIsr, b)
			updates = append(updates, zkclient.PartitionLeaderAndIsr{TopicPartition: tp, LeaderAndIsr: shrunk})
			m.noteShrink(tp, b, info.LeaderAndIsr, shrunk)
		}
	}
	m.c.j.flush("broker "+b.String(), "rsm.notInIsr", env.A("broker", env.Int(b)))
	written, err := m.c.zk.UpdateLeaderAndIsr(m.c.inMapOrder(updates, func(tps []kafka.TopicPartition) []kafka.TopicPartition {
		return x.order.PartitionSubset(read, kafka.PartitionOrder(x.order, tps, nil))
	}), x.epoch, m.c.fence())
	if err != nil {
		return nil, err
	}
	for _, f := range written.Finished {
		if f.Err != nil {
			m.failed(f.TopicPartition, b, f.Err)
			continue
		}
		done[f.TopicPartition] = kafka.Leadership{LeaderAndIsr: f.LeaderAndIsr, ControllerEpoch: x.epoch}
		if err := x.putLeadership(f.TopicPartition, done[f.TopicPartition]); err != nil {
			return nil, err
		}
	}
	m.c.j.flush("broker "+b.String(), "rsm.stored", env.A("broker", env.Int(b)))
	return written.PartitionsToRetry, nil
}

// inMapOrder puts updates into the order of the map that Kafka takes them from: an immutable Map after an election; for ISRs that
// shrink, what is left of one that was made from a mutable.HashMap (getTopicPartitionStatesFromZk); a mutable.HashMap for those
// that leaders propose.
func (c *Controller) inMapOrder(updates []zkclient.PartitionLeaderAndIsr, order func([]kafka.TopicPartition) []kafka.TopicPartition) []zkclient.PartitionLeaderAndIsr {
	if c.cfg.Order != kafka.Scala || len(updates) < 2 {
		return updates
	}
	byPartition := map[kafka.TopicPartition]zkclient.PartitionLeaderAndIsr{}
	var tps []kafka.TopicPartition
	for _, u := range updates {
		byPartition[u.TopicPartition] = u
		tps = append(tps, u.TopicPartition)
	}
	out := make([]zkclient.PartitionLeaderAndIsr, 0, len(updates))
	for _, tp := range order(tps) {
		out = append(out, byPartition[tp])
	}
	return out
}

// withoutReplica is the state after b has left: no leader if it led; the last member of the ISR stays listed.
func withoutReplica(l kafka.LeaderAndIsr, b kafka.BrokerID) kafka.LeaderAndIsr {
	if l.Leader == b {
		l.Leader = kafka.NoLeader
	}
	if len(l.ISR) > 1 {
		l.ISR = kafka.Without(l.ISR, []kafka.BrokerID{b})
	}
	l.LeaderEpoch++
	return l
}

func (m *replicaStateMachine) noteShrink(tp kafka.TopicPartition, b kafka.BrokerID, before, after kafka.LeaderAndIsr) {
	if m.c.j.on() {
		m.c.j.because(env.CtxSet, tp.String(), "rsm.shrinkIsr", []env.Path{env.P("zk", zkdata.TopicPartitionStatePath(tp), "data")},
			env.A("broker", env.Int(b)), env.A("isrBefore", env.Ints(before.ISR)), env.A("isr", env.Ints(after.ISR)),
			env.A("leader", env.Int(after.Leader)), env.A("leaderEpoch", env.Int(after.LeaderEpoch)))
	}
}

// failed notes a replica that could not be taken offline. Kafka: ReplicaStateMachine.logFailedStateChange.
func (m *replicaStateMachine) failed(tp kafka.TopicPartition, b kafka.BrokerID, err error) {
	m.refuse(kafka.PartitionReplica{TopicPartition: tp, Replica: b}, kafka.OfflineReplica, "rsm.failed", env.A("error", err.Error()))
}

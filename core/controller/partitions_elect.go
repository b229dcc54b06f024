package controller

import (
	"controllerscope/core/env"
	"controllerscope/core/kafka"
	"controllerscope/core/zk"
	"controllerscope/core/zkclient"
	"controllerscope/core/zkdata"
)

// electLeaders elects until no partition is left to try again; only a version conflict is tried again, without limit.
// Kafka: PartitionStateMachine.electLeaderForPartitions.
func (m *partitionStateMachine) electLeaders(tps []kafka.TopicPartition, s *strategy) (map[kafka.TopicPartition]electionResult, error) {
	if s == nil {
		return nil, illegalState("an election needs a strategy")
	}
	results := make(map[kafka.TopicPartition]electionResult, len(tps))
	for len(tps) > 0 {
		again, err := m.electOnce(tps, s, results)
		if err != nil {
			return nil, err
		}
		for _, tp := range tps {
			if r, done := results[tp]; done && r.err != nil {
				m.failed(tp, kafka.OnlinePartition, r.err)
			}
		}
		tps = again
	}
	return results, nil
}

// candidate is a partition whose state znode was read and may be changed.
type candidate struct {
	tp    kafka.TopicPartition
	state kafka.LeaderAndIsr
}

// electOnce reads the states from ZooKeeper, chooses, writes, and puts what was written into the batch. It returns the
// partitions whose znode had changed in between. Kafka: doElectLeaderForPartitions.
func (m *partitionStateMachine) electOnce(tps []kafka.TopicPartition, s *strategy, results map[kafka.TopicPartition]electionResult) ([]kafka.TopicPartition, error) {
	candidates, err := m.readCandidates(tps, results)
	if err != nil {
		for _, tp := range tps {
			results[tp] = electionResult{err: err}
		}
		return nil, nil
	}
	if len(candidates) == 0 {
		return nil, nil
	}
	unclean := map[kafka.TopicPartition]uncleanPermission{}
	if s.kind == offlineElection {
		if unclean, err = m.collectUncleanLeaderElectionState(candidates, s.allowUnclean, results); err != nil {
			return nil, err
		}
	}
	recipients := map[kafka.TopicPartition][]kafka.BrokerID{}
	var updates []zkclient.PartitionLeaderAndIsr
	for _, c := range candidates {
		if _, done := results[c.tp]; done {
			continue // its config could not be read
		}
		chosen, ok := m.choose(s, c, unclean[c.tp])
		if !ok {
			results[c.tp] = electionResult{err: stateChangeFailed("failed to elect a leader for %s under the strategy %s", c.tp, s.kind)}
			continue
		}
		recipients[c.tp] = chosen.Recipients
		updates = append(updates, zkclient.PartitionLeaderAndIsr{TopicPartition: c.tp, LeaderAndIsr: chosen.Next})
	}
	return m.writeElected(updates, recipients, results)
}

// writeElected stores the elected states, each only if its znode is as it was read.
func (m *partitionStateMachine) writeElected(updates []zkclient.PartitionLeaderAndIsr, recipients map[kafka.TopicPartition][]kafka.BrokerID,
	results map[kafka.TopicPartition]electionResult) ([]kafka.TopicPartition, error) {
	x := m.c.ctx
	written, err := m.c.zk.UpdateLeaderAndIsr(m.c.inMapOrder(updates, m.c.cfg.Order.PartitionSet), x.epoch, m.c.fence())
	if err != nil {
		return nil, err
	}
	for _, f := range written.Finished {
		results[f.TopicPartition] = electionResult{info: f.LeaderAndIsr, err: f.Err}
		if f.Err != nil {
			continue
		}
		info := kafka.Leadership{LeaderAndIsr: f.LeaderAndIsr, ControllerEpoch: x.epoch}
		if err := x.putLeadership(f.TopicPartition, info); err != nil {
			return nil, err
		}
		m.batch.addLeaderAndIsr(recipients[f.TopicPartition], f.TopicPartition, info, x.assignment(f.TopicPartition), false)
	}
	m.batch.show("psm.stored")
	for _, tp := range written.PartitionsToRetry {
		if m.c.j.on() {
			m.c.j.note(env.SmRefuse, tp.String(), "psm.again", env.A("from", x.partitionState(tp).String()), env.A("to", kafka.OnlinePartition.String()))
		}
	}
	return written.PartitionsToRetry, nil
}

// readCandidates reads the state znodes in one batch; what may not be changed is put into results.
func (m *partitionStateMachine) readCandidates(tps []kafka.TopicPartition, results map[kafka.TopicPartition]electionResult) ([]candidate, error) {
	answers, err := m.c.zk.GetTopicPartitionStatesRaw(tps)
	if err != nil {
		return nil, err
	}
	var out []candidate
	for i, tp := range tps {
		info, ok, err := decodeState(tp, answers[i])
		switch {
		case err != nil:
			results[tp] = electionResult{err: err}
		case !ok:
			results[tp] = electionResult{err: stateChangeFailed("LeaderAndIsr information doesn't exist for %s", tp)}
		case info.ControllerEpoch > m.c.ctx.epoch:
			results[tp] = electionResult{err: stateChangeFailed("%s was written by a newer controller with epoch %d; ours is %d",
				tp, info.ControllerEpoch, m.c.ctx.epoch)}
		default:
			out = append(out, candidate{tp, info.LeaderAndIsr})
		}
	}
	return out, nil
}

// decodeState reads one answer: ok is false for a missing znode and for one that is not JSON.
func decodeState(tp kafka.TopicPartition, r zk.Result) (info kafka.Leadership, ok bool, err error) {
	switch r.Err {
	case zk.OK:
		return zkdata.DecodeTopicPartitionState(tp, r.Data, r.Stat.Version)
	case zk.NoNode:
		return info, false, nil
	}
	return info, false, &zkclient.Error{Code: r.Err, Path: zkdata.TopicPartitionStatePath(tp)}
}

// uncleanPermission says whether a leader outside the ISR may be chosen, and who said so.
type uncleanPermission struct {
	allowed bool
	source  string
}

// collectUncleanLeaderElectionState finds out for which partitions a leader outside the ISR may be chosen: only where no
// ISR member is online. Unless the caller permits it, the topic's configuration is read from ZooKeeper now, over the
// broker's. Kafka: PartitionStateMachine.collectUncleanLeaderElectionState.
func (m *partitionStateMachine) collectUncleanLeaderElectionState(candidates []candidate, allow bool,
	results map[kafka.TopicPartition]electionResult) (map[kafka.TopicPartition]uncleanPermission, error) {
	permissions := map[kafka.TopicPartition]uncleanPermission{}
	var ask []candidate
	for _, c := range candidates {
		online := keep(c.state.ISR, func(b kafka.BrokerID) bool { return m.c.ctx.isReplicaOnline(b, c.tp) })
		switch {
		case len(online) > 0:
		case allow:
			permissions[c.tp] = uncleanPermission{true, "request"}
		default:
			ask = append(ask, c)
		}
	}
	if len(ask) == 0 {
		return permissions, nil
	}
	topics := []string{}
	seen := set[string]{}
	for _, c := range ask {
		if !seen.has(c.tp.Topic) {
			seen.add(c.tp.Topic)
			topics = append(topics, c.tp.Topic)
		}
	}
	configs, failed, err := m.c.zk.GetLogConfigs(topics)
	if err != nil {
		return nil, err
	}
	for _, c := range ask {
		if err := failed[c.tp.Topic]; err != nil {
			results[c.tp] = electionResult{err: err}
			continue
		}
		permissions[c.tp] = uncleanPermission{m.c.cfg.UncleanLeaderElection, "broker"}
		if v, set := configs[c.tp.Topic][uncleanLeaderElectionConfig]; set {
			permissions[c.tp] = uncleanPermission{v == "true", "topic"}
		}
	}
	return permissions, nil
}

const uncleanLeaderElectionConfig = "unclean.leader.election.enable"

// createStates creates the state znodes of new partitions; the result holds one error, or nil, per partition.
func (c *Controller) createStates(tps []kafka.TopicPartition, states map[kafka.TopicPartition]kafka.Leadership) ([]error, error) {
	list := make([]zkclient.PartitionLeadership, len(tps))
	for i, tp := range tps {
		list[i] = zkclient.PartitionLeadership{TopicPartition: tp, Leadership: states[tp]}
	}
	answers, err := c.zk.CreateTopicPartitionStatesRaw(list, c.fence())
	if err != nil {
		return nil, err
	}
	codes := make([]error, len(tps))
	for i, tp := range tps {
		if answers[i].Err != zk.OK {
			codes[i] = &zkclient.Error{Code: answers[i].Err, Path: zkdata.TopicPartitionStatePath(tp)}
		}
	}
	return codes, nil
}

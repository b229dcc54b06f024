package controller

import (
	"controllerscope/core/env"
	"controllerscope/core/kafka"
)

// partitionStateMachine moves partitions between their four states; the move to OnlinePartition creates or elects.
// Kafka: ZkPartitionStateMachine.
type partitionStateMachine struct {
	c     *Controller
	batch *requestBatch
}

// electionResult is the outcome of an election for one partition: the new leadership, or why there is none.
type electionResult struct {
	info kafka.LeaderAndIsr
	err  error
}

// startup gives every assigned partition its first state from what the context knows, then tries to bring online what is
// not. Kafka: PartitionStateMachine.startup, initializePartitionState.
func (m *partitionStateMachine) startup() error {
	x := m.c.ctx
	for _, tp := range x.allPartitions() {
		info, ok := x.leadership(tp)
		switch {
		case !ok:
			x.putPartitionState(tp, kafka.NewPartition)
		case x.isReplicaOnline(info.Leader, tp):
			x.putPartitionState(tp, kafka.OnlinePartition)
		default:
			x.putPartitionState(tp, kafka.OfflinePartition)
		}
	}
	m.c.j.flush("", "psm.startup")
	return m.triggerOnlinePartitionStateChange()
}

// triggerOnlinePartitionStateChange tries to bring every New or Offline partition online, topics queued for deletion left
// out. Kafka: PartitionStateMachine.triggerOnlinePartitionStateChange.
func (m *partitionStateMachine) triggerOnlinePartitionStateChange() error {
	return m.triggerOnline(m.c.ctx.partitionsNewOrOffline())
}

// triggerOnlineForTopic does so for one topic's assigned partitions.
func (m *partitionStateMachine) triggerOnlineForTopic(topic string) error {
	return m.triggerOnline(keep(m.c.ctx.partitionsForTopic(topic), func(tp kafka.TopicPartition) bool {
		s := m.c.ctx.partitionState(tp)
		return s == kafka.NewPartition || s == kafka.OfflinePartition
	}))
}

func (m *partitionStateMachine) triggerOnline(tps []kafka.TopicPartition) error {
	left := keep(tps, func(tp kafka.TopicPartition) bool { return !m.c.ctx.isTopicQueuedUpForDeletion(tp.Topic) })
	tps = m.c.cfg.Order.PartitionSubset(len(tps), left)
	_, err := m.handleStateChanges(tps, kafka.OnlinePartition, offlineStrategy(false))
	return err
}

// handleStateChanges moves partitions to target and sends what brokers must know. The result holds only partitions that
// went through an election. Only the loss of the controllership is an error of the call; anything else is noted, and
// every partition is reported as failed with it, also those that had been moved. strategy is needed for OnlinePartition.
// Kafka: PartitionStateMachine.handleStateChanges.
func (m *partitionStateMachine) handleStateChanges(tps []kafka.TopicPartition, target kafka.PartitionState,
	strategy *strategy) (map[kafka.TopicPartition]electionResult, error) {
	if len(tps) == 0 {
		return nil, nil
	}
	results, err := m.change(tps, target, strategy)
	if err == nil {
		return results, nil
	}
	m.batch.show("batch.add")
	if isMoved(err) {
		m.c.j.note(env.SmRefuse, "", "psm.moved", env.A("target", target.String()), env.A("error", err.Error()))
		return nil, err
	}
	m.c.j.note(env.SmRefuse, "", "psm.error", env.A("target", target.String()), m.c.j.partitionArg("partitions", tps), env.A("error", err.Error()))
	results = map[kafka.TopicPartition]electionResult{}
	for _, tp := range tps {
		results[tp] = electionResult{err: err}
	}
	return results, nil
}

func (m *partitionStateMachine) change(tps []kafka.TopicPartition, target kafka.PartitionState, strategy *strategy) (map[kafka.TopicPartition]electionResult, error) {
	if err := m.batch.newBatch(); err != nil {
		return nil, err
	}
	results, err := m.doHandleStateChanges(tps, target, strategy)
	if err != nil {
		return nil, err
	}
	m.batch.sendRequestsToBrokers(m.c.ctx.epoch)
	return results, nil
}

// doHandleStateChanges drops illegal moves and carries out the others. Kafka: doHandleStateChanges.
func (m *partitionStateMachine) doHandleStateChanges(tps []kafka.TopicPartition, target kafka.PartitionState,
	strategy *strategy) (map[kafka.TopicPartition]electionResult, error) {
	x := m.c.ctx
	for _, tp := range tps {
		if !x.hasState(tp) {
			x.putPartitionState(tp, kafka.NonExistentPartition)
		}
	}
	m.c.j.flush("", "psm.known")
	valid := make([]kafka.TopicPartition, 0, len(tps))
	for _, tp := range tps {
		if x.partitionState(tp).CanBecome(target) {
			valid = append(valid, tp)
		} else {
			m.refuse(tp, target, "psm.invalid", nil)
		}
	}
	if target != kafka.OnlinePartition {
		for _, tp := range valid {
			m.move(tp, target)
		}
		return nil, nil
	}
	isNew := func(tp kafka.TopicPartition) bool { return x.partitionState(tp) == kafka.NewPartition }
	fresh := keep(valid, isNew)
	elect := keep(valid, func(tp kafka.TopicPartition) bool { return !isNew(tp) })
	if len(fresh) > 0 {
		created, err := m.initializeLeaderAndIsr(fresh)
		if err != nil {
			return nil, err
		}
		for _, tp := range created {
			m.move(tp, kafka.OnlinePartition)
		}
	}
	if len(elect) == 0 {
		return nil, nil
	}
	results, err := m.electLeaders(elect, strategy)
	if err != nil {
		return nil, err
	}
	for _, tp := range elect {
		if r, ok := results[tp]; ok && r.err == nil {
			m.move(tp, kafka.OnlinePartition)
		}
	}
	return results, nil
}

// initializeLeaderAndIsr gives new partitions their first leadership: the first live replica leads, all live replicas are
// in the ISR, leader epoch 0. Without a live replica a partition stays New. It returns those that were created.
// Kafka: initializeLeaderAndIsrForPartitions.
func (m *partitionStateMachine) initializeLeaderAndIsr(tps []kafka.TopicPartition) ([]kafka.TopicPartition, error) {
	x := m.c.ctx
	states := map[kafka.TopicPartition]kafka.Leadership{}
	var order []kafka.TopicPartition
	for _, tp := range tps {
		live := keep(x.assignment(tp).Replicas, func(b kafka.BrokerID) bool { return x.isReplicaOnline(b, tp) })
		if len(live) == 0 {
			m.refuse(tp, kafka.OnlinePartition, "psm.noLiveReplica", x.factsOf(tp), env.A("replicas", env.Ints(x.assignment(tp).Replicas)))
			continue
		}
		states[tp] = kafka.Leadership{ControllerEpoch: x.epoch,
			LeaderAndIsr: kafka.LeaderAndIsr{Leader: live[0], LeaderEpoch: kafka.InitialLeaderEpoch, ISR: live}}
		order = append(order, tp)
		m.decided(tp, "psm.first", x.factsOf(tp), states[tp].LeaderAndIsr)
	}
	codes, err := m.c.createStates(order, states)
	if isMoved(err) {
		return nil, err
	}
	if err != nil {
		for _, tp := range order {
			m.failed(tp, kafka.OnlinePartition, err)
		}
		return nil, nil
	}
	var created []kafka.TopicPartition
	for i, tp := range order {
		if codes[i] != nil {
			m.failed(tp, kafka.OnlinePartition, codes[i])
			continue
		}
		if err := x.putLeadership(tp, states[tp]); err != nil {
			return nil, err
		}
		m.batch.addLeaderAndIsr(states[tp].ISR, tp, states[tp], x.assignment(tp), true)
		created = append(created, tp)
	}
	m.batch.show("psm.stored")
	return created, nil
}

// move stores a legal move.
func (m *partitionStateMachine) move(tp kafka.TopicPartition, target kafka.PartitionState) {
	from := m.c.ctx.partitionState(tp)
	m.c.ctx.putPartitionState(tp, target)
	if m.c.j.on() {
		m.c.j.note(env.SmMove, tp.String(), "psm.move", env.A("from", from.String()), env.A("to", target.String()))
	}
}

// decided notes which leadership a partition is to get, before it is written.
func (m *partitionStateMachine) decided(tp kafka.TopicPartition, key string, reads []env.Path, l kafka.LeaderAndIsr, args ...env.Arg) {
	if m.c.j.on() {
		m.c.j.because(env.CtxSet, tp.String(), key, reads, append(args, env.A("leader", env.Int(l.Leader)),
			env.A("leaderEpoch", env.Int(l.LeaderEpoch)), env.A("isr", env.Ints(l.ISR)))...)
	}
}

// failed notes a move that was tried and did not come about; the partition keeps its state.
// Kafka: PartitionStateMachine.logFailedStateChange.
func (m *partitionStateMachine) failed(tp kafka.TopicPartition, target kafka.PartitionState, err error) {
	if m.c.j.on() {
		m.refuse(tp, target, "psm.failed", m.facts(tp), env.A("error", err.Error()))
	}
}

func (m *partitionStateMachine) refuse(tp kafka.TopicPartition, target kafka.PartitionState, key string, reads []env.Path, args ...env.Arg) {
	if m.c.j.on() {
		m.c.j.because(env.SmRefuse, tp.String(), key, reads, append([]env.Arg{
			env.A("from", m.c.ctx.partitionState(tp).String()), env.A("to", target.String())}, args...)...)
	}
}

package controller

import (
	"slices"

	"controllerscope/core/env"
	"controllerscope/core/kafka"
)

// replicaStateMachine moves replicas between their seven states. Kafka: ZkReplicaStateMachine.
type replicaStateMachine struct {
	c     *Controller
	batch *requestBatch
}

// startup gives every assigned replica its first state, OnlineReplica or ReplicaDeletionIneligible, then tells the
// online ones what they are and takes the others out of the ISRs. Kafka: ReplicaStateMachine.startup.
func (m *replicaStateMachine) startup() error {
	x := m.c.ctx
	all := x.replicasForPartitions(x.allPartitions())
	online := make([]kafka.PartitionReplica, 0, len(all)) // most often all of them
	var offline []kafka.PartitionReplica
	for _, r := range all {
		if x.isReplicaOnline(r.Replica, r.TopicPartition) {
			x.putReplicaState(r, kafka.OnlineReplica)
			online = append(online, r)
		} else {
			x.putReplicaState(r, kafka.ReplicaDeletionIneligible)
			offline = append(offline, r)
		}
	}
	m.c.j.flush("", "rsm.startup")
	if err := m.handleStateChanges(x.order.ReplicaTable(online), kafka.OnlineReplica); err != nil {
		return err
	}
	return m.handleStateChanges(x.order.ReplicaTable(offline), kafka.OfflineReplica)
}

// handleStateChanges moves replicas to target, broker by broker, and sends what brokers must know.
// Only the loss of the controllership is an error; anything else is noted and swallowed.
// Kafka: ReplicaStateMachine.handleStateChanges.
func (m *replicaStateMachine) handleStateChanges(replicas []kafka.PartitionReplica, target kafka.ReplicaState) error {
	if len(replicas) == 0 {
		return nil
	}
	err := m.change(replicas, target)
	if err == nil {
		return nil
	}
	m.batch.show("batch.add")
	if isMoved(err) {
		m.c.j.note(env.SmRefuse, "", "rsm.moved", env.A("target", target.String()), env.A("error", err.Error()))
		return err
	}
	m.c.j.note(env.SmRefuse, "", "rsm.error", env.A("target", target.String()), env.A("error", err.Error()))
	return nil
}

func (m *replicaStateMachine) change(replicas []kafka.PartitionReplica, target kafka.ReplicaState) error {
	if err := m.batch.newBatch(); err != nil {
		return err
	}
	sizes := map[kafka.BrokerID]int{}
	for _, r := range replicas {
		sizes[r.Replica]++
	}
	groups := map[kafka.BrokerID][]kafka.PartitionReplica{}
	for b, n := range sizes {
		groups[b] = make([]kafka.PartitionReplica, 0, n)
	}
	for _, r := range replicas {
		groups[r.Replica] = append(groups[r.Replica], r)
	}
	for _, b := range m.c.cfg.Order.Grouped(kafka.SortedKeys(groups)) {
		if err := m.doHandleStateChanges(b, groups[b], target); err != nil {
			return err
		}
	}
	m.batch.sendRequestsToBrokers(m.c.ctx.epoch)
	return nil
}

// doHandleStateChanges drops illegal moves and carries out the others, for the replicas of one broker.
// Kafka: doHandleStateChanges.
func (m *replicaStateMachine) doHandleStateChanges(b kafka.BrokerID, replicas []kafka.PartitionReplica, target kafka.ReplicaState) error {
	x := m.c.ctx
	for _, r := range replicas {
		if x.replicaState(r) == 0 {
			x.putReplicaState(r, kafka.NonExistentReplica)
		}
	}
	m.c.j.flush("", "rsm.known")
	valid := make([]kafka.PartitionReplica, 0, len(replicas))
	for _, r := range replicas {
		if x.replicaState(r).CanBecome(target) {
			valid = append(valid, r)
		} else {
			m.refuse(r, target, "rsm.invalid")
		}
	}
	switch target {
	case kafka.NewReplica:
		m.toNew(valid)
	case kafka.OnlineReplica:
		return m.toOnline(valid)
	case kafka.OfflineReplica:
		return m.toOffline(b, valid)
	case kafka.ReplicaDeletionStarted:
		m.toDeletionStarted(valid)
	case kafka.NonExistentReplica:
		return m.toNonExistent(valid)
	default:
		for _, r := range valid {
			m.move(r, target)
		}
	}
	return nil
}

// toNew tells the broker of a replica whose partition has a leader already; a leader cannot become new.
func (m *replicaStateMachine) toNew(replicas []kafka.PartitionReplica) {
	x := m.c.ctx
	moved := keep(replicas, func(r kafka.PartitionReplica) bool {
		info, ok := x.leadership(r.TopicPartition)
		if ok && info.Leader == r.Replica {
			m.refuse(r, kafka.OfflineReplica, "rsm.leaderCannotBeNew") // Kafka's log names this target
			return false
		}
		if ok {
			m.batch.addLeaderAndIsr([]kafka.BrokerID{r.Replica}, r.TopicPartition, info, x.assignment(r.TopicPartition), true)
		}
		return true
	})
	m.batch.show("batch.add")
	for _, r := range moved {
		m.move(r, kafka.NewReplica)
	}
}

// toOnline tells the broker of a replica what its partition's leadership is, unless the replica is new: then it was told
// when the partition was created.
func (m *replicaStateMachine) toOnline(replicas []kafka.PartitionReplica) error {
	x := m.c.ctx
	for _, r := range replicas {
		a := x.assignment(r.TopicPartition)
		if x.replicaState(r) != kafka.NewReplica {
			if info, ok := x.leadership(r.TopicPartition); ok {
				m.batch.addLeaderAndIsr([]kafka.BrokerID{r.Replica}, r.TopicPartition, info, a, false)
			}
		} else if !contains(a.Replicas, r.Replica) {
			m.refuse(r, kafka.OnlineReplica, "rsm.notAssigned")
			a.Replicas = append(slices.Clone(a.Replicas), r.Replica)
			if err := x.putAssignment(r.TopicPartition, a); err != nil {
				return err
			}
		}
	}
	m.batch.show("batch.add")
	for _, r := range replicas {
		m.move(r, kafka.OnlineReplica)
	}
	return nil
}

// toOffline stops the replicas of one broker and takes them out of the ISRs; the other replicas learn of it.
func (m *replicaStateMachine) toOffline(b kafka.BrokerID, replicas []kafka.PartitionReplica) error {
	x := m.c.ctx
	var led, leaderless []kafka.TopicPartition
	for _, r := range replicas {
		m.batch.addStopReplica([]kafka.BrokerID{b}, r.TopicPartition, false)
		if _, ok := x.leadership(r.TopicPartition); ok {
			led = append(led, r.TopicPartition)
		} else {
			leaderless = append(leaderless, r.TopicPartition)
		}
	}
	m.batch.show("batch.add")
	updated, err := m.removeReplicasFromIsr(b, led)
	if err != nil {
		return err
	}
	for _, tp := range led {
		info, ok := updated[tp]
		if ok && !x.isTopicQueuedUpForDeletion(tp.Topic) {
			a := x.assignment(tp)
			m.batch.addLeaderAndIsr(kafka.Without(a.Replicas, []kafka.BrokerID{b}), tp, info, a, false)
		}
	}
	m.batch.show("batch.add")
	for _, tp := range led {
		if _, ok := updated[tp]; ok {
			m.move(kafka.PartitionReplica{TopicPartition: tp, Replica: b}, kafka.OfflineReplica)
		}
	}
	if len(leaderless) > 0 {
		m.batch.addUpdateMetadata(x.liveOrShuttingDownBrokerIDs(), leaderless)
		m.batch.show("batch.add")
	}
	for _, tp := range leaderless {
		m.move(kafka.PartitionReplica{TopicPartition: tp, Replica: b}, kafka.OfflineReplica)
	}
	return nil
}

func (m *replicaStateMachine) toDeletionStarted(replicas []kafka.PartitionReplica) {
	for _, r := range replicas {
		m.batch.addStopReplica([]kafka.BrokerID{r.Replica}, r.TopicPartition, true)
	}
	m.batch.show("batch.add")
	for _, r := range replicas {
		m.move(r, kafka.ReplicaDeletionStarted)
	}
}

// toNonExistent takes the replicas out of the assignments in memory and forgets their states.
func (m *replicaStateMachine) toNonExistent(replicas []kafka.PartitionReplica) error {
	x := m.c.ctx
	for _, r := range replicas {
		if err := x.putAssignment(r.TopicPartition, x.assignment(r.TopicPartition).RemoveReplica(r.Replica)); err != nil {
			return err
		}
		from := x.replicaState(r)
		x.removeReplicaState(r)
		m.noteMove(r, from, kafka.NonExistentReplica)
	}
	return nil
}

func (m *replicaStateMachine) move(r kafka.PartitionReplica, target kafka.ReplicaState) {
	from := m.c.ctx.replicaState(r)
	m.c.ctx.putReplicaState(r, target)
	m.noteMove(r, from, target)
}

func (m *replicaStateMachine) noteMove(r kafka.PartitionReplica, from, to kafka.ReplicaState) {
	if m.c.j.on() {
		m.c.j.note(env.SmMove, r.String(), "rsm.move", env.A("from", from.String()), env.A("to", to.String()))
	}
}

func (m *replicaStateMachine) refuse(r kafka.PartitionReplica, target kafka.ReplicaState, key string, args ...env.Arg) {
	if m.c.j.on() {
		m.c.j.note(env.SmRefuse, r.String(), key, append([]env.Arg{
			env.A("from", m.c.ctx.replicaState(r).String()), env.A("to", target.String())}, args...)...)
	}
}

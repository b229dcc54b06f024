package controller

import (
	"controllerscope/core/env"
	"controllerscope/core/kafka"
	"controllerscope/core/zkdata"
)

// electPendingPreferred runs the elections that the znode asks for, on taking office. It runs also when there is none: its
// clean-up queues the event that watches the znode again. A partition that never had a leader is an error here, and the
// failover ends with it, as in 2.8.2. Kafka: fetchPendingPreferredReplicaElections, onReplicaElection.
func (c *Controller) electPendingPreferred() error {
	listed, err := c.zk.GetPreferredReplicaElection()
	if err != nil {
		return err
	}
	var pending []kafka.TopicPartition
	for _, tp := range c.cfg.Order.PartitionSet(listed) {
		a := c.ctx.assignment(tp)
		if len(a.Replicas) == 0 {
			continue
		}
		info, ok := c.ctx.leadership(tp)
		if !ok {
			return missingLeadership(tp)
		}
		if info.Leader != a.Replicas[0] && !c.isQueuedUpForDeletion(tp.Topic) {
			pending = append(pending, tp)
		}
	}
	c.j.because(env.CtxSet, zkdata.PreferredReplicaElectionPath, "preferred.pending",
		[]env.Path{env.P("zk", zkdata.PreferredReplicaElectionPath, "data")}, c.j.partitionArg("listed", listed), c.j.partitionArg("pending", pending))
	_, err = c.onReplicaElection(pending, preferredElection, zkTriggered)
	return err
}

// onReplicaElection elects and, unless an administrator's request asked for it, cleans up afterwards.
// Kafka: KafkaController.onReplicaElection.
func (c *Controller) onReplicaElection(tps []kafka.TopicPartition, t electionType, trigger electionTrigger) (map[kafka.TopicPartition]electionResult, error) {
	s := &strategy{kind: preferredReplicaElection}
	if t == uncleanElection {
		s = offlineStrategy(trigger == adminClientTriggered)
	}
	c.j.note(env.CtxSet, "", "preferred.elect", env.A("election", t.String()), env.A("trigger", trigger.String()), c.j.partitionArg("partitions", tps))
	results, err := c.psm.handleStateChanges(tps, kafka.OnlinePartition, s)
	if trigger == adminClientTriggered {
		return results, err
	}
	if cleanErr := c.removePreferredElection(tps, trigger); cleanErr != nil {
		return nil, cleanErr
	}
	return results, err
}

// removePreferredElection deletes the election znode, whatever became of the elections, and queues an event to watch it
// again. Kafka: KafkaController.removePartitionsFromPreferredReplicaElection.
func (c *Controller) removePreferredElection(tps []kafka.TopicPartition, trigger electionTrigger) error {
	for _, tp := range tps {
		info, ok := c.ctx.leadership(tp)
		if !ok {
			return missingLeadership(tp)
		}
		key := "preferred.done"
		if info.Leader != c.ctx.assignment(tp).Replicas[0] {
			key = "preferred.failed"
		}
		if c.j.on() {
			c.j.note(env.CtxSet, tp.String(), key, env.A("leader", env.Int(info.Leader)))
		}
	}
	if trigger != zkTriggered {
		return nil
	}
	if err := c.zk.DeletePreferredReplicaElection(c.fence()); err != nil {
		return err
	}
	c.putEvent(replicaLeaderElection{election: preferredElection, trigger: zkTriggered})
	return nil
}

// missingLeadership: Kafka takes the leadership of a partition that has none and fails with NoSuchElementException.
func missingLeadership(tp kafka.TopicPartition) error {
	return illegalState("there is no leadership of " + tp.String())
}

// processReplicaLeaderElection elects for the named partitions, or for those of the znode. A partition that never had a
// leader makes the whole event fail, and its caller never hears back. Kafka: processReplicaLeaderElection.
func (c *Controller) processReplicaLeaderElection(ev replicaLeaderElection) error {
	if !c.IsActive() {
		ev.answerAll(kafka.NOT_CONTROLLER)
		return nil
	}
	tps := c.cfg.Order.PartitionSet(ev.partitions)
	if ev.trigger != adminClientTriggered {
		exists, err := c.registerPreferredElectionHandler()
		if err != nil || !exists {
			return err
		}
	}
	if tps == nil {
		var err error
		if tps, err = c.zk.GetPreferredReplicaElection(); err != nil {
			return err
		}
		tps = c.cfg.Order.PartitionSet(tps)
	}
	answers := map[kafka.TopicPartition]ElectionResult{}
	var electable []kafka.TopicPartition
	for _, tp := range tps {
		switch {
		case !c.ctx.isAssigned(tp):
			answers[tp] = ElectionResult{Error: kafka.UNKNOWN_TOPIC_OR_PARTITION}
		case c.isQueuedUpForDeletion(tp.Topic):
			answers[tp] = ElectionResult{Error: kafka.INVALID_TOPIC_EXCEPTION}
		default:
			needed, err := c.electionNeeded(tp, ev.election)
			if err != nil {
				return err
			}
			if needed {
				electable = append(electable, tp)
			} else {
				answers[tp] = ElectionResult{Error: kafka.ELECTION_NOT_NEEDED}
			}
		}
	}
	electable = c.cfg.Order.PartitionSubset(len(tps), electable)
	results, err := c.onReplicaElection(electable, ev.election, ev.trigger)
	if err != nil {
		return err
	}
	for tp, r := range results {
		answers[tp] = ElectionResult{r.info.Leader, electionError(ev.election, r.err)}
	}
	ev.answer(answers)
	return nil
}

// electionNeeded: a preferred election if another replica leads, an unclean one if nobody alive leads.
func (c *Controller) electionNeeded(tp kafka.TopicPartition, t electionType) (bool, error) {
	info, ok := c.ctx.leadership(tp)
	if !ok {
		return false, missingLeadership(tp)
	}
	if t == uncleanElection {
		return info.Leader == kafka.NoLeader || !c.ctx.isLive(info.Leader), nil
	}
	a := c.ctx.assignment(tp)
	if len(a.Replicas) == 0 {
		return false, noPreferredReplica(tp)
	}
	return info.Leader != a.Replicas[0], nil
}

// electionError is the code that a caller gets for one election.
func electionError(t electionType, err error) kafka.Error {
	switch {
	case err == nil:
		return kafka.NONE
	case isStateChangeFailed(err) && t == preferredElection:
		return kafka.PREFERRED_LEADER_NOT_AVAILABLE
	case isStateChangeFailed(err):
		return kafka.ELIGIBLE_LEADERS_NOT_AVAILABLE
	}
	return errorFor(err)
}

// answer tells the caller, if there is one.
func (ev replicaLeaderElection) answer(answers map[kafka.TopicPartition]ElectionResult) {
	if ev.reply != nil {
		ev.reply(answers)
	}
}

// answerAll gives every named partition the same answer.
func (ev replicaLeaderElection) answerAll(e kafka.Error) {
	answers := map[kafka.TopicPartition]ElectionResult{}
	for _, tp := range ev.partitions {
		answers[tp] = ElectionResult{Error: e}
	}
	ev.answer(answers)
}

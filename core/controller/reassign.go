package controller

import (
	"slices"

	"controllerscope/core/env"
	"controllerscope/core/kafka"
	"controllerscope/core/zk"
	"controllerscope/core/zkclient"
	"controllerscope/core/zkdata"
)

// onPartitionReassignment is the master procedure. The topic znode is written first and last: it is the only lasting
// record. As long as the target replicas are not all in the ISR, new replicas are started and told; when they are, the
// leader moves into the target and the old replicas go. Kafka: KafkaController.onPartitionReassignment.
func (c *Controller) onPartitionReassignment(tp kafka.TopicPartition, a kafka.ReplicaAssignment) error {
	if _, led := c.ctx.leadership(tp); !led && c.e.Fix(env.FixNeverLed) {
		return missingLeadership(tp)
	}
	c.markTopicsIneligible([]string{tp.Topic}, "topic reassignment in progress")
	if err := c.updateCurrentReassignment(tp, a); err != nil {
		return err
	}
	complete, err := c.isReassignmentComplete(tp, a)
	if err != nil {
		return err
	}
	c.j.note(env.CtxSet, tp.String(), "reassign.check", env.A("complete", complete), env.A("replicas", env.Ints(a.Replicas)),
		env.A("adding", env.Ints(a.Adding)), env.A("removing", env.Ints(a.Removing)))
	if complete {
		return c.completeReassignment(tp, a)
	}
	if err := c.updateLeaderEpochAndSendRequest(tp, a); err != nil {
		return err
	}
	for _, b := range a.Adding {
		if err := c.rsm.handleStateChanges(replicasOf(tp, []kafka.BrokerID{b}), kafka.NewReplica); err != nil {
			return err
		}
	}
	return nil
}

// completeReassignment is phase B.
func (c *Controller) completeReassignment(tp kafka.TopicPartition, a kafka.ReplicaAssignment) error {
	if err := c.rsm.handleStateChanges(replicasOf(tp, a.Adding), kafka.OnlineReplica); err != nil {
		return err
	}
	completed := kafka.ReplicaAssignment{Replicas: a.Target()}
	if err := c.storeAssignment(tp, completed, "reassign.target"); err != nil {
		return err
	}
	if err := c.moveReassignedLeaderIfRequired(tp, completed); err != nil {
		return err
	}
	if err := c.stopRemovedReplicas(tp, a.Removing); err != nil {
		return err
	}
	if err := c.writeAssignment(tp, completed); err != nil {
		return err
	}
	if err := c.forgetReassignment(tp, completed); err != nil {
		return err
	}
	if err := c.sendUpdateMetadata(c.ctx.liveOrShuttingDownBrokerIDs(), []kafka.TopicPartition{tp}); err != nil {
		return err
	}
	return c.resumeDeletionForTopics([]string{tp.Topic})
}

// updateCurrentReassignment makes a the assignment, in ZooKeeper before memory, and stops adding replicas of a replaced
// reassignment that are no longer wanted. Kafka: KafkaController.updateCurrentReassignment.
func (c *Controller) updateCurrentReassignment(tp kafka.TopicPartition, a kafka.ReplicaAssignment) error {
	current := c.ctx.assignment(tp)
	if !current.Equal(a) {
		if err := c.writeAssignment(tp, a); err != nil {
			return err
		}
		if err := c.storeAssignment(tp, a, "reassign.accept"); err != nil {
			return err
		}
		if err := c.stopRemovedReplicas(tp, kafka.Without(current.Replicas, a.Replicas)); err != nil {
			return err
		}
	}
	c.watchReassignedState(tp)
	c.ctx.markReassigned(tp, true)
	c.j.flush(tp.String(), "reassign.begin")
	return nil
}

// alterIsr reports whether leaders propose ISRs to the controller; below that they write them themselves.
func (c *Controller) alterIsr() bool { return c.cfg.Protocol >= kafka.V2_7_IV2 }

// watchReassignedState hears of each change of the partition's state from its next reading on: where leaders write ISRs
// themselves, that is how a reassignment learns of its progress. Kafka: PartitionReassignmentIsrChangeHandler.
func (c *Controller) watchReassignedState(tp kafka.TopicPartition) {
	if !c.alterIsr() {
		c.zk.RegisterZNodeChangeHandler(zkdata.TopicPartitionStatePath(tp), zkclient.ZNodeChangeHandler{
			DataChanged: func() { c.putEvent(partitionReassignmentIsrChange{tp}) }})
	}
}

func (c *Controller) unwatchReassignedState(tp kafka.TopicPartition) {
	if !c.alterIsr() {
		c.zk.UnregisterZNodeChangeHandler(zkdata.TopicPartitionStatePath(tp))
	}
}

// processPartitionReassignmentIsrChange. Kafka: KafkaController.processPartitionReassignmentIsrChange.
func (c *Controller) processPartitionReassignmentIsrChange(tp kafka.TopicPartition) error {
	if !c.IsActive() {
		return nil
	}
	return c.maybeCompleteReassignment(tp)
}

func (c *Controller) storeAssignment(tp kafka.TopicPartition, a kafka.ReplicaAssignment, key string) error {
	err := c.ctx.putAssignment(tp, a)
	c.j.note(env.CtxSet, tp.String(), key, env.A("replicas", env.Ints(a.Replicas)), env.A("adding", env.Ints(a.Adding)), env.A("removing", env.Ints(a.Removing)))
	return err
}

// writeAssignment rewrites the topic's znode with a for this partition. Kafka: updateReplicaAssignmentForPartition.
func (c *Controller) writeAssignment(tp kafka.TopicPartition, a kafka.ReplicaAssignment) error {
	all := map[int32]kafka.ReplicaAssignment{}
	for number, p := range c.ctx.partitions[tp.Topic] {
		if p.assigned {
			all[number] = p.assignment
		}
	}
	all[tp.Partition] = a
	r, err := c.zk.SetTopicAssignmentRaw(tp.Topic, c.ctx.topicIDs[tp.Topic], all, c.fence())
	switch {
	case err != nil:
		return err
	case r.Err == zk.NoNode:
		return illegalState("failed to update the assignment of " + tp.String() + " since the topic doesn't exist")
	case r.Err != zk.OK:
		return &zkclient.Error{Code: r.Err, Path: zkdata.TopicPath(tp.Topic)}
	}
	return nil
}

// isReassignmentComplete: every target replica is in the ISR, read now. Kafka: KafkaController.isReassignmentComplete.
func (c *Controller) isReassignmentComplete(tp kafka.TopicPartition, a kafka.ReplicaAssignment) (bool, error) {
	if !a.IsReassigning() {
		return true, nil
	}
	info, found, err := c.zk.GetTopicPartitionState(tp)
	return found && len(kafka.Without(a.Target(), info.ISR)) == 0, err
}

// updateLeaderEpochAndSendRequest raises the leader epoch, so that brokers accept the new replica lists, and tells all
// replicas. Kafka: KafkaController.updateLeaderEpochAndSendRequest.
func (c *Controller) updateLeaderEpochAndSendRequest(tp kafka.TopicPartition, a kafka.ReplicaAssignment) error {
	info, err := c.updateLeaderEpoch(tp)
	if err != nil {
		return err
	}
	if err := c.batch.newBatch(); err != nil {
		return c.handleIllegalState(err)
	}
	c.batch.addLeaderAndIsr(a.Origin(), tp, info, a, false)
	c.batch.addLeaderAndIsr(a.Adding, tp, info, a, true)
	c.batch.sendRequestsToBrokers(c.ctx.epoch)
	return nil
}

// updateLeaderEpoch writes the same leader and ISR with the next epoch, until no version conflict is in the way.
// Kafka: KafkaController.updateLeaderEpoch.
func (c *Controller) updateLeaderEpoch(tp kafka.TopicPartition) (kafka.Leadership, error) {
	for {
		info, found, err := c.zk.GetTopicPartitionState(tp)
		switch {
		case err != nil:
			return info, err
		case !found:
			return info, illegalState("cannot update the leader epoch of " + tp.String() + " as its leader and isr path is empty")
		case info.ControllerEpoch > c.ctx.epoch:
			return info, stateChangeFailed("the state of %s was written by another controller: its epoch is %d, ours is %d", tp, info.ControllerEpoch, c.ctx.epoch)
		}
		next := info.LeaderAndIsr
		next.LeaderEpoch++
		written, err := c.zk.UpdateLeaderAndIsr([]zkclient.PartitionLeaderAndIsr{{TopicPartition: tp, LeaderAndIsr: next}}, c.ctx.epoch, c.fence())
		if err != nil {
			return info, err
		}
		for _, f := range written.Finished {
			if f.Err != nil {
				return info, f.Err
			}
			info = kafka.Leadership{LeaderAndIsr: f.LeaderAndIsr, ControllerEpoch: c.ctx.epoch}
			err := c.ctx.putLeadership(tp, info)
			c.j.note(env.CtxSet, tp.String(), "reassign.leaderEpoch", env.A("leaderEpoch", env.Int(info.LeaderEpoch)))
			return info, err
		}
	}
}

// moveReassignedLeaderIfRequired elects among the target replicas if the leader is none of them or not online; otherwise
// it only raises the leader epoch. Kafka: moveReassignedPartitionLeaderIfRequired.
func (c *Controller) moveReassignedLeaderIfRequired(tp kafka.TopicPartition, a kafka.ReplicaAssignment) error {
	info, ok := c.ctx.leadership(tp)
	if !ok {
		return missingLeadership(tp)
	}
	if slices.Contains(a.Replicas, info.Leader) && c.ctx.isReplicaOnline(info.Leader, tp) {
		return c.updateLeaderEpochAndSendRequest(tp, a)
	}
	_, err := c.psm.handleStateChanges([]kafka.TopicPartition{tp}, kafka.OnlinePartition, &strategy{kind: reassignElection})
	return err
}

// stopRemovedReplicas stops and deletes replicas, without waiting for answers. Kafka: stopRemovedReplicasOfReassignedPartition.
func (c *Controller) stopRemovedReplicas(tp kafka.TopicPartition, removed []kafka.BrokerID) error {
	for _, target := range []kafka.ReplicaState{kafka.OfflineReplica, kafka.ReplicaDeletionStarted, kafka.ReplicaDeletionSuccessful, kafka.NonExistentReplica} {
		if err := c.rsm.handleStateChanges(replicasOf(tp, removed), target); err != nil {
			return err
		}
	}
	return nil
}

func replicasOf(tp kafka.TopicPartition, ids []kafka.BrokerID) []kafka.PartitionReplica {
	var out []kafka.PartitionReplica
	for _, b := range ids {
		out = append(out, kafka.PartitionReplica{TopicPartition: tp, Replica: b})
	}
	return out
}

// maybeCompleteReassignment goes on with a reassignment that an ISR change may have completed; if it has not, nothing
// happens. Kafka: KafkaController.maybeCompleteReassignment.
func (c *Controller) maybeCompleteReassignment(tp kafka.TopicPartition) error {
	if !c.ctx.partitionsReassigned.has(tp) {
		return nil
	}
	a := c.ctx.assignment(tp)
	complete, err := c.isReassignmentComplete(tp, a)
	if err != nil || !complete {
		return err
	}
	return c.onPartitionReassignment(tp, a)
}

// resumeReassignments goes on with those under way that pass. Kafka: KafkaController.maybeResumeReassignments.
func (c *Controller) resumeReassignments(pass func(kafka.TopicPartition, kafka.ReplicaAssignment) bool) error {
	for _, tp := range kafka.PartitionKeys(c.cfg.Order, c.ctx.partitionsReassigned, nil) {
		if a := c.ctx.assignment(tp); pass(tp, a) {
			if err := c.onPartitionReassignment(tp, a); err != nil {
				return err
			}
		}
	}
	return nil
}

// resumeReassignmentsTo goes on with those that one of the started brokers is a target of.
func (c *Controller) resumeReassignmentsTo(started []kafka.BrokerID) error {
	return c.resumeReassignments(func(_ kafka.TopicPartition, a kafka.ReplicaAssignment) bool {
		return slices.ContainsFunc(a.Target(), func(b kafka.BrokerID) bool { return slices.Contains(started, b) })
	})
}

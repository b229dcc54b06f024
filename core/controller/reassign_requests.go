package controller

import (
	"slices"

	"controllerscope/core/env"
	"controllerscope/core/kafka"
	"controllerscope/core/request"
	"controllerscope/core/zkdata"
)

// apiPartitionReassignment is a request of the API.
type apiPartitionReassignment struct {
	asked []request.PartitionReassignment
	reply func([]request.PartitionResult, kafka.Error)
}

func (apiPartitionReassignment) name() string { return "ApiPartitionReassignment" }
func (apiPartitionReassignment) state() State { return StateAlterPartitionReassignment }
func (ev apiPartitionReassignment) args() []env.Arg {
	list := make([]any, len(ev.asked))
	for i, r := range ev.asked {
		list[i] = env.R(env.A("cancel", r.Replicas == nil), env.A("partition", r.TopicPartition.String()),
			env.A("replicas", env.Ints(r.Replicas)))
	}
	return []env.Arg{env.A("reassignments", list)}
}

// listPartitionReassignments asks what is under way; partitions nil means everything.
type listPartitionReassignments struct {
	partitions []kafka.TopicPartition
	reply      func([]request.OngoingReassignment, kafka.Error)
}

func (listPartitionReassignments) name() string { return "ListPartitionReassignments" }
func (listPartitionReassignments) state() State { return StateListPartitionReassignment }
func (ev listPartitionReassignments) args() []env.Arg {
	return []env.Arg{partitionArg("partitions", ev.partitions)}
}

// AlterPartitionReassignments queues a request of the API. Kafka: KafkaController.alterPartitionReassignments.
func (c *Controller) AlterPartitionReassignments(asked []request.PartitionReassignment, reply func([]request.PartitionResult, kafka.Error)) {
	c.putEvent(apiPartitionReassignment{asked, reply})
}

// ListPartitionReassignments queues a listing. Kafka: KafkaController.listPartitionReassignments.
func (c *Controller) ListPartitionReassignments(tps []kafka.TopicPartition, reply func([]request.OngoingReassignment, kafka.Error)) {
	c.putEvent(listPartitionReassignments{tps, reply})
}

// ElectionResult is the outcome of an election that a client asked for: the leader that was elected, or the error.
type ElectionResult struct {
	Leader kafka.BrokerID // with NONE only
	Error  kafka.Error
}

// ElectLeaders queues elections; unclean permits leaders outside the ISR. Kafka: KafkaController.electLeaders.
func (c *Controller) ElectLeaders(tps []kafka.TopicPartition, unclean bool, reply func(map[kafka.TopicPartition]ElectionResult)) {
	t := preferredElection
	if unclean {
		t = uncleanElection
	}
	c.putEvent(replicaLeaderElection{partitions: tps, election: t, trigger: adminClientTriggered, reply: reply})
}

// processApiPartitionReassignment validates, takes the partitions out of the znode (the latest request wins) and starts.
// The loss of the controllership ends the event, and its caller never hears back.
// Kafka: KafkaController.processApiPartitionReassignment.
func (c *Controller) processAPIPartitionReassignment(ev apiPartitionReassignment) error {
	if !c.IsActive() {
		ev.reply(nil, kafka.NOT_CONTROLLER)
		return nil
	}
	results := map[kafka.TopicPartition]request.PartitionResult{}
	build := map[kafka.TopicPartition]kafka.ReplicaAssignment{}
	for _, r := range ev.asked {
		if r.Replicas != nil {
			if reason := c.invalidReplicas(r.TopicPartition, r.Replicas); reason != "" {
				results[r.TopicPartition] = request.PartitionResult{TopicPartition: r.TopicPartition, Error: kafka.INVALID_REPLICA_ASSIGNMENT, Message: reason}
				continue
			}
		}
		if a, ok := c.buildReassignment(r); ok {
			build[r.TopicPartition] = a
		} else {
			results[r.TopicPartition] = request.PartitionResult{TopicPartition: r.TopicPartition, Error: kafka.NO_REASSIGNMENT_IN_PROGRESS}
		}
	}
	err := c.removeFromZkReassignment(func(e zkdata.PartitionReplicas) bool { _, ok := build[e.TopicPartition]; return ok })
	if err != nil {
		return err
	}
	if err := c.triggerReassignments(build, results); err != nil {
		return err
	}
	list := make([]request.PartitionResult, len(ev.asked))
	for i, r := range ev.asked {
		list[i] = results[r.TopicPartition]
	}
	ev.reply(list, kafka.NONE)
	return nil
}

// invalidReplicas says what is wrong with a target list, "" for nothing. Kafka: KafkaController.validateReplicas.
func (c *Controller) invalidReplicas(tp kafka.TopicPartition, target []kafka.BrokerID) string {
	if len(target) == 0 {
		return "Empty replica list specified in partition reassignment."
	}
	if len(setOf(target...)) != len(target) {
		return "Duplicate replica ids in partition reassignment replica list."
	}
	if slices.Min(target) < 0 {
		return "Invalid broker id in replica list: replica ids must not be negative."
	}
	for _, b := range c.ctx.assignment(tp).ReassignTo(target).Adding {
		if !c.ctx.isLive(b) {
			return "Replica assignment has brokers that are not alive: " + b.String()
		}
	}
	return ""
}

// buildReassignment: a target, or for a cancellation what was there before. Kafka: maybeBuildReassignment.
func (c *Controller) buildReassignment(r request.PartitionReassignment) (kafka.ReplicaAssignment, bool) {
	a := c.ctx.assignment(r.TopicPartition)
	switch {
	case r.Replicas != nil:
		return a.ReassignTo(r.Replicas), true
	case a.IsReassigning():
		return a.ReassignTo(a.Origin()), true
	}
	return a, false
}

// triggerReassignments starts them one by one; only the loss of the controllership is an error of the call.
// Kafka: KafkaController.maybeTriggerPartitionReassignment.
func (c *Controller) triggerReassignments(build map[kafka.TopicPartition]kafka.ReplicaAssignment, results map[kafka.TopicPartition]request.PartitionResult) error {
	for _, tp := range kafka.PartitionKeys(c.cfg.Order, build, nil) {
		switch {
		case c.isQueuedUpForDeletion(tp.Topic):
			results[tp] = request.PartitionResult{TopicPartition: tp, Error: kafka.UNKNOWN_TOPIC_OR_PARTITION, Message: "The topic is being deleted"}
			continue
		case len(c.ctx.assignment(tp).Replicas) == 0:
			results[tp] = request.PartitionResult{TopicPartition: tp, Error: kafka.UNKNOWN_TOPIC_OR_PARTITION, Message: "The partition does not exist."}
			continue
		}
		err := c.onPartitionReassignment(tp, build[tp])
		if isMoved(err) {
			return err
		}
		results[tp] = request.PartitionResult{TopicPartition: tp}
		if err != nil {
			c.j.note(env.EventFail, tp.String(), "reassign.failed", env.A("error", err.Error()))
			results[tp] = request.PartitionResult{TopicPartition: tp, Error: kafka.UNKNOWN_SERVER_ERROR, Message: err.Error()}
		}
	}
	return nil
}

// initializePartitionReassignments takes up the znode's requests, then goes on with all others that topic znodes tell of.
// Kafka: KafkaController.initializePartitionReassignments.
func (c *Controller) initializePartitionReassignments() error {
	started, err := c.takeUpZkReassignments()
	if err != nil {
		return err
	}
	return c.resumeReassignments(func(tp kafka.TopicPartition, _ kafka.ReplicaAssignment) bool { return !started.has(tp) })
}

// processZkPartitionReassignment. Kafka: KafkaController.processZkPartitionReassignment.
func (c *Controller) processZkPartitionReassignment() error {
	if !c.IsActive() {
		return nil
	}
	_, err := c.takeUpZkReassignments()
	return err
}

// takeUpZkReassignments watches the znode and starts what it asks for, without any validation. What fails is taken out of
// the znode; the rest is returned.
func (c *Controller) takeUpZkReassignments() (set[kafka.TopicPartition], error) {
	exists, err := c.registerReassignmentHandler()
	if err != nil || !exists {
		return nil, err
	}
	listed, err := c.zk.GetPartitionReassignment()
	if err != nil {
		return nil, err
	}
	build := map[kafka.TopicPartition]kafka.ReplicaAssignment{}
	for _, e := range listed {
		build[e.TopicPartition] = c.ctx.assignment(e.TopicPartition).ReassignTo(e.Replicas)
	}
	results := map[kafka.TopicPartition]request.PartitionResult{}
	if err := c.triggerReassignments(build, results); err != nil {
		return nil, err
	}
	started, failed := set[kafka.TopicPartition]{}, set[kafka.TopicPartition]{}
	for tp, r := range results {
		if r.Error == kafka.NONE {
			started.add(tp)
		} else {
			failed.add(tp)
		}
	}
	if len(failed) > 0 {
		err = c.removeFromZkReassignment(func(e zkdata.PartitionReplicas) bool { return failed.has(e.TopicPartition) })
	}
	return started, err
}

// forgetReassignment takes a completed partition off the list, and out of the znode if that asked for exactly this.
// Kafka: KafkaController.removePartitionFromReassigningPartitions.
func (c *Controller) forgetReassignment(tp kafka.TopicPartition, a kafka.ReplicaAssignment) error {
	if !c.ctx.partitionsReassigned.has(tp) {
		return illegalState("cannot remove the reassigning partition " + tp.String() + ": it is not in the set of reassigning partitions")
	}
	c.unwatchReassignedState(tp)
	err := c.removeFromZkReassignment(func(e zkdata.PartitionReplicas) bool {
		return e.TopicPartition == tp && slices.Equal(e.Replicas, a.Replicas)
	})
	if err != nil {
		return err
	}
	c.ctx.markReassigned(tp, false)
	c.j.note(env.CtxSet, tp.String(), "reassign.done", env.A("replicas", env.Ints(a.Replicas)))
	return nil
}

// removeFromZkReassignment rewrites the znode, if there is one, without the entries that match; without any left it is
// deleted, and an event is queued to watch it again. Kafka: KafkaController.maybeRemoveFromZkReassignment.
func (c *Controller) removeFromZkReassignment(match func(zkdata.PartitionReplicas) bool) error {
	exists, err := c.zk.ReassignPartitionsInProgress()
	if err != nil || !exists {
		return err
	}
	listed, err := c.zk.GetPartitionReassignment()
	if err != nil {
		return err
	}
	rest := keep(listed, func(e zkdata.PartitionReplicas) bool { return !match(e) })
	if len(rest) > 0 {
		return c.zk.SetOrCreatePartitionReassignment(rest, c.fence())
	}
	if err := c.zk.DeletePartitionReassignment(c.fence()); err != nil {
		return err
	}
	c.putEvent(zkPartitionReassignmentEvent)
	return nil
}

// processListPartitionReassignments answers from memory. Kafka: KafkaController.processListPartitionReassignments.
func (c *Controller) processListPartitionReassignments(ev listPartitionReassignments) error {
	if !c.IsActive() {
		ev.reply(nil, kafka.NOT_CONTROLLER)
		return nil
	}
	tps := ev.partitions
	if tps == nil {
		tps = sortedPartitions(c.ctx.partitionsReassigned)
	}
	var list []request.OngoingReassignment
	for _, tp := range tps {
		if a := c.ctx.assignment(tp); a.IsReassigning() {
			list = append(list, request.OngoingReassignment{TopicPartition: tp, ReplicaAssignment: a})
		}
	}
	ev.reply(list, kafka.NONE)
	return nil
}

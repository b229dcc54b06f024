package controller

import (
	"controllerscope/core/env"
	"controllerscope/core/kafka"
	"controllerscope/core/zkdata"
)

// Topic deletion. A topic is queued (topicsToBeDeleted), may be ineligible for now (a replica is dead, a reassignment
// runs), and is started once (topicsWithDeletionStarted). No timer drives it: events do. Kafka: TopicDeletionManager.

// IsQueuedUpForDeletion reports whether a topic's deletion is under way here.
// Kafka: TopicDeletionManager.isTopicQueuedUpForDeletion.
func (c *Controller) IsQueuedUpForDeletion(topic string) bool { return c.isQueuedUpForDeletion(topic) }

func (c *Controller) isQueuedUpForDeletion(topic string) bool {
	return c.cfg.DeleteTopic && c.ctx.isTopicQueuedUpForDeletion(topic)
}

// initDeletions finds the deletions that the last controller left, and holds back those that cannot go on now.
// Kafka: KafkaController.fetchTopicDeletionsInProgress, TopicDeletionManager.init.
func (c *Controller) initDeletions() error {
	marked, err := c.zk.GetTopicDeletions()
	if err != nil {
		return err
	}
	if !c.cfg.DeleteTopic {
		return c.zk.DeleteTopicDeletions(marked, c.fence())
	}
	marked = kafka.SortedKeys(setOf(marked...))
	c.ctx.queueTopicDeletion(marked)
	reassigning := c.topicsReassigning()
	held := keep(marked, func(t string) bool { return reassigning.has(t) || c.hasOfflineReplica(t) })
	for _, t := range held {
		c.ctx.markIneligible(t, true)
	}
	c.j.note(env.CtxSet, zkdata.DeleteTopicsPath, "deletion.init", env.A("topics", env.Strings(marked)), env.A("ineligible", env.Strings(held)))
	return nil
}

func (c *Controller) hasOfflineReplica(topic string) bool {
	for _, r := range c.ctx.replicasForTopic(topic) {
		if !c.ctx.isReplicaOnline(r.Replica, r.TopicPartition) {
			return true
		}
	}
	return false
}

// topicsReassigning are the topics with a partition that is being reassigned.
func (c *Controller) topicsReassigning() set[string] {
	topics := set[string]{}
	for tp := range c.ctx.partitionsReassigned {
		topics.add(tp.Topic)
	}
	return topics
}

// processTopicDeletion takes up new markers. Those of topics that the controller does not know are removed, so a
// deletion that is asked for before the topic's creation was processed is lost. Kafka: processTopicDeletion.
func (c *Controller) processTopicDeletion() error {
	if !c.IsActive() {
		return nil
	}
	marked, err := c.zk.GetTopicDeletions()
	if err != nil {
		return err
	}
	marked = kafka.SortedKeys(setOf(marked...))
	unknown := keep(marked, func(t string) bool { return !c.ctx.allTopics.has(t) })
	known := keep(marked, func(t string) bool { return c.ctx.allTopics.has(t) })
	c.j.because(env.CtxSet, zkdata.DeleteTopicsPath, "deletion.asked",
		[]env.Path{env.P("zk", zkdata.DeleteTopicsPath, "pzxid"), env.P("ctx", c.j.id, "allTopics")}, env.A("topics", env.Strings(known)), env.A("unknown", env.Strings(unknown)))
	if len(unknown) > 0 {
		if err := c.zk.DeleteTopicDeletions(unknown, c.fence()); err != nil {
			return err
		}
	}
	if !c.cfg.DeleteTopic {
		return c.zk.DeleteTopicDeletions(known, c.fence())
	}
	if len(known) == 0 {
		return nil
	}
	// Only topics that are queued already can be held back, so this does nothing for a new one, as in 2.8.2.
	if c.e.Fix(env.FixDeletionWaits) {
		c.ctx.queueTopicDeletion(known)
	}
	c.markTopicsIneligible(keep(known, c.topicsReassigning().has), "reassignment")
	c.ctx.queueTopicDeletion(known)
	c.j.note(env.CtxSet, zkdata.DeleteTopicsPath, "deletion.queue", env.A("topics", env.Strings(known)))
	return c.resumeDeletions()
}

// markTopicsIneligible holds back those of the topics that are queued. Kafka: markTopicIneligibleForDeletion.
func (c *Controller) markTopicsIneligible(topics []string, reason string) {
	held := keep(topics, c.isQueuedUpForDeletion)
	for _, t := range held {
		c.ctx.markIneligible(t, true)
	}
	if len(held) > 0 {
		c.j.note(env.CtxSet, zkdata.DeleteTopicsPath, "deletion.hold", env.A("topics", env.Strings(held)), env.A("reason", reason))
	}
}

// resumeDeletionForTopics lifts what holds topics back, whatever it was. Kafka: resumeDeletionForTopics.
func (c *Controller) resumeDeletionForTopics(topics []string) error {
	queued := keep(topics, c.isQueuedUpForDeletion)
	if len(queued) == 0 {
		return nil
	}
	for _, t := range queued {
		c.ctx.markIneligible(t, false)
	}
	c.j.note(env.CtxSet, zkdata.DeleteTopicsPath, "deletion.resume", env.A("topics", env.Strings(queued)))
	return c.resumeDeletions()
}

// resumeDeletionsOn resumes the topics that replicas belong to, when their brokers have started.
func (c *Controller) resumeDeletionsOn(replicas []kafka.PartitionReplica) error {
	return c.resumeDeletionForTopics(topicsOf(replicas))
}

func topicsOf(replicas []kafka.PartitionReplica) []string {
	topics := set[string]{}
	for _, r := range replicas {
		topics.add(r.Topic)
	}
	return kafka.SortedKeys(topics)
}

// tryTopicDeletion. Kafka: TopicDeletionManager.tryTopicDeletion.
func (c *Controller) tryTopicDeletion() error {
	if !c.cfg.DeleteTopic {
		return nil
	}
	return c.resumeDeletions()
}

// resumeDeletions goes over all queued topics: finished ones are completed, failed replicas get another chance, and what
// may start is started. Kafka: TopicDeletionManager.resumeDeletions.
func (c *Controller) resumeDeletions() error {
	x := c.ctx
	var retry, start []string
	for _, t := range x.order.NameSet(x.order.NameTable(kafka.SortedKeys(x.topicsToBeDeleted))) {
		switch {
		case x.areAllReplicasInState(t, kafka.ReplicaDeletionSuccessful):
			if err := c.completeDeleteTopic(t); err != nil {
				return err
			}
		case !x.isAnyReplicaInState(t, kafka.ReplicaDeletionStarted) && x.isAnyReplicaInState(t, kafka.ReplicaDeletionIneligible):
			retry = append(retry, t)
		}
		if c.isQueuedUpForDeletion(t) && !x.topicsIneligibleForDeletion.has(t) && !x.isAnyReplicaInState(t, kafka.ReplicaDeletionStarted) {
			start = append(start, t)
		}
	}
	var failed []kafka.PartitionReplica
	for _, t := range retry {
		failed = append(failed, x.replicasInState(t, kafka.ReplicaDeletionIneligible)...)
	}
	if err := c.rsm.handleStateChanges(x.order.ReplicaTable(failed), kafka.OfflineReplica); err != nil {
		return err
	}
	if len(start) == 0 {
		return nil
	}
	return c.onTopicDeletion(x.order.NameTable(start))
}

// onTopicDeletion starts deletions: the partitions cease to exist, brokers forget them, their replicas are stopped.
// Kafka: TopicDeletionManager.onTopicDeletion.
func (c *Controller) onTopicDeletion(topics []string) error {
	x := c.ctx
	var all, unseen []kafka.TopicPartition
	for _, t := range topics {
		all = append(all, x.partitionsForTopic(t)...)
		if !x.topicsWithDeletionStarted.has(t) {
			unseen = append(unseen, x.partitionsForTopic(t)...)
		}
	}
	for _, target := range []kafka.PartitionState{kafka.OfflinePartition, kafka.NonExistentPartition} {
		if _, err := c.psm.handleStateChanges(unseen, target, nil); err != nil {
			return err
		}
	}
	for _, t := range topics {
		x.markDeletionStarted(t, true)
	}
	c.j.flush(zkdata.DeleteTopicsPath, "deletion.start", env.A("topics", env.Strings(topics)))
	if err := c.sendUpdateMetadata(x.liveOrShuttingDownBrokerIDs(), all); err != nil {
		return err
	}
	return c.onPartitionDeletion(topics)
}

// onPartitionDeletion stops and deletes the replicas on live brokers; a topic with a dead replica is held back.
// Kafka: TopicDeletionManager.onPartitionDeletion.
func (c *Controller) onPartitionDeletion(topics []string) error {
	x := c.ctx
	var dead, remove []kafka.PartitionReplica
	for _, t := range topics {
		replicas := x.replicasForTopic(t)
		var retry []kafka.PartitionReplica
		for _, r := range replicas {
			switch {
			case !x.isReplicaOnline(r.Replica, r.TopicPartition):
				dead = append(dead, r)
			case x.replicaState(r) != kafka.ReplicaDeletionSuccessful:
				retry = append(retry, r)
			}
		}
		remove = append(remove, x.order.ReplicaSubset(len(replicas), retry)...)
	}
	if err := c.rsm.handleStateChanges(dead, kafka.ReplicaDeletionIneligible); err != nil {
		return err
	}
	for _, target := range []kafka.ReplicaState{kafka.OfflineReplica, kafka.ReplicaDeletionStarted} {
		if err := c.rsm.handleStateChanges(remove, target); err != nil {
			return err
		}
	}
	c.markTopicsIneligible(topicsOf(dead), "offline replicas")
	return nil
}

// failReplicaDeletion: the replicas cannot be deleted now. Kafka: TopicDeletionManager.failReplicaDeletion.
func (c *Controller) failReplicaDeletion(replicas []kafka.PartitionReplica) error {
	failed := keep(replicas, func(r kafka.PartitionReplica) bool { return c.isQueuedUpForDeletion(r.Topic) })
	if len(failed) == 0 {
		return nil
	}
	if err := c.rsm.handleStateChanges(failed, kafka.ReplicaDeletionIneligible); err != nil {
		return err
	}
	c.markTopicsIneligible(topicsOf(failed), "replica deletion failure")
	return c.resumeDeletions()
}

// processTopicDeletionStopReplicaResponse: a broker has deleted replicas, or not. Kafka:
// KafkaController.processTopicDeletionStopReplicaResponseReceived, TopicDeletionManager.completeReplicaDeletion.
func (c *Controller) processTopicDeletionStopReplicaResponse(ev controlResponse) error {
	var failed, done []kafka.PartitionReplica
	for _, p := range ev.resp.Errors {
		r := kafka.PartitionReplica{TopicPartition: p.TopicPartition, Replica: ev.broker}
		if ev.resp.Error != kafka.NONE || p.Error != kafka.NONE {
			failed = append(failed, r)
		} else {
			done = append(done, r)
		}
	}
	if err := c.failReplicaDeletion(failed); err != nil || len(done) == 0 {
		return err
	}
	done = keep(done, func(r kafka.PartitionReplica) bool { return c.isQueuedUpForDeletion(r.Topic) })
	if err := c.rsm.handleStateChanges(done, kafka.ReplicaDeletionSuccessful); err != nil {
		return err
	}
	return c.resumeDeletions()
}

// completeDeleteTopic removes every trace of a topic, its marker last. Kafka: TopicDeletionManager.completeDeleteTopic.
func (c *Controller) completeDeleteTopic(topic string) error {
	c.unregisterPartitionModificationsHandler(topic)
	if err := c.rsm.handleStateChanges(c.ctx.replicasInState(topic, kafka.ReplicaDeletionSuccessful), kafka.NonExistentReplica); err != nil {
		return err
	}
	if err := c.zk.DeleteTopicZNode(topic, c.fence()); err != nil {
		return err
	}
	if err := c.zk.DeleteTopicConfigs([]string{topic}, c.fence()); err != nil {
		return err
	}
	if err := c.zk.DeleteTopicDeletions([]string{topic}, c.fence()); err != nil {
		return err
	}
	c.ctx.removeTopic(topic)
	c.j.note(env.CtxSet, zkdata.TopicPath(topic), "deletion.done", env.A("topic", topic))
	return nil
}

package controller

import (
	"strconv"

	"controllerscope/core/env"
	"controllerscope/core/kafka"
	"controllerscope/core/zkdata"
)

// processTopicChange compares the topics of the tree with those that the controller knows. An error after the set of
// names was replaced hides new topics until the next failover, as in 2.8.2. Kafka: KafkaController.processTopicChange.
func (c *Controller) processTopicChange() error {
	if !c.IsActive() {
		return nil
	}
	x := c.ctx
	names, err := c.zk.GetAllTopicsInCluster(true)
	if err != nil {
		return err
	}
	now, old := setOf(names...), x.allTopics
	added := keep(names, func(t string) bool { return !old.has(t) })
	deleted := keep(kafka.SortedKeys(old), func(t string) bool { return !now.has(t) })
	x.setAllTopics(now)
	c.j.because(env.CtxSet, topicsPath, "topics.changed", []env.Path{env.P("ctx", c.j.id, "allTopics"), env.P("zk", topicsPath, "pzxid")},
		env.A("new", env.Strings(added)), env.A("deleted", env.Strings(deleted)))
	c.registerPartitionModificationsHandlers(added)
	topics, err := c.zk.GetReplicaAssignmentAndTopicIDs(x.order.TopicReads(added))
	if err != nil {
		return err
	}
	for _, t := range deleted {
		x.removeTopic(t)
	}
	c.j.flush(topicsPath, "topics.removed", env.A("topics", env.Strings(deleted)))
	if err := c.processTopicIDs(topics); err != nil {
		return err
	}
	var created []kafka.TopicPartition
	for _, t := range topics {
		tps, err := c.storeAssignments(t)
		if err != nil {
			return err
		}
		created = append(created, tps...)
	}
	c.j.flush(topicsPath, "topics.assigned", c.j.partitionArg("partitions", created))
	if len(topics) == 0 {
		return nil
	}
	return c.onNewPartitionCreation(created)
}

// storeAssignments puts a topic's assignments into the context and lists its partitions.
func (c *Controller) storeAssignments(t zkdata.TopicAssignment) ([]kafka.TopicPartition, error) {
	var tps []kafka.TopicPartition
	for _, p := range kafka.SortedKeys(t.Partitions) {
		tp := kafka.TopicPartition{Topic: t.Topic, Partition: p}
		if err := c.ctx.putAssignment(tp, t.Partitions[p]); err != nil {
			return nil, err
		}
		tps = append(tps, tp)
	}
	return tps, nil
}

// processTopicIDs gives topics without an id a random one, written with the assignment, and remembers all ids. Below
// protocol 2.8-IV0 it only remembers.
// Kafka: KafkaController.processTopicIds.
func (c *Controller) processTopicIDs(topics []zkdata.TopicAssignment) error {
	with := keep(topics, func(t zkdata.TopicAssignment) bool { return !t.ID.IsZero() })
	without := keep(topics, func(t zkdata.TopicAssignment) bool { return t.ID.IsZero() })
	if c.cfg.Protocol < kafka.V2_8_IV0 {
		without = nil
	}
	named, err := c.zk.SetTopicIDs(without, c.fence())
	if err != nil {
		return err
	}
	for _, t := range append(with, named...) {
		if err := c.ctx.addTopicID(t.Topic, t.ID); err != nil {
			return err
		}
	}
	c.j.flush(topicsPath, "topics.ids")
	return nil
}

// onNewPartitionCreation brings new partitions and their replicas to life: both are new first, then the partitions go
// online, which tells the brokers, then the replicas. Kafka: KafkaController.onNewPartitionCreation.
func (c *Controller) onNewPartitionCreation(tps []kafka.TopicPartition) error {
	tps = c.cfg.Order.PartitionSet(tps)
	if _, err := c.psm.handleStateChanges(tps, kafka.NewPartition, nil); err != nil {
		return err
	}
	replicas := c.ctx.replicasForPartitions(tps)
	if err := c.rsm.handleStateChanges(replicas, kafka.NewReplica); err != nil {
		return err
	}
	if _, err := c.psm.handleStateChanges(tps, kafka.OnlinePartition, offlineStrategy(false)); err != nil {
		return err
	}
	return c.rsm.handleStateChanges(replicas, kafka.OnlineReplica)
}

// processPartitionModifications takes up partitions that were added to a topic. Changes to partitions that exist are
// ignored until the next failover; partitions added to a topic that is being deleted are rolled back.
// Kafka: KafkaController.processPartitionModifications.
func (c *Controller) processPartitionModifications(topic string) error {
	if !c.IsActive() {
		return nil
	}
	topics, err := c.zk.GetReplicaAssignmentAndTopicIDs([]string{topic})
	if err != nil {
		return err
	}
	added := zkdata.TopicAssignment{Topic: topic, Partitions: map[int32]kafka.ReplicaAssignment{}}
	for p, a := range topics[0].Partitions {
		if len(c.ctx.assignment(kafka.TopicPartition{Topic: topic, Partition: p}).Replicas) == 0 {
			added.Partitions[p] = a
		}
	}
	if c.j.on() {
		c.j.because(env.CtxSet, zkdata.TopicPath(topic), "topics.modified", []env.Path{env.P("zk", zkdata.TopicPath(topic), "data")},
			env.A("topic", topic), env.A("added", env.Ints(kafka.SortedKeys(added.Partitions))),
			env.A("queuedForDeletion", c.isQueuedUpForDeletion(topic)))
	}
	switch {
	case len(added.Partitions) == 0:
		return nil
	case c.isQueuedUpForDeletion(topic):
		return c.restorePartitions(topics[0])
	}
	tps, err := c.storeAssignments(added)
	if err != nil {
		return err
	}
	c.j.flush(zkdata.TopicPath(topic), "topics.assigned", c.j.partitionArg("partitions", tps))
	return c.onNewPartitionCreation(c.cfg.Order.PartitionSubset(len(topics[0].Partitions), tps))
}

// restorePartitions rewrites the znode of a topic that is being deleted with the partitions that have a znode.
// Kafka: restorePartitionReplicaAssignment.
func (c *Controller) restorePartitions(t zkdata.TopicAssignment) error {
	children, err := c.zk.GetChildren(zkdata.TopicPartitionsPath(t.Topic))
	if err != nil {
		return err
	}
	existing := setOf(children...)
	kept := map[int32]kafka.ReplicaAssignment{}
	for p := range t.Partitions {
		if existing.has(strconv.Itoa(int(p))) {
			kept[p] = c.ctx.assignment(kafka.TopicPartition{Topic: t.Topic, Partition: p})
		}
	}
	return c.zk.SetTopicAssignment(t.Topic, c.ctx.topicIDs[t.Topic], kept, c.fence())
}

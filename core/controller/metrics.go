package controller

import (
	"controllerscope/core/env"
)

// gauges are copies that are refreshed after each event, under the names of Kafka's MBeans
// (kafka.controller:type=KafkaController). Kafka: KafkaController.updateMetrics.
type gauges struct {
	offlinePartitions, preferredReplicaImbalance, topics, partitions int
	topicsToDelete, replicasToDelete, topicsIneligible               int
	replicasIneligible                                               int
}

type gauge struct {
	name  string
	value int
}

func (g gauges) list() []gauge {
	return []gauge{{"OfflinePartitionsCount", g.offlinePartitions}, {"PreferredReplicaImbalanceCount", g.preferredReplicaImbalance},
		{"GlobalTopicCount", g.topics}, {"GlobalPartitionCount", g.partitions}, {"TopicsToDeleteCount", g.topicsToDelete},
		{"ReplicasToDeleteCount", g.replicasToDelete}, {"TopicsIneligibleToDeleteCount", g.topicsIneligible},
		{"ReplicasIneligibleToDeleteCount", g.replicasIneligible}}
}

// updateMetrics refreshes the gauges while this broker is the controller; resignation sets them to zero.
// GlobalPartitionCount counts the partitions with leadership info.
func (c *Controller) updateMetrics() {
	if !c.IsActive() {
		c.showGauges(c.gauges)
		return
	}
	x := c.ctx
	g := gauges{offlinePartitions: x.offlinePartitionCount, preferredReplicaImbalance: x.preferredReplicaImbalanceCount,
		topics: len(x.allTopics), partitions: x.partitionsLed, topicsToDelete: len(x.topicsToBeDeleted)}
	g.topicsIneligible = len(x.topicsIneligibleForDeletion)
	g.replicasToDelete, g.replicasIneligible = c.replicasInDeletion()
	c.showGauges(g)
}

// replicasInDeletion counts, over the topics to be deleted, the replicas that are not deleted yet, and those that cannot be.
// Kafka maps its set of topics to a set of counts: topics with the same count are counted once.
func (c *Controller) replicasInDeletion() (toDelete, ineligible int) {
	left, stuck := map[int]bool{}, map[int]bool{}
	for topic := range c.ctx.topicsToBeDeleted {
		n := c.ctx.countDeletion(topic)
		left[n.left], stuck[n.stuck] = true, true
	}
	for n := range left {
		toDelete += n
	}
	for n := range stuck {
		ineligible += n
	}
	return toDelete, ineligible
}

// showGauges stores g and sets what changed; the caller's next note carries it.
func (c *Controller) showGauges(g gauges) {
	before := c.gauges.list()
	for i, now := range g.list() {
		if c.j.on() && (!c.gaugesShown || now != before[i]) {
			c.j.set(env.Int(now.value), "metric", c.j.id, now.name)
		}
	}
	c.gauges, c.gaugesShown = g, true
}

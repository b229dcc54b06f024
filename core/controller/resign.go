package controller

import (
	"controllerscope/core/env"
	"controllerscope/core/kafka"
	"controllerscope/core/zkdata"
)

// onControllerResignation undoes what the office needed, in Kafka's order. It writes nothing to ZooKeeper, keeps the
// handler of /controller and leaves queued events alone: they will find that this broker is not active. What a fenced
// write left in a batch stays there for the next term, unless the fix batch-after-move is on. It is harmless on a broker
// that never was the controller. Kafka: KafkaController.onControllerResignation.
func (c *Controller) onControllerResignation() {
	c.j.note(env.CtxSet, "", "resign.begin", env.A("epoch", env.Int(c.ctx.epoch)))
	c.zk.UnregisterZNodeChildChangeHandler(zkdata.IsrChangeNotificationPath)
	c.zk.UnregisterZNodeChangeHandler(zkdata.ReassignPartitionsPath)
	c.zk.UnregisterZNodeChangeHandler(zkdata.PreferredReplicaElectionPath)
	c.zk.UnregisterZNodeChildChangeHandler(zkdata.LogDirEventNotificationPath)
	c.unregisterBrokerModificationsHandlers(kafka.SortedKeys(c.modifications))
	c.stopScheduler()
	c.showGauges(gauges{})
	c.j.flush("", "resign.metrics")
	for _, tp := range sortedPartitions(c.ctx.partitionsReassigned) {
		c.unwatchReassignedState(tp)
	}
	c.zk.UnregisterZNodeChildChangeHandler(topicsPath)
	for _, t := range kafka.SortedKeys(c.topicHandlers) {
		c.unregisterPartitionModificationsHandler(t)
	}
	c.zk.UnregisterZNodeChildChangeHandler(zkdata.DeleteTopicsPath)
	c.zk.UnregisterZNodeChildChangeHandler(brokersPath)
	c.channels.shutdown()
	if c.e.Fix(env.FixBatchAfterMove) {
		for _, b := range []*requestBatch{c.batch, c.rsm.batch, c.psm.batch} {
			b.clear()
		}
	}
	c.ctx.resetContext()
	c.j.note(env.CtxSet, "", "resign.done")
}

func (c *Controller) unregisterPartitionModificationsHandler(topic string) {
	delete(c.topicHandlers, topic)
	c.zk.UnregisterZNodeChangeHandler(zkdata.TopicPath(topic))
}

func (c *Controller) stopScheduler() {
	c.scheduler = false
	if c.cancelRebalance != nil {
		c.cancelRebalance()
		c.cancelRebalance = nil
	}
}

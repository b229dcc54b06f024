package controller

import (
	"controllerscope/core/env"
	"controllerscope/core/kafka"
	"controllerscope/core/zkdata"
)

// processIsrChangeNotification takes in ISRs that leaders wrote themselves, as they do below protocol 2.7-IV2: refresh,
// tell everybody, and remove exactly the notifications that were read, whatever happened.
// Kafka: KafkaController.processIsrChangeNotification.
func (c *Controller) processIsrChangeNotification() error {
	if !c.IsActive() {
		return nil
	}
	sequences, err := c.zk.GetAllIsrChangeNotifications()
	if err != nil {
		return err
	}
	err = c.takeInIsrChanges(sequences)
	if deleteErr := c.zk.DeleteIsrChangeNotifications(sequences, c.fence()); deleteErr != nil {
		return deleteErr
	}
	return err
}

// takeInIsrChanges reads the states of the partitions in the order of their notices, and what two notices name twice.
func (c *Controller) takeInIsrChanges(sequences []string) error {
	notices, err := c.zk.GetPartitionsFromIsrChangeNotifications(sequences)
	if err != nil {
		return err
	}
	var tps []kafka.TopicPartition
	for _, named := range notices {
		tps = append(tps, c.cfg.Order.PartitionSet(named)...)
	}
	if len(tps) == 0 {
		return nil
	}
	c.j.note(env.CtxSet, zkdata.IsrChangeNotificationPath, "isrChange.take", c.j.partitionArg("partitions", tps))
	if err := c.updateLeaderAndIsrCache(tps); err != nil {
		return err
	}
	if err := c.sendUpdateMetadata(c.ctx.liveOrShuttingDownBrokerIDs(), tps); err != nil {
		return err
	}
	for _, tp := range tps {
		if err := c.maybeCompleteReassignment(tp); err != nil {
			return err
		}
	}
	return nil
}

// processLogDirEventNotification: log directories of brokers have failed. All replicas on these brokers are told their
// leadership again; the answers say which of them are on a failed directory. Kafka: processLogDirEventNotification.
func (c *Controller) processLogDirEventNotification() error {
	if !c.IsActive() {
		return nil
	}
	sequences, err := c.zk.GetAllLogDirEventNotifications()
	if err != nil {
		return err
	}
	ids, err := c.zk.GetBrokerIDsFromLogDirEvents(sequences)
	if err == nil {
		ids = kafka.SortedKeys(setOf(ids...))
		c.j.note(env.CtxSet, zkdata.LogDirEventNotificationPath, "logDir.failed", brokerArg("brokers", ids))
		err = c.rsm.handleStateChanges(c.ctx.replicasOnBrokers(ids), kafka.OnlineReplica)
	}
	if deleteErr := c.zk.DeleteLogDirEventNotifications(sequences, c.fence()); deleteErr != nil {
		return deleteErr
	}
	return err
}

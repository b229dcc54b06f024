package controller

import (
	"controllerscope/core/env"
	"controllerscope/core/kafka"
	"controllerscope/core/request"
)

// What follows is refused, loudly: topic deletion, reassignment, controlled shutdown, and the notifications of ISRs and
// log directories.

func (c *Controller) isQueuedUpForDeletion(topic string) bool {
	return c.cfg.DeleteTopic && c.ctx.isTopicQueuedUpForDeletion(topic)
}

func (c *Controller) refuseNow(what string) {
	c.j.note(env.EventFail, "", "controller.refused", env.A("error", notYetError{what}.Error()))
}

func (c *Controller) initDeletions() error {
	topics, err := c.zk.GetTopicDeletions()
	if err == nil && len(topics) > 0 {
		c.refuseNow("topic deletion")
	}
	return err
}

func (c *Controller) tryTopicDeletion() error { return nil }

func (c *Controller) resumeDeletionsOn([]kafka.PartitionReplica) error { return nil }

func (c *Controller) failReplicaDeletion([]kafka.PartitionReplica) error { return nil }

func (c *Controller) processTopicDeletion() error { return c.refused("TopicDeletion") }

func (c *Controller) processTopicDeletionStopReplicaResponse(controlResponse) error {
	return c.refused("TopicDeletionStopReplicaResponseReceived")
}

func (c *Controller) initializePartitionReassignments() error {
	exists, err := c.registerReassignmentHandler()
	if exists || len(c.ctx.partitionsReassigned) > 0 {
		c.refuseNow("partition reassignment")
	}
	return err
}

func (c *Controller) processZkPartitionReassignment() error {
	return c.refused("ZkPartitionReassignment")
}

func (c *Controller) resumeReassignmentsTo([]kafka.BrokerID) error { return nil }

func (c *Controller) maybeCompleteReassignment(kafka.TopicPartition) error {
	return notYetError{"partition reassignment"}
}

func (c *Controller) processIsrChangeNotification() error { return c.refused("IsrChangeNotification") }

func (c *Controller) processLogDirEventNotification() error {
	return c.refused("LogDirEventNotification")
}

func (c *Controller) processControlledShutdown(ev controlledShutdown) error {
	ev.reply(request.ControlledShutdownResponse{Error: kafka.UNKNOWN_SERVER_ERROR})
	return notYetError{"ControlledShutdown"}
}

// refused is nil on a broker that is not the controller: there the event would be ignored anyway.
func (c *Controller) refused(what string) error {
	if !c.IsActive() {
		return nil
	}
	return notYetError{what}
}

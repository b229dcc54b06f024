package controller

import (
	"controllerscope/core/kafka"
	"controllerscope/core/request"
)

// process does what an event asks for. Kafka: KafkaController.process.
func (c *Controller) process(ev event) error {
	switch ev := ev.(type) {
	case plain:
		return c.processPlain(ev)
	case brokerModifications:
		return c.processBrokerModification(ev.broker)
	case partitionReassignmentIsrChange:
		return c.processPartitionReassignmentIsrChange(ev.tp)
	case partitionModifications:
		return c.processPartitionModifications(ev.topic)
	case controlResponse:
		return c.processControlResponse(ev)
	case alterIsrReceived:
		return c.processAlterIsr(ev)
	case replicaLeaderElection:
		return c.processReplicaLeaderElection(ev)
	case controlledShutdown:
		return c.processControlledShutdown(ev)
	case apiPartitionReassignment:
		return c.processAPIPartitionReassignment(ev)
	case listPartitionReassignments:
		return c.processListPartitionReassignments(ev)
	case updateFeatures:
		return c.processUpdateFeatures(ev)
	case topicUncleanLeaderElectionEnable:
		return c.processTopicUncleanLeaderElectionEnable(ev.topic)
	}
	return illegalState("there is no handler for the event " + ev.name())
}

func (c *Controller) processPlain(ev plain) error {
	switch ev {
	case startupEvent:
		return c.processStartup()
	case controllerChangeEvent:
		return c.maybeResign()
	case reelectEvent:
		return c.processReelect()
	case registerBrokerAndReelectEvent:
		return c.processRegisterBrokerAndReelect()
	case expireEvent:
		return c.processExpire()
	case brokerChangeEvent:
		return c.processBrokerChange()
	case topicChangeEvent:
		return c.processTopicChange()
	case autoLeaderRebalanceEvent:
		return c.processAutoPreferredReplicaLeaderElection()
	case topicDeletionEvent:
		return c.processTopicDeletion()
	case zkPartitionReassignmentEvent:
		return c.processZkPartitionReassignment()
	case isrChangeNotificationEvent:
		return c.processIsrChangeNotification()
	case logDirEventNotificationEvent:
		return c.processLogDirEventNotification()
	case uncleanLeaderElectionEnableEvent:
		return c.processUncleanLeaderElectionEnable()
	}
	return illegalState("there is no handler for the event " + ev.title)
}

// preempt answers the callers of an event that will not be processed. Callers of AlterIsr never hear back, as in 2.8.2.
// Kafka: KafkaController.preempt.
func (c *Controller) preempt(ev event) {
	switch ev := ev.(type) {
	case replicaLeaderElection:
		ev.answerAll(kafka.NOT_CONTROLLER)
	case controlledShutdown:
		ev.reply(request.ControlledShutdownResponse{Error: kafka.STALE_CONTROLLER_EPOCH})
	case apiPartitionReassignment:
		ev.reply(nil, kafka.NOT_CONTROLLER)
	case listPartitionReassignments:
		ev.reply(nil, kafka.NOT_CONTROLLER)
	}
}

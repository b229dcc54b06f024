package controller

import "controllerscope/core/env"

// topicUncleanLeaderElectionEnable: the topic's configuration now permits unclean elections.
type topicUncleanLeaderElectionEnable struct{ topic string }

func (topicUncleanLeaderElectionEnable) name() string { return "TopicUncleanLeaderElectionEnable" }
func (topicUncleanLeaderElectionEnable) state() State { return StateTopicUncleanLeaderElectionEnable }
func (ev topicUncleanLeaderElectionEnable) args() []env.Arg {
	return []env.Arg{env.A("topic", ev.topic)}
}

// SetUncleanLeaderElection takes over the broker's dynamic default of unclean.leader.election.enable. Switching it on
// queues an event, whether this broker is the controller or not, but not before the controller's start.
// Kafka: DynamicLogConfig, enableDefaultUncleanLeaderElection.
func (c *Controller) SetUncleanLeaderElection(on bool) {
	before := c.cfg.UncleanLeaderElection
	c.cfg.UncleanLeaderElection = on
	if on && !before && c.startedUp {
		c.putEvent(uncleanLeaderElectionEnableEvent)
	}
}

// EnableTopicUncleanLeaderElection hears that a topic's configuration permits unclean elections; only the controller in
// office queues an event. Kafka: KafkaController.enableTopicUncleanLeaderElection.
func (c *Controller) EnableTopicUncleanLeaderElection(topic string) {
	if c.IsActive() {
		c.putEvent(topicUncleanLeaderElectionEnable{topic})
	}
}

// processUncleanLeaderElectionEnable. Kafka: KafkaController.processUncleanLeaderElectionEnable.
func (c *Controller) processUncleanLeaderElectionEnable() error {
	if !c.IsActive() {
		return nil
	}
	return c.psm.triggerOnlinePartitionStateChange()
}

// processTopicUncleanLeaderElectionEnable. Kafka: KafkaController.processTopicUncleanLeaderElectionEnable.
func (c *Controller) processTopicUncleanLeaderElectionEnable(topic string) error {
	if !c.IsActive() {
		return nil
	}
	return c.psm.triggerOnlineForTopic(topic)
}

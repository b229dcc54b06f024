package admin

import (
	"errors"

	"controllerscope/core/kafka"
	"controllerscope/core/request"
	"controllerscope/core/zk"
)

// DeleteTopics marks topics for deletion and answers when they are gone from the metadata cache, or after the timeout.
// Kafka: KafkaApis.handleDeleteTopicsRequest, ZkAdminManager.deleteTopics.
func (m *Manager) DeleteTopics(active bool, r request.DeleteTopics) request.TopicResponse {
	switch {
	case !active:
		return refuseAll(r.Kind(), r.Topics, kafka.NOT_CONTROLLER, "")
	case !m.cfg.DeleteTopic:
		return refuseAll(r.Kind(), r.Topics, kafka.TOPIC_DELETION_DISABLED, "")
	}
	answer := request.TopicResponse{Of: r.Kind()}
	var marked []string
	for _, topic := range r.Topics {
		err := m.deleteTopic(topic)
		if err == nil {
			marked = append(marked, topic)
		}
		answer.Topics = append(answer.Topics, result(topic, err))
	}
	m.awaitGone(&answer, marked, r.TimeoutMS)
	return answer
}

// deleteTopic creates the marker; one that is there already is as good. Kafka: AdminZkClient.deleteTopic.
func (m *Manager) deleteTopic(topic string) error {
	if !m.cache.HasTopic(topic) {
		return fail(kafka.UNKNOWN_TOPIC_OR_PARTITION, "This server does not host this topic-partition.")
	}
	switch found, err := m.zk.TopicExists(topic); {
	case err != nil:
		return err
	case !found:
		return fail(kafka.UNKNOWN_TOPIC_OR_PARTITION, "Topic `%s` to delete does not exist", topic)
	}
	if err := m.zk.CreateDeleteTopicPath(topic); err != nil && !errors.Is(err, zk.NodeExists) {
		return err
	}
	return nil
}

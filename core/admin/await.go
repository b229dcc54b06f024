package admin

import (
	"cmp"

	"controllerscope/core/env"
	"controllerscope/core/kafka"
	"controllerscope/core/request"
)

// await waits until every item is done, or until the timeout of the request (ms, or the server's own when that is 0), and
// returns what is not done. An item that
// was done once is not looked at again, because a wait is asked after every step of the world.
func await[T any](m *Manager, ms int64, items []T, done func(T) bool) []T {
	if len(items) == 0 {
		return nil
	}
	late := false
	cancel := m.e.After(env.Timer{Name: "request-timeout", MS: cmp.Or(ms, m.cfg.TimeoutMS), Quiet: true}, func() { late = true })
	m.e.Wait("metadata", func() bool {
		for len(items) > 0 && done(items[0]) {
			items = items[1:]
		}
		return late || len(items) == 0
	})
	cancel()
	return items
}

// awaitLeaders waits until the metadata cache shows a leader for every partition of topics (name to number of partitions);
// a topic that got none in time has timed out. Kafka: DelayedCreatePartitions.
func (m *Manager) awaitLeaders(answer *request.TopicResponse, topics map[string]int) {
	var partitions []kafka.TopicPartition
	for _, topic := range kafka.SortedKeys(topics) {
		for p := range topics[topic] {
			partitions = append(partitions, kafka.TopicPartition{Topic: topic, Partition: int32(p)})
		}
	}
	hasLeader := func(tp kafka.TopicPartition) bool {
		state, known := m.cache.CachedPartition(tp)
		return known && state.Leader != kafka.NoLeader
	}
	late := map[string]bool{}
	for _, tp := range await(m, 0, partitions, hasLeader) {
		if !hasLeader(tp) {
			late[tp.Topic] = true
		}
	}
	timedOut(answer, late)
}

// awaitGone waits until the metadata cache knows none of the topics any more. Kafka: DelayedDeleteTopics.
func (m *Manager) awaitGone(answer *request.TopicResponse, topics []string, ms int64) {
	late := map[string]bool{}
	for _, topic := range await(m, ms, topics, func(topic string) bool { return !m.cache.HasTopic(topic) }) {
		late[topic] = m.cache.HasTopic(topic)
	}
	timedOut(answer, late)
}

func timedOut(answer *request.TopicResponse, late map[string]bool) {
	for i, t := range answer.Topics {
		if t.Error == kafka.NONE && late[t.Name] {
			answer.Topics[i] = request.TopicResult{Name: t.Name, Error: kafka.REQUEST_TIMED_OUT}
		}
	}
}

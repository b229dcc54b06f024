package admin

import (
	"controllerscope/core/kafka"
)

// AwaitElected waits until the metadata cache shows the given leaders, or until the timeout of the request, and returns
// the partitions that it does not show. Kafka: DelayedElectLeader.
func (m *Manager) AwaitElected(leaders map[kafka.TopicPartition]kafka.BrokerID) []kafka.TopicPartition {
	shows := func(tp kafka.TopicPartition) bool {
		state, known := m.cache.CachedPartition(tp)
		return known && state.Leader == leaders[tp]
	}
	var late []kafka.TopicPartition
	for _, tp := range await(m, 0, kafka.SortedFunc(leaders, kafka.ComparePartitions), shows) {
		if !shows(tp) {
			late = append(late, tp)
		}
	}
	return late
}

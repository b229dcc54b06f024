package server

import (
	"controllerscope/core/kafka"
	"controllerscope/core/zkclient"
	"controllerscope/core/zkdata"
)

// isrStore writes ISRs as leaders do below protocol 2.7-IV2. Kafka: ReplicationUtils.
type isrStore struct {
	zk    *zkclient.Client
	order kafka.Order
}

// UpdateISR writes the state of a partition at its version, unfenced. After BADVERSION it looks whether the znode says just
// that, because an answer may have been lost. Kafka: ReplicationUtils.updateLeaderAndIsr, checkLeaderAndIsrZkData.
func (s isrStore) UpdateISR(tp kafka.TopicPartition, l kafka.Leadership) (version int32, updated bool, err error) {
	path := zkdata.TopicPartitionStatePath(tp)
	same := func() (bool, int32, error) {
		found, ok, err := s.zk.GetTopicPartitionState(tp)
		expected := l
		expected.ZkVersion = found.ZkVersion
		if err != nil || !ok || found.ControllerEpoch != l.ControllerEpoch || !found.LeaderAndIsr.Equal(expected.LeaderAndIsr) {
			return false, zkclient.UnknownVersion, err
		}
		return true, found.ZkVersion, nil
	}
	updated, version, err = s.zk.ConditionalUpdatePath(path, zkdata.EncodeTopicPartitionState(l), l.ZkVersion, same)
	return version, updated, err
}

// PropagateIsrChanges writes one notification.
func (s isrStore) PropagateIsrChanges(tps []kafka.TopicPartition) error {
	return s.zk.PropagateIsrChanges(s.order.AnnouncedSet(tps))
}

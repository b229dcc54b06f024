package zkdata

import "controllerscope/core/kafka"

// EncodeIsrChange is the data of an ISR change notification, partitions in the given order.
// Kafka: IsrChangeNotificationSequenceZNode.encode.
func EncodeIsrChange(partitions []kafka.TopicPartition) []byte { return encodePartitions(partitions) }

// DecodeIsrChange reads one; text that is not JSON is an empty set. Kafka: IsrChangeNotificationSequenceZNode.decode.
func DecodeIsrChange(sequence string, data []byte) ([]kafka.TopicPartition, error) {
	partitions, err := decodePartitions(data)
	return partitions, at(IsrChangePath(sequence), err)
}

// EncodeLogDirEvent is the data of a log-dir notification of a failed directory. Kafka: LogDirEventNotificationSequenceZNode.encode.
func EncodeLogDirEvent(id kafka.BrokerID) []byte {
	return append(appendInt([]byte(`{"version":1,"broker":`), id), `,"event":1}`...)
}

// DecodeLogDirEvent reads the broker of one; text that is not JSON is ok=false. Kafka: LogDirEventNotificationSequenceZNode.decode.
func DecodeLogDirEvent(sequence string, data []byte) (id kafka.BrokerID, ok bool, err error) {
	o, ok, err := parseObject(data)
	if err != nil || !ok {
		return kafka.NoBroker, false, at(LogDirEventPath(sequence), err)
	}
	n, err := o.int32("broker")
	if err != nil {
		return kafka.NoBroker, false, at(LogDirEventPath(sequence), err)
	}
	return kafka.BrokerID(n), true, nil
}

// EncodeConfigChange is the data of a config change notification: a version 2 notice of an entity path such as
// "topics/orders" or "users/alice/clients/app-1". Kafka: ConfigEntityChangeNotificationSequenceZNode.encode.
func EncodeConfigChange(entityPath string) []byte {
	return append(appendString([]byte(`{"version":2,"entity_path":`), entityPath), '}')
}

package zkdata

import (
	"errors"
	"fmt"

	"controllerscope/core/jsonvalue"
	"controllerscope/core/kafka"
)

// PartitionReplicas is one entry of /admin/reassign_partitions: the replicas that a partition shall have.
type PartitionReplicas struct {
	kafka.TopicPartition
	Replicas []kafka.BrokerID
}

// EncodePartitionReassignment is the data of /admin/reassign_partitions, entries in the given order.
// Kafka: ReassignPartitionsZNode.encode.
func EncodePartitionReassignment(entries []PartitionReplicas) []byte {
	b := appendList([]byte(`{"version":1,"partitions":`), '[', ']', entries, func(b []byte, e PartitionReplicas) []byte {
		b = appendInt(append(appendString(append(b, `{"topic":`...), e.Topic), `,"partition":`...), e.Partition)
		return append(appendBrokers(append(b, `,"replicas":`...), e.Replicas), '}')
	})
	return append(b, '}')
}

// DecodePartitionReassignment reads it, in the order of the text; of two entries for one partition the later one counts.
// The binding is strict: an unknown field or a wrong type anywhere makes the whole document an error, which Kafka logs and
// treats as an empty reassignment. Kafka: ReassignPartitionsZNode.decode.
func DecodePartitionReassignment(data []byte) ([]PartitionReplicas, error) {
	entries, err := decodePartitionReassignment(data)
	return entries, at(ReassignPartitionsPath, err)
}

func decodePartitionReassignment(data []byte) ([]PartitionReplicas, error) {
	o, ok, err := parseObject(data)
	if err == nil && !ok {
		err = errNotJSON
	}
	if err != nil {
		return nil, err
	}
	if err := o.onlyFields("version", "partitions"); err != nil {
		return nil, err
	}
	if _, err := bindInt(o["version"]); err != nil {
		return nil, fmt.Errorf(`the field "version": %w`, err)
	}
	list, err := o.list("partitions")
	if err != nil {
		return nil, err
	}
	var entries []PartitionReplicas
	place := map[kafka.TopicPartition]int{}
	for i, x := range list {
		e, err := bindPartitionReplicas(x)
		if err != nil {
			return nil, fmt.Errorf("entry %d of the partitions: %w", i+1, err)
		}
		if j, again := place[e.TopicPartition]; again {
			entries[j] = e
			continue
		}
		place[e.TopicPartition] = len(entries)
		entries = append(entries, e)
	}
	return entries, nil
}

func bindPartitionReplicas(x any) (e PartitionReplicas, err error) {
	m, isObject := x.(map[string]any)
	if !isObject {
		return e, errors.New("expected an object")
	}
	o := object(m)
	if err := o.onlyFields("topic", "partition", "replicas"); err != nil {
		return e, err
	}
	if e.Topic, err = o.string("topic"); err != nil {
		return e, err
	}
	if e.Partition, err = bindInt(o["partition"]); err != nil {
		return e, fmt.Errorf(`the field "partition": %w`, err)
	}
	e.Replicas, err = asBrokers(o["replicas"])
	return e, err
}

func (o object) onlyFields(known ...string) error {
	for _, key := range kafka.SortedKeys(o) {
		found := false
		for _, k := range known {
			found = found || k == key
		}
		if !found {
			return fmt.Errorf("the field %q is unknown", key)
		}
	}
	return nil
}

// bindInt reads a number field the way Jackson binds one to an int: a missing field or null is 0, text with digits counts.
func bindInt(v any) (int32, error) {
	switch v := v.(type) {
	case nil:
		return 0, nil
	case string:
		return asInt32(jsonvalue.Number(v))
	case jsonvalue.Number:
		if f, err := v.Float64(); err == nil && f >= -1<<31 && f < 1<<31 {
			return int32(f), nil
		}
	}
	return 0, errors.New("expected a whole number of 32 bits")
}

// EncodePreferredReplicaElection is the data of /admin/preferred_replica_election. Kafka: PreferredReplicaElectionZNode.encode.
func EncodePreferredReplicaElection(partitions []kafka.TopicPartition) []byte {
	return encodePartitions(partitions)
}

// DecodePreferredReplicaElection reads it; text that is not JSON is an empty set. Kafka: PreferredReplicaElectionZNode.decode.
func DecodePreferredReplicaElection(data []byte) ([]kafka.TopicPartition, error) {
	partitions, err := decodePartitions(data)
	return partitions, at(PreferredReplicaElectionPath, err)
}

func encodePartitions(partitions []kafka.TopicPartition) []byte {
	b := appendList([]byte(`{"version":1,"partitions":`), '[', ']', partitions, func(b []byte, p kafka.TopicPartition) []byte {
		b = appendInt(append(appendString(append(b, `{"topic":`...), p.Topic), `,"partition":`...), p.Partition)
		return append(b, '}')
	})
	return append(b, '}')
}

// decodePartitions reads a list of partitions as a set, in the order of first occurrence.
func decodePartitions(data []byte) ([]kafka.TopicPartition, error) {
	o, ok, err := parseObject(data)
	if err != nil || !ok {
		return nil, err
	}
	list, err := o.list("partitions")
	if err != nil {
		return nil, err
	}
	var partitions []kafka.TopicPartition
	seen := map[kafka.TopicPartition]bool{}
	for i, x := range list {
		m, isObject := x.(map[string]any)
		if !isObject {
			return nil, fmt.Errorf("entry %d of the partitions: expected an object", i+1)
		}
		topic, err := object(m).string("topic")
		if err != nil {
			return nil, fmt.Errorf("entry %d of the partitions: %w", i+1, err)
		}
		number, err := object(m).int32("partition")
		if err != nil {
			return nil, fmt.Errorf("entry %d of the partitions: %w", i+1, err)
		}
		if p := (kafka.TopicPartition{Topic: topic, Partition: number}); !seen[p] {
			seen[p] = true
			partitions = append(partitions, p)
		}
	}
	return partitions, nil
}

package zkdata

import (
	"errors"
	"fmt"
	"strconv"

	"controllerscope/core/kafka"
)

// TopicAssignment is the content of a topic's znode; ID is the zero id when the znode has none.
// Kafka: TopicZNode.TopicIdReplicaAssignment.
type TopicAssignment struct {
	Topic      string
	ID         kafka.UUID
	Partitions map[int32]kafka.ReplicaAssignment
}

// EncodeTopic is the data of /brokers/topics/T, always version 3; topic_id is left out when the topic has none.
// Kafka: TopicZNode.encode.
func EncodeTopic(id kafka.UUID, partitions map[int32]kafka.ReplicaAssignment) []byte {
	of := func(pick func(kafka.ReplicaAssignment) []kafka.BrokerID, always bool) []byte {
		lists := map[string][]kafka.BrokerID{}
		for p, a := range partitions {
			if list := pick(a); always || len(list) > 0 {
				lists[strconv.Itoa(int(p))] = list
			}
		}
		return appendReplicaMap(nil, lists)
	}
	b := append([]byte(`{"partitions":`), of(func(a kafka.ReplicaAssignment) []kafka.BrokerID { return a.Replicas }, true)...)
	if !id.IsZero() {
		b = appendString(append(b, `,"topic_id":`...), id.String())
	}
	b = append(append(b, `,"adding_replicas":`...), of(func(a kafka.ReplicaAssignment) []kafka.BrokerID { return a.Adding }, false)...)
	b = append(append(b, `,"removing_replicas":`...), of(func(a kafka.ReplicaAssignment) []kafka.BrokerID { return a.Removing }, false)...)
	return append(b, `,"version":3}`...)
}

func appendReplicaMap(b []byte, lists map[string][]kafka.BrokerID) []byte {
	return appendList(b, '{', '}', kafka.StringKeys(lists), func(b []byte, key string) []byte {
		return appendBrokers(append(appendString(b, key), ':'), lists[key])
	})
}

// DecodeTopic reads a topic's znode of any version. Text that is not JSON is a topic without partitions and id; JSON of
// another shape is an error. Kafka: TopicZNode.decode.
func DecodeTopic(topic string, data []byte) (TopicAssignment, error) {
	t, err := decodeTopic(topic, data)
	return t, at(TopicPath(topic), err)
}

func decodeTopic(topic string, data []byte) (TopicAssignment, error) {
	t := TopicAssignment{Topic: topic, Partitions: map[int32]kafka.ReplicaAssignment{}}
	o, ok, err := parseObject(data)
	if err != nil || !ok {
		return t, err
	}
	if _, found := o["topic_id"]; found {
		text, err := o.string("topic_id")
		if err != nil {
			return t, err
		}
		if t.ID, err = kafka.ParseUUID(text); err != nil {
			return t, err
		}
	}
	replicas, err1 := o.object("partitions")
	adding, err2 := o.object("adding_replicas")
	removing, err3 := o.object("removing_replicas")
	if err := errors.Join(err1, err2, err3); err != nil {
		return t, err
	}
	for _, key := range kafka.SortedKeys(replicas) {
		p, err := strconv.ParseInt(key, 10, 32)
		if err != nil {
			return t, fmt.Errorf("%q is not a partition number", key)
		}
		var a kafka.ReplicaAssignment
		if a.Replicas, err = asBrokers(replicas[key]); err != nil {
			return t, fmt.Errorf("partition %s: %w", key, err)
		}
		if a.Adding, err = replicasOf(adding, key); err != nil {
			return t, err
		}
		if a.Removing, err = replicasOf(removing, key); err != nil {
			return t, err
		}
		t.Partitions[int32(p)] = a
	}
	return t, nil
}

// replicasOf is the list under a partition; a partition that is not there has an empty one.
func replicasOf(o object, partition string) ([]kafka.BrokerID, error) {
	v, found := o[partition]
	if !found {
		return nil, nil
	}
	ids, err := asBrokers(v)
	if err != nil {
		return nil, fmt.Errorf("partition %s: %w", partition, err)
	}
	return ids, nil
}

// EncodeTopicPartitionState is the data of a partition's state znode. Kafka: TopicPartitionStateZNode.encode.
func EncodeTopicPartitionState(l kafka.Leadership) []byte {
	b := appendInt([]byte(`{"controller_epoch":`), l.ControllerEpoch)
	b = appendInt(append(b, `,"leader":`...), l.Leader)
	b = appendInt(append(b, `,"version":1,"leader_epoch":`...), l.LeaderEpoch)
	b = appendBrokers(append(b, `,"isr":`...), l.ISR)
	return append(b, '}')
}

// DecodeTopicPartitionState reads a state znode whose dataVersion is zkVersion. Text that is not JSON is ok=false, as if the
// znode were absent; JSON of another shape is an error. Kafka: TopicPartitionStateZNode.decode.
func DecodeTopicPartitionState(p kafka.TopicPartition, data []byte, zkVersion int32) (l kafka.Leadership, ok bool, err error) {
	if l, ok = canonicalState(data); ok {
		l.ZkVersion = zkVersion
		return l, true, nil
	}
	return decodeTopicPartitionState(p, data, zkVersion)
}

func decodeTopicPartitionState(p kafka.TopicPartition, data []byte, zkVersion int32) (l kafka.Leadership, ok bool, err error) {
	fail := func(err error) (kafka.Leadership, bool, error) {
		return kafka.Leadership{}, false, at(TopicPartitionStatePath(p), err)
	}
	o, ok, err := parseObject(data)
	if err != nil || !ok {
		return fail(err)
	}
	leader, err := o.int32("leader")
	if err != nil {
		return fail(err)
	}
	if l.LeaderEpoch, err = o.int32("leader_epoch"); err != nil {
		return fail(err)
	}
	if l.ISR, err = asBrokers(o["isr"]); err != nil {
		return fail(fmt.Errorf(`the field "isr": %w`, err))
	}
	if l.ControllerEpoch, err = o.int32("controller_epoch"); err != nil {
		return fail(err)
	}
	l.Leader, l.ZkVersion = kafka.BrokerID(leader), zkVersion
	return l, true, nil
}

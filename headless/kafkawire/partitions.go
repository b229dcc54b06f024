package kafkawire

import "controllerscope/core/kafka"

// Several requests are a list of partitions, topic by topic, each with a type of its own for a topic. A null list stands for
// all partitions.

// topicsOf groups a list by topic, in the order of their first partitions; nil stays nil, and an empty list empty.
func topicsOf[T any](tps []kafka.TopicPartition, topic func(name string, partitions []int32) T) []T {
	if tps == nil {
		return nil
	}
	var names []string
	var partitions [][]int32
	topics := byTopic{}
	for _, tp := range tps {
		at, fresh := topics.at(tp.Topic)
		if fresh {
			names, partitions = append(names, tp.Topic), append(partitions, nil)
		}
		partitions[at] = append(partitions[at], tp.Partition)
	}
	out := make([]T, len(names))
	for i, name := range names {
		out[i] = topic(name, partitions[i])
	}
	return out
}

// partitionsOf is the list that topicsOf grouped.
func partitionsOf[T any](topics []T, of func(T) (name string, partitions []int32)) []kafka.TopicPartition {
	if topics == nil {
		return nil
	}
	out := []kafka.TopicPartition{}
	for _, t := range topics {
		name, partitions := of(t)
		for _, p := range partitions {
			out = append(out, kafka.TopicPartition{Topic: name, Partition: p})
		}
	}
	return out
}

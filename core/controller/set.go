package controller

import "controllerscope/core/kafka"

// set is a set without order; what is observable goes through sorted lists.
type set[K comparable] map[K]struct{}

func setOf[K comparable](list ...K) set[K] {
	s := make(set[K], len(list))
	for _, k := range list {
		s[k] = struct{}{}
	}
	return s
}

func (s set[K]) has(k K) bool {
	_, ok := s[k]
	return ok
}

func (s set[K]) add(k K) { s[k] = struct{}{} }

func sortedPartitions(s set[kafka.TopicPartition]) []kafka.TopicPartition {
	return kafka.SortedFunc(s, kafka.ComparePartitions)
}

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

// index keeps, for each key, the partitions that stand under it. A key without partitions is absent.
type index[K comparable] map[K]set[kafka.TopicPartition]

func (x index[K]) add(k K, tp kafka.TopicPartition) {
	s, ok := x[k]
	if !ok {
		s = set[kafka.TopicPartition]{}
		x[k] = s
	}
	s.add(tp)
}

func (x index[K]) remove(k K, tp kafka.TopicPartition) {
	if s, ok := x[k]; ok {
		delete(s, tp)
		if len(s) == 0 {
			delete(x, k)
		}
	}
}

func sortedPartitions(s set[kafka.TopicPartition]) []kafka.TopicPartition {
	return kafka.SortedFunc(s, kafka.ComparePartitions)
}

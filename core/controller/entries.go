package controller

import (
	"slices"

	"controllerscope/core/kafka"
)

// entries are what a batch has for one recipient: one for each partition, in the order in which they came, which is most
// often the order in which they are sent. The zero value is empty.
type entries[E any] struct {
	places map[kafka.TopicPartition]int32
	tps    []kafka.TopicPartition
	list   []E
}

// entriesOf are the entries for a broker, made when there are none.
func entriesOf[E any](m map[kafka.BrokerID]*entries[E], to kafka.BrokerID) *entries[E] {
	e := m[to]
	if e == nil {
		e = &entries[E]{}
		m[to] = e
	}
	return e
}

// of is the entry of a partition, made when there is none. It is valid until the next is made.
func (e *entries[E]) of(tp kafka.TopicPartition) *E {
	place, ok := e.places[tp]
	if !ok {
		if e.places == nil {
			e.places = map[kafka.TopicPartition]int32{}
		}
		place = int32(len(e.list))
		e.places[tp] = place
		e.tps = append(e.tps, tp)
		var none E
		e.list = append(e.list, none)
	}
	return &e.list[place]
}

// sorted are the partitions that have entries, ascending; none for nil.
func (e *entries[E]) sorted() []kafka.TopicPartition {
	if e == nil {
		return nil
	}
	tps := slices.Clone(e.tps)
	kafka.Sort(tps, kafka.ComparePartitions)
	return tps
}

// ordered are the partitions that have entries as a request has them: by topic, in the order of the map that Kafka's batch
// is. t is nil for a map that is new.
func (e *entries[E]) ordered(o kafka.Order, t *kafka.Table) []kafka.TopicPartition {
	return o.ByTopic(kafka.PartitionOrder(o, e.sorted(), t))
}

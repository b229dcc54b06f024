package controller

import (
	"slices"

	"controllerscope/core/kafka"
)

// entries are what a batch has for one recipient: one for each partition, in the order in which they came, which is most
// often the order in which they are sent. The zero value is empty.
type entries[E any] struct {
	places
	chunks [][]E // of chunk entries each but the last: a long list grows without being copied
}

const chunk = 1024

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
	place := e.find(tp)
	at := place / chunk
	if at == len(e.chunks) {
		e.chunks = append(e.chunks, make([]E, 0, min(chunk, place)))
	}
	if c := e.chunks[at]; place%chunk == len(c) {
		var none E
		e.chunks[at] = append(c, none)
	}
	return &e.chunks[at][place%chunk]
}

// places are those of partitions in a list.
type places struct {
	tps   []kafka.TopicPartition
	next  int                            // after that of the partition looked for last: most often it is looked for next
	room  int                            // how many entries Kafka's map made room for: it does so also before it replaces one
	mixed bool                           // the partitions did not come in ascending order
	other map[kafka.TopicPartition]int32 // made when one is looked for that is neither the next nor above all others
}

// find is the place of a partition, which is put at the end of the list if it has none.
func (l *places) find(tp kafka.TopicPartition) int {
	n := len(l.tps)
	if l.next == n {
		l.next = 0
	}
	if n > 0 && l.tps[l.next] == tp {
		l.next, l.room = l.next+1, n+1
		return l.next - 1
	}
	rises := n == 0 || kafka.ComparePartitions(l.tps[n-1], tp) < 0
	if !rises || l.mixed {
		if l.other == nil {
			l.other = map[kafka.TopicPartition]int32{}
		}
		for i := len(l.other); i < n; i++ {
			l.other[l.tps[i]] = int32(i)
		}
		if place, ok := l.other[tp]; ok {
			l.next, l.room = int(place)+1, n+1
			return int(place)
		}
		l.mixed = l.mixed || !rises
	}
	if n == cap(l.tps) {
		l.tps = slices.Grow(l.tps, n+1) // append would copy a long list far more often
	}
	l.tps = append(l.tps, tp)
	l.next = n + 1
	return n
}

// sorted are the partitions, ascending. The list is not the caller's to change.
func (l *places) sorted() []kafka.TopicPartition {
	if !l.mixed {
		return l.tps
	}
	tps := slices.Clone(l.tps)
	kafka.Sort(tps, kafka.ComparePartitions)
	return tps
}

// ordered are the partitions as a request has them: by topic, in the order of the map that Kafka's batch is. t is nil for a
// map that is new.
func (l *places) ordered(o kafka.Order, t *kafka.Table) []kafka.TopicPartition {
	if o == kafka.Scala {
		if t == nil {
			t = &kafka.Table{}
		}
		t.MakeRoom(l.room)
	}
	return o.ByTopic(kafka.PartitionOrder(o, l.sorted(), t))
}

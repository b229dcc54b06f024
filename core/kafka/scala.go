package kafka

import (
	"cmp"
	"fmt"
	"slices"
)

// Order says in which order maps and sets are gone through where somebody can see it: sorted, or as Scala 2.13's
// collections do it, so that requests can be compared with those of a real Kafka one by one.
type Order int

const (
	Sorted Order = iota
	Scala
)

// ParseOrder reads "sorted" or "scala".
func ParseOrder(s string) (Order, error) {
	switch s {
	case "sorted":
		return Sorted, nil
	case "scala":
		return Scala, nil
	}
	return Sorted, fmt.Errorf("%q is not an order: expected sorted or scala", s)
}

// PartitionSet orders the members of an immutable Set: up to four stay as they came, more are a hash trie.
func (o Order) PartitionSet(tps []TopicPartition) []TopicPartition {
	return o.PartitionSubset(len(tps), tps)
}

// PartitionSubset orders what is left of an immutable Set of so many members: once it is a hash trie it stays one.
func (o Order) PartitionSubset(members int, tps []TopicPartition) []TopicPartition {
	if o == Sorted || members < 5 {
		return tps
	}
	return trieOrder(tps, hashPartition)
}

// ReplicaSet is PartitionSet for replicas.
func (o Order) ReplicaSet(replicas []PartitionReplica) []PartitionReplica {
	return o.ReplicaSubset(len(replicas), replicas)
}

// ReplicaSubset is PartitionSubset for replicas.
func (o Order) ReplicaSubset(members int, replicas []PartitionReplica) []PartitionReplica {
	if o == Sorted || members < 5 {
		return replicas
	}
	return trieOrder(replicas, hashReplica)
}

// NameSet is PartitionSet for names.
func (o Order) NameSet(names []string) []string {
	if o == Sorted || len(names) < 5 {
		return names
	}
	return trieOrder(names, hashString)
}

// TopicReads orders topics as their znodes are read: a Set of them becomes one of requests.
func (o Order) TopicReads(topics []string) []string {
	if o == Sorted || len(topics) < 5 {
		return topics
	}
	return trieOrder(topics, hashTopicRead)
}

// NameTable orders the members of a mutable.Set of names.
func (o Order) NameTable(names []string) []string {
	if o == Sorted {
		return names
	}
	return hashOrder(names, hashString, &Table{})
}

// FilteredSet orders the sorted keys of a mutable.Map that was filtered and whose keys were made a Set: up to four have the
// order of the map, more are a hash trie.
func (o Order) FilteredSet(sorted []TopicPartition) []TopicPartition {
	return o.PartitionSet(PartitionOrder(o, sorted, nil))
}

// Assigned orders sorted partitions as they come out of ControllerContext.partitionAssignments, a mutable.HashMap of topics that
// holds one of partitions each.
func (o Order) Assigned(sorted []TopicPartition) []TopicPartition {
	if o == Sorted {
		return sorted
	}
	_, of := byTopic(sorted)
	out := make([]TopicPartition, 0, len(sorted))
	for _, topic := range StringKeys(of) {
		out = append(out, hashOrder(of[topic], func(tp TopicPartition) uint32 { return uint32(tp.Partition) }, &Table{})...)
	}
	return out
}

// ReplicaTable orders the sorted members of a mutable.Set.
func (o Order) ReplicaTable(sorted []PartitionReplica) []PartitionReplica {
	if o == Sorted {
		return sorted
	}
	return hashOrder(sorted, hashReplica, &Table{})
}

// GroupedByTopic orders partitions by the topics of a groupBy, whose result is a hash trie however few they are; those of one
// topic stay as they came.
func (o Order) GroupedByTopic(tps []TopicPartition) []TopicPartition {
	if o == Sorted {
		return tps
	}
	_, of := byTopic(tps)
	out := make([]TopicPartition, 0, len(tps))
	for _, topic := range trieOrder(SortedKeys(of), hashString) {
		out = append(out, of[topic]...)
	}
	return out
}

// AnnouncedSet orders the partitions that an ISR notification names: the set is mapped to a set of Java maps {topic, partition}
// before it is printed, so it has the order of their hashes. Kafka: IsrChangeNotificationSequenceZNode.encode.
func (o Order) AnnouncedSet(tps []TopicPartition) []TopicPartition {
	if o == Sorted {
		return tps
	}
	return hashOrder(tps, hashAnnounced, &Table{})
}

// Grouped orders the keys of a groupBy: its result is a hash trie however few they are.
func (o Order) Grouped(brokers []BrokerID) []BrokerID {
	if o == Sorted {
		return brokers
	}
	return trieOrder(brokers, func(b BrokerID) uint32 { return uint32(b) })
}

// Table is what lasts of a mutable.HashMap that is cleared and filled again: its buckets, which never become fewer.
type Table struct{ buckets int }

// PartitionKeys returns the keys of m: sorted, or in the order of a mutable.HashMap. t is nil for a map that is new.
func PartitionKeys[V any](o Order, m map[TopicPartition]V, t *Table) []TopicPartition {
	return PartitionOrder(o, SortedFunc(m, ComparePartitions), t)
}

// PartitionOrder orders the sorted keys of a map: as they are, or as a mutable.HashMap has them. t is nil for a map that is new.
func PartitionOrder(o Order, keys []TopicPartition, t *Table) []TopicPartition {
	if o == Scala {
		keys = t.order(keys)
	}
	return keys
}

// MakeRoom doubles the table until it has room for n entries: it begins with 16 buckets and doubles when the next entry would
// reach three quarters of it.
func (t *Table) MakeRoom(n int) {
	t.buckets = max(16, t.buckets)
	for n >= t.buckets*3/4 {
		t.buckets *= 2
	}
}

func (t *Table) order(tps []TopicPartition) []TopicPartition {
	if t == nil {
		t = &Table{}
	}
	return hashOrder(tps, hashPartition, t)
}

// ByTopic groups partitions as the builders of requests do: by topic, in the order of a Java HashMap<String,…> that
// computeIfAbsent fills, where a new key goes to the front of its bucket.
func (o Order) ByTopic(tps []TopicPartition) []TopicPartition {
	if o == Sorted {
		return tps
	}
	topics, groups := byTopic(tps)
	buckets := uint32(16)
	for len(topics) > int(buckets*3/4)+1 { // a table that is too full grows before the next key is put in
		buckets *= 2
	}
	slices.Reverse(topics)
	bucket := func(topic string) uint32 { return improved(hashString(topic)) & (buckets - 1) }
	Sort(topics, func(a, b string) int { return cmp.Compare(bucket(a), bucket(b)) })
	out := make([]TopicPartition, 0, len(tps))
	for _, topic := range topics {
		out = append(out, groups[topic]...)
	}
	return out
}

// byTopic lists the topics of partitions in the order in which they come, and the partitions of each.
func byTopic(tps []TopicPartition) (topics []string, of map[string][]TopicPartition) {
	of = map[string][]TopicPartition{}
	for _, tp := range tps {
		if of[tp.Topic] == nil {
			topics = append(topics, tp.Topic)
		}
		of[tp.Topic] = append(of[tp.Topic], tp)
	}
	return topics, of
}

// StringKeys returns the keys of m in the order of a mutable.HashMap[String, _] or, but for rare collisions, of Java's
// ConcurrentHashMap under Properties.
func StringKeys[V any](m map[string]V) []string {
	return hashOrder(SortedKeys(m), hashString, &Table{})
}

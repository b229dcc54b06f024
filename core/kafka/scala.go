package kafka

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"
	"unicode/utf16"
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
	if o == Sorted || len(tps) < 5 {
		return tps
	}
	return trieOrder(tps, hashPartition, ComparePartitions)
}

// ReplicaSet is PartitionSet for replicas.
func (o Order) ReplicaSet(replicas []PartitionReplica) []PartitionReplica {
	if o == Sorted || len(replicas) < 5 {
		return replicas
	}
	return trieOrder(replicas, hashReplica, CompareReplicas)
}

// AnnouncedSet orders the partitions that an ISR notification names: the set is mapped to a set of Java maps {topic, partition}
// before it is printed, so it has the order of their hashes. Kafka: IsrChangeNotificationSequenceZNode.encode.
func (o Order) AnnouncedSet(tps []TopicPartition) []TopicPartition {
	if o == Sorted {
		return tps
	}
	buckets := 0
	return hashOrder(tps, hashAnnounced, &buckets)
}

// Grouped orders the keys of a groupBy: its result is a hash trie however few they are.
func (o Order) Grouped(brokers []BrokerID) []BrokerID {
	if o == Sorted {
		return brokers
	}
	return trieOrder(brokers, func(b BrokerID) uint32 { return uint32(b) }, cmp.Compare[BrokerID])
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

func (t *Table) order(tps []TopicPartition) []TopicPartition {
	if t == nil {
		t = &Table{}
	}
	return hashOrder(tps, hashPartition, &t.buckets)
}

// ByTopic groups partitions as the builders of requests do: by topic, in the order of a Java HashMap<String,…> that
// computeIfAbsent fills, where a new key goes to the front of its bucket.
func (o Order) ByTopic(tps []TopicPartition) []TopicPartition {
	if o == Sorted {
		return tps
	}
	groups := map[string][]TopicPartition{}
	var topics []string
	for _, tp := range tps {
		if groups[tp.Topic] == nil {
			topics = append(topics, tp.Topic)
		}
		groups[tp.Topic] = append(groups[tp.Topic], tp)
	}
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

// StringKeys returns the keys of m in the order of a mutable.HashMap[String, _] or, but for rare collisions, of Java's
// ConcurrentHashMap under Properties.
func StringKeys[V any](m map[string]V) []string {
	buckets := 0
	return hashOrder(SortedKeys(m), hashString, &buckets)
}

// hashOrder puts keys into the order of Scala 2.13's mutable.HashMap: by bucket, inside a bucket by signed hash. A table
// begins with 16 buckets and doubles when the next entry would reach three quarters of it.
func hashOrder[K any](keys []K, hash func(K) uint32, buckets *int) []K {
	*buckets = max(16, *buckets)
	for len(keys) >= *buckets*3/4 {
		*buckets *= 2
	}
	mask := uint32(*buckets - 1)
	return byHash(keys, hash, func(a, b uint32) int {
		a, b = improved(a), improved(b)
		return cmp.Or(cmp.Compare(a&mask, b&mask), cmp.Compare(int32(a), int32(b)))
	})
}

// byHash sorts keys by their hashes, which are computed once; equal ones keep their order.
func byHash[K any](keys []K, hash func(K) uint32, compare func(a, b uint32) int) []K {
	type entry struct {
		key  K
		hash uint32
	}
	entries := make([]entry, len(keys))
	for i, k := range keys {
		entries[i] = entry{k, hash(k)}
	}
	Sort(entries, func(a, b entry) int { return compare(a.hash, b.hash) })
	out := make([]K, len(keys))
	for i, e := range entries {
		out[i] = e.key
	}
	return out
}

// trieOrder puts keys into the order of immutable.HashSet: each node gives its own members before those of its children,
// both by five bits of the hash.
func trieOrder[K any](keys []K, hash func(K) uint32, compare func(a, b K) int) []K {
	type entry struct {
		key  K
		hash uint32
	}
	var walk func(entries []entry, shift int, out []K) []K
	walk = func(entries []entry, shift int, out []K) []K {
		if shift > 31 { // the same hash: a collision node
			Sort(entries, func(a, b entry) int { return compare(a.key, b.key) })
			for _, e := range entries {
				out = append(out, e.key)
			}
			return out
		}
		var nodes [32][]entry
		for _, e := range entries {
			i := e.hash >> shift & 31
			nodes[i] = append(nodes[i], e)
		}
		for _, n := range nodes {
			if len(n) == 1 {
				out = append(out, n[0].key)
			}
		}
		for _, n := range nodes {
			if len(n) > 1 {
				out = walk(n, shift+5, out)
			}
		}
		return out
	}
	entries := make([]entry, len(keys))
	for i, k := range keys {
		entries[i] = entry{k, trieHash(hash(k))}
	}
	return walk(entries, 0, make([]K, 0, len(keys)))
}

// improved mixes the upper half of a hash into the lower one. Scala: mutable.HashMap.improveHash, Java: HashMap.hash.
func improved(h uint32) uint32 { return h ^ h>>16 }

// trieHash is the hash that immutable collections use. Scala: Hashing.improve.
func trieHash(h uint32) uint32 {
	h += ^(h << 9)
	h ^= h >> 14
	h += h << 4
	return h ^ h>>10
}

// hashString is Java's String.hashCode, over UTF-16 units.
func hashString(s string) uint32 {
	h := uint32(0)
	for _, r := range s {
		if r > 0xffff {
			high, low := utf16.EncodeRune(r)
			h, r = 31*h+uint32(high), low
		}
		h = 31*h + uint32(r)
	}
	return h
}

// hashPartition is TopicPartition.hashCode.
func hashPartition(tp TopicPartition) uint32 {
	return 31*(31+uint32(tp.Partition)) + hashString(tp.Topic)
}

// hashAnnounced is the hash of a Java map with the entries topic and partition.
func hashAnnounced(tp TopicPartition) uint32 {
	return hashString("topic") ^ hashString(tp.Topic) + (hashString("partition") ^ uint32(tp.Partition))
}

// hashReplica is the hash of the case class PartitionAndReplica. Scala: MurmurHash3.productHash.
func hashReplica(r PartitionReplica) uint32 {
	h := uint32(0xcafebabe)
	for _, part := range []uint32{hashString("PartitionAndReplica"), hashPartition(r.TopicPartition), uint32(r.Replica)} {
		part = bits.RotateLeft32(part*0xcc9e2d51, 15) * 0x1b873593
		h = bits.RotateLeft32(h^part, 13)*5 + 0xe6546b64
	}
	h ^= 2
	h = (h ^ h>>16) * 0x85ebca6b
	h = (h ^ h>>13) * 0xc2b2ae35
	return h ^ h>>16
}

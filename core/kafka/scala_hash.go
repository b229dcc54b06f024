package kafka

import (
	"cmp"
	"math/bits"
	"unicode/utf16"
)

// hashOrder puts keys into the order of Scala 2.13's mutable.HashMap: by bucket, inside a bucket by signed hash. A table
// begins with 16 buckets and doubles when the next entry would reach three quarters of it.
func hashOrder[K any](keys []K, hash func(K) uint32, t *Table) []K {
	t.MakeRoom(len(keys))
	mask := uint32(t.buckets - 1)
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

// hashReplica is the hash of the case class PartitionAndReplica.
func hashReplica(r PartitionReplica) uint32 {
	return hashProduct("PartitionAndReplica", hashPartition(r.TopicPartition), uint32(r.Replica))
}

// hashTopicRead is the hash of the GetDataRequest for a topic's znode, which has the topic as its context.
func hashTopicRead(topic string) uint32 {
	return hashProduct("GetDataRequest", hashString("/brokers/topics/"+topic), hashProduct("Some", hashString(topic)))
}

// hashProduct is the hash of a case class. Scala: MurmurHash3.productHash.
func hashProduct(name string, parts ...uint32) uint32 {
	h := uint32(0xcafebabe)
	for _, part := range append([]uint32{hashString(name)}, parts...) {
		part = bits.RotateLeft32(part*0xcc9e2d51, 15) * 0x1b873593
		h = bits.RotateLeft32(h^part, 13)*5 + 0xe6546b64
	}
	h ^= uint32(len(parts))
	h = (h ^ h>>16) * 0x85ebca6b
	h = (h ^ h>>13) * 0xc2b2ae35
	return h ^ h>>16
}

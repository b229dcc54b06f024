package kafka

import (
	"cmp"
	"math/bits"
	"unicode/utf16"
)

// hashed is a key by its place in a list, with its hash.
type hashed struct {
	place int32
	hash  uint32
}

// byHash has keys put into an order that depends on their hashes; each is computed once.
func byHash[K any](keys []K, hash func(K) uint32, order func([]hashed) []hashed) []K {
	list := make([]hashed, len(keys))
	for i, k := range keys {
		list[i] = hashed{int32(i), hash(k)}
	}
	out := make([]K, len(keys))
	for i, h := range order(list) {
		out[i] = keys[h.place]
	}
	return out
}

// hashOrder puts keys into the order of Scala 2.13's mutable.HashMap: by bucket, inside a bucket by signed hash; equal ones keep
// theirs.
func hashOrder[K any](keys []K, hash func(K) uint32, t *Table) []K {
	return byHash(keys, hash, t.inBuckets)
}

func (t *Table) inBuckets(list []hashed) []hashed {
	t.MakeRoom(len(list))
	mask := uint32(t.buckets - 1)
	Sort(list, func(a, b hashed) int {
		x, y := improved(a.hash), improved(b.hash)
		return cmp.Or(cmp.Compare(x&mask, y&mask), cmp.Compare(int32(x), int32(y)))
	})
	return list
}

// trieOrder puts keys into the order of immutable.HashSet.
func trieOrder[K any](keys []K, hash func(K) uint32) []K {
	return byHash(keys, hash, func(list []hashed) []hashed { return walkTrie(list, 0, make([]hashed, 0, len(list))) })
}

// walkTrie appends the keys of a node: its own members before those of its children, both by five bits of the hash. Those of the
// same hash are in one node, as they came.
func walkTrie(list []hashed, shift int, out []hashed) []hashed {
	if shift > 31 {
		return append(out, list...)
	}
	var nodes [32][]hashed
	for _, h := range list {
		i := trieHash(h.hash) >> shift & 31
		nodes[i] = append(nodes[i], h)
	}
	for _, n := range nodes {
		if len(n) == 1 {
			out = append(out, n[0])
		}
	}
	for _, n := range nodes {
		if len(n) > 1 {
			out = walkTrie(n, shift+5, out)
		}
	}
	return out
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

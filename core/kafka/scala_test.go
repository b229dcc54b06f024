package kafka

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func partitions(topic string, numbers ...int32) (out []TopicPartition) {
	for _, n := range numbers {
		out = append(out, TopicPartition{topic, n})
	}
	return out
}

// The orders in which a real Kafka 2.8.2 read state znodes (recording f09-auto-rebalance-threshold, broker kill 1).
func TestScalaSets(t *testing.T) {
	all := partitions("a", 0, 1, 2, 3, 4, 5, 6, 7, 8, 9)
	require.Equal(t, partitions("a", 9, 7, 3, 8, 1, 4, 0, 5, 6, 2), Scala.PartitionSet(all))
	require.Equal(t, all, Sorted.PartitionSet(all))
	require.Equal(t, all[:4], Scala.PartitionSet(all[:4]))

	var replicas []PartitionReplica
	for _, tp := range append(all, partitions("b", 0, 1, 2, 3, 4, 5, 6, 7, 8, 9)...) {
		replicas = append(replicas, PartitionReplica{tp, 1})
	}
	var names []string
	for _, r := range Scala.ReplicaSet(replicas) {
		names = append(names, r.TopicPartition.String())
	}
	require.Equal(t, []string{"a-1", "b-0", "b-4", "a-4", "a-8", "b-7", "b-1", "b-5", "b-2", "a-5",
		"a-6", "a-3", "b-8", "b-6", "a-7", "a-9", "a-0", "b-9", "b-3", "a-2"}, names)
	require.Equal(t, replicas, Sorted.ReplicaSet(replicas))
}

// Of the replicas 4 and 5 that a reassignment removes, 5 goes first (recording 23-reassign-full, last step).
func TestScalaGroups(t *testing.T) {
	require.Equal(t, []BrokerID{5, 4}, Scala.Grouped([]BrokerID{4, 5}))
	require.Equal(t, []BrokerID{4, 5}, Sorted.Grouped([]BrokerID{4, 5}))
}

// Partitions of one topic come in descending order while no bucket boundary is crossed: the hash grows by 31, that is by
// one less than twice the table. A table of 32 buckets gives the same.
func TestScalaTables(t *testing.T) {
	m := map[TopicPartition]bool{}
	for _, tp := range partitions("t", 0, 1, 2, 3) {
		m[tp] = true
	}
	require.Equal(t, partitions("t", 3, 2, 1, 0), PartitionKeys(Scala, m, nil))
	require.Equal(t, partitions("t", 0, 1, 2, 3), PartitionKeys(Sorted, m, nil))
	for n := int32(4); n < 12; n++ {
		m[TopicPartition{"t", n}] = true
	}
	table := &Table{}
	PartitionKeys(Scala, m, table)
	require.Equal(t, 32, table.buckets)
	clear(m)
	PartitionKeys(Scala, m, table)
	require.Equal(t, 32, table.buckets, "a cleared table keeps its buckets")
}

// As a real Kafka 2.8.2 announced them (recordings h05 and h27).
func TestScalaAnnouncedSet(t *testing.T) {
	require.Equal(t, partitions("t", 1, 0), Scala.AnnouncedSet(partitions("t", 0, 1)))
	require.Equal(t, partitions("orders", 2, 3, 6, 0, 1, 4, 5), Scala.AnnouncedSet(partitions("orders", 0, 1, 2, 3, 4, 5, 6)))
	require.Equal(t, partitions("t", 0, 1), Sorted.AnnouncedSet(partitions("t", 0, 1)))
}

// Grouped by topic: "Aa" and "BB" have the same hash code, so the later one comes first.
func TestScalaByTopic(t *testing.T) {
	a, b, c := TopicPartition{"Aa", 0}, TopicPartition{"BB", 0}, TopicPartition{"Aa", 1}
	require.Equal(t, []TopicPartition{b, a, c}, Scala.ByTopic([]TopicPartition{a, b, c}))
	require.Equal(t, []TopicPartition{a, c, b}, Scala.ByTopic([]TopicPartition{b, a, c}))
	require.Equal(t, []TopicPartition{a, b, c}, Sorted.ByTopic([]TopicPartition{a, b, c}))
}

// Eleven partitions stay ascending, the twelfth doubles the table and scrambles them (computed by hand: "0" hashes to 48,
// "10" to 1567, "11" to 1568; of 16 buckets they fall into 0, 15, of 32 into 16, 31 and 0).
func TestStringKeysGrow(t *testing.T) {
	m := map[string]int{}
	eleven := []string{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10"}
	for _, key := range eleven {
		m[key] = 1
	}
	require.Equal(t, eleven, StringKeys(m))
	m["11"] = 1
	require.Equal(t, append([]string{"11"}, eleven...), StringKeys(m))
}

// The values of Java's String.hashCode for these words, upper half mixed in ("😀" is the pair D83D DE00).
func TestStringHashes(t *testing.T) {
	require.EqualValues(t, 0, improved(hashString("")))
	require.EqualValues(t, 48, improved(hashString("0")))
	require.EqualValues(t, 1568, improved(hashString("11")))
	h := uint32(31*0xd83d + 0xde00)
	require.Equal(t, h^h>>16, improved(hashString("😀")))
}

func TestParseOrder(t *testing.T) {
	for text, want := range map[string]Order{"sorted": Sorted, "scala": Scala} {
		got, err := ParseOrder(text)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
	_, err := ParseOrder("java")
	require.EqualError(t, err, `"java" is not an order: expected sorted or scala`)
}

// What a real Kafka 2.8.2 read and wrote in which order; the recordings are named with their steps.
func TestScalaOrdersOfQueries(t *testing.T) {
	of := func(names ...string) (out []TopicPartition) {
		for _, n := range names {
			at := strings.LastIndex(n, "-")
			p, err := strconv.Atoi(n[at+1:])
			require.NoError(t, err)
			out = append(out, TopicPartition{n[:at], int32(p)})
		}
		return out
	}
	// partitionsInStates: k09-controller-stops-beside-dead, step 9; of five and more the map's order is lost
	require.Equal(t, of("a-2", "a-0"), Scala.FilteredSet(of("a-0", "a-2")))
	require.Equal(t, Scala.PartitionSet(of("a-0", "a-1", "a-2", "b-0", "b-1")), Scala.FilteredSet(of("a-0", "a-1", "a-2", "b-0", "b-1")))
	// allPartitions: 19-zombie-alive, step 9
	require.Equal(t, of("t-0", "t-1", "n-0"), Scala.Assigned(of("n-0", "t-0", "t-1")))
	require.Equal(t, of("t-16", "t-1"), Scala.Assigned(of("t-1", "t-16")), "16 falls into bucket 0")
	// partitionsOnBroker, which led was taken from: 11-controlled-shutdown, step 6
	require.Equal(t, of("t-3", "w-0", "t-0"), Scala.PartitionSubset(5, of("t-0", "t-3", "w-0")))
	require.Equal(t, of("t-0", "t-3", "w-0"), Scala.PartitionSubset(4, of("t-0", "t-3", "w-0")))
	// the topics of a failover: s06 below four stay as the set has them, six are a trie of requests (many-topics, step 14)
	require.Equal(t, []string{"d", "t"}, Scala.TopicReads(Scala.NameTable([]string{"d", "t"})))
	require.Equal(t, strings.Fields("d c f b a e"), Scala.TopicReads(Scala.NameTable(strings.Fields("a b c d e f"))))
	// the topics whose configs a starting broker reads: many-topics, step 12
	require.Equal(t, strings.Fields("e f a b c d"), Scala.NameSet(strings.Fields("a b c d e f")))
	// answers of an election: b-0, a-0 and zz-0 were asked for, and a's came first (unclean-many, step 14)
	require.Equal(t, of("a-0", "b-0", "zz-0"), Scala.GroupedByTopic(PartitionOrder(Scala, of("a-0", "b-0", "zz-0"), nil)))
	all := of("a-0", "b-0", "b-1", "c-0", "c-1")
	require.Equal(t, all, Sorted.FilteredSet(all))
	require.Equal(t, all, Sorted.Assigned(all))
	require.Equal(t, all, Sorted.GroupedByTopic(all))
	require.Equal(t, []string{"a", "b", "c", "d", "e"}, Sorted.TopicReads(Sorted.NameSet(Sorted.NameTable([]string{"a", "b", "c", "d", "e"}))))
}

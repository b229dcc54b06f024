// Package kafka holds the nouns that every other package speaks of: brokers, partitions, assignments, leadership,
// error codes, and the states of partitions and replicas with their legal moves. It knows no ZooKeeper and no time.
package kafka

import (
	"cmp"
	"encoding/base64"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// BrokerID is the number of a broker; NoLeader and the other sentinels share its type.
type BrokerID int32

const (
	NoLeader           BrokerID = -1 // a partition without a leader. Kafka: LeaderAndIsr.NoLeader
	LeaderDuringDelete BrokerID = -2 // in UpdateMetadata only: the topic is being deleted
	NoBroker           BrokerID = -1 // activeControllerId when no controller is known
)

func (b BrokerID) String() string { return strconv.Itoa(int(b)) }

// Epoch and version sentinels. Kafka: LeaderAndIsr, ZkVersion, AbstractControlRequest.
const (
	NoEpoch            int32 = -1 // StopReplica leader epoch when no leadership is known
	EpochDuringDelete  int32 = -2 // StopReplica leader epoch for a topic queued for deletion
	InitialLeaderEpoch int32 = 0
	MatchAnyVersion    int32 = -1
	UnknownBrokerEpoch int64 = -1 // a request that carries it is not checked
)

// TopicPartition names one partition.
type TopicPartition struct {
	Topic     string
	Partition int32
}

func (p TopicPartition) String() string { return p.Topic + "-" + strconv.Itoa(int(p.Partition)) }

// ParseTopicPartition reads "orders-0"; the part after the last dash is the number.
func ParseTopicPartition(s string) (TopicPartition, error) {
	i := strings.LastIndexByte(s, '-')
	if i <= 0 {
		return TopicPartition{}, fmt.Errorf("%q is not a partition: expected TOPIC-NUMBER, as in orders-0", s)
	}
	n, err := strconv.ParseInt(s[i+1:], 10, 32)
	if err != nil || n < 0 {
		return TopicPartition{}, fmt.Errorf("%q is not a partition: %q is not a partition number", s, s[i+1:])
	}
	return TopicPartition{s[:i], int32(n)}, nil
}

// ComparePartitions orders by topic, then by number: the default order of everything observable.
func ComparePartitions(a, b TopicPartition) int {
	return cmp.Or(strings.Compare(a.Topic, b.Topic), cmp.Compare(a.Partition, b.Partition))
}

// PartitionReplica is one replica of one partition. Kafka: PartitionAndReplica.
type PartitionReplica struct {
	TopicPartition
	Replica BrokerID
}

func (r PartitionReplica) String() string {
	return r.TopicPartition.String() + "·" + r.Replica.String()
}

// LeaderAndIsr is the leadership of a partition as its state znode holds it; ZkVersion is that znode's dataVersion.
// Kafka: kafka.api.LeaderAndIsr.
type LeaderAndIsr struct {
	Leader      BrokerID
	LeaderEpoch int32
	ISR         []BrokerID
	ZkVersion   int32
}

// Leadership adds the epoch of the controller that wrote it. Kafka: LeaderIsrAndControllerEpoch.
type Leadership struct {
	LeaderAndIsr
	ControllerEpoch int32
}

// Equal compares all fields, the ISR as an ordered list.
func (l LeaderAndIsr) Equal(o LeaderAndIsr) bool {
	return l.Leader == o.Leader && l.LeaderEpoch == o.LeaderEpoch && l.ZkVersion == o.ZkVersion && slices.Equal(l.ISR, o.ISR)
}

// Endpoint is one advertised listener of a broker.
type Endpoint struct {
	Listener, Protocol, Host string
	Port                     int32
}

func (e Endpoint) String() string {
	return e.Listener + "://" + e.Host + ":" + strconv.Itoa(int(e.Port))
}

// Broker is what a registration znode says of a broker. Rack is "" when unset. Kafka: kafka.cluster.Broker.
type Broker struct {
	ID        BrokerID
	Endpoints []Endpoint
	Rack      string
}

// UUID is a topic id.
type UUID [16]byte

// IsZero reports whether u is the zero id: "no topic id".
func (u UUID) IsZero() bool { return u == UUID{} }

// String is Kafka's form: 22 characters of URL-safe base64 without padding.
func (u UUID) String() string {
	var text [22]byte
	base64.RawURLEncoding.Encode(text[:], u[:])
	return string(text[:])
}

// ParseUUID reads what String prints.
func ParseUUID(s string) (UUID, error) {
	b, err := base64.RawURLEncoding.DecodeString(s)
	if err != nil || len(b) != 16 {
		return UUID{}, fmt.Errorf("%q is not a topic id: expected 22 characters of URL-safe base64", s)
	}
	return UUID(b), nil
}

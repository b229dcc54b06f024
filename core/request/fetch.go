package request

import "controllerscope/core/kafka"

// Fetch is a follower's fetch, as numbers only: how far its log goes and under which epoch. It names the partitions
// whose state changed since the fetch before; the leader remembers the rest. Kafka: FetchRequest with a fetch session.
type Fetch struct {
	ReplicaID  kafka.BrokerID
	Full       bool // begins a session: the leader forgets what it was asked before
	Partitions []FetchPartition
}

// FetchPartition asks for the records from Offset on. LastEpoch is the leader epoch of the record before Offset,
// kafka.NoEpoch in an empty log; HighWatermark is the last one that the follower was told.
type FetchPartition struct {
	kafka.TopicPartition
	LeaderEpoch   int32
	Offset        int64
	LastEpoch     int32
	HighWatermark int64
}

// FetchResponse has a result for each partition with news; the others go on waiting.
type FetchResponse struct {
	Error      kafka.Error
	Partitions []FetchResult
}

// FetchResult says how far the leader's log goes. Diverging means that the follower holds records that the leader does
// not: it must cut its log back to where DivergingEpoch ends at DivergingEnd, or before.
type FetchResult struct {
	kafka.TopicPartition
	Error          kafka.Error
	LeaderEpoch    int32 // of the request
	EndOffset      int64
	HighWatermark  int64
	Epochs         []EpochStart // leader epochs that begin at or after the asked offset
	Diverging      bool
	DivergingEpoch int32
	DivergingEnd   int64
}

// EpochStart says at which offset the records of a leader epoch begin.
type EpochStart struct {
	Epoch  int32
	Offset int64
}

func (Fetch) Kind() string                    { return "Fetch" }
func (FetchResponse) Kind() string            { return "Fetch" }
func (r FetchResponse) TopError() kafka.Error { return r.Error }

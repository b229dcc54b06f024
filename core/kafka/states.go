package kafka

// PartitionState is a state of the partition state machine; the values are Kafka's bytes. Kafka: PartitionState.
type PartitionState uint8

const (
	NewPartition PartitionState = iota
	OnlinePartition
	OfflinePartition
	NonExistentPartition
	numPartitionStates
)

var partitionNames = [numPartitionStates]string{"NewPartition", "OnlinePartition", "OfflinePartition", "NonExistentPartition"}

func (s PartitionState) String() string { return partitionNames[s] }

// partitionFrom holds, per target, the states that a partition may come from. Kafka: PartitionState.validPreviousStates.
var partitionFrom = [numPartitionStates]set{
	NewPartition:         of(NonExistentPartition),
	OnlinePartition:      of(NewPartition, OnlinePartition, OfflinePartition),
	OfflinePartition:     of(NewPartition, OnlinePartition, OfflinePartition),
	NonExistentPartition: of(OfflinePartition),
}

// CanBecome reports whether the move from s to target is legal.
func (s PartitionState) CanBecome(target PartitionState) bool {
	return partitionFrom[target].has(uint8(s))
}

// PartitionStates lists all of them in Kafka's order.
func PartitionStates() []PartitionState {
	return []PartitionState{NewPartition, OnlinePartition, OfflinePartition, NonExistentPartition}
}

// ReplicaState is a state of the replica state machine; the values are Kafka's bytes, 0 is unused. Kafka: ReplicaState.
type ReplicaState uint8

const (
	NewReplica ReplicaState = iota + 1
	OnlineReplica
	OfflineReplica
	ReplicaDeletionStarted
	ReplicaDeletionSuccessful
	ReplicaDeletionIneligible
	NonExistentReplica
	numReplicaStates
)

var replicaNames = [numReplicaStates]string{"", "NewReplica", "OnlineReplica", "OfflineReplica", "ReplicaDeletionStarted",
	"ReplicaDeletionSuccessful", "ReplicaDeletionIneligible", "NonExistentReplica"}

func (s ReplicaState) String() string { return replicaNames[s] }

// replicaFrom holds, per target, the states that a replica may come from. Kafka: ReplicaState.validPreviousStates.
var replicaFrom = [numReplicaStates]set{
	NewReplica:                of(NonExistentReplica),
	OnlineReplica:             of(NewReplica, OnlineReplica, OfflineReplica, ReplicaDeletionIneligible),
	OfflineReplica:            of(NewReplica, OnlineReplica, OfflineReplica, ReplicaDeletionIneligible),
	ReplicaDeletionStarted:    of(OfflineReplica),
	ReplicaDeletionSuccessful: of(ReplicaDeletionStarted),
	ReplicaDeletionIneligible: of(OfflineReplica, ReplicaDeletionStarted),
	NonExistentReplica:        of(ReplicaDeletionSuccessful),
}

// CanBecome reports whether the move from s to target is legal.
func (s ReplicaState) CanBecome(target ReplicaState) bool { return replicaFrom[target].has(uint8(s)) }

// ReplicaStates lists all of them in Kafka's order.
func ReplicaStates() []ReplicaState {
	return []ReplicaState{NewReplica, OnlineReplica, OfflineReplica, ReplicaDeletionStarted, ReplicaDeletionSuccessful,
		ReplicaDeletionIneligible, NonExistentReplica}
}

// set is a set of small state numbers.
type set uint16

func of[S ~uint8](states ...S) (s set) {
	for _, x := range states {
		s |= 1 << x
	}
	return s
}

func (s set) has(x uint8) bool { return s&(1<<x) != 0 }

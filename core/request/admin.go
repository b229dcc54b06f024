package request

import "controllerscope/core/kafka"

// ElectLeaders asks the controller's server to elect leaders. Partitions nil means all of its metadata cache.
// Kafka: ElectLeadersRequest.
type ElectLeaders struct {
	Unclean    bool // may take a replica that is not in the ISR; else the preferred replica is asked for
	Partitions []kafka.TopicPartition
}

// AlterPartitionReassignments asks the controller's server to move partitions. Kafka: AlterPartitionReassignmentsRequest.
type AlterPartitionReassignments struct {
	Partitions []PartitionReassignment
}

// PartitionReassignment names the replicas that a partition shall have; nil cancels what is under way.
type PartitionReassignment struct {
	kafka.TopicPartition
	Replicas []kafka.BrokerID
}

// PartitionResponse answers the requests about partitions: one result per partition.
type PartitionResponse struct {
	Of         string
	Error      kafka.Error
	Partitions []PartitionResult
}

// PartitionResult is the outcome for one partition; Message is Kafka's sentence.
type PartitionResult struct {
	kafka.TopicPartition
	Error   kafka.Error
	Message string
}

// ListPartitionReassignments asks the controller's server what is under way. Partitions nil means everything.
// Kafka: ListPartitionReassignmentsRequest.
type ListPartitionReassignments struct {
	Partitions []kafka.TopicPartition
}

// ListPartitionReassignmentsResponse has one entry per partition under reassignment.
type ListPartitionReassignmentsResponse struct {
	Error      kafka.Error
	Partitions []OngoingReassignment
}

// OngoingReassignment is one entry of a listing.
type OngoingReassignment struct {
	kafka.TopicPartition
	kafka.ReplicaAssignment
}

// Produce asks a leader to append Records small records, acks=1. Kafka: ProduceRequest, as numbers only.
type Produce struct {
	kafka.TopicPartition
	Records int64
}

func (ElectLeaders) Kind() string                { return "ElectLeaders" }
func (AlterPartitionReassignments) Kind() string { return "AlterPartitionReassignments" }
func (ListPartitionReassignments) Kind() string  { return "ListPartitionReassignments" }
func (Produce) Kind() string                     { return "Produce" }

func (r PartitionResponse) Kind() string                           { return r.Of }
func (r PartitionResponse) TopError() kafka.Error                  { return r.Error }
func (ListPartitionReassignmentsResponse) Kind() string            { return "ListPartitionReassignments" }
func (r ListPartitionReassignmentsResponse) TopError() kafka.Error { return r.Error }

// Package request holds what controllers, brokers and API clients say to each other, and Net, the port it travels
// through. Fields and versions are those of Kafka 2.8.2 at inter.broker.protocol.version 2.8-IV1.
package request

import "controllerscope/core/kafka"

// Request is a request on the wire. The set of types is closed: one per API key that is modelled.
type Request interface {
	// Kind is Kafka's name of the request: "LeaderAndIsr".
	Kind() string
}

// Response answers a Request. Kind is that of the request.
type Response interface {
	Kind() string
	// TopError is the top-level error code.
	TopError() kafka.Error
}

// Control is the header of the three requests that a controller sends. Kafka: AbstractControlRequest.
type Control struct {
	ControllerID    kafka.BrokerID
	ControllerEpoch int32
	BrokerEpoch     int64 // of the recipient as the sender knows it; kafka.UnknownBrokerEpoch is not checked
}

// Header lets a reader treat the three alike.
func (c Control) Header() Control { return c }

// ControlRequest is one of LeaderAndIsr, UpdateMetadata, StopReplica.
type ControlRequest interface {
	Request
	Header() Control
}

// LeaderAndIsr (v5) tells a broker which replicas it leads and follows.
type LeaderAndIsr struct {
	Control
	LiveLeaders []kafka.Broker // the leaders named in Partitions that are live or shutting down
	Partitions  []LeaderAndIsrPartition
}

// LeaderAndIsrPartition is one entry. ControllerEpoch is that of the stored leadership, not of the request.
type LeaderAndIsrPartition struct {
	kafka.TopicPartition
	TopicID         kafka.UUID
	ControllerEpoch int32
	kafka.LeaderAndIsr
	Assignment kafka.ReplicaAssignment
	IsNew      bool
}

// UpdateMetadata (v7) replaces a broker's list of live brokers and merges partition states into its metadata cache.
type UpdateMetadata struct {
	Control
	LiveBrokers []kafka.Broker
	Partitions  []UpdateMetadataPartition
}

// UpdateMetadataPartition is one entry; a topic being deleted has leader -2, leader epoch 0, zkVersion 0.
type UpdateMetadataPartition struct {
	kafka.TopicPartition
	TopicID         kafka.UUID
	ControllerEpoch int32
	kafka.LeaderAndIsr
	Replicas []kafka.BrokerID
	Offline  []kafka.BrokerID
}

// StopReplica (v3) stops replicas and, where Delete is set, forgets and deletes them.
type StopReplica struct {
	Control
	Partitions []StopReplicaPartition
}

// StopReplicaPartition is one entry; LeaderEpoch may be kafka.NoEpoch or kafka.EpochDuringDelete.
type StopReplicaPartition struct {
	kafka.TopicPartition
	LeaderEpoch int32
	Delete      bool
}

// PartitionError is the answer for one partition.
type PartitionError struct {
	kafka.TopicPartition
	Error kafka.Error
}

// ControlResponse answers the three control requests. Errors stand in the order of the request; UpdateMetadata has none.
type ControlResponse struct {
	Of     string // Kind of the request
	Error  kafka.Error
	Errors []PartitionError
}

func (LeaderAndIsr) Kind() string   { return "LeaderAndIsr" }
func (UpdateMetadata) Kind() string { return "UpdateMetadata" }
func (StopReplica) Kind() string    { return "StopReplica" }

func (r ControlResponse) Kind() string          { return r.Of }
func (r ControlResponse) TopError() kafka.Error { return r.Error }

// AlterIsr (v0) is a leader's proposal of new ISRs. Kafka: AlterIsrRequest.
type AlterIsr struct {
	BrokerID    kafka.BrokerID
	BrokerEpoch int64
	Partitions  []AlterIsrPartition
}

// AlterIsrPartition proposes one ISR; ZkVersion is the state version that the leader knows.
type AlterIsrPartition struct {
	kafka.TopicPartition
	LeaderEpoch int32
	ISR         []kafka.BrokerID
	ZkVersion   int32
}

// AlterIsrResponse carries the accepted state per partition, or an error.
type AlterIsrResponse struct {
	Error      kafka.Error
	Partitions []AlterIsrResult
}

// AlterIsrResult is the outcome for one partition.
type AlterIsrResult struct {
	kafka.TopicPartition
	Error kafka.Error
	kafka.LeaderAndIsr
}

func (AlterIsr) Kind() string                    { return "AlterIsr" }
func (AlterIsrResponse) Kind() string            { return "AlterIsr" }
func (r AlterIsrResponse) TopError() kafka.Error { return r.Error }

// ControlledShutdown (v3) asks the controller to move leaderships away before the broker stops.
type ControlledShutdown struct {
	BrokerID    kafka.BrokerID
	BrokerEpoch int64
}

// ControlledShutdownResponse lists the partitions that the broker still leads.
type ControlledShutdownResponse struct {
	Error     kafka.Error
	Remaining []kafka.TopicPartition
}

func (ControlledShutdown) Kind() string                    { return "ControlledShutdown" }
func (ControlledShutdownResponse) Kind() string            { return "ControlledShutdown" }
func (r ControlledShutdownResponse) TopError() kafka.Error { return r.Error }

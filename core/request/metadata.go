package request

import "controllerscope/core/kafka"

// Metadata asks any broker what its metadata cache holds: its live brokers, and the topics named. Kafka: MetadataRequest.
type Metadata struct{ Topics []string }

// MetadataResponse has one entry per topic asked for. Kafka: MetadataResponse.
type MetadataResponse struct {
	Brokers    []kafka.Broker
	Controller kafka.BrokerID
	Topics     []MetadataTopic
}

// MetadataTopic is what the cache knows of a topic; one that it does not know is UNKNOWN_TOPIC_OR_PARTITION.
type MetadataTopic struct {
	Name       string
	Error      kafka.Error
	Partitions []MetadataPartition // ascending by number
}

// MetadataPartition is one partition and its replicas in the order of the assignment.
type MetadataPartition struct {
	Partition int32
	Replicas  []kafka.BrokerID
}

func (Metadata) Kind() string                  { return "Metadata" }
func (MetadataResponse) Kind() string          { return "Metadata" }
func (MetadataResponse) TopError() kafka.Error { return kafka.NONE }

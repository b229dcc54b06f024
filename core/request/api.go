package request

import "controllerscope/core/kafka"

// CreateTopics asks the controller's server to create topics. Kafka: CreateTopicsRequest.
type CreateTopics struct {
	Topics []NewTopic
}

// NewTopic is one topic: an explicit Assignment (partition i at index i), or NumPartitions and ReplicationFactor.
type NewTopic struct {
	Name              string
	NumPartitions     int32
	ReplicationFactor int16
	Assignment        [][]kafka.BrokerID
	Config            []ConfigEntry
}

// ConfigEntry is one key and value, in the order the caller gave them.
type ConfigEntry struct{ Key, Value string }

// DeleteTopics asks the controller's server to delete topics. Kafka: DeleteTopicsRequest.
type DeleteTopics struct {
	Topics    []string
	TimeoutMS int64 // how long the answer waits until the topics are gone, in ms; 0 is the server's own measure; not carried on the wire
}

// CreatePartitions asks the controller's server to give topics more partitions. Kafka: CreatePartitionsRequest.
type CreatePartitions struct {
	Topics []NewPartitions
}

// NewPartitions raises the number of a topic's partitions to Count. Assignment, if given, has one list per new partition.
type NewPartitions struct {
	Name       string
	Count      int32
	Assignment [][]kafka.BrokerID
}

// TopicResponse answers the requests about topics: one result per topic.
type TopicResponse struct {
	Of     string
	Error  kafka.Error
	Topics []TopicResult
}

// TopicResult is the outcome for one topic; Message is Kafka's sentence.
type TopicResult struct {
	Name    string
	Error   kafka.Error
	Message string
}

func (CreateTopics) Kind() string             { return "CreateTopics" }
func (DeleteTopics) Kind() string             { return "DeleteTopics" }
func (CreatePartitions) Kind() string         { return "CreatePartitions" }
func (r TopicResponse) Kind() string          { return r.Of }
func (r TopicResponse) TopError() kafka.Error { return r.Error }

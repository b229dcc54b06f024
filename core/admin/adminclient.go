package admin

import (
	"errors"
	"slices"
	"strconv"

	"controllerscope/core/kafka"
	"controllerscope/core/request"
	"controllerscope/core/zkdata"
)

// Whom an Asker asks, besides a broker by its id.
const (
	Controller kafka.BrokerID = kafka.NoBroker     // whoever is controller
	AnyBroker  kafka.BrokerID = kafka.NoBroker - 1 // any live broker
)

// Asker sends one request and waits for its answer, as long as default.api.timeout.ms allows; it looks for the controller
// again where the answer is NOT_CONTROLLER. Kafka: KafkaAdminClient.AdminClientRunnable.
type Asker interface {
	Ask(to kafka.BrokerID, r request.Request) (request.Response, error)
}

// Client is the part of the admin client that the tools need. Kafka: KafkaAdminClient.
type Client struct{ Asker }

// DescribeCluster lists the live brokers by id. Kafka: KafkaAdminClient.describeCluster.
func (c Client) DescribeCluster() ([]kafka.Broker, error) {
	r, err := c.metadata(nil)
	return r.Brokers, err
}

// DescribeTopics gives what a broker's metadata cache says about topics, an entry for each that is asked for, whose Error
// says what is wrong with it. Kafka: KafkaAdminClient.describeTopics.
func (c Client) DescribeTopics(names []string) (map[string]request.MetadataTopic, error) {
	out := map[string]request.MetadataTopic{}
	if len(names) == 0 {
		return out, nil
	}
	r, err := c.metadata(names)
	for _, t := range r.Topics {
		out[t.Name] = t
	}
	return out, err
}

func (c Client) metadata(topics []string) (request.MetadataResponse, error) {
	answer, err := c.Ask(AnyBroker, request.Metadata{Topics: topics})
	r, _ := answer.(request.MetadataResponse)
	return r, err
}

// ListPartitionReassignments gives what is under way, of all partitions when tps is nil.
// Kafka: KafkaAdminClient.listPartitionReassignments.
func (c Client) ListPartitionReassignments(tps []kafka.TopicPartition) (map[kafka.TopicPartition]kafka.ReplicaAssignment, error) {
	answer, err := c.Ask(Controller, request.ListPartitionReassignments{Partitions: tps})
	if err != nil {
		return nil, err
	}
	out := map[kafka.TopicPartition]kafka.ReplicaAssignment{}
	r, _ := answer.(request.ListPartitionReassignmentsResponse)
	for _, p := range r.Partitions {
		out[p.TopicPartition] = p.ReplicaAssignment
	}
	return out, thrown(r.Error, "")
}

// AlterPartitionReassignments begins or cancels reassignments; what is refused comes back by partition, as Kafka's sentence.
// Kafka: KafkaAdminClient.alterPartitionReassignments.
func (c Client) AlterPartitionReassignments(list []request.PartitionReassignment) (map[kafka.TopicPartition]string, error) {
	answer, err := c.Ask(Controller, request.AlterPartitionReassignments{Partitions: list})
	if err != nil {
		return nil, err
	}
	r, _ := answer.(request.PartitionResponse)
	refused := map[kafka.TopicPartition]string{}
	for _, p := range list {
		if r.Error != kafka.NONE {
			refused[p.TopicPartition] = sentence(r.Error, "")
		}
	}
	for _, p := range r.Partitions {
		if p.Error != kafka.NONE {
			refused[p.TopicPartition] = sentence(p.Error, p.Message)
		}
	}
	return refused, nil
}

// IncrementalAlterConfigs changes configs: those of a broker are asked of that broker, all others of any one. The error is
// the first refusal. Kafka: KafkaAdminClient.incrementalAlterConfigs.
func (c Client) IncrementalAlterConfigs(resources []request.AlterConfigs) error {
	var rest request.IncrementalAlterConfigs
	var failures []error
	for _, x := range resources {
		id, err := strconv.ParseInt(x.Name, 10, 32)
		if x.Type != zkdata.ConfigTypeBrokers || err != nil {
			rest.Resources = append(rest.Resources, x)
			continue
		}
		failures = append(failures, c.alterConfigs(kafka.BrokerID(id), request.IncrementalAlterConfigs{Resources: []request.AlterConfigs{x}}))
	}
	if len(rest.Resources) > 0 {
		failures = append(failures, c.alterConfigs(AnyBroker, rest))
	}
	if i := slices.IndexFunc(failures, func(err error) bool { return err != nil }); i >= 0 {
		return failures[i]
	}
	return nil
}

func (c Client) alterConfigs(to kafka.BrokerID, r request.IncrementalAlterConfigs) error {
	answer, err := c.Ask(to, r)
	if err != nil {
		return err
	}
	entities, _ := answer.(request.EntityResponse)
	for _, x := range entities.Entities {
		if err := thrown(x.Error, x.Message); err != nil {
			return err
		}
	}
	return thrown(entities.Error, "")
}

// thrown is the text of the ExecutionException that the future of a refused call throws, nil for NONE.
func thrown(code kafka.Error, message string) error {
	if code == kafka.NONE {
		return nil
	}
	return errors.New(code.Exception() + ": " + sentence(code, message))
}

// sentence is what the exception of a code says: the broker's own words, or those that Kafka has for the code.
func sentence(code kafka.Error, message string) string {
	if message == "" {
		return code.Message()
	}
	return message
}

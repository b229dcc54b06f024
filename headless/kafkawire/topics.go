package kafkawire

import (
	"fmt"

	"github.com/twmb/franz-go/pkg/kmsg"

	"controllerscope/core/kafka"
	"controllerscope/core/request"
)

// topicTimeoutMS is how long a request about topics may wait for its outcome. Kafka: AdminClient's default.api.timeout.ms.
const topicTimeoutMS = 60_000

func encodeCreateTopics(r request.CreateTopics) *kmsg.CreateTopicsRequest {
	k := &kmsg.CreateTopicsRequest{TimeoutMillis: topicTimeoutMS}
	for _, t := range r.Topics {
		topic := kmsg.CreateTopicsRequestTopic{Topic: t.Name, NumPartitions: t.NumPartitions, ReplicationFactor: t.ReplicationFactor}
		for i, replicas := range t.Assignment {
			topic.ReplicaAssignment = append(topic.ReplicaAssignment, kmsg.CreateTopicsRequestTopicReplicaAssignment{Partition: int32(i), Replicas: numbers(replicas)})
		}
		for _, e := range t.Config {
			topic.Configs = append(topic.Configs, kmsg.CreateTopicsRequestTopicConfig{Name: e.Key, Value: &e.Value})
		}
		k.Topics = append(k.Topics, topic)
	}
	return k
}

func decodeCreateTopics(k *kmsg.CreateTopicsRequest) (request.CreateTopics, error) {
	var r request.CreateTopics
	if k.ValidateOnly {
		return r, fmt.Errorf("CreateTopics with validateOnly is not supported")
	}
	for _, t := range k.Topics {
		topic := request.NewTopic{Name: t.Topic, NumPartitions: t.NumPartitions, ReplicationFactor: t.ReplicationFactor}
		if n := len(t.ReplicaAssignment); n > 0 {
			topic.Assignment = make([][]kafka.BrokerID, n)
		}
		for _, a := range t.ReplicaAssignment {
			if a.Partition < 0 || int(a.Partition) >= len(topic.Assignment) || topic.Assignment[a.Partition] != nil {
				return r, fmt.Errorf("CreateTopics assigns partition %d of topic %s, but its partitions are not 0 to %d, each once", a.Partition, t.Topic, len(topic.Assignment)-1)
			}
			topic.Assignment[a.Partition] = append([]kafka.BrokerID{}, brokers(a.Replicas)...)
		}
		for _, e := range t.Configs {
			entry := request.ConfigEntry{Key: e.Name}
			if e.Value != nil {
				entry.Value = *e.Value
			}
			topic.Config = append(topic.Config, entry)
		}
		r.Topics = append(r.Topics, topic)
	}
	return r, nil
}

func encodeDeleteTopics(r request.DeleteTopics) *kmsg.DeleteTopicsRequest {
	return &kmsg.DeleteTopicsRequest{TopicNames: r.Topics, TimeoutMillis: topicTimeoutMS}
}

func encodeCreatePartitions(r request.CreatePartitions) *kmsg.CreatePartitionsRequest {
	k := &kmsg.CreatePartitionsRequest{TimeoutMillis: topicTimeoutMS}
	for _, t := range r.Topics {
		topic := kmsg.CreatePartitionsRequestTopic{Topic: t.Name, Count: t.Count}
		for _, replicas := range t.Assignment {
			topic.Assignment = append(topic.Assignment, kmsg.CreatePartitionsRequestTopicAssignment{Replicas: numbers(replicas)})
		}
		k.Topics = append(k.Topics, topic)
	}
	return k
}

func decodeCreatePartitions(k *kmsg.CreatePartitionsRequest) (request.CreatePartitions, error) {
	var r request.CreatePartitions
	if k.ValidateOnly {
		return r, fmt.Errorf("CreatePartitions with validateOnly is not supported")
	}
	for _, t := range k.Topics {
		topic := request.NewPartitions{Name: t.Topic, Count: t.Count}
		for _, a := range t.Assignment {
			topic.Assignment = append(topic.Assignment, brokers(a.Replicas))
		}
		r.Topics = append(r.Topics, topic)
	}
	return r, nil
}

// topicResults are the results with the error of the whole answer given to each topic of the request.
func topicResults(names []string, answer request.TopicResponse) []request.TopicResult {
	if answer.Error == kafka.NONE {
		return answer.Topics
	}
	var out []request.TopicResult
	for _, name := range names {
		out = append(out, request.TopicResult{Name: name, Error: answer.Error})
	}
	return out
}

// message is Kafka's sentence, null for none.
func message(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

func result(name *string, code int16, text *string) request.TopicResult {
	r := request.TopicResult{Error: kafka.Error(code)}
	if name != nil {
		r.Name = *name
	}
	if text != nil {
		r.Message = *text
	}
	return r
}

func encodeCreateTopicsResponse(r request.CreateTopics, answer request.TopicResponse) *kmsg.CreateTopicsResponse {
	k := &kmsg.CreateTopicsResponse{}
	var names []string
	for _, t := range r.Topics {
		names = append(names, t.Name)
	}
	for _, t := range topicResults(names, answer) {
		topic := kmsg.NewCreateTopicsResponseTopic()
		topic.Topic, topic.ErrorCode, topic.ErrorMessage = t.Name, int16(t.Error), message(t.Message)
		k.Topics = append(k.Topics, topic)
	}
	return k
}

func decodeCreateTopicsResponse(k *kmsg.CreateTopicsResponse) request.TopicResponse {
	answer := request.TopicResponse{Of: request.CreateTopics{}.Kind()}
	for _, t := range k.Topics {
		answer.Topics = append(answer.Topics, result(&t.Topic, t.ErrorCode, t.ErrorMessage))
	}
	return answer
}

func encodeDeleteTopicsResponse(r request.DeleteTopics, answer request.TopicResponse) *kmsg.DeleteTopicsResponse {
	k := &kmsg.DeleteTopicsResponse{}
	for _, t := range topicResults(r.Topics, answer) {
		k.Topics = append(k.Topics, kmsg.DeleteTopicsResponseTopic{Topic: &t.Name, ErrorCode: int16(t.Error), ErrorMessage: message(t.Message)})
	}
	return k
}

func decodeDeleteTopicsResponse(k *kmsg.DeleteTopicsResponse) request.TopicResponse {
	answer := request.TopicResponse{Of: request.DeleteTopics{}.Kind()}
	for _, t := range k.Topics {
		answer.Topics = append(answer.Topics, result(t.Topic, t.ErrorCode, t.ErrorMessage))
	}
	return answer
}

func encodeCreatePartitionsResponse(r request.CreatePartitions, answer request.TopicResponse) *kmsg.CreatePartitionsResponse {
	k := &kmsg.CreatePartitionsResponse{}
	var names []string
	for _, t := range r.Topics {
		names = append(names, t.Name)
	}
	for _, t := range topicResults(names, answer) {
		k.Topics = append(k.Topics, kmsg.CreatePartitionsResponseTopic{Topic: t.Name, ErrorCode: int16(t.Error), ErrorMessage: message(t.Message)})
	}
	return k
}

func decodeCreatePartitionsResponse(k *kmsg.CreatePartitionsResponse) request.TopicResponse {
	answer := request.TopicResponse{Of: request.CreatePartitions{}.Kind()}
	for _, t := range k.Topics {
		answer.Topics = append(answer.Topics, result(&t.Topic, t.ErrorCode, t.ErrorMessage))
	}
	return answer
}

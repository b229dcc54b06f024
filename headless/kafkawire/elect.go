package kafkawire

import (
	"github.com/twmb/franz-go/pkg/kmsg"

	"controllerscope/core/kafka"
	"controllerscope/core/request"
)

func encodeElectLeaders(r request.ElectLeaders) *kmsg.ElectLeadersRequest {
	k := &kmsg.ElectLeadersRequest{TimeoutMillis: topicTimeoutMS}
	if r.Unclean {
		k.ElectionType = 1
	}
	if r.Partitions == nil {
		return k
	}
	k.Topics = []kmsg.ElectLeadersRequestTopic{}
	topics := byTopic{}
	for _, p := range r.Partitions {
		at, fresh := topics.at(p.Topic)
		if fresh {
			k.Topics = append(k.Topics, kmsg.ElectLeadersRequestTopic{Topic: p.Topic})
		}
		k.Topics[at].Partitions = append(k.Topics[at].Partitions, p.Partition)
	}
	return k
}

func decodeElectLeaders(k *kmsg.ElectLeadersRequest) request.ElectLeaders {
	r := request.ElectLeaders{Unclean: k.ElectionType == 1}
	if k.Topics == nil {
		return r
	}
	r.Partitions = []kafka.TopicPartition{}
	for _, t := range k.Topics {
		for _, p := range t.Partitions {
			r.Partitions = append(r.Partitions, kafka.TopicPartition{Topic: t.Topic, Partition: p})
		}
	}
	return r
}

func encodeElectLeadersResponse(answer request.PartitionResponse) *kmsg.ElectLeadersResponse {
	k := &kmsg.ElectLeadersResponse{ErrorCode: int16(answer.Error)}
	topics := byTopic{}
	for _, p := range answer.Partitions {
		at, fresh := topics.at(p.Topic)
		if fresh {
			k.Topics = append(k.Topics, kmsg.ElectLeadersResponseTopic{Topic: p.Topic})
		}
		k.Topics[at].Partitions = append(k.Topics[at].Partitions, kmsg.ElectLeadersResponseTopicPartition{
			Partition: p.Partition, ErrorCode: int16(p.Error), ErrorMessage: message(p.Message)})
	}
	return k
}

func decodeElectLeadersResponse(k *kmsg.ElectLeadersResponse) request.PartitionResponse {
	answer := request.PartitionResponse{Of: request.ElectLeaders{}.Kind(), Error: kafka.Error(k.ErrorCode)}
	for _, t := range k.Topics {
		for _, p := range t.Partitions {
			answer.Partitions = append(answer.Partitions, partitionResult(t.Topic, p.Partition, p.ErrorCode, p.ErrorMessage))
		}
	}
	return answer
}

func partitionResult(topic string, partition int32, code int16, text *string) request.PartitionResult {
	x := request.PartitionResult{TopicPartition: kafka.TopicPartition{Topic: topic, Partition: partition}, Error: kafka.Error(code)}
	if text != nil {
		x.Message = *text
	}
	return x
}

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
	k.Topics = topicsOf(r.Partitions, func(topic string, partitions []int32) kmsg.ElectLeadersRequestTopic {
		return kmsg.ElectLeadersRequestTopic{Topic: topic, Partitions: partitions}
	})
	return k
}

func decodeElectLeaders(k *kmsg.ElectLeadersRequest) request.ElectLeaders {
	return request.ElectLeaders{Unclean: k.ElectionType == 1, Partitions: partitionsOf(k.Topics,
		func(t kmsg.ElectLeadersRequestTopic) (string, []int32) { return t.Topic, t.Partitions })}
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

package kafkawire

import (
	"github.com/twmb/franz-go/pkg/kmsg"

	"controllerscope/core/kafka"
	"controllerscope/core/request"
)

func encodeReassign(r request.AlterPartitionReassignments) *kmsg.AlterPartitionAssignmentsRequest {
	k := &kmsg.AlterPartitionAssignmentsRequest{TimeoutMillis: topicTimeoutMS}
	topics := byTopic{}
	for _, p := range r.Partitions {
		at, fresh := topics.at(p.Topic)
		if fresh {
			k.Topics = append(k.Topics, kmsg.AlterPartitionAssignmentsRequestTopic{Topic: p.Topic})
		}
		to := numbers(p.Replicas)
		if to == nil && p.Replicas != nil {
			to = []int32{} // an empty list is refused, null cancels
		}
		k.Topics[at].Partitions = append(k.Topics[at].Partitions, kmsg.AlterPartitionAssignmentsRequestTopicPartition{Partition: p.Partition, Replicas: to})
	}
	return k
}

func decodeReassign(k *kmsg.AlterPartitionAssignmentsRequest) request.AlterPartitionReassignments {
	var r request.AlterPartitionReassignments
	for _, t := range k.Topics {
		for _, p := range t.Partitions {
			to := brokers(p.Replicas)
			if to == nil && p.Replicas != nil {
				to = []kafka.BrokerID{}
			}
			r.Partitions = append(r.Partitions, request.PartitionReassignment{TopicPartition: kafka.TopicPartition{Topic: t.Topic, Partition: p.Partition}, Replicas: to})
		}
	}
	return r
}

func encodeReassignResponse(answer request.PartitionResponse) *kmsg.AlterPartitionAssignmentsResponse {
	k := &kmsg.AlterPartitionAssignmentsResponse{ErrorCode: int16(answer.Error)}
	topics := byTopic{}
	for _, p := range answer.Partitions {
		at, fresh := topics.at(p.Topic)
		if fresh {
			k.Topics = append(k.Topics, kmsg.AlterPartitionAssignmentsResponseTopic{Topic: p.Topic})
		}
		k.Topics[at].Partitions = append(k.Topics[at].Partitions, kmsg.AlterPartitionAssignmentsResponseTopicPartition{
			Partition: p.Partition, ErrorCode: int16(p.Error), ErrorMessage: message(p.Message)})
	}
	return k
}

func decodeReassignResponse(k *kmsg.AlterPartitionAssignmentsResponse) request.PartitionResponse {
	answer := request.PartitionResponse{Of: request.AlterPartitionReassignments{}.Kind(), Error: kafka.Error(k.ErrorCode)}
	for _, t := range k.Topics {
		for _, p := range t.Partitions {
			answer.Partitions = append(answer.Partitions, partitionResult(t.Topic, p.Partition, p.ErrorCode, p.ErrorMessage))
		}
	}
	return answer
}

func encodeListReassignments(r request.ListPartitionReassignments) *kmsg.ListPartitionReassignmentsRequest {
	return &kmsg.ListPartitionReassignmentsRequest{TimeoutMillis: topicTimeoutMS,
		Topics: topicsOf(r.Partitions, func(topic string, partitions []int32) kmsg.ListPartitionReassignmentsRequestTopic {
			return kmsg.ListPartitionReassignmentsRequestTopic{Topic: topic, Partitions: partitions}
		})}
}

func decodeListReassignments(k *kmsg.ListPartitionReassignmentsRequest) request.ListPartitionReassignments {
	return request.ListPartitionReassignments{Partitions: partitionsOf(k.Topics,
		func(t kmsg.ListPartitionReassignmentsRequestTopic) (string, []int32) { return t.Topic, t.Partitions })}
}

func encodeListReassignmentsResponse(answer request.ListPartitionReassignmentsResponse) *kmsg.ListPartitionReassignmentsResponse {
	k := &kmsg.ListPartitionReassignmentsResponse{ErrorCode: int16(answer.Error)}
	topics := byTopic{}
	for _, p := range answer.Partitions {
		at, fresh := topics.at(p.Topic)
		if fresh {
			k.Topics = append(k.Topics, kmsg.ListPartitionReassignmentsResponseTopic{Topic: p.Topic})
		}
		k.Topics[at].Partitions = append(k.Topics[at].Partitions, kmsg.ListPartitionReassignmentsResponseTopicPartition{Partition: p.Partition,
			Replicas: numbers(p.Replicas), AddingReplicas: numbers(p.Adding), RemovingReplicas: numbers(p.Removing)})
	}
	return k
}

func decodeListReassignmentsResponse(k *kmsg.ListPartitionReassignmentsResponse) request.ListPartitionReassignmentsResponse {
	answer := request.ListPartitionReassignmentsResponse{Error: kafka.Error(k.ErrorCode)}
	for _, t := range k.Topics {
		for _, p := range t.Partitions {
			answer.Partitions = append(answer.Partitions, request.OngoingReassignment{TopicPartition: kafka.TopicPartition{Topic: t.Topic, Partition: p.Partition},
				ReplicaAssignment: kafka.ReplicaAssignment{Replicas: brokers(p.Replicas), Adding: brokers(p.AddingReplicas), Removing: brokers(p.RemovingReplicas)}})
		}
	}
	return answer
}

package kafkawire

import (
	"github.com/twmb/franz-go/pkg/kmsg"

	"controllerscope/core/kafka"
	"controllerscope/core/request"
)

func encodeAlterIsr(r request.AlterIsr) *kmsg.AlterPartitionRequest {
	k := &kmsg.AlterPartitionRequest{BrokerID: int32(r.BrokerID), BrokerEpoch: r.BrokerEpoch}
	topics := byTopic{}
	for _, p := range r.Partitions {
		at, fresh := topics.at(p.Topic)
		if fresh {
			k.Topics = append(k.Topics, kmsg.AlterPartitionRequestTopic{Topic: p.Topic})
		}
		k.Topics[at].Partitions = append(k.Topics[at].Partitions, kmsg.AlterPartitionRequestTopicPartition{
			Partition: p.Partition, LeaderEpoch: p.LeaderEpoch, NewISR: numbers(p.ISR), PartitionEpoch: p.ZkVersion})
	}
	return k
}

func decodeAlterIsr(k *kmsg.AlterPartitionRequest) request.AlterIsr {
	r := request.AlterIsr{BrokerID: kafka.BrokerID(k.BrokerID), BrokerEpoch: k.BrokerEpoch}
	for _, t := range k.Topics {
		for _, p := range t.Partitions {
			r.Partitions = append(r.Partitions, request.AlterIsrPartition{TopicPartition: kafka.TopicPartition{Topic: t.Topic, Partition: p.Partition},
				LeaderEpoch: p.LeaderEpoch, ISR: brokers(p.NewISR), ZkVersion: p.PartitionEpoch})
		}
	}
	return r
}

func encodeAlterIsrResponse(answer request.AlterIsrResponse) *kmsg.AlterPartitionResponse {
	k := &kmsg.AlterPartitionResponse{ErrorCode: int16(answer.Error)}
	topics := byTopic{}
	for _, p := range answer.Partitions {
		at, fresh := topics.at(p.Topic)
		if fresh {
			k.Topics = append(k.Topics, kmsg.AlterPartitionResponseTopic{Topic: p.Topic})
		}
		k.Topics[at].Partitions = append(k.Topics[at].Partitions, kmsg.AlterPartitionResponseTopicPartition{Partition: p.Partition,
			ErrorCode: int16(p.Error), LeaderID: int32(p.Leader), LeaderEpoch: p.LeaderEpoch, ISR: numbers(p.ISR), PartitionEpoch: p.ZkVersion})
	}
	return k
}

func decodeAlterIsrResponse(k *kmsg.AlterPartitionResponse) request.AlterIsrResponse {
	answer := request.AlterIsrResponse{Error: kafka.Error(k.ErrorCode)}
	for _, t := range k.Topics {
		for _, p := range t.Partitions {
			answer.Partitions = append(answer.Partitions, request.AlterIsrResult{TopicPartition: kafka.TopicPartition{Topic: t.Topic, Partition: p.Partition},
				Error: kafka.Error(p.ErrorCode), LeaderAndIsr: leadership(p.LeaderID, p.LeaderEpoch, p.ISR, p.PartitionEpoch)})
		}
	}
	return answer
}

func encodeControlledShutdownResponse(answer request.ControlledShutdownResponse) *kmsg.ControlledShutdownResponse {
	k := &kmsg.ControlledShutdownResponse{ErrorCode: int16(answer.Error)}
	for _, tp := range answer.Remaining {
		k.PartitionsRemaining = append(k.PartitionsRemaining, kmsg.ControlledShutdownResponsePartitionsRemaining{Topic: tp.Topic, Partition: tp.Partition})
	}
	return k
}

func decodeControlledShutdownResponse(k *kmsg.ControlledShutdownResponse) request.ControlledShutdownResponse {
	answer := request.ControlledShutdownResponse{Error: kafka.Error(k.ErrorCode)}
	for _, p := range k.PartitionsRemaining {
		answer.Remaining = append(answer.Remaining, kafka.TopicPartition{Topic: p.Topic, Partition: p.Partition})
	}
	return answer
}

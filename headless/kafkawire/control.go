package kafkawire

import (
	"fmt"

	"github.com/twmb/franz-go/pkg/kmsg"

	"controllerscope/core/kafka"
	"controllerscope/core/request"
)

func encodeLeaderAndIsr(r request.LeaderAndIsr) *kmsg.LeaderAndISRRequest {
	k := &kmsg.LeaderAndISRRequest{ControllerID: int32(r.ControllerID), ControllerEpoch: r.ControllerEpoch, BrokerEpoch: r.BrokerEpoch}
	for _, b := range r.LiveLeaders {
		leader := kmsg.LeaderAndISRRequestLiveLeader{BrokerID: int32(b.ID)}
		if len(b.Endpoints) > 0 {
			leader.Host, leader.Port = b.Endpoints[0].Host, b.Endpoints[0].Port
		}
		k.LiveLeaders = append(k.LiveLeaders, leader)
	}
	topics := byTopic{}
	for _, p := range r.Partitions {
		at, fresh := topics.at(p.Topic)
		if fresh {
			k.TopicStates = append(k.TopicStates, kmsg.LeaderAndISRRequestTopicState{Topic: p.Topic, TopicID: p.TopicID})
		}
		k.TopicStates[at].PartitionStates = append(k.TopicStates[at].PartitionStates, kmsg.LeaderAndISRRequestTopicPartition{
			Partition: p.Partition, ControllerEpoch: p.ControllerEpoch, Leader: int32(p.Leader), LeaderEpoch: p.LeaderEpoch,
			ISR: numbers(p.ISR), ZKVersion: p.ZkVersion, Replicas: numbers(p.Assignment.Replicas),
			AddingReplicas: numbers(p.Assignment.Adding), RemovingReplicas: numbers(p.Assignment.Removing), IsNew: p.IsNew})
	}
	return k
}

func decodeLeaderAndIsr(k *kmsg.LeaderAndISRRequest) request.LeaderAndIsr {
	r := request.LeaderAndIsr{Control: control(k.ControllerID, k.ControllerEpoch, k.BrokerEpoch)}
	for _, b := range k.LiveLeaders {
		r.LiveLeaders = append(r.LiveLeaders, kafka.Broker{ID: kafka.BrokerID(b.BrokerID), Endpoints: []kafka.Endpoint{{Host: b.Host, Port: b.Port}}})
	}
	for _, t := range k.TopicStates {
		for _, p := range t.PartitionStates {
			r.Partitions = append(r.Partitions, request.LeaderAndIsrPartition{TopicPartition: kafka.TopicPartition{Topic: t.Topic, Partition: p.Partition},
				TopicID: t.TopicID, ControllerEpoch: p.ControllerEpoch,
				LeaderAndIsr: leadership(p.Leader, p.LeaderEpoch, p.ISR, p.ZKVersion),
				Assignment:   kafka.ReplicaAssignment{Replicas: brokers(p.Replicas), Adding: brokers(p.AddingReplicas), Removing: brokers(p.RemovingReplicas)},
				IsNew:        p.IsNew})
		}
	}
	return r
}

// encodeLeaderAndIsrResponse names topics by the ids that the request gave them.
func encodeLeaderAndIsrResponse(r request.LeaderAndIsr, answer request.ControlResponse) (*kmsg.LeaderAndISRResponse, error) {
	k := &kmsg.LeaderAndISRResponse{ErrorCode: int16(answer.Error)}
	ids := map[string]kafka.UUID{}
	for _, p := range r.Partitions {
		ids[p.Topic] = p.TopicID
	}
	topics := byTopic{}
	for _, e := range answer.Errors {
		id, asked := ids[e.Topic]
		if !asked {
			return nil, fmt.Errorf("the answer to LeaderAndIsr names %s, which the request does not", e.TopicPartition)
		}
		at, fresh := topics.at(e.Topic)
		if fresh {
			k.Topics = append(k.Topics, kmsg.LeaderAndISRResponseTopic{TopicID: id})
		}
		k.Topics[at].Partitions = append(k.Topics[at].Partitions, kmsg.LeaderAndISRResponseTopicPartition{Partition: e.Partition, ErrorCode: int16(e.Error)})
	}
	return k, nil
}

// decodeLeaderAndIsrResponse finds the names of the topics in the request; topics of one id are taken in its order.
func decodeLeaderAndIsrResponse(r request.LeaderAndIsr, k *kmsg.LeaderAndISRResponse) (request.ControlResponse, error) {
	answer := request.ControlResponse{Of: r.Kind(), Error: kafka.Error(k.ErrorCode)}
	names, known := map[kafka.UUID][]string{}, map[string]bool{}
	for _, p := range r.Partitions {
		if !known[p.Topic] {
			known[p.Topic] = true
			names[p.TopicID] = append(names[p.TopicID], p.Topic)
		}
	}
	for _, t := range k.Topics {
		candidates := names[t.TopicID]
		if len(candidates) == 0 {
			return answer, fmt.Errorf("the answer to LeaderAndIsr names topic id %s, which the request does not", kafka.UUID(t.TopicID))
		}
		names[t.TopicID] = candidates[1:]
		for _, p := range t.Partitions {
			answer.Errors = append(answer.Errors, partitionError(candidates[0], p.Partition, p.ErrorCode))
		}
	}
	return answer, nil
}

func encodeUpdateMetadata(r request.UpdateMetadata) (*kmsg.UpdateMetadataRequest, error) {
	k := &kmsg.UpdateMetadataRequest{ControllerID: int32(r.ControllerID), ControllerEpoch: r.ControllerEpoch, BrokerEpoch: r.BrokerEpoch}
	for _, b := range r.LiveBrokers {
		live := kmsg.UpdateMetadataRequestLiveBroker{ID: int32(b.ID)}
		if b.Rack != "" {
			live.Rack = &b.Rack
		}
		for _, e := range b.Endpoints {
			protocol, known := protocolIDs[e.Protocol]
			if !known {
				return nil, fmt.Errorf("broker %d has the security protocol %q, which has no number", b.ID, e.Protocol)
			}
			live.Endpoints = append(live.Endpoints, kmsg.UpdateMetadataRequestLiveBrokerEndpoint{Port: e.Port, Host: e.Host, ListenerName: e.Listener, SecurityProtocol: protocol})
		}
		k.LiveBrokers = append(k.LiveBrokers, live)
	}
	topics := byTopic{}
	for _, p := range r.Partitions {
		at, fresh := topics.at(p.Topic)
		if fresh {
			k.TopicStates = append(k.TopicStates, kmsg.UpdateMetadataRequestTopicState{Topic: p.Topic, TopicID: p.TopicID})
		}
		k.TopicStates[at].PartitionStates = append(k.TopicStates[at].PartitionStates, kmsg.UpdateMetadataRequestTopicPartition{
			Partition: p.Partition, ControllerEpoch: p.ControllerEpoch, Leader: int32(p.Leader), LeaderEpoch: p.LeaderEpoch,
			ISR: numbers(p.ISR), ZKVersion: p.ZkVersion, Replicas: numbers(p.Replicas), OfflineReplicas: numbers(p.Offline)})
	}
	return k, nil
}

func decodeUpdateMetadata(k *kmsg.UpdateMetadataRequest) (request.UpdateMetadata, error) {
	r := request.UpdateMetadata{Control: control(k.ControllerID, k.ControllerEpoch, k.BrokerEpoch)}
	for _, live := range k.LiveBrokers {
		b := kafka.Broker{ID: kafka.BrokerID(live.ID)}
		if live.Rack != nil {
			b.Rack = *live.Rack
		}
		for _, e := range live.Endpoints {
			protocol, known := protocolNames[e.SecurityProtocol]
			if !known {
				return r, fmt.Errorf("UpdateMetadata gives broker %d the security protocol %d, which does not exist", live.ID, e.SecurityProtocol)
			}
			b.Endpoints = append(b.Endpoints, kafka.Endpoint{Listener: e.ListenerName, Protocol: protocol, Host: e.Host, Port: e.Port})
		}
		r.LiveBrokers = append(r.LiveBrokers, b)
	}
	for _, t := range k.TopicStates {
		for _, p := range t.PartitionStates {
			r.Partitions = append(r.Partitions, request.UpdateMetadataPartition{TopicPartition: kafka.TopicPartition{Topic: t.Topic, Partition: p.Partition},
				TopicID: t.TopicID, ControllerEpoch: p.ControllerEpoch, LeaderAndIsr: leadership(p.Leader, p.LeaderEpoch, p.ISR, p.ZKVersion),
				Replicas: brokers(p.Replicas), Offline: brokers(p.OfflineReplicas)})
		}
	}
	return r, nil
}

func encodeStopReplica(r request.StopReplica) *kmsg.StopReplicaRequest {
	k := &kmsg.StopReplicaRequest{ControllerID: int32(r.ControllerID), ControllerEpoch: r.ControllerEpoch, BrokerEpoch: r.BrokerEpoch}
	topics := byTopic{}
	for _, p := range r.Partitions {
		at, fresh := topics.at(p.Topic)
		if fresh {
			k.Topics = append(k.Topics, kmsg.StopReplicaRequestTopic{Topic: p.Topic})
		}
		k.Topics[at].PartitionStates = append(k.Topics[at].PartitionStates, kmsg.StopReplicaRequestTopicPartitionState{
			Partition: p.Partition, LeaderEpoch: p.LeaderEpoch, Delete: p.Delete})
	}
	return k
}

func decodeStopReplica(k *kmsg.StopReplicaRequest) request.StopReplica {
	r := request.StopReplica{Control: control(k.ControllerID, k.ControllerEpoch, k.BrokerEpoch)}
	for _, t := range k.Topics {
		for _, p := range t.PartitionStates {
			r.Partitions = append(r.Partitions, request.StopReplicaPartition{TopicPartition: kafka.TopicPartition{Topic: t.Topic, Partition: p.Partition},
				LeaderEpoch: p.LeaderEpoch, Delete: p.Delete})
		}
	}
	return r
}

func encodeStopReplicaResponse(answer request.ControlResponse) *kmsg.StopReplicaResponse {
	k := &kmsg.StopReplicaResponse{ErrorCode: int16(answer.Error)}
	for _, e := range answer.Errors {
		k.Partitions = append(k.Partitions, kmsg.StopReplicaResponsePartition{Topic: e.Topic, Partition: e.Partition, ErrorCode: int16(e.Error)})
	}
	return k
}

func decodeStopReplicaResponse(k *kmsg.StopReplicaResponse) request.ControlResponse {
	answer := request.ControlResponse{Of: request.StopReplica{}.Kind(), Error: kafka.Error(k.ErrorCode)}
	for _, p := range k.Partitions {
		answer.Errors = append(answer.Errors, partitionError(p.Topic, p.Partition, p.ErrorCode))
	}
	return answer
}

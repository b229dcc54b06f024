package kafkawire

import (
	"fmt"

	"github.com/twmb/franz-go/pkg/kmsg"

	"controllerscope/core/kafka"
	"controllerscope/core/request"
)

// versions are the requests that are spoken, by API key; ApiVersions itself has several.
var versions = map[int16]int16{
	1:  12, // Fetch
	4:  5,  // LeaderAndIsr
	5:  3,  // StopReplica
	6:  7,  // UpdateMetadata
	7:  3,  // ControlledShutdown
	19: 7,  // CreateTopics
	20: 5,  // DeleteTopics
	37: 3,  // CreatePartitions
	43: 2,  // ElectLeaders
	44: 1,  // IncrementalAlterConfigs
	45: 0,  // AlterPartitionReassignments
	46: 0,  // ListPartitionReassignments
	49: 1,  // AlterClientQuotas
	56: 0,  // AlterIsr
}

// EncodeRequest is the message of a request, in the version that this package speaks.
func EncodeRequest(r request.Request) (k kmsg.Request, err error) {
	switch r := r.(type) {
	case request.LeaderAndIsr:
		k = encodeLeaderAndIsr(r)
	case request.UpdateMetadata:
		k, err = encodeUpdateMetadata(r)
	case request.StopReplica:
		k = encodeStopReplica(r)
	case request.AlterIsr:
		k = encodeAlterIsr(r)
	case request.ControlledShutdown:
		k = &kmsg.ControlledShutdownRequest{BrokerID: int32(r.BrokerID), BrokerEpoch: r.BrokerEpoch}
	case request.Fetch:
		k = encodeFetch(r)
	case request.CreateTopics:
		k = encodeCreateTopics(r)
	case request.DeleteTopics:
		k = encodeDeleteTopics(r)
	case request.CreatePartitions:
		k = encodeCreatePartitions(r)
	case request.ElectLeaders:
		k = encodeElectLeaders(r)
	case request.AlterPartitionReassignments:
		k = encodeReassign(r)
	case request.ListPartitionReassignments:
		k = encodeListReassignments(r)
	case request.IncrementalAlterConfigs:
		k, err = encodeAlterConfigs(r)
	case request.AlterClientQuotas:
		k = encodeQuotas(r)
	default:
		return nil, fmt.Errorf("%s has no form on the wire", r.Kind())
	}
	if err != nil {
		return nil, err
	}
	k.SetVersion(versions[k.Key()])
	return k, nil
}

// DecodeRequest is the request that a message stands for.
func DecodeRequest(k kmsg.Request) (request.Request, error) {
	switch k := k.(type) {
	case *kmsg.LeaderAndISRRequest:
		return decodeLeaderAndIsr(k), nil
	case *kmsg.UpdateMetadataRequest:
		return decodeUpdateMetadata(k)
	case *kmsg.StopReplicaRequest:
		return decodeStopReplica(k), nil
	case *kmsg.AlterPartitionRequest:
		return decodeAlterIsr(k), nil
	case *kmsg.ControlledShutdownRequest:
		return request.ControlledShutdown{BrokerID: kafka.BrokerID(k.BrokerID), BrokerEpoch: k.BrokerEpoch}, nil
	case *kmsg.FetchRequest:
		return decodeFetch(k), nil
	case *kmsg.CreateTopicsRequest:
		return decodeCreateTopics(k)
	case *kmsg.DeleteTopicsRequest:
		return request.DeleteTopics{Topics: k.TopicNames}, nil
	case *kmsg.CreatePartitionsRequest:
		return decodeCreatePartitions(k)
	case *kmsg.ElectLeadersRequest:
		return decodeElectLeaders(k), nil
	case *kmsg.AlterPartitionAssignmentsRequest:
		return decodeReassign(k), nil
	case *kmsg.ListPartitionReassignmentsRequest:
		return decodeListReassignments(k), nil
	case *kmsg.IncrementalAlterConfigsRequest:
		return decodeAlterConfigs(k)
	case *kmsg.AlterClientQuotasRequest:
		return decodeQuotas(k)
	}
	return nil, fmt.Errorf("%s is not spoken here", kmsg.NameForKey(k.Key()))
}

// EncodeResponse is the message of the answer to r.
func EncodeResponse(r request.Request, answer request.Response) (k kmsg.Response, err error) {
	if answer.Kind() != r.Kind() {
		return nil, fmt.Errorf("an answer to %s does not answer %s", answer.Kind(), r.Kind())
	}
	switch a := answer.(type) {
	case request.ControlResponse:
		k, err = encodeControlResponse(r, a)
	case request.AlterIsrResponse:
		k = encodeAlterIsrResponse(a)
	case request.ControlledShutdownResponse:
		k = encodeControlledShutdownResponse(a)
	case request.FetchResponse:
		k = encodeFetchResponse(a)
	case request.TopicResponse:
		k = encodeTopicResponse(r, a)
	case request.ListPartitionReassignmentsResponse:
		k = encodeListReassignmentsResponse(a)
	case request.PartitionResponse:
		k = encodePartitionResponse(r, a)
	case request.EntityResponse:
		k = encodeEntityResponse(r, a)
	}
	if err == nil && k == nil {
		err = fmt.Errorf("the answer to %s has no form on the wire", r.Kind())
	}
	if err != nil {
		return nil, err
	}
	k.SetVersion(versions[k.Key()])
	return k, nil
}

func encodeControlResponse(r request.Request, answer request.ControlResponse) (kmsg.Response, error) {
	switch r := r.(type) {
	case request.LeaderAndIsr:
		return encodeLeaderAndIsrResponse(r, answer)
	case request.UpdateMetadata:
		return &kmsg.UpdateMetadataResponse{ErrorCode: int16(answer.Error)}, nil
	case request.StopReplica:
		return encodeStopReplicaResponse(answer), nil
	}
	return nil, nil
}

func encodeTopicResponse(r request.Request, answer request.TopicResponse) kmsg.Response {
	switch r := r.(type) {
	case request.CreateTopics:
		return encodeCreateTopicsResponse(r, answer)
	case request.DeleteTopics:
		return encodeDeleteTopicsResponse(r, answer)
	case request.CreatePartitions:
		return encodeCreatePartitionsResponse(r, answer)
	}
	return nil
}

func encodePartitionResponse(r request.Request, answer request.PartitionResponse) kmsg.Response {
	switch r.(type) {
	case request.ElectLeaders:
		return encodeElectLeadersResponse(answer)
	case request.AlterPartitionReassignments:
		return encodeReassignResponse(answer)
	}
	return nil
}

func encodeEntityResponse(r request.Request, answer request.EntityResponse) kmsg.Response {
	switch r := r.(type) {
	case request.IncrementalAlterConfigs:
		return encodeAlterConfigsResponse(r, answer)
	case request.AlterClientQuotas:
		return encodeQuotasResponse(r, answer)
	}
	return nil
}

// DecodeResponse is the answer to r that a message stands for.
func DecodeResponse(r request.Request, k kmsg.Response) (request.Response, error) {
	switch k := k.(type) {
	case *kmsg.LeaderAndISRResponse:
		if asked, ok := r.(request.LeaderAndIsr); ok {
			return decodeLeaderAndIsrResponse(asked, k)
		}
	case *kmsg.UpdateMetadataResponse:
		return request.ControlResponse{Of: request.UpdateMetadata{}.Kind(), Error: kafka.Error(k.ErrorCode)}, nil
	case *kmsg.StopReplicaResponse:
		return decodeStopReplicaResponse(k), nil
	case *kmsg.AlterPartitionResponse:
		return decodeAlterIsrResponse(k), nil
	case *kmsg.ControlledShutdownResponse:
		return decodeControlledShutdownResponse(k), nil
	case *kmsg.FetchResponse:
		return decodeFetchResponse(k)
	case *kmsg.CreateTopicsResponse:
		return decodeCreateTopicsResponse(k), nil
	case *kmsg.DeleteTopicsResponse:
		return decodeDeleteTopicsResponse(k), nil
	case *kmsg.CreatePartitionsResponse:
		return decodeCreatePartitionsResponse(k), nil
	case *kmsg.ElectLeadersResponse:
		return decodeElectLeadersResponse(k), nil
	case *kmsg.AlterPartitionAssignmentsResponse:
		return decodeReassignResponse(k), nil
	case *kmsg.ListPartitionReassignmentsResponse:
		return decodeListReassignmentsResponse(k), nil
	case *kmsg.IncrementalAlterConfigsResponse:
		return decodeAlterConfigsResponse(k), nil
	case *kmsg.AlterClientQuotasResponse:
		return decodeQuotasResponse(k), nil
	}
	return nil, fmt.Errorf("%s does not answer %s", kmsg.NameForKey(k.Key()), r.Kind())
}

// byTopic gathers consecutive or scattered partitions under their topics, which keep the order of their first partition.
type byTopic map[string]int

// at is the index of a topic; fresh means that it has just been given one.
func (t byTopic) at(topic string) (index int, fresh bool) {
	index, known := t[topic]
	if !known {
		index = len(t)
		t[topic] = index
	}
	return index, !known
}

func control(id, controllerEpoch int32, brokerEpoch int64) request.Control {
	return request.Control{ControllerID: kafka.BrokerID(id), ControllerEpoch: controllerEpoch, BrokerEpoch: brokerEpoch}
}

func leadership(leader, epoch int32, isr []int32, zkVersion int32) kafka.LeaderAndIsr {
	return kafka.LeaderAndIsr{Leader: kafka.BrokerID(leader), LeaderEpoch: epoch, ISR: brokers(isr), ZkVersion: zkVersion}
}

func partitionError(topic string, partition int32, code int16) request.PartitionError {
	return request.PartitionError{TopicPartition: kafka.TopicPartition{Topic: topic, Partition: partition}, Error: kafka.Error(code)}
}

// numbers and brokers turn lists of broker ids into each other; an empty list is nil.

func numbers(ids []kafka.BrokerID) []int32 {
	var out []int32
	for _, id := range ids {
		out = append(out, int32(id))
	}
	return out
}

func brokers(ids []int32) []kafka.BrokerID {
	var out []kafka.BrokerID
	for _, id := range ids {
		out = append(out, kafka.BrokerID(id))
	}
	return out
}

// Security protocols have these numbers. Kafka: SecurityProtocol.
var (
	protocolIDs   = map[string]int16{"PLAINTEXT": 0, "SSL": 1, "SASL_PLAINTEXT": 2, "SASL_SSL": 3}
	protocolNames = map[int16]string{0: "PLAINTEXT", 1: "SSL", 2: "SASL_PLAINTEXT", 3: "SASL_SSL"}
)

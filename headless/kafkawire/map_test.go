package kafkawire

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kmsg"

	"controllerscope/core/kafka"
	"controllerscope/core/request"
)

var (
	topicA, topicB = kafka.UUID{0: 0xa, 15: 1}, kafka.UUID{0: 0xb, 15: 2}
	a0, a1, b0     = kafka.TopicPartition{Topic: "a"}, kafka.TopicPartition{Topic: "a", Partition: 1}, kafka.TopicPartition{Topic: "b"}
	header7        = request.Control{ControllerID: 1, ControllerEpoch: 7, BrokerEpoch: 0x7fffffff00000001}
)

func state(leader kafka.BrokerID, epoch, version int32, isr ...kafka.BrokerID) kafka.LeaderAndIsr {
	return kafka.LeaderAndIsr{Leader: leader, LeaderEpoch: epoch, ISR: isr, ZkVersion: version}
}

// exchange is a request with an answer to it; each field that can differ from its zero value does somewhere.
type exchange struct {
	key    int16
	r      request.Request
	answer request.Response
}

var exchanges = map[string]exchange{
	"LeaderAndIsr": {4, request.LeaderAndIsr{Control: header7,
		LiveLeaders: []kafka.Broker{{ID: 2, Endpoints: []kafka.Endpoint{{Host: "127.0.0.1", Port: 19092}}}},
		Partitions: []request.LeaderAndIsrPartition{
			{TopicPartition: a0, TopicID: topicA, ControllerEpoch: 6, LeaderAndIsr: state(2, 3, 4, 2, 1), IsNew: true,
				Assignment: kafka.ReplicaAssignment{Replicas: []kafka.BrokerID{2, 1, 3}, Adding: []kafka.BrokerID{3}, Removing: []kafka.BrokerID{1}}},
			{TopicPartition: a1, TopicID: topicA, ControllerEpoch: 5, LeaderAndIsr: state(kafka.NoLeader, 9, 11, 1),
				Assignment: kafka.ReplicaAssignment{Replicas: []kafka.BrokerID{1}}},
			{TopicPartition: b0, TopicID: topicB, ControllerEpoch: 7, LeaderAndIsr: state(2, 0, 0, 2),
				Assignment: kafka.ReplicaAssignment{Replicas: []kafka.BrokerID{2}}}}},
		request.ControlResponse{Of: "LeaderAndIsr", Error: kafka.NONE, Errors: []request.PartitionError{
			{TopicPartition: a0, Error: kafka.NONE}, {TopicPartition: a1, Error: kafka.STALE_CONTROLLER_EPOCH}, {TopicPartition: b0, Error: kafka.INCONSISTENT_TOPIC_ID}}}},
	"UpdateMetadata": {6, request.UpdateMetadata{Control: header7,
		LiveBrokers: []kafka.Broker{{ID: 1, Rack: "r1", Endpoints: []kafka.Endpoint{
			{Listener: "PLAINTEXT", Protocol: "PLAINTEXT", Host: "127.0.0.1", Port: 9092}, {Listener: "OUT", Protocol: "SASL_SSL", Host: "h", Port: 9093}}}, {ID: 2}},
		Partitions: []request.UpdateMetadataPartition{
			{TopicPartition: a0, TopicID: topicA, ControllerEpoch: 6, LeaderAndIsr: state(2, 3, 4, 2, 1), Replicas: []kafka.BrokerID{2, 1, 3}, Offline: []kafka.BrokerID{3}},
			{TopicPartition: b0, TopicID: topicB, ControllerEpoch: 7, LeaderAndIsr: state(kafka.LeaderDuringDelete, 0, 0), Replicas: []kafka.BrokerID{2}}}},
		request.ControlResponse{Of: "UpdateMetadata", Error: kafka.STALE_BROKER_EPOCH}},
	"StopReplica": {5, request.StopReplica{Control: header7, Partitions: []request.StopReplicaPartition{
		{TopicPartition: a0, LeaderEpoch: kafka.EpochDuringDelete, Delete: true}, {TopicPartition: a1, LeaderEpoch: 5}, {TopicPartition: b0, LeaderEpoch: kafka.NoEpoch}}},
		request.ControlResponse{Of: "StopReplica", Error: kafka.NONE, Errors: []request.PartitionError{
			{TopicPartition: a0, Error: kafka.FENCED_LEADER_EPOCH}, {TopicPartition: a1, Error: kafka.KAFKA_STORAGE_ERROR}}}},
	"AlterIsr": {56, request.AlterIsr{BrokerID: 2, BrokerEpoch: 0x44, Partitions: []request.AlterIsrPartition{
		{TopicPartition: a0, LeaderEpoch: 3, ISR: []kafka.BrokerID{2, 3}, ZkVersion: 4}, {TopicPartition: b0, LeaderEpoch: 1, ISR: []kafka.BrokerID{2}, ZkVersion: 9}}},
		request.AlterIsrResponse{Error: kafka.NONE, Partitions: []request.AlterIsrResult{
			{TopicPartition: a0, LeaderAndIsr: state(2, 3, 5, 2, 3)}, {TopicPartition: b0, Error: kafka.INVALID_UPDATE_VERSION}}}},
	"ControlledShutdown": {7, request.ControlledShutdown{BrokerID: 3, BrokerEpoch: 0x45},
		request.ControlledShutdownResponse{Error: kafka.STALE_BROKER_EPOCH, Remaining: []kafka.TopicPartition{a1, b0}}},
	"Fetch": {1, request.Fetch{ReplicaID: 3, Full: true, Partitions: []request.FetchPartition{
		{TopicPartition: a0, LeaderEpoch: 4, Offset: 1 << 40, LastEpoch: 3, HighWatermark: 1<<40 - 1}, {TopicPartition: b0, LastEpoch: kafka.NoEpoch}}},
		request.FetchResponse{Error: kafka.NONE, Partitions: []request.FetchResult{
			{TopicPartition: a0, LeaderEpoch: 4, EndOffset: 1<<40 + 5, HighWatermark: 1 << 40, Epochs: []request.EpochStart{{Epoch: 3, Offset: 12}, {Epoch: 4, Offset: 1 << 40}}},
			{TopicPartition: a1, LeaderEpoch: 2, Diverging: true, DivergingEpoch: 1, DivergingEnd: 0},
			{TopicPartition: b0, Error: kafka.FENCED_LEADER_EPOCH}}}},
	"Fetch, next of a session": {1, request.Fetch{ReplicaID: 3}, request.FetchResponse{Error: kafka.UNKNOWN_SERVER_ERROR}},
	"CreateTopics": {19, request.CreateTopics{Topics: []request.NewTopic{
		{Name: "a", NumPartitions: 2, ReplicationFactor: 3, Config: []request.ConfigEntry{{Key: "k", Value: "v"}, {Key: "e", Value: ""}}},
		{Name: "b", NumPartitions: -1, ReplicationFactor: -1, Assignment: [][]kafka.BrokerID{{1, 2}, {2, 1}}}}},
		request.TopicResponse{Of: "CreateTopics", Topics: []request.TopicResult{{Name: "a"}, {Name: "b", Error: kafka.TOPIC_ALREADY_EXISTS, Message: "Topic 'b' already exists."}}}},
	"DeleteTopics": {20, request.DeleteTopics{Topics: []string{"a", "b"}},
		request.TopicResponse{Of: "DeleteTopics", Topics: []request.TopicResult{{Name: "a"}, {Name: "b", Error: kafka.UNKNOWN_TOPIC_OR_PARTITION, Message: "no"}}}},
	"ElectLeaders": {43, request.ElectLeaders{Unclean: true, Partitions: []kafka.TopicPartition{a0, a1, b0}},
		request.PartitionResponse{Of: "ElectLeaders", Partitions: []request.PartitionResult{{TopicPartition: a0}, {TopicPartition: b0, Error: kafka.ELECTION_NOT_NEEDED, Message: "no"}}}},
	"ElectLeaders, all": {43, request.ElectLeaders{}, request.PartitionResponse{Of: "ElectLeaders", Error: kafka.NOT_CONTROLLER}},
	"AlterPartitionReassignments": {45, request.AlterPartitionReassignments{Partitions: []request.PartitionReassignment{
		{TopicPartition: a0, Replicas: []kafka.BrokerID{3, 2}}, {TopicPartition: a1}, {TopicPartition: b0, Replicas: []kafka.BrokerID{}}}},
		request.PartitionResponse{Of: "AlterPartitionReassignments", Partitions: []request.PartitionResult{
			{TopicPartition: a0}, {TopicPartition: a1, Error: kafka.NO_REASSIGNMENT_IN_PROGRESS}, {TopicPartition: b0, Error: kafka.INVALID_REPLICA_ASSIGNMENT, Message: "empty"}}}},
	"ListPartitionReassignments": {46, request.ListPartitionReassignments{Partitions: []kafka.TopicPartition{a1, b0}},
		request.ListPartitionReassignmentsResponse{Partitions: []request.OngoingReassignment{{TopicPartition: a1, ReplicaAssignment: kafka.ReplicaAssignment{
			Replicas: []kafka.BrokerID{3, 1, 2}, Adding: []kafka.BrokerID{3}, Removing: []kafka.BrokerID{1, 2}}}}}},
	"ListPartitionReassignments, all": {46, request.ListPartitionReassignments{}, request.ListPartitionReassignmentsResponse{Error: kafka.NOT_CONTROLLER}},
	"IncrementalAlterConfigs": {44, request.IncrementalAlterConfigs{Resources: []request.AlterConfigs{
		{Type: "topics", Name: "a", Ops: []request.ConfigOp{{Key: "retention.ms", Value: "1"}, {Key: "e"}, {Key: "x", Delete: true}}}, {Type: "brokers"}}},
		request.EntityResponse{Of: "IncrementalAlterConfigs", Entities: []request.EntityResult{{Type: "topics", Name: "a"},
			{Type: "brokers", Error: kafka.INVALID_REQUEST, Message: "no"}}}},
	"AlterClientQuotas": {49, request.AlterClientQuotas{Entries: []request.AlterQuotas{
		{Entity: []request.QuotaEntity{{Type: "user", Name: "alice"}, {Type: "client-id", Default: true}}, Ops: []request.QuotaOp{{Key: "k", Value: 1.5}, {Key: "r", Remove: true}}}}},
		request.EntityResponse{Of: "AlterClientQuotas", Entities: []request.EntityResult{{Type: "quotas", Name: "user=alice client-id=<default>", Error: kafka.INVALID_REQUEST, Message: "no"}}}},
	"CreatePartitions": {37, request.CreatePartitions{Topics: []request.NewPartitions{{Name: "a", Count: 3}, {Name: "b", Count: 2, Assignment: [][]kafka.BrokerID{{2, 1}}}}},
		request.TopicResponse{Of: "CreatePartitions", Topics: []request.TopicResult{{Name: "a"}, {Name: "b", Error: kafka.INVALID_PARTITIONS, Message: "no"}}}},
}

// Every field survives the way through the bytes of both directions, under Kafka's API key and version.
func TestRoundTrip(t *testing.T) {
	for name, x := range exchanges {
		t.Run(name, func(t *testing.T) {
			k, err := EncodeRequest(x.r)
			require.NoError(t, err)
			bytesOut := kmsg.NewRequestFormatter(kmsg.FormatterClientID("1")).AppendRequest(nil, k, 42)
			frame, err := readFrame(bytes.NewReader(bytesOut))
			require.NoError(t, err)
			h, rest, err := parseHeader(frame)
			require.NoError(t, err)
			assert.Equal(t, header{x.key, versions[x.key], 42, "1"}, h)
			read, err := parseBody(h, rest)
			require.NoError(t, err)
			r, err := DecodeRequest(read)
			require.NoError(t, err)
			assert.Equal(t, x.r, r)

			out, err := EncodeResponse(x.r, x.answer)
			require.NoError(t, err)
			frame, err = readFrame(bytes.NewReader(appendResponse(nil, 42, out)))
			require.NoError(t, err)
			assert.Equal(t, []byte{0, 0, 0, 42}, frame[:4])
			in := read.ResponseKind()
			in.SetVersion(versions[x.key])
			require.NoError(t, parseResponse(frame[4:], in))
			answer, err := DecodeResponse(x.r, in)
			require.NoError(t, err)
			assert.Equal(t, x.answer, answer)
		})
	}
}

// The bytes of ControlledShutdown v3 as Kafka's ControlledShutdownRequest.json lays them out: header v2, then the fields.
func TestBytes(t *testing.T) {
	k, err := EncodeRequest(request.ControlledShutdown{BrokerID: 3, BrokerEpoch: 0x45})
	require.NoError(t, err)
	assert.Equal(t, []byte{0, 0, 0, 25, // size
		0, 7, 0, 3, 0, 0, 0, 9, 0, 1, '3', 0, // key, version, correlation id, client id, no tagged fields
		0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0x45, 0}, // broker, broker epoch, no tagged fields
		kmsg.NewRequestFormatter(kmsg.FormatterClientID("3")).AppendRequest(nil, k, 9))
	out, err := EncodeResponse(request.ControlledShutdown{}, request.ControlledShutdownResponse{Error: kafka.STALE_BROKER_EPOCH, Remaining: []kafka.TopicPartition{a1}})
	require.NoError(t, err)
	assert.Equal(t, []byte{0, 0, 0, 16, 0, 0, 0, 9, 0, // size, correlation id, no tagged fields
		0, 77, 2, 2, 'a', 0, 0, 0, 1, 0, 0}, // error, one partition, its topic and number
		appendResponse(nil, 9, out))
}

// Topics whose partitions stand apart are gathered; a refusal of the whole is one of each topic.
func TestGathered(t *testing.T) {
	r := request.StopReplica{Partitions: []request.StopReplicaPartition{{TopicPartition: a1}, {TopicPartition: b0}, {TopicPartition: a0}}}
	k, err := EncodeRequest(r)
	require.NoError(t, err)
	got, err := DecodeRequest(k)
	require.NoError(t, err)
	assert.Equal(t, []request.StopReplicaPartition{{TopicPartition: a1}, {TopicPartition: a0}, {TopicPartition: b0}}, got.(request.StopReplica).Partitions)

	asked := request.DeleteTopics{Topics: []string{"a", "b"}}
	out, err := EncodeResponse(asked, request.TopicResponse{Of: "DeleteTopics", Error: kafka.NOT_CONTROLLER})
	require.NoError(t, err)
	answer, err := DecodeResponse(asked, out)
	require.NoError(t, err)
	assert.Equal(t, request.TopicResponse{Of: "DeleteTopics", Topics: []request.TopicResult{
		{Name: "a", Error: kafka.NOT_CONTROLLER}, {Name: "b", Error: kafka.NOT_CONTROLLER}}}, answer)
}

// Two topics without an id are told apart by their order.
func TestTopicsWithoutIDs(t *testing.T) {
	r := request.LeaderAndIsr{Partitions: []request.LeaderAndIsrPartition{{TopicPartition: a0}, {TopicPartition: b0}}}
	want := request.ControlResponse{Of: "LeaderAndIsr", Errors: []request.PartitionError{{TopicPartition: a0}, {TopicPartition: b0, Error: kafka.KAFKA_STORAGE_ERROR}}}
	k, err := EncodeResponse(r, want)
	require.NoError(t, err)
	got, err := DecodeResponse(r, k)
	require.NoError(t, err)
	assert.Equal(t, want, got)
}

type foreign struct{ request.CreateTopics }

func (foreign) Kind() string { return "Foreign" }

func TestRefusals(t *testing.T) {
	say := func(_ any, err error) string { require.Error(t, err); return err.Error() }
	assert.Equal(t, "Foreign has no form on the wire", say(EncodeRequest(foreign{})))
	assert.Equal(t, `broker 1 has the security protocol "TLS", which has no number`, say(EncodeRequest(request.UpdateMetadata{
		LiveBrokers: []kafka.Broker{{ID: 1, Endpoints: []kafka.Endpoint{{Protocol: "TLS"}}}}})))
	assert.Equal(t, "UpdateMetadata gives broker 1 the security protocol 9, which does not exist", say(DecodeRequest(&kmsg.UpdateMetadataRequest{
		LiveBrokers: []kmsg.UpdateMetadataRequestLiveBroker{{ID: 1, Endpoints: []kmsg.UpdateMetadataRequestLiveBrokerEndpoint{{SecurityProtocol: 9}}}}})))
	assert.Equal(t, "Metadata is not spoken here", say(DecodeRequest(&kmsg.MetadataRequest{})))
	assert.Equal(t, "CreateTopics assigns partition 1 of topic a, but its partitions are not 0 to 0, each once", say(DecodeRequest(&kmsg.CreateTopicsRequest{
		Topics: []kmsg.CreateTopicsRequestTopic{{Topic: "a", ReplicaAssignment: []kmsg.CreateTopicsRequestTopicReplicaAssignment{{Partition: 1}}}}})))
	assert.Equal(t, "an answer to Fetch does not answer StopReplica", say(EncodeResponse(request.StopReplica{}, request.FetchResponse{})))
	assert.Equal(t, "the answer to LeaderAndIsr names a-0, which the request does not", say(EncodeResponse(request.LeaderAndIsr{},
		request.ControlResponse{Of: "LeaderAndIsr", Errors: []request.PartitionError{{TopicPartition: a0}}})))
	assert.Equal(t, "the answer to LeaderAndIsr names topic id CgAAAAAAAAAAAAAAAAAAAQ, which the request does not", say(DecodeResponse(request.LeaderAndIsr{},
		&kmsg.LeaderAndISRResponse{Topics: []kmsg.LeaderAndISRResponseTopic{{TopicID: topicA}}})))
	real := kmsg.NewFetchResponseTopicPartition()
	assert.Equal(t, "the answer to Fetch says nothing of the log of a-0 that can be read", say(DecodeResponse(request.Fetch{},
		&kmsg.FetchResponse{Topics: []kmsg.FetchResponseTopic{{Topic: "a", Partitions: []kmsg.FetchResponseTopicPartition{real}}}})))
}

// Whatever bytes come, reading them ends in a request or an error.
func FuzzRequest(f *testing.F) {
	for _, x := range exchanges {
		k, err := EncodeRequest(x.r)
		require.NoError(f, err)
		f.Add(kmsg.NewRequestFormatter().AppendRequest(nil, k, 1)[4:])
	}
	f.Fuzz(func(t *testing.T, frame []byte) {
		h, rest, err := parseHeader(frame)
		if v, spoken := versions[h.key]; err != nil || !spoken || v != h.version {
			return
		}
		if k, err := parseBody(h, rest); err == nil {
			if r, err := DecodeRequest(k); err == nil {
				_, err = EncodeRequest(r)
				require.NoError(t, err)
			}
		}
	})
}

package zkdata

import (
	"testing"

	"github.com/stretchr/testify/require"

	"controllerscope/core/kafka"
)

func ids(list ...kafka.BrokerID) []kafka.BrokerID { return list }

func tp(topic string, partition int32) kafka.TopicPartition {
	return kafka.TopicPartition{Topic: topic, Partition: partition}
}

func uuid(t *testing.T, s string) kafka.UUID {
	u, err := kafka.ParseUUID(s)
	require.NoError(t, err)
	return u
}

// The bytes of a real Kafka 2.8.2, Scala 2.13 build.
func TestRawBytes(t *testing.T) {
	topic14 := map[int32]kafka.ReplicaAssignment{}
	for p, list := range [][]kafka.BrokerID{{1, 2}, {2, 3}, {3, 4}, {4, 1}, {1, 3}, {2, 4}, {3, 1}, {4, 2}, {1, 4}, {2, 1}, {3, 2}, {4, 3}, {1, 2}, {2, 3}} {
		topic14[int32(p)] = kafka.ReplicaAssignment{Replicas: list}
	}
	extra := BrokerInfo{Broker: kafka.Broker{ID: 1, Endpoints: []kafka.Endpoint{
		{Listener: "PLAINTEXT", Protocol: "PLAINTEXT", Host: "127.0.0.1", Port: 23832},
		{Listener: "EXTRA", Protocol: "PLAINTEXT", Host: "127.0.0.1", Port: 29302}}}, Version: 5, JmxPort: -1}
	for _, c := range []struct {
		name string
		got  []byte
		want string
	}{
		{"/admin/reassign_partitions", EncodePartitionReassignment([]PartitionReplicas{{tp("t", 0), ids(2, 3)}, {tp("t", 1), ids(2, 3)}}),
			`{"version":1,"partitions":[{"topic":"t","partition":0,"replicas":[2,3]},{"topic":"t","partition":1,"replicas":[2,3]}]}`},
		{"/admin/preferred_replica_election", EncodePreferredReplicaElection([]kafka.TopicPartition{tp("orders", 0), tp("orders", 1)}),
			`{"version":1,"partitions":[{"topic":"orders","partition":0},{"topic":"orders","partition":1}]}`},
		{"/brokers/ids/N", EncodeBroker(extra, 1795980584665),
			`{"features":{},"listener_security_protocol_map":{"PLAINTEXT":"PLAINTEXT","EXTRA":"PLAINTEXT"},"endpoints":["PLAINTEXT://127.0.0.1:23832","EXTRA://127.0.0.1:29302"],"jmx_port":-1,"port":23832,"host":"127.0.0.1","version":5,"timestamp":"1795980584665"}`},
		{"/brokers/topics/T", EncodeTopic(uuid(t, "p9ai1fwQQtqk8MSArvIu-w"), topic14),
			`{"partitions":{"11":[4,3],"12":[1,2],"13":[2,3],"0":[1,2],"1":[2,3],"2":[3,4],"3":[4,1],"4":[1,3],"5":[2,4],"6":[3,1],"7":[4,2],"8":[1,4],"9":[2,1],"10":[3,2]},"topic_id":"p9ai1fwQQtqk8MSArvIu-w","adding_replicas":{},"removing_replicas":{},"version":3}`},
		{"state", EncodeTopicPartitionState(kafka.Leadership{LeaderAndIsr: kafka.LeaderAndIsr{Leader: 1, LeaderEpoch: 1, ISR: ids(1, 2, 3, 4), ZkVersion: 9}, ControllerEpoch: 1}),
			`{"controller_epoch":1,"leader":1,"version":1,"leader_epoch":1,"isr":[1,2,3,4]}`},
		{"/cluster/id", EncodeClusterID("Hzvog2WQRpa76HbTpr9boA"), `{"version":"1","id":"Hzvog2WQRpa76HbTpr9boA"}`},
		{"/config/brokers/N", EncodeConfig(map[string]string{"advertised.listeners": "PLAINTEXT://127.0.0.1:23832,EXTRA://127.0.0.1:29302",
			"listener.security.protocol.map": "PLAINTEXT:PLAINTEXT,EXTRA:PLAINTEXT", "listeners": "PLAINTEXT://127.0.0.1:29102,EXTRA://127.0.0.1:29302"}),
			`{"version":1,"config":{"listeners":"PLAINTEXT://127.0.0.1:29102,EXTRA://127.0.0.1:29302","advertised.listeners":"PLAINTEXT://127.0.0.1:23832,EXTRA://127.0.0.1:29302","listener.security.protocol.map":"PLAINTEXT:PLAINTEXT,EXTRA:PLAINTEXT"}}`},
		{"/config/changes", EncodeConfigChange("users/alice/clients/app-1"), `{"version":2,"entity_path":"users/alice/clients/app-1"}`},
		{"/config/changes of a default", EncodeConfigChange("brokers/<default>"), `{"version":2,"entity_path":"brokers/<default>"}`},
		{"/config/clients/C", EncodeConfig(map[string]string{"request_percentage": "50.0"}), `{"version":1,"config":{"request_percentage":"50.0"}}`},
		{"/config/topics/T", EncodeConfig(map[string]string{"retention.ms": "1000", "max.message.bytes": "2000"}),
			`{"version":1,"config":{"max.message.bytes":"2000","retention.ms":"1000"}}`},
		{"/config/topics/plain", EncodeConfig(nil), `{"version":1,"config":{}}`},
		{"/controller", EncodeController(1, 1795980391771), `{"version":1,"brokerid":1,"timestamp":"1795980391771"}`},
		{"/controller_epoch", EncodeControllerEpoch(100), `100`},
		{"/feature", EncodeFeature(FeatureZNode{Status: FeatureDisabled}), `{"features":{},"version":1,"status":0}`},
		{"/isr_change_notification", EncodeIsrChange([]kafka.TopicPartition{tp("t", 0)}), `{"version":1,"partitions":[{"topic":"t","partition":0}]}`},
		{"/latest_producer_id_block", EncodeProducerIDBlock(ProducerIDBlock{2, 1000, 1999}),
			`{"version":1,"broker":2,"block_start":"1000","block_end":"1999"}`},
		{"/log_dir_event_notification", EncodeLogDirEvent(2), `{"version":1,"broker":2,"event":1}`},
	} {
		require.Equal(t, c.want, string(c.got), c.name)
	}
}

func TestEncodeBrokerVariants(t *testing.T) {
	one := func(e ...kafka.Endpoint) kafka.Broker { return kafka.Broker{ID: 1, Endpoints: e} }
	plain := kafka.Endpoint{Listener: "PLAINTEXT", Protocol: "PLAINTEXT", Host: "kafka1", Port: 9092}
	racked := DefaultBrokerInfo(one(kafka.Endpoint{Listener: "CLIENT", Protocol: "SSL", Host: "kafka1", Port: 9093},
		kafka.Endpoint{Listener: "REPL", Protocol: "PLAINTEXT", Host: "10.0.0.11", Port: 9092}))
	racked.Rack, racked.JmxPort, racked.Features = "az-a", 9999, Features{"feature_1": {1, 3}}
	v4 := DefaultBrokerInfo(one(plain))
	v4.Version = 4
	for want, info := range map[string]BrokerInfo{
		`{"features":{},"listener_security_protocol_map":{"PLAINTEXT":"PLAINTEXT"},"endpoints":["PLAINTEXT://kafka1:9092"],"jmx_port":-1,"port":9092,"host":"kafka1","version":5,"timestamp":"1669713419877"}`:                                                                                                DefaultBrokerInfo(one(plain)),
		`{"features":{"feature_1":{"min_version":1,"max_version":3}},"listener_security_protocol_map":{"CLIENT":"SSL","REPL":"PLAINTEXT"},"endpoints":["CLIENT://kafka1:9093","REPL://10.0.0.11:9092"],"rack":"az-a","jmx_port":9999,"port":9092,"host":"10.0.0.11","version":5,"timestamp":"1669713419877"}`: racked,
		`{"features":{},"listener_security_protocol_map":{"SSL":"SSL"},"endpoints":["SSL://kafka1:9093"],"jmx_port":-1,"port":-1,"host":null,"version":5,"timestamp":"1669713419877"}`:                                                                                                                        DefaultBrokerInfo(one(kafka.Endpoint{Listener: "SSL", Protocol: "SSL", Host: "kafka1", Port: 9093})),
		`{"listener_security_protocol_map":{"PLAINTEXT":"PLAINTEXT"},"endpoints":["PLAINTEXT://kafka1:9092"],"jmx_port":-1,"port":9092,"host":"kafka1","version":4,"timestamp":"1669713419877"}`:                                                                                                              v4,
		`{"features":{},"listener_security_protocol_map":{"PLAINTEXT":"PLAINTEXT"},"endpoints":["PLAINTEXT://[::1]:9092"],"jmx_port":-1,"port":9092,"host":"::1","version":5,"timestamp":"1669713419877"}`:                                                                                                    DefaultBrokerInfo(one(kafka.Endpoint{Listener: "PLAINTEXT", Protocol: "PLAINTEXT", Host: "::1", Port: 9092})),
	} {
		require.Equal(t, want, string(EncodeBroker(info, 1669713419877)))
		back, err := DecodeBroker(1, []byte(want))
		require.NoError(t, err)
		if info.Version == 4 {
			require.Empty(t, back.Features)
			back.Features = info.Features
		}
		require.Equal(t, info, back)
	}
}

func TestEncodeTopicWhileReassigning(t *testing.T) {
	partitions := map[int32]kafka.ReplicaAssignment{
		0: {Replicas: ids(4, 5, 6, 1, 2, 3), Adding: ids(4, 5, 6), Removing: ids(1, 2, 3)}, 1: {Replicas: ids(2, 3, 1)}}
	want := `{"partitions":{"0":[4,5,6,1,2,3],"1":[2,3,1]},"topic_id":"81wkVSDdSpqBq1DFy9rD-w","adding_replicas":{"0":[4,5,6]},"removing_replicas":{"0":[1,2,3]},"version":3}`
	id := uuid(t, "81wkVSDdSpqBq1DFy9rD-w")
	require.Equal(t, want, string(EncodeTopic(id, partitions)))
	back, err := DecodeTopic("t", []byte(want))
	require.NoError(t, err)
	require.Equal(t, TopicAssignment{"t", id, partitions}, back)
	require.Equal(t, `{"partitions":{},"adding_replicas":{},"removing_replicas":{},"version":3}`, string(EncodeTopic(kafka.UUID{}, nil)))
}

func TestStringsAreEscapedAsJacksonDoes(t *testing.T) {
	require.Equal(t, `"a\"b\\c/<>&\b\t\n\f\r\u0001\u001F`+"\u007f\u2028é€😀"+`"`,
		string(appendString(nil, "a\"b\\c/<>&\b\t\n\f\r\x01\x1f\u007f\u2028é€😀")))
}

func TestPaths(t *testing.T) {
	require.Equal(t, []string{"/consumers", "/brokers/ids", "/brokers/topics", "/config/changes", "/admin/delete_topics", "/brokers/seqid",
		"/isr_change_notification", "/latest_producer_id_block", "/log_dir_event_notification",
		"/config/topics", "/config/clients", "/config/users", "/config/brokers", "/config/ips"}, PersistentPaths())
	require.Equal(t, "/brokers/ids/7", BrokerIDPath(7))
	require.Equal(t, "/brokers/topics/a-b/partitions/12/state", TopicPartitionStatePath(tp("a-b", 12)))
	require.Equal(t, "/config/users/alice/clients/app-1", ConfigEntityPath(ConfigTypeUsers, "alice/clients/app-1"))
	require.Equal(t, "/config/brokers/<default>", ConfigEntityPath(ConfigTypeBrokers, DefaultEntity))
	require.Equal(t, "/admin/delete_topics/t", DeleteTopicPath("t"))
	require.Equal(t, "/isr_change_notification/isr_change_0000000003", IsrChangePath(IsrChangeSequence("isr_change_0000000003")))
	require.Equal(t, "/log_dir_event_notification/log_dir_event_0000000003", LogDirEventPath(LogDirEventSequence("log_dir_event_0000000003")))
	require.Equal(t, "/config/changes/config_change_", ConfigChangeSequencePath)
}

// Taken apart is only what names the state of a partition; whether the number is one is for others to say.
func TestStatePathParts(t *testing.T) {
	topic, partition, ok := StatePathParts(TopicPartitionStatePath(tp("a-b", 12)))
	require.Equal(t, []any{"a-b", "12", true}, []any{topic, partition, ok})
	_, partition, ok = StatePathParts("/brokers/topics/t/partitions/x/state")
	require.True(t, ok)
	require.Equal(t, "x", partition)
	for _, other := range []string{"", "/brokers/topics/t", "/brokers/topics/t/partitions/0", "/brokers/topics/t/partitions/0/state/x",
		"/brokers/topics/t/u/partitions/0/state", "/brokers/topics/t/partitions/0/1/state", "/config/topics/t/partitions/0/state"} {
		_, _, ok := StatePathParts(other)
		require.False(t, ok, other)
	}
}

func BenchmarkDecodeTopicPartitionState(b *testing.B) {
	data := EncodeTopicPartitionState(kafka.Leadership{LeaderAndIsr: kafka.LeaderAndIsr{Leader: 1, LeaderEpoch: 1, ISR: ids(1, 2, 3)}, ControllerEpoch: 1})
	for b.Loop() {
		if _, _, err := DecodeTopicPartitionState(tp("orders", 12), data, 3); err != nil {
			b.Fatal(err)
		}
	}
}

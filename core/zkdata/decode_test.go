package zkdata

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"controllerscope/core/kafka"
)

// outcome checks an error: "" is success, anything else the exact text.
func outcome(t *testing.T, want string, err error, in string) {
	t.Helper()
	if want == "" {
		require.NoError(t, err, in)
	} else {
		require.EqualError(t, err, want, in)
	}
}

func TestDecodeController(t *testing.T) {
	for _, c := range []struct {
		in  string
		id  kafka.BrokerID
		ok  bool
		err string
	}{
		{`{"version":1,"brokerid":7,"timestamp":"1"}`, 7, true, ""},
		{`{"brokerid":7} and what follows does not count`, 7, true, ""},
		{`not json`, -1, false, ""},
		{`{"version":1}`, -1, false, `/controller: the field "brokerid" is missing`},
		{`{"brokerid":"7"}`, -1, false, `/controller: the field "brokerid": expected a whole number of 32 bits`},
		{`{"brokerid":7.0}`, -1, false, `/controller: the field "brokerid": expected a whole number of 32 bits`},
		{`{"brokerid":2147483648}`, -1, false, `/controller: the field "brokerid": expected a whole number of 32 bits`},
		{`[7]`, -1, false, `/controller: expected a JSON object`},
		{``, -1, false, `/controller: expected a JSON object`},
	} {
		id, ok, err := DecodeController([]byte(c.in))
		outcome(t, c.err, err, c.in)
		require.Equal(t, c.id, id, c.in)
		require.Equal(t, c.ok, ok, c.in)
	}
	_, _, err := DecodeController(nil)
	require.EqualError(t, err, "/controller: the znode has no data")
	_, ok, err := DecodeController([]byte("{\"brokerid\":7,\"x\":\"\xff\"}"))
	require.NoError(t, err)
	require.False(t, ok, "text that is not UTF-8 is not JSON")
}

func TestDecodeControllerEpoch(t *testing.T) {
	for in, want := range map[string]int32{"0": 0, "41": 41, "-1": -1} {
		epoch, err := DecodeControllerEpoch([]byte(in))
		require.NoError(t, err)
		require.Equal(t, want, epoch)
	}
	for _, in := range []string{"", "x", "1 ", "2147483648"} {
		_, err := DecodeControllerEpoch([]byte(in))
		require.EqualError(t, err, `/controller_epoch: "`+in+`" is not a controller epoch`)
	}
}

func TestDecodeBroker(t *testing.T) {
	info, err := DecodeBroker(3, []byte(`{"jmx_port":-1,"timestamp":"1","host":"h","version":1,"port":9092}`))
	require.NoError(t, err)
	require.Equal(t, BrokerInfo{Broker: kafka.Broker{ID: 3, Endpoints: []kafka.Endpoint{{Listener: "PLAINTEXT", Protocol: "PLAINTEXT", Host: "h", Port: 9092}}},
		Features: Features{}, Version: 1, JmxPort: -1}, info)

	info, err = DecodeBroker(3, []byte(`{"jmx_port":1,"version":9,"endpoints":["ssl://[2001:db8::1]:9093"],"rack":null}`))
	require.NoError(t, err)
	require.Equal(t, []kafka.Endpoint{{Listener: "SSL", Protocol: "SSL", Host: "2001:db8::1", Port: 9093}}, info.Endpoints, "the listener's name is the protocol when the map is absent")
	require.Empty(t, info.Rack)

	for in, want := range map[string]string{
		`not json`:                    `the text is not JSON`,
		``:                            `expected a JSON object`,
		`{"version":5}`:               `the field "jmx_port" is missing`,
		`{"version":0,"jmx_port":-1}`: `the version 0 of the registration is not supported`,
		`{"version":1,"jmx_port":-1,"host":null,"port":1}`:                                         `the field "host": expected a string`,
		`{"version":5,"jmx_port":-1}`:                                                              `the field "endpoints": expected a list`,
		`{"version":5,"jmx_port":-1,"endpoints":[1]}`:                                              `the field "endpoints": expected a list of strings`,
		`{"version":5,"jmx_port":-1,"endpoints":["kafka1:9092"]}`:                                  `"kafka1:9092" is not an endpoint: expected LISTENER://host:port`,
		`{"version":5,"jmx_port":-1,"endpoints":["A://h:99999999999"]}`:                            `"A://h:99999999999" is not an endpoint: the port 99999999999 is too large`,
		`{"version":5,"jmx_port":-1,"endpoints":["A://h:1"],"listener_security_protocol_map":{}}`:  `no security protocol for the listener "A": the field "A" is missing`,
		`{"version":5,"jmx_port":-1,"endpoints":["SSL://h:1","SSL://h:2"]}`:                        `the listener name "SSL" stands twice`,
		`{"version":5,"jmx_port":-1,"endpoints":["SSL://h:1"],"rack":1}`:                           `the field "rack": expected a string`,
		`{"version":5,"jmx_port":-1,"endpoints":["SSL://h:1"],"features":{"f":{"min_version":1}}}`: `feature "f": the field "max_version" is missing`,
	} {
		_, err := DecodeBroker(3, []byte(in))
		require.EqualError(t, err, "/brokers/ids/3: "+want, in)
	}
}

func TestDecodeTopic(t *testing.T) {
	two := map[int32]kafka.ReplicaAssignment{0: {Replicas: ids(1, 2)}, 1: {Replicas: ids(2, 3)}}
	for in, want := range map[string]TopicAssignment{
		`{"version":1,"partitions":{"0":[1,2],"1":[2,3]}}`:                                                  {Topic: "t", Partitions: two},
		`{"version":2,"partitions":{"0":[1,2],"1":[2,3]},"adding_replicas":{},"removing_replicas":{}}`:      {Topic: "t", Partitions: two},
		`{"version":99,"topic_id":"81wkVSDdSpqBq1DFy9rD-w","partitions":{"0":[1,2],"1":[2,3]},"more":true}`: {"t", uuid(t, "81wkVSDdSpqBq1DFy9rD-w"), two},
		`not json`: {Topic: "t", Partitions: map[int32]kafka.ReplicaAssignment{}},
		`{}`:       {Topic: "t", Partitions: map[int32]kafka.ReplicaAssignment{}},
		`{"partitions":{"0":[]},"removing_replicas":{"0":[1],"4":[2]}}`: {Topic: "t", Partitions: map[int32]kafka.ReplicaAssignment{0: {Replicas: ids(), Removing: ids(1)}}},
	} {
		got, err := DecodeTopic("t", []byte(in))
		require.NoError(t, err, in)
		for p, a := range got.Partitions {
			require.True(t, a.Equal(want.Partitions[p]), in)
		}
		require.Len(t, got.Partitions, len(want.Partitions), in)
		require.Equal(t, want.ID, got.ID, in)
		require.Equal(t, "t", got.Topic)
	}
	for in, want := range map[string]string{
		``:                           `expected a JSON object`,
		`[]`:                         `expected a JSON object`,
		`{"partitions":[[1]]}`:       `the field "partitions": expected an object`,
		`{"partitions":{"x":[1]}}`:   `"x" is not a partition number`,
		`{"partitions":{"0":1}}`:     `partition 0: expected a list of broker ids`,
		`{"partitions":{"0":["1"]}}`: `partition 0: a broker id: expected a whole number of 32 bits`,
		`{"partitions":{"0":[1]},"adding_replicas":{"0":true}}`: `partition 0: expected a list of broker ids`,
		`{"topic_id":"x"}`: `"x" is not a topic id: expected 22 characters of URL-safe base64`,
	} {
		_, err := DecodeTopic("t", []byte(in))
		require.EqualError(t, err, "/brokers/topics/t: "+want, in)
	}
	_, err := DecodeTopic("t", nil)
	require.EqualError(t, err, "/brokers/topics/t: the znode has no data")
}

func TestDecodeTopicPartitionState(t *testing.T) {
	l, ok, err := DecodeTopicPartitionState(tp("t", 0), []byte(`{"controller_epoch":9,"leader":-1,"version":1,"leader_epoch":3,"isr":[2]}`), 6)
	require.NoError(t, err)
	require.True(t, ok)
	require.Equal(t, kafka.Leadership{LeaderAndIsr: kafka.LeaderAndIsr{Leader: -1, LeaderEpoch: 3, ISR: ids(2), ZkVersion: 6}, ControllerEpoch: 9}, l)
	_, ok, err = DecodeTopicPartitionState(tp("t", 0), []byte(`nonsense`), 0)
	require.NoError(t, err)
	require.False(t, ok)
	full := `{"controller_epoch":9,"leader":1,"leader_epoch":3,"isr":[2]}`
	for field, want := range map[string]string{
		`"controller_epoch":9,`: `the field "controller_epoch" is missing`,
		`"leader":1,`:           `the field "leader" is missing`,
		`"leader_epoch":3,`:     `the field "leader_epoch" is missing`,
		`,"isr":[2]`:            `the field "isr": expected a list of broker ids`,
	} {
		_, ok, err = DecodeTopicPartitionState(tp("t", 0), []byte(strings.Replace(full, field, "", 1)), 0)
		require.EqualError(t, err, "/brokers/topics/t/partitions/0/state: "+want)
		require.False(t, ok)
	}
}

// Whatever the quick path accepts, the general decoder reads alike; and the quick path accepts what is written.
func TestCanonicalStateAgreesWithTheGeneralDecoder(t *testing.T) {
	for _, l := range []kafka.Leadership{
		{LeaderAndIsr: kafka.LeaderAndIsr{Leader: -1, LeaderEpoch: 0, ISR: ids(2)}, ControllerEpoch: 999999999},
		{LeaderAndIsr: kafka.LeaderAndIsr{Leader: 10, LeaderEpoch: 123, ISR: ids(10, 0, 3)}, ControllerEpoch: 1},
		{LeaderAndIsr: kafka.LeaderAndIsr{Leader: 1, LeaderEpoch: 1, ISR: []kafka.BrokerID{}}, ControllerEpoch: 1},
	} {
		text := EncodeTopicPartitionState(l)
		quick, ok := canonicalState(text)
		require.True(t, ok)
		require.Equal(t, l, quick)
		// Every text one character away: changed, removed, or doubled.
		for i := range text {
			for _, piece := range []string{"", "0", "-", ",", "]", "x", " ", string(text[i]) + string(text[i])} {
				other := []byte(string(text[:i]) + piece + string(text[i+1:]))
				quick, ok := canonicalState(other)
				if !ok {
					continue
				}
				general, ok, err := decodeTopicPartitionState(tp("t", 0), other, 0)
				require.NoError(t, err, string(other))
				require.True(t, ok, string(other))
				require.Equal(t, general, quick, string(other))
			}
		}
	}
	_, ok := canonicalState([]byte(`{"controller_epoch":1234567890,"leader":1,"version":1,"leader_epoch":1,"isr":[1]}`))
	require.False(t, ok)
	l, ok, err := DecodeTopicPartitionState(tp("t", 0), []byte(`{"controller_epoch":1234567890,"leader":1,"version":1,"leader_epoch":1,"isr":[1]}`), 5)
	require.NoError(t, err)
	require.True(t, ok)
	require.EqualValues(t, 1234567890, l.ControllerEpoch)
}

func TestDecodePartitionReassignment(t *testing.T) {
	got, err := DecodePartitionReassignment([]byte(`{"version":1,"partitions":[{"topic":"t","partition":1,"replicas":[4,3]},` +
		`{"topic":"t","partition":0,"replicas":[2]},{"partition":"1","replicas":[],"topic":"t"}]}`))
	require.NoError(t, err)
	require.Equal(t, []PartitionReplicas{{tp("t", 1), []kafka.BrokerID{}}, {tp("t", 0), ids(2)}}, got, "the later entry for t-1 counts")
	for in, want := range map[string]string{
		`not json`:                         `the text is not JSON`,
		``:                                 `expected a JSON object`,
		`[]`:                               `expected a JSON object`,
		`{"version":1}`:                    `the field "partitions": expected a list`,
		`{"version":true,"partitions":[]}`: `the field "version": expected a whole number of 32 bits`,
		`{"version":1,"partitions":[],"extra":1}`: `the field "extra" is unknown`,
		`{"version":1,"partitions":[7]}`:          `entry 1 of the partitions: expected an object`,
		`{"version":1,"partitions":[{"topic":"t","partition":0,"replicas":[1],"log_dirs":["any"]}]}`: `entry 1 of the partitions: the field "log_dirs" is unknown`,
		`{"version":1,"partitions":[{"partition":0,"replicas":[1]}]}`:                                `entry 1 of the partitions: the field "topic" is missing`,
		`{"version":1,"partitions":[{"topic":"t","partition":[],"replicas":[1]}]}`:                   `entry 1 of the partitions: the field "partition": expected a whole number of 32 bits`,
		`{"version":1,"partitions":[{"topic":"t","partition":0,"replicas":7}]}`:                      `entry 1 of the partitions: expected a list of broker ids`,
	} {
		got, err := DecodePartitionReassignment([]byte(in))
		require.EqualError(t, err, "/admin/reassign_partitions: "+want, in)
		require.Empty(t, got)
	}
}

func TestDecodePreferredReplicaElectionAndIsrChange(t *testing.T) {
	text := []byte(`{"version":7,"partitions":[{"topic":"b","partition":1},{"topic":"a","partition":0,"x":1},{"topic":"b","partition":1}]}`)
	want := []kafka.TopicPartition{tp("b", 1), tp("a", 0)}
	got, err := DecodePreferredReplicaElection(text)
	require.NoError(t, err)
	require.Equal(t, want, got)
	got, err = DecodeIsrChange("0000000000", text)
	require.NoError(t, err)
	require.Equal(t, want, got)
	got, err = DecodePreferredReplicaElection([]byte("not json"))
	require.NoError(t, err)
	require.Empty(t, got)
	_, err = DecodePreferredReplicaElection([]byte(`{}`))
	require.EqualError(t, err, `/admin/preferred_replica_election: the field "partitions": expected a list`)
	for in, want := range map[string]string{
		`{"partitions":[1]}`:                             `entry 1 of the partitions: expected an object`,
		`{"partitions":[{"partition":0}]}`:               `entry 1 of the partitions: the field "topic" is missing`,
		`{"partitions":[{"topic":"t","partition":"0"}]}`: `entry 1 of the partitions: the field "partition": expected a whole number of 32 bits`,
	} {
		_, err = DecodeIsrChange("0000000004", []byte(in))
		require.EqualError(t, err, "/isr_change_notification/isr_change_0000000004: "+want)
	}
}

func TestDecodeLogDirEvent(t *testing.T) {
	id, ok, err := DecodeLogDirEvent("0000000000", []byte(`{"version":1,"broker":2,"event":9}`))
	require.NoError(t, err)
	require.True(t, ok)
	require.Equal(t, kafka.BrokerID(2), id, "only the broker is read")
	_, ok, err = DecodeLogDirEvent("0000000000", []byte(`nothing`))
	require.NoError(t, err)
	require.False(t, ok)
	_, _, err = DecodeLogDirEvent("0000000000", []byte(`{"event":1}`))
	require.EqualError(t, err, `/log_dir_event_notification/log_dir_event_0000000000: the field "broker" is missing`)
}

func TestDecodeConfig(t *testing.T) {
	for in, want := range map[string]map[string]string{
		`{"version":1,"config":{"cleanup.policy":"delete"}}`: {"cleanup.policy": "delete"},
		`{"version":"x","config":{}}`:                        {},
		`{"version":1}`:                                      {},
		`{"config":[]}`:                                      {},
		`[]`:                                                 {},
		`not json`:                                           {},
		``:                                                   {},
	} {
		got, err := DecodeConfig("/config/topics/t", []byte(in))
		require.NoError(t, err, in)
		require.Equal(t, want, got, in)
	}
	got, err := DecodeConfig("/config/topics/t", nil)
	require.NoError(t, err)
	require.Empty(t, got)
	_, err = DecodeConfig("/config/topics/t", []byte(`{"config":{"retention.ms":1000}}`))
	require.EqualError(t, err, `/config/topics/t: the value of the config "retention.ms": expected a string`)
}

func TestDecodeFeature(t *testing.T) {
	f := FeatureZNode{FeatureEnabled, Features{"a": {1, 2}, "b": {3, 4}}}
	text := `{"features":{"a":{"min_version_level":1,"max_version_level":2},"b":{"min_version_level":3,"max_version_level":4}},"version":1,"status":1}`
	require.Equal(t, text, string(EncodeFeature(f)))
	got, err := DecodeFeature([]byte(text))
	require.NoError(t, err)
	require.Equal(t, f, got)
	for in, want := range map[string]string{
		`x`:                                      `the text is not JSON`,
		`{"features":{},"status":1}`:             `the field "version" is missing`,
		`{"features":{},"version":0}`:            `the version 0 is not supported`,
		`{"version":1,"status":1}`:               `the field "features" is missing`,
		`{"features":{},"version":1}`:            `the field "status" is missing`,
		`{"features":{},"version":1,"status":2}`: `the status 2 is neither 0 (disabled) nor 1 (enabled)`,
		`{"features":{"a":1},"version":1}`:       `the field "a": expected an object`,
		`{"features":{"a":{}},"version":1}`:      `feature "a": the field "min_version_level" is missing`,
	} {
		_, err := DecodeFeature([]byte(in))
		require.EqualError(t, err, "/feature: "+want, in)
	}
}

func TestDecodeClusterIDAndProducerIDBlock(t *testing.T) {
	id, err := DecodeClusterID([]byte(`{"version":"1","id":"abc"}`))
	require.NoError(t, err)
	require.Equal(t, "abc", id)
	_, err = DecodeClusterID([]byte(`abc`))
	require.EqualError(t, err, "/cluster/id: the text is not JSON")
	_, err = DecodeClusterID([]byte(`{}`))
	require.EqualError(t, err, `/cluster/id: the field "id" is missing`)

	block, err := DecodeProducerIDBlock([]byte(`{"version":1,"broker":2,"block_start":"1000","block_end":"1999"}`))
	require.NoError(t, err)
	require.Equal(t, ProducerIDBlock{2, 1000, 1999}, block)
	for in, want := range map[string]string{
		`x`:                              `the text is not JSON`,
		`{"broker":2}`:                   `the field "block_start" is missing`,
		`{"broker":2,"block_start":"x"}`: `the field "block_start": "x" is not a whole number`,
		`{"broker":2,"block_start":"0","block_end":9}`: `the field "block_end": expected a string`,
	} {
		_, err := DecodeProducerIDBlock([]byte(in))
		require.EqualError(t, err, "/latest_producer_id_block: "+want, in)
	}
}

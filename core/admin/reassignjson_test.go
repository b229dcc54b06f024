package admin

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"controllerscope/core/kafka"
)

// What Kafka 2.8.2's own ReassignPartitionsCommand.parseExecuteAssignmentArgs says to each text.
func TestExecuteFileRefusals(t *testing.T) {
	for text, want := range map[string]string{
		``:                               "The input string shouldn't be empty",
		`[]`:                             "Expected JSON object, received []",
		`5`:                              "Expected JSON object, received 5",
		`{}`:                             "Partition reassignment list cannot be empty",
		`{"version":2}`:                  "Not supported version field value 2",
		`{"version":"1"}`:                "Expected `Int` value, received \"1\"",
		`{"partitions":5}`:               "Expected JSON array, received 5",
		`{"partitions":[5]}`:             "Expected JSON object, received 5",
		`{"partitions":[{}]}`:            "No such field exists: `topic`",
		`{"partitions":[{"topic":5}]}`:   "Expected `String` value, received 5",
		`{"partitions":[{"topic":"a"}]}`: "No such field exists: `partition`",
		`{"partitions":[{"topic":"a","partition":"0"}]}`:                                                                 "Expected `Int` value, received \"0\"",
		`{"partitions":[{"topic":"a","partition":1.5}]}`:                                                                 "Expected `Int` value, received 1.5",
		`{"partitions":[{"topic":"a","partition":0}]}`:                                                                   "No such field exists: `replicas`",
		`{"partitions":[{"topic":"a","partition":0,"replicas":5}]}`:                                                      "Expected JSON array, received 5",
		`{"partitions":[{"topic":"a","partition":0,"replicas":["x"]}]}`:                                                  "Expected `Int` value, received \"x\"",
		`{"partitions":[{"topic":"a","partition":0,"replicas":[]}]}`:                                                     "Partition replica list cannot be empty",
		`{"partitions":[{"topic":"a","partition":0,"replicas":[1,1]}]}`:                                                  "Partition replica lists may not contain duplicate entries: a-0 contains multiple entries for 1",
		`{"partitions":[{"topic":"a","partition":0,"replicas":[1,2],"log_dirs":["any"]}]}`:                               "Size of replicas list List(1, 2) is different from size of log dirs list List(any) for partition a-0",
		`{"partitions":[{"topic":"a","partition":0,"replicas":[1,2],"log_dirs":["any",5]}]}`:                             "Expected `String` value, received 5",
		`{"partitions":[{"topic":"a","partition":0,"replicas":[1]},{"topic":"a","partition":0,"replicas":[2]}]}`:         "Partition reassignment contains duplicate topic partitions: a-0",
		`{"partitions":[{"topic":"a","partition":0,"replicas":[1,1]},{"topic":"b","partition":0,"replicas":[2,3,3,2]}]}`: "Partition replica lists may not contain duplicate entries: a-0 contains multiple entries for 1. b-0 contains multiple entries for 2,3",
	} {
		_, err := executable(text)
		assert.EqualError(t, err, want, text)
	}
	targets, err := executable(`{"partitions":[{"topic":"a","partition":0,"replicas":[1]}]} trailing`)
	require.NoError(t, err)
	assert.Equal(t, []Target{{kafka.TopicPartition{Topic: "a"}, []kafka.BrokerID{1}, []string{"any"}}}, targets)
	_, err = executable("{")
	assert.ErrorContains(t, err, "the reassignment is no JSON: the JSON text ends too early")
}

// As Kafka's parseGenerateAssignmentArgs.
func TestGenerateArgumentRefusals(t *testing.T) {
	for text, want := range map[string]string{
		``: "The input string is not a valid JSON", `x{`: "The input string is not a valid JSON", `[]`: "Expected JSON object, received []",
		`{"topics":5}`: "Expected JSON array, received 5", `{"topics":[5]}`: "Expected JSON object, received 5",
		`{"topics":[{}]}`: "No such field exists: `topic`", `{"topics":[{"topic":5}]}`: "Expected `String` value, received 5",
		`{"topics":[{"topic":"a"},{"topic":"a"}]}`: "List of topics to reassign contains duplicate entries: a",
		`{"version":2,"topics":[]}`:                "Not supported version field value 2",
	} {
		_, _, err := generateArguments(text, "0,1")
		assert.EqualError(t, err, want, text)
	}
	for list, want := range map[string]string{"": `For input string: ""`, "a": `For input string: "a"`, "1, 2": `For input string: " 2"`,
		"1,,2": `For input string: ""`, "1,1,2,2": "Broker list contains duplicate entries: 1,2"} {
		_, _, err := generateArguments(`{"topics":[{"topic":"a"}]}`, list)
		assert.EqualError(t, err, want, list)
	}
	brokers, topics, err := generateArguments(`{"topics":[{"topic":"a"}]}`, "1,")
	require.NoError(t, err)
	assert.Equal(t, []kafka.BrokerID{1}, brokers)
	assert.Equal(t, []string{"a"}, topics)
}

func TestReassignOptions(t *testing.T) {
	for line, want := range map[string]string{
		"":                       "Command must include exactly one action: --generate, --execute, --verify, --cancel, --list",
		"--verify --list":        "Command must include exactly one action: --generate, --execute, --verify, --cancel, --list",
		"--verify":               "Please specify --bootstrap-server",
		"--verify --zookeeper x": `Missing required argument "[reassignment-json-file]"`,
		"--list --bootstrap-server x --timeout 5":                                   `Option "[timeout]" can't be used with action "[list]"`,
		"--list --zookeeper x":                                                      `Option "[zookeeper]" can't be used with action "[list]"`,
		"--execute --zookeeper x --reassignment-json-file f --additional":           `You must specify --bootstrap-server when using "[additional]"`,
		"--execute --bootstrap-server x --reassignment-json-file f --throttle much": "Cannot parse argument 'much' of option throttle",
		"--execute --bootstrap-server":                                              "Option bootstrap-server requires an argument",
		"--force":                                                                   "force is not a recognized option",
	} {
		_, err := parseReassignOptions(strings.Fields(line))
		assert.EqualError(t, err, want, line)
	}
	o, err := parseReassignOptions(strings.Fields("--execute --bootstrap-server=x --reassignment-json-file f --throttle 1000"))
	require.NoError(t, err)
	assert.Equal(t, map[string]int64{"throttle": 1000, "replica-alter-log-dirs-throttle": -1, "timeout": 10000}, o.numbers)
	assert.Equal(t, "x", o.values["bootstrap-server"])
}

// The worked example of Kafka's ReassignPartitionsUnitTest.testMoveMap: what is under way keeps its sources, and the replicas
// of both are throttled.
func TestThrottledReplicas(t *testing.T) {
	tp := func(topic string, p int32) kafka.TopicPartition {
		return kafka.TopicPartition{Topic: topic, Partition: p}
	}
	ids := func(list ...kafka.BrokerID) []kafka.BrokerID { return list }
	underWay := map[kafka.TopicPartition]kafka.ReplicaAssignment{
		tp("foo", 0): {Replicas: ids(1, 2, 3, 4), Adding: ids(4), Removing: ids(3)},
		tp("foo", 1): {Replicas: ids(4, 5, 6, 7, 8), Adding: ids(7, 8), Removing: ids(4, 5)},
	}
	moves, err := proposedMoves(underWay, []Target{
		{TopicPartition: tp("foo", 1), Replicas: ids(4, 5, 6, 9)},
		{TopicPartition: tp("bar", 0), Replicas: ids(1, 2, 3)},
		{TopicPartition: tp("bar", 10), Replicas: ids(3, 4, 5)},
	}, map[kafka.TopicPartition][]kafka.BrokerID{tp("bar", 0): ids(1, 2, 3), tp("bar", 10): ids(1, 2, 3)})
	require.NoError(t, err)
	assert.Equal(t, map[string]string{"foo": "0:1,0:2,0:3,1:4,1:5,1:6", "bar": "0:1,0:2,0:3,10:1,10:2,10:3"}, throttledReplicas(moves, leaders))
	assert.Equal(t, map[string]string{"foo": "0:4,1:9", "bar": "10:4,10:5"}, throttledReplicas(moves, followers))
	assert.Equal(t, ids(1, 2, 3, 4, 5, 6, 9), movingBrokers(moves))
	_, err = proposedMoves(nil, []Target{{TopicPartition: tp("quux", 0), Replicas: ids(1)}}, nil)
	assert.EqualError(t, err, "Trying to reassign a topic partition quux-0 with 0 replicas")
}

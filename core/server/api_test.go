package server_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"controllerscope/core/kafka"
	"controllerscope/core/request"
	"controllerscope/core/server"
)

// The api lane of step "topic create t" in the same recording, and the answer.
func TestCreateTopic(t *testing.T) {
	w, store := world(t, 1, 2, 3)
	start(t, w, 1, 2, 3)
	before := len(store.said[store.order[0]])
	answer := create(t, w, request.NewTopic{Name: "t", Assignment: [][]kafka.BrokerID{{2, 3}, {3, 2}}})
	require.Equal(t, request.TopicResponse{Of: "CreateTopics", Topics: []request.TopicResult{{Name: "t"}}}, answer)
	var api []string
	for _, x := range store.said[store.order[0]][before:] {
		if !x.watch && !strings.HasPrefix(x.text, "multi ") {
			api = append(api, x.text)
		}
	}
	require.Equal(t, []string{"exists /brokers/topics/t NONODE", "set /config/topics/t NONODE", "create /config/topics/t",
		"create /brokers/topics/t", "get /brokers/topics/t"}, api)
	s, hosted := w.Server(2).Broker().Hosted(kafka.TopicPartition{Topic: "t"})
	require.True(t, hosted)
	require.Equal(t, []kafka.BrokerID{2, 3}, s.ISR)
}

// Recording 43-invalid-requests: what is refused, and with what.
func TestCreateTopicRefusals(t *testing.T) {
	w, store := world(t, 1, 2)
	start(t, w, 1, 2)
	create(t, w, request.NewTopic{Name: "t", Assignment: [][]kafka.BrokerID{{1, 2}}})
	before := len(store.said[store.order[0]])
	for _, c := range []struct {
		topic request.NewTopic
		want  request.TopicResult
	}{
		{request.NewTopic{Name: "t", Assignment: [][]kafka.BrokerID{{1}}}, request.TopicResult{Name: "t", Error: kafka.TOPIC_ALREADY_EXISTS, Message: "Topic 't' already exists."}},
		{request.NewTopic{Name: "..", Assignment: [][]kafka.BrokerID{{1}}}, request.TopicResult{Name: "..", Error: kafka.INVALID_TOPIC_EXCEPTION, Message: `Topic name cannot be "." or ".."`}},
		{request.NewTopic{Name: "u", NumPartitions: 0, ReplicationFactor: 1}, request.TopicResult{Name: "u", Error: kafka.INVALID_PARTITIONS, Message: "Number of partitions must be larger than 0."}},
		{request.NewTopic{Name: "u", NumPartitions: 1, ReplicationFactor: 3}, request.TopicResult{Name: "u", Error: kafka.INVALID_REPLICATION_FACTOR, Message: "Replication factor: 3 larger than available brokers: 2."}},
	} {
		require.Equal(t, []request.TopicResult{c.want}, create(t, w, c.topic).Topics)
	}
	require.Len(t, store.said[store.order[0]], before, "none of these asked ZooKeeper anything")
	answer := create(t, w, request.NewTopic{Name: "v", Assignment: [][]kafka.BrokerID{{1, 2}, {1}}})
	require.Equal(t, kafka.INVALID_REPLICA_ASSIGNMENT, answer.Topics[0].Error)
	create(t, w, request.NewTopic{Name: "a.b", Assignment: [][]kafka.BrokerID{{1}}})
	answer = create(t, w, request.NewTopic{Name: "a_b", Assignment: [][]kafka.BrokerID{{1}}})
	require.Equal(t, request.TopicResult{Name: "a_b", Error: kafka.INVALID_TOPIC_EXCEPTION, Message: "Topic 'a_b' collides with existing topics: a.b"}, answer.Topics[0])
	answer = create(t, w, request.NewTopic{Name: "w", NumPartitions: 4, ReplicationFactor: 2})
	require.Equal(t, kafka.NONE, answer.Topics[0].Error)
}

// Recording 03-add-partitions: the reads and the write of CreatePartitions, and what it refuses (43 too).
func TestCreatePartitions(t *testing.T) {
	w, store := world(t, 1, 2, 3)
	start(t, w, 1, 2, 3)
	create(t, w, request.NewTopic{Name: "t", Assignment: [][]kafka.BrokerID{{1, 2}}})
	before := len(store.said[store.order[0]])
	ask := func(count int32, assignment ...[]kafka.BrokerID) request.TopicResult {
		out := w.Ask(request.CreatePartitions{Topics: []request.NewPartitions{{Name: "t", Count: count, Assignment: assignment}}}, "t")
		require.NoError(t, w.RunToIdle(100_000, nil))
		require.True(t, out.Done)
		return out.Answer.(request.TopicResponse).Topics[0]
	}
	require.Equal(t, request.TopicResult{Name: "t"}, ask(3, []kafka.BrokerID{2, 3}, []kafka.BrokerID{3, 1}))
	var texts []string
	for _, x := range store.said[store.order[0]][before:] {
		texts = append(texts, x.text)
	}
	require.Equal(t, []string{"children /brokers/ids", "get /brokers/ids/1", "get /brokers/ids/2", "get /brokers/ids/3",
		"get /brokers/topics/t", "get /brokers/topics/t", "set /brokers/topics/t"}, texts[:7])
	s, hosted := w.Server(3).Broker().Hosted(kafka.TopicPartition{Topic: "t", Partition: 2})
	require.True(t, hosted)
	require.Equal(t, kafka.BrokerID(3), s.Leader)

	refused := func(code kafka.Error, message string) request.TopicResult {
		return request.TopicResult{Name: "t", Error: code, Message: message}
	}
	require.Equal(t, refused(kafka.INVALID_PARTITIONS, "Topic already has 3 partitions."), ask(3))
	require.Equal(t, refused(kafka.INVALID_PARTITIONS, "Topic currently has 3 partitions, which is higher than the requested 2."), ask(2))
	require.Equal(t, refused(kafka.INVALID_REPLICA_ASSIGNMENT, "Unknown broker(s) in replica assignment: 9."), ask(4, []kafka.BrokerID{1, 9}))
	require.Equal(t, refused(kafka.INVALID_REPLICA_ASSIGNMENT, "Increasing the number of partitions by 1 but 2 assignments provided."),
		ask(4, []kafka.BrokerID{1, 2}, []kafka.BrokerID{2, 3}))
	require.Equal(t, refused(kafka.INVALID_REPLICA_ASSIGNMENT, "Inconsistent replication factor between partitions, partition 0 has 2 while "+
		"partitions [3] have replication factors [3], respectively."), ask(4, []kafka.BrokerID{1, 2, 3}))
	require.Equal(t, request.TopicResult{Name: "t"}, ask(4), "an own assignment goes on where the old one ends")
	s, _ = w.Server(1).Broker().Hosted(kafka.TopicPartition{Topic: "t", Partition: 3})
	require.Equal(t, server.Running, w.Server(1).State())
	// start = shift = 0 (partition 0 begins with broker 1), p 3: shift 1, leader index 0, follower index 2.
	require.Equal(t, []kafka.BrokerID{1, 3}, s.ISR)
}

func TestDeleteTopicRefusals(t *testing.T) {
	w, store := world(t, 1, 2)
	start(t, w, 1, 2)
	create(t, w, request.NewTopic{Name: "t", Assignment: [][]kafka.BrokerID{{1, 2}}})
	before := len(store.said[store.order[0]])
	out := w.Ask(request.DeleteTopics{Topics: []string{"ghost"}}, "ghost")
	require.NoError(t, w.RunToIdle(100_000, nil))
	require.Equal(t, "UNKNOWN_TOPIC_OR_PARTITION", out.Error)
	require.Len(t, store.said[store.order[0]], before, "the metadata cache knows it")
	out = w.AskBroker(2, request.DeleteTopics{Topics: []string{"t"}}, "t")
	require.NoError(t, w.RunToIdle(100_000, func() bool { return out.Done }))
	require.Equal(t, kafka.NOT_CONTROLLER, out.Answer.(request.TopicResponse).Topics[0].Error)

	require.NoError(t, w.SetBrokerProps(1, map[string]string{"delete.topic.enable": "false"}))
	require.NoError(t, w.StopBroker(2))
	require.NoError(t, w.StopBroker(1))
	require.NoError(t, w.RunToIdle(100_000, nil))
	start(t, w, 1)
	out = w.Ask(request.DeleteTopics{Topics: []string{"t"}}, "t")
	require.NoError(t, w.RunToIdle(100_000, nil))
	require.Equal(t, "TOPIC_DELETION_DISABLED", out.Error)
}

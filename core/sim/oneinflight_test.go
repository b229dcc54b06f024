package sim_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"controllerscope/core/kafka"
	"controllerscope/core/request"
	"controllerscope/core/trace"
)

// conversation is the connection that requests of a kind between two processes share.
func conversation(kind string) string {
	switch kind {
	case "LeaderAndIsr", "UpdateMetadata", "StopReplica":
		return "control"
	}
	return kind
}

// underWayTwice names a connection between brokers on which a second request is under way, "" when there is none.
func underWayTwice(doc *trace.Document) string {
	for _, lane := range doc.Names("lane") {
		if strings.HasPrefix(lane, "admin") { // requests of many clients
			continue
		}
		seen := map[string]bool{}
		for _, id := range doc.Names("lane", lane) {
			kind, _ := doc.Get("lane", lane, id, "kind").(string)
			state := doc.Get("lane", lane, id, "state")
			if kind == "Fetch" || state != "flight" && state != "waiting" {
				continue // a fetch here stands for a long poll that a further one may join
			}
			c := conversation(kind)
			if seen[c] {
				return lane + " " + c
			}
			seen[c] = true
		}
	}
	return ""
}

// TestOneRequestUnderWay: controller and brokers send the next request of a connection when the last one is answered, so that
// answers keep the order of requests, as one connection of Kafka's keeps it, whichever choice is taken first.
func TestOneRequestUnderWay(t *testing.T) {
	w, r := running(t, map[string]string{})
	defer w.Close()
	settle := func() {
		require.NoError(t, w.RunToIdle(0, func() bool {
			require.Empty(t, underWayTwice(r.Doc()))
			return false
		}))
	}
	w.Ask(request.CreateTopics{Topics: []request.NewTopic{{Name: "more", Assignment: w.Spread(6, 3)}}}, "more")
	settle()
	require.NoError(t, w.KillBroker(2))
	settle()
	require.NoError(t, w.StartBroker(2))
	w.Ask(request.AlterPartitionReassignments{Partitions: []request.PartitionReassignment{
		{TopicPartition: kafka.TopicPartition{Topic: "more", Partition: 1}, Replicas: []kafka.BrokerID{2}}}}, "more-1")
	settle()
	require.NoError(t, w.StopBroker(0))
	settle()
	w.Ask(request.DeleteTopics{Topics: []string{"orders"}}, "orders")
	settle()
}

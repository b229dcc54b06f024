package request_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"controllerscope/core/env"
	"controllerscope/core/kafka"
	"controllerscope/core/request"
)

// TestBodiesAreShared: what is the same for all recipients is one value, and nothing that differs is taken for the same.
func TestBodiesAreShared(t *testing.T) {
	var b request.Bodies
	body := func(r request.Request) env.Record {
		var out env.Changes
		b.Leaves(&out, r, "queued", "0>1", "r1")
		require.Equal(t, request.Leaves(r, "queued", "0>1", "r1"), out.List)
		return out.List[len(out.List)-1].After.(env.Record)
	}
	tp := kafka.TopicPartition{Topic: "orders"}
	order := request.LeaderAndIsrPartition{TopicPartition: tp, LeaderAndIsr: kafka.LeaderAndIsr{Leader: 1, ISR: []kafka.BrokerID{1, 2}},
		Assignment: kafka.ReplicaAssignment{Replicas: []kafka.BrokerID{1, 2}}}
	told := func(change func(*request.LeaderAndIsrPartition)) *env.Arg {
		p := order
		change(&p)
		list := body(request.LeaderAndIsr{Partitions: []request.LeaderAndIsrPartition{p}}).Get("partitions").([]any)
		return &list[0].(env.Record)[0]
	}
	same := func(*request.LeaderAndIsrPartition) {}
	first := told(same)
	require.Same(t, first, told(func(p *request.LeaderAndIsrPartition) { p.ISR = []kafka.BrokerID{1, 2} }))
	for name, change := range map[string]func(*request.LeaderAndIsrPartition){
		"isNew": func(p *request.LeaderAndIsrPartition) { p.IsNew = true }, "isr": func(p *request.LeaderAndIsrPartition) { p.ISR = []kafka.BrokerID{1} },
		"epoch": func(p *request.LeaderAndIsrPartition) { p.ControllerEpoch = 2 }, "leaderEpoch": func(p *request.LeaderAndIsrPartition) { p.LeaderEpoch = 1 },
		"replicas": func(p *request.LeaderAndIsrPartition) { p.Assignment.Adding = []kafka.BrokerID{3} },
		"topicId":  func(p *request.LeaderAndIsrPartition) { p.TopicID[0] = 1 }, "partition": func(p *request.LeaderAndIsrPartition) { p.Partition = 1 }} {
		before := told(same)
		require.NotSame(t, before, told(change), name)
	}
	all := request.UpdateMetadata{Partitions: []request.UpdateMetadataPartition{{TopicPartition: tp}}}
	require.Same(t, &body(all)[0], &body(all)[0])
	all.Partitions = []request.UpdateMetadataPartition{{TopicPartition: tp, Offline: []kafka.BrokerID{2}}}
	body(all)
}

package controller

import (
	"testing"

	"github.com/stretchr/testify/require"

	"controllerscope/core/env"
	"controllerscope/core/kafka"
	"controllerscope/core/request"
)

func TestQueueIsFirstInFirstOutAndMergesNothing(t *testing.T) {
	p := &proc{w: newWorld(t), id: 7}
	q := &queue{j: newJournal(p, "7")}
	p.w.dumps = append(p.w.dumps, q.dump)
	for _, ev := range []event{brokerChangeEvent, brokerChangeEvent, topicChangeEvent} {
		q.put(ev)
	}
	require.Equal(t, 3, q.len())
	for _, want := range []string{"e1 BrokerChange", "e2 BrokerChange", "e3 TopicChange"} {
		item := q.take()
		require.Equal(t, want, item.id+" "+item.event.name())
		require.True(t, item.started)
	}
	require.Zero(t, q.len())
	require.Equal(t, "e4", q.put(reelectEvent).id, "ids go on")
}

func TestClearAndPutPreemptsInTheOrderOfTheQueue(t *testing.T) {
	p := &proc{w: newWorld(t), id: 7}
	q := &queue{j: newJournal(p, "7")}
	p.w.dumps = append(p.w.dumps, q.dump)
	q.put(startupEvent)
	inProcess := q.take()
	q.put(brokerChangeEvent)
	q.put(topicChangeEvent)
	var preempted []string
	expire := q.clearAndPut(expireEvent, func(ev event) { preempted = append(preempted, ev.name()) })
	require.Equal(t, []string{"BrokerChange", "TopicChange"}, preempted)
	require.Equal(t, 1, q.len())
	require.False(t, expire.started)
	require.Same(t, expire, q.take())
	require.True(t, inProcess.started)
	require.Equal(t, []string{"event.put", "event.put", "event.put", "event.preempt", "event.preempt", "event.put"},
		p.w.keys(env.EventPut, env.EventPreempt))
}

// Kafka: ControllerIntegrationTest.testPreemptionWithCallbacks, plus the one that never hears back.
func TestPreemptAnswersCallers(t *testing.T) {
	c := New(Config{BrokerID: 1}, &proc{w: newWorld(t), id: 1}, nil, nil)
	var shutdown kafka.Error
	c.preempt(controlledShutdown{reply: func(r request.ControlledShutdownResponse) { shutdown = r.Error }})
	require.Equal(t, kafka.STALE_CONTROLLER_EPOCH, shutdown)
	tp := kafka.TopicPartition{Topic: "a"}
	var elected map[kafka.TopicPartition]ElectionResult
	c.preempt(replicaLeaderElection{partitions: []kafka.TopicPartition{tp}, reply: func(r map[kafka.TopicPartition]ElectionResult) { elected = r }})
	require.Equal(t, map[kafka.TopicPartition]ElectionResult{tp: {Error: kafka.NOT_CONTROLLER}}, elected)
	c.preempt(alterIsrReceived{reply: func(request.AlterIsrResponse) { t.Fatal("the caller of AlterIsr never hears back") }})
}

package controller

import (
	"testing"

	"github.com/stretchr/testify/require"

	"controllerscope/core/env"
	"controllerscope/core/kafka"
	"controllerscope/core/zk"
)

// The cases of Kafka's ControllerEventManagerTest, by id, and the one of ControllerIntegrationTest that needs no cluster.
// Kafka's queue-time histogram and its timer per state are what a trace gives: when events were put, taken and done.

// eventTimes are the times of an event's notes of one kind, in order.
func (w *world) eventTimes(kind env.Kind, name string) (out []int64) {
	for i, n := range w.notes {
		if n.Kind == kind && n.Entity == name {
			out = append(out, w.times[i])
		}
	}
	return out
}

// EVM-02: an event whose state has no timer is processed as any other, exactly once.
func TestEVM_02(t *testing.T) {
	w := newWorld(t)
	p := w.start(1)
	w.forgetLog()
	p.ctl.putEvent(controlResponse{title: "UpdateMetadataResponseReceived", doing: StateUpdateMetadataResponseReceived, broker: 1})
	w.run()
	require.Equal(t, []string{"event.put", "event.take", "event.done"}, w.keys(env.EventPut, env.EventTake, env.EventDone))
	require.Len(t, w.eventTimes(env.EventDone, "UpdateMetadataResponseReceived"), 1)
}

// EVM-03: the time in the queue is measured from put to take: 0 and 500 ms when each event takes 500.
func TestEVM_03(t *testing.T) {
	w := newWorld(t)
	p := w.start(1)
	w.forgetLog()
	begin := w.now
	w.hold = func(_ *proc, ops []zk.Op) {
		if ops[0].Kind == zk.Children && ops[0].Path == "/brokers/topics" {
			w.now += 500
		}
	}
	p.ctl.putEvent(topicChangeEvent)
	p.ctl.putEvent(topicChangeEvent)
	w.run()
	require.Equal(t, []int64{begin, begin}, w.eventTimes(env.EventPut, "TopicChange"))
	require.Equal(t, []int64{begin, begin + 500}, w.eventTimes(env.EventTake, "TopicChange"), "in the queue for 0 and for 500 ms")
}

// EVM-05: the state while an event is processed and after, and its timer.
func TestEVM_05(t *testing.T) {
	w := newWorld(t)
	p := w.start(1)
	w.topic("a", ids(1))
	w.forgetLog()
	var during State
	w.dumps = append(w.dumps, func(env.Dump) { // runs with every note
		if p.ctl.inProcess != "" {
			during = p.ctl.state
		}
	})
	require.Equal(t, Idle, p.ctl.state)
	p.ctl.putEvent(autoLeaderRebalanceEvent)
	w.run()
	require.Equal(t, StateAutoLeaderBalance, during)
	require.EqualValues(t, 6, during)
	require.Equal(t, Idle, p.ctl.state)
	require.Len(t, w.eventTimes(env.EventTake, "AutoPreferredReplicaLeaderElection"), 1, "one tick of AutoLeaderBalanceRateAndTimeMs")
	require.Len(t, w.eventTimes(env.EventDone, "AutoPreferredReplicaLeaderElection"), 1)
}

// CTL-34: shutting the controller down preempts what waits in its queue, each event once, and waits for the event thread.
func TestCTL_34(t *testing.T) {
	w := newWorld(t)
	w.blind = true
	p := w.start(1)
	w.topic("a", ids(1))
	w.forgetLog()
	gate := false
	w.hold = func(p *proc, ops []zk.Op) {
		if ops[0].Kind == zk.Children && ops[0].Path == "/brokers/topics" && !gate {
			p.Wait("gate", func() bool { return gate })
		}
	}
	p.ctl.putEvent(topicChangeEvent)
	w.run()
	require.NotEmpty(t, p.ctl.inProcess, "the event thread is busy")
	preempted := 0
	for range 2 {
		p.ctl.ElectLeaders([]kafka.TopicPartition{tpOf("a", 0)}, false, func(r map[kafka.TopicPartition]ElectionResult) {
			require.Equal(t, map[kafka.TopicPartition]ElectionResult{tpOf("a", 0): {Error: kafka.NOT_CONTROLLER}}, r)
			preempted++
		})
	}
	down := false
	p.Go("shutdown", func() {
		p.ctl.Shutdown()
		down = true
	})
	w.run()
	require.Equal(t, 2, preempted, "both, before the shutdown is complete")
	require.False(t, down, "it waits for the event thread")
	gate = true
	w.run()
	require.True(t, down)
	require.Equal(t, 2, preempted)
	require.Equal(t, []string{"event.preempt", "event.preempt"}, w.keys(env.EventPreempt))
	require.Empty(t, w.eventTimes(env.EventTake, "ReplicaLeaderElection"), "a preempted event is never processed")
}

package sim_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"controllerscope/core/env"
	"controllerscope/core/kafka"
	"controllerscope/core/request"
	"controllerscope/core/sim"
	"controllerscope/core/trace"
	"controllerscope/core/zk/zkmem"
)

// c3 is the standard cluster of the lessons: brokers 0, 1, 2.
func c3(props map[string]string) sim.Setup {
	return sim.Setup{Brokers: []sim.BrokerSetup{{ID: 0}, {ID: 1}, {ID: 2}}, Props: props}
}

// watched is a world whose every step is held against its full dump.
func watched(t *testing.T, setup sim.Setup) (*sim.World, *trace.Recorder) {
	t.Helper()
	r := trace.NewRecorder()
	w := sim.New(sim.Config{Setup: setup, Seed: 1, Store: zkmem.New(zkmem.Options{}), Recorder: r})
	r.Check = sim.NewChecker().Check
	r.Sink = func(s *trace.Step) {
		full := trace.NewDocument()
		w.Dump(full)
		if d, differs := r.Doc().FirstDifference(full); differs {
			tr := r.Trace(trace.Trace{})
			require.Fail(t, "document and dump differ", "after %s\n%s", tr.Text(s), d.Text())
		}
	}
	t.Cleanup(func() {
		require.NoError(t, w.Close())
		require.Zero(t, w.Threads(), "coroutines left")
	})
	return w, r
}

func up(t *testing.T, w *sim.World, ids ...kafka.BrokerID) {
	t.Helper()
	for _, id := range ids {
		require.NoError(t, w.StartBroker(id))
		require.NoError(t, w.RunToIdle(200_000, nil))
		require.True(t, w.Started(id), "broker %d has not started: %s", id, w.Summary())
	}
}

func orders() request.CreateTopics {
	return request.CreateTopics{Topics: []request.NewTopic{{Name: "orders", Assignment: [][]kafka.BrokerID{{1, 2, 0}, {2, 0, 1}}}}}
}

func TestThreeBrokersAndATopic(t *testing.T) {
	w, r := watched(t, c3(map[string]string{"controlled.shutdown.enable": "false"}))
	up(t, w, 0, 1, 2)
	require.Equal(t, kafka.BrokerID(0), w.ControllerInOffice())
	out := w.Ask(orders(), "orders")
	require.NoError(t, w.RunToIdle(100_000, nil))
	require.True(t, out.Done)
	require.Equal(t, "", out.Error)
	doc := r.Doc()
	require.Equal(t, `{"controller_epoch":1,"leader":1,"version":1,"leader_epoch":0,"isr":[1,2,0]}`, doc.Get("zk", "/brokers/topics/orders/partitions/0/state", "data"))
	require.Equal(t, "leader", doc.Get("broker", "2", "replica", "orders-1", "role"))
	require.Empty(t, sim.CheckSettled(doc))
	for _, s := range r.Steps() {
		outside := s.Lane == "admin" && strings.HasPrefix(s.Msg, "admin.") && s.Msg != "admin.answer"
		require.Equal(t, outside, len(s.Causes) == 0, "step %d %s %s has causes %v", s.I, s.ID, s.Msg, s.Causes)
		require.NotEqual(t, env.Kind(""), s.Kind)
	}
	if testing.Verbose() {
		tr := r.Trace(trace.Trace{})
		for _, s := range r.Steps() {
			t.Log(tr.Text(s))
		}
	}
}

package sim_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"controllerscope/core/env"
	"controllerscope/core/kafka"
	"controllerscope/core/sim"
	"controllerscope/core/trace"
	"controllerscope/core/zk"
	"controllerscope/core/zk/zkmem"
)

// plain is server.properties of brokers that stop without asking the controller first.
var plain = map[string]string{"controlled.shutdown.enable": "false"}

// cluster is a watched world of three running brokers, 0 in office, and the topic orders.
func cluster(t *testing.T, props map[string]string) (*sim.World, *trace.Recorder) {
	t.Helper()
	w, r := watched(t, c3(props))
	up(t, w, 0, 1, 2)
	out := w.Ask(orders(), "orders")
	rest(t, w)
	require.Equal(t, "", out.Error)
	return w, r
}

// running is cluster without the comparison of every step, for tests that make many.
func running(t *testing.T, props map[string]string) (*sim.World, *trace.Recorder) {
	t.Helper()
	r := trace.NewRecorder()
	w := sim.New(sim.Config{Setup: c3(props), Seed: 1, Store: zkmem.New(zkmem.Options{}), Recorder: r})
	up(t, w, 0, 1, 2)
	w.Ask(orders(), "orders")
	rest(t, w)
	return w, r
}

// rest runs to idle.
func rest(t *testing.T, w *sim.World) {
	t.Helper()
	require.NoError(t, w.RunToIdle(200_000, nil))
}

// until runs to the first step for which holds, which must come.
func until(t *testing.T, w *sim.World, r *trace.Recorder, holds func(*trace.Step) bool) *trace.Step {
	t.Helper()
	var found *trace.Step
	next := len(r.Steps())
	require.NoError(t, w.RunToIdle(200_000, func() bool {
		for ; next < len(r.Steps()) && found == nil; next++ {
			if s := r.Steps()[next]; holds(s) {
				found = s
			}
		}
		return found != nil
	}))
	require.NotNil(t, found, "it never came; %s", w.Summary())
	return found
}

// since are the steps from i on for which holds.
func since(r *trace.Recorder, i int, holds func(*trace.Step) bool) []*trace.Step {
	var out []*trace.Step
	for _, s := range r.Steps()[i:] {
		if holds(s) {
			out = append(out, s)
		}
	}
	return out
}

// written are the writes of a client that changed the tree.
func written(client string) func(*trace.Step) bool {
	return func(s *trace.Step) bool {
		return s.Arg("client") == client && (s.Kind == env.ZkMulti || s.Kind == env.ZkSet || s.Kind == env.ZkCreate || s.Kind == env.ZkDelete)
	}
}

// zombie is a world in which the controller sleeps in the middle of a broker-change event, with a request to ZooKeeper
// under way that asleep chose, and another broker has taken office meanwhile.
func zombie(t *testing.T, asleep func(zk.Op) bool) (*sim.World, *trace.Recorder) {
	t.Helper()
	w, r := cluster(t, plain)
	require.NoError(t, w.KillBroker(2))
	found := func() bool {
		return slices.ContainsFunc(w.Choices(), func(c *sim.Choice) bool {
			client, _, op, ok := c.Zk()
			return ok && client == "0" && asleep(op)
		})
	}
	require.NoError(t, w.RunToIdle(100_000, found))
	require.True(t, found())
	require.NoError(t, w.Hold("0"))
	require.NoError(t, w.Hold("zk.0"))
	gone := w.Zk(zk.Op{Kind: zk.Delete, Path: "/controller", Version: zk.AnyVersion})
	rest(t, w)
	require.True(t, gone.Done)
	require.Equal(t, "", gone.Error)
	require.Equal(t, kafka.BrokerID(1), w.ControllerInOffice())
	require.True(t, w.Server(0).Controller().IsActive(), "the old controller does not know yet")
	require.Equal(t, int32(2), w.Server(1).Controller().Epoch())
	require.Equal(t, moved, r.Doc().Get("zk", "/brokers/topics/orders/partitions/1/state", "data"))
	return w, r
}

// moved is the state that the successor writes: one epoch for the replica that left the ISR, one for the new leader.
const moved = `{"controller_epoch":2,"leader":0,"version":1,"leader_epoch":2,"isr":[0,1]}`

// TestZombieController: when the old controller goes on, its write is refused because /controller_epoch is not the one it
// was elected with; if it had not read yet, it sees the newer epoch itself. Either way it resigns and has written nothing.
func TestZombieController(t *testing.T) {
	stateOf := func(kind zk.Kind) func(zk.Op) bool {
		return func(op zk.Op) bool {
			path := op.Path
			if op.Kind == zk.Multi {
				path = op.Ops[len(op.Ops)-1].Path
			}
			return op.Kind == kind && path == "/brokers/topics/orders/partitions/1/state"
		}
	}
	for name, asleep := range map[string]func(zk.Op) bool{"before it writes": stateOf(zk.Multi), "before it reads": stateOf(zk.Get)} {
		t.Run(name, func(t *testing.T) {
			w, r := zombie(t, asleep)
			before := len(r.Steps())
			require.NoError(t, w.Release("zk.0"))
			require.NoError(t, w.Release("0"))
			rest(t, w)
			fenced := since(r, before, func(s *trace.Step) bool {
				return s.Kind == env.ZkError && s.Msg == "zk.multi" && s.Arg("client") == "0"
			})
			refused := since(r, before, func(s *trace.Step) bool { return s.Kind == env.SmRefuse && s.Lane == "0.controller" })
			if name == "before it writes" {
				require.Len(t, fenced, 1)
				require.Equal(t, []any{"check /controller_epoch BADVERSION", "set /brokers/topics/orders/partitions/1/state RUNTIMEINCONSISTENCY"}, fenced[0].Arg("ops"))
			} else {
				require.Empty(t, fenced)
				require.Equal(t, "orders-1 was written by a newer controller with epoch 2; ours is 1", refused[0].Arg("error"))
			}
			require.Len(t, since(r, before, func(s *trace.Step) bool { return s.Msg == "resign.begin" && s.Lane == "0.controller" }), 1)
			require.False(t, w.Server(0).Controller().IsActive())
			require.Equal(t, kafka.BrokerID(1), w.Server(0).Controller().ActiveControllerID())
			require.Empty(t, since(r, before, written("0")), "the zombie wrote")
			require.Equal(t, moved, r.Doc().Get("zk", "/brokers/topics/orders/partitions/1/state", "data"))
			require.Empty(t, sim.CheckSettled(r.Doc()))
		})
	}
}

// TestBounce follows ControllerIntegrationTest.testControllerDetectsBouncedBrokers: while the controller's event thread is
// blocked a broker closes its session and registers again, so that the controller, when it looks, finds the same broker with
// another epoch. A control request of before the bounce arrives after it and is refused by the new process.
func TestBounce(t *testing.T) {
	w, r := cluster(t, plain)
	old := r.Doc().Get("zk", "/brokers/ids/2", "czxid")
	require.NoError(t, w.Hold("net.0>2"))
	late := orders()
	late.Topics[0].Name, late.Topics[0].Assignment = "late", [][]kafka.BrokerID{{2, 0}}
	w.Ask(late, "late")
	rest(t, w)
	bounce(t, w)
	new := r.Doc().Get("zk", "/brokers/ids/2", "czxid")
	require.NotEqual(t, old, new)
	before := len(r.Steps())
	require.NoError(t, w.Release("0"))
	rest(t, w)

	found := since(r, before, func(s *trace.Step) bool { return s.Msg == "brokers.changed" })
	require.Len(t, found, 1)
	require.Equal(t, []any{}, found[0].Arg("new"))
	require.Equal(t, []any{}, found[0].Arg("dead"))
	require.Equal(t, []any{int64(2)}, found[0].Arg("bounced"))
	var order []string
	for _, s := range r.Steps()[before:] {
		switch {
		case s.Msg == "brokers.removeLive", s.Msg == "brokers.addLive":
			order = append(order, s.Msg)
		case s.Kind == env.SmMove && (s.Entity == "orders-1" || s.Entity == "orders-1·2"):
			order = append(order, s.Entity+" "+s.Arg("to").(string))
		}
	}
	require.Equal(t, []string{"brokers.removeLive", "orders-1 OfflinePartition", "orders-1 OnlinePartition", "orders-1·2 OfflineReplica",
		"brokers.addLive", "orders-1·2 OnlineReplica"}, order, "the failure pass, then the start-up pass")
	require.Equal(t, "0", leaderIn(r, "orders", 1), "the failure pass moved it")
	for _, s := range since(r, before, func(s *trace.Step) bool { return s.Kind == env.ReqSend && s.Lane == "0>2" }) {
		require.Equal(t, new, s.Arg("brokerEpoch"), s.Entity)
	}

	before = len(r.Steps())
	require.NoError(t, w.Release("net.0>2"))
	rest(t, w)
	stale := since(r, before, func(s *trace.Step) bool { return s.Kind == env.ReqFenced })
	require.NotEmpty(t, stale)
	for _, s := range stale {
		require.Equal(t, "broker.fenced.brokerEpoch", s.Msg)
	}
	require.Equal(t, old, since(r, before, func(s *trace.Step) bool { return s.Kind == env.ReqDeliver })[0].Arg("brokerEpoch"))
	require.Empty(t, sim.CheckSettled(r.Doc()))
}

// TestBounceWithoutBrokerEpoch: the same without KIP-380. No failover pass, and the broker never hears that it leads.
func TestBounceWithoutBrokerEpoch(t *testing.T) {
	w, r := cluster(t, plain)
	require.NoError(t, w.SetGuard(env.GuardBrokerEpoch, false))
	bounce(t, w)
	before := len(r.Steps())
	require.NoError(t, w.Release("0"))
	rest(t, w)
	require.Empty(t, since(r, before, func(s *trace.Step) bool { return s.Msg == "brokers.removeLive" || s.Msg == "brokers.addLive" }))
	require.Equal(t, "2", leaderIn(r, "orders", 1))
	require.Equal(t, []string{"leader-hosts orders-1"}, sim.CheckSettled(r.Doc()))
}

// bounce stops and starts broker 2 while the controller thread of 0 is blocked.
func bounce(t *testing.T, w *sim.World) {
	t.Helper()
	require.NoError(t, w.Hold("0"))
	require.NoError(t, w.StopBroker(2))
	rest(t, w)
	require.False(t, w.Running(2))
	require.NoError(t, w.StartBroker(2))
	require.NoError(t, w.RunToIdle(200_000, nil))
	require.True(t, w.Started(2))
}

// leaderIn is the leader that ZooKeeper names.
func leaderIn(r *trace.Recorder, topic string, partition int) string {
	data, _ := r.Doc().Get("zk", "/brokers/topics/"+topic+"/partitions/"+string(rune('0'+partition))+"/state", "data").(string)
	i := len(`{"controller_epoch":1,"leader":`)
	return data[i : i+1]
}

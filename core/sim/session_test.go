package sim_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"controllerscope/core/kafka"
	"controllerscope/core/sim"
	"controllerscope/core/trace"
)

// timeout is the session timeout of these tests, in ms.
const timeout = 6000

var short = map[string]string{"controlled.shutdown.enable": "false", "zookeeper.session.timeout.ms": "6000"}

// epoch is the broker epoch in ZooKeeper, nil when the broker is not registered.
func epoch(r *trace.Recorder, id kafka.BrokerID) any {
	return r.Doc().Get("zk", "/brokers/ids/"+id.String(), "czxid")
}

// anybody says that the test does not care who is in office.
const anybody kafka.BrokerID = -2

// healthy requires a world at rest in which all three brokers run, and office is the controller.
func healthy(t *testing.T, w *sim.World, r *trace.Recorder, office kafka.BrokerID) {
	t.Helper()
	rest(t, w)
	require.True(t, w.Settled(), w.Summary())
	if office == anybody {
		office = w.ControllerInOffice()
	}
	require.Equal(t, office, w.ControllerInOffice())
	for id := range kafka.BrokerID(3) {
		require.True(t, w.Started(id), "broker %d", id)
		require.NotNil(t, epoch(r, id), "broker %d", id)
		require.Equal(t, epoch(r, id), r.Doc().Get("ctx", office.String(), "liveBrokerEpochs", id.String()), "broker %d", id)
		require.Equal(t, office, w.Server(id).Controller().ActiveControllerID(), "broker %d", id)
	}
	require.Empty(t, sim.CheckSettled(r.Doc()))
}

func count(r *trace.Recorder, msg, lane string) int {
	return len(since(r, 0, func(s *trace.Step) bool { return s.Msg == msg && s.Lane == lane }))
}

func TestSessionOfTheControllerExpires(t *testing.T) {
	w, r := cluster(t, short)
	old := epoch(r, 0)
	require.NoError(t, w.ExpireSession(0))
	healthy(t, w, r, anybody)
	require.Equal(t, 1, count(r, "resign.begin", "0.controller"))
	require.Equal(t, 1, count(r, "zk.session.learn", "0"))
	require.NotEqual(t, old, epoch(r, 0), "registered anew")
	require.Equal(t, "2", r.Doc().Get("zk", "/controller_epoch", "data"))
}

func TestSessionOfABrokerExpires(t *testing.T) {
	w, r := cluster(t, short)
	old := epoch(r, 2)
	require.NoError(t, w.ExpireSession(2))
	healthy(t, w, r, 0)
	require.NotEqual(t, old, epoch(r, 2))
	require.Equal(t, "1", r.Doc().Get("zk", "/controller_epoch", "data"))
	require.Equal(t, 1, count(r, "resign.begin", "2.controller"), "Expire resigns whatever the process was")
}

func TestCutAndHealInTime(t *testing.T) {
	for id := range kafka.BrokerID(3) {
		w, r := cluster(t, short)
		old := epoch(r, id)
		require.NoError(t, w.CutSession(id))
		require.NoError(t, w.Advance(timeout-1))
		require.NoError(t, w.HealSession(id))
		healthy(t, w, r, 0)
		require.Equal(t, old, epoch(r, id), "the same session, the same registration")
		require.Equal(t, "1", r.Doc().Get("zk", "/controller_epoch", "data"))
	}
}

func TestCutAndHealTooLate(t *testing.T) {
	for id := range kafka.BrokerID(3) {
		w, r := cluster(t, short)
		old := epoch(r, id)
		require.NoError(t, w.CutSession(id))
		require.NoError(t, w.Advance(timeout))
		require.Nil(t, epoch(r, id), "expired after exactly its timeout")
		require.NoError(t, w.Advance(200))
		if id == 0 {
			require.Equal(t, "2", r.Doc().Get("zk", "/controller_epoch", "data"), "somebody else took the office")
			require.True(t, w.Server(0).Controller().IsActive(), "and the old one has not heard of it")
		}
		require.NoError(t, w.HealSession(id))
		healthy(t, w, r, anybody)
		require.NotEqual(t, old, epoch(r, id))
		require.Equal(t, id == 0, !w.Server(0).Controller().IsActive())
	}
}

func TestPauseAndResume(t *testing.T) {
	for late, ms := range map[bool]int64{false: timeout - 1, true: timeout} {
		w, r := cluster(t, short)
		old := epoch(r, 0)
		require.NoError(t, w.PauseBroker(0))
		require.ErrorContains(t, w.PauseBroker(0), "broker 0 is paused already")
		require.NoError(t, w.Advance(ms))
		require.Equal(t, late, epoch(r, 0) == nil)
		require.NoError(t, w.ResumeBroker(0))
		rest(t, w)
		office := kafka.BrokerID(0)
		if late {
			office = w.ControllerInOffice()
			require.NotEqual(t, kafka.BrokerID(0), office)
		}
		healthy(t, w, r, office)
		require.Equal(t, late, old != epoch(r, 0))
	}
}

// TestPausedHearsNothing: a frozen process does not notice that its connection breaks, heals or that its session is gone.
func TestPausedHearsNothing(t *testing.T) {
	w, r := cluster(t, short)
	require.NoError(t, w.PauseBroker(2))
	require.NoError(t, w.Advance(2000))
	before := len(r.Steps())
	require.NoError(t, w.CutSession(2))
	require.NoError(t, w.HealSession(2))
	require.NoError(t, w.Advance(timeout-2001))
	require.NotNil(t, epoch(r, 2), "the silence is counted from its beginning")
	require.NoError(t, w.Advance(1))
	require.Nil(t, epoch(r, 2))
	require.Empty(t, since(r, before, func(s *trace.Step) bool { return s.Lane == "2" || s.Lane == "2.controller" }))
	require.NoError(t, w.ResumeBroker(2))
	healthy(t, w, r, 0)
}

// TestBrokenConnectionIsSeenFirst: what a process sends over a connection that broke while it was frozen is lost, also when
// the connection is mended at once.
func TestBrokenConnectionIsSeenFirst(t *testing.T) {
	w, r := watched(t, c3(short))
	require.NoError(t, w.Hold("0"))
	up(t, w, 0)
	require.NoError(t, w.PauseBroker(0))
	require.NoError(t, w.CutSession(0))
	require.NoError(t, w.Release("0"))
	require.NoError(t, w.ResumeBroker(0))
	require.NoError(t, w.HealSession(0))
	rest(t, w)
	require.Equal(t, kafka.BrokerID(0), w.ControllerInOffice())
	require.Equal(t, 1, count(r, "elect.won", "0.controller"))
}

// TestKilledWhilePaused: what waited for the frozen process hears that it is gone.
func TestKilledWhilePaused(t *testing.T) {
	w, r := cluster(t, short)
	require.NoError(t, w.PauseBroker(2))
	late := orders()
	late.Topics[0].Name = "late"
	w.Ask(late, "late")
	rest(t, w)
	require.NoError(t, w.KillBroker(2))
	rest(t, w)
	require.Empty(t, r.Doc().Names("lane", "0>2"), "nothing is under way to it")
	require.NoError(t, w.StartBroker(2))
	healthy(t, w, r, 0)
}

// TestStopWhilePaused: SIGTERM waits for SIGCONT, also at a process that is still starting and would end at once.
func TestStopWhilePaused(t *testing.T) {
	w, _ := watched(t, c3(map[string]string{"controlled.shutdown.enable": "false"}))
	up(t, w, 0)
	require.NoError(t, w.StartBroker(1))
	for _, id := range []kafka.BrokerID{0, 1} {
		require.NoError(t, w.PauseBroker(id))
		require.NoError(t, w.StopBroker(id))
		require.NoError(t, w.RunToIdle(0, nil))
		require.True(t, w.Running(id), "broker %d ended while it was paused", id)
	}
	for _, id := range []kafka.BrokerID{1, 0} {
		require.NoError(t, w.ResumeBroker(id))
		require.NoError(t, w.RunToIdle(0, nil))
		require.False(t, w.Running(id), "broker %d goes on", id)
	}
}

func TestCrashLeavesTheSession(t *testing.T) {
	w, r := cluster(t, short)
	require.NoError(t, w.CrashBroker(1))
	require.NoError(t, w.Advance(timeout-1))
	require.NotNil(t, epoch(r, 1))
	require.Equal(t, "1", leaderIn(r, "orders", 0), "the controller does not know yet")
	require.NoError(t, w.Advance(1))
	require.Nil(t, epoch(r, 1))
	rest(t, w)
	require.Equal(t, "2", leaderIn(r, "orders", 0))
	require.NoError(t, w.StartBroker(1))
	healthy(t, w, r, 0)
}

// TestRestartBeforeExpiry: the node of the old session is in the way until it expires.
func TestRestartBeforeExpiry(t *testing.T) {
	w, r := cluster(t, short)
	require.NoError(t, w.CrashBroker(1))
	require.NoError(t, w.StartBroker(1))
	rest(t, w)
	require.False(t, w.Started(1), "Kafka does not start while /brokers/ids/1 belongs to another session")
	require.Nil(t, epoch(r, 1))
	require.NoError(t, w.StartBroker(1))
	healthy(t, w, r, 0)
}

func TestStopClosesTheSession(t *testing.T) {
	w, r := cluster(t, short)
	require.NoError(t, w.StopBroker(0))
	rest(t, w)
	require.False(t, w.Running(0))
	require.Nil(t, epoch(r, 0))
	require.Len(t, since(r, 0, func(s *trace.Step) bool { return s.Msg == "zk.session.close" }), 1)
	require.Equal(t, "2", r.Doc().Get("zk", "/controller_epoch", "data"))
	require.NoError(t, w.StartBroker(0))
	healthy(t, w, r, anybody)
}

// TestStopWhileTheSessionEnds: whatever happens to the session under way, the process ends.
func TestStopWhileTheSessionEnds(t *testing.T) {
	for name, fault := range map[string]func(*sim.World) error{
		"expire": func(w *sim.World) error { return w.ExpireSession(2) },
		"cut":    func(w *sim.World) error { return w.CutSession(2) },
	} {
		for steps := 0; ; steps += 5 {
			w, r := running(t, short)
			require.NoError(t, w.StopBroker(2))
			for range steps {
				w.Next()
			}
			if !w.Running(2) {
				require.NoError(t, w.Close())
				break
			}
			require.NoError(t, fault(w))
			rest(t, w)
			require.False(t, w.Running(2), "%s after %d choices", name, steps)
			require.Nil(t, epoch(r, 2), "%s after %d choices", name, steps)
			require.NoError(t, w.StartBroker(2))
			healthy(t, w, r, 0)
			require.NoError(t, w.Close())
			require.Zero(t, w.Threads())
		}
	}
}

// TestLostReplies: whichever write of a broker's life loses its answer, the cluster comes to rest as if it had not.
func TestLostReplies(t *testing.T) {
	for _, path := range []string{"/brokers/ids/1", "/brokers/topics/orders", "/controller_epoch", "/brokers/seqid"} {
		w, r := watched(t, c3(short))
		up(t, w, 0)
		require.NoError(t, w.StartBroker(1))
		require.NoError(t, w.LoseReply(1, path))
		require.NoError(t, w.LoseReply(0, path))
		rest(t, w)
		up(t, w, 2)
		out := w.Ask(orders(), "orders")
		rest(t, w)
		require.True(t, out.Done, path)
		require.Equal(t, "1", leaderIn(r, "orders", 0), path)
		require.NoError(t, w.KillBroker(0))
		rest(t, w)
		require.NoError(t, w.StartBroker(0))
		healthy(t, w, r, anybody)
	}
}

// TestEventBeforeALostReply: what ZooKeeper sent before the answer that is lost has arrived. The client hears that /controller
// was made, by itself, and not a second time when it sets its watches again.
func TestEventBeforeALostReply(t *testing.T) {
	w, r := watched(t, c3(short))
	require.NoError(t, w.StartBroker(0))
	require.NoError(t, w.LoseReply(0, "/controller"))
	rest(t, w)
	require.Len(t, since(r, 0, func(s *trace.Step) bool { return s.Msg == "zk.watch.fire" && s.Entity == "/controller" }), 1)
}

// TestLostReplyOfAPartitionState: the controller created the state and does not learn of it; its second try finds the node in
// the way and Kafka 2.8.2 calls that a failed state change, so nobody is told to lead. The next controller reads the state.
func TestLostReplyOfAPartitionState(t *testing.T) {
	w, r := watched(t, c3(short))
	up(t, w, 0, 1, 2)
	require.NoError(t, w.LoseReply(0, "/brokers/topics/orders/partitions/0/state"))
	out := w.Ask(orders(), "orders")
	rest(t, w)
	require.Equal(t, "REQUEST_TIMED_OUT", out.Error)
	require.Equal(t, "1", leaderIn(r, "orders", 0))
	require.Nil(t, r.Doc().Get("broker", "1", "replica", "orders-0", "role"))
	require.Equal(t, "leader", r.Doc().Get("broker", "2", "replica", "orders-1", "role"))
	require.NoError(t, w.ExpireSession(0))
	healthy(t, w, r, anybody)
	require.Equal(t, "leader", r.Doc().Get("broker", "1", "replica", "orders-0", "role"))
}

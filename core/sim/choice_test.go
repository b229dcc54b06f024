package sim_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"controllerscope/core/env"
	"controllerscope/core/kafka"
	"controllerscope/core/sim"
	"controllerscope/core/trace"
	"controllerscope/core/zk"
)

// pending finds the choice whose id begins with prefix and that is about what, nil when there is none.
func pending(w *sim.World, prefix, what string) *sim.Choice {
	for _, c := range w.Choices() {
		if strings.HasPrefix(c.ID(), prefix) && strings.Contains(c.What, what) {
			return c
		}
	}
	return nil
}

// underWay runs until such a choice is pending.
func underWay(t *testing.T, w *sim.World, prefix, what string) *sim.Choice {
	t.Helper()
	require.NoError(t, w.RunToIdle(100_000, func() bool { return pending(w, prefix, what) != nil }))
	c := pending(w, prefix, what)
	require.NotNil(t, c, "nothing like %s %s came", prefix, what)
	return c
}

// TestPipesKeepTheirOrder takes choices in random orders, with faults, and holds each connection to first in, first out.
func TestPipesKeepTheirOrder(t *testing.T) {
	dice := uint64(3)
	draw := func(n int) int {
		dice = dice*6364136223846793005 + 1442695040888963407
		return int(dice>>33) % n
	}
	for range 20 {
		w, _ := running(t, short)
		w.Ask(orders(), "again")
		last := map[string]int{}
		for i := range 400 {
			switch i % 97 { // refused where the broker has no session just then
			case 40:
				_ = w.CutSession(1)
			case 60:
				_ = w.HealSession(1)
			}
			choices := w.Choices()
			if len(choices) == 0 {
				break
			}
			heads := map[string]bool{}
			for _, c := range choices {
				name, number, _ := strings.Cut(c.ID(), "#")
				n, err := strconv.Atoi(number)
				require.NoError(t, err)
				if strings.HasPrefix(name, "zk.") || strings.HasPrefix(name, "client.") || strings.HasPrefix(name, "net.") {
					require.False(t, heads[name], "two of %s at once", name)
					require.Greater(t, n, last[name], name)
					heads[name] = true
				}
			}
			c := choices[draw(min(len(choices), 6))]
			if name, number, _ := strings.Cut(c.ID(), "#"); heads[name] {
				last[name], _ = strconv.Atoi(number)
			}
			w.Take(c)
		}
		require.NoError(t, w.Close())
		require.Zero(t, w.Threads())
	}
}

func TestHoldAndRelease(t *testing.T) {
	w, r := cluster(t, short)
	require.NoError(t, w.Hold("client.0"))
	w.Zk(zk.Op{Kind: zk.Create, Path: "/admin/delete_topics/nothing", Data: nil})
	before := len(r.Steps())
	rest(t, w)
	require.Nil(t, pending(w, "client.0", ""), "what is held is no choice")
	require.Empty(t, since(r, before, func(s *trace.Step) bool { return s.Lane == "0.controller" }))
	require.Equal(t, true, r.Doc().Get("hold", "client.0"))
	require.False(t, w.Settled())
	require.NoError(t, w.Release("client.0"))
	rest(t, w)
	require.NotEmpty(t, since(r, before, func(s *trace.Step) bool { return s.Lane == "0.controller" }))
	require.Nil(t, r.Doc().Get("hold", "client.0"))
	require.ErrorContains(t, w.Release("client.0"), "client.0 is not held; held are []")
	require.ErrorContains(t, w.Hold("nine"), `"nine" cannot be held: expected a broker`)
	require.ErrorContains(t, w.Hold("9"), "no broker 9; the cluster has [0 1 2]")
}

// TestLateThreads: an answer of ZooKeeper only wakes its thread, which goes on by a choice of its own; else it goes on at once.
func TestLateThreads(t *testing.T) {
	for _, late := range []bool{true, false} {
		w, r := cluster(t, short)
		w.LateThreads(late)
		w.Zk(zk.Op{Kind: zk.Create, Path: "/admin/delete_topics/nothing", Data: nil})
		w.Take(underWay(t, w, "client.0", "children /admin/delete_topics OK"))
		require.Equal(t, late, pending(w, "0.controller", "answer") != nil)
		healthy(t, w, r, 0)
	}
}

func TestDeliver(t *testing.T) {
	w, r := cluster(t, short)
	require.NoError(t, w.Hold("zk.0"))
	w.Zk(zk.Op{Kind: zk.Create, Path: "/admin/delete_topics/nothing", Data: nil})
	rest(t, w)
	before := len(r.Steps())
	err := w.Deliver("zk.0#1")
	require.ErrorContains(t, err, "nothing with the id zk.0#1 is pending; pending are: ")
	held := strings.Fields(err.Error()[strings.Index(err.Error(), "zk.0#1")+6:])
	var id string
	for _, word := range held {
		if strings.HasPrefix(word, "zk.0#") {
			id = word
		}
	}
	require.NotEmpty(t, id, "the error lists what is held too: %s", err)
	require.NoError(t, w.Deliver(id))
	require.Len(t, since(r, before, func(s *trace.Step) bool { return s.Lane == "zk" && s.Arg("client") == "0" && s.Kind == env.ZkRead }), 1)
	require.NoError(t, w.PauseBroker(1))
	require.NoError(t, w.CutSession(1))
	require.NoError(t, w.HealSession(1))
	for _, c := range []string{"client.1"} {
		err := w.Deliver(firstOf(t, w, c))
		require.ErrorContains(t, err, "waits for broker 1, which is paused; resume that first")
	}
	require.NoError(t, w.ResumeBroker(1))
	require.NoError(t, w.Release("zk.0"))
	healthy(t, w, r, 0)
}

// firstOf is the id of what stands first in a connection, also when it is held.
func firstOf(t *testing.T, w *sim.World, name string) string {
	t.Helper()
	for _, word := range strings.Fields(w.Deliver("none").Error()) {
		if strings.HasPrefix(word, name+"#") {
			return word
		}
	}
	require.Fail(t, "nothing stands in "+name)
	return ""
}

// TestDrop loses an answer of ZooKeeper with its connection, then a control request with its own.
func TestDrop(t *testing.T) {
	w, r := cluster(t, short)
	w.Zk(zk.Op{Kind: zk.Create, Path: "/admin/delete_topics/nothing", Data: nil})
	answer := underWay(t, w, "client.0", "children /admin/delete_topics OK")
	require.True(t, answer.Droppable())
	before := len(r.Steps())
	require.NoError(t, w.DropChoice(answer.ID()))
	rest(t, w)
	require.Len(t, since(r, before, func(s *trace.Step) bool { return s.Msg == "zk.session.cut" }), 1)
	require.Len(t, since(r, before, func(s *trace.Step) bool { return s.Msg == "zk.session.heal" }), 1)
	healthy(t, w, r, 0)

	late := orders()
	late.Topics[0].Name = "late"
	w.Ask(late, "late")
	request := underWay(t, w, "net.0>2", "LeaderAndIsr")
	before = len(r.Steps())
	require.NoError(t, w.DropChoice(request.ID()))
	rest(t, w)
	require.Len(t, since(r, before, func(s *trace.Step) bool { return s.Msg == "net.drop" }), 1)
	require.NotEmpty(t, since(r, before, func(s *trace.Step) bool { return s.Msg == "channel.retry" }))
	require.Equal(t, "leader", r.Doc().Get("broker", "2", "replica", "late-1", "role"), "the sender tried again")
	healthy(t, w, r, 0)

	w.Zk(zk.Op{Kind: zk.Get, Path: "/"})
	wake := underWay(t, w, "admin.zk", "")
	require.ErrorContains(t, w.DropChoice(wake.ID()), "cannot be lost: only answers of ZooKeeper and requests between processes can")
}

// TestDelay makes a control request late, and a timer and an expiry, which must stay cancellable.
func TestDelay(t *testing.T) {
	w, r := cluster(t, short)
	late := orders()
	late.Topics[0].Name = "late"
	w.Ask(late, "late")
	request := underWay(t, w, "net.0>2", "LeaderAndIsr")
	due := request.Due
	require.NoError(t, w.DelayChoice(request.ID(), 500))
	require.ErrorContains(t, w.DelayChoice(request.ID(), -1), "cannot arrive earlier than sent")
	arrives := until(t, w, r, func(s *trace.Step) bool {
		return s.Kind == env.ReqDeliver && s.Lane == "0>2" && s.Arg("kind") == "LeaderAndIsr"
	})
	require.Equal(t, max(due, 0)+500, arrives.VTimeMS)
	rest(t, w)

	require.NoError(t, w.CutSession(2))
	require.NoError(t, w.DelayChoice(pending(w, "expiry.2", "").ID(), 1000))
	timer := pending(w, "timer.2.", "")
	require.NotNil(t, timer)
	require.NoError(t, w.DelayChoice(timer.ID(), 60_000))
	require.NoError(t, w.Advance(timeout+999))
	require.NotNil(t, epoch(r, 2), "it would have expired")
	require.NoError(t, w.HealSession(2))
	require.Nil(t, pending(w, "expiry.2", ""), "cancelled")
	healthy(t, w, r, 0)
	require.NoError(t, w.KillBroker(2))
	require.Nil(t, pending(w, "timer.2.", ""), "timers end with their process")
	rest(t, w)
}

// TestDuplicate: a control request that arrives twice changes nothing the second time, however often.
func TestDuplicate(t *testing.T) {
	w, r := cluster(t, short)
	late := orders()
	late.Topics[0].Name = "late"
	w.Ask(late, "late")
	request := underWay(t, w, "net.0>2", "LeaderAndIsr")
	before := len(r.Steps())
	require.NoError(t, w.DuplicateChoice(request.ID()))
	require.NoError(t, w.DuplicateChoice(request.ID()))
	rest(t, w)
	require.Len(t, since(r, before, func(s *trace.Step) bool {
		return s.Kind == env.ReqDeliver && s.Lane == "0>2" && strings.HasPrefix(s.Entity, "LeaderAndIsr")
	}), 3)
	healthy(t, w, r, 0)
	for _, id := range r.Doc().Names("lane", "0>2") {
		require.Equal(t, "f", id[:1], "only the follower's fetch stays")
	}
	w.Zk(zk.Op{Kind: zk.Get, Path: "/"})
	require.ErrorContains(t, w.DuplicateChoice(underWay(t, w, "admin.zk", "").ID()), "cannot be duplicated")
}

// TestErrorsOfOperations: each is one sentence that says what to do.
func TestErrorsOfOperations(t *testing.T) {
	w, _ := watched(t, c3(short))
	require.EqualError(t, w.StartBroker(7), "no broker 7; the cluster has [0 1 2]")
	require.EqualError(t, w.StopBroker(1), "broker 1 is not running; start it first")
	require.EqualError(t, w.SetGuard("x", false), "no guard x; there are [broker-epoch controller-epoch]")
	up(t, w, 0)
	require.EqualError(t, w.StartBroker(0), "broker 0 is running already; stop or kill it first")
	require.EqualError(t, w.ResumeBroker(0), "broker 0 is not paused")
	require.Equal(t, kafka.BrokerID(0), w.ControllerInOffice())
}

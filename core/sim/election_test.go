package sim_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"controllerscope/core/env"
	"controllerscope/core/kafka"
	"controllerscope/core/sim"
	"controllerscope/core/trace"
	"controllerscope/core/zk"
	"controllerscope/core/zk/zkmem"
)

// contenders starts three brokers but for their controller threads, and then lets these go.
func contenders(t *testing.T, w *sim.World) {
	t.Helper()
	for id := range kafka.BrokerID(3) {
		require.NoError(t, w.Hold(id.String()))
	}
	for id := range kafka.BrokerID(3) {
		require.NoError(t, w.StartBroker(id))
		require.NoError(t, w.RunToIdle(20_000, nil))
	}
	require.Equal(t, kafka.NoBroker, w.ControllerInOffice())
	for id := range kafka.BrokerID(3) {
		require.NoError(t, w.Release(id.String()))
	}
}

// race is a world whose three contenders all watch a missing /controller and have asked nothing else yet.
func race(t *testing.T, r *trace.Recorder) (*sim.World, *zkmem.Store) {
	store := zkmem.New(zkmem.Options{})
	w := sim.New(sim.Config{Setup: c3(nil), Seed: 1, Store: store})
	contenders(t, w)
	asks := func() (n int) {
		for _, c := range w.Choices() {
			if _, _, op, ok := c.Zk(); ok && op.Kind == zk.Get && op.Path == "/controller" {
				n++
			}
		}
		return n
	}
	for asks() < 3 {
		require.True(t, w.Next())
	}
	if r != nil {
		w.Record(r)
	}
	return w, store
}

// decided reports whether a process knows who is controller; until then its election is under way.
func decided(w *sim.World, process string) bool {
	id, err := strconv.Atoi(process)
	return err == nil && w.Server(kafka.BrokerID(id)).Controller().ActiveControllerID() != kafka.NoBroker
}

// TestElectionInEveryOrder: whatever order ZooKeeper serves three contenders in, and however late its answers come, one
// wins, the epoch rises by one, the multi of a loser leaves nothing behind, and each of the three hears of the winner.
func TestElectionInEveryOrder(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped 1: -short leaves out 6,396 executions; TestElectionInRandomOrders stays")
	}
	x := &explorer{t: t, seen: map[uint64]bool{}, over: decided}
	x.begin = func() (*sim.World, *zkmem.Store) { return race(t, nil) }
	x.explore(nil)
	t.Logf("%d executions, %d states, %d kinds of order", x.runs, len(x.seen), len(x.ends))
	winners := map[kafka.BrokerID]int{}
	shapes := map[int]int{} // by refused multis
	for _, order := range x.ends {
		r := trace.NewRecorder()
		w, _ := race(t, r)
		for _, id := range order {
			require.NoError(t, w.Deliver(id))
		}
		require.NoError(t, w.RunToIdle(20_000, nil))
		winner, refused := oneWinner(t, w, r, order)
		winners[winner]++
		shapes[refused]++
		require.NoError(t, w.Close())
	}
	assert.Len(t, winners, 3, "each broker can win")
	assert.ElementsMatch(t, []int{0, 1, 2}, kafka.SortedKeys(shapes), "a loser finds the office taken, or its multi is refused: %v", shapes)
}

// oneWinner holds a finished election to what must be true of it, and says how many multis were refused.
func oneWinner(t *testing.T, w *sim.World, r *trace.Recorder, order []string) (winner kafka.BrokerID, refused int) {
	t.Helper()
	about := fmt.Sprint(order)
	winner = w.ControllerInOffice()
	won := 0
	heard := map[string]int{}
	for _, s := range r.Steps() {
		switch {
		case s.Msg == "elect.won":
			won++
		case s.Msg == "zk.multi" && s.Entity == "/controller_epoch" && s.Kind == env.ZkError:
			refused++
			for _, d := range s.Diff { // a refused transaction has a zxid all the same
				require.Equal(t, env.P("zxid"), d.Path, "a refused multi changed something; order %s", about)
			}
		case s.Kind == env.WatchFire && s.Entity == "/controller":
			require.Equal(t, "NodeCreated", s.Arg("event"), about)
			heard[s.Arg("client").(string)]++
		}
	}
	require.Equal(t, 1, won, about)
	require.Equal(t, map[string]int{"0": 1, "1": 1, "2": 1}, heard, about)
	doc := r.Doc()
	require.Equal(t, "1", doc.Get("zk", "/controller_epoch", "data"), about)
	require.Equal(t, int64(1), doc.Get("zk", "/controller_epoch", "version"), about)
	require.Contains(t, doc.Get("zk", "/controller", "data"), `"brokerid":`+winner.String(), about)
	for id := range kafka.BrokerID(3) {
		require.Equal(t, winner, w.Server(id).Controller().ActiveControllerID(), about)
		require.Equal(t, id == winner, w.Server(id).Controller().IsActive(), about)
	}
	require.Empty(t, sim.CheckSettled(doc), about)
	return winner, refused
}

// TestWinnerWhoseReplyIsLost: the multi was applied, its answer is lost with the connection; when the client is back it tries
// again, is refused by its own /controller, and finds out that it won.
func TestWinnerWhoseReplyIsLost(t *testing.T) {
	w, r := watched(t, c3(nil))
	require.NoError(t, w.Hold("0"))
	up(t, w, 0)
	require.NoError(t, w.LoseReply(0, "/controller"))
	require.NoError(t, w.Release("0"))
	require.NoError(t, w.RunToIdle(20_000, nil))
	require.Equal(t, kafka.BrokerID(0), w.ControllerInOffice())
	require.Equal(t, int32(1), w.Server(0).Controller().Epoch())
	require.Equal(t, "1", r.Doc().Get("zk", "/controller_epoch", "data"))
	require.Equal(t, []string{"zk.multi OK", "world.reply-lost", "zk.session.cut", "zk.session.heal", "zk.multi NODEEXISTS",
		"zk.get OK", "zk.get OK", "elect.won"}, told(r, "world.reply-lost", "zk.session.cut", "zk.session.heal", "zk.multi", "elect.won", "elect.lost",
		"zk.get /controller", "zk.get /controller_epoch")[3:11])
	require.Empty(t, sim.CheckSettled(r.Doc()))
}

// told lists the steps with one of the given messages ("zk.get /controller" only about that path), each with its code.
func told(r *trace.Recorder, msgs ...string) []string {
	var out []string
	for _, s := range r.Steps() {
		if !slices.Contains(msgs, s.Msg) && !slices.Contains(msgs, s.Msg+" "+s.Entity) {
			continue
		}
		code, _ := s.Arg("code").(string)
		out = append(out, strings.TrimSpace(s.Msg+" "+code))
	}
	return out
}

// TestElectionInRandomOrders begins earlier, before anybody watches: who comes late hears nothing but still finds the winner.
func TestElectionInRandomOrders(t *testing.T) {
	dice := uint64(7)
	for range 150 {
		r := trace.NewRecorder()
		w := sim.New(sim.Config{Setup: c3(nil), Seed: 1, Store: zkmem.New(zkmem.Options{})})
		contenders(t, w)
		w.Record(r)
		for range 120 {
			choices := slices.DeleteFunc(w.Choices(), func(c *sim.Choice) bool { return c.Kind == sim.TimerFire })
			if len(choices) == 0 {
				break
			}
			dice = dice*6364136223846793005 + 1442695040888963407
			w.Take(choices[int(dice>>33)%min(len(choices), 9)])
		}
		require.NoError(t, w.RunToIdle(20_000, nil))
		require.Len(t, told(r, "elect.won"), 1)
		require.Equal(t, "1", r.Doc().Get("zk", "/controller_epoch", "data"))
		for id := range kafka.BrokerID(3) {
			require.Equal(t, w.ControllerInOffice(), w.Server(id).Controller().ActiveControllerID())
		}
		require.Empty(t, sim.CheckSettled(r.Doc()))
		require.NoError(t, w.Close())
	}
}

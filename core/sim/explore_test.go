package sim_test

import (
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"controllerscope/core/kafka"
	"controllerscope/core/sim"
	"controllerscope/core/zk"
	"controllerscope/core/zk/zkmem"
)

// explorer visits every order in which what travels between clients and ZooKeeper can be delivered, by executing the world
// again from its start for each. Two orders that have shown every process the same things in the same order, and have left
// the same tree and the same choices, have the same future, so only one of them is followed further.
type explorer struct {
	t     *testing.T
	begin func() (*sim.World, *zkmem.Store)       // the world where orders begin to differ
	over  func(w *sim.World, process string) bool // what this process still does is of no interest
	seen  map[uint64]bool
	ends  [][]string // the orders, one of each kind
	runs  int
}

// explore follows the first choice from the end of path, and every other one in a world of its own.
func (x *explorer) explore(path []string) {
	w, store := x.begin()
	x.runs++
	defer func() { require.NoError(x.t, w.Close()) }()
	told := map[string][]string{}
	for _, id := range path {
		x.take(w, id, told)
	}
	for x.isNew(w, store, told) {
		open := x.open(w)
		if len(open) == 0 {
			x.ends = append(x.ends, path)
			return
		}
		for _, other := range open[1:] {
			x.explore(append(slices.Clone(path), other))
		}
		x.take(w, open[0], told)
		path = append(slices.Clone(path), open[0])
	}
}

// take delivers a choice and remembers who saw what.
func (x *explorer) take(w *sim.World, id string, told map[string][]string) {
	for _, c := range w.Choices() {
		if c.ID() == id {
			who, _, _ := strings.Cut(id, "#")
			told[who] = append(told[who], c.What)
			w.Take(c)
			return
		}
	}
	require.Fail(x.t, "not pending: "+id)
}

// open are the choices whose order matters. Timers, expiries and what travels between processes are left for later. What
// reaches a client changes nothing but its own process, so it comes before everything else but what that process could do
// instead: every order with it later has an equal one with it now.
func (x *explorer) open(w *sim.World) []string {
	byProcess := map[string][]string{}
	var all []string
	first := ""
	for _, c := range w.Choices() {
		who, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(c.ID(), "client."), "zk."), ".")
		who, _, _ = strings.Cut(who, "#")
		if x.over(w, who) {
			continue
		}
		switch c.Kind {
		case sim.AnswerToClient, sim.WatchToClient, sim.StateToClient:
			if first == "" {
				first = who
			}
			byProcess[who] = append(byProcess[who], c.ID())
		case sim.ThreadWake:
			byProcess[who] = append(byProcess[who], c.ID())
		case sim.RequestToStore:
		default:
			continue
		}
		all = append(all, c.ID())
	}
	if first != "" {
		return byProcess[first]
	}
	return all
}

// isNew reports whether this state is met for the first time.
func (x *explorer) isNew(w *sim.World, store *zkmem.Store, told map[string][]string) bool {
	h := fnv.New64a()
	for _, who := range kafka.SortedKeys(told) {
		fmt.Fprintln(h, who, told[who])
	}
	for _, c := range w.Choices() {
		fmt.Fprintln(h, c.ID(), c.What)
	}
	store.Walk(func(path string, data []byte, stat zk.Stat) {
		fmt.Fprintf(h, "%s %s %d %d\n", path, data, stat.Version, stat.EphemeralOwner)
	})
	key := h.Sum64()
	fresh := !x.seen[key]
	x.seen[key] = true
	return fresh
}

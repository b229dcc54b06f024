package run

import (
	"fmt"
	"strings"

	"controllerscope/core/kafka"
	"controllerscope/core/zk"
)

// Random bounds a random script. The zero value is usable.
type Random struct {
	Operations int // about how many lines between the start of the cluster and its coming to rest; 0 is 24
	Brokers    int // at most; 0 is 5
	Partitions int // at most, of all topics together; 0 is 10
	// Calm leaves out what only a world under control can do: choosing the next delivery, losing messages, pausing
	// processes, virtual time.
	Calm bool
	// Switch are lines such as guard.broker-epoch off or fix.own-write on, played once the cluster is there.
	Switch []string
}

// Script makes the random script of a seed. It is written while it runs, on the empty store given, so that every line is
// legal where it stands; at its end everything is released, healed and running again, and the world at rest. When the world
// itself fails (it does not come to rest) the script so far comes back with the error.
func (o Random) Script(seed uint64, store zk.Store) (string, error) {
	g := &generator{Random: o, seed: seed}
	for _, d := range []struct {
		value *int
		is    int
	}{{&g.Operations, 24}, {&g.Brokers, 5}, {&g.Partitions, 10}} {
		if *d.value == 0 {
			*d.value = d.is
		}
	}
	var err error
	if g.run, err = Start(Inputs{Name: fmt.Sprintf("random %d", seed), Seed: seed}, Options{Store: store, MaxChoices: restless}); err != nil {
		return "", err
	}
	defer g.run.Close()
	g.cluster()
	for range g.Operations {
		g.operation()
	}
	g.settle()
	return g.text.String(), g.err
}

// restless is how many choices a random script may take on its way to rest before it counts as going round in circles.
const restless = 30_000

// generator writes one random script.
type generator struct {
	Random
	run    *Run
	seed   uint64 // the dice
	text   strings.Builder
	err    error
	topics []string
	left   int // partitions that may still be made
}

// draw is a number below n (splitmix64).
func (g *generator) draw(n int) int {
	g.seed += 0x9e3779b97f4a7c15
	z := g.seed
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return int((z ^ z>>31) % uint64(n))
}

// do writes a line and carries it out.
func (g *generator) do(format string, args ...any) {
	if g.err != nil {
		return
	}
	line := fmt.Sprintf(format, args...)
	fmt.Fprintln(&g.text, line)
	g.err = g.run.Append(line)
}

// cluster makes a cluster of 1 to Brokers brokers and starts most of them.
func (g *generator) cluster() {
	n := 1 + g.draw(g.Brokers)
	ids := make([]string, n)
	for i := range ids {
		ids[i] = fmt.Sprint(i)
	}
	g.left = g.Partitions
	g.do("cluster brokers=%s controlled.shutdown.enable=%t", strings.Join(ids, ","), g.draw(2) == 0)
	for _, line := range g.Switch {
		g.do("%s", line)
	}
	for i := range ids {
		if i == 0 || g.draw(5) > 0 {
			g.do("broker start %d", i)
		}
	}
	g.do("until idle")
}

// action is one kind of operation: it writes a line and reports whether there was one to write.
type action struct {
	weight int
	wild   bool // only in a world under control
	do     func(g *generator) bool
}

// actions are what a random script is made of.
var actions = []action{
	{4, false, (*generator).start},
	{2, false, (*generator).end},
	{3, false, (*generator).createTopic},
	{1, false, (*generator).deleteTopic},
	{2, false, (*generator).reassign},
	{1, false, (*generator).elect},
	{1, false, (*generator).expire},
	{2, true, (*generator).cut},
	{2, true, (*generator).pause},
	{2, true, (*generator).hold},
	{2, true, (*generator).release},
	{4, true, (*generator).choose},
	{1, true, (*generator).loseReply},
	{3, true, func(g *generator) bool { g.do("wait %dms", 1+g.draw(12)); return true }},
	{1, true, func(g *generator) bool { g.do("clock +%ds", 1+g.draw(40)); return true }},
	{1, false, func(g *generator) bool { g.do("zk delete /controller"); return true }},
	{6, false, func(g *generator) bool { g.do("until idle"); return true }},
}

// operation writes one line that is legal now.
func (g *generator) operation() {
	for g.err == nil {
		if a := g.pick(); (!a.wild || !g.Calm) && a.do(g) {
			break
		}
	}
	if g.Calm {
		g.do("until idle")
	}
}

func (g *generator) pick() action {
	total := 0
	for _, a := range actions {
		total += a.weight
	}
	n := g.draw(total)
	for _, a := range actions {
		if n -= a.weight; n < 0 {
			return a
		}
	}
	panic("run: weights do not add up")
}

// broker draws one of the brokers that fit.
func (g *generator) broker(fits func(id kafka.BrokerID) bool) (kafka.BrokerID, bool) {
	var list []kafka.BrokerID
	for _, id := range g.run.world.Brokers() {
		if fits(id) {
			list = append(list, id)
		}
	}
	if len(list) == 0 {
		return 0, false
	}
	return list[g.draw(len(list))], true
}

// onBroker writes a line about a broker that fits.
func (g *generator) onBroker(format string, fits func(id kafka.BrokerID) bool) bool {
	id, ok := g.broker(fits)
	if ok {
		g.do(format, id)
	}
	return ok
}

func (g *generator) start() bool {
	return g.onBroker("broker start %d", func(id kafka.BrokerID) bool { return g.run.world.CanStart(id) == nil })
}

func (g *generator) end() bool {
	verb := []string{"stop", "kill", "crash", "bounce"}[g.draw(4)]
	return g.onBroker("broker "+verb+" %d", func(id kafka.BrokerID) bool {
		if verb == "bounce" {
			return g.run.canBounce(id) == nil
		}
		return g.run.world.CanEnd(id) == nil
	})
}

func (g *generator) createTopic() bool {
	if g.left == 0 {
		return false
	}
	partitions := 1 + g.draw(min(4, g.left))
	g.left -= partitions
	g.topics = append(g.topics, fmt.Sprintf("t%d", len(g.topics)))
	g.do("topic create %s %dx%d", g.topics[len(g.topics)-1], partitions, 1+g.draw(min(3, len(g.run.world.Brokers()))))
	return true
}

// topic draws one of the topics that were asked for, deleted ones included.
func (g *generator) topic() (string, bool) {
	if len(g.topics) == 0 {
		return "", false
	}
	return g.topics[g.draw(len(g.topics))], true
}

func (g *generator) deleteTopic() bool {
	topic, ok := g.topic()
	if ok {
		g.do("topic delete %s", topic)
	}
	return ok
}

// reassign moves a partition to one to three brokers, or takes such a move back.
func (g *generator) reassign() bool {
	topic, ok := g.topic()
	if !ok {
		return false
	}
	tp := fmt.Sprintf("%s-%d", topic, g.draw(2))
	if g.draw(4) == 0 {
		g.do("reassign cancel %s", tp)
		return true
	}
	ids := g.run.world.Brokers()
	first, n := g.draw(len(ids)), 1+g.draw(min(3, len(ids)))
	words := make([]string, n)
	for i := range words {
		words[i] = ids[(first+i)%len(ids)].String()
	}
	g.do("reassign %s [%s]", tp, strings.Join(words, ","))
	return true
}

func (g *generator) elect() bool {
	kind := []string{"preferred", "preferred", "unclean"}[g.draw(3)]
	if len(g.topics) > 0 {
		g.do("elect %s *", kind)
	}
	return len(g.topics) > 0
}

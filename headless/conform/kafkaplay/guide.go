package kafkaplay

import (
	"slices"
	"strings"

	"controllerscope/core/kafka"
	"controllerscope/core/request"
	"controllerscope/core/sim"
	"controllerscope/core/trace"
	"controllerscope/core/zk"
)

// The guide decides which of the pending choices of our world happens next, so that the step goes as the recorded one did:
// a request reaches ZooKeeper where the tree gives its recorded answer, writes in the order of their ranks, a watch event
// at the place in the conversation where it was recorded. Where nothing fits, what fits best happens, and the comparison
// shows the difference. Sessions never expire by themselves: in recordings they end by a line.

// quietMS ends a step: so long, in virtual ms, no message moved. It is the recorder's own measure.
const quietMS = 1200

// longestMS is how long the recorder waits for the end of a step, in ms.
const longestMS = 45_000

// sessionMS is the timeout of the recorded brokers' sessions, in ms.
const sessionMS = 30_000

// restless bounds a step, so that what goes round in circles ends.
const restless = 20_000

type guide struct {
	world     *sim.World
	tap       *tap
	listener  *listener
	doc       *trace.Document         // what the processes believe
	launched  map[kafka.BrokerID]bool // the player's
	silent    map[string]int64        // since when, in virtual ms, the process of a session is no more, by the id of its expiry
	want      conversations
	requests  map[string][]*sentRequest // the recorded control requests of the step, by sender and recipient
	shutdowns map[string]int            // recorded ControlledShutdown requests of the step, by sender
	isrs      []isrInput                // what leaders of the recording decided and is still to come
	window    int64                     // so long, in virtual ms, the step goes on without a message
	deadline  int64                     // virtual time at which the recorder stops waiting for the end of the step, 0 while a line is carried out
	moved     int64                     // virtual time of the last message
	patient   bool                      // only what fits happens: the line is not over
	hints     hints                     // what the search found out about the step
	trail     trail
	failed    bool // the step did not come to rest
}

// expect begins a step.
func (g *guide) expect(s *Step) {
	g.want, g.moved, g.failed = recorded(s.Zk), g.world.Now(), false
	g.deadline = 0
	g.window, g.trail = quietMS, trail{}
	g.requests = map[string][]*sentRequest{}
	for _, o := range s.Requests {
		r := recordedRequest(o)
		g.requests[r.lane()] = append(g.requests[r.lane()], r)
	}
	g.shutdowns = map[string]int{}
	for _, r := range s.ToController {
		if r.text("kind") == (request.ControlledShutdown{}).Kind() {
			g.shutdowns[by(r["from"])]++
		}
	}
	g.isrs, g.trail.sooner = sooner(isrInputs(s, g.want), g.hints.sooner)
}

// settle goes on until the step is over.
func (g *guide) settle() {
	g.deadline = g.world.Now() + longestMS
	g.run(func() bool { return g.world.Now() >= g.deadline })
}

// run goes on until there is nothing more or stop says so.
func (g *guide) run(stop func() bool) {
	for n := 0; !stop() && g.world.Err() == nil; n++ {
		if n == restless {
			g.failed = true
			return
		}
		if !g.next() {
			return
		}
	}
}

// runPatiently lets everything happen that fits, with the timers of so many ms, until stop says so.
func (g *guide) runPatiently(ms int64, stop func() bool) {
	g.patient, g.window = true, ms
	g.run(stop)
	g.patient, g.window = false, quietMS
}

// before lets happen what comes before a line: nothing, unless the search found out that something does.
func (g *guide) before(line int) {
	taken := 0
	enough := func() bool { return g.hints.ahead[line] != everything && taken == g.hints.ahead[line] }
	g.patient = true
	g.run(func() bool {
		if enough() {
			return true
		}
		taken++
		return false
	})
	g.patient = false
	g.trail.came(line, taken)
}

// next makes one thing happen; it reports whether there was one.
func (g *guide) next() bool {
	choices := g.world.Choices()
	best := g.best(choices, func(c *sim.Choice) bool { return c.Kind != sim.TimerFire })
	timer := g.best(choices, func(c *sim.Choice) bool { return c.Kind == sim.TimerFire && c.Due <= g.moved+g.window })
	late := g.late(choices)
	due, pressing := g.dueISR(false), g.dueISR(true)
	switch {
	case pressing >= 0:
		g.propose(pressing)
	case best != nil && g.fit(best) == fits:
		g.take(best)
	case due >= 0:
		g.propose(due)
	case timer != nil:
		g.take(timer)
	case best != nil && g.fit(best) == held:
		g.take(best)
	case g.patient:
		return false
	case best != nil && g.fit(best) != notByItself:
		g.take(best)
	case len(g.isrs) > 0:
		g.propose(0)
	case late != nil:
		g.take(late)
	default:
		return false
	}
	return true
}

// late is a timer that fires after a quiet that is longer than the one that ends a step, because something was recorded that
// has not happened yet.
func (g *guide) late(choices []*sim.Choice) *sim.Choice {
	if g.deadline == 0 || !g.expects() {
		return nil
	}
	return g.best(choices, func(c *sim.Choice) bool { return c.Kind == sim.TimerFire && c.Due <= g.deadline })
}

// expires reports whether the end of a broker's session was recorded and has not come yet.
func (g *guide) expires(client string) bool {
	if g.patient {
		return false
	}
	for _, list := range g.want {
		if slices.ContainsFunc(list, func(e *entry) bool {
			return !e.matched && e.shown.text("event") == zk.NodeDeleted.String() && g.owner(e.shown.text("path")) == client
		}) {
			return true
		}
	}
	return false
}

// comesBack is how ZooKeeper answered a broker that asked to resume its session in the step, "" when it did not ask.
func (g *guide) comesBack(client string) string {
	for _, e := range g.want[laneKey{client, mainLane}] {
		if e.connect && e.shown.text("session") == "resume" {
			return e.shown.text("err")
		}
	}
	return ""
}

// owner is the client whose session owns an ephemeral znode, "" where there is none.
func (g *guide) owner(path string) string {
	if r := g.tap.look(zk.Op{Kind: zk.Exists, Path: path}); r.Err == zk.OK && r.Stat.EphemeralOwner != 0 {
		return g.world.Client(r.Stat.EphemeralOwner)
	}
	return ""
}

// expects reports whether something was recorded that has not happened yet.
func (g *guide) expects() bool {
	for _, list := range g.want {
		if slices.ContainsFunc(list, func(e *entry) bool { return !e.matched && !e.connect }) {
			return true
		}
	}
	return false
}

// best is the choice that fits best, the earliest of those, nil when there is none.
func (g *guide) best(choices []*sim.Choice, eligible func(*sim.Choice) bool) *sim.Choice {
	var found *sim.Choice
	how := notByItself + 1
	for _, c := range choices {
		if !eligible(c) {
			continue
		}
		if f := g.fit(c); f < how {
			found, how = c, f
		}
		if how == fits {
			break
		}
	}
	return found
}

func (g *guide) take(c *sim.Choice) {
	_, _, _, isZk := c.Zk()
	before := len(g.tap.log)
	g.trail.add(c.ID(), g.fit(c) > held)
	g.world.Take(c)
	if c.Kind == sim.SessionExpiry && g.deadline > 0 {
		g.deadline = g.world.Now() + longestMS
	}
	g.listener.catchUp()
	if isZk || len(g.tap.log) > before || c.Kind == sim.ControlAnswer && !strings.HasPrefix(c.Process(), "admin") {
		g.moved = g.world.Now()
	}
}

// match ticks off what has now happened.
func (g *guide) match(k laneKey, e *entry) {
	if x := g.find(k, e.key, e.event); x != nil {
		x.matched = true
		g.trail.agrees()
	}
}

// answered holds an answer to a control request against the recorded one: one that differs says that something came in
// another order before it.
func (g *guide) answered(s *sentRequest) {
	if r := g.counterpart(s); r != nil && r.text() == s.text() && r.answer["response"] != unanswered && !r.sameAnswer(s) {
		g.trail.strayed = true
	}
}

// counterpart is the recorded control request at the place of ours, nil when there is none, or ours is of an earlier step.
func (g *guide) counterpart(s *sentRequest) *sentRequest {
	place := 0
	for _, r := range g.listener.reqs {
		if list := g.requests[s.lane()]; r == s && place < len(list) {
			return list[place]
		}
		if r.lane() == s.lane() {
			place++
		}
	}
	return nil
}

// find is the recorded entry that a request or event of ours is: the first unmatched one of its lane, or of its batch.
func (g *guide) find(k laneKey, key string, event bool) *entry {
	first := -1
	for _, e := range g.want[k] {
		if e.matched || e.event != event || e.connect {
			continue
		}
		if first < 0 {
			first = e.batch
		}
		if e.batch != first && !event {
			return nil
		}
		if e.key == key {
			return e
		}
	}
	return nil
}

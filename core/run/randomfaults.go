package run

import (
	"controllerscope/core/kafka"
	"controllerscope/core/script"
)

// The faults of a random script: sessions that expire or are cut off, processes that pause, what is held, lost, delayed
// or doubled on its way, and the end of them all.

func (g *generator) hasSession(id kafka.BrokerID) bool {
	has, _ := g.run.world.HasSession(id)
	return has
}

func (g *generator) isCut(id kafka.BrokerID) bool {
	_, isCut := g.run.world.HasSession(id)
	return isCut
}

func (g *generator) expire() bool { return g.onBroker("zk expire %d", g.hasSession) }

func (g *generator) cut() bool {
	return g.onBroker("zk heal %d", g.isCut) || g.onBroker("zk cut %d", g.hasSession)
}

func (g *generator) pause() bool {
	return g.onBroker("broker resume %d", func(id kafka.BrokerID) bool { return g.run.world.CanResume(id) == nil }) ||
		g.onBroker("broker pause %d", func(id kafka.BrokerID) bool { return g.run.world.CanPause(id) == nil })
}

// hold holds a controller thread, or the connection of something that is under way.
func (g *generator) hold() bool {
	if choices := g.run.world.Choices(); len(choices) > 0 && g.draw(2) == 0 {
		g.do("hold %s", script.QuoteWord(choices[g.draw(len(choices))].ID()))
		return true
	}
	return g.onBroker("hold %d.controller", func(id kafka.BrokerID) bool { return g.run.world.CanEnd(id) == nil })
}

func (g *generator) release() bool {
	held := g.run.world.Held()
	if len(held) == 0 {
		return false
	}
	g.do("release %s", script.QuoteWord(held[g.draw(len(held))]))
	return true
}

// choose takes, loses, delays or doubles something that is under way.
func (g *generator) choose() bool {
	choices := g.run.world.Choices()
	if len(choices) == 0 {
		return false
	}
	c := choices[g.draw(len(choices))]
	id := script.QuoteWord(c.ID())
	switch n := g.draw(8); {
	case n == 0 && c.Droppable():
		g.do("drop %s", id)
	case n == 1:
		g.do("delay %s %dms", id, 1+g.draw(50))
	case n == 2 && c.Duplicable():
		g.do("duplicate %s", id)
	default:
		g.do("deliver %s", id)
	}
	return true
}

func (g *generator) loseReply() bool {
	path := "/controller_epoch"
	if len(g.topics) > 0 {
		path = "/brokers/topics/" + g.topics[g.draw(len(g.topics))] + "/partitions/0/state"
	}
	return g.onBroker("zk lose-reply %d "+path, func(id kafka.BrokerID) bool { return g.run.world.CanEnd(id) == nil })
}

// settle undoes every fault, lets the world come to rest, starts what does not run, and lets it rest again.
func (g *generator) settle() {
	if g.err != nil {
		return
	}
	w := g.run.world
	for _, what := range w.Held() {
		g.do("release %s", script.QuoteWord(what))
	}
	for _, id := range w.Brokers() {
		if w.CanResume(id) == nil {
			g.do("broker resume %d", id)
		}
	}
	for _, id := range w.Brokers() {
		if g.isCut(id) {
			g.do("zk heal %d", id)
		}
	}
	g.do("until idle")
	for _, id := range w.Brokers() {
		if w.CanStart(id) == nil {
			g.do("broker start %d", id)
		}
	}
	g.do("until idle")
}

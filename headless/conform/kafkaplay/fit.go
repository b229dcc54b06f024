package kafkaplay

import (
	"slices"
	"strings"

	"controllerscope/core/request"
	"controllerscope/core/sim"
	"controllerscope/core/zk"
)

// fit says how well a choice agrees with the recording.
type fit int

const (
	fits        fit = iota
	held            // it fits, but waits for everything else that does (search.go)
	wrongMoment     // a watch event would come at another place of a conversation
	wrongAnswer     // the answer or the rank of the write would differ
	unrecorded      // nobody asked this in the recording
	notByItself     // only a line does it
)

// fit judges one choice.
func (g *guide) fit(c *sim.Choice) fit {
	if f := g.judge(c); f != fits || !g.hints.held[c.ID()] {
		return f
	}
	return held
}

func (g *guide) judge(c *sim.Choice) fit {
	switch {
	case c.Kind == sim.SessionExpiry:
		return g.ends(c)
	case c.Reconnects() != "" && c.Reconnects() != "admin" && g.comesBack(c.Reconnects()) == "":
		return notByItself // its client waits for up to a second before it tries, and the step was over
	}
	if c.Kind == sim.ControlAnswer && g.withheld(c) {
		return notByItself
	}
	if c.Kind == sim.ThreadWake && strings.HasPrefix(c.ID(), c.Process()+".shutdown#") && g.leaves(c.Process()) {
		if f := g.closes(c.Process()); f != fits {
			return f
		}
	}
	client, id, op, ok := c.Zk()
	if !ok || client == "admin" {
		return fits
	}
	k := laneKey{client, g.listener.lane(client, id, op, op.Kind.String())}
	e := g.find(k, keyOf(g.listener.names.showOp(op)), false)
	switch {
	case e == nil:
		return unrecorded
	case !g.answers(e, op):
		return wrongAnswer
	case e.w > 0 && g.lowest() < g.batchRank(k, e):
		return wrongAnswer
	case g.waits(k, e) || e.w > 0 && g.fires(op):
		return wrongMoment
	}
	return fits
}

// ends judges whether a session expires now. It is ZooKeeper that ends the session of a process that ended or stands still for
// too long; while others go on trying to reach it there is no quiet that would tell when.
func (g *guide) ends(c *sim.Choice) fit {
	client := strings.TrimPrefix(c.What, "session of ")
	since, silent := g.silent[c.ID()]
	if !silent && !g.world.Running(brokerID(client)) {
		g.silent[c.ID()] = g.world.Now()
	}
	switch {
	case !g.expires(client):
		return notByItself
	case silent && g.world.Now() >= since+sessionMS:
		return fits
	}
	return held
}

// leaves reports whether a process that shuts down has asked the controller as often as it did in the recording.
func (g *guide) leaves(client string) bool {
	asked := 0
	for _, r := range g.listener.toController {
		if r.from == client && r.shown["kind"] == (request.ControlledShutdown{}).Kind() {
			asked++
		}
	}
	return asked >= g.shutdowns[client]
}

// closes judges whether a process that shuts down goes on to close its session now: not before it has sent what it had to
// send, and where its process ended by itself, in the step where that was recorded, after what it said before.
func (g *guide) closes(client string) fit {
	if g.sends(client) {
		return wrongMoment
	}
	if !g.launched[brokerID(client)] {
		return fits
	}
	for _, e := range g.want[laneKey{client, mainLane}] {
		switch {
		case e.shown.text("op") == "closeSession":
			return fits
		case !e.matched && !e.event && !e.connect:
			return wrongMoment
		}
	}
	return notByItself
}

// withheld reports whether an answer did not come before the end of the recorded step, while the recipient lives.
func (g *guide) withheld(c *sim.Choice) bool {
	lane, _, _ := strings.Cut(strings.TrimPrefix(c.ID(), "answer."), "#")
	_, id, _ := strings.Cut(c.What, " ")
	s := g.listener.sent[lane+"/"+id]
	if s == nil || !g.world.Running(brokerID(s.to)) {
		return false
	}
	r := g.counterpart(s)
	return r != nil && r.answer["response"] == unanswered
}

// unanswered is what a recording has in the place of an answer that came after the step or never.
const unanswered = "none"

// sends reports whether a controller that shuts down has control requests to send yet: in a real process they leave while
// the rest of it is still being closed.
func (g *guide) sends(client string) bool {
	sent, recorded := 0, 0
	for _, r := range g.listener.reqs {
		if r.from == client {
			sent++
		}
	}
	for lane, list := range g.requests {
		if from, _, _ := strings.Cut(lane, "→"); from == client {
			recorded += len(list)
		}
	}
	return sent < recorded
}

// answers reports whether the store gives the recorded answer now.
func (g *guide) answers(e *entry, op zk.Op) bool {
	want := e.shown.text("err")
	if want == "" {
		return true // it was never answered
	}
	code := g.tap.wouldAnswer(op)
	if want == "failed" {
		return code != zk.OK
	}
	if code.Error() != want {
		return false
	}
	if found, ok := e.shown["found"]; ok {
		return canon(found) == canon(g.tap.look(op).Stat.Version)
	}
	if children, ok := e.shown["children"].([]any); ok {
		return sameSet(children, g.tap.look(op).Children)
	}
	return true
}

func sameSet(want []any, got []string) bool {
	if len(want) != len(got) {
		return false
	}
	for _, x := range want {
		s, _ := x.(string)
		if !slices.Contains(got, s) {
			return false
		}
	}
	return true
}

// lowest is the smallest rank among the recorded writes that have not happened yet.
func (g *guide) lowest() int {
	low := 1 << 30
	for _, list := range g.want {
		for _, e := range list {
			if e.w > 0 && !e.matched {
				low = min(low, e.w)
			}
		}
	}
	return low
}

// batchRank is the smallest rank among the writes in flight together with e: inside a batch they have no order.
func (g *guide) batchRank(k laneKey, e *entry) int {
	low := e.w
	for _, x := range g.want[k] {
		if x.batch == e.batch && x.w > 0 && !x.matched {
			low = min(low, x.w)
		}
	}
	return low
}

// waits reports whether a watch event was recorded before the answer to e that has not been fired yet.
func (g *guide) waits(k laneKey, e *entry) bool {
	place := 0
	for _, x := range g.want[k] {
		if x == e {
			break
		}
		if !x.event && !x.connect {
			place++
		}
	}
	for _, x := range g.want[k] {
		if x.event && !x.matched && x.slot <= place && !firedBy(x, e) {
			return true
		}
	}
	return false
}

// firedBy reports whether the write e causes the event x itself.
func firedBy(x, e *entry) bool { return e.w > 0 && strings.Contains(e.key, x.shown.text("path")) }

// fires reports whether a write would now send a watch event to a conversation that is not there yet.
func (g *guide) fires(op zk.Op) bool {
	for k, list := range g.want {
		for _, x := range list {
			if !x.event || x.matched {
				continue
			}
			if causes(op, x) && x.slot > g.listener.said.requests(k) {
				return true
			}
			break
		}
	}
	return false
}

// causes reports whether a write makes the event x happen, if somebody watches.
func causes(op zk.Op, x *entry) bool {
	if op.Kind == zk.Multi {
		return slices.ContainsFunc(op.Ops, func(o zk.Op) bool { return causes(o, x) })
	}
	path := x.shown.text("path")
	switch x.shown.text("event") {
	case zk.NodeChildrenChanged.String():
		return (op.Kind == zk.Create || op.Kind == zk.Delete) && parent(op.Path) == path
	case zk.NodeDataChanged.String():
		return op.Kind == zk.Set && op.Path == path
	case zk.NodeCreated.String():
		return op.Kind == zk.Create && op.Path == path
	}
	return op.Kind == zk.Delete && op.Path == path
}

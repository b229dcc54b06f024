package kafkaplay

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"controllerscope/core/env"
	"controllerscope/core/kafka"
	"controllerscope/core/trace"
)

// Sides are what a failed step was in the recording and with us, each as a trace for headless diff --per-lane: one lane per
// conversation, per recipient of requests, per partition and replica that moved, and one for the tree and the gauges.
type Sides struct{ Want, Got *trace.Trace }

// side collects one of them.
type side struct{ recorder *trace.Recorder }

func (s side) add(lane string, kind env.Kind, entity, text string) {
	s.recorder.Record(0, lane, nil, env.Note{Kind: kind, Entity: entity, Msg: "conform", Args: []env.Arg{env.A("text", text)}})
}

// sides builds both from the step as it was compared; set is our change of the tree.
func (c *comparison) sides(now map[string]znode) *Sides {
	want, got := side{trace.NewRecorder()}, side{trace.NewRecorder()}
	c.state(want, got, now)
	for _, s := range []struct {
		side
		moves []Transition
	}{{want, c.step.Transitions}, {got, c.listener.moves}} {
		byEntity := moves(s.moves)
		for _, k := range kafka.SortedKeys(byEntity) {
			for _, m := range byEntity[k] {
				s.add(k, env.SmMove, k, m)
			}
		}
	}
	wantRequests, gotRequests := c.sent()
	for _, lane := range union(wantRequests, gotRequests) {
		want.requests(lane, wantRequests[lane])
		got.requests(lane, gotRequests[lane])
	}
	c.said(want, got)
	header := trace.Trace{Core: "conform kafka", Script: c.step.Do, Msgs: map[string]env.Message{
		"conform": {Key: "conform", Src: "kafkaplay.Sides", Args: []string{"text"}}}}
	return &Sides{want.recorder.Trace(header), got.recorder.Trace(header)}
}

// state is who is controller, the gauges, and the change of the tree.
func (c *comparison) state(want, got side, now map[string]znode) {
	id, epoch := c.controller()
	want.add("state", env.CtxSet, "controller", fmt.Sprintf("%d in epoch %d", c.step.Controller, c.step.ControllerEpoch))
	got.add("state", env.CtxSet, "controller", fmt.Sprintf("%d in epoch %d", id, epoch))
	for _, name := range kafka.SortedKeys(c.step.Metrics) {
		want.add("state", env.CtxSet, name, canon(c.step.Metrics[name]))
		got.add("state", env.CtxSet, name, canon(c.gauge(name)))
	}
	set, deleted := c.change(now)
	for _, path := range kafka.SortedKeys(c.step.Znodes.Set) {
		want.add("znodes", env.ZkSet, path, canon(c.step.Znodes.Set[path]))
	}
	for _, path := range kafka.SortedKeys(set) {
		got.add("znodes", env.ZkSet, path, canon(set[path]))
	}
	for _, path := range c.step.Znodes.Deleted {
		want.add("znodes", env.ZkDelete, path, "deleted")
	}
	for _, path := range deleted {
		got.add("znodes", env.ZkDelete, path, "deleted")
	}
}

func (s side) requests(lane string, list []*sentRequest) {
	for _, r := range list {
		s.add("requests "+lane, env.ReqSend, fmt.Sprint(r.shown["kind"]), r.text()+" answer "+canon(r.answer))
	}
}

// said is every conversation with ZooKeeper. What was in flight together in the recording has one order on both sides.
func (c *comparison) said(want, got side) {
	w, g := recorded(c.step.Zk), c.listener.said
	keys := []laneKey{}
	for _, m := range []conversations{w, g} {
		for k := range m {
			keys = append(keys, k)
		}
	}
	slices.SortFunc(keys, func(a, b laneKey) int { return cmp.Or(strings.Compare(a.by, b.by), strings.Compare(a.lane, b.lane)) })
	for _, k := range slices.Compact(keys) {
		ours := slices.Clone(g[k])
		theirs := slices.Clone(w[k])
		for i := 0; i < len(theirs); {
			n := 1
			for theirs[i].batch > 0 && i+n < len(theirs) && theirs[i+n].batch == theirs[i].batch {
				n++
			}
			for _, list := range [][]*entry{theirs, ours} {
				if i < len(list) {
					part := list[i:min(i+n, len(list))]
					slices.SortStableFunc(part, func(a, b *entry) int { return strings.Compare(canon(a.shown), canon(b.shown)) })
				}
			}
			i += n
		}
		want.conversation(k, theirs)
		got.conversation(k, ours)
	}
}

func (s side) conversation(k laneKey, list []*entry) {
	for _, e := range list {
		kind := env.ZkRead
		switch {
		case e.event:
			kind = env.WatchFire
		case e.connect:
			kind = env.SessionOpen
		}
		s.add("zk "+k.by+" "+k.lane, kind, e.key, canon(e.shown))
	}
}

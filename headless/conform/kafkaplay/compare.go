package kafkaplay

import (
	"fmt"
	"slices"
	"strings"

	"controllerscope/core/kafka"
)

// comparison holds one recorded step against what ours came to (FORMAT.md, Rules for a replayer).
type comparison struct {
	*player
	number   int
	step     *Step
	failures []Failure
}

// most is how many differences of one part of a step are told.
const most = 12

func (c *comparison) differ(path, want, got string) {
	c.failures = append(c.failures, Failure{Recording: c.rec.Name, Step: c.number, Do: c.step.Do, Path: path, Want: want, Got: got})
}

func (c *comparison) same(path string, want, got any) {
	if w, g := canon(want), canon(got); w != g {
		c.differ(path, w, g)
	}
}

// result compares what the line came to.
func (c *comparison) result(err error) {
	got := "ok"
	if err != nil {
		got = "error: " + err.Error()
	}
	if got != c.step.Result {
		c.differ("result", c.step.Result, got)
	}
}

// all compares everything else of a settled step.
func (c *comparison) all(now map[string]znode) {
	if c.guide.failed {
		c.differ("quiet", "the step ends", "it goes round in circles")
	}
	if c.step.Quiet != nil && !*c.step.Quiet {
		return // the recorded cluster was still busy: nothing to hold on to
	}
	id, epoch := c.controller()
	c.same("controller", c.step.Controller, id)
	c.same("controllerEpoch", c.step.ControllerEpoch, epoch)
	for _, part := range []struct {
		name Part
		f    func()
	}{{Gauges, c.gauges}, {Znodes, func() { c.znodes(now) }}, {Transitions, c.transitions}, {Requests, c.requests}, {Zk, c.conversations}} {
		if c.opts.has(part.name) {
			before := len(c.failures)
			part.f()
			if more := len(c.failures) - before - most; more > 0 {
				c.failures = c.failures[:before+most]
				c.differ(string(part.name), "no more differences", fmt.Sprintf("%d more", more))
			}
		}
	}
}

// gauges compares the metrics of the active controller. PreferredReplicaImbalanceCount is free while two or more topics
// are being deleted, and afterwards (rule 1: a race in 2.8.2 itself).
func (c *comparison) gauges() {
	if c.step.Metrics == nil {
		return
	}
	c.drifting = c.drifting || c.step.Metrics["TopicsToDeleteCount"] > 1 || strings.HasPrefix(c.step.Do, "topic delete ") && strings.Count(c.step.Do, " ") > 2
	for _, name := range kafka.SortedKeys(c.step.Metrics) {
		if name == "PreferredReplicaImbalanceCount" && c.drifting && !c.opts.exact {
			continue
		}
		c.same("metrics."+name, c.step.Metrics[name], c.gauge(name))
	}
}

// gauge is a gauge of our broker that is controller at the end of the recorded step.
func (c *comparison) gauge(name string) any {
	if name != "ActiveControllerCount" {
		return c.recorder.Doc().Get("metric", c.step.Controller.String(), name)
	}
	if s := c.world.Server(c.step.Controller); s != nil && s.Controller().IsActive() {
		return 1
	}
	return 0
}

// change is what the step changed in our tree.
func (c *comparison) change(now map[string]znode) (set map[string]object, deleted []string) {
	set = map[string]object{}
	for path, n := range now {
		old, had := c.before[path]
		if had && old.stat.Czxid == n.stat.Czxid && old.stat.Version == n.stat.Version && string(old.data) == string(n.data) {
			continue
		}
		set[path] = c.znode(path, n, had && old.stat.Czxid != n.stat.Czxid)
	}
	for path := range c.before {
		if _, there := now[path]; !there {
			deleted = append(deleted, path)
		}
	}
	slices.Sort(deleted)
	return set, deleted
}

// znodes compares the change of the tree.
func (c *comparison) znodes(now map[string]znode) {
	set, deleted := c.change(now)
	for _, path := range kafka.SortedKeys(set) {
		c.raw(path, now[path].data)
	}
	for _, path := range union(c.step.Znodes.Set, set) {
		want, got := c.step.Znodes.Set[path], set[path]
		switch {
		case got == nil:
			c.differ("znodes.set "+path, canon(want), "no change")
		case want == nil:
			c.differ("znodes.set "+path, "no change", canon(got))
		default:
			c.same("znodes.set "+path, want, got)
		}
	}
	c.same("znodes.deleted", append([]string{}, c.step.Znodes.Deleted...), append([]string{}, deleted...))
}

func (c *comparison) znode(path string, n znode, recreated bool) object {
	o := object{"version": n.stat.Version, "data": c.listener.names.data(path, n.data)}
	if id := n.stat.EphemeralOwner; id != 0 {
		o["ephemeral"] = "operator"
		if client := c.world.Client(id); client != "admin" {
			o["ephemeral"] = brokerID(client)
		}
	}
	if recreated {
		o["recreated"] = true
	}
	if brokerPath.MatchString(path) {
		o["epoch"] = c.listener.names.epochs[n.stat.Czxid]
	}
	return o
}

// union lists the keys of both maps in order.
func union[V any](a, b map[string]V) []string {
	keys := append(kafka.SortedKeys(a), kafka.SortedKeys(b)...)
	slices.Sort(keys)
	return slices.Compact(keys)
}

// transitions compares, per controller and per entity, the sequence of moves.
func (c *comparison) transitions() {
	want, got := moves(c.step.Transitions), moves(c.listener.moves)
	for _, k := range union(want, got) {
		if w, g := strings.Join(want[k], ", "), strings.Join(got[k], ", "); w != g {
			c.differ("transitions "+k, orNone(w), orNone(g))
		}
	}
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}

func moves(list []Transition) map[string][]string {
	out := map[string][]string{}
	for _, t := range list {
		k := fmt.Sprintf("controller %d %s-%d", t.Controller, t.Topic, t.Partition)
		if t.Kind == "replica" {
			k += fmt.Sprintf(" replica %d", t.Broker)
		}
		move := t.From + " → " + t.To
		if t.Failed {
			move += " (failed)"
		}
		out[k] = append(out[k], move)
	}
	return out
}

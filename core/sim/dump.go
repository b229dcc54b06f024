package sim

import (
	"slices"
	"strconv"

	"controllerscope/core/env"
	"controllerscope/core/kafka"
	"controllerscope/core/request"
	"controllerscope/core/trace"
	"controllerscope/core/zk"
)

// walker is a store that can show its tree; every store that a recorded world runs on can.
type walker interface {
	// Walk visits all nodes, parents first.
	Walk(visit func(path string, data []byte, stat zk.Stat))
}

// Dump sets every leaf of the world document from the state itself. After each step it equals the document that the
// diffs have built (a test holds it to that), so that no change can go unsaid. Leaves under view/ are the projector's.
func (w *World) Dump(d env.Dump) {
	w.dumpStore(d)
	for _, key := range kafka.SortedKeys(w.wires) {
		x := w.wires[key]
		for _, c := range request.Leaves(x.req, x.state, x.lane, x.id) {
			d.Set(c.After, c.Path...)
		}
	}
	w.dumpEnsemble(d)
	for _, what := range kafka.SortedKeys(w.held) {
		d.Set(true, "hold", what)
	}
	for _, name := range kafka.SortedKeys(w.guards) {
		if !w.guards[name] {
			d.Set(false, "guard", name)
		}
	}
	for _, name := range kafka.SortedKeys(w.fixes) {
		if w.fixes[name] {
			d.Set(true, "fix", name)
		}
	}
	for _, name := range kafka.SortedKeys(w.procs) {
		p := w.procs[name]
		if p.paused {
			d.Set(true, "hold", name)
		}
		for _, c := range p.timers {
			if c.leaf != nil {
				d.Set(c.Due, c.leaf...)
			}
		}
	}
	for _, id := range kafka.SortedKeys(w.brokers) {
		w.brokers[id].dump(d)
	}
	for _, name := range kafka.SortedKeys(w.clients) {
		w.clients[name].dump(d)
	}
}

func (m *machine) dump(d env.Dump) {
	if m.BrokerSetup.Skew != 0 {
		d.Set(m.BrokerSetup.Skew, "clock", m.ID.String())
	}
	if m.server != nil {
		m.server.Dump(d)
		return
	}
	if m.proc == nil {
		return
	}
	d.Set(int64(0), "broker", m.ID.String(), "state")
	d.Set(false, "broker", m.ID.String(), "up")
	if m.exit != "" {
		d.Set(m.exit, "broker", m.ID.String(), "exit")
	}
	m.disk.Dump(m.ID, d)
}

func (w *World) dumpStore(d env.Dump) {
	if tree, ok := w.cfg.Store.(walker); ok {
		tree.Walk(func(path string, data []byte, stat zk.Stat) {
			if ownNode(path) {
				return
			}
			var leaves env.Changes
			node(zk.Node{Path: path, Data: data, Stat: stat}, &leaves)
			for _, c := range leaves.List {
				if c.After != nil {
					d.Set(c.After, c.Path...)
				}
			}
		})
	}
	if w.zxid != 0 {
		d.Set(env.Zxid(w.zxid), "zxid")
	}
	for _, s := range w.opened {
		for _, c := range s.doc() {
			if c.After != nil {
				d.Set(c.After, c.Path...)
			}
		}
		for _, a := range s.watchesHeld() {
			d.Set(true, watchPath(a)...)
		}
	}
}

// Record begins a trace here: the document of the world as it stands is its start. What happened before is set-up and has
// no steps.
func (w *World) Record(r *trace.Recorder) {
	var start []env.Change
	w.Dump(setter(func(after any, path ...string) { start = append(start, env.Change{Path: path, After: after}) }))
	r.Begin(start...)
	w.cfg.Recorder = r
	for _, c := range slices.Concat(w.agenda, w.set) {
		c.cause = -1
	}
}

// setter makes a function an env.Dump.
type setter func(after any, path ...string)

func (f setter) Set(after any, path ...string) { f(after, path...) }

// Summary is one line on the world for error messages: time, pending choices, threads.
func (w *World) Summary() string {
	return "t=" + strconv.FormatInt(w.now, 10) + " ms, " + strconv.Itoa(len(w.agenda)) + " choices, " + strconv.Itoa(w.threads) + " threads"
}

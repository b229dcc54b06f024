package view

import (
	"cmp"
	"maps"
	"slices"

	"controllerscope/core/env"
	"controllerscope/core/kafka"
	"controllerscope/core/trace"
)

// set is a set of words.
type set map[string]struct{}

// part is one kind of derived value. Those of a lower kind are computed first and may make later ones stale.
type part uint8

const (
	lead part = iota
	controllers
	rows
	beliefs
	mismatches
	bells
	charts
	brokers
	chips
	partitions
	lanes
	trays
	rings
	metrics
	notices
	watching
	numParts
)

// item names one derived value within its kind.
type item struct{ a, b string }

// Projector keeps the view paths of one run up to date. Besides what is stale it remembers only indexes of the document,
// so its answers do not depend on how the document came about.
type Projector struct {
	doc   *trace.Document
	stale [numParts]map[item]struct{}
	out   []env.Change

	rows     set                   // znodes that have a line
	topics   map[string]topicNode  // parsed topic znodes
	states   map[string]leadership // parsed state znodes, by partition
	plan     set                   // partitions named in /admin/reassign_partitions
	moving   set                   // partitions that topic znodes show as reassigning
	listing  map[string]set        // children of the znodes that serve as lists
	assigned map[string]map[string]set
	active   set            // brokers that think they are the controller
	differ   map[string]set // by controller and list: members that belief and truth do not share
	unlike   map[string]set // by controller: paths marked ≠
	handlers map[item]set   // by path and kind: clients
	sessions map[string]set // by client
	counts   map[item]int64 // by controller and kind/state
	leadNow  string
	led      map[string]set // partitions by the leader that ZooKeeper names

	listeners set // brokers that listen to config changes
	entities  set // znodes that hold a config
}

// New returns a projector for a document that is still empty.
func New() *Projector {
	p := &Projector{rows: set{}, topics: map[string]topicNode{}, states: map[string]leadership{}, plan: set{}, moving: set{},
		listing: map[string]set{}, assigned: map[string]map[string]set{}, active: set{}, differ: map[string]set{},
		unlike: map[string]set{}, handlers: map[item]set{}, sessions: map[string]set{}, counts: map[item]int64{}, led: map[string]set{},
		listeners: set{}, entities: set{}}
	for i := range p.stale {
		p.stale[i] = map[item]struct{}{}
	}
	return p
}

// Project is a trace.Recorder's Project hook: what else a step changes, given the document as it left it.
func (p *Projector) Project(step *trace.Step, doc *trace.Document) []env.Change {
	p.doc = doc
	for i := range step.Diff {
		p.touch(step.Diff[i].Path, step.Diff[i].Before, step.Diff[i].After)
	}
	return p.flush()
}

// Begin takes over a document that already holds something and returns its view paths.
func (p *Projector) Begin(doc *trace.Document) []env.Change {
	p.doc = doc
	doc.Walk(func(path env.Path, value any) bool {
		p.touch(path, nil, value)
		return true
	})
	return p.flush()
}

// Full computes all view paths of a document from scratch. View paths that doc holds already are not looked at.
func Full(doc *trace.Document) []env.Change { return New().Begin(doc) }

// mark makes a derived value stale.
func (p *Projector) mark(k part, a, b string) { p.stale[k][item{a, b}] = struct{}{} }

// markPath makes the line of a znode stale and what controllers believe about it.
func (p *Projector) markPath(path string) {
	p.mark(rows, path, "")
	for b := range p.active {
		p.mark(beliefs, b, path)
	}
}

func (p *Projector) set(after any, path ...string) {
	p.out = append(p.out, env.Change{Path: append(env.Path{"view"}, path...), After: after})
}

// flush computes what is stale, kind by kind, each kind in the order of its names.
func (p *Projector) flush() []env.Change {
	p.out = nil
	compute := [numParts]func(a, b string){lead: p.computeLead, controllers: p.computeController, rows: p.computeRow,
		beliefs: p.computeBelief, mismatches: p.computeMismatch, bells: p.computeBell, charts: p.computeChart,
		brokers: p.computeBroker, chips: p.computeChip, partitions: p.computePartition, lanes: p.computeLane,
		trays: p.computeTray, rings: p.computeRing, metrics: p.computeMetric,
		notices: p.computeNotice, watching: p.computeWatching}
	for k := range compute {
		if len(p.stale[k]) == 0 {
			continue
		}
		for _, i := range kafka.SortedFunc(p.stale[k], compareItems) {
			compute[k](i.a, i.b)
		}
		clear(p.stale[k])
	}
	p.doc = nil
	return p.out
}

func compareItems(x, y item) int { return cmp.Or(cmp.Compare(x.a, y.a), cmp.Compare(x.b, y.b)) }

// put adds or removes a member; a set that is empty goes away.
func put[K comparable](m map[K]set, key K, member string, in bool) {
	if in {
		if m[key] == nil {
			m[key] = set{}
		}
		m[key][member] = struct{}{}
		return
	}
	delete(m[key], member)
	if len(m[key]) == 0 {
		delete(m, key)
	}
}

func (s set) has(member string) bool { _, ok := s[member]; return ok }

func (s set) put(member string, in bool) {
	if in {
		s[member] = struct{}{}
	} else {
		delete(s, member)
	}
}

func (s set) sorted() []string { return slices.Sorted(maps.Keys(s)) }

func number(v any, otherwise int64) int64 {
	if n, ok := v.(int64); ok {
		return n
	}
	return otherwise
}

func text(v any) string {
	s, _ := v.(string)
	return s
}

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
	behind
	watching
	numParts
)

// item names one derived value within its kind.
type item struct{ a, b string }

// Projector keeps the view paths of one run up to date. Besides what is stale it remembers only indexes of the document,
// so its answers do not depend on how the document came about.
type Projector struct {
	doc   *trace.Document
	fresh bool // what the document holds of the view is not looked at
	stale [numParts][]item
	out   []env.Change
	words []string // of the paths in out
	from  env.Path // where a belief stands

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
	led      map[string]set    // partitions by the leader that ZooKeeper names
	beans    map[string]string // JMX names of the gauges met

	listeners set // brokers that listen to config changes
	entities  set // znodes that hold a config
}

// New returns a projector for a document that is still empty.
func New() *Projector {
	return &Projector{beans: map[string]string{}, rows: set{}, topics: map[string]topicNode{}, states: map[string]leadership{}, plan: set{}, moving: set{},
		listing: map[string]set{}, assigned: map[string]map[string]set{}, active: set{}, differ: map[string]set{},
		unlike: map[string]set{}, handlers: map[item]set{}, sessions: map[string]set{}, counts: map[item]int64{}, led: map[string]set{},
		listeners: set{}, entities: set{}}
}

// Project is a trace.Recorder's Project hook: what else a step changes, given the document as it left it. The answer is
// valid until the next call.
func (p *Projector) Project(step *trace.Step, doc *trace.Document) []env.Change {
	p.doc = doc
	for i := range step.Diff {
		p.touch(step.Diff[i].Path, step.Diff[i].Before, step.Diff[i].After)
	}
	return p.flush()
}

// Begin takes over a document that already holds something and returns its view paths.
func (p *Projector) Begin(doc *trace.Document) []env.Change {
	p.doc, p.fresh = doc, true
	doc.Walk(func(path env.Path, value any) bool {
		p.touch(path, nil, value)
		return true
	})
	changes := p.flush()
	p.fresh = false
	return changes
}

// Full computes all view paths of a document from scratch. View paths that doc holds already are not looked at.
func Full(doc *trace.Document) []env.Change { return New().Begin(doc) }

// mark makes a derived value stale.
func (p *Projector) mark(k part, a, b string) {
	list, i := p.stale[k], item{a, b}
	if n := len(list); n == 0 || list[n-1] != i {
		p.stale[k] = append(list, i)
	}
}

// markBeliefs makes stale what controllers believe about a znode.
func (p *Projector) markBeliefs(znode string) {
	for b := range p.active {
		p.mark(beliefs, b, znode)
	}
}

// markBelief makes stale what one controller believes about a znode, and whether the znode has a line for that.
func (p *Projector) markBelief(b, znode string) {
	p.mark(rows, znode, "at")
	if p.active.has(b) {
		p.mark(beliefs, b, znode)
	}
}

// is returns what the document holds at a path of the view; nil when that is not to be looked at.
func (p *Projector) is(path ...string) any {
	if p.fresh {
		return nil
	}
	return p.doc.At("view").Get(path...)
}

// record is is for a record; a nil one has no fields.
func (p *Projector) record(path ...string) env.Record {
	m, _ := p.is(path...).(env.Record)
	return m
}

// set gives a path of the view a value.
func (p *Projector) set(after any, path ...string) {
	from := len(p.words)
	p.words = append(append(p.words, "view"), path...)
	p.out = append(p.out, env.Change{Path: slices.Clip(p.words[from:]), After: after})
}

// setText is set for a text that mostly stands there already.
func (p *Projector) setText(after string, path ...string) {
	if p.is(path...) != after {
		p.set(after, path...)
	}
}

// unset takes away what may be at and below a path of the view.
func (p *Projector) unset(path ...string) {
	if !p.fresh {
		p.set(nil, path...)
	}
}

var compute = [numParts]func(p *Projector, a, b string){lead: (*Projector).computeLead, controllers: (*Projector).computeController,
	rows: (*Projector).computeRow, beliefs: (*Projector).computeBelief,
	mismatches: (*Projector).computeMismatch, bells: (*Projector).computeBell, charts: (*Projector).computeChart,
	brokers: (*Projector).computeBroker, chips: (*Projector).computeChip, partitions: (*Projector).computePartition,
	lanes: (*Projector).computeLane, trays: (*Projector).computeTray, rings: (*Projector).computeRing,
	metrics: (*Projector).computeMetric, notices: (*Projector).computeNotice, behind: (*Projector).computeBehind,
	watching: (*Projector).computeWatching}

// flush computes what is stale, kind by kind, each kind in the order of its names.
func (p *Projector) flush() []env.Change {
	p.out, p.words = p.out[:0], p.words[:0]
	for k := range compute {
		list := p.stale[k]
		if len(list) > 1 {
			kafka.Sort(list, compareItems)
			list = slices.Compact(list)
		}
		for _, i := range list {
			compute[k](p, i.a, i.b)
		}
		p.stale[k] = p.stale[k][:0]
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

func (s set) sorted() []string {
	if len(s) == 0 {
		return nil
	}
	return slices.Sorted(maps.Keys(s))
}

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

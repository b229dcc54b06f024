package trace

import (
	"cmp"
	"slices"
	"strconv"

	"controllerscope/core/env"
)

// Recorder turns notes into steps. It holds the document they add up to, and who wrote what last.
type Recorder struct {
	// Project, if set, says what else each step changes: what pictures need is derived from the document as the step
	// left it. Its changes join the step's diff before the hash is taken.
	Project func(step *Step, doc *Document) []env.Change
	// Check, if set, names the invariants that do not hold after the step.
	Check func(step *Step, doc *Document) []string
	// Sink, if set, gets every finished step.
	Sink func(step *Step)
	// Forget keeps no steps: only the Sink sees them, and only the document knows what they came to.
	Forget bool

	count   int // steps so far
	doc     *Document
	initial *Document
	steps   []*Step
	lanes   map[string]*lane
	lane    *lane // of the last step
	id      []byte
	room    struct { // for what steps keep
		steps  room[Step]
		args   room[env.Arg]
		diffs  room[Diff]
		causes room[int]
		reads  room[env.Path]
		ids    texts
	}
}

// lane is where things happen, with the steps that happened there so far.
type lane struct {
	name  string
	steps int
}

// NewRecorder starts a trace with an empty document.
func NewRecorder() *Recorder {
	return &Recorder{doc: NewDocument(), initial: NewDocument(), lanes: map[string]*lane{}}
}

// Begin sets what holds before the first step. It must not be called after Record.
func (r *Recorder) Begin(changes ...env.Change) {
	if r.count > 0 {
		panic("trace: Begin after the first step")
	}
	for _, c := range changes {
		r.doc.Change(c, nil)
		r.initial.Change(c, nil)
	}
}

// Doc returns the document as the last step left it. Only the recorder changes it.
func (r *Recorder) Doc() *Document { return r.doc }

// Steps returns all steps so far, none of a recorder that forgets them.
func (r *Recorder) Steps() []*Step { return r.steps }

// LastWriter returns the last step that wrote path or anything below it; ok is false when none did.
func (r *Recorder) LastWriter(path ...string) (step int, ok bool) {
	n := r.doc.root.find(path)
	if n == nil || n.last == 0 {
		return 0, false
	}
	return int(n.last) - 1, true
}

// Record makes a step of a note and returns its index. where is the lane it happened in unless the note says otherwise;
// causes are the steps it follows from, to which the last writers of what it read are added. The lists of the note are
// copied; the values in them are kept and must not be changed afterwards.
func (r *Recorder) Record(vtimeMS int64, where string, causes []int, n env.Note) int {
	s := r.room.steps.one()
	s.I, s.VTimeMS, s.Kind, s.Entity, s.Msg, s.Args, s.IDs = r.count, vtimeMS, n.Kind, n.Entity, n.Msg, r.room.args.keep(n.Args), n.IDs
	r.place(s, cmp.Or(n.Lane, where))
	r.follow(s, causes, n.Reads)
	r.doc.writer = int32(s.I) + 1
	diff := r.apply(n.Changes, r.room.diffs.begin(few))
	if r.Project != nil {
		s.Diff = diff
		diff = r.apply(r.Project(s, r.doc), diff)
	}
	s.Diff = r.room.diffs.end(diff)
	s.Hash = r.doc.Hash()
	if r.Check != nil {
		s.Invariants = r.Check(s, r.doc)
	}
	r.count++
	if !r.Forget {
		r.steps = append(r.steps, s)
	}
	if r.Sink != nil {
		r.Sink(s)
	}
	return s.I
}

// place counts a step in its lane and names it.
func (r *Recorder) place(s *Step, where string) {
	l := r.lane
	if l == nil || l.name != where {
		if l = r.lanes[where]; l == nil {
			l = &lane{name: where}
			r.lanes[where] = l
		}
		r.lane = l
	}
	l.steps++
	r.id = appendStepID(r.id[:0], l.name, l.steps)
	s.Lane, s.ID = l.name, r.room.ids.keep(r.id)
}

// appendStepID writes the name of the nth step of a lane.
func appendStepID(out []byte, lane string, n int) []byte {
	return strconv.AppendInt(append(append(out, lane...), '#'), int64(n), 10)
}

func stepID(lane string, n int) string { return string(appendStepID(nil, lane, n)) }

// follow says what a step follows from: the given causes and the last writers of what it read, each once, in this order.
func (r *Recorder) follow(s *Step, given []int, reads []env.Path) {
	causes, latest := r.room.causes.begin(few), -1
	add := func(c int) {
		if c > latest || !slices.Contains(causes, c) { // who reads much mostly reads it in the order in which it was written
			causes, latest = append(causes, c), max(latest, c)
		}
	}
	for _, c := range given {
		add(c)
	}
	s.Reads = r.room.reads.keep(reads)
	for i, path := range reads {
		n := r.doc.root.find(path)
		if n == nil {
			s.Reads[i] = slices.Clone(path)
			continue
		}
		s.Reads[i] = n.path
		if n.last > 0 {
			add(int(n.last) - 1)
		}
	}
	s.Causes = r.room.causes.end(causes)
}

// apply takes changes into the document and the step's diff.
func (r *Recorder) apply(changes []env.Change, diff []Diff) []Diff {
	for i := range changes {
		diff = r.doc.Change(changes[i], diff)
	}
	return diff
}

// Violated adds invariants to the last step that only a world at rest can be held to.
func (r *Recorder) Violated(names ...string) {
	if n := len(r.steps); n > 0 && len(names) > 0 {
		last := r.steps[n-1]
		last.Invariants = append(slices.Clip(last.Invariants), names...)
	}
}

package trace

import (
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

	doc     *Document
	initial *Document
	steps   []*Step
	lanes   map[string]int // steps of each lane so far
	writers writer
	way     []*writer // from the root to the writer of the last path written
	wayPath env.Path
}

// writer knows the last step that wrote a path or anything below it. It outlives the document's nodes: that something is
// gone was somebody's doing too.
type writer struct {
	last int // step + 1; 0 when nobody wrote it since the start
	kids map[string]*writer
}

// NewRecorder starts a trace with an empty document.
func NewRecorder() *Recorder {
	return &Recorder{doc: NewDocument(), initial: NewDocument(), lanes: map[string]int{}}
}

// Begin sets what holds before the first step. It must not be called after Record.
func (r *Recorder) Begin(changes ...env.Change) {
	if len(r.steps) > 0 {
		panic("trace: Begin after the first step")
	}
	for _, c := range changes {
		r.doc.Change(c, nil)
		r.initial.Change(c, nil)
	}
}

// Doc returns the document as the last step left it. Only the recorder changes it.
func (r *Recorder) Doc() *Document { return r.doc }

// Steps returns all steps so far.
func (r *Recorder) Steps() []*Step { return r.steps }

// LastWriter returns the last step that wrote path or anything below it; ok is false when none did.
func (r *Recorder) LastWriter(path ...string) (step int, ok bool) {
	w := &r.writers
	for _, word := range path {
		if w = w.kids[word]; w == nil {
			return 0, false
		}
	}
	return w.last - 1, w.last > 0
}

// Record makes a step of a note and returns its index. lane is where it happened unless the note says otherwise; causes
// are the steps it follows from, to which the last writers of what it read are added. The note's paths and values are kept
// and must not be changed afterwards.
func (r *Recorder) Record(vtimeMS int64, lane string, causes []int, n env.Note) int {
	if n.Lane != "" {
		lane = n.Lane
	}
	r.lanes[lane]++
	s := &Step{
		I: len(r.steps), ID: stepID(lane, r.lanes[lane]), VTimeMS: vtimeMS, Lane: lane,
		Kind: n.Kind, Entity: n.Entity, Msg: n.Msg, Args: n.Args, Reads: n.Reads, IDs: n.IDs,
	}
	s.Causes = r.causes(causes, n.Reads)
	r.apply(s, n.Changes)
	if r.Project != nil {
		r.apply(s, r.Project(s, r.doc))
	}
	s.Hash = r.doc.Hash()
	if r.Check != nil {
		s.Invariants = r.Check(s, r.doc)
	}
	r.steps = append(r.steps, s)
	if r.Sink != nil {
		r.Sink(s)
	}
	return s.I
}

// stepID names the nth step of a lane.
func stepID(lane string, n int) string { return lane + "#" + strconv.Itoa(n) }

// Violated adds invariants to the last step that only a world at rest can be held to.
func (r *Recorder) Violated(names ...string) {
	if n := len(r.steps); n > 0 && len(names) > 0 {
		last := r.steps[n-1]
		last.Invariants = append(slices.Clip(last.Invariants), names...)
	}
}

// causes joins the given causes and the last writers of what was read, each once, in this order.
func (r *Recorder) causes(given []int, reads []env.Path) []int {
	if len(given)+len(reads) == 0 {
		return nil
	}
	out := make([]int, 0, len(given)+len(reads))
	for _, c := range given {
		if !slices.Contains(out, c) {
			out = append(out, c)
		}
	}
	for _, path := range reads {
		if w, ok := r.LastWriter(path...); ok && !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	return out
}

// apply takes changes into the document and the step, and remembers the step as the last writer.
func (r *Recorder) apply(s *Step, changes []env.Change) {
	from := len(s.Diff)
	if len(changes) > 0 && s.Diff == nil {
		s.Diff = make([]Diff, 0, len(changes))
	}
	for _, c := range changes {
		s.Diff = r.doc.Change(c, s.Diff)
	}
	for i := from; i < len(s.Diff); i++ {
		r.wrote(s.Diff[i].Path, s.I)
	}
}

// wrote remembers step as the last writer of a path and of everything above it. Diffs that follow one another mostly share
// the beginnings of their paths, so it starts from where the last path parts from this one.
func (r *Recorder) wrote(path env.Path, step int) {
	if len(r.way) == 0 {
		r.way = append(r.way, &r.writers)
	}
	common := 0
	for common < len(path) && common < len(r.way)-1 && path[common] == r.wayPath[common] {
		common++
	}
	r.way, r.wayPath = r.way[:common+1], append(r.wayPath[:common], path[common:]...)
	for _, word := range path[common:] {
		r.way = append(r.way, r.way[len(r.way)-1].kid(word))
	}
	for _, w := range r.way {
		w.last = step + 1
	}
}

func (w *writer) kid(word string) *writer {
	k := w.kids[word]
	if k == nil {
		if w.kids == nil {
			w.kids = map[string]*writer{}
		}
		k = &writer{}
		w.kids[word] = k
	}
	return k
}

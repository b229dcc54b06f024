// Package run carries out scripts: it hands sim the store it is given, records the trace, and answers from it.
//
// The inputs of a run are the truth. A run is (setup, script, seed); nothing is ever saved or cloned: to fork, a run is
// executed again from its start to the step where it forks (fork.go). Setup lines run before the recording begins.
package run

import (
	"errors"
	"fmt"

	"controllerscope/core/env"
	"controllerscope/core/jsonvalue"
	"controllerscope/core/kafka"
	"controllerscope/core/script"
	"controllerscope/core/sim"
	"controllerscope/core/trace"
	"controllerscope/core/view"
	"controllerscope/core/zk"
)

// Version of the core, written into traces.
const Version = "0.1.0"

// Inputs are what a run is made of; the same inputs give the same trace, byte for byte.
type Inputs struct {
	Name   string `json:"name,omitempty"` // what errors call the script: a file or a lesson
	Setup  string `json:"setup"`
	Script string `json:"script"`
	Seed   uint64 `json:"seed"`
	Tree   string `json:"tree,omitempty"` // what the store begins with (package zktree); empty is a fresh server
}

// Options say what a run is carried out on, and how.
type Options struct {
	Store  zk.Store
	Record bool // keep a trace; until EXPR, expect, never and Why need it
	// Bare leaves the view/ paths out of the recording, which only pictures need.
	Bare bool
	// OnStep, if set, sees every recorded step with the document as it left it.
	OnStep func(*trace.Step, *trace.Document)
	// MaxSteps, if not 0, bounds a recorded run.
	MaxSteps int
	// MaxChoices bounds one operation: how many choices it may take until the world is at rest, or until the time that it
	// lets pass is over. 0 is RecordedLimit for what is recorded and sim.RunLimit for what is not.
	MaxChoices int
}

// RecordedLimit is how many choices an operation may take while all is recorded: about 1 GB of steps. Damage can make real
// controllers elect each other for ever.
const RecordedLimit = 400_000

// Run is a run under way. Close must be called.
type Run struct {
	in        Inputs
	opts      Options
	todo      []*script.Line // operations of the script that are still to come
	done      []operation
	failed    error        // why an operation could not be carried out; nothing comes after it
	orphans   []sim.Orphan // sessions that came with the tree
	world     *sim.World
	recorder  *trace.Recorder
	projector *view.Projector

	until    *script.Expr // what the present until waits for
	reached  bool
	nevers   []*script.Line
	violated error
}

// operation is a line of the script that was carried out.
type operation struct {
	line   *script.Line
	start  int            // how many steps there were before it
	behind kafka.BrokerID // of a bounce: the controller behind whose back it was
	resume int            // of a bounce: how many steps there were before that one went on
}

// Failure is a script that did not go as it says: an expect that fails, an until that is never reached, a never that
// happens. Everything else that goes wrong is bad input or the environment.
type Failure struct {
	Line *script.Line
	Step *trace.Step // where, nil when there is none
	Why  string
}

func (f *Failure) Error() string {
	at := ""
	if f.Step != nil {
		at = fmt.Sprintf(" (step %d, %s, %d ms)", f.Step.I, f.Step.ID, f.Step.VTimeMS)
	}
	return fmt.Sprintf("%s:%d: %s: %s%s", f.Line.File, f.Line.Number, f.Line, f.Why, at)
}

// Start parses both texts and carries out the setup. The error names file, line and word.
func Start(in Inputs, o Options) (*Run, error) {
	if in.Name == "" {
		in.Name = "script"
	}
	r := &Run{in: in, opts: o}
	setup, errSetup := script.Parse(in.Name+" setup", in.Setup)
	parsed, errScript := script.Parse(in.Name, in.Script)
	if err := errors.Join(errSetup, errScript); err != nil {
		return nil, err
	}
	r.todo = setup.Operations()
	err := r.plant()
	if err == nil {
		err = r.Finish()
	}
	if err != nil {
		r.Close()
		return nil, err
	}
	r.todo, r.done = parsed.Operations(), nil
	if o.Record {
		r.startRecording()
	}
	return r, nil
}

// startRecording begins the trace with the world as it stands.
func (r *Run) startRecording() {
	r.recorder, r.projector = trace.NewRecorder(), view.New()
	if r.world != nil {
		r.world.Record(r.recorder)
		r.project()
	}
	if !r.opts.Bare {
		r.recorder.Project = r.projector.Project
	}
	r.recorder.Check = sim.NewChecker().Check
	r.recorder.Sink = r.onStep
}

// project adds the view to the document that the trace begins with.
func (r *Run) project() {
	if r.opts.Bare {
		return
	}
	r.recorder.Begin(r.projector.Begin(r.recorder.Doc())...)
}

// onStep sees every step as it is recorded.
func (r *Run) onStep(s *trace.Step) {
	doc := r.recorder.Doc()
	if (r.until != nil && !r.reached) || len(r.nevers) > 0 {
		m := &script.Moment{Now: doc, Before: trace.Past{Doc: doc, Step: s}, Step: s}
		if r.until != nil && !r.reached {
			r.reached = r.until.True(m)
		}
		for _, n := range r.nevers {
			if r.violated == nil && n.Expr.True(m) {
				r.violated = &Failure{n, s, "it happened"}
			}
		}
	}
	if r.opts.OnStep != nil {
		r.opts.OnStep(s, doc)
	}
}

// Finish carries out what is left of the script.
func (r *Run) Finish() error {
	for {
		more, err := r.Advance()
		if err != nil || !more {
			return err
		}
	}
}

// Advance carries out the next operation of the script; more is false when there was none.
func (r *Run) Advance() (more bool, err error) {
	if r.failed != nil || len(r.todo) == 0 {
		return false, r.failed
	}
	line := r.todo[0]
	r.todo = r.todo[1:]
	r.done = append(r.done, operation{line: line, start: r.Steps()})
	r.failed = r.do(line)
	return true, r.failed
}

// Append adds a line to the end of the script and carries it out, after what is left of the script. The run is then the one
// that Fork of its last step and this line would give. A line that cannot be read, or that is refused because the world is
// not so, changes nothing; a Failure ends the run.
func (r *Run) Append(text string) error {
	line, err := r.parse(text)
	if err != nil {
		return err
	}
	if err := r.Finish(); err != nil {
		return err
	}
	before, steps := r.in.Script, r.Steps()
	r.in.Script = r.upTo(steps-1) + line.String() + "\n"
	r.todo = append(r.todo, line)
	if _, err = r.Advance(); err == nil || r.Steps() > steps || !r.whole(err) {
		return err
	}
	r.in.Script, r.done, r.failed = before, r.done[:len(r.done)-1], nil
	return err
}

// whole reports whether the world is as it was before an operation that came to this error.
func (r *Run) whole(err error) bool {
	var failure *Failure
	var restless sim.ErrRestless
	return !errors.As(err, &failure) && !errors.As(err, &restless) && (r.world == nil || r.world.Err() == nil)
}

// Failed is why the run goes no further; nil while it can.
func (r *Run) Failed() error { return r.failed }

// parse reads one more operation.
func (r *Run) parse(text string) (*script.Line, error) {
	line, err := script.ParseLine(r.in.Name, len(r.done)+1, text)
	if err == nil && line.Verb == "" {
		err = errors.New("nothing is to be done; write one operation, such as broker kill 2")
	}
	return line, err
}

// do carries out one operation.
func (r *Run) do(line *script.Line) error {
	do, known := verbs[line.Verb]
	if !known {
		return at(line, fmt.Errorf("%s is not built yet; the verbs that are: %s", line.Verb, verbNames()))
	}
	if r.world == nil && line.Verb != "cluster" {
		if err := r.cluster(sim.Setup{}); err != nil {
			return at(line, err)
		}
	}
	if err := do(r, line); err != nil {
		return at(line, err)
	}
	if err := r.world.Err(); err != nil { // the store failed under an operation that had nothing to wait for
		return at(line, err)
	}
	if r.violated != nil {
		return r.violated
	}
	if r.opts.MaxSteps > 0 && r.Steps() > r.opts.MaxSteps {
		return at(line, fmt.Errorf("more than %d steps; use a shorter script or raise the limit", r.opts.MaxSteps))
	}
	return nil
}

// at adds file, line and operation to an error that has none of them yet.
func at(line *script.Line, err error) error {
	var failure *Failure
	if errors.As(err, &failure) {
		return err
	}
	if line.File == "" {
		return fmt.Errorf("%s: %w", line, err)
	}
	return fmt.Errorf("%s:%d: %s: %w", line.File, line.Number, line, err)
}

// Inputs are what the run is made of so far.
func (r *Run) Inputs() Inputs { return r.in }

// World is the world of the run, nil before its cluster is known.
func (r *Run) World() *sim.World { return r.world }

// Steps is how many steps have been recorded.
func (r *Run) Steps() int {
	if r.recorder == nil {
		return 0
	}
	return len(r.recorder.Steps())
}

// Doc is the document as the last step left it; nil without a recording.
func (r *Run) Doc() *trace.Document {
	if r.recorder == nil {
		return nil
	}
	return r.recorder.Doc()
}

// Trace is the recording so far, with what documents the messages in it; nil without one.
func (r *Run) Trace() *trace.Trace {
	if r.recorder == nil {
		return nil
	}
	setup := jsonvalue.AppendString(nil, r.in.Setup)
	t := r.recorder.Trace(trace.Trace{Core: Version, Setup: setup, Seed: int64(r.in.Seed), Script: r.in.Script, Msgs: map[string]env.Message{}})
	all := Messages()
	for _, s := range t.Steps {
		t.Msgs[s.Msg] = all[s.Msg]
	}
	return t
}

// limit is how many choices one operation may take.
func (r *Run) limit() int {
	if r.opts.MaxChoices == 0 && r.recorder != nil {
		return RecordedLimit
	}
	return r.opts.MaxChoices
}

// Close ends the world and releases the store.
func (r *Run) Close() error {
	if r.world == nil {
		return r.opts.Store.Shutdown()
	}
	return r.world.Close()
}

// Moment is where expressions are evaluated now: the document and the last step.
func (r *Run) Moment() *script.Moment {
	doc := r.recorder.Doc()
	m := &script.Moment{Now: doc}
	if steps := r.recorder.Steps(); len(steps) > 0 {
		last := steps[len(steps)-1]
		m.Before, m.Step = trace.Past{Doc: doc, Step: last}, last
	}
	return m
}

// Messages is what documents the message keys of all packages.
func Messages() map[string]env.Message {
	all := map[string]env.Message{}
	for _, list := range messages {
		for _, m := range list {
			all[m.Key] = m
		}
	}
	return all
}

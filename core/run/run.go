// Package run carries out scripts: it hands sim the store it is given, records the trace, and answers from it.
//
// The inputs of a run are the truth. A run is (setup, script, seed); nothing is ever saved or cloned: to fork, a run is
// executed again from its start to the step where it forks (fork.go). Setup lines run before the recording begins.
package run

import (
	"encoding/json"
	"errors"
	"fmt"

	"controllerscope/core/env"
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
}

// Options say what a run is carried out on, and how.
type Options struct {
	Store  zk.Store
	Record bool // keep a trace; until EXPR, expect, never and Why need it
	// OnStep, if set, sees every recorded step with the document as it left it.
	OnStep func(*trace.Step, *trace.Document)
	// MaxSteps, if not 0, bounds a recorded run.
	MaxSteps int
}

// Run is a run under way. Close must be called.
type Run struct {
	in       Inputs
	opts     Options
	setup    *script.Script
	script   *script.Script
	world    *sim.World
	recorder *trace.Recorder
	next     int            // operation of the script that comes next
	starts   []int          // per operation carried out: how many steps there were before it
	bounced  kafka.BrokerID // the controller that the last bounce went behind

	until    *script.Expr // what the present until waits for
	reached  bool
	nevers   []*script.Line
	violated error
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
	var errSetup, errScript error
	r.setup, errSetup = script.Parse(in.Name+" setup", in.Setup)
	r.script, errScript = script.Parse(in.Name, in.Script)
	if err := errors.Join(errSetup, errScript); err != nil {
		return nil, err
	}
	for _, line := range r.setup.Operations() {
		if err := r.Do(line); err != nil {
			r.Close()
			return nil, err
		}
	}
	if o.Record {
		r.startRecording()
	}
	return r, nil
}

// startRecording begins the trace with the world as it stands.
func (r *Run) startRecording() {
	r.recorder = trace.NewRecorder()
	projector := view.New()
	if r.world != nil {
		r.world.Record(r.recorder)
		r.recorder.Begin(projector.Begin(r.recorder.Doc())...)
	}
	r.recorder.Project = projector.Project
	r.recorder.Check = sim.Check
	r.recorder.Sink = r.onStep
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
	ops := r.script.Operations()
	if r.next == len(ops) {
		return false, nil
	}
	r.starts = append(r.starts, r.Steps())
	r.next++
	return true, r.Do(ops[r.next-1])
}

// Do carries out one operation.
func (r *Run) Do(line *script.Line) error {
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
	setup, _ := json.Marshal(r.in.Setup) // a string always marshals
	t := r.recorder.Trace(trace.Trace{Core: Version, Setup: setup, Seed: int64(r.in.Seed), Script: r.in.Script, Msgs: map[string]env.Message{}})
	all := Messages()
	for _, s := range t.Steps {
		t.Msgs[s.Msg] = all[s.Msg]
	}
	return t
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

// Package api is what a page can ask the core: four calls, one JSON text each way. It has no types of JavaScript, so that
// it is tested natively; package main registers the calls.
//
//	load    {setup, script, seed, tree?, tail?}  ->  {trace, inputs:{setup, script, seed, tree?}, failure?}
//	act     {base, line, tail?}                  ->  {trace, inputs:{…}, from, failure?}
//	choices {at, line?, forms?, weather?} ->  {choices:[{id, kind, what, process, due, droppable, line, ways:[{line, legal, reason}]}],
//	                                           verbs:[{line, legal, reason}], office, complete?:[word], forms?:[{words, usage, about, slots}], gust?}
//	eval    {at, expr}                    ->  {value} or, when a subtree is there, {below:[word]}
//
// Of exercises:
//
//	load    {exercise, who, class, part}           ->  {trace, inputs, dealt:{variant, values, operations, verbs}}
//	eval    {exercise, who, class, part?, handin}  ->  {report:{points, of, results, notes}, file, line}
//
// load makes a run the one that the other calls speak of; tree is a ZooKeeper's tree as text (package zktree), and without
// setup and script its brokers start again. choices says what may happen next and what may be done; with line also the words
// that could come where it ends, with forms every verb with its arguments, with weather (breezy, storm) the line that it blows. act does one line of script right after its step base and makes
// the run that comes of it the present one; from is the step of the line. With tail the answer's trace is only what a page
// that has the run lacks (trace.Tail): of act the steps after base, of load none. at is a step too; -1 is before the first. failure
// says what did not go as the script says; the trace shows how. Bad input is answered {error}, a mistake of the core {panic}.
package api

import (
	"errors"
	"fmt"
	"runtime/debug"
	"strconv"

	"controllerscope/core/jsonvalue"
	"controllerscope/core/run"
	"controllerscope/core/script"
	"controllerscope/core/sim"
	"controllerscope/core/trace"
	"controllerscope/core/zk"
	"controllerscope/core/zk/zkmem"
	"controllerscope/core/zk/zktree"
)

// API answers calls, one at a time. It keeps runs alive, so that a call at the end of one goes on instead of executing it
// again; both ways give the same bytes.
type API struct {
	run     *run.Run // the present run
	probe   *run.Run // the present run up to step probeAt; nil when there is none
	probeAt int
	now     *run.Run        // the run that a call works on, for a panic's report
	inputs  run.Inputs      // of that run
	store   func() zk.Store // makes an empty store
}

// New is an API without a present run.
func New() *API { return &API{store: func() zk.Store { return zkmem.New(zkmem.Options{}) }} }

// Names lists the calls.
func Names() []string { return []string{"load", "act", "choices", "eval"} }

// Panic reports a mistake of the core with everything that is needed to see it again.
type Panic struct {
	Message string
	Setup   string
	Script  string
	Seed    uint64
	Step    int // the last one recorded
	Stack   string
}

// Call answers one call. It never panics: a run in which the core did is given up.
func (a *API) Call(name, text string) (answer string) {
	defer func() {
		if r := recover(); r != nil {
			answer = a.panicked(r, string(debug.Stack()))
		}
	}()
	out, err := a.call(name, text)
	if err != nil {
		return object("error", err.Error())
	}
	return out
}

func (a *API) panicked(cause any, stack string) string {
	if crash, ok := cause.(*sim.Crash); ok {
		stack = crash.Stack
	}
	p := Panic{Message: fmt.Sprint(cause), Setup: a.inputs.Setup, Script: a.inputs.Script, Seed: a.inputs.Seed, Step: -1, Stack: stack}
	if a.now != nil {
		p.Step = a.now.Steps() - 1
		p.Script = a.now.Inputs().Script
	}
	a.run, a.probe, a.now = nil, nil, nil
	return object("panic", p.value())
}

func (a *API) call(name, text string) (string, error) {
	switch name {
	case "load":
		return a.load(text)
	case "act":
		return a.act(text)
	case "choices":
		return a.choices(text)
	case "eval":
		return a.eval(text)
	}
	return "", fmt.Errorf("there is no call %s; there are %v", name, Names())
}

func (a *API) load(text string) (string, error) {
	in := run.Inputs{Name: "script"}
	var s student
	var tail bool
	if err := s.fields(fields{"setup": &in.Setup, "script": &in.Script, "seed": &in.Seed, "tree": &in.Tree, "tail": &tail}).read(text); err != nil {
		return "", err
	}
	if s.exercise != "" {
		return a.begin(s)
	}
	if err := plant(&in); err != nil {
		return "", err
	}
	if a.run == nil || a.run.Inputs() != in {
		r, err := a.execute(in)
		if err != nil {
			return "", err
		}
		a.present(r)
	}
	return begun(a.run, tail, a.run.Steps()) + `}`, nil
}

// plant reads the tree of a run, and says what its brokers do when nothing is said.
func plant(in *run.Inputs) error {
	if in.Tree == "" {
		return nil
	}
	tree, err := zktree.Read("tree", in.Tree)
	if err != nil {
		return err
	}
	in.Tree = tree.String()
	if in.Setup == "" && in.Script == "" {
		in.Script, err = run.TakeOver(tree)
	}
	return err
}

// begun is what an answer says of a run, of which with tail the page has the first n steps; the object is left open.
func begun(r *run.Run, tail bool, n int) string {
	t := r.Trace()
	var text []byte
	if tail {
		text = t.Tail(n)
	} else {
		text = t.JSON()
	}
	return `{"trace":` + string(text) + `,"inputs":` + inputsText(r) + failure(r)
}

func inputsText(r *run.Run) string { return string(jsonvalue.Append(nil, inputs(r.Inputs()))) }

// execute carries a script out. A script that does not go as it says is no error: its run shows how.
func (a *API) execute(in run.Inputs) (*run.Run, error) {
	a.now, a.inputs = nil, in
	r, err := run.Start(in, run.Options{Store: a.store(), Record: true})
	if err != nil {
		return nil, err
	}
	a.now = r
	if err := r.Finish(); err != nil && !failed(err) {
		return nil, errors.Join(err, r.Close())
	}
	return r, nil
}

// present makes r the present run.
func (a *API) present(r *run.Run) {
	for _, old := range []*run.Run{a.run, a.probe} {
		if old != nil && old != r {
			_ = old.Close() // a store in memory always closes
		}
	}
	a.run, a.probe = r, nil
}

func failed(err error) bool {
	var f *run.Failure
	return errors.As(err, &f)
}

// failure is the end of an answer about a run that did not go as its script says.
func failure(r *run.Run) string {
	if r.Failed() == nil {
		return ""
	}
	return string(jsonvalue.AppendString([]byte(`,"failure":`), r.Failed().Error()))
}

// at is a living run that goes as the present one and stands right after step i.
func (a *API) at(i int) (*run.Run, error) {
	switch {
	case a.run == nil:
		return nil, errors.New("no run is loaded; load one first")
	case i == a.run.Steps()-1 && a.run.Failed() == nil:
		return a.run, nil
	case a.probe != nil && a.probeAt == i:
		return a.probe, nil
	}
	in, err := a.run.At(i)
	if err != nil {
		return nil, err
	}
	r, err := a.execute(in)
	if err != nil {
		return nil, err
	}
	if a.probe != nil {
		_ = a.probe.Close()
	}
	a.probe, a.probeAt = r, i
	return r, nil
}

func (a *API) act(text string) (string, error) {
	var base int
	var line string
	var tail bool
	if err := (fields{"base": &base, "line": &line, "tail": &tail}).read(text); err != nil {
		return "", err
	}
	r, err := a.at(base)
	if err != nil {
		return "", err
	}
	a.now, a.inputs = r, r.Inputs()
	from := r.Steps()
	if err := r.Append(line); err != nil && !failed(err) {
		return "", err
	}
	a.present(r)
	return begun(r, tail, base+1) + `,"from":` + strconv.Itoa(from) + `}`, nil
}

func (a *API) choices(text string) (string, error) {
	var at int
	var forms bool
	var weather string
	line := "\n" // no line has one
	if err := (fields{"at": &at, "line": &line, "forms": &forms, "weather": &weather}).read(text); err != nil {
		return "", err
	}
	r, err := a.at(at)
	if err != nil {
		return "", err
	}
	out := map[string]any{"choices": listed(r.Choices(), pending), "verbs": listed(r.Options(), option), "office": r.InOffice()}
	if line != "\n" {
		out["complete"] = r.Complete(line)
	}
	if weather != "" {
		out["gust"] = r.Gust(weather)
	}
	if forms {
		out["forms"] = listed(r.Verbs(), form)
	}
	return string(jsonvalue.Append(nil, out)), nil
}

func (a *API) eval(text string) (string, error) {
	var at int
	var exprText, handin string
	var s student
	if err := s.fields(fields{"at": &at, "expr": &exprText, "handin": &handin}).read(text); err != nil {
		return "", err
	}
	if s.exercise != "" {
		return a.grade(s, handin)
	}
	if a.run == nil {
		return "", errors.New("no run is loaded; load one first")
	}
	expr, err := script.ParseExpr(exprText)
	if err != nil {
		return "", err
	}
	if at < -1 || at >= a.run.Steps() {
		return "", fmt.Errorf("there is no step %d; the run has %d", at, a.run.Steps())
	}
	c := trace.NewCursor(a.run.Trace())
	c.Seek(at)
	m := &script.Moment{Now: c.Doc()}
	if step := c.Step(); step != nil {
		m.Before, m.Step = trace.Past{Doc: c.Doc(), Step: step}, step
	}
	value := expr.Eval(m)
	if sub, ok := value.(script.Subtree); ok {
		return object("below", c.Doc().Names(sub.Path()...)), nil
	}
	return object("value", value), nil
}

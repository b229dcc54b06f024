package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"controllerscope/core/lesson"
	"controllerscope/core/run"
	"controllerscope/core/script"
	"controllerscope/core/sim"
	"controllerscope/core/trace"
	"controllerscope/core/zk"
	"controllerscope/core/zk/zkmem"
	"controllerscope/lessons"
)

// runFlags are what `headless run` takes.
type runFlags struct {
	file, traceFile, load, zk, record, lang, upto, why, only string
	json, brief                                              bool
	seed                                                     uint64
	limit                                                    int

	until   *script.Expr // of upto, nil without one
	whyPath []string     // of why
	whyAt   *script.Expr // of why, nil at the end
}

// runCommand plays a lesson, a script, or a recorded trace, and tells it step by step.
func runCommand(args []string, out, errw io.Writer) int {
	var o runFlags
	f := newFlags("run", errw)
	f.StringVar(&o.file, "f", "", "a script `FILE` instead of a lesson (- is standard input)")
	f.StringVar(&o.traceFile, "trace", "", "tell a recorded trace `FILE` instead of running anything")
	f.StringVar(&o.load, "load", "", "begin with the tree in `FILE` (what headless dump prints); without -f its brokers start again")
	f.StringVar(&o.zk, "zk", "", "run on a real ZooKeeper: `HOST:PORT[,HOST:PORT…]/CHROOT`")
	f.StringVar(&o.record, "record", "", "write the trace to `FILE`")
	f.BoolVar(&o.json, "json", false, "print steps as JSON lines")
	f.BoolVar(&o.brief, "stops", false, "of a lesson, tell the stops only")
	f.StringVar(&o.lang, "lang", "en", "language: `en|zh`")
	f.StringVar(&o.upto, "upto", "", "stop at the first step for which `EXPR` holds, and print the world there")
	f.StringVar(&o.why, "why", "", "print why a value stands where it does: `PATH[@EXPR]`, EXPR says when (default: at the end)")
	f.StringVar(&o.only, "only", "", "of a lesson with several runs, the run with this `ID`")
	f.IntVar(&o.limit, "limit", run.RecordedLimit, "end an operation that does not come to rest within `N` choices")
	f.Uint64Var(&o.seed, "seed", 1, "of a script: what its dice start from")
	rest, err := parse(f, args)
	if err != nil {
		return usage(err)
	}
	sentences, err := lessons.Sentences(o.lang)
	if err == nil {
		err = o.parse()
	}
	if err != nil {
		return fail(errw, exitUsage, "%v", err)
	}
	if err := fits(f, len(rest) == 1 && o.file == "" && o.load == "", o.traceFile == ""); err != nil {
		return fail(errw, exitUsage, "%v", err)
	}
	t := &teller{out: out, sentences: sentences, o: o}
	switch {
	case o.load != "" && len(rest) == 0 && o.traceFile == "":
		return t.loaded(errw)
	case o.traceFile != "" && len(rest) == 0 && o.file == "" && o.load == "" && o.zk == "":
		return t.recorded(errw)
	case o.file != "" && len(rest) == 0:
		return t.script(errw)
	case o.file == "" && o.traceFile == "" && o.load == "" && len(rest) == 1:
		return t.lesson(rest[0], errw)
	}
	return fail(errw, exitUsage, "run takes one lesson (lessons/10-bounce), or -f SCRIPT, or --trace FILE; --load goes with -f or alone, --zk not with --trace")
}

// fits refuses flags that would change nothing in what is played.
func fits(f *flag.FlagSet, lesson, played bool) (err error) {
	f.Visit(func(given *flag.Flag) {
		switch {
		case given.Name == "seed" && lesson:
			err = errors.New("--seed goes with -f or --load; each run of a lesson has a seed of its own, with which its stops were checked")
		case (given.Name == "stops" || given.Name == "only") && !lesson:
			err = fmt.Errorf("--%s goes with a lesson", given.Name)
		case (given.Name == "seed" || given.Name == "limit") && !played:
			err = fmt.Errorf("--%s goes with what is played; a trace is only told", given.Name)
		}
	})
	return err
}

// parse checks the flags and reads the expressions among them, so that a mistake is told before anything is played.
func (o *runFlags) parse() (err error) {
	if o.limit < 1 {
		return errors.New("--limit is a number of choices, 1 or more")
	}
	if o.seed > math.MaxInt64 {
		return fmt.Errorf("--seed is a whole number from 0 to %d, the most that a trace can keep", math.MaxInt64)
	}
	if err = writable("--record", o.record); err != nil {
		return err
	}
	if o.upto != "" {
		if o.until, err = script.ParseExpr(o.upto); err != nil {
			return fmt.Errorf("--upto: %w", err)
		}
	}
	if o.why == "" {
		return nil
	}
	if o.json {
		return errors.New("--why answers in sentences; leave --json out")
	}
	path, when, timed := strings.Cut(o.why, "@")
	if o.whyPath, err = script.ParsePath(path); err == nil && timed {
		o.whyAt, err = script.ParseExpr(when)
	}
	if err != nil {
		return fmt.Errorf("--why: %w", err)
	}
	return nil
}

// lesson plays the runs of a lesson one after the other.
func (t *teller) lesson(name string, errw io.Writer) int {
	l, err := openLesson(name)
	if err != nil {
		return fail(errw, exitUsage, "%v", err)
	}
	runs := slices.DeleteFunc(slices.Clone(l.Runs), func(r lesson.Run) bool { return t.o.only != "" && r.ID != t.o.only })
	if len(runs) == 0 {
		return fail(errw, exitUsage, "lesson %s has no run %q", l.ID, t.o.only)
	}
	for i, r := range runs {
		t.locate = func(err error) error { return l.Located(r, err) }
		tr, code := t.play(l.Inputs(r), errw)
		if tr == nil {
			return code
		}
		if i == 0 {
			t.title(l)
		}
		stops, err := l.Resolve(r, tr)
		var unreadable *script.Error
		if errors.As(err, &unreadable) {
			return fail(errw, exitUsage, "%v", err)
		}
		if err != nil {
			return fail(errw, exitFailed, "%v", err)
		}
		if tr, err = t.cut(tr); err != nil {
			return fail(errw, exitUsage, "%v", err)
		}
		t.tell(tr, l, r, stops)
		if code := t.after(tr, errw, code); code != exitOK {
			return code
		}
		if t.o.record != "" || t.o.upto != "" || t.o.why != "" {
			break // one trace, one file, one answer: the first run (or the one that --only names)
		}
	}
	return exitOK
}

// openLesson takes a folder, or the name of an embedded lesson.
func openLesson(name string) (*lesson.Lesson, error) {
	if _, err := os.Stat(filepath.Join(name, "lesson.yaml")); err == nil {
		return lessons.Open(filepath.Clean(name))
	}
	switch info, err := os.Stat(name); {
	case err == nil && info.IsDir():
		return nil, fmt.Errorf("%s is no lesson: no lesson.yaml is in it", name)
	case err == nil:
		return nil, fmt.Errorf("%s is no lesson, which is a folder; a script is given with -f, a trace with --trace", name)
	}
	id := strings.TrimSuffix(strings.TrimPrefix(name, "lessons/"), "/")
	if id == "" {
		id = name
	}
	return lessons.Embedded(id)
}

// script plays a script file.
func (t *teller) script(errw io.Writer) int {
	text, err := readScript(t.o.file)
	if err != nil {
		return fail(errw, exitUsage, "%v", err)
	}
	return t.inputs(run.Inputs{Name: scriptName(t.o.file), Script: text, Seed: t.o.seed}, errw)
}

// scriptName is what errors call a script file.
func scriptName(file string) string {
	if file == "-" {
		return "standard input"
	}
	return filepath.Base(file)
}

// readScript reads a script file; - is standard input.
func readScript(file string) (string, error) {
	if file == "-" {
		data, err := io.ReadAll(os.Stdin)
		return string(data), err
	}
	data, err := os.ReadFile(file)
	return string(data), err
}

// inputs plays what is no lesson.
func (t *teller) inputs(in run.Inputs, errw io.Writer) int {
	tr, code := t.play(in, errw)
	if tr == nil {
		return code
	}
	if code == exitOK && len(tr.Steps) == 0 {
		fmt.Fprintf(errw, "headless: %s came to no step: no operation in it makes anybody do anything\n", in.Name)
	}
	if code == exitOK {
		var err error
		if tr, err = t.cut(tr); err != nil {
			return fail(errw, exitUsage, "%v", err)
		}
	}
	t.tell(tr, nil, lesson.Run{}, nil)
	return t.after(tr, errw, code)
}

// recorded tells a trace file.
func (t *teller) recorded(errw io.Writer) int {
	tr, err := readTrace(t.o.traceFile)
	if err == nil {
		tr, err = t.cut(tr)
	}
	if err != nil {
		return fail(errw, exitUsage, "%v", err)
	}
	t.tell(tr, nil, lesson.Run{}, nil)
	if tr.Torn {
		fmt.Fprintln(errw, "headless: the last line of the trace was incomplete and is left out")
	}
	return t.after(tr, errw, exitOK)
}

// play carries inputs out. Without a trace there is nothing to tell, and code says why; with one, code is what the run
// itself came to (a failed expect still has a trace that shows how).
func (t *teller) play(in run.Inputs, errw io.Writer) (*trace.Trace, int) {
	ctx := context.Background()
	if t.o.zk != "" {
		var stop context.CancelFunc
		ctx, stop = interrupt()
		defer stop()
	}
	store, code, err := openStore(ctx, t.o.zk)
	if err != nil {
		return nil, fail(errw, code, "%v", err)
	}
	r, err := run.Start(in, run.Options{Store: store, Record: true, MaxChoices: t.o.limit})
	if err != nil {
		return nil, t.failure(err, errw)
	}
	if err = r.Finish(); errors.Is(err, errInterrupted) {
		code = exitInterrupted
	} else if err != nil {
		code = t.failure(err, errw)
	}
	// On a real ZooKeeper the end of a run compares the whole tree and removes the run's folder.
	if closed := r.Close(); closed != nil && code != exitEnvironment {
		code = t.failure(closed, errw)
	}
	if code != exitOK && code != exitFailed {
		return nil, code
	}
	return r.Trace(), code
}

// failure prints what went wrong and says what kind it is.
func (t *teller) failure(err error, errw io.Writer) int {
	if t.locate != nil {
		err = t.locate(err)
	}
	fmt.Fprintf(errw, "headless: %v\n", err)
	var failed *run.Failure
	var restless sim.ErrRestless
	switch {
	case errors.As(err, &failed), errors.As(err, &restless):
		return exitFailed
	case environmental(err):
		return zkExit(err)
	}
	return exitUsage
}

// cut keeps what --upto asks for, everything without it.
func (t *teller) cut(tr *trace.Trace) (*trace.Trace, error) {
	if t.o.until == nil {
		return tr, nil
	}
	cut := cutAt(tr, t.o.until)
	if cut == nil {
		return nil, fmt.Errorf("--upto %s: it holds at no step", t.o.upto)
	}
	return cut, nil
}

// cutAt keeps the steps up to the first one for which the expression holds; nil when there is none.
func cutAt(tr *trace.Trace, e *script.Expr) *trace.Trace {
	c := trace.NewCursor(tr)
	for i := range tr.Steps {
		c.Seek(i)
		if e.True(&script.Moment{Now: c.Doc(), Before: trace.Past{Doc: c.Doc(), Step: c.Step()}, Step: c.Step()}) {
			cut := *tr
			cut.Steps = tr.Steps[:i+1]
			return &cut
		}
	}
	return nil
}

// after does what is asked for once the telling is over: the world at --upto, --why, --record.
func (t *teller) after(tr *trace.Trace, errw io.Writer, code int) int {
	if t.o.upto != "" {
		t.world(tr)
	}
	if t.o.why != "" {
		if err := t.explain(tr); err != nil {
			return fail(errw, exitUsage, "%v", err)
		}
	}
	if t.o.record != "" {
		if err := named("--record", t.o.record, writeWhole(t.o.record, tr.JSON())); err != nil {
			return fail(errw, exitEnvironment, "%v", err)
		}
	}
	return code
}

// embedded is the emulator.
func embedded() zk.Store { return zkmem.New(zkmem.Options{}) }

package sim

import (
	"fmt"
	"iter"
	"runtime/debug"
	"slices"

	"controllerscope/core/env"
)

// thread is a coroutine of a process. This type alone creates, resumes and tears down coroutines.
type thread struct {
	proc   *process
	name   string
	cursor cursor
	wakes  int
	ready  func() bool // of the wait it is in; nil while it runs or waits for answers
	why    string
	queued bool // a wake is on the agenda
	ended  bool

	next  func() (struct{}, bool)
	stop  func()
	yield func(struct{}) bool
}

// Crash is what the world panics with when the body of a thread did: a mistake of ours. Stack is where the body was; the
// stack of the panic itself begins in the world.
type Crash struct {
	Cause any
	Stack string
}

func (c *Crash) Error() string { return fmt.Sprint(c.Cause) }

// unwind leaves the body of a thread whose process is gone.
type unwind struct{}

// spawn makes a thread that begins as soon as the world takes the choice.
func (p *process) spawn(name string, body func()) {
	t := &thread{proc: p, name: name}
	t.cursor.lane = t.String()
	t.cursor.after(p.w.at.last())
	t.next, t.stop = iter.Pull(func(yield func(struct{}) bool) {
		defer func() {
			if r := recover(); r != nil && r != (unwind{}) {
				panic(&Crash{r, string(debug.Stack())})
			}
		}()
		t.yield = yield
		body()
	})
	p.threads = append(p.threads, t)
	p.w.threads++
	t.why = "start"
	t.offerWake()
}

// String is the name that hold takes: "0.controller".
func (t *thread) String() string { return t.proc.name + "." + t.name }

// park gives control back to the world until somebody resumes the thread.
func (t *thread) park() {
	if !t.yield(struct{}{}) {
		panic(unwind{})
	}
}

// resume runs the thread to its next park, or to its end.
func (t *thread) resume() {
	w := t.proc.w
	at, current := w.at, w.current
	w.at, w.current = &t.cursor, t
	_, alive := t.next()
	w.at, w.current = at, current
	at.after(t.cursor.last()) // what else comes of this choice follows from what the thread did
	if !alive {
		t.finish()
	}
}

// finish forgets a thread that has ended.
func (t *thread) finish() {
	if t.ended {
		return
	}
	t.ended, t.proc.w.ended = true, true
	t.proc.w.threads--
	t.proc.threads = slices.DeleteFunc(t.proc.threads, func(o *thread) bool { return o == t })
}

// tearDown ends a thread wherever it is.
func (t *thread) tearDown() {
	t.proc.w.forget(t)
	t.stop()
	t.finish()
}

// forget takes a thread out of the list of those that wait.
func (w *World) forget(t *thread) {
	t.ready = nil
	w.waiting = slices.DeleteFunc(w.waiting, func(o *thread) bool { return o == t })
}

// wait parks the running thread until ready. It always parks, so that other actors may act first.
func (t *thread) wait(why string, ready func() bool) {
	t.why, t.ready = why, ready
	t.proc.w.waiting = append(t.proc.w.waiting, t)
	t.park()
}

// wake offers a wake for each thread whose wait is over.
func (w *World) wake() {
	for _, t := range w.waiting {
		if !t.queued && t.ready != nil && t.ready() {
			t.cursor.after(w.at.last())
			t.offerWake()
		}
	}
}

// offerWake puts the thread's going on onto the agenda.
func (t *thread) offerWake() {
	w := t.proc.w
	t.queued = true
	t.wakes++
	w.offer(&Choice{Kind: ThreadWake, What: t.why, Due: w.now, name: t.String(), number: t.wakes, cause: -1,
		proc: t.proc, thread: t, run: t.goOn})
}

// goOn is a wake taken: the thread runs, unless what it waited for is gone again.
func (t *thread) goOn() {
	t.queued = false
	if t.ended {
		return
	}
	if t.ready != nil {
		if !t.ready() {
			return
		}
		t.proc.w.forget(t)
	}
	t.cursor.after(t.proc.w.at.last())
	t.resume()
}

// answered lets a thread go on whose store batch is complete: at once, or by a choice of its own, when it is held or late.
func (t *thread) answered() {
	if t.proc.w.late || t.proc.w.held[t.String()] {
		t.why = "answer"
		t.offerWake()
		return
	}
	t.resume()
}

// sleep parks the thread for ms of virtual time.
func (t *thread) sleep(why string, ms int64) {
	over := false
	t.proc.After(env.Timer{Name: why, MS: ms}, func() { over = true })
	t.wait(why, func() bool { return over })
}

package sim

import (
	"encoding/binary"
	"slices"
	"strconv"

	"controllerscope/core/env"
	"controllerscope/core/kafka"
	"controllerscope/core/request"
)

// process is one running process: a broker's server, or the operator's tools. It implements env.Env.
type process struct {
	w        *World
	name     string  // "0", "admin"
	client   env.Arg // the name as an argument of notes
	skew     int64   // its clock minus virtual time, in ms
	paused   bool
	dead     bool
	signal   func() // what a paused process does first when it goes on: SIGTERM waits for SIGCONT
	threads  []*thread
	timers   []*Choice
	fired    int
	sessions []*session
	handler  request.Handler
	pending  []*wire // received, not yet answered
}

var _ env.Env = (*process)(nil)

// newProcess starts an empty process.
func (w *World) newProcess(name string, skew int64) *process {
	p := &process{w: w, name: name, client: env.A("client", name), skew: skew}
	w.procs[name] = p
	return p
}

// Now is the process's own clock.
func (p *process) Now() int64 { return Epoch + p.w.now + p.skew }

// NewUUID draws from the world's dice.
func (p *process) NewUUID() (id kafka.UUID) {
	binary.BigEndian.PutUint64(id[:8], p.w.dice.next())
	binary.BigEndian.PutUint64(id[8:], p.w.dice.next())
	return id
}

func (p *process) Go(name string, body func()) { p.spawn(name, body) }

func (p *process) Wait(why string, ready func() bool) { p.w.mustRun().wait(why, ready) }

func (p *process) Sleep(why string, ms int64) { p.w.mustRun().sleep(why, ms) }

// mustRun is the running thread; waiting anywhere else is our bug.
func (w *World) mustRun() *thread {
	if w.current == nil {
		panic("sim: a callback waits; only threads may")
	}
	return w.current
}

// After offers a choice that fires the timer.
func (p *process) After(t env.Timer, f func()) (cancel func()) {
	p.fired++
	c := &Choice{Kind: TimerFire, What: t.Name, Due: p.w.now + t.MS, name: "timer." + p.name + "." + t.Name, number: p.fired,
		proc: p, background: t.Periodic}
	if !t.Quiet {
		c.leaf = env.P("timer", p.name, timerName(c))
	}
	p.timers = append(p.timers, c)
	p.noteTimer(env.TimerSet, c, c.Due)
	c.cause = p.w.at.last()
	c.run = func() {
		p.forgetTimer(c)
		p.noteTimer(env.TimerFire, c, nil)
		f()
	}
	p.w.offer(c)
	return func() {
		if c.gone {
			return
		}
		c.gone = true
		p.forgetTimer(c)
		p.noteTimer(env.TimerSet, c, nil)
	}
}

// timerName is a timer's word in the document; several of one name can run.
func timerName(c *Choice) string { return c.What + "#" + strconv.Itoa(c.number) }

// noteTimer says what became of a timer that is not quiet; due is nil when it is over.
func (p *process) noteTimer(kind env.Kind, c *Choice, due any) {
	if c.leaf == nil || !p.w.tracing() {
		return
	}
	msg := "world.timer.set"
	switch {
	case kind == env.TimerFire:
		msg = "world.timer.fire"
	case due == nil:
		msg = "world.timer.cancel"
	}
	p.w.note(env.Note{Kind: kind, Entity: c.What, Msg: msg, Changes: []env.Change{{Path: c.leaf, After: due}},
		Args: []env.Arg{env.A("process", p.name), env.A("name", c.What), env.A("at", c.Due)}})
}

func (p *process) forgetTimer(c *Choice) {
	p.timers = slices.DeleteFunc(p.timers, func(o *Choice) bool { return o == c })
}

func (p *process) Tracing() bool { return p.w.tracing() }

func (p *process) Note(n env.Note) { p.w.note(n) }

// Guard is on unless a script switched it off.
func (p *process) Guard(name string) bool { return p.w.GuardOn(name) }

// Fix is off unless a script switched it on.
func (p *process) Fix(name string) bool { return p.w.fixes[name] }

// tearDown ends a process at once: its threads never come back, its timers are gone, its connections break.
// What its sessions become at the server is the caller's to say.
func (p *process) tearDown() {
	if p.dead {
		return
	}
	p.dead = true
	p.paused = false
	for len(p.threads) > 0 {
		p.threads[0].tearDown()
	}
	for _, c := range p.timers {
		c.gone = true
	}
	p.timers = nil
	for _, x := range slices.Clone(p.pending) {
		x.lose()
	}
	p.pending = nil
	if p.w.procs[p.name] == p {
		delete(p.w.procs, p.name)
	}
}

package live

import (
	"crypto/rand"
	"runtime"
	"strconv"
	"sync"
	"time"

	"controllerscope/core/env"
	"controllerscope/core/kafka"
)

// Hear hears every note of a process with the lane that it comes from, under the process's lock; it must not block. nil is
// nobody.
type Hear func(lane string, n env.Note)

// Process is one running process. It implements env.Env.
type Process struct {
	name     string
	recorder *Recorder
	hear     Hear
	settled  func() // runs before each release of the lock, nil for nothing

	mu      sync.Mutex
	wake    *sync.Cond
	at      *cursor // of what runs now
	last    []int   // the newest step of the process: why a thread that waited goes on
	dead    bool
	timers  map[*timer]struct{}
	fired   int
	threads int
}

var _ env.Env = (*Process)(nil)

// newProcess makes a process in which nothing runs yet.
func newProcess(name string, r *Recorder, hear Hear) *Process {
	p := &Process{name: name, recorder: r, hear: hear, timers: map[*timer]struct{}{}, at: &cursor{lane: name}}
	p.wake = sync.NewCond(&p.mu)
	return p
}

// lock and unlock are the process's one lock; every unlock lets those who Wait look again.
func (p *Process) lock() { p.mu.Lock() }

func (p *Process) unlock() {
	if p.settled != nil && !p.dead {
		p.settled()
	}
	p.wake.Broadcast()
	p.mu.Unlock()
}

// enter runs a callback under the lock, unless the process has ended.
func (p *Process) enter(at cursor, f func()) {
	p.lock()
	defer p.unlock()
	if !p.dead {
		p.on(&at, f)
	}
}

// on runs f with its notes in another lane. The lock is held.
func (p *Process) on(at *cursor, f func()) {
	before := p.at
	p.at = at
	f()
	p.at = before
}

// leave gives the lock up while f runs, in a thread. A process that has ended meanwhile keeps the thread.
func (p *Process) leave(f func()) {
	own := p.at
	f()
	if p.dead {
		runtime.Goexit()
	}
	p.at = own
}

// Now is the wall clock.
func (p *Process) Now() int64 { return time.Now().UnixMilli() }

// NewUUID draws a random id.
func (p *Process) NewUUID() (id kafka.UUID) {
	_, _ = rand.Read(id[:]) // never fails (crypto/rand)
	return id
}

// Go starts a thread. The caller holds the lock.
func (p *Process) Go(name string, body func()) {
	at := p.at.fork(p.name + "." + name)
	p.threads++
	go func() {
		p.lock()
		defer p.unlock()
		defer func() { p.threads-- }()
		if p.dead {
			return
		}
		p.at = &at
		body()
	}()
}

// Wait parks the calling thread until ready. Its cause is what the process did last.
func (p *Process) Wait(_ string, ready func() bool) {
	if ready() {
		return
	}
	p.wake.Broadcast() // what this thread did may be what another waits for
	p.leave(func() {
		if p.settled != nil {
			p.settled()
		}
		for !p.dead && !ready() {
			p.wake.Wait()
		}
	})
	p.at.after(p.last)
}

// Sleep parks the calling thread for ms.
func (p *Process) Sleep(why string, ms int64) {
	over := false
	p.After(env.Timer{Name: why, MS: ms}, func() { over = true })
	p.Wait(why, func() bool { return over })
}

// timer is one that runs.
type timer struct {
	t     *time.Timer
	name  string // its word in the document
	due   int64
	quiet bool
}

// After runs f in ms, unless it is cancelled or the process ends first.
func (p *Process) After(t env.Timer, f func()) (cancel func()) {
	p.fired++
	x := &timer{name: t.Name + "#" + strconv.Itoa(p.fired), quiet: t.Quiet}
	if p.recorder != nil {
		x.due = p.recorder.since(time.Now()) + t.MS
	}
	p.timers[x] = struct{}{}
	p.noteTimer(env.TimerSet, "world.timer.set", t.Name, x, env.Set(x.due, "timer", p.name, x.name))
	at := p.at.fork(p.name)
	x.t = time.AfterFunc(time.Duration(t.MS)*time.Millisecond, func() {
		p.enter(at, func() {
			if _, runs := p.timers[x]; !runs {
				return
			}
			delete(p.timers, x)
			p.noteTimer(env.TimerFire, "world.timer.fire", t.Name, x, env.Unset("timer", p.name, x.name))
			f()
		})
	})
	return func() {
		if _, runs := p.timers[x]; !runs {
			return
		}
		delete(p.timers, x)
		x.t.Stop()
		p.noteTimer(env.TimerSet, "world.timer.cancel", t.Name, x, env.Unset("timer", p.name, x.name))
	}
}

func (p *Process) noteTimer(kind env.Kind, msg, name string, x *timer, change env.Change) {
	if p.recorder != nil && !x.quiet {
		p.Note(env.Note{Kind: kind, Entity: name, Msg: msg, Changes: []env.Change{change},
			Args: []env.Arg{env.A("process", p.name), env.A("name", name), env.A("at", x.due)}})
	}
}

// Tracing is true when somebody hears notes.
func (p *Process) Tracing() bool { return p.recorder != nil || p.hear != nil }

// Note records a note and tells it to who listens.
func (p *Process) Note(n env.Note) {
	p.recorder.record(p.at, n)
	p.noted(n)
}

// noted does what follows every note that was recorded.
func (p *Process) noted(n env.Note) {
	p.last = p.at.prev
	if p.hear == nil {
		return
	}
	lane := n.Lane
	if lane == "" {
		lane = p.at.lane
	}
	p.hear(lane, n)
}

// Guard and Fix are Kafka 2.8.2 as it is.
func (p *Process) Guard(string) bool { return true }
func (p *Process) Fix(string) bool   { return false }

// end stops everything in the process where it is. The lock is held.
func (p *Process) end() {
	if p.dead {
		return
	}
	p.dead = true
	for x := range p.timers {
		x.t.Stop()
	}
	clear(p.timers)
	p.wake.Broadcast()
}

package sim

import (
	"container/heap"
	"fmt"
	"slices"
	"strings"

	"controllerscope/core/env"
	"controllerscope/core/kafka"
	"controllerscope/core/request"
	"controllerscope/core/trace"
	"controllerscope/core/zk"
)

// Latencies of the default profile, in virtual ms.
const (
	toStore  = 1 // a request on its way to ZooKeeper
	toClient = 1 // an answer or watch event on its way back
	onNet    = 2 // a request between processes
	netBack  = 1 // its answer
)

// Epoch is the wall clock at virtual time 0, in ms since 1970: 2022-11-29T09:17:00Z.
const Epoch int64 = 1669713420000

// Config is what a world is made of.
type Config struct {
	Setup    Setup
	Seed     uint64
	Store    zk.Store
	Recorder *trace.Recorder // nil records nothing until Record
}

// World is the running world. It is not safe for concurrent use; Close must be called.
type World struct {
	cfg     Config
	now     int64
	seq     int64
	agenda  agenda
	set     []*Choice // choices set aside because something holds them
	at      *cursor
	current *thread // the thread that runs right now, nil in callbacks
	dice    dice
	failed  error // the store failed; nothing goes on
	notes   env.Journal
	bodies  request.Bodies

	procs    map[string]*process
	brokers  map[kafka.BrokerID]*machine
	sessions map[zk.SessionID]*session // that the server still has
	opened   []*session                // all that ever were
	zxid     int64                     // last transaction
	ended    bool                      // a thread ended: a process may have
	waiting  []*thread
	threads  int // running coroutines, for the proof that none leaks
	batches  int // of requests to ZooKeeper, so far
	wires    map[string]*wire
	conns    map[connKey]*connection
	made     map[string]int // connections made so far, by name
	codes    map[zk.Code]env.Arg
	held     map[string]bool
	guards   map[string]bool     // false: switched off
	fixes    map[string]bool     // true: switched on
	loseOn   map[string][]string // process -> paths of writes whose answers will be lost
	operator *operator
	clients  map[string]*client // plain ones that are open
	lagging  map[int]bool       // followers of an ensemble that lag
	noQuorum bool
	late     bool          // LateThreads
	checking bool          // the server will look for containers to remove
	checks   int           // how often that was offered
	atQuorum []func()      // what clients try again once there is a quorum
	listener func(Message) // hears the network, nil for nobody
}

// New makes a world in which nothing runs yet: brokers are machines that are switched off.
func New(cfg Config) *World {
	w := &World{cfg: cfg, procs: map[string]*process{}, brokers: map[kafka.BrokerID]*machine{},
		sessions: map[zk.SessionID]*session{}, wires: map[string]*wire{}, conns: map[connKey]*connection{}, made: map[string]int{}, codes: map[zk.Code]env.Arg{},
		held: map[string]bool{}, guards: map[string]bool{}, fixes: map[string]bool{}, loseOn: map[string][]string{}, lagging: map[int]bool{}, clients: map[string]*client{}}
	w.dice, w.notes.Env = dice{cfg.Seed}, teller{w}
	w.at = &cursor{lane: "world"}
	for _, b := range cfg.Setup.Brokers {
		w.brokers[b.ID] = newMachine(b)
	}
	for _, o := range cfg.Setup.Orphans {
		w.inherit(o)
	}
	if cfg.Recorder != nil {
		w.Record(cfg.Recorder)
	}
	return w
}

// Now is the virtual time in ms since the world began.
func (w *World) Now() int64 { return w.now }

// Err is the store's failure, after which nothing goes on; nil while all is well.
func (w *World) Err() error { return w.failed }

// fail remembers the first failure of the store.
func (w *World) fail(err error) {
	if w.failed == nil && err != nil {
		w.failed = err
	}
}

// Close ends every process and releases the store.
func (w *World) Close() error {
	for _, name := range kafka.SortedKeys(w.procs) {
		w.procs[name].tearDown()
	}
	return w.cfg.Store.Shutdown()
}

// Threads counts the coroutines that exist.
func (w *World) Threads() int { return w.threads }

// Batches counts how often a thread asked ZooKeeper something: one or more requests in flight together.
func (w *World) Batches() int { return w.batches }

// blocked reports whether something holds a choice back.
func (w *World) blocked(c *Choice) bool {
	if p := c.waitsFor(); p != nil && p.paused {
		return true
	}
	if len(w.held) == 0 {
		return false
	}
	return w.held[c.name] || w.held[c.ID()]
}

// peek returns the choice that the default policy takes next, nil when there is none.
func (w *World) peek() *Choice {
	for len(w.agenda) > 0 {
		c := w.agenda[0]
		switch {
		case c.gone:
			heap.Pop(&w.agenda)
		case w.blocked(c):
			w.set = append(w.set, heap.Pop(&w.agenda).(*Choice))
		default:
			return c
		}
	}
	return nil
}

// unblock puts what was set aside back on the agenda, after a release; what can go on now goes on because of that too.
func (w *World) unblock() {
	for _, c := range w.set {
		if !w.blocked(c) {
			c.freed = w.at.last() + 1
		}
		heap.Push(&w.agenda, c)
	}
	w.set = nil
}

// Next takes the earliest choice: smallest due time, then oldest. It reports whether there was one.
func (w *World) Next() bool {
	c := w.peek()
	if c == nil || w.failed != nil {
		return false
	}
	w.take(c)
	return true
}

// take makes a choice happen, then wakes the threads whose wait is over.
func (w *World) take(c *Choice) {
	c.gone = true
	w.now = max(w.now, c.Due)
	if c.pipe != nil {
		c.pipe.pop()
	}
	cur := &cursor{lane: "world"}
	cur.after(c.cause)
	cur.after(c.freed - 1)
	if c.proc != nil {
		cur.lane = c.proc.name
	}
	w.on(cur, func() {
		c.run()
		w.wake()
		if w.ended {
			w.ended = false
			w.reap()
		}
	})
}

// Choices lists what may happen next, earliest first; held ones are left out.
func (w *World) Choices() []*Choice {
	var out []*Choice
	for _, c := range w.agenda {
		if !c.gone && !w.blocked(c) {
			out = append(out, c)
		}
	}
	slices.SortFunc(out, func(a, b *Choice) int {
		if a.Due != b.Due {
			return int(a.Due - b.Due)
		}
		return int(a.seq - b.seq)
	})
	return out
}

// find returns the pending choice with that ID, also when it is held.
func (w *World) find(id string) (*Choice, error) {
	var known []string
	for _, list := range [][]*Choice{w.agenda, w.set} {
		for _, c := range list {
			if c.gone {
				continue
			}
			if c.ID() == id {
				return c, nil
			}
			known = append(known, c.ID())
		}
	}
	if len(known) == 0 {
		return nil, fmt.Errorf("nothing with the id %s is pending; nothing is", id)
	}
	slices.Sort(known)
	return nil, fmt.Errorf("nothing with the id %s is pending; pending are: %s", id, strings.Join(known, " "))
}

// dice is splitmix64: the world's only source of chance.
type dice struct{ state uint64 }

func (d *dice) next() uint64 {
	d.state += 0x9e3779b97f4a7c15
	z := d.state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

package sim

import (
	"container/heap"
	"strconv"

	"controllerscope/core/env"
)

// ChoiceKind says what would happen if a choice were taken.
type ChoiceKind string

const (
	RequestToStore ChoiceKind = "request"  // a request reaches ZooKeeper
	AnswerToClient ChoiceKind = "answer"   // an answer reaches its client
	WatchToClient  ChoiceKind = "watch"    // a watch event reaches a client
	StateToClient  ChoiceKind = "state"    // a client learns a new state of its connection
	ControlRequest ChoiceKind = "control"  // a request of the network reaches a process
	ControlAnswer  ChoiceKind = "response" // its answer, or the loss of its connection, reaches the sender
	ThreadWake     ChoiceKind = "wake"     // a thread goes on: the controller takes its next event
	TimerFire      ChoiceKind = "timer"
	SessionExpiry  ChoiceKind = "expiry" // ZooKeeper gives up a silent session
)

// Choice is something that may happen next.
type Choice struct {
	Kind ChoiceKind
	Due  int64  // virtual ms at which the default policy takes it
	What string // what is under way: an operation and path, a request's kind, an event's type and path, a timer's name

	name       string // of the lane it belongs to; with number it is the ID
	number     int
	seq        int64 // order of creation, breaks ties of Due
	cause      int   // step that created it, -1 for none
	freed      int   // 1 + the step that let it go on after it was held, 0 for none
	proc       *process
	thread     *thread
	pipe       *pipe
	wire       *wire    // a request of the network: it waits for whoever runs at its address
	asked      *asked   // what a request to ZooKeeper asks
	returns    *session // whose client comes back on a new connection
	background bool     // alone it does not keep the world from being idle
	gone       bool     // cancelled or taken
	leaf       env.Path // where the document shows Due, nil where it does not
	run        func()
	dropped    func() // what a drop fault does; nil where nothing can be dropped
}

// ID names the choice for deliver, drop, delay and hold: "zk.0#5". It is the same in every run of the same inputs.
func (c *Choice) ID() string { return c.name + "#" + strconv.Itoa(c.number) }

// Process names the process that a choice waits for, "" for none.
func (c *Choice) Process() string {
	if p := c.waitsFor(); p != nil {
		return p.name
	}
	return ""
}

// waitsFor is the process that would act.
func (c *Choice) waitsFor() *process {
	if c.wire != nil {
		return c.wire.w.procs[c.wire.conn.To.String()]
	}
	return c.proc
}

// Droppable reports whether drop makes sense for it.
func (c *Choice) Droppable() bool { return c.dropped != nil }

// agenda orders choices by due time, then by creation.
type agenda []*Choice

func (a agenda) Len() int { return len(a) }
func (a agenda) Less(i, j int) bool {
	if a[i].Due != a[j].Due {
		return a[i].Due < a[j].Due
	}
	return a[i].seq < a[j].seq
}
func (a agenda) Swap(i, j int) { a[i], a[j] = a[j], a[i] }
func (a *agenda) Push(x any)   { *a = append(*a, x.(*Choice)) }
func (a *agenda) Pop() any {
	old := *a
	last := old[len(old)-1]
	old[len(old)-1] = nil
	*a = old[:len(old)-1]
	return last
}

// offer puts a choice on the agenda.
func (w *World) offer(c *Choice) *Choice {
	w.seq++
	c.seq = w.seq
	heap.Push(&w.agenda, c)
	return c
}

// pipe is an ordered way between two parties: only its head is a choice.
type pipe struct {
	w       *World
	name    string
	latency int64
	count   int
	queue   []*Choice // head first
}

// put appends a choice that takes the pipe's latency, on top of the delay that its Due already says, and never overtakes
// the one before it.
func (p *pipe) put(c *Choice) *Choice {
	p.count++
	c.name, c.number, c.pipe = p.name, p.count, p
	c.Due += p.w.now + p.latency
	c.cause = p.w.at.last()
	if n := len(p.queue); n > 0 {
		c.Due = max(c.Due, p.queue[n-1].Due)
	}
	p.queue = append(p.queue, c)
	if len(p.queue) == 1 {
		p.w.offer(c)
	}
	return c
}

// pop removes the head, which is being taken, and offers the next.
func (p *pipe) pop() {
	p.queue[0] = nil
	p.queue = p.queue[1:]
	if len(p.queue) > 0 {
		p.queue[0].Due = max(p.queue[0].Due, p.w.now)
		p.w.offer(p.queue[0])
	}
}

// clear drops everything that is still under way.
func (p *pipe) clear() {
	for _, c := range p.queue {
		c.gone = true
	}
	p.queue = nil
}

package sim

import (
	"slices"

	"controllerscope/core/env"
)

// cursor is where notes come from: a lane, and the steps that become causes of its next one.
type cursor struct {
	lane string
	prev []int
	some [4]int // where prev begins: mostly it stays that short
	most int    // the latest of prev, once there are many
}

// many causes are the answers of a batch, each of which is a cause of what its thread does next.
const many = 16

// fork is a cursor on another lane that goes on from the same causes.
func (c *cursor) fork(lane string) *cursor {
	return &cursor{lane: lane, prev: slices.Clone(c.prev), most: c.most}
}

func (c *cursor) last() int {
	if len(c.prev) == 0 {
		return -1
	}
	return c.prev[len(c.prev)-1]
}

// after adds a cause for the next note, unless it is one already. Answers are read in the order of their steps, so a later one
// need not be looked for among many.
func (c *cursor) after(step int) {
	n := len(c.prev)
	if n == many {
		c.most = slices.Max(c.prev)
	}
	if step < 0 || (n < many || step <= c.most) && slices.Contains(c.prev, step) {
		return
	}
	c.most = max(c.most, step)
	if c.prev == nil {
		c.prev = c.some[:0]
	}
	c.prev = append(c.prev, step)
}

// teller takes the notes of the world's own journal.
type teller struct{ w *World }

func (t teller) Tracing() bool { return t.w.tracing() }

func (t teller) Note(n env.Note) { t.w.note(n) }

// tracing reports whether notes are kept.
func (w *World) tracing() bool { return w.cfg.Recorder != nil }

// note records a step on the current cursor; its causes are what the cursor has gathered.
func (w *World) note(n env.Note) int {
	if w.cfg.Recorder == nil {
		return -1
	}
	lane := n.Lane
	if lane == "" {
		lane = w.at.lane
	}
	step := w.cfg.Recorder.Record(w.now, lane, w.at.prev, n)
	w.at.prev = append(w.at.prev[:0], step)
	return step
}

// on runs f with the given cursor.
func (w *World) on(c *cursor, f func()) {
	saved := w.at
	w.at = c
	f()
	w.at = saved
}

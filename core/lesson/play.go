package lesson

import (
	"fmt"
	"slices"

	"controllerscope/core/run"
	"controllerscope/core/script"
	"controllerscope/core/trace"
)

// Inputs of one run of the lesson.
func (l *Lesson) Inputs(r Run) run.Inputs {
	return run.Inputs{Name: l.ID + "/" + r.ID, Setup: r.Setup, Script: r.Script, Seed: r.Seed}
}

// Resolve finds the step of each stop: the first one after the stop before it for which the anchor holds. It fails when
// an anchor never holds, or holds again before the next stop, and when an answer's key does not say what it must.
func (l *Lesson) Resolve(r Run, t *trace.Trace) ([]int, error) {
	found := make([]int, 0, len(r.Stops))
	cursor := trace.NewCursor(t)
	next := 0
	for n, stop := range r.Stops {
		anchor, err := script.ParseExpr(stop.At)
		if err != nil {
			return nil, l.wrongStop(r, n, in("at", fmt.Errorf(": at: %w", err)))
		}
		at := seek(cursor, next, anchor)
		if at < 0 {
			return nil, l.wrongStop(r, n, in("at", fmt.Errorf(": its anchor holds at no step after stop %s: %s", before(r, n), stop.At)))
		}
		if err := stop.Ask.vouch(t, cursor); err != nil {
			return nil, l.wrongStop(r, n, in("ask", err))
		}
		found = append(found, at)
		next = at + 1
	}
	return found, l.unambiguous(r, t, found)
}

// wrongStop names the n-th stop of a run before an error about it.
func (l *Lesson) wrongStop(r Run, n int, err error) error {
	i := slices.IndexFunc(l.Runs, func(one Run) bool { return one.ID == r.ID })
	return l.Wrong(fmt.Sprintf("runs[%d].stops[%d]", i, n), fmt.Errorf("stop %s%w", r.Stops[n].ID, err))
}

func before(r Run, n int) string {
	if n == 0 {
		return "(the start)"
	}
	return r.Stops[n-1].ID
}

// seek moves the cursor to the first step from `from` on for which the expression holds; -1 when there is none.
func seek(c *trace.Cursor, from int, e *script.Expr) int {
	for i := from; ; i++ {
		c.Seek(i)
		if c.At() != i {
			return -1
		}
		if e.True(moment(c)) {
			return i
		}
	}
}

func moment(c *trace.Cursor) *script.Moment {
	return &script.Moment{Now: c.Doc(), Before: trace.Past{Doc: c.Doc(), Step: c.Step()}, Step: c.Step()}
}

// unambiguous checks that no anchor holds a second time before the next stop.
func (l *Lesson) unambiguous(r Run, t *trace.Trace, found []int) error {
	cursor := trace.NewCursor(t)
	for n := 0; n+1 < len(found); n++ {
		anchor, _ := script.ParseExpr(r.Stops[n].At) // parsed before
		again := seek(cursor, found[n]+1, anchor)
		if again >= 0 && again < found[n+1] {
			return l.wrongStop(r, n, in("at", fmt.Errorf(": its anchor holds at step %d and again at step %d, before stop %s; make it narrower: %s",
				found[n], again, r.Stops[n+1].ID, r.Stops[n].At)))
		}
	}
	return nil
}

package trace

import (
	"encoding/json"
	"fmt"

	"controllerscope/core/env"
)

// Schema is the version of the trace contract that this package writes, and the newest that it reads.
const Schema = 1

// Trace is a whole run: what went in (setup, seed, script) and every step that came of it.
type Trace struct {
	Core    string          // version of the core that recorded it
	Setup   json.RawMessage // the world before the script, as its recorder describes it
	Seed    int64
	Script  string
	Initial *Document              // what holds before the first step
	Msgs    map[string]env.Message // by message key
	Steps   []*Step
	Torn    bool // when read from JSON lines: the last line was incomplete and is left out
}

// Trace returns all steps so far under the given header, of which Core, Setup, Seed, Script and Msgs are kept.
func (r *Recorder) Trace(header Trace) *Trace {
	header.Initial = r.initial
	header.Steps = r.steps
	return &header
}

// Hash identifies the run: it depends on the id and hash of every step, in order.
func (t *Trace) Hash() Hash {
	h := uint64(fnvOffset)
	for _, s := range t.Steps {
		h = mix(hashString(h, s.ID) ^ uint64(s.Hash))
	}
	return Hash(h >> 32)
}

// Verify replays the trace and reports the first step that does not fit: a diff that does not start from what is there, a
// cause that is not earlier, a wrong number, a time before the beginning, a hash that its diffs do not give.
func (t *Trace) Verify() error {
	doc := NewCursor(t).Doc()
	lanes := map[string]int{}
	for i, s := range t.Steps {
		if s.I != i {
			return fmt.Errorf("step %d: its field i is %d; a step is missing, twice there or out of order", i, s.I)
		}
		lanes[s.Lane]++
		if id := stepID(s.Lane, lanes[s.Lane]); s.ID != id {
			return fmt.Errorf("step %d: its id is %s, by its lane it is %s", i, s.ID, id)
		}
		if s.VTimeMS < 0 {
			return fmt.Errorf("step %d (%s): its field vtime_ms is %d; times are 0 or more", i, s.ID, s.VTimeMS)
		}
		for _, c := range s.Causes {
			if c < 0 || c >= i {
				return fmt.Errorf("step %d (%s): cause %d is not an earlier step", i, s.ID, c)
			}
		}
		for _, d := range s.Diff {
			if d.Before == nil && d.After == nil {
				return fmt.Errorf("step %d (%s): its diff of %s changes nothing, there is no such leaf", i, s.ID, PathText(d.Path))
			}
			if now := doc.Get(d.Path...); !equal(now, d.Before) {
				return fmt.Errorf("step %d (%s): %s is %s here, the diff says before was %s",
					i, s.ID, PathText(d.Path), ValueText(now), ValueText(d.Before))
			}
			doc.Change(env.Change{Path: d.Path, After: d.After}, nil)
		}
		if doc.Hash() != s.Hash {
			return fmt.Errorf("step %d (%s): its hash is %s, its diffs give %s", i, s.ID, s.Hash, doc.Hash())
		}
	}
	return nil
}

// Cursor is the document of a trace at one of its steps. Moving it costs the diffs in between.
type Cursor struct {
	trace *Trace
	doc   *Document
	at    int
}

// NewCursor returns a cursor before the first step.
func NewCursor(t *Trace) *Cursor {
	c := &Cursor{trace: t, doc: NewDocument(), at: -1}
	if t.Initial != nil {
		t.Initial.Walk(func(path env.Path, value any) bool {
			c.doc.Set(value, path...)
			return true
		})
	}
	return c
}

// Seek moves to just after step i; -1 is before the first. Outside of the trace it stops at its ends.
func (c *Cursor) Seek(i int) {
	i = max(-1, min(i, len(c.trace.Steps)-1))
	for c.at < i {
		c.at++
		c.doc.Apply(c.trace.Steps[c.at])
	}
	for c.at > i {
		c.doc.Revert(c.trace.Steps[c.at])
		c.at--
	}
}

// At returns the index of the step the cursor stands after, -1 before the first.
func (c *Cursor) At() int { return c.at }

// Doc returns the document there. It changes with Seek.
func (c *Cursor) Doc() *Document { return c.doc }

// Step returns the step the cursor stands after, nil before the first.
func (c *Cursor) Step() *Step {
	if c.at < 0 {
		return nil
	}
	return c.trace.Steps[c.at]
}

// Past is the document as it was before a step, for a document that stands after it. It answers what script.Doc asks.
type Past struct {
	Doc  *Document
	Step *Step
}

// Get returns the value of the leaf at path before the step.
func (p Past) Get(path ...string) any {
	for i := range p.Step.Diff {
		if samePath(p.Step.Diff[i].Path, path) {
			return p.Step.Diff[i].Before
		}
	}
	return p.Doc.Get(path...)
}

// Has reports whether a leaf or a subtree was at path before the step.
func (p Past) Has(path ...string) bool {
	p.Doc.Revert(p.Step)
	defer p.Doc.Apply(p.Step)
	return p.Doc.Has(path...)
}

// Count returns how many words followed path before the step.
func (p Past) Count(path ...string) int {
	p.Doc.Revert(p.Step)
	defer p.Doc.Apply(p.Step)
	return p.Doc.Count(path...)
}

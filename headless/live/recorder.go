package live

import (
	"encoding/json"
	"io"
	"sync"
	"time"

	"controllerscope/core/env"
	"controllerscope/core/run"
	"controllerscope/core/trace"
	"controllerscope/core/view"
)

// Recorder makes one trace of the notes of several processes and writes it as it comes, as JSON lines. A nil Recorder
// records nothing.
type Recorder struct {
	started time.Time

	mu    sync.Mutex
	trace *trace.Recorder
	seen  map[string]int64 // path -> the transaction up to which the document knows it
	sent  map[string]sent  // requests that left from here and have no answer yet, by sender and correlation id
	out   io.Writer
	err   error
}

// sent is where a request stands in the document, and the step that sent it.
type sent struct {
	lane, id string
	step     int
	answered []int // the step that its recipient answered from, once it has
}

// NewRecorder writes the header of a trace; setup says how the cluster was started.
func NewRecorder(out io.Writer, setup any) (*Recorder, error) {
	r := &Recorder{started: time.Now(), trace: trace.NewRecorder(), seen: map[string]int64{}, sent: map[string]sent{}, out: out}
	r.trace.Project = view.New().Project
	r.trace.Sink = r.write
	text, err := json.Marshal(setup)
	if err != nil {
		return nil, err
	}
	header := r.trace.Trace(trace.Trace{Core: run.Version, Setup: text, Msgs: run.Messages()})
	_, err = out.Write(header.HeaderLine())
	return r, err
}

// write appends one step. After the first error nothing more is written. The lock is held.
func (r *Recorder) write(s *trace.Step) {
	if r.err == nil {
		_, r.err = r.out.Write(append(s.AppendJSON(nil), '\n'))
	}
}

// Err is what the file failed with, if it did.
func (r *Recorder) Err() error {
	if r == nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.err
}

// since is the time of a moment in the trace.
func (r *Recorder) since(t time.Time) int64 { return t.Sub(r.started).Milliseconds() }

// record makes a step of a note.
func (r *Recorder) record(at *cursor, n env.Note) {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.step(at, n)
}

// step is record with the lock held.
func (r *Recorder) step(at *cursor, n env.Note) {
	step := r.trace.Record(r.since(time.Now()), at.lane, at.prev, n)
	at.prev = append(at.prev[:0:0], step)
}

// cursor is where notes come from: a lane, and the steps that are the causes of its next one.
type cursor struct {
	lane string
	prev []int
}

// fork is a cursor in another lane that goes on from here.
func (c *cursor) fork(lane string) cursor { return cursor{lane, append([]int(nil), c.prev...)} }

// after adds a cause.
func (c *cursor) after(steps []int) {
	for _, s := range steps {
		if len(c.prev) == 0 || c.prev[len(c.prev)-1] != s {
			c.prev = append(c.prev, s)
		}
	}
}

// left remembers a request that leaves, arrived finds it when it comes to another process of this recorder, answered keeps
// the step that its answer comes from, and back forgets it and returns that step.

func (r *Recorder) left(key, lane, id string, steps []int) {
	if r == nil || len(steps) == 0 {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sent[key] = sent{lane: lane, id: id, step: steps[0]}
}

func (r *Recorder) arrived(key string) (s sent, here bool) {
	if r == nil {
		return sent{}, false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	s, here = r.sent[key]
	return s, here
}

func (r *Recorder) answered(key string, steps []int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if s, waiting := r.sent[key]; waiting {
		s.answered = steps
		r.sent[key] = s
	}
}

func (r *Recorder) back(key string) []int {
	if r == nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.sent[key]
	delete(r.sent, key)
	return s.answered
}

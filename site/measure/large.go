package measure

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"controllerscope/core/run"
	"controllerscope/core/trace"
	"controllerscope/core/zk/zkmem"
)

// The size of the large world.
const (
	LargeBrokers    = 10
	LargePartitions = 200
)

// LargeWorld is a topic of 200 partitions with three replicas each on ten brokers: a broker dies and comes back, leaders are
// elected where they belong, the controller dies and another one takes over.
func LargeWorld() run.Inputs {
	var setup strings.Builder
	ids := make([]string, LargeBrokers)
	for b := range ids {
		ids[b] = strconv.Itoa(b)
	}
	fmt.Fprintf(&setup, "cluster brokers=%s\n", strings.Join(ids, ","))
	for _, b := range ids {
		fmt.Fprintf(&setup, "broker start %s\nuntil idle\n", b)
	}
	fmt.Fprintf(&setup, "topic create orders %dx3\nuntil idle\n", LargePartitions)
	return run.Inputs{Name: "large", Seed: 1, Setup: setup.String(), Script: "broker kill 9\nuntil idle\nbroker start 9\nuntil idle\n" +
		"elect preferred *\nuntil idle\nbroker kill 0\nuntil idle\n"}
}

// Played is what came of playing for some seconds. Headless Chromium draws 60 frames a second.
type Played struct {
	Steps  int       `json:"steps"`
	Frames []float64 `json:"frames"` // from one frame to the next, in ms
	Tasks  []float64 `json:"tasks"`  // tasks over 50 ms, what they waited for a processor included
	Worked []float64 `json:"-"`      // how long a processor worked on each task, in ms
}

// PerSecond is how many frames a second there were.
func (p Played) PerSecond() float64 {
	sum := 0.0
	for _, f := range p.Frames {
		sum += f
	}
	if sum == 0 {
		return 0
	}
	return 1000 * float64(len(p.Frames)) / sum
}

// Missed is the part of the frames, in percent, that did not come in time: a sixtieth of a second later or more.
func (p Played) Missed() float64 {
	return 100 * float64(Over(p.Frames, 1.5*1000/60)) / float64(max(1, len(p.Frames)))
}

// Over counts the values above a limit.
func Over(values []float64, limit float64) int {
	n := 0
	for _, v := range values {
		if v > limit {
			n++
		}
	}
	return n
}

// Memory is what a page holds once its garbage is collected.
type Memory struct {
	Heap  float64 // bytes of the JavaScript heap
	Nodes int     // elements of the document
}

// Scrubbed is what came of moving the pointer along a slider.
type Scrubbed struct {
	MS     []float64 // from the pointer's event to the step it points at, drawn
	Steps  int       // how many different steps were drawn
	Worked []float64 // how long a processor worked on each task, in ms
}

// Large are the figures of a large world, times in ms.
type Large struct {
	Steps         int
	Stage         Played    // the sandbox, from the first step on and where most changes at once
	List          Played    // the trace page, the same
	Swept         Scrubbed  // the trace page's slider, one end to the other and back
	Jumped        Scrubbed  // the same, from anywhere to anywhere
	Acts          []float64 // sandbox: from a line to what follows, drawn
	Answers       []float64 // of that what the core took until its answer was there
	Before, After Memory    // sandbox: around so many steps forth and back
	Walked        int
}

// TakeLarge measures the built site in folder with LargeWorld.
func TakeLarge(parent context.Context, folder string) (l Large, err error) {
	ctx, stop, err := browser(parent)
	if err != nil {
		return l, err
	}
	defer stop()
	in := LargeWorld()
	t, err := record(in)
	if err != nil {
		return l, err
	}
	l.Steps = len(t.Steps)
	for _, part := range []struct {
		name string
		take func() error
	}{
		{"trace page", func() error { return l.list(ctx, folder, t) }},
		{"sandbox", func() error { return l.stage(ctx, folder, in, heaviest(t)) }},
		{"what if", func() error { return l.acts(ctx, folder, in) }},
		{"memory", func() error { return l.memory(ctx, folder, in) }},
	} {
		if err := part.take(); err != nil {
			return l, fmt.Errorf("large world, %s: %w", part.name, err)
		}
	}
	return l, nil
}

func record(in run.Inputs) (*trace.Trace, error) {
	r, err := run.Start(in, run.Options{Store: zkmem.New(zkmem.Options{}), Record: true})
	if err != nil {
		return nil, err
	}
	defer r.Close()
	if err := r.Finish(); err != nil {
		return nil, err
	}
	return r.Trace(), nil
}

// heaviest is the step with most changes.
func heaviest(t *trace.Trace) int {
	most := 0
	for i, s := range t.Steps {
		if len(s.Diff) > len(t.Steps[most].Diff) {
			most = i
		}
	}
	return most
}

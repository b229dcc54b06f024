// Package measure runs the same scripts natively and in WASM: what they record is compared byte for byte, how fast they
// run is measured.
package measure

import (
	"crypto/sha256"
	"fmt"
	"io"
	"runtime"
	"strings"
	"time"

	"controllerscope/core/run"
	"controllerscope/core/zk/zkmem"
	"controllerscope/lessons"
)

// Hashes prints a line for every run of every lesson and for the random scripts of seeds 0 to random-1: name, steps, SHA-256
// of the trace.
func Hashes(random uint64, out io.Writer) error {
	all, err := LessonRuns()
	if err != nil {
		return err
	}
	for seed := range random {
		text, err := run.Random{}.Script(seed, zkmem.New(zkmem.Options{}))
		if err != nil {
			return fmt.Errorf("random script %d: %w", seed, err)
		}
		all = append(all, run.Inputs{Name: fmt.Sprintf("random/%d", seed), Script: text, Seed: seed})
	}
	for _, in := range all {
		steps, trace, err := Record(in)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "%s %d %x\n", in.Name, steps, sha256.Sum256(trace))
	}
	return nil
}

// LessonRuns are the inputs of every run of every lesson.
func LessonRuns() ([]run.Inputs, error) {
	var out []run.Inputs
	for _, name := range lessons.Names() {
		l, err := lessons.Embedded(name)
		if err != nil {
			return nil, err
		}
		for _, r := range l.Runs {
			out = append(out, l.Inputs(r))
		}
	}
	return out, nil
}

// Record carries inputs out and returns the trace.
func Record(in run.Inputs) (steps int, trace []byte, err error) {
	r, err := execute(in, run.Options{Record: true})
	if err != nil {
		return 0, nil, err
	}
	defer r.Close()
	return r.Steps(), r.Trace().JSON(), nil
}

func execute(in run.Inputs, o run.Options) (*run.Run, error) {
	o.Store = zkmem.New(zkmem.Options{})
	r, err := run.Start(in, o)
	if err != nil {
		return nil, err
	}
	if err := r.Finish(); err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}

// busy is a cluster with a topic whose brokers come and go; none of its lines needs a recording.
var busy = run.Inputs{Name: "busy", Seed: 1, Script: "cluster brokers=0,1,2\nbroker start 0\nuntil idle\nbroker start 1\nbroker start 2\nuntil idle\n" +
	"topic create orders 6x3\nuntil idle\n" + strings.Repeat("broker kill 2\nuntil idle\nbroker start 2\nuntil idle\nbroker bounce 1\nuntil idle\n"+
	"broker stop 1\nuntil idle\nbroker start 1\nuntil idle\n", 5)}

// Speeds are steps per second.
type Speeds struct {
	Off    float64 // without a recorder
	Bare   float64 // recorded, without what only pictures need
	Record float64 // recorded as lessons and pages show it
	Allocs float64 // allocations a step of Record
	Bytes  float64 // bytes that these take
}

// Speed measures how fast the busy script runs. The three ways take turns, and the fastest turn of each counts: on a machine
// that is busy with other things too, that is the least wrong. Collecting garbage belongs to the time.
func Speed(atLeast time.Duration) (Speeds, error) {
	steps, _, err := Record(busy)
	if err != nil {
		return Speeds{}, err
	}
	ways := []run.Options{{}, {Record: true, Bare: true}, {Record: true}}
	best := make([]time.Duration, len(ways))
	var before, after runtime.MemStats
	for begin := time.Now(); time.Since(begin) < atLeast; {
		for i, o := range ways {
			runtime.ReadMemStats(&before)
			took, err := turn(o)
			if err != nil {
				return Speeds{}, err
			}
			runtime.ReadMemStats(&after)
			if best[i] == 0 || took < best[i] {
				best[i] = took
			}
		}
	}
	rate := func(i int) float64 { return float64(steps) / best[i].Seconds() }
	per := func(n uint64) float64 { return float64(n) / float64(steps) }
	return Speeds{rate(0), rate(1), rate(2), per(after.Mallocs - before.Mallocs), per(after.TotalAlloc - before.TotalAlloc)}, nil
}

// turn times one run of the busy script.
func turn(o run.Options) (time.Duration, error) {
	begin := time.Now()
	r, err := execute(busy, o)
	if err != nil {
		return 0, err
	}
	took := time.Since(begin)
	return took, r.Close()
}

// Package measure runs the same scripts natively and in WASM: what they record is compared byte for byte, how fast they
// run is measured.
package measure

import (
	"crypto/sha256"
	"fmt"
	"io"
	"runtime"
	"slices"
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

// Speed measures how fast the busy script runs. The three ways take turns, and a turn is so many runs one after the other
// that collecting their own garbage belongs to what they take. The median of a way's turns counts.
func Speed(atLeast time.Duration) (Speeds, error) {
	steps, _, err := Record(busy)
	if err != nil {
		return Speeds{}, err
	}
	const turns = 15
	ways := []run.Options{{}, {Record: true, Bare: true}, {Record: true}}
	took := make([][]float64, len(ways))
	var before, after runtime.MemStats
	var runs int
	for range turns {
		for i, o := range ways {
			runtime.GC()
			runtime.ReadMemStats(&before)
			var each time.Duration
			if each, runs, err = turn(o, atLeast/time.Duration(turns*len(ways))); err != nil {
				return Speeds{}, err
			}
			runtime.ReadMemStats(&after)
			took[i] = append(took[i], each.Seconds())
		}
	}
	rate := func(i int) float64 {
		slices.Sort(took[i])
		return float64(steps) / took[i][turns/2]
	}
	per := func(n uint64) float64 { return float64(n) / float64(steps*runs) }
	return Speeds{rate(0), rate(1), rate(2), per(after.Mallocs - before.Mallocs), per(after.TotalAlloc - before.TotalAlloc)}, nil
}

// turn runs the busy script again and again, and returns what one run took on average.
func turn(o run.Options, atLeast time.Duration) (each time.Duration, runs int, err error) {
	begin := time.Now()
	for runs == 0 || time.Since(begin) < atLeast {
		r, err := execute(busy, o)
		if err != nil {
			return 0, 0, err
		}
		if err := r.Close(); err != nil {
			return 0, 0, err
		}
		runs++
	}
	return time.Since(begin) / time.Duration(runs), runs, nil
}

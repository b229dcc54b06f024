// Package measure runs the same scripts natively and in WASM: what they record is compared byte for byte, how fast they
// run is measured.
package measure

import (
	"crypto/sha256"
	"fmt"
	"io"
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
	r, err := execute(in, true)
	if err != nil {
		return 0, nil, err
	}
	defer r.Close()
	return r.Steps(), r.Trace().JSON(), nil
}

func execute(in run.Inputs, record bool) (*run.Run, error) {
	r, err := run.Start(in, run.Options{Store: zkmem.New(zkmem.Options{}), Record: record})
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

// Speed is how many steps a second the busy script takes, with the recorder on or off. The steps are those of a recording.
func Speed(record bool, atLeast time.Duration) (perSecond float64, err error) {
	steps, _, err := Record(busy)
	if err != nil {
		return 0, err
	}
	runs, begin := 0, time.Now()
	for time.Since(begin) < atLeast {
		r, err := execute(busy, record)
		if err != nil {
			return 0, err
		}
		if err := r.Close(); err != nil {
			return 0, err
		}
		runs++
	}
	return float64(runs*steps) / time.Since(begin).Seconds(), nil
}

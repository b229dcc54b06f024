package main

import (
	"bytes"
	"fmt"
	"runtime/pprof"
	"strings"

	"github.com/google/pprof/profile"
)

// whose is a part of the program that a profile is divided among.
type whose struct{ name, prefix string }

// pipeParts are those of a client and a server in one process. Time of anything else counts for the part that called it;
// the scheduler and the garbage collector are called by none.
var pipeParts = []whose{
	{"the client library", "github.com/go-zookeeper/zk."},
	{"the emulator", "controllerscope/"},
}

// profileRuns is how often that is run which is profiled: a sample is taken every 10 ms.
const profileRuns = 5

// profiled runs f and tells which part of the time on a processor was whose.
func profiled(tell func(measured), what string, f func() error) error {
	var raw bytes.Buffer
	if err := pprof.StartCPUProfile(&raw); err != nil {
		return err
	}
	var err error
	for run := 0; run < profileRuns && err == nil; run++ {
		err = f()
	}
	pprof.StopCPUProfile()
	if err != nil {
		return err
	}
	p, err := profile.Parse(&raw)
	if err != nil {
		return fmt.Errorf("the profile of %s: %w", what, err)
	}
	shares, all := shares(p, pipeParts)
	if all == 0 {
		return nil // it was over before the first sample
	}
	for i, part := range append(pipeParts[:len(pipeParts):len(pipeParts)], whose{name: "the runtime by itself"}) {
		tell(measured{what + ", time of " + part.name, 100 * float64(shares[i]) / float64(all), "%", "", 0, false})
	}
	return nil
}

// shares adds up samples by the innermost function that is one of the parts'; the last share is that of samples without one.
func shares(p *profile.Profile, parts []whose) (shares []int64, all int64) {
	shares = make([]int64, len(parts)+1)
	for _, s := range p.Sample {
		value := s.Value[len(s.Value)-1] // nanoseconds
		shares[owner(s, parts)] += value
		all += value
	}
	return shares, all
}

// owner is the part of the innermost function that belongs to one.
func owner(s *profile.Sample, parts []whose) int {
	for _, location := range s.Location { // from the innermost
		for _, line := range location.Line {
			for i, part := range parts {
				if strings.HasPrefix(line.Function.Name, part.prefix) {
					return i
				}
			}
		}
	}
	return len(parts)
}

package kafkaplay

import (
	"maps"
	"slices"
	"strings"
)

// Where several pending choices fit, the guide takes the earliest. When a step then does not come out as recorded, the
// search plays the recording again from its start, with one choice of the step held back until nothing else fits: first
// those shortly before the first thing that did not fit. The hold that leads farthest is kept, until the step passes, or
// no hold leads any farther: then the difference is a real one, and it is told as the first play had it.

// attempts bounds the plays that one step may take.
const attempts = 200

// nearby is how many choices before the first misfit are tried.
const nearby = 40

// holds are the choices that wait, by step.
type holds map[int]map[string]bool

// trail is what was taken in a step up to the first thing that did not fit, and how far the recording was followed.
type trail struct {
	taken   []string
	agreed  int // recorded requests and events that had happened
	strayed bool
}

func (t *trail) add(id string, misfit bool) {
	t.strayed = t.strayed || misfit
	if !t.strayed {
		t.taken = append(t.taken, id)
	}
}

func (t *trail) agrees() {
	if !t.strayed {
		t.agreed++
	}
}

// search looks for the order of a whole recording.
type search struct {
	rec      *Recording
	opts     Options
	holds    holds
	hopeless map[int]bool // steps that no hold helps
}

func (s *search) play() (Report, error) {
	for {
		report, trails, err := playTo(s.rec, s.opts, s.holds, len(s.rec.Steps)-1)
		if err != nil {
			return report, err
		}
		failed := slices.IndexFunc(report.Steps, func(x StepReport) bool { return len(x.Failures) > 0 })
		for failed >= 0 && s.hopeless[failed] {
			next := slices.IndexFunc(report.Steps[failed+1:], func(x StepReport) bool { return len(x.Failures) > 0 })
			if next < 0 {
				failed = -1
				break
			}
			failed += 1 + next
		}
		if failed < 0 {
			return report, nil
		}
		for failed < len(s.rec.Steps)-1 && !s.rec.Steps[failed].settled() {
			failed++
		}
		var found map[string]bool
		if mayBeOrder(report.Steps[failed].Failures, trails[failed]) {
			if found, err = s.repair(failed, trails[failed]); err != nil {
				return report, err
			}
		}
		if found == nil {
			s.hopeless[failed] = true
			continue
		}
		s.holds[failed] = found
	}
}

// mayBeOrder reports whether another order may help: not where the conversations went as recorded and only what they came
// to differs.
func mayBeOrder(failures []Failure, t trail) bool {
	return t.strayed || slices.ContainsFunc(failures, func(f Failure) bool {
		return strings.HasPrefix(f.Path, "zk ") || strings.HasPrefix(f.Path, "requests ") || strings.HasPrefix(f.Path, "transitions ") ||
			strings.HasPrefix(f.Path, "metrics.")
	})
}

// repair looks for holds that make a step pass; nil when there are none.
func (s *search) repair(step int, from trail) (map[string]bool, error) {
	kept := map[string]bool{}
	for left := attempts; left > 0; {
		var best trail
		var bestID string
		for _, id := range from.candidates() {
			if kept[id] || left == 0 {
				continue
			}
			left--
			kept[id] = true
			t, passed, err := s.try(step, kept)
			if err != nil || passed {
				return kept, err
			}
			delete(kept, id)
			if t.agreed > max(from.agreed, best.agreed) {
				best, bestID = t, id
			}
		}
		if bestID == "" {
			return nil, nil
		}
		kept[bestID], from = true, best
	}
	return nil, nil
}

// try plays up to the step with the holds.
func (s *search) try(step int, held map[string]bool) (trail, bool, error) {
	h := maps.Clone(s.holds)
	h[step] = held
	opts := s.opts
	opts.Sides = false
	report, trails, err := playTo(s.rec, opts, h, step)
	if err != nil {
		return trail{}, false, err
	}
	return trails[step], len(report.Steps[step].Failures) == 0, nil
}

// candidates are the last choices before the first misfit, the latest first.
func (t trail) candidates() []string {
	out := slices.Clone(t.taken[max(0, len(t.taken)-nearby):])
	slices.Reverse(out)
	return out
}

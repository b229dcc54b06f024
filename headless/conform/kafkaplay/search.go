package kafkaplay

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// Where several pending choices fit, the guide takes the earliest, and it carries out lines that were not waited for at
// once. When a step then does not come out as recorded, the search plays the recording again from its start with a hint
// more for the step: a line comes later, after some of what fits (the first one too: the recorder's step begins before it),
// or choices are held back until nothing else fits, first those shortly before the first thing that did not fit. The hint
// that leads farthest is kept, until the step passes, or none leads any farther: then the difference is a real one, and it is
// told as the first play had it.

// attempts bounds the plays that one step may take.
const attempts = 200

// nearby is how many choices before the first misfit are tried, each alone; nearbyAnswers is how far answers are looked for that
// a controller's requests of one batch got, one from each broker: real brokers take their time, so these come late together.
const (
	nearby        = 40
	nearbyAnswers = 120
)

// everything that fits comes before a line.
const everything = -1

// hints are what a step is played with.
type hints struct {
	held   map[string]bool // ids of choices that wait until nothing else fits
	ahead  map[int]int     // how many choices come before a line, after the one that was not waited for or the step's beginning, by line; 0 when none
	sooner map[int]int     // by how much an AlterIsr that a leader sends comes earlier (isr.go), by its number
	late   bool            // threads go on by choices of their own, so that one may overtake another of its process
}

// change adds one hint.
type change func(*hints)

func holding(ids ...string) change {
	return func(h *hints) {
		for _, id := range ids {
			h.held[id] = true
		}
	}
}
func coming(line, ahead int) change { return func(h *hints) { h.ahead[line] = ahead } }
func moving(input, places int) change {
	return func(h *hints) { h.sooner[input] = places }
}

// allLater has all lines come later that single changes name: each of them alone may lead no farther.
func allLater(lines []change) change {
	return func(h *hints) {
		for _, later := range lines {
			later(h)
		}
	}
}

func (h hints) with(c change) hints {
	out := hints{held: map[string]bool{}, ahead: map[int]int{}, sooner: map[int]int{}, late: h.late}
	maps.Copy(out.held, h.held)
	maps.Copy(out.ahead, h.ahead)
	maps.Copy(out.sooner, h.sooner)
	c(&out)
	return out
}

// trail is what was taken in a step up to the first thing that did not fit, and how far the recording was followed.
type trail struct {
	taken   []string
	agreed  int // recorded requests and events that had happened
	strayed bool
	lines   []int       // of the step
	between map[int]int // how many choices came before a line, by line
	sooner  []int       // by how much each AlterIsr that a leader sends may come earlier
	made    int         // how many of them had been sent
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

func (t *trail) proposes() {
	if !t.strayed {
		t.made++
	}
}

// came says that so many choices were taken before a line.
func (t *trail) came(line, n int) {
	if t.between == nil {
		t.between = map[int]int{}
	}
	t.lines = append(t.lines, line)
	t.between[line] = n
}

// outcome is how a play of a step went.
type outcome struct {
	hints
	trail
	failures int
}

// better reports whether a play followed the recording farther than another, or as far with fewer differences.
func (o outcome) better(than outcome) bool {
	return cmp.Or(cmp.Compare(o.agreed, than.agreed), cmp.Compare(than.failures, o.failures)) > 0
}

// changes are the hints that may help, the likeliest first: lines later, choices before the first misfit, latest first, the
// answers to a batch together, lines a little earlier again.
func (o outcome) changes() (out []change) {
	first := min(1, len(o.lines))
	out = o.later(o.lines[first:])
	if len(out) > 1 {
		out = append(out, allLater(out))
	}
	out = append(out, o.later(o.lines[:first])...)                                // what a leader decided just before the step's first line
	for n := min(len(o.trail.sooner), o.made+3) - 1; n >= max(0, o.made-3); n-- { // those whose place nothing tells stand last
		for places := 1; o.hints.sooner[n] == 0 && places <= o.trail.sooner[n]; places++ {
			out = append(out, moving(n, places))
		}
	}
	near := slices.Clone(o.taken[max(0, len(o.taken)-nearby):])
	slices.Reverse(near)
	for _, id := range near {
		if !o.held[id] {
			out = append(out, holding(id))
		}
	}
	for _, batch := range o.answers() {
		out = append(out, holding(batch...))
	}
	for _, line := range o.lines {
		for n := o.between[line] - 1; n > 0 && o.ahead[line] == everything; n-- {
			out = append(out, coming(line, n))
		}
	}
	return out
}

// later has those lines come later, one by one, that do not yet.
func (o outcome) later(lines []int) (out []change) {
	for _, line := range lines {
		if o.ahead[line] == 0 {
			out = append(out, coming(line, everything))
		}
	}
	return out
}

// answers are those that were taken before the first misfit, latest first, in groups: one sender's that came one after the
// other, at most one from each broker.
func (o outcome) answers() (groups [][]string) {
	var group []string
	near := o.taken[max(0, len(o.taken)-nearbyAnswers):]
	for i := len(near) - 1; i >= 0; i-- {
		lane, _, _ := strings.Cut(near[i], "#")
		sender, _, ok := strings.Cut(lane, ">")
		if !ok || !strings.HasPrefix(lane, "answer.") || o.held[near[i]] {
			continue
		}
		if slices.ContainsFunc(group, func(id string) bool { return !strings.HasPrefix(id, sender+">") || strings.HasPrefix(id, lane+"#") }) {
			groups, group = append(groups, group), nil
		}
		group = append(group, near[i])
	}
	if group != nil {
		groups = append(groups, group)
	}
	return slices.DeleteFunc(groups, func(g []string) bool { return len(g) < 2 })
}

// search looks for the order of a whole recording.
type search struct {
	rec      *Recording
	opts     Options
	hints    map[int]hints // by settled step
	hopeless map[int]bool  // steps that no hint helps
}

func (s *search) play() (Report, error) {
	for {
		report, trails, err := playTo(s.rec, s.opts, s.hints, len(s.rec.Steps)-1)
		if err != nil {
			return report, err
		}
		failed := s.failed(report)
		if failed < 0 {
			return report, nil
		}
		first := outcome{trail: trails[failed], failures: len(report.Steps[failed].Failures)}
		if !mayBeOrder(report.Steps[failed].Failures, first.trail) {
			s.hopeless[failed] = true
			continue
		}
		found, ok, err := s.repair(failed, first)
		if err != nil {
			return report, err
		}
		if ok {
			s.hints[failed] = found
		} else {
			s.hopeless[failed] = true
		}
	}
}

// failed is the settled end of the first step that failed and is not hopeless, -1 when there is none.
func (s *search) failed(report Report) int {
	for i, x := range report.Steps {
		if len(x.Failures) == 0 {
			continue
		}
		for i < len(s.rec.Steps)-1 && !s.rec.Steps[i].settled() {
			i++
		}
		if !s.hopeless[i] {
			return i
		}
	}
	return -1
}

// mayBeOrder reports whether another order may help: not where the conversations went as recorded and only what they came
// to differs.
func mayBeOrder(failures []Failure, t trail) bool {
	return t.strayed || len(t.lines) > 1 || slices.ContainsFunc(failures, func(f Failure) bool {
		return strings.HasPrefix(f.Path, "zk ") || strings.HasPrefix(f.Path, "requests ") || strings.HasPrefix(f.Path, "transitions ") ||
			strings.HasPrefix(f.Path, "metrics.")
	})
}

// repair looks for hints that make a step pass, at last with threads that may overtake each other.
func (s *search) repair(step int, from outcome) (hints, bool, error) {
	got, err := s.climb(step, from)
	if err == nil && got.failures > 0 && from.strayed {
		if got, err = s.try(step, from.with(func(h *hints) { h.late = true })); err == nil {
			got, err = s.climb(step, got)
		}
	}
	return got.hints, err == nil && got.failures == 0, err
}

// climb adds the best hint again and again, until the step passes or none leads any farther.
func (s *search) climb(step int, from outcome) (outcome, error) {
	for left := attempts; left > 0 && from.failures > 0; {
		best := from
		for _, c := range from.changes() {
			if left == 0 {
				break
			}
			left--
			got, err := s.try(step, from.with(c))
			if err != nil || got.failures == 0 {
				return got, err
			}
			if got.better(best) {
				best = got
			}
			if from.strayed && !got.strayed {
				break // everything was said as recorded; what still differs needs other hints
			}
		}
		if !best.better(from) {
			break
		}
		from = best
	}
	return from, nil
}

// try plays up to the step with the hints.
func (s *search) try(step int, h hints) (outcome, error) {
	all := maps.Clone(s.hints)
	all[step] = h
	opts := s.opts
	opts.Sides = false
	report, trails, err := playTo(s.rec, opts, all, step)
	if err != nil {
		return outcome{}, err
	}
	out := outcome{hints: h, trail: trails[step]}
	for i := step; i >= 0 && (i == step || !s.rec.Steps[i].settled()); i-- {
		out.failures += len(report.Steps[i].Failures)
	}
	return out, nil
}

package run

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"controllerscope/core/sim"
	"controllerscope/core/trace"
	"controllerscope/core/zk"
)

// Swarm tries random scripts and holds every step of them to the invariants.
type Swarm struct {
	Random
	Store func() zk.Store // a fresh one for every run
}

// Finding is a random script on which something is not as it should be.
type Finding struct {
	Seed   uint64
	Script string   // as drawn
	Shrunk string   // without every line that it fails without
	Broken []string // invariants in the order in which they broke, "restless", or "panic: ..."
	At     string   // the step of the shrunk script that broke the first one
	Known  *Defect  // what in Kafka 2.8.2 itself explains all of it, nil when nothing does
}

// Restless and Panicked are what a Finding calls a world that never comes to rest, and a program that fell over.
const (
	Restless = "restless"
	Panicked = "panic"
)

// Try makes the random script of a seed and runs it; nil when nothing is wrong with it.
func (s Swarm) Try(seed uint64) (*Finding, error) {
	text, err := s.draw(seed)
	if err != nil && text == "" {
		return nil, err
	}
	first := s.verdict(text, seed)
	if first.refused != nil {
		return nil, fmt.Errorf("seed %d: the random script is not one: %w", seed, first.refused)
	}
	if len(first.broken) == 0 {
		return nil, nil
	}
	shrunk := s.shrink(text, seed, first.broken[0])
	last := s.verdict(shrunk, seed)
	return &Finding{Seed: seed, Script: text, Shrunk: shrunk, Broken: last.broken, At: last.at, Known: last.known()}, nil
}

// Breaks runs a script and names the invariants and the liveness that it breaks, in the order in which they broke. The
// error says that it is no script, or that one of its operations was refused.
func (s Swarm) Breaks(script string, seed uint64) ([]string, error) {
	v := s.verdict(script, seed)
	return v.broken, v.refused
}

// draw is Script, with a script that brings the program down as one that is still worth trying.
func (s Swarm) draw(seed uint64) (text string, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("seed %d: %s while the script was drawn: %v", seed, Panicked, r)
		}
	}()
	return s.Script(seed, s.Store())
}

// verdict is what a run came to.
type verdict struct {
	broken  []string
	at      string
	lost    bool // the reply of a write of a partition's state
	shown   []*Defect
	refused error // an operation could not be carried out: the script is no script
}

// retries is how long, in virtual ms, a world at rest is given before it is asked what it has come to: retries of fetches
// and ISR proposals are a second apart and do not keep a world from resting.
const retries = 5000

// live lets the retries of a healed world pass and notes what it should have come to and did not.
func (r *Run) live() error {
	if err := r.world.Advance(retries); err != nil {
		return err
	}
	if err := r.rest(nil); err != nil {
		return err
	}
	if r.world.Settled() {
		r.recorder.Violated(sim.CheckLive(r.Doc())...)
	}
	return nil
}

// verdict runs a script and gathers what it breaks.
func (s Swarm) verdict(text string, seed uint64) (v verdict) {
	var r *Run
	defer func() {
		if p := recover(); p != nil {
			v.broken = append(v.broken, fmt.Sprintf("%s: %v", Panicked, p))
		}
	}()
	r, err := Start(Inputs{Name: "swarm", Script: text, Seed: seed}, Options{Store: s.Store(), Record: true, MaxChoices: restless})
	if err != nil {
		return verdict{refused: err}
	}
	defer r.Close()
	err = r.Finish()
	if err == nil && r.world != nil && r.world.Settled() {
		err = r.live()
	}
	tr := r.Trace()
	for _, step := range tr.Steps {
		v.note(tr, step)
	}
	var circles sim.ErrRestless
	switch {
	case errors.As(err, &circles):
		// What is held keeps a world from rest by itself: others ask again and again.
		if len(r.world.Held()) == 0 {
			v.broken = append(v.broken, Restless)
		}
	case err != nil:
		v.refused = err
	}
	return v
}

func (v *verdict) note(tr *trace.Trace, step *trace.Step) {
	v.lost = v.lost || step.Msg == "world.reply-lost" && strings.HasSuffix(step.Entity, "/state")
	for i := range Defects {
		if d := &Defects[i]; (v.lost || !d.afterLoss) && d.shows(step) && !slices.Contains(v.shown, d) {
			v.shown = append(v.shown, d)
		}
	}
	for _, name := range step.Invariants {
		if len(v.broken) == 0 {
			v.at = tr.Text(step)
		}
		if !slices.Contains(v.broken, name) {
			v.broken = append(v.broken, name)
		}
	}
}

// known is the defect that showed itself and explains everything that broke.
func (v *verdict) known() *Defect {
	for _, d := range v.shown {
		if !slices.ContainsFunc(v.broken, func(name string) bool {
			return !slices.Contains(d.Breaks, kindOf(name)) && !slices.Contains(d.Breaks, name)
		}) {
			return d
		}
	}
	return nil
}

// shrink takes lines out, many at a time at first, as long as the same invariant still breaks; at last also lines that can
// only go in pairs, such as hold and release.
func (s Swarm) shrink(text string, seed uint64, name string) string {
	lines := strings.SplitAfter(strings.TrimSuffix(text, "\n")+"\n", "\n")
	lines = lines[:len(lines)-1]
	without := func(from, to, also int) bool {
		rest := slices.Concat(lines[:from], lines[to:])
		if also >= to {
			rest = slices.Delete(rest, also-(to-from), also-(to-from)+1)
		}
		v := s.verdict(strings.Join(rest, ""), seed)
		if v.refused == nil && slices.ContainsFunc(v.broken, func(n string) bool { return kindOf(n) == kindOf(name) }) {
			lines = rest
			return true
		}
		return false
	}
	for size := len(lines) / 2; size > 0; {
		shorter := false
		for from := 0; from+size <= len(lines); {
			if without(from, from+size, -1) {
				shorter = true
			} else {
				from += size
			}
		}
		if size > 1 || !shorter {
			size /= 2
		}
	}
	for i := 0; i < len(lines); i++ {
		for j := i + 1; j < len(lines); j++ {
			if without(i, i+1, j) {
				i, j = -1, len(lines)
			}
		}
	}
	return strings.Join(lines, "")
}

// kindOf is the invariant without the partition that it broke for.
func kindOf(name string) string {
	kind, _, _ := strings.Cut(name, " ")
	return kind
}

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
	return &Finding{Seed: seed, Script: text, Shrunk: shrunk, Broken: last.broken, At: last.at}, nil
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
	refused error // an operation could not be carried out: the script is no script
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
	tr := r.Trace()
	for _, step := range tr.Steps {
		v.note(tr, step)
	}
	var circles sim.ErrRestless
	switch {
	case errors.As(err, &circles):
		v.broken = append(v.broken, Restless)
	case err != nil:
		v.refused = err
	}
	return v
}

func (v *verdict) note(tr *trace.Trace, step *trace.Step) {
	for _, name := range step.Invariants {
		if len(v.broken) == 0 {
			v.at = tr.Text(step)
		}
		if !slices.Contains(v.broken, name) {
			v.broken = append(v.broken, name)
		}
	}
}

// shrink takes lines out, many at a time at first, as long as the same invariant still breaks.
func (s Swarm) shrink(text string, seed uint64, name string) string {
	kind := kindOf(name)
	lines := strings.SplitAfter(strings.TrimSuffix(text, "\n"), "\n")
	for size := len(lines) / 2; size > 0; {
		shorter := false
		for from := 0; from+size <= len(lines); {
			rest := slices.Concat(lines[:from], lines[from+size:])
			v := s.verdict(strings.Join(rest, ""), seed)
			if v.refused == nil && slices.ContainsFunc(v.broken, func(n string) bool { return kindOf(n) == kind }) {
				lines, shorter = rest, true
				continue
			}
			from += size
		}
		if !shorter || size > 1 {
			size /= 2
		}
	}
	return strings.Join(lines, "")
}

// kindOf is the invariant without the partition that it broke for.
func kindOf(name string) string {
	kind, _, _ := strings.Cut(name, " ")
	return kind
}

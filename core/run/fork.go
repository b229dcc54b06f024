package run

import (
	"fmt"
	"strings"

	"controllerscope/core/script"
)

// Fork returns the inputs of a run that goes as this one to step i and then does line: the script up to there, an
// `until step.i >= i` where an operation is left in the middle, and the line. i = -1 forks before the first step.
func (r *Run) Fork(i int, line string) (Inputs, error) {
	if _, err := script.ParseLine("what if", 1, line); err != nil {
		return Inputs{}, err
	}
	if i >= r.Steps() {
		return Inputs{}, fmt.Errorf("there is no step %d; the run has %d", i, r.Steps())
	}
	out := r.in
	out.Script = r.upTo(i) + line + "\n"
	return out, nil
}

// upTo is the part of the script that leads to step i.
func (r *Run) upTo(i int) string {
	var b strings.Builder
	for n, op := range r.script.Operations()[:len(r.starts)] {
		if r.starts[n] > i {
			break
		}
		end := r.Steps()
		if n+1 < len(r.starts) {
			end = r.starts[n+1]
		}
		if end <= i+1 || !goesOn(op.Verb) {
			fmt.Fprintln(&b, op)
			continue
		}
		if op.Verb == "broker bounce" {
			id := op.Int("N")
			fmt.Fprintf(&b, "broker pause %d\nbroker kill %d\nbroker start %d\n", r.bounced, id, id)
		}
		fmt.Fprintf(&b, "until step.i >= %d\n", i)
		break
	}
	return b.String()
}

// goesOn reports whether an operation takes choices, so that a fork may fall inside it.
func goesOn(verb string) bool {
	switch verb {
	case "until", "until idle", "run", "broker bounce", "clock", "wait":
		return true
	}
	return false
}

package run

import (
	"fmt"
	"strings"
)

// Fork returns the inputs of a run that goes as this one to step i and then does line: the script up to there, an
// `until step.i >= i` where an operation is left in the middle, and the line. i = -1 forks before the first step. A fork
// never falls between the steps that one choice made: then it goes on to the last of them.
func (r *Run) Fork(i int, line string) (Inputs, error) {
	parsed, err := r.parse(line)
	if err != nil {
		return Inputs{}, err
	}
	out, err := r.At(i)
	out.Script += parsed.String() + "\n"
	return out, err
}

// At returns the inputs of a run that goes as this one to step i and ends there.
func (r *Run) At(i int) (Inputs, error) {
	if i < -1 || i >= r.Steps() {
		return Inputs{}, fmt.Errorf("there is no step %d; the run has %d", i, r.Steps())
	}
	out := r.in
	out.Script = r.upTo(i)
	return out, nil
}

// upTo is the part of the script that leads to step i. What makes no step right after it is part of it, unless it could not
// be carried out.
func (r *Run) upTo(i int) string {
	var b strings.Builder
	for n, op := range r.done {
		end, failed := r.Steps(), false
		if n+1 < len(r.done) {
			end = r.done[n+1].start
		} else {
			failed = r.failed != nil
		}
		switch {
		case op.start > i && (end > op.start || failed):
			return b.String()
		case end > i+1 && op.goesOn(i):
			b.WriteString(op.cut(i))
			return b.String()
		}
		fmt.Fprintln(&b, op.line)
	}
	return b.String()
}

// cut is what the operation did up to step i, as lines.
func (op operation) cut(i int) string {
	switch op.line.Verb {
	case "clock", "wait":
		return fmt.Sprintf("%s %s until step.i >= %d\n", op.line.Verb, op.line.Text("TIME"), i)
	case "broker bounce":
		id := op.line.Int("N")
		return fmt.Sprintf("broker pause %d\nbroker kill %d\nbroker start %d\nuntil step.i >= %d\n", op.behind, id, id, i)
	}
	return fmt.Sprintf("until step.i >= %d\n", i)
}

// goesOn reports whether the operation takes choices after step i, so that a fork may fall there.
func (op operation) goesOn(i int) bool {
	switch op.line.Verb {
	case "until", "until idle", "run", "clock", "wait":
		return true
	case "broker bounce":
		return i < op.resume
	}
	return false
}

package run

import (
	"errors"

	"controllerscope/core/script"
	"controllerscope/core/sim"
)

// rest goes on until the world is idle or stop says so.
func (r *Run) rest(stop func() bool) error {
	return r.world.RunToIdle(r.limit(), func() bool { return r.over() || (stop != nil && stop()) })
}

// over reports whether the run ends here whatever its script says.
func (r *Run) over() bool {
	return r.violated != nil || (r.opts.MaxSteps > 0 && r.Steps() > r.opts.MaxSteps)
}

// toIdle goes on until the world is idle, and holds it to the invariants of a world at rest.
func (r *Run) toIdle(*script.Line) error {
	if err := r.rest(nil); err != nil {
		return err
	}
	if r.recorder != nil && r.world.Settled() {
		r.recorder.Violated(sim.CheckSettled(r.recorder.Doc())...)
	}
	return nil
}

// warp lets virtual time pass, with until at most to the step after which the expression holds.
func (r *Run) warp(l *script.Line) error {
	if l.Expr == nil {
		return r.world.Warp(l.Int("TIME"), r.limit(), r.over)
	}
	if r.recorder == nil {
		return errors.New("until EXPR needs a recording; it cannot stand in a setup")
	}
	r.until, r.reached = l.Expr, false
	defer func() { r.until = nil }()
	return r.world.Warp(l.Int("TIME"), r.limit(), func() bool { return r.reached || r.over() })
}

// doUntil goes on until the expression holds after a step.
func (r *Run) doUntil(l *script.Line) error {
	if r.recorder == nil {
		return errors.New("until EXPR needs a recording; in a setup use until idle")
	}
	r.until, r.reached = l.Expr, l.Expr.True(r.Moment())
	defer func() { r.until = nil }()
	if err := r.rest(func() bool { return r.reached }); err != nil {
		return err
	}
	if !r.reached && r.violated == nil {
		return &Failure{l, nil, "it never held; the world is idle at " + r.world.Summary()}
	}
	return nil
}

// doExpect checks that the expression holds now.
func (r *Run) doExpect(l *script.Line) error {
	if r.recorder == nil {
		return errors.New("expect needs a recording; it cannot stand in a setup")
	}
	m := r.Moment()
	if l.Expr.True(m) {
		return nil
	}
	var last = r.recorder.Steps()
	f := &Failure{Line: l, Why: "it does not hold"}
	if len(last) > 0 {
		f.Step = last[len(last)-1]
	}
	return f
}

// doNever watches every later step.
func (r *Run) doNever(l *script.Line) error {
	if r.recorder == nil {
		return errors.New("never needs a recording; it cannot stand in a setup")
	}
	if l.Expr.True(r.Moment()) {
		return &Failure{l, nil, "it holds already"}
	}
	r.nevers = append(r.nevers, l)
	return nil
}

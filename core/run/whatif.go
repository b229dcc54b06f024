package run

import (
	"errors"
	"fmt"

	"controllerscope/core/env"
	"controllerscope/core/kafka"
	"controllerscope/core/sim"
)

// Option is an operation that somebody might try now. Reason says in one sentence why it cannot be carried out.
type Option struct {
	Line   string `json:"line"`
	Legal  bool   `json:"legal"`
	Reason string `json:"reason,omitempty"`
}

// Pending is a choice: something that happens next unless something else happens before it.
type Pending struct {
	ID        string         `json:"id"`
	Kind      sim.ChoiceKind `json:"kind"`
	What      string         `json:"what"`
	Process   string         `json:"process,omitempty"` // that would act
	Due       int64          `json:"due"`               // virtual ms
	Droppable bool           `json:"droppable"`
	Line      string         `json:"line"` // makes it happen now
	Ways      []Option       `json:"ways"` // everything that can be done with it
}

// Choices lists what may happen next, the earliest first.
func (r *Run) Choices() []Pending {
	out := []Pending{}
	if r.world == nil {
		return out
	}
	for _, c := range r.world.Choices() {
		p := Pending{ID: c.ID(), Kind: c.Kind, What: c.What, Process: c.Process(), Due: c.Due, Droppable: c.Droppable()}
		p.Ways = ways(p)
		p.Line = p.Ways[0].Line
		out = append(out, p)
	}
	return out
}

// Options lists what can be tried now, by broker, and what cannot be with the reason.
func (r *Run) Options() []Option {
	out := []Option{}
	if r.world == nil {
		return out
	}
	add := func(err error, format string, args ...any) {
		o := Option{Line: fmt.Sprintf(format, args...), Legal: err == nil}
		if err != nil {
			o.Reason = err.Error()
		}
		out = append(out, o)
	}
	for _, id := range r.world.Brokers() {
		add(r.world.CanStart(id), "broker start %d", id)
		for _, verb := range []string{"stop", "kill", "crash"} {
			add(r.world.CanEnd(id), "broker %s %d", verb, id)
		}
		add(r.canBounce(id), "broker bounce %d", id)
		add(r.world.CanPause(id), "broker pause %d", id)
		add(r.world.CanResume(id), "broker resume %d", id)
		thread := id.String() + ".controller"
		add(r.canHold(thread), "hold %s", thread)
		add(r.world.CanRelease(thread), "release %s", thread)
	}
	add(r.canDeleteController(), "zk delete /controller")
	for _, name := range env.Guards() {
		for _, word := range []string{"on", "off"} {
			var err error
			if r.world.GuardOn(name) == (word == "on") {
				err = fmt.Errorf("the guard %s is %s already", name, word)
			}
			add(err, "guard.%s %s", name, word)
		}
	}
	return out
}

// canBounce is about broker bounce.
func (r *Run) canBounce(id kafka.BrokerID) error {
	if err := r.world.CanEnd(id); err != nil {
		return err
	}
	controller := r.world.ControllerInOffice()
	if controller == kafka.NoBroker || controller == id {
		return errors.New("a bounce needs another broker in office as controller")
	}
	return r.world.CanPause(controller)
}

// canHold says that there is no use in holding what is held. The operation itself would not mind.
func (r *Run) canHold(thread string) error {
	if r.world.CanRelease(thread) == nil {
		return fmt.Errorf("%s is held already; release it first", thread)
	}
	return nil
}

// canDeleteController says that nothing is there to delete. The operation itself would be answered NONODE.
func (r *Run) canDeleteController() error {
	if r.recorder != nil && !r.Doc().Has("zk", "/controller") {
		return errors.New("there is no /controller to delete")
	}
	return nil
}

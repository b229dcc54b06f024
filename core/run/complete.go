package run

import (
	"slices"
	"strconv"

	"controllerscope/core/env"
	"controllerscope/core/script"
	"controllerscope/core/sim"
)

// Complete returns the words that could come where a line ends, sorted: verbs, and what the world has of brokers,
// partitions, znodes, choices, switches.
func (r *Run) Complete(line string) []string {
	return script.Complete(line, r.existing)
}

// existing is what the world has for arguments of a kind.
func (r *Run) existing(k script.Kind) []string {
	if r.world == nil {
		return nil
	}
	switch k {
	case script.Broker:
		var out []string
		for _, id := range r.world.Brokers() {
			out = append(out, id.String())
		}
		return out
	case script.Partition:
		return r.partitions()
	case script.Path:
		if r.recorder == nil {
			return nil
		}
		return r.Doc().Names("zk")
	case script.Entity:
		out := []string{"brokers/<default>"}
		for _, id := range r.world.Brokers() {
			out = append(out, "brokers/"+id.String())
		}
		for _, topic := range r.below("/brokers/topics/") {
			out = append(out, "topics/"+topic)
		}
		return out
	case script.Word:
		return r.words()
	}
	return nil
}

// partitions are those that have a leader and an ISR in ZooKeeper.
func (r *Run) partitions() []string {
	var out []string
	for _, topic := range r.below("/brokers/topics/") {
		for _, p := range r.below("/brokers/topics/" + topic + "/partitions/") {
			out = append(out, topic+"-"+p)
		}
	}
	return out
}

// below lists the names right below a path that ends with a slash.
func (r *Run) below(path string) []string {
	if r.recorder == nil {
		return nil
	}
	var out []string
	for _, name := range r.Doc().Names("zk") {
		if len(name) > len(path) && name[:len(path)] == path && !slices.Contains([]byte(name[len(path):]), '/') {
			out = append(out, name[len(path):])
		}
	}
	return out
}

// words are the names that verbs with a bare word mean: topics, threads that can be held, choices, clients, switches.
func (r *Run) words() []string {
	out := r.below("/brokers/topics/")
	for _, id := range r.world.Brokers() {
		out = append(out, id.String(), id.String()+".controller", "zk."+id.String())
	}
	for _, c := range r.world.Choices() {
		out = append(out, c.ID())
	}
	out = append(out, r.world.Clients()...)
	out = append(out, env.Guards()...)
	return append(out, env.Fixes()...)
}

// ways are what can be done with a pending choice, and what cannot with the reason.
func ways(p Pending) []Option {
	id := script.QuoteWord(p.ID)
	out := []Option{{Line: "deliver " + id, Legal: true}, {Line: "hold " + id, Legal: true}, {Line: "delay " + id + " 1s", Legal: true}}
	drop := Option{Line: "drop " + id, Legal: p.Droppable}
	if !drop.Legal {
		drop.Reason = "only answers of ZooKeeper and requests between processes can be lost"
	}
	twice := Option{Line: "duplicate " + id, Legal: p.Kind == sim.ControlRequest}
	if !twice.Legal {
		twice.Reason = "only requests between processes can be duplicated"
	}
	return append(out, drop, twice)
}

// VerbForm is a verb as a form can be made from it. Slots are in order; a kind is how script.Kind is called.
type VerbForm struct {
	Words  string     `json:"words"`
	Usage  string     `json:"usage"`
	About  string     `json:"about"`
	Dotted bool       `json:"dotted,omitempty"`
	Slots  []SlotForm `json:"slots,omitempty"`
}

// SlotForm is one argument.
type SlotForm struct {
	Name     string   `json:"name"`
	Lead     string   `json:"lead,omitempty"`
	Optional bool     `json:"optional,omitempty"`
	Many     bool     `json:"many,omitempty"`
	Values   []string `json:"values,omitempty"` // what the world has for it
}

// Verbs lists every verb with what the world has for its arguments.
func (r *Run) Verbs() []VerbForm {
	var out []VerbForm
	for _, v := range script.Verbs() {
		form := VerbForm{Words: v.Words, Usage: v.Usage(), About: v.About, Dotted: v.Dotted}
		for _, s := range v.Slots {
			slot := SlotForm{Name: s.Name, Lead: s.Lead, Optional: s.Optional, Many: s.Many}
			for _, k := range s.Kinds {
				slot.Values = append(slot.Values, r.existing(k)...)
			}
			form.Slots = append(form.Slots, slot)
		}
		out = append(out, form)
	}
	return out
}

// InOffice is the broker in office as controller, "" for none.
func (r *Run) InOffice() string {
	if r.world == nil {
		return ""
	}
	if id := r.world.ControllerInOffice(); id >= 0 {
		return strconv.Itoa(int(id))
	}
	return ""
}

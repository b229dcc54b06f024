package trace

import "controllerscope/core/env"

// Step is one line of a trace: what happened, where, what it changed and why. The steps of a trace are numbered from 0.
type Step struct {
	I          int
	ID         string // "lane#n", n counts the steps of that lane from 1
	VTimeMS    int64  // virtual time in ms since the start of the run (live: real time)
	Lane       string // who did it: a thread ("0.controller") or a place ("zk", "0>1")
	Kind       env.Kind
	Entity     string // what it is about: "orders-0", "/controller"
	Msg        string // key of the message
	Args       []env.Arg
	Diff       []Diff
	Causes     []int // earlier steps; outside operations have none
	Reads      []env.Path
	IDs        env.IDs
	Invariants []string // names of the invariants that do not hold after this step
	Hash       Hash     // of the document after this step
}

// Arg returns the value of a message argument, nil when the step has none of that name.
func (s *Step) Arg(name string) any {
	for i := range s.Args {
		if s.Args[i].Name == name {
			return s.Args[i].Value
		}
	}
	return nil
}

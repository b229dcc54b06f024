package trace

import (
	"slices"

	"controllerscope/core/env"
)

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

// Field returns what an expression calls step.WORDS, nil when there is no such thing: step.kind, step.msg,
// step.args.NAME, step.ids.zxid, step.invariants. rest are the words that lead further into the value.
func (s *Step) Field(words ...string) (value any, rest []string) {
	if len(words) == 0 {
		return nil, nil
	}
	rest = words[1:]
	switch words[0] {
	case "i":
		return int64(s.I), rest
	case "id":
		return s.ID, rest
	case "vtime_ms":
		return s.VTimeMS, rest
	case "lane":
		return s.Lane, rest
	case "kind":
		return string(s.Kind), rest
	case "entity":
		return s.Entity, rest
	case "msg":
		return s.Msg, rest
	case "causes":
		return env.Ints(s.Causes), rest
	case "invariants":
		return env.Strings(s.Invariants), rest
	case "args":
		if len(rest) > 0 {
			return s.Arg(rest[0]), rest[1:]
		}
	case "ids":
		if len(rest) > 0 {
			return idField(s.IDs, rest[0]), rest[1:]
		}
	}
	return nil, nil
}

// idField returns one of the identities, nil when the step does not carry it.
func idField(ids env.IDs, name string) any {
	text := map[string]string{"zxid": ids.Zxid, "session": ids.Session, "event": ids.Event, "correlation": ids.Correlation}[name]
	if text == "" {
		return nil
	}
	return text
}

func samePath(a, b []string) bool { return slices.Equal(a, b) }

// covers reports whether one of the two paths lies at or above the other.
func covers(a, b []string) bool {
	n := min(len(a), len(b))
	return slices.Equal(a[:n], b[:n])
}

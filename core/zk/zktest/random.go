package zktest

import (
	"fmt"
	"slices"
	"strings"
)

// Random makes a history of about that many steps. See Begin.
func Random(d Dice, name string, steps int, clocked bool) Case {
	h := Begin(d, clocked)
	for range steps {
		h.Step(d)
	}
	return h.End(name)
}

// History is a random history in the making: a few sessions act on about thirty paths, weighted to collide. It has no
// expectations: it is played on two sides that must agree. A session that is closed opens again, one that is cut heals or
// expires.
type History struct {
	dice       Dice // of the step in the making
	clocked    bool
	steps      []Step
	sessions   []string
	down, gone map[string]bool     // sessions that are cut, and closed
	childless  map[string]bool     // paths that are to have no children
	watches    map[string][]string // the names that sessions gave to watches
}

// Begin opens the sessions. A server that removes containers when its own clock says so (clocked) would do that to one side
// alone: then no container ever gets a child, since only one that had a child is removed.
func Begin(d Dice, clocked bool) *History {
	h := &History{dice: d, clocked: clocked, down: map[string]bool{}, gone: map[string]bool{}, childless: map[string]bool{},
		watches: map[string][]string{}}
	for i := range 3 + d.Roll(4) {
		s := string(rune('A' + i))
		h.sessions = append(h.sessions, s)
		h.add(s, "open", Args{TimeoutMS: longTimeout})
	}
	return h
}

// End heals what is cut, looks at all events, and gives the history as a case.
func (h *History) End(name string) Case {
	for _, s := range h.sessions {
		if h.down[s] {
			h.add(s, "heal", Args{})
		}
		if !h.gone[s] {
			h.add(s, "events", Args{})
		}
	}
	return Case{Name: name, About: "A random history.", Tags: []string{"random"}, Steps: h.steps}
}

// longTimeout keeps sessions from expiring by themselves: the longest that a server grants at its default tick.
const longTimeout = 40_000

// ReadBack are steps that read every path a random history may have left: the final tree as a session sees it.
func ReadBack(session string) []Step {
	var steps []Step
	read := func(path string) {
		for _, op := range []string{"get", "children", "get_acl"} {
			steps = append(steps, Step{Session: session, Op: op, Args: Args{Path: path}})
		}
	}
	read("~")
	for _, one := range firstNames {
		read("~/" + one)
		for _, two := range secondNames {
			read("~/" + one + "/" + two)
			for _, three := range thirdNames {
				read("~/" + one + "/" + two + "/" + three)
			}
		}
	}
	return steps
}

var (
	firstNames  = []string{"a", "b"}
	secondNames = []string{"c", "d", "e"}
	thirdNames  = []string{"f", "g", "0000000000", "0000000001"}
)

func (h *History) add(session, op string, a Args) {
	h.steps = append(h.steps, Step{Session: session, Op: op, Args: a})
}

// weights are how often each operation comes, out of their sum.
var weights = []struct {
	op    string
	times int
}{
	{"create", 24}, {"delete", 14}, {"set", 10}, {"multi", 12}, {"get", 3}, {"get_w", 9}, {"exists", 3}, {"exists_w", 9},
	{"children", 3}, {"children_w", 9}, {"set_acl", 3}, {"get_acl", 2}, {"add_auth", 1}, {"sync", 1}, {"create_container", 2},
	{"create_ttl", 1}, {"events", 6}, {"watch", 2}, {"cut", 3}, {"close", 2}, {"expire", 1},
}

func (h *History) op() string {
	sum := 0
	for _, w := range weights {
		sum += w.times
	}
	at := h.dice.Roll(sum)
	i := 0
	for ; at >= weights[i].times; i++ {
		at -= weights[i].times
	}
	return weights[i].op
}

// Step adds the next step or few. A cut session does nothing until it heals; a closed one opens.
func (h *History) Step(d Dice) {
	h.dice = d
	s := h.sessions[h.dice.Roll(len(h.sessions))]
	switch {
	case h.gone[s]:
		h.gone[s] = false
		h.add(s, "open", Args{TimeoutMS: longTimeout})
	case h.down[s]:
		if h.dice.Roll(2) == 0 {
			h.down[s] = false
			h.add(s, "heal", Args{})
		}
	default:
		h.act(s, h.op())
	}
}

// act adds a step of a session that is up.
func (h *History) act(s, op string) {
	var a Args
	switch op {
	case "cut":
		h.add(s, "events", Args{}) // what is still on its way would be lost or not, as it happens
		h.down[s] = true
	case "close":
		h.gone[s], h.watches[s] = true, nil
	case "expire":
		// The session's own mark tells when it is gone; it is cut from then on.
		mark := "~/mark-" + s
		h.add(s, "create", Args{Path: mark, Flags: 1})
		h.add(s, "events", Args{})
		h.add(s, "cut", Args{})
		h.down[s] = true
		op, a.Path = "await_gone", mark
	case "events":
	case "watch":
		if len(h.watches[s]) == 0 {
			return
		}
		a.Watch = h.watches[s][h.dice.Roll(len(h.watches[s]))]
	case "add_auth":
		a.Scheme, a.Auth = "digest", "u:p"
	case "multi":
		last := ""
		for range 1 + h.dice.Roll(5) {
			o := h.subOp(last)
			a.Ops, last = append(a.Ops, o), o.Path
		}
	default:
		a = h.callArgs(s, op)
	}
	h.add(s, op, a)
}

// callArgs makes up the arguments of a call about one path.
func (h *History) callArgs(s, op string) Args {
	a := Args{Path: h.path()}
	switch op {
	case "create":
		a.Flags, a.Data, a.ACL = h.flags(a.Path), h.data(), h.acl()
		if a.Flags >= 2 && h.dice.Roll(3) == 0 && !h.childless[a.Path] {
			a.Path += "/"
		}
	case "create_container":
		a.Flags = 4
		if h.clocked { // on the third level children come from a path that ends in a slash, and from nothing else
			a.Path = "~/" + h.pick(firstNames) + "/" + h.pick(secondNames) + "/" + h.pick(thirdNames)
			h.childless[a.Path] = true
		}
	case "create_ttl":
		a.Flags, a.TTLMS = 5, 1000
	case "set":
		a.Data, a.Version = h.data(), h.version()
	case "delete":
		a.Version = h.version()
	case "set_acl":
		a.ACL, a.Version = h.acl(), h.version()
		a.NoACL = a.ACL == nil && h.dice.Roll(6) == 0
	case "get_w", "exists_w", "children_w":
		a.Watch = fmt.Sprintf("w%d", h.dice.Roll(4))
		if !slices.Contains(h.watches[s], a.Watch) {
			h.watches[s] = append(h.watches[s], a.Watch)
		}
	}
	return a
}

// subOp is an operation of a multi, often about the path of the one before it or its parent.
func (h *History) subOp(last string) SubOp {
	o := SubOp{Op: []string{"create", "create", "delete", "set", "check"}[h.dice.Roll(5)], Path: h.path()}
	if cut := strings.LastIndexByte(last, '/'); cut > 0 {
		o.Path = []string{o.Path, o.Path, last, last[:cut]}[h.dice.Roll(4)]
	}
	switch o.Op {
	case "create":
		o.Flags, o.Data = h.flags(o.Path), h.data()
	case "set":
		o.Data, o.Version = h.data(), h.version()
	default:
		o.Version = h.version()
	}
	return o
}

// path is one of about thirty, in three levels; rarely an odd one.
func (h *History) path() string {
	odd := []string{"~", "~/", "~/a/", "~/a//b", "~/.", "~/a/..", "~/é", "~/no/x", ""}
	if h.dice.Roll(25) == 0 {
		return h.pick(odd)
	}
	p := "~/" + h.pick(firstNames)
	depth := h.dice.Roll(3)
	if depth > 0 {
		p += "/" + h.pick(secondNames)
	}
	if depth > 1 {
		p += "/" + h.pick(thirdNames)
	}
	return p
}

func (h *History) pick(from []string) string { return from[h.dice.Roll(len(from))] }

// flags are those of a create. Nothing is ever made beside the case's base node, where others may be: "~" and "" get no
// sequence number.
func (h *History) flags(path string) int32 {
	flags := []int32{0, 0, 0, 0, 1, 1, 1, 2, 2, 3, 3}[h.dice.Roll(11)]
	if path == "~" || path == "" {
		flags %= 2
	}
	return flags
}

func (h *History) data() *Data {
	return []*Data{nil, new(Data), data("x"), data("yy")}[h.dice.Roll(4)]
}

func data(text string) *Data {
	d := Data(text)
	return &d
}

func (h *History) version() *int32 {
	v := int32(h.dice.Roll(6) - 2)
	if v <= 0 && h.dice.Roll(2) == 0 {
		return nil
	}
	return &v
}

// acl is mostly the default.
func (h *History) acl() []Entry {
	switch h.dice.Roll(24) {
	case 0:
		return []Entry{{Perms: 1, Scheme: "world", ID: "anyone"}}
	case 1:
		return []Entry{{Perms: 31, Scheme: "digest", ID: "u", Password: "p"}}
	case 2:
		return []Entry{{Perms: 31, Scheme: "auth"}}
	case 3:
		return []Entry{{Perms: 30, Scheme: "world", ID: "anyone"}, {Perms: 30, Scheme: "world", ID: "anyone"}}
	case 4:
		return []Entry{{Perms: 31, Scheme: "digest", ID: "u", Password: "p"}, {Perms: 1, Scheme: "world", ID: "anyone"}}
	}
	return nil
}

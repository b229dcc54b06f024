package zktest

import (
	"fmt"
	"slices"
	"strings"
)

// Random makes a history of about that many steps over a few sessions and about thirty paths, weighted to collide. It has
// no expectations: it is played on two sides that must agree. A session that is closed opens again, one that is cut heals
// or, with expiry, may expire; that takes a real server seconds.
func Random(d Dice, name string, steps int, expiry bool) Case {
	g := &generator{dice: d, expiry: expiry, down: map[string]bool{}, gone: map[string]bool{}, watches: map[string][]string{}}
	for i := range 3 + d.Roll(4) {
		s := string(rune('A' + i))
		g.sessions = append(g.sessions, s)
		g.add(s, "open", Args{TimeoutMS: 4000})
	}
	for range steps {
		g.step()
	}
	for _, s := range g.sessions {
		if g.down[s] {
			g.add(s, "heal", Args{})
		}
		if !g.gone[s] {
			g.add(s, "events", Args{})
		}
	}
	return Case{Name: name, About: "A random history.", Tags: []string{"random"}, Steps: g.steps}
}

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

// generator knows which sessions are cut or closed, and the watches they named.
type generator struct {
	dice       Dice
	expiry     bool
	steps      []Step
	sessions   []string
	down, gone map[string]bool
	watches    map[string][]string
}

func (g *generator) add(session, op string, a Args) {
	g.steps = append(g.steps, Step{Session: session, Op: op, Args: a})
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

func (g *generator) op() string {
	sum := 0
	for _, w := range weights {
		sum += w.times
	}
	at := g.dice.Roll(sum)
	i := 0
	for ; at >= weights[i].times; i++ {
		at -= weights[i].times
	}
	return weights[i].op
}

// step adds the next step or few. A cut session does nothing until it heals; a closed one opens.
func (g *generator) step() {
	s := g.sessions[g.dice.Roll(len(g.sessions))]
	switch {
	case g.gone[s]:
		g.gone[s] = false
		g.add(s, "open", Args{TimeoutMS: 4000})
	case g.down[s]:
		if g.dice.Roll(2) == 0 {
			g.down[s] = false
			g.add(s, "heal", Args{})
		}
	default:
		g.act(s, g.op())
	}
}

// act adds a step of a session that is up.
func (g *generator) act(s, op string) {
	var a Args
	switch op {
	case "cut":
		g.add(s, "events", Args{}) // what is still on its way would be lost or not, as it happens
		g.down[s] = true
	case "close":
		g.gone[s], g.watches[s] = true, nil
	case "expire":
		if !g.expiry {
			return
		}
		// The session's own mark tells when it is gone; it is cut from then on.
		mark := "~/mark-" + s
		g.add(s, "create", Args{Path: mark, Flags: 1})
		g.add(s, "events", Args{})
		g.add(s, "cut", Args{})
		g.down[s] = true
		op, a.Path = "await_gone", mark
	case "events":
	case "watch":
		if len(g.watches[s]) == 0 {
			return
		}
		a.Watch = g.watches[s][g.dice.Roll(len(g.watches[s]))]
	case "add_auth":
		a.Scheme, a.Auth = "digest", "u:p"
	case "multi":
		last := ""
		for range 1 + g.dice.Roll(5) {
			o := g.subOp(last)
			a.Ops, last = append(a.Ops, o), o.Path
		}
	default:
		a = g.callArgs(s, op)
	}
	g.add(s, op, a)
}

// callArgs makes up the arguments of a call about one path.
func (g *generator) callArgs(s, op string) Args {
	a := Args{Path: g.path()}
	switch op {
	case "create":
		a.Flags, a.Data, a.ACL = g.flags(a.Path), g.data(), g.acl()
		if a.Flags >= 2 && g.dice.Roll(3) == 0 {
			a.Path += "/"
		}
	case "create_container":
		a.Flags = 4
	case "create_ttl":
		a.Flags, a.TTLMS = 5, 1000
	case "set":
		a.Data, a.Version = g.data(), g.version()
	case "delete":
		a.Version = g.version()
	case "set_acl":
		a.ACL, a.Version = g.acl(), g.version()
		a.NoACL = a.ACL == nil && g.dice.Roll(6) == 0
	case "get_w", "exists_w", "children_w":
		a.Watch = fmt.Sprintf("w%d", g.dice.Roll(4))
		if !slices.Contains(g.watches[s], a.Watch) {
			g.watches[s] = append(g.watches[s], a.Watch)
		}
	}
	return a
}

// subOp is an operation of a multi, often about the path of the one before it or its parent.
func (g *generator) subOp(last string) SubOp {
	o := SubOp{Op: []string{"create", "create", "delete", "set", "check"}[g.dice.Roll(5)], Path: g.path()}
	if cut := strings.LastIndexByte(last, '/'); cut > 0 {
		o.Path = []string{o.Path, o.Path, last, last[:cut]}[g.dice.Roll(4)]
	}
	switch o.Op {
	case "create":
		o.Flags, o.Data = g.flags(o.Path), g.data()
	case "set":
		o.Data, o.Version = g.data(), g.version()
	default:
		o.Version = g.version()
	}
	return o
}

// path is one of about thirty, in three levels; rarely an odd one.
func (g *generator) path() string {
	odd := []string{"~", "~/", "~/a/", "~/a//b", "~/.", "~/a/..", "~/é", "~/no/x", ""}
	if g.dice.Roll(25) == 0 {
		return g.pick(odd)
	}
	p := "~/" + g.pick(firstNames)
	depth := g.dice.Roll(3)
	if depth > 0 {
		p += "/" + g.pick(secondNames)
	}
	if depth > 1 {
		p += "/" + g.pick(thirdNames)
	}
	return p
}

func (g *generator) pick(from []string) string { return from[g.dice.Roll(len(from))] }

// flags are those of a create. Nothing is ever made beside the case's base node, where others may be: "~" and "" get no
// sequence number.
func (g *generator) flags(path string) int32 {
	flags := []int32{0, 0, 0, 0, 1, 1, 1, 2, 2, 3, 3}[g.dice.Roll(11)]
	if path == "~" || path == "" {
		flags %= 2
	}
	return flags
}

func (g *generator) data() *Data {
	return []*Data{nil, new(Data), data("x"), data("yy")}[g.dice.Roll(4)]
}

func data(text string) *Data {
	d := Data(text)
	return &d
}

func (g *generator) version() *int32 {
	v := int32(g.dice.Roll(6) - 2)
	if v <= 0 && g.dice.Roll(2) == 0 {
		return nil
	}
	return &v
}

// acl is mostly the default.
func (g *generator) acl() []Entry {
	switch g.dice.Roll(24) {
	case 0:
		return []Entry{{Perms: 1, Scheme: "world", ID: "anyone"}}
	case 1:
		return []Entry{{Perms: 31, Scheme: "digest", ID: "u", Password: "p"}}
	case 2:
		return []Entry{{Perms: 31, Scheme: "auth"}}
	case 3:
		return []Entry{{Perms: 30, Scheme: "world", ID: "anyone"}, {Perms: 30, Scheme: "world", ID: "anyone"}}
	}
	return nil
}

// Shrink makes a failing case smaller: it drops runs of steps, long ones first, as long as the case still fails, until no
// single step can go. fails may be given a case that cannot be played; that is not failing.
func Shrink(c Case, fails func(*Case) bool) Case {
	for size := max(1, len(c.Steps)/2); size > 0; {
		dropped := false
		for from := 0; from+size <= len(c.Steps); {
			smaller := c
			smaller.Steps = slices.Delete(slices.Clone(c.Steps), from, from+size)
			if len(smaller.Steps) > 0 && fails(&smaller) {
				c, dropped = smaller, true
				continue
			}
			from += size
		}
		if !dropped || size > 1 {
			size /= 2
		}
	}
	return c
}

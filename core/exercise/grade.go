package exercise

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"controllerscope/core/run"
	"controllerscope/core/script"
	"controllerscope/core/trace"
	"controllerscope/core/zk"
)

// Limits of one hand-in, so that a hostile one ends soon: steps of a part and choices of one operation.
const (
	maxSteps   = 5_000
	maxChoices = 2_000
	maxLines   = 400
)

// Report is the grading of one hand-in.
type Report struct {
	Points  int      `json:"points"`
	Of      int      `json:"of"`
	Results []Result `json:"results"`
	Notes   []Note   `json:"notes,omitempty"`
}

// Result is what a criterion gave.
type Result struct {
	Part      string `json:"part"`
	Criterion string `json:"criterion"`
	Points    int    `json:"points"`
	Of        int    `json:"of"`
	Step      int    `json:"step"`            // where it was met or broken, or where the run ended; -1 when the run has no step
	Got       string `json:"got,omitempty"`   // the answer that was given
	Want      string `json:"want,omitempty"`  // the right one
	Where     Place  `json:"where,omitempty"` // the script that leads to the step
}

// Place is a moment of a run that anybody can go to.
type Place struct {
	Setup  string `json:"setup,omitempty"`
	Script string `json:"script,omitempty"`
	Seed   uint64 `json:"seed,omitempty"`
}

// Met reports whether the criterion gave its points.
func (r Result) Met() bool { return r.Points == r.Of }

// Note is something about the hand-in itself. Key is one of variant, version, hash, operations, verb, refused, unknown.
type Note struct {
	Part string `json:"part,omitempty"`
	Key  string `json:"key"`
	Text string `json:"text"` // what it is about: an operation, an answer's name, the core's sentence
}

// Grade executes the hand-in again, on the variant that belongs to its author, and gives the points. store makes an empty
// store for each part. The error is a mistake of the exercise, never of the hand-in. With only, no other part is graded.
func (e *Exercise) Grade(h *HandIn, class string, store func() zk.Store, only ...string) (*Report, error) {
	seed := Seed(class, h.Who, e.ID)
	out := &Report{Of: e.Points()}
	if h.Version != e.Version {
		out.note("", "version", strconv.Itoa(h.Version))
	}
	if h.Variant != SeedText(seed) {
		out.note("", "variant", h.Variant)
	}
	parts := e.Deal(e.Variant(seed))
	out.unknown(h, parts)
	for i := range parts {
		if len(only) > 0 && !slices.Contains(only, parts[i].ID) {
			continue
		}
		claimed := h.Hashes[parts[i].ID]
		g := grading{part: &parts[i], ops: h.Ops[parts[i].ID], answers: h.Answers, report: out, hashed: claimed != ""}
		if err := g.execute(store()); err != nil {
			return nil, fmt.Errorf("exercise %s: part %s: %w", e.ID, parts[i].ID, err)
		}
		if claimed != g.hash {
			out.note(parts[i].ID, "hash", claimed)
		}
	}
	for _, r := range out.Results {
		out.Points += r.Points
	}
	return out, nil
}

func (r *Report) note(part, key, text string) {
	r.Notes = append(r.Notes, Note{part, key, text})
}

// unknown notes what the hand-in has for parts and criteria that are not there.
func (r *Report) unknown(h *HandIn, parts []Part) {
	var ops, answers []string
	for i := range parts {
		ops = append(ops, parts[i].ID)
		for j := range parts[i].Criteria {
			answers = append(answers, key(&parts[i], &parts[i].Criteria[j]))
		}
	}
	for _, given := range []struct {
		names map[string]string
		known []string
	}{{h.Ops, ops}, {h.Answers, answers}} {
		var strange []string
		for name := range given.names {
			if !slices.Contains(given.known, name) {
				strange = append(strange, name)
			}
		}
		slices.Sort(strange)
		for _, name := range strange {
			r.note("", "unknown", name)
		}
	}
}

// grading is the grading of one part.
type grading struct {
	part    *Part
	ops     string
	answers map[string]string
	report  *Report
	tests   []test
	hashed  bool // whether the hash of the trace is asked for; it covers what pages show, which takes longer
	hash    string
}

// execute runs the part with the hand-in's operations and asks its criteria.
func (g *grading) execute(store zk.Store) error {
	for i := range g.part.Criteria {
		c := &g.part.Criteria[i]
		t := test{c: c, marks: map[int]bool{}}
		for _, text := range c.expressions() {
			e, err := script.ParseExpr(text)
			if err != nil {
				return err
			}
			t.exprs, t.met = append(t.exprs, e), append(t.met, -1)
		}
		g.tests = append(g.tests, t)
	}
	r, err := run.Start(run.Inputs{Name: g.part.ID, Setup: g.part.Setup, Script: g.part.Script, Seed: g.part.Seed},
		run.Options{Store: store, Record: true, Bare: !g.hashed, MaxSteps: maxSteps, MaxChoices: maxChoices, OnStep: g.onStep})
	if err != nil {
		return err
	}
	defer r.Close()
	if err := r.Finish(); err != nil {
		return err
	}
	if g.part.Kind == Drive {
		g.drive(r)
	}
	if g.hashed {
		g.hash = r.Trace().Hash().String()
	}
	g.judge(r)
	return nil
}

// drive carries out the student's operations, as many as are allowed, and lets the world come to rest.
func (g *grading) drive(r *run.Run) {
	used := 0
	for n, text := range strings.Split(g.ops, "\n") {
		line, err := script.ParseLine(g.part.ID, n+1, text)
		switch {
		case err != nil:
			g.report.note(g.part.ID, "refused", err.Error())
			return
		case line.Verb == "":
			continue
		case n >= maxLines:
			g.report.note(g.part.ID, "operations", line.String())
			return
		case line.Verb == "cluster" || len(g.part.Verbs) > 0 && !g.part.allows(line):
			g.report.note(g.part.ID, "verb", line.String())
			return
		}
		if !passes(line) {
			used++
		}
		if used > g.part.Operations {
			g.report.note(g.part.ID, "operations", line.String())
			break
		}
		if err := r.Append(line.String()); err != nil {
			g.report.note(g.part.ID, "refused", err.Error())
			return
		}
	}
	if used == 0 {
		return // nothing was done: the world stays as it was given
	}
	if err := r.Append("until idle"); err != nil {
		g.report.note(g.part.ID, "refused", err.Error())
	}
}

// allows reports whether the part lets this operation be used. A verb of the list allows what begins with its words.
func (p *Part) allows(l *script.Line) bool {
	if passes(l) {
		return true
	}
	return slices.ContainsFunc(p.Verbs, func(v string) bool {
		rest, ok := strings.CutPrefix(l.String(), v)
		return ok && (rest == "" || rest[0] == ' ' || rest[0] == '.')
	})
}

// passes reports whether the line only lets the world go on.
func passes(l *script.Line) bool {
	return slices.Contains([]string{"until", "until idle", "run"}, l.Verb)
}

// onStep sees every recorded step.
func (g *grading) onStep(s *trace.Step, doc *trace.Document) {
	m := &script.Moment{Now: doc, Before: trace.Past{Doc: doc, Step: s}, Step: s}
	for i := range g.tests {
		g.tests[i].see(m, s.I)
	}
}

// judge gives the points of all criteria. What must never happen counts only when everything else is met: doing nothing
// breaks nothing.
func (g *grading) judge(r *run.Run) {
	end := r.Moment()
	last := r.Steps() - 1
	first, all := len(g.report.Results), true
	for i := range g.tests {
		t := &g.tests[i]
		res := Result{Part: g.part.ID, Criterion: t.c.ID, Of: t.c.Points, Step: last}
		met := false
		switch {
		case t.c.Never != "":
			met = t.met[0] < 0
			if !met {
				res.Step = t.met[0]
			}
		case len(t.c.Ever) > 0:
			met = !slices.Contains(t.met, -1)
			if met {
				res.Step = t.met[len(t.met)-1]
			}
			all = all && met
		case t.c.End != "":
			met = last >= 0 && t.exprs[0].True(end)
			all = all && met
		default:
			met = t.answer(&res, g.answers[key(g.part, t.c)], end)
		}
		if met {
			res.Points = res.Of
		}
		at, err := r.At(res.Step)
		if err == nil {
			res.Where = Place{at.Setup, at.Script, at.Seed}
		}
		g.report.Results = append(g.report.Results, res)
	}
	for i := range g.tests {
		if g.tests[i].c.Never != "" && !all {
			g.report.Results[first+i].Points = 0
		}
	}
}

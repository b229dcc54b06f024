// Package exercise is graded work: its parsed form, what differs from student to student, the hand-in, and the grader.
//
// An exercise has parts, and a part is a run of its own. In a part of kind drive the student adds operations to it and its
// criteria are asked of the steps that follow; in a part of kind value or detect the run is given and the criteria ask for
// answers. The right answer is nowhere written down: it is what the core says of the run (an expression), so that the key
// moves with the variant. Nothing that a hand-in says of its own result is believed: Grade executes it again.
package exercise

import (
	"fmt"
	"slices"
	"strings"

	"controllerscope/core/script"
)

// Kinds of parts.
const (
	Drive  = "drive"  // bring the world there with few operations
	Value  = "value"  // say what comes out
	Detect = "detect" // name what happened, point at the step
)

// Exercise is one exercise. The yaml names are those of lesson.yaml.
type Exercise struct {
	ID        string     `yaml:"id" json:"id"`           // E10
	Version   int        `yaml:"version" json:"version"` // raised when hand-ins of before would be graded otherwise
	Vary      []Vary     `yaml:"vary" json:"vary,omitempty"`
	Parts     []Part     `yaml:"parts" json:"parts"`
	Solutions []Solution `yaml:"solutions" json:"-"` // what tests hand in, and the points that it must get
}

// Vary deals values to names: as many of Of as there are names, none twice, by the variant's seed. {name} stands for the
// value in every text of the exercise that a machine reads.
type Vary struct {
	Names []string `yaml:"names" json:"names"`
	Of    []string `yaml:"of" json:"of"`
}

// Part is one run with what is asked about it.
type Part struct {
	ID         string      `yaml:"id" json:"id"`
	Kind       string      `yaml:"kind" json:"kind"`
	Seed       uint64      `yaml:"seed" json:"seed"`
	Setup      string      `yaml:"setup" json:"setup"`
	Script     string      `yaml:"script" json:"script,omitempty"`         // recorded before the student's operations
	Operations int         `yaml:"operations" json:"operations,omitempty"` // drive: how many may be used; letting time pass is free
	Verbs      []string    `yaml:"verbs" json:"verbs,omitempty"`           // drive: what may be used; all when empty
	Criteria   []Criterion `yaml:"criteria" json:"criteria"`
}

// Criterion is what points are given for. Exactly one of Ever, End, Never, Value, Count, Mark and Choices says how it is met.
type Criterion struct {
	ID     string `yaml:"id" json:"id"`
	Points int    `yaml:"points" json:"points"`

	Ever  []string `yaml:"ever" json:"ever,omitempty"`   // drive: each holds after some step, in this order, at later steps each
	End   string   `yaml:"end" json:"end,omitempty"`     // drive: holds once the world has come to rest after the last operation
	Never string   `yaml:"never" json:"never,omitempty"` // drive: holds after no step; counts only if all others are met

	Value   string   `yaml:"value" json:"value,omitempty"`     // the answer is its value at the end
	Count   string   `yaml:"count" json:"count,omitempty"`     // the answer is at how many steps it holds
	Mark    string   `yaml:"mark" json:"mark,omitempty"`       // the answer is the number of a step at which it holds
	Choices []Choice `yaml:"choices" json:"choices,omitempty"` // the answer is the one whose key holds after some step
}

// Choice is one possible answer.
type Choice struct {
	ID  string `yaml:"id" json:"id"`
	Key string `yaml:"key" json:"key"`
}

// Solution is a hand-in with known points: the model solution, an empty one, and mistakes that students make.
type Solution struct {
	Name    string            `yaml:"name"`
	Who     string            `yaml:"who"` // whose variant it is; the class is empty
	Ops     map[string]string `yaml:"ops"`
	Answers map[string]string `yaml:"answers"`
	Points  int               `yaml:"points"`
}

// Points is the most that can be reached.
func (e *Exercise) Points() int {
	sum := 0
	for _, p := range e.Parts {
		for _, c := range p.Criteria {
			sum += c.Points
		}
	}
	return sum
}

// Answered reports whether the criterion asks for an answer, and not for operations.
func (c *Criterion) Answered() bool { return len(c.Ever) == 0 && c.End == "" && c.Never == "" }

// key names a criterion in hand-ins and reports: PART.CRITERION.
func key(p *Part, c *Criterion) string { return p.ID + "." + c.ID }

// Validate checks what can be checked without running. Its errors name part and criterion.
func (e *Exercise) Validate() error {
	if e == nil {
		return nil
	}
	if e.ID == "" || e.Version < 1 || len(e.Parts) == 0 {
		return fmt.Errorf("exercise %q needs an id, a version of 1 or more, and parts", e.ID)
	}
	for _, v := range e.Vary {
		if len(v.Names) == 0 || len(v.Of) < len(v.Names) {
			return fmt.Errorf("exercise %s: vary %v has %d values for %d names; there must be one for each", e.ID, v.Names, len(v.Of), len(v.Names))
		}
	}
	var parts []string
	for i := range e.Parts {
		p := &e.Parts[i]
		if p.ID == "" || slices.Contains(parts, p.ID) {
			return fmt.Errorf("exercise %s: part %q: an id is needed that no other part has", e.ID, p.ID)
		}
		parts = append(parts, p.ID)
		if err := e.Variant(0).part(p).validate(); err != nil {
			return fmt.Errorf("exercise %s: part %s: %w", e.ID, p.ID, err)
		}
	}
	return nil
}

func (p *Part) validate() error {
	switch {
	case !slices.Contains([]string{Drive, Value, Detect}, p.Kind):
		return fmt.Errorf("it is of kind %q; the kinds are drive, value, detect", p.Kind)
	case (p.Kind == Drive) != (p.Operations > 0):
		return fmt.Errorf("operations: N belongs to parts of kind drive, and to all of them")
	}
	for name, text := range map[string]string{"setup": p.Setup, "script": p.Script} {
		if _, err := script.Parse(name, text); err != nil {
			return err
		}
	}
	var seen []string
	for i := range p.Criteria {
		c := &p.Criteria[i]
		if c.ID == "" || slices.Contains(seen, c.ID) {
			return fmt.Errorf("criterion %q: an id is needed that no other criterion of the part has", c.ID)
		}
		seen = append(seen, c.ID)
		if err := c.validate(p.Kind); err != nil {
			return fmt.Errorf("criterion %s: %w", c.ID, err)
		}
	}
	return nil
}

// validate checks that a criterion is met in exactly one way, fit for the kind, and that its expressions can be read.
func (c *Criterion) validate(kind string) error {
	ways := 0
	for _, has := range []bool{len(c.Ever) > 0, c.End != "", c.Never != "", c.Value != "", c.Count != "", c.Mark != "", len(c.Choices) > 0} {
		if has {
			ways++
		}
	}
	switch {
	case ways != 1:
		return fmt.Errorf("it is met in %d ways; give one of ever, end, never, value, count, mark, choices", ways)
	case c.Points < 1:
		return fmt.Errorf("it gives %d points; give at least 1", c.Points)
	case c.Answered() == (kind == Drive):
		return fmt.Errorf("ever, end and never belong to parts of kind drive, the other ways to value and detect")
	}
	for _, text := range c.expressions() {
		if _, err := script.ParseExpr(text); err != nil {
			return err
		}
	}
	return nil
}

func (c *Criterion) expressions() []string {
	var out []string
	for _, text := range append(slices.Clone(c.Ever), c.End, c.Never, c.Value, c.Count, c.Mark) {
		if strings.TrimSpace(text) != "" {
			out = append(out, text)
		}
	}
	for _, choice := range c.Choices {
		out = append(out, choice.Key)
	}
	return out
}

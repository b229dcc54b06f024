package lesson

import (
	"fmt"
	"slices"
	"strings"

	"controllerscope/core/exercise"
)

// Again is a question like the one of a stop, asked of another world: the core deals values to its names (package
// exercise), {name} stands for the value in every text of it, and what is right follows from the keys.
type Again struct {
	Vary   []exercise.Vary `yaml:"vary"`
	Setup  string          `yaml:"setup"`  // its steps are not shown
	Script string          `yaml:"script"` // shown before the question
	Then   string          `yaml:"then"`   // what the question is about: shown after the answer
	At     string          `yaml:"at"`     // keys are evaluated at the first step after the question at which it holds; "" is the last step
	Kind   string          `yaml:"kind"`   // as of Ask, but for order; "" is that of the stop's question
	Value  string          `yaml:"value"`  // of kinds value and move: the expression whose value is asked for
	// Choices are those that the question shows, each with a key; one is right when its key holds. Of kinds value and move
	// the only choice is called right, and its text says {value}.
	Choices []Choice `yaml:"choices"`
}

// AgainText is what one language says of a question asked again.
type AgainText struct {
	Question string       `json:"question"`
	Choices  []ChoiceText `json:"choices"`
}

// right is the only choice of kinds whose answer is a value.
const right = "right"

// KindFor is the kind of the question that is asked again.
func (a *Again) KindFor(first *Ask) string {
	if a.Kind == "" {
		return first.Kind
	}
	return a.Kind
}

// Exercise is how the core deals the question: an exercise with two parts and nothing that points are given for. Part "seen"
// ends where the question is asked, part "run" goes on to the answer.
func (a *Again) Exercise(id string) *exercise.Exercise {
	seen := exercise.Part{ID: "seen", Kind: exercise.Detect, Seed: 1, Setup: a.Setup, Script: a.Script}
	run := seen
	run.ID, run.Script = "run", a.Script+a.Then
	return &exercise.Exercise{ID: id, Version: 1, Vary: a.Vary, Parts: []exercise.Part{seen, run}}
}

// validateAgain checks that a question says of itself whether it can be asked again, and what can be checked of that without
// running.
func (a *Ask) validateAgain(id string) error {
	switch {
	case (a.Again != nil) == (a.Fixed != ""):
		return fmt.Errorf("give again: with a run whose values are dealt, or fixed: REASON when the answer is the same in every world")
	case a.Again == nil:
		return nil
	}
	if err := a.Again.validate(a.Again.KindFor(a)); err != nil {
		return in("again", fmt.Errorf("again: %w", err))
	}
	return in("again", a.Again.Exercise(id).Validate())
}

func (a *Again) validate(kind string) error {
	valued := kind == "value" || kind == "move"
	switch {
	case kind == "order" || !slices.Contains(kinds, kind):
		return fmt.Errorf("it is of kind %q; the kinds are those of questions but for order", kind)
	case len(a.Vary) == 0:
		return fmt.Errorf("nothing varies; give vary: with names and values")
	case strings.TrimSpace(a.Then) == "":
		return fmt.Errorf("nothing is asked about; give then: with what happens after the question")
	case (a.Value != "") != valued:
		return fmt.Errorf("kinds value and move need value: EXPRESSION, and only they")
	case valued && (len(a.Choices) != 1 || a.Choices[0] != Choice{ID: right}):
		return fmt.Errorf("kind %s has one choice, right, without a key", kind)
	case !valued && len(a.Choices) < 2:
		return fmt.Errorf("%d choices; give two at least", len(a.Choices))
	}
	fill := a.Exercise("").Variant(0).Fill
	expressions := []expression{{"value", "value", a.Value}, {"at", "at", a.At}}
	for i, c := range a.Choices {
		if c.Key == "" && !valued {
			return fmt.Errorf("choice %s needs a key", c.ID)
		}
		expressions = append(expressions, expression{fmt.Sprintf("choices[%d].key", i), c.ID, c.Key})
	}
	for i := range expressions {
		expressions[i].text = fill(expressions[i].text)
	}
	return readable(expressions)
}

// completeAgain checks that a question asked again is said in whole; names are gaps, {value} among them.
func (t StopText) completeAgain(a *Ask) error {
	if a.Again == nil {
		if t.Again.Question != "" {
			return fmt.Errorf("a question is asked again that lesson.yaml does not have")
		}
		return nil
	}
	if t.Again.Question == "" {
		return fmt.Errorf("lesson.yaml asks again here; add ### again, the question, and one list item per choice")
	}
	for _, c := range a.Again.Choices {
		i := slices.IndexFunc(t.Again.Choices, func(x ChoiceText) bool { return x.ID == c.ID })
		if i < 0 || t.Again.Choices[i].Text == "" || t.Again.Choices[i].Why == "" {
			return fmt.Errorf("again: choice %s needs a list item: - **%s** ANSWER — WHY", c.ID, c.ID)
		}
	}
	if len(t.Again.Choices) != len(a.Again.Choices) {
		return fmt.Errorf("again: %d choices are written, lesson.yaml has %d", len(t.Again.Choices), len(a.Again.Choices))
	}
	return t.Again.gaps(a.Again)
}

// gaps checks that every {name} of the text is one that is dealt.
func (t AgainText) gaps(a *Again) error {
	known := []string{"value"}
	for _, v := range a.Vary {
		known = append(known, v.Names...)
	}
	texts := []string{t.Question}
	for _, c := range t.Choices {
		texts = append(texts, c.Text, c.Why)
	}
	for _, text := range texts {
		for _, piece := range strings.Split(text, "{")[1:] {
			if name, _, _ := strings.Cut(piece, "}"); !slices.Contains(known, name) {
				return fmt.Errorf("again: {%s} is not dealt; there are %v", name, known)
			}
		}
	}
	return nil
}

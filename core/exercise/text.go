package exercise

import (
	"errors"
	"fmt"
	"strings"
)

// Text is what one language says of an exercise.
type Text struct {
	Title string              `json:"title"`
	Goal  string              `json:"goal"`
	Parts map[string]PartText `json:"parts"`
	part  string
}

// PartText is what is said of a part: what is to be done, hints from vague to plain, and a sentence per criterion.
type PartText struct {
	Title    string                   `json:"title"`
	Task     string                   `json:"task"`
	Hints    []string                 `json:"hints,omitempty"`
	Criteria map[string]CriterionText `json:"criteria"`
	Choices  map[string]string        `json:"choices,omitempty"` // by CRITERION.CHOICE
}

// CriterionText is what is asked, and what is said to those who missed it.
type CriterionText struct {
	Ask    string `json:"ask"`
	Missed string `json:"missed"`
}

// NewText begins the text under "## exercise ID · TITLE".
func NewText(title string) *Text { return &Text{Title: title, Parts: map[string]PartText{}} }

// Add takes one line below the heading: the goal; per part "### ID · TITLE", the task, hints as "> HINT", and items
// "- **CRITERION** ASK — SAID WHEN MISSED" and "- **CRITERION.CHOICE** TEXT". join puts lines of one paragraph together.
func (t *Text) Add(line string, join func(a, b string) string) error {
	if strings.HasPrefix(line, "## ") {
		return errors.New("the exercise is the last section of a lesson's text; put this before it")
	}
	if heading, ok := strings.CutPrefix(line, "### "); ok {
		id, title, ok := strings.Cut(heading, " · ")
		if !ok {
			return errors.New("expected ### PART · TITLE")
		}
		if _, twice := t.Parts[id]; twice {
			return fmt.Errorf("part %s stands there twice", id)
		}
		t.part = id
		t.Parts[id] = PartText{Title: title, Criteria: map[string]CriterionText{}, Choices: map[string]string{}}
		return nil
	}
	if t.part == "" {
		t.Goal = join(t.Goal, line)
		return nil
	}
	p := t.Parts[t.part]
	err := p.add(line, join)
	t.Parts[t.part] = p
	return err
}

func (p *PartText) add(line string, join func(a, b string) string) error {
	if hint, ok := strings.CutPrefix(line, "> "); ok {
		p.Hints = append(p.Hints, hint)
		return nil
	}
	item, ok := strings.CutPrefix(line, "- **")
	if !ok {
		p.Task = join(p.Task, line)
		return nil
	}
	id, rest, ok := strings.Cut(item, "** ")
	if !ok {
		return errors.New("expected - **CRITERION** ASK — SAID WHEN MISSED")
	}
	if strings.Contains(id, ".") {
		p.Choices[id] = rest
		return nil
	}
	ask, missed, ok := strings.Cut(rest, " — ")
	if !ok {
		return fmt.Errorf("criterion %s needs a sentence for those who miss it, after a —", id)
	}
	p.Criteria[id] = CriterionText{ask, missed}
	return nil
}

// Complete checks that a language says all that the exercise has, and nothing else.
func (t *Text) Complete(e *Exercise) error {
	switch {
	case e == nil && t == nil:
		return nil
	case e == nil:
		return errors.New("there is an exercise that lesson.yaml does not have")
	case t == nil:
		return fmt.Errorf("exercise %s has no text; add a heading: ## exercise %s · TITLE", e.ID, e.ID)
	case t.Goal == "":
		return fmt.Errorf("exercise %s: say under its heading what it is about", e.ID)
	case len(t.Parts) != len(e.Parts):
		return fmt.Errorf("exercise %s: %d parts are written, lesson.yaml has %d", e.ID, len(t.Parts), len(e.Parts))
	}
	for i := range e.Parts {
		p := &e.Parts[i]
		if err := t.Parts[p.ID].complete(p); err != nil {
			return fmt.Errorf("exercise %s: part %s: %w", e.ID, p.ID, err)
		}
	}
	return nil
}

func (t PartText) complete(p *Part) error {
	if t.Task == "" {
		return fmt.Errorf("no text; add a heading ### %s · TITLE and what is to be done", p.ID)
	}
	choices := 0
	for _, c := range p.Criteria {
		if text := t.Criteria[c.ID]; text.Ask == "" || text.Missed == "" {
			return fmt.Errorf("criterion %s needs a list item: - **%s** ASK — SAID WHEN MISSED", c.ID, c.ID)
		}
		for _, choice := range c.Choices {
			if choices++; t.Choices[c.ID+"."+choice.ID] == "" {
				return fmt.Errorf("choice %s needs a list item: - **%s.%s** TEXT", choice.ID, c.ID, choice.ID)
			}
		}
	}
	if len(t.Criteria) != len(p.Criteria) || len(t.Choices) != choices {
		return fmt.Errorf("%d criteria and %d choices are written, lesson.yaml has %d and %d", len(t.Criteria), len(t.Choices), len(p.Criteria), choices)
	}
	return nil
}

package lesson

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"controllerscope/core/exercise"
)

// Text is what one language says of a lesson.
type Text struct {
	Title, Intro string
	Acts         map[string]string
	Stops        map[string]StopText
	Recap        *Recap
	Exercise     *exercise.Text // nil when the lesson has none
	order        []string
}

// StopText is what one language says of a stop.
type StopText struct {
	Title    string       `json:"title"`    // in the list of stops
	Headline string       `json:"headline"` // states what just happened
	Sentence string       `json:"sentence"` // why
	Question string       `json:"question,omitempty"`
	Choices  []ChoiceText `json:"choices,omitempty"`
	Again    AgainText    `json:"-"`
}

// ChoiceText is an answer and, once it was given, what is so or in which world it would be.
type ChoiceText struct {
	ID   string `json:"id"`
	Text string `json:"text"`
	Why  string `json:"why"`
}

// limits of a headline and a sentence, in characters.
var limits = map[string][2]int{"en": {52, 160}, "zh": {22, 60}}

// complete checks that everything is said, and not at too great length.
func (t StopText) complete(s Stop, lang string) error {
	limit := limits[lang]
	switch {
	case t.Headline == "":
		return fmt.Errorf("no headline; write one line in **bold** under the heading")
	case t.Sentence == "":
		return fmt.Errorf("no sentence under the headline")
	case utf8.RuneCountInString(t.Headline) > limit[0]:
		return fmt.Errorf("the headline has %d characters; at most %d fit", utf8.RuneCountInString(t.Headline), limit[0])
	case utf8.RuneCountInString(t.Sentence) > limit[1]:
		return fmt.Errorf("the sentence has %d characters; at most %d fit", utf8.RuneCountInString(t.Sentence), limit[1])
	}
	if s.Ask == nil {
		if t.Question != "" {
			return fmt.Errorf("a question is asked that lesson.yaml does not have")
		}
		return nil
	}
	if t.Question == "" {
		return fmt.Errorf("lesson.yaml asks something here; add ### ask, the question, and one list item per choice")
	}
	for _, c := range s.Ask.Choices {
		i := slices.IndexFunc(t.Choices, func(x ChoiceText) bool { return x.ID == c.ID })
		if i < 0 || t.Choices[i].Text == "" || t.Choices[i].Why == "" {
			return fmt.Errorf("choice %s needs a list item: - **%s** ANSWER — WHY", c.ID, c.ID)
		}
	}
	if len(t.Choices) != len(s.Ask.Choices) {
		return fmt.Errorf("%d choices are written, lesson.yaml has %d", len(t.Choices), len(s.Ask.Choices))
	}
	return t.completeAgain(s.Ask)
}

// ParseText reads a language's Markdown: "# TITLE", the introduction, then per act "## act ID · TITLE" and per stop
// "## ID · TITLE", a **headline**, the sentence, and "### ask" with the question and "- **choice** text — why" items ("### again"
// likewise, for another one like it); at the end "## recap" with its items, and "## exercise ID · TITLE" with what package exercise reads.
func ParseText(file, markdown string) (*Text, error) {
	t := &Text{Acts: map[string]string{}, Stops: map[string]StopText{}}
	var stop, part string
	for n, line := range strings.Split(markdown, "\n") {
		line = strings.TrimSpace(line)
		switch {
		case line == "":
		case strings.HasPrefix(line, "# "):
			t.Title = line[2:]
		case t.Exercise != nil:
			if err := t.Exercise.Add(line, join); err != nil {
				return nil, fmt.Errorf("%s:%d: %w", file, n+1, err)
			}
		case line == "## recap":
			t.Recap, stop, part = &Recap{}, "", ""
		case strings.HasPrefix(line, "## "):
			id, title, ok := strings.Cut(line[3:], " · ")
			if !ok {
				return nil, fmt.Errorf("%s:%d: expected ## ID · TITLE", file, n+1)
			}
			stop, part = "", ""
			if act, isAct := strings.CutPrefix(id, "act "); isAct {
				t.Acts[act] = title
				continue
			}
			if strings.HasPrefix(id, "exercise ") {
				t.Exercise = exercise.NewText(title)
				continue
			}
			if _, twice := t.Stops[id]; twice {
				return nil, fmt.Errorf("%s:%d: stop %s stands there twice", file, n+1, id)
			}
			stop = id
			t.order = append(t.order, id)
			t.Stops[id] = StopText{Title: title}
		case stop == "" && t.Recap != nil:
			if err := t.Recap.add(line); err != nil {
				return nil, fmt.Errorf("%s:%d: %w", file, n+1, err)
			}
		case stop == "" && len(t.Acts)+len(t.order) > 0:
			return nil, fmt.Errorf("%s:%d: an act has a title only; text belongs under a stop: ## ID · TITLE", file, n+1)
		case stop == "":
			t.Intro = join(t.Intro, line)
		case line == "### ask" || line == "### again":
			part = line[4:]
		default:
			text, err := t.Stops[stop].add(line, part)
			if err != nil {
				return nil, fmt.Errorf("%s:%d: %w", file, n+1, err)
			}
			t.Stops[stop] = text
		}
	}
	if t.Title == "" {
		return nil, fmt.Errorf("%s: no title; the first line is # TITLE", file)
	}
	return t, nil
}

// add takes one line of a stop's text; part is "", ask or again.
func (t StopText) add(line, part string) (StopText, error) {
	switch {
	case part == "ask":
		return t, ask(line, &t.Question, &t.Choices)
	case part == "again":
		return t, ask(line, &t.Again.Question, &t.Again.Choices)
	case strings.HasPrefix(line, "**") && strings.HasSuffix(line, "**"):
		t.Headline = strings.Trim(line, "*")
	default:
		t.Sentence = join(t.Sentence, line)
	}
	return t, nil
}

// ask takes one line of a question.
func ask(line string, question *string, choices *[]ChoiceText) error {
	if !strings.HasPrefix(line, "- **") {
		*question = join(*question, line)
		return nil
	}
	id, rest, ok := strings.Cut(line[4:], "** ")
	text, why, ok2 := strings.Cut(rest, " — ")
	if !ok || !ok2 {
		return fmt.Errorf("expected - **CHOICE** ANSWER — WHY")
	}
	*choices = append(*choices, ChoiceText{id, text, why})
	return nil
}

// join puts lines of one paragraph together; Chinese lines join without a blank.
func join(a, b string) string {
	if a == "" {
		return b
	}
	last, _ := utf8.DecodeLastRuneInString(a)
	if last > 0x2e80 {
		return a + b
	}
	return a + " " + b
}

// Package lesson is the parsed form of a lesson: runs (a script each), stops anchored in their traces by expressions, and
// the text of each stop per language. The files stand in lessons/NN-name; package lessons reads them.
package lesson

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"controllerscope/core/exercise"
)

// Lesson is one lesson. The yaml names are those of lesson.yaml.
type Lesson struct {
	ID      string   `yaml:"id" json:"id"`           // folder name: "10-bounce"
	Needs   []string `yaml:"needs" json:"needs"`     // lessons to know before
	Sources []string `yaml:"sources" json:"sources"` // source articles: "S0" .. "S4"
	Kafka   []string `yaml:"kafka" json:"kafka"`     // Kafka's own tests and methods it follows
	Minutes int      `yaml:"minutes" json:"minutes"` // to work through, with the predictions
	Acts    []Act    `yaml:"acts" json:"acts"`
	Runs    []Run    `yaml:"runs" json:"runs"`

	Exercise *exercise.Exercise `yaml:"exercise" json:"exercise,omitempty"` // graded work at the end; nil when there is none

	Texts map[string]*Text `yaml:"-" json:"-"` // by language: "en", "zh"
}

// Act groups stops; Charts says how the state charts stand during it: closed, open or first; age puts the ages of change
// notifications in place of the columns.
type Act struct {
	ID     string `yaml:"id" json:"id"`
	Charts string `yaml:"charts" json:"charts,omitempty"`
}

// Run is one script with the stops in its trace. The setup's steps are not shown.
type Run struct {
	ID     string `yaml:"id" json:"id"`
	Seed   uint64 `yaml:"seed" json:"seed"`
	Setup  string `yaml:"setup" json:"setup"`
	Script string `yaml:"script" json:"script"`
	Stops  []Stop `yaml:"stops" json:"stops"`
}

// Stop is a step the lesson halts at: the first one after the stop before it for which At holds.
type Stop struct {
	ID     string   `yaml:"id" json:"id"`
	Act    string   `yaml:"act" json:"act"`
	At     string   `yaml:"at" json:"at"`
	Method string   `yaml:"method" json:"method,omitempty"` // Kafka method or kind shown beside the headline
	Focus  []string `yaml:"focus" json:"focus,omitempty"`   // zones: zookeeper controller requests brokers; futures shows the end of this run beside that of the first
	Ask    *Ask     `yaml:"ask" json:"ask,omitempty"`
}

// Languages are those that every lesson has.
func Languages() []string { return []string{"en", "zh"} }

// Stops lists all stops of all runs, in order.
func (l *Lesson) Stops() []Stop {
	var out []Stop
	for _, r := range l.Runs {
		out = append(out, r.Stops...)
	}
	return out
}

// Validate checks what can be checked without running: ids once each, acts known, text complete in every language.
func (l *Lesson) Validate() error {
	acts, seen := map[string]bool{}, map[string]bool{}
	for _, a := range l.Acts {
		if acts[a.ID] {
			return fmt.Errorf("%s/lesson.yaml: act %s stands there twice", l.ID, a.ID)
		}
		acts[a.ID] = true
	}
	for _, s := range l.Stops() {
		switch {
		case seen[s.ID]:
			return fmt.Errorf("%s/lesson.yaml: stop %s stands there twice", l.ID, s.ID)
		case !acts[s.Act]:
			return fmt.Errorf("%s/lesson.yaml: stop %s is in act %q, which is not listed under acts", l.ID, s.ID, s.Act)
		case strings.TrimSpace(s.At) == "":
			return fmt.Errorf("%s/lesson.yaml: stop %s has no anchor; say when it is with at: EXPRESSION", l.ID, s.ID)
		}
		if err := s.Ask.validate(); err != nil {
			return fmt.Errorf("%s/lesson.yaml: stop %s: %w", l.ID, s.ID, err)
		}
		if s.Ask != nil {
			if err := s.Ask.validateAgain(l.ID + "/" + s.ID); err != nil {
				return fmt.Errorf("%s/lesson.yaml: stop %s: %w", l.ID, s.ID, err)
			}
		}
		seen[s.ID] = true
	}
	if err := l.Exercise.Validate(); err != nil {
		return fmt.Errorf("%s/lesson.yaml: %w", l.ID, err)
	}
	for _, lang := range Languages() {
		if err := l.validateText(lang); err != nil {
			return err
		}
	}
	return nil
}

// validateText checks that one language says everything that lesson.yaml names, and nothing else.
func (l *Lesson) validateText(lang string) error {
	file := l.ID + "/" + lang + ".md"
	t := l.Texts[lang]
	if t == nil {
		return fmt.Errorf("%s is missing", file)
	}
	for _, a := range l.Acts {
		if t.Acts[a.ID] == "" {
			return fmt.Errorf("%s: act %s has no title; add a heading: ## act %s · TITLE", file, a.ID, a.ID)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(t.Acts)) {
		if !slices.ContainsFunc(l.Acts, func(a Act) bool { return a.ID == id }) {
			return fmt.Errorf("%s: there is a title for an act %s that lesson.yaml does not have", file, id)
		}
	}
	stops := l.Stops()
	for _, s := range stops {
		text, ok := t.Stops[s.ID]
		if !ok {
			return fmt.Errorf("%s: stop %s has no text; add a heading: ## %s · TITLE", file, s.ID, s.ID)
		}
		if err := text.complete(s, lang); err != nil {
			return fmt.Errorf("%s: stop %s: %w", file, s.ID, err)
		}
	}
	if err := t.Exercise.Complete(l.Exercise); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	if err := t.Recap.complete(lang); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	for _, id := range t.order {
		if !slices.ContainsFunc(stops, func(s Stop) bool { return s.ID == id }) {
			return fmt.Errorf("%s: there is text for a stop %s that lesson.yaml does not have", file, id)
		}
	}
	return nil
}

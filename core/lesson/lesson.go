// Package lesson is the parsed form of a lesson: runs (a script each), stops anchored in their traces by expressions, and
// the text of each stop per language. The files stand in lessons/NN-name; package lessons reads them.
package lesson

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"controllerscope/core/exercise"
	"controllerscope/core/script"
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
	// Places says where the fields of lesson.yaml stand, by their paths: runs[0].stops[2].at. nil when no file was read.
	Places map[string]Place `yaml:"-" json:"-"`
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

// sources, charts and zones are the values that fields of these names may have.
var (
	sources = []string{"S0", "S1", "S2", "S3", "S4"}
	charts  = []string{"closed", "open", "first", "age"}
	zones   = []string{"zookeeper", "controller", "requests", "brokers", "futures"}
)

// oneOf checks a value against those that there are.
func oneOf(field, value string, all []string) error {
	if slices.Contains(all, value) {
		return nil
	}
	return in(field, fmt.Errorf("%s: there is no %q; there are %s", field, value, strings.Join(all, ", ")))
}

// Validate checks what can be checked without running: ids once each, acts and words known, scripts and expressions readable,
// text complete in every language.
func (l *Lesson) Validate() error {
	if err := l.validateHead(); err != nil {
		return err
	}
	seen := map[string]bool{}
	for i, r := range l.Runs {
		field := fmt.Sprintf("runs[%d]", i)
		if r.ID == "" || slices.ContainsFunc(l.Runs[:i], func(other Run) bool { return other.ID == r.ID }) {
			return l.Wrong(field, fmt.Errorf("run %q: an id is needed that no other run has", r.ID))
		}
		if err := cmp.Or(l.scriptAt(field+".setup", r.Setup), l.scriptAt(field+".script", r.Script)); err != nil {
			return err
		}
		for j, s := range r.Stops {
			err := s.validate(l)
			if seen[s.ID] {
				err = fmt.Errorf("it stands there twice")
			}
			if seen[s.ID] = true; err != nil {
				return l.Wrong(fmt.Sprintf("%s.stops[%d]", field, j), fmt.Errorf("stop %s: %w", s.ID, err))
			}
		}
	}
	if err := l.Exercise.Validate(); err != nil {
		return l.Wrong("exercise."+wrongPiece(l.Exercise), err)
	}
	for _, lang := range Languages() {
		if err := l.validateText(lang); err != nil {
			return err
		}
	}
	return nil
}

// validateHead checks what stands before the runs, and that there are some.
func (l *Lesson) validateHead() error {
	for i, s := range l.Sources {
		if err := oneOf(fmt.Sprintf("sources[%d]", i), s, sources); err != nil {
			return l.Wrong("", err)
		}
	}
	for i, a := range l.Acts {
		err := error(nil)
		if a.Charts != "" {
			err = oneOf("charts", a.Charts, charts)
		}
		if slices.ContainsFunc(l.Acts[:i], func(other Act) bool { return other.ID == a.ID }) {
			err = fmt.Errorf("it stands there twice")
		}
		if err != nil {
			return l.Wrong(fmt.Sprintf("acts[%d]", i), fmt.Errorf("act %s: %w", a.ID, err))
		}
	}
	switch {
	case l.Minutes < 0:
		return l.Wrong("minutes", fmt.Errorf("minutes: %d; say how long it takes to work through", l.Minutes))
	case len(l.Runs) == 0:
		return l.Wrong("", fmt.Errorf("field runs is missing: a lesson has one script at least"))
	}
	return nil
}

// validate checks one stop. Its errors do not name it.
func (s *Stop) validate(l *Lesson) error {
	if !slices.ContainsFunc(l.Acts, func(a Act) bool { return a.ID == s.Act }) {
		return in("act", fmt.Errorf("it is in act %q, which is not listed under acts", s.Act))
	}
	if strings.TrimSpace(s.At) == "" {
		return fmt.Errorf("it has no anchor; say when it is with at: EXPRESSION")
	}
	if _, err := script.ParseExpr(s.At); err != nil {
		return in("at", fmt.Errorf("at: %w", err))
	}
	for i, zone := range s.Focus {
		if err := oneOf(fmt.Sprintf("focus[%d]", i), zone, zones); err != nil {
			return err
		}
	}
	if s.Ask == nil {
		return nil
	}
	if err := s.Ask.validate(); err != nil {
		return in("ask", err)
	}
	return in("ask", s.Ask.validateAgain(l.ID+"/"+s.ID))
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

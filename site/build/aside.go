package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"

	"controllerscope/core/sim"
)

// aside is what a lesson's inspector fetches when it is asked for (src/side.ts): code, links and invariants.
type aside struct {
	Invariants []sideInvariant         `json:"invariants"`
	Pseudo     []sidePseudo            `json:"pseudo"`
	Functions  map[string]goFunction   `json:"functions"` // by the src of messages
	Lines      map[string][]int        `json:"lines"`     // by message key: where its function makes the step, counted from the function's first line
	Links      map[string]kafkaAddress `json:"links"`     // by Kafka's class.method
	Again      map[string]sideAgain    `json:"again"`     // by stop
}

type sideInvariant struct {
	Name     string `json:"name"`
	Sentence string `json:"sentence"`
	Settled  bool   `json:"settled"` // looked at when the world is idle only
}

// sidePseudo is one of Kafka's functions in few lines.
type sidePseudo struct {
	Kafka string     `json:"kafka"`
	Lines []sideLine `json:"lines"`
}

type sideLine struct {
	Text string   `json:"text"`
	At   []string `json:"at,omitempty"` // messages of the steps that the line makes
}

// pseudoFile is text/pseudo.yaml.
type pseudoFile []struct {
	Kafka string
	Lines []struct {
		En, Zh string
		At     []string
	}
}

func readPseudo(site string) (pseudoFile, error) {
	var file pseudoFile
	return file, readStrict(filepath.Join(site, "text", "pseudo.yaml"), &file)
}

func readStrict(name string, into any) error {
	data, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	if err := yaml.UnmarshalWithOptions(data, into, yaml.Strict()); err != nil {
		return fmt.Errorf("%s: %w", filepath.Base(name), err)
	}
	return nil
}

func (p pseudoFile) in(lang string) []sidePseudo {
	var out []sidePseudo
	for _, f := range p {
		one := sidePseudo{Kafka: f.Kafka}
		for _, l := range f.Lines {
			text := l.En
			if lang == "zh" {
				text = l.Zh
			}
			one.Lines = append(one.Lines, sideLine{text, l.At})
		}
		out = append(out, one)
	}
	return out
}

// invariants lists core/sim's, in one language.
func invariants(site, lang string) ([]sideInvariant, error) {
	var words map[string]string
	if lang != "en" {
		if err := readStrict(filepath.Join(site, "text", "invariants."+lang+".yaml"), &words); err != nil {
			return nil, err
		}
	}
	var out []sideInvariant
	for _, i := range sim.Invariants() {
		sentence := i.Sentence
		if words != nil {
			if sentence = words[i.Name]; sentence == "" {
				return nil, fmt.Errorf("invariants.%s.yaml has no sentence for %s", lang, i.Name)
			}
		}
		out = append(out, sideInvariant{i.Name, sentence, i.Settled})
	}
	return out, nil
}

// asideOf writes the file of one lesson and language and returns its name.
func (b *builder) asideOf(l *recorded, lang string) (string, error) {
	pseudo, err := readPseudo(b.site)
	if err != nil {
		return "", err
	}
	out := aside{Pseudo: pseudo.in(lang), Functions: map[string]goFunction{}, Lines: map[string][]int{}, Links: map[string]kafkaAddress{}, Again: againOf(l.Lesson, lang)}
	if out.Invariants, err = invariants(b.site, lang); err != nil {
		return "", err
	}
	for _, f := range out.Pseudo {
		if link, ok := addressOf(f.Kafka); ok {
			out.Links[f.Kafka] = link
		}
	}
	for _, key := range slices.Sorted(maps.Keys(l.msgs)) {
		m := l.message(key)
		f, err := b.sources.function(m.Src)
		if err != nil {
			return "", fmt.Errorf("%s: message %s: %w", l.ID, key, err)
		}
		out.Functions[m.Src] = f
		if lines := f.mentions(key); len(lines) > 0 {
			out.Lines[key] = lines
		}
		if link, ok := addressOf(m.Kafka); ok {
			out.Links[m.Kafka] = link
		}
	}
	return strings.TrimPrefix(b.hashed(l.ID+"-aside-"+lang+".json", toJSON(out)), "a/"), nil
}

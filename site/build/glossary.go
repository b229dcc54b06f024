package main

import (
	"fmt"

	"controllerscope/core/lesson"
	"controllerscope/core/script"
)

// glossaryFile is text/glossary.yaml.
type glossaryFile struct {
	Terms []struct {
		ID         string
		Name, Text bilingual
		Said       map[string][]string // words in prose that lead here, by language
		At         string
		Figure     *struct {
			Stops []string
			Show  []struct {
				Label bilingual
				Value string
			}
		}
	}
}

// term is an entry of the glossary; Other is its name in the other language.
type term struct {
	ID, Name, Other, Text string
	At                    *stopLink
	Figure                []panel
}

// panel is one stop of a figure, with the values there.
type panel struct {
	Title string
	Stop  stopLink
	Rows  []panelRow
}

// panelRow is one value; Changed says that it was another one in the panel before.
type panelRow struct {
	Label, Value string
	Changed      bool
}

func fillGlossary(b *builder, lang string) (any, error) {
	var file glossaryFile
	if err := b.readYAML("glossary.yaml", &file); err != nil {
		return nil, err
	}
	var out []term
	for _, t := range file.Terms {
		entry := term{ID: t.ID, Name: t.Name[lang], Text: t.Text[lang]}
		for _, l := range lesson.Languages() {
			if l != lang {
				entry.Other = t.Name[l]
			}
			if t.Name[l] == "" || t.Text[l] == "" {
				return nil, fmt.Errorf("glossary.yaml: %s has no name or text in %s", t.ID, l)
			}
		}
		if t.At != "" {
			p, err := b.place(t.At)
			if err != nil {
				return nil, fmt.Errorf("glossary.yaml: %s: %w", t.ID, err)
			}
			at := b.link(p, lang)
			entry.At = &at
		}
		if t.Figure != nil {
			var shows []show
			for _, s := range t.Figure.Show {
				shows = append(shows, show{s.Label[lang], s.Value})
			}
			var err error
			if entry.Figure, err = b.figure(t.Figure.Stops, shows, lang); err != nil {
				return nil, fmt.Errorf("glossary.yaml: %s: %w", t.ID, err)
			}
		}
		out = append(out, entry)
	}
	return out, nil
}

// show is a value of a figure: an expression with its label.
type show struct{ label, value string }

// figure reads the values at each stop from the recording. A figure in which nothing moves is an error.
func (b *builder) figure(stops []string, shows []show, lang string) ([]panel, error) {
	var out []panel
	moved := false
	for i, name := range stops {
		p, err := b.place(name)
		if err != nil {
			return nil, err
		}
		c := p.cursor()
		next := panel{Title: p.Lesson.Texts[lang].Stops[p.Stop.ID].Headline, Stop: b.link(p, lang)}
		for k, s := range shows {
			e, err := script.ParseExpr(s.value)
			if err != nil {
				return nil, err
			}
			row := panelRow{Label: s.label, Value: b.valueText(eval(e, c), lang)}
			row.Changed = i > 0 && out[i-1].Rows[k].Value != row.Value
			moved = moved || row.Changed
			next.Rows = append(next.Rows, row)
		}
		out = append(out, next)
	}
	if !moved {
		return nil, fmt.Errorf("the values of its figure are the same at all of %v", stops)
	}
	return out, nil
}

// valueText is a value as figures write it: truth in words.
func (b *builder) valueText(v any, lang string) string {
	if x, ok := v.(bool); ok {
		if x {
			return b.words[lang]["yes"]
		}
		return b.words[lang]["no"]
	}
	return text(v)
}

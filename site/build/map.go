package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/goccy/go-yaml"
)

// bilingual is a text in both languages.
type bilingual map[string]string

// mapFile is text/map.yaml.
type mapFile struct {
	Units []struct {
		Title   bilingual
		Lessons []struct {
			Number, Minutes int
			Sources         []string
			Title           bilingual
		}
	}
}

// unit is a column of the map.
type unit struct {
	Number, Title string
	Lessons       []mapLesson
}

// mapLesson is a lesson on the map. Only one that is Here has a Folder, Stops, Needs and an Intro.
type mapLesson struct {
	Here            bool
	ID, Folder      string
	Number, Minutes int
	Title, Intro    string
	Sources         []string
	Stops, Asks     int
	Needs           []needed
}

// needed is a lesson that another one builds on.
type needed struct {
	Number int
	Title  string
}

// readYAML reads a file of site/text; an unknown field is an error.
func (b *builder) readYAML(name string, into any) error {
	file := filepath.Join(b.site, "text", name)
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if err := yaml.UnmarshalWithOptions(data, into, yaml.Strict()); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return nil
}

// units lists the lessons by unit.
func (b *builder) units(lang string) ([]unit, error) {
	var file mapFile
	if err := b.readYAML("map.yaml", &file); err != nil {
		return nil, err
	}
	byNumber := map[int]*recorded{}
	for _, l := range b.lessons {
		byNumber[l.number] = l
	}
	var out []unit
	for i, u := range file.Units {
		column := unit{Number: []string{"I", "II", "III", "IV", "V"}[i], Title: u.Title[lang]}
		for _, l := range u.Lessons {
			m := mapLesson{Number: l.Number, Minutes: l.Minutes, Title: l.Title[lang], Sources: l.Sources}
			if here := byNumber[l.Number]; here != nil {
				m = b.here(here, lang)
				delete(byNumber, l.Number)
			}
			column.Lessons = append(column.Lessons, m)
		}
		out = append(out, column)
	}
	for n := range byNumber {
		return nil, fmt.Errorf("text/map.yaml: lesson %d has no place on the map", n)
	}
	return out, nil
}

func (b *builder) here(l *recorded, lang string) mapLesson {
	text := l.Texts[lang]
	m := mapLesson{Here: true, ID: l.ID, Folder: "lessons/" + l.ID + "/", Number: l.number, Minutes: l.Minutes, Title: text.Title, Intro: text.Intro,
		Sources: l.Sources, Stops: len(l.places())}
	for _, s := range l.Stops() {
		if s.Ask != nil {
			m.Asks++
		}
	}
	for _, id := range l.Needs {
		if other := b.lesson(id); other != nil {
			m.Needs = append(m.Needs, needed{other.number, other.Texts[lang].Title})
		}
	}
	return m
}

func fillMap(b *builder, lang string) (any, error) { return b.units(lang) }

package main

import (
	"fmt"
	"slices"
)

// notesFill is what the notes window says of each lesson, by its id: the rest comes from the page of the lesson.
type notesFill map[string]*lessonNotes

// lessonNotes are for who speaks: what to do, and futures that are worth a look.
type lessonNotes struct {
	Do  []string    `json:"do"`
	Try []noteOfTry `json:"try"`
}

// noteOfTry is a what-if recipe: at stop N these lines, and what there is to see then.
type noteOfTry struct {
	N     int      `json:"n"`
	Lines []string `json:"lines"`
	See   string   `json:"see"`
}

// fillNotes takes the introduction of every lesson, and what the plan of a class says of it.
func fillNotes(b *builder, lang string) (any, error) {
	var file teachFile
	if err := b.readYAML("teach.yaml", &file); err != nil {
		return nil, err
	}
	out := notesFill{}
	for _, l := range b.lessons {
		out[l.ID] = &lessonNotes{Do: []string{l.Texts[lang].Intro}}
	}
	for _, f := range file.Blocks {
		notes := out[f.Lesson]
		if notes == nil {
			continue
		}
		notes.Do = append(notes.Do, f.Do[lang])
		for _, t := range f.Try {
			stops := b.lesson(f.Lesson).Stops()
			n := 0
			for i := range stops {
				if stops[i].ID == t.At {
					n = i + 1
				}
			}
			if n == 0 {
				return nil, fmt.Errorf("teach.yaml: lesson %s has no stop %s to try something at", f.Lesson, t.At)
			}
			notes.Try = append(notes.Try, noteOfTry{n, slices.Clone(t.Lines), t.See[lang]})
		}
	}
	return out, nil
}

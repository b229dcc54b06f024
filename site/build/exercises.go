package main

import "controllerscope/core/exercise"

// exercisesFill is what the page of exercises carries: its words, those of the sandbox that it shares, and all exercises.
type exercisesFill struct {
	Words   map[string]string `json:"words"`
	Sandbox map[string]string `json:"sandbox"`
	Entries []exerciseEntry   `json:"entries"`
}

type exerciseEntry struct {
	Lesson      string             `json:"lesson"`
	LessonTitle string             `json:"lessonTitle"`
	Points      int                `json:"points"`
	Exercise    *exercise.Exercise `json:"exercise"`
	Text        *exercise.Text     `json:"text"`
}

func fillExercises(b *builder, lang string) (any, error) {
	words, err := readWords(b.site, "exercises.")
	if err != nil {
		return nil, err
	}
	ofSandbox, err := readWords(b.site, "sandbox.")
	if err != nil {
		return nil, err
	}
	out := exercisesFill{Words: words[lang], Sandbox: ofSandbox[lang]}
	for _, l := range b.lessons {
		if l.Exercise != nil {
			text := l.Texts[lang]
			out.Entries = append(out.Entries, exerciseEntry{l.ID, text.Title, l.Exercise.Points(), l.Exercise, text.Exercise})
		}
	}
	return out, nil
}

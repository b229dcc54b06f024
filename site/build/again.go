package main

import (
	"slices"

	"controllerscope/core/lesson"
)

// sideAgain is another question like the one of a stop (src/parts/again.ts). The page hands exercise to the core, which
// deals the values, plays both parts of it and says which keys hold.
type sideAgain struct {
	Exercise string        `json:"exercise"`
	Kind     string        `json:"kind"`
	Question string        `json:"question"`
	Value    string        `json:"value,omitempty"`
	At       string        `json:"at,omitempty"`
	Choices  []againChoice `json:"choices"`
}

type againChoice struct {
	ID   string `json:"id"`
	Key  string `json:"key,omitempty"`
	Text string `json:"text"`
	Why  string `json:"why"`
}

// againOf lists the questions of a lesson that can be asked again, by stop.
func againOf(l *lesson.Lesson, lang string) map[string]sideAgain {
	out := map[string]sideAgain{}
	for _, s := range l.Stops() {
		if s.Ask == nil || s.Ask.Again == nil {
			continue
		}
		a, words := s.Ask.Again, l.Texts[lang].Stops[s.ID].Again
		one := sideAgain{Exercise: string(toJSON(a.Exercise(l.ID + "/" + s.ID))), Kind: a.KindFor(s.Ask), Question: words.Question, Value: a.Value, At: a.At}
		for _, c := range a.Choices {
			i := slices.IndexFunc(words.Choices, func(x lesson.ChoiceText) bool { return x.ID == c.ID }) // there: the lesson was validated
			one.Choices = append(one.Choices, againChoice{c.ID, c.Key, words.Choices[i].Text, words.Choices[i].Why})
		}
		out[s.ID] = one
	}
	return out
}

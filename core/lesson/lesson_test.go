package lesson

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// small is a lesson of one run and two stops, complete in both languages.
func small(t *testing.T) *Lesson {
	t.Helper()
	l := &Lesson{ID: "x", Acts: []Act{{ID: "one"}}, Texts: map[string]*Text{},
		Runs: []Run{{ID: "main", Stops: []Stop{
			{ID: "start", Act: "one", At: "step.i = 0", Ask: &Ask{Kind: "choice", Right: []string{"a"}, Choices: []Choice{{ID: "a"}, {ID: "b"}}, Fixed: "so it is"}},
			{ID: "end", Act: "one", At: "step.i = 1"},
		}}}}
	for _, lang := range Languages() {
		text, err := ParseText("x/"+lang+".md", prose)
		require.NoError(t, err)
		l.Texts[lang] = text
	}
	require.NoError(t, l.Validate())
	return l
}

func edit(l *Lesson, lang, stop string, f func(*StopText)) {
	text := l.Texts[lang].Stops[stop]
	f(&text)
	l.Texts[lang].Stops[stop] = text
}

func TestValidate(t *testing.T) {
	for _, c := range []struct {
		name   string
		damage func(l *Lesson)
		want   string
	}{
		{"act twice", func(l *Lesson) { l.Acts = append(l.Acts, Act{ID: "one"}) }, "x/lesson.yaml: act one: it stands there twice"},
		{"stop twice", func(l *Lesson) { l.Runs[0].Stops[1].ID = "start" }, "x/lesson.yaml: stop start: it stands there twice"},
		{"unknown act", func(l *Lesson) { l.Runs[0].Stops[1].Act = "two" },
			`x/lesson.yaml: stop end: it is in act "two", which is not listed under acts`},
		{"no anchor", func(l *Lesson) { l.Runs[0].Stops[1].At = " " },
			"x/lesson.yaml: stop end: it has no anchor; say when it is with at: EXPRESSION"},
		{"unknown zone", func(l *Lesson) { l.Runs[0].Stops[1].Focus = []string{"brokers", "broker"} },
			`x/lesson.yaml: stop end: focus[1]: there is no "broker"; there are zookeeper, controller, requests, brokers, futures`},
		{"unknown charts", func(l *Lesson) { l.Acts[0].Charts = "closd" },
			`x/lesson.yaml: act one: charts: there is no "closd"; there are closed, open, first, age`},
		{"unknown source", func(l *Lesson) { l.Sources = []string{"S5"} },
			`x/lesson.yaml: sources[0]: there is no "S5"; there are S0, S1, S2, S3, S4`},
		{"time", func(l *Lesson) { l.Minutes = -3 }, "x/lesson.yaml: minutes: -3; say how long it takes to work through"},
		{"no run", func(l *Lesson) { l.Runs = nil }, "x/lesson.yaml: field runs is missing: a lesson has one script at least"},
		{"run twice", func(l *Lesson) { l.Runs = append(l.Runs, Run{ID: "main"}) },
			`x/lesson.yaml: run "main": an id is needed that no other run has`},
		{"unreadable script", func(l *Lesson) { l.Runs[0].Script = "until idle\nbroker begin 1\n" },
			"x/lesson.yaml:2:8: expected start, stop, kill, crash, bounce, pause, resume, config or set-listener after broker\n    broker begin 1\n           ^^^^^"},
		{"unreadable anchor", func(l *Lesson) { l.Runs[0].Stops[1].At = "= 3" },
			"x/lesson.yaml: stop end: at: 1:1: expected a path, a value, not or (\n    = 3\n    ^"},
		{"unreadable key", func(l *Lesson) { l.Runs[0].Stops[0].Ask.Choices[1].Key = "= 3" },
			"x/lesson.yaml: stop start: choice b: 1:1: expected a path, a value, not or (\n    = 3\n    ^"},
		{"right is no choice", func(l *Lesson) { l.Runs[0].Stops[0].Ask.Right = []string{"c"} },
			"x/lesson.yaml: stop start: right names c, which is no choice; the choices are [a b]"},
		{"nothing right", func(l *Lesson) { l.Runs[0].Stops[0].Ask.Right = nil },
			"x/lesson.yaml: stop start: 0 of 2 choices are right; at least one must be, and one must not"},
		{"choice twice", func(l *Lesson) { l.Runs[0].Stops[0].Ask.Choices[1].ID = "a" },
			"x/lesson.yaml: stop start: choice a stands there twice"},
		{"kind of question", func(l *Lesson) { l.Runs[0].Stops[0].Ask.Kind = "number" },
			`x/lesson.yaml: stop start: it asks for a "number"; the kinds are: choice, stop, multi, order, value, hotspot, move`},
		{"language missing", func(l *Lesson) { delete(l.Texts, "zh") }, "x/zh.md is missing"},
		{"stop missing in one language", func(l *Lesson) { delete(l.Texts["zh"].Stops, "end") },
			"x/zh.md: stop end has no text; add a heading: ## end · TITLE"},
		{"act missing in one language", func(l *Lesson) { delete(l.Texts["zh"].Acts, "one") },
			"x/zh.md: act one has no title; add a heading: ## act one · TITLE"},
		{"text without a stop", func(l *Lesson) { l.Runs[0].Stops = l.Runs[0].Stops[:1] },
			"x/en.md: there is text for a stop end that lesson.yaml does not have"},
		{"title without an act", func(l *Lesson) { l.Texts["en"].Acts["two"] = "Second" },
			"x/en.md: there is a title for an act two that lesson.yaml does not have"},
		{"no recap", func(l *Lesson) { l.Texts["zh"].Recap = nil },
			"x/zh.md: no recap, or only a part; add ## recap with three items and the lines **3.9** and **KRaft**"},
		{"no headline", func(l *Lesson) { edit(l, "en", "end", func(s *StopText) { s.Headline = "" }) },
			"x/en.md: stop end: no headline; write one line in **bold** under the heading"},
		{"no sentence", func(l *Lesson) { edit(l, "zh", "end", func(s *StopText) { s.Sentence = "" }) },
			"x/zh.md: stop end: no sentence under the headline"},
		{"long headline", func(l *Lesson) { edit(l, "en", "end", func(s *StopText) { s.Headline = strings.Repeat("x", 53) }) },
			"x/en.md: stop end: the headline has 53 characters; at most 52 fit"},
		{"long sentence", func(l *Lesson) { edit(l, "en", "end", func(s *StopText) { s.Sentence = strings.Repeat("x", 161) }) },
			"x/en.md: stop end: the sentence has 161 characters; at most 160 fit"},
		{"long headline, zh", func(l *Lesson) { edit(l, "zh", "end", func(s *StopText) { s.Headline = strings.Repeat("长", 23) }) },
			"x/zh.md: stop end: the headline has 23 characters; at most 22 fit"},
		{"long sentence, zh", func(l *Lesson) { edit(l, "zh", "end", func(s *StopText) { s.Sentence = strings.Repeat("长", 61) }) },
			"x/zh.md: stop end: the sentence has 61 characters; at most 60 fit"},
		{"question not asked", func(l *Lesson) { l.Runs[0].Stops[0].Ask = nil },
			"x/en.md: stop start: a question is asked that lesson.yaml does not have"},
		{"question not written", func(l *Lesson) { edit(l, "en", "start", func(s *StopText) { s.Question = "" }) },
			"x/en.md: stop start: lesson.yaml asks something here; add ### ask, the question, and one list item per choice"},
		{"choice not written", func(l *Lesson) { edit(l, "en", "start", func(s *StopText) { s.Choices = s.Choices[:1] }) },
			"x/en.md: stop start: choice b needs a list item: - **b** ANSWER — WHY"},
		{"choice too many", func(l *Lesson) {
			edit(l, "en", "start", func(s *StopText) { s.Choices = append(s.Choices, ChoiceText{"c", "C", "no"}) })
		}, "x/en.md: stop start: 3 choices are written, lesson.yaml has 2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := small(t)
			c.damage(l)
			assert.EqualError(t, l.Validate(), c.want)
		})
	}
}

// The limits are those that still fit.
func TestTextAtItsLimit(t *testing.T) {
	l := small(t)
	edit(l, "en", "end", func(s *StopText) { s.Headline, s.Sentence = strings.Repeat("x", 52), strings.Repeat("x", 160) })
	edit(l, "zh", "end", func(s *StopText) { s.Headline, s.Sentence = strings.Repeat("长", 22), strings.Repeat("长", 60) })
	assert.NoError(t, l.Validate())
}

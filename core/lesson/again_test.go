package lesson

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"controllerscope/core/exercise"
)

// again makes the question of small one that is asked again, as it should be.
func again(t *testing.T) *Lesson {
	t.Helper()
	l := small(t)
	l.Runs[0].Stops[0].Ask.Fixed = ""
	l.Runs[0].Stops[0].Ask.Again = &Again{Vary: []exercise.Vary{{Names: []string{"b"}, Of: []string{"1", "2"}}},
		Setup: "cluster brokers=0,1,2\n", Script: "broker start {b}\n", Then: "until idle\n",
		Choices: []Choice{{"up", "broker[{b}].up"}, {"down", "not broker[{b}].up"}}}
	for _, lang := range Languages() {
		edit(l, lang, "start", func(s *StopText) {
			s.Again = AgainText{"Is broker {b} up?", []ChoiceText{{"up", "yes", "it was started"}, {"down", "no", "it was not"}}}
		})
	}
	require.NoError(t, l.Validate())
	return l
}

func TestAQuestionSaysWhetherItCanBeAskedAgain(t *testing.T) {
	for _, c := range []struct {
		name   string
		damage func(l *Lesson, a *Again)
		want   string
	}{
		{"neither", func(l *Lesson, _ *Again) { l.Runs[0].Stops[0].Ask.Again = nil },
			"x/lesson.yaml: stop start: give again: with a run whose values are dealt, or fixed: REASON when the answer is the same in every world"},
		{"both", func(l *Lesson, _ *Again) { l.Runs[0].Stops[0].Ask.Fixed = "so it is" },
			"x/lesson.yaml: stop start: give again: with a run whose values are dealt, or fixed: REASON when the answer is the same in every world"},
		{"kind", func(_ *Lesson, a *Again) { a.Kind = "order" },
			`x/lesson.yaml: stop start: again: it is of kind "order"; the kinds are those of questions but for order`},
		{"nothing varies", func(_ *Lesson, a *Again) { a.Vary = nil },
			"x/lesson.yaml: stop start: again: nothing varies; give vary: with names and values"},
		{"nothing follows", func(_ *Lesson, a *Again) { a.Then = " " },
			"x/lesson.yaml: stop start: again: nothing is asked about; give then: with what happens after the question"},
		{"a value of a choice", func(_ *Lesson, a *Again) { a.Value = "broker[{b}].up" },
			"x/lesson.yaml: stop start: again: kinds value and move need value: EXPRESSION, and only they"},
		{"choices of a value", func(_ *Lesson, a *Again) { a.Kind, a.Value = "value", "broker[{b}].up" },
			"x/lesson.yaml: stop start: again: kind value has one choice, right, without a key"},
		{"one choice", func(_ *Lesson, a *Again) { a.Choices = a.Choices[:1] },
			"x/lesson.yaml: stop start: again: 1 choices; give two at least"},
		{"no key", func(_ *Lesson, a *Again) { a.Choices[1].Key = "" },
			"x/lesson.yaml: stop start: again: choice down needs a key"},
		{"a line that cannot be read", func(_ *Lesson, a *Again) { a.Script = "broker begin {b}\n" },
			`x/lesson.yaml: stop start: exercise x/start: part seen: script:1:8:`},
		{"a key that cannot be read", func(_ *Lesson, a *Again) { a.Choices[0].Key = "broker[{b}" },
			"x/lesson.yaml: stop start: again: up: 1:"},
		{"a moment that cannot be read", func(_ *Lesson, a *Again) { a.At = "= 3" },
			"x/lesson.yaml: stop start: again: at: 1:1:"},
		{"not said", func(l *Lesson, _ *Again) { edit(l, "zh", "start", func(s *StopText) { s.Again = AgainText{} }) },
			"x/zh.md: stop start: lesson.yaml asks again here; add ### again, the question, and one list item per choice"},
		{"choice not said", func(l *Lesson, _ *Again) {
			edit(l, "en", "start", func(s *StopText) { s.Again.Choices = s.Again.Choices[:1] })
		}, "x/en.md: stop start: again: choice down needs a list item: - **down** ANSWER — WHY"},
		{"choice too many", func(l *Lesson, _ *Again) {
			edit(l, "en", "start", func(s *StopText) { s.Again.Choices = append(s.Again.Choices, ChoiceText{"c", "C", "no"}) })
		}, "x/en.md: stop start: again: 3 choices are written, lesson.yaml has 2"},
		{"a gap that nothing fills", func(l *Lesson, _ *Again) {
			edit(l, "en", "start", func(s *StopText) { s.Again.Question = "Is {c} up?" })
		}, "x/en.md: stop start: again: {c} is not dealt; there are [value b]"},
		{"said but not there", func(l *Lesson, _ *Again) {
			l.Runs[0].Stops[0].Ask.Again, l.Runs[0].Stops[0].Ask.Fixed = nil, "so it is"
		}, "x/en.md: stop start: a question is asked again that lesson.yaml does not have"},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := again(t)
			c.damage(l, l.Runs[0].Stops[0].Ask.Again)
			err := l.Validate()
			require.Error(t, err)
			assert.True(t, strings.HasPrefix(err.Error(), c.want), "%s", err)
		})
	}
}

func TestAgainIsReadLikeAsk(t *testing.T) {
	text, err := ParseText("x/en.md", prose+"\n## other · Other\n**It is**\nSo.\n### ask\nWhat?\n- **a** A — why a\n### again\nAnd {b}?\nReally?\n- **right** {value} — because\n")
	require.NoError(t, err)
	s := text.Stops["other"]
	assert.Equal(t, "What?", s.Question)
	assert.Equal(t, []ChoiceText{{"a", "A", "why a"}}, s.Choices)
	assert.Equal(t, AgainText{"And {b}? Really?", []ChoiceText{{"right", "{value}", "because"}}}, s.Again)
}

// What is seen is the beginning of the run, and both have the values.
func TestAgainIsDealtAsAnExercise(t *testing.T) {
	a := again(t).Runs[0].Stops[0].Ask.Again
	e := a.Exercise("x/start")
	v := e.Variant(exercise.Seed("", "3", "x/start"))
	b := v.Fill("{b}")
	require.Contains(t, []string{"1", "2"}, b)
	parts := e.Deal(v)
	require.Len(t, parts, 2)
	assert.Equal(t, "broker start "+b+"\n", parts[0].Script)
	assert.Equal(t, "broker start "+b+"\nuntil idle\n", parts[1].Script)
}

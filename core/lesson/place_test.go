package lesson

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"

	"controllerscope/core/exercise"
)

// Every error begins with the line of the field that it is about; where that is not known, with the line of what holds it.
func TestErrorsBeginWithTheLine(t *testing.T) {
	for _, c := range []struct {
		name   string
		damage func(l *Lesson)
		want   string
	}{
		{"act", func(l *Lesson) { l.Acts[0].Charts = "x" }, `x/lesson.yaml:3: act one: charts: there is no "x"; there are closed, open, first, age`},
		{"anchor", func(l *Lesson) { l.Runs[0].Stops[1].At = "= 3" },
			"x/lesson.yaml:11: stop end: at: 1:1: expected a path, a value, not or (\n    = 3\n    ^"},
		{"stop", func(l *Lesson) { l.Runs[0].Stops[1].Act = "two" }, `x/lesson.yaml:10: stop end: it is in act "two", which is not listed under acts`},
		{"key", func(l *Lesson) { l.Runs[0].Stops[0].Ask.Choices[1].Key = "= 3" },
			"x/lesson.yaml:9: stop start: choice b: 1:1: expected a path, a value, not or (\n    = 3\n    ^"},
		{"question", func(l *Lesson) { l.Runs[0].Stops[0].Ask.Kind = "order" },
			"x/lesson.yaml:7: stop start: right puts 1 of 2 choices in order; it must list all, two at least"},
		{"script", func(l *Lesson) { l.Runs[0].Script = "until idle\nbroker\n" },
			"x/lesson.yaml:21:11: expected start, stop, kill, crash, bounce, pause, resume, config or set-listener after broker\n" +
				"        broker\n              ^"},
		{"criterion", func(l *Lesson) {
			l.Exercise = &exercise.Exercise{ID: "E", Version: 1, Parts: []exercise.Part{{ID: "a", Kind: exercise.Value,
				Criteria: []exercise.Criterion{{ID: "c", Points: 1, Value: "step.i"}, {ID: "d", Points: 1, Value: "= 3"}}}}}
		}, "x/lesson.yaml:32: exercise E: part a: criterion d: 1:1: expected a path, a value, not or (\n    = 3\n    ^"},
		{"part", func(l *Lesson) {
			l.Exercise = &exercise.Exercise{ID: "E", Version: 1, Parts: []exercise.Part{{ID: "a", Kind: "x"}}}
		}, `x/lesson.yaml:31: exercise E: part a: it is of kind "x"; the kinds are drive, value, detect`},
		{"exercise", func(l *Lesson) { l.Exercise = &exercise.Exercise{ID: "E"} },
			`x/lesson.yaml:30: exercise "E" needs an id, a version of 1 or more, and parts`},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := small(t)
			l.Places = map[string]Place{"acts[0]": {Line: 3}, "runs[0].stops[0].ask": {Line: 7}, "runs[0].stops[0].ask.choices[1]": {Line: 9},
				"runs[0].stops[1]": {Line: 10}, "runs[0].stops[1].at": {Line: 11}, "runs[0].script": {Line: 20, Indent: 4},
				"exercise": {Line: 30}, "exercise.parts[0]": {Line: 31}, "exercise.parts[0].criteria[1]": {Line: 32}}
			c.damage(l)
			assert.EqualError(t, l.Validate(), c.want)
		})
	}
}

func TestWhatDoesNotComeTrueBeginsWithTheLine(t *testing.T) {
	l := &Lesson{ID: "x", Runs: []Run{{ID: "other"}, {ID: "main", Stops: []Stop{{ID: "s", At: "step.i = 1", Ask: asks()["stop"]}}}},
		Places: map[string]Place{"runs[1].stops[0].ask.choices[0].key": {Line: 8}, "runs[1].stops[0].at": {Line: 5}}}
	l.Runs[1].Stops[0].Ask.Right = []string{"continue"}
	_, err := l.Resolve(l.Runs[1], play(t))
	assert.EqualError(t, err, "x/lesson.yaml:8: stop s, choice continue: its key says false, right says true: not exists(hold[1.controller])")
	l.Runs[1].Stops[0].At = "step.i = 99"
	_, err = l.Resolve(l.Runs[1], play(t))
	assert.EqualError(t, err, "x/lesson.yaml:5: stop s: its anchor holds at no step after stop (the start): step.i = 99")
}

func TestAnErrorOfARunIsOneOfAFile(t *testing.T) {
	l := &Lesson{ID: "x", Runs: []Run{{ID: "other"}, {ID: "main"}}, Places: map[string]Place{"runs[1].script": {Line: 20}, "runs[1].setup": {Line: 10}}}
	for was, want := range map[string]string{
		"x/main:3: until false: it never held": "x/lesson.yaml:22: until false: it never held",
		"x/main setup:1: broker start 7: no":   "x/lesson.yaml:10: broker start 7: no",
		"x/other:3: no place":                  "x/other:3: no place",
		"ZooKeeper is not available":           "ZooKeeper is not available",
	} {
		err := errors.New(was)
		got := l.Located(l.Runs[1], err)
		assert.EqualError(t, got, want)
		assert.ErrorIs(t, got, err)
	}
	assert.EqualError(t, l.Located(l.Runs[0], errors.New("x/other:3: no place")), "x/other:3: no place")
}

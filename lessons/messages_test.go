package lessons

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"controllerscope/core/kafka"
	"controllerscope/core/lesson"
	"controllerscope/core/run"
	"controllerscope/core/trace"
)

// values are the templates that stand for values in sentences, and so belong to no message.
var values = []string{"value.no", "value.none", "value.yes"}

var placeholder = regexp.MustCompile(`\{([^}]*)\}`)

// names lists the arguments that a template uses.
func names(template string) []string {
	var out []string
	for _, m := range placeholder.FindAllStringSubmatch(template, -1) {
		out = append(out, m[1])
	}
	return out
}

func TestEveryMessageHasASentenceAndNoOther(t *testing.T) {
	messages := run.Messages()
	for _, lang := range lesson.Languages() {
		sentences, err := Sentences(lang)
		require.NoError(t, err)
		for _, key := range append(kafka.SortedKeys(messages), values...) {
			if _, said := sentences[key]; !said {
				assert.Fail(t, "lessons/messages/"+lang+".yaml has no sentence for "+key)
			}
		}
		for _, key := range kafka.SortedKeys(sentences) {
			if _, known := messages[key]; !known && !slices.Contains(values, key) {
				assert.Fail(t, "lessons/messages/"+lang+".yaml has a sentence for "+key+", which is no message")
			}
		}
	}
	_, err := Sentences("xx")
	assert.EqualError(t, err, `no messages in language "xx"; there are [en zh]`)
}

func TestSentencesUseOnlyTheArgumentsOfTheirMessage(t *testing.T) {
	messages := run.Messages()
	limits := map[string]int{"en": 110, "zh": 50}
	for _, lang := range lesson.Languages() {
		sentences, err := Sentences(lang)
		require.NoError(t, err)
		for _, key := range kafka.SortedKeys(sentences) {
			template := sentences[key]
			assert.NotEmpty(t, strings.TrimSpace(template), "%s %s", lang, key)
			shown := template
			if lang == "zh" {
				shown = placeholder.ReplaceAllString(template, "x")
			}
			assert.LessOrEqual(t, utf8.RuneCountInString(shown), limits[lang], "%s %s", lang, key)
			for _, name := range names(template) {
				if name != "entity" {
					assert.Contains(t, messages[key].Args, name, "%s %s uses {%s}", lang, key, name)
				}
			}
		}
	}
}

func TestBothLanguagesUseTheSameArguments(t *testing.T) {
	en, err := Sentences("en")
	require.NoError(t, err)
	zh, err := Sentences("zh")
	require.NoError(t, err)
	for _, key := range kafka.SortedKeys(en) {
		assert.ElementsMatch(t, names(en[key]), names(zh[key]), key)
	}
}

// The steps of the lessons carry arguments that are declared, and all that their sentences use.
func TestStepsOfLessonsCarryTheArgumentsOfTheirMessage(t *testing.T) {
	eachRun(t, func(t *testing.T, _ *lesson.Lesson, _ lesson.Run, tr *trace.Trace) { checkArguments(t, tr) })
}

// So do the steps of a script that meets most of what lessons do not.
func TestStepsOfATourCarryTheArgumentsOfTheirMessage(t *testing.T) {
	tour, err := os.ReadFile("testdata/tour.txt")
	require.NoError(t, err)
	tr := play(t, &lesson.Lesson{ID: "tour"}, lesson.Run{ID: "main", Seed: 1, Script: string(tour)})
	checkArguments(t, tr)
	met := map[string]bool{}
	for _, s := range tr.Steps {
		met[s.Msg] = true
	}
	for _, key := range []string{"deletion.start", "deletion.done", "reassign.done", "preferred.done", "rebalance.check", "resign.done",
		"dynconfig.notice.failed", "dynconfig.notice.purge", "zk.session.cut", "zk.session.learn", "world.reply-lost", "broker.stopRefused",
		"channel.retry", "psm.failed", "alterIsr.decide", "net.refused"} {
		assert.True(t, met[key], "the tour does not meet %s any more", key)
	}
}

func checkArguments(t *testing.T, tr *trace.Trace) {
	t.Helper()
	messages := run.Messages()
	en, err := Sentences("en")
	require.NoError(t, err)
	for _, s := range tr.Steps {
		declared, known := messages[s.Msg]
		require.True(t, known, "step %s: no message %q", s.ID, s.Msg)
		var has []string
		for _, a := range s.Args {
			assert.Contains(t, declared.Args, a.Name, "%s", s.Msg)
			has = append(has, a.Name)
		}
		for _, name := range names(en[s.Msg]) {
			if name == "entity" {
				assert.NotEmpty(t, s.Entity, "%s uses {entity}", s.Msg)
			} else {
				assert.Contains(t, has, name, "%s", s.Msg)
			}
		}
	}
}

package browser

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"controllerscope/core/env"
	"controllerscope/core/lesson"
	"controllerscope/core/run"
	"controllerscope/core/trace"
	"controllerscope/core/zk/zkmem"
	"controllerscope/lessons"
)

// answerAll makes the questions of a lesson skipped, so that nothing stops the cursor.
func answerAll(p *page, name string) {
	l, err := lessons.Embedded(name)
	require.NoError(p.t, err)
	answers := map[string]string{}
	for _, s := range l.Stops() {
		if s.Ask != nil {
			answers[s.ID] = ""
		}
	}
	text, _ := json.Marshal(answers)
	p.visit("") // a page that keeps none of its own
	eval[int](p, "(localStorage.setItem('controllerscope.answers."+name+"', '"+string(text)+"'), 1)")
}

// stopNumber is the place of a stop in its lesson, from 1.
func stopNumber(t *testing.T, name, id string) string {
	l, err := lessons.Embedded(name)
	require.NoError(t, err)
	for i, s := range l.Stops() {
		if s.ID == id {
			return strconv.Itoa(i + 1)
		}
	}
	t.Fatalf("lesson %s has no stop %s", name, id)
	return ""
}

// reached waits until a stop's headline is shown.
func (p *page) reached(name, id, lang string) {
	p.t.Helper()
	l, err := lessons.Embedded(name)
	require.NoError(p.t, err)
	p.until("document.querySelector('#headline')?.innerText?.includes(" + quote(strings.ReplaceAll(l.Texts[lang].Stops[id].Headline, "`", "")) + ") === true")
}

// dump writes a document as the page's own dump does.
func dump(doc *trace.Document) string {
	var b bytes.Buffer
	out := json.NewEncoder(&b)
	out.SetEscapeHTML(false)
	var lines []string
	doc.Walk(func(path env.Path, value any) bool {
		b.Reset()
		out.Encode([]string(path))
		lines = append(lines, strings.TrimSpace(b.String())+" "+trace.ValueText(value))
		return true
	})
	return strings.Join(lines, "\n")
}

// recorded carries a run out as its inputs say.
func recorded(t *testing.T, in run.Inputs) *trace.Trace {
	t.Helper()
	r, err := run.Start(in, run.Options{Store: zkmem.New(zkmem.Options{}), Record: true})
	require.NoError(t, err)
	defer r.Close()
	require.NoError(t, r.Finish())
	return r.Trace()
}

func embedded(t *testing.T, name string) *lesson.Lesson {
	t.Helper()
	l, err := lessons.Embedded(name)
	require.NoError(t, err)
	return l
}

const panels = "document.querySelector('#app').innerText"

func quote(s string) string {
	text, _ := json.Marshal(s)
	return string(text)
}

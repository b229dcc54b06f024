package browser

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"controllerscope/core/env"
	"controllerscope/core/run"
	"controllerscope/core/trace"
	"controllerscope/core/zk/zkmem"
	"controllerscope/lessons"
)

// answerAll makes the questions of a lesson skipped, so that nothing stops the cursor.
func answerAll(p *page, lesson string) {
	l, err := lessons.Embedded(lesson)
	require.NoError(p.t, err)
	answers := map[string]string{}
	for _, s := range l.Stops() {
		if s.Ask != nil {
			answers[s.ID] = ""
		}
	}
	text, _ := json.Marshal(answers)
	eval[int](p, "(localStorage.setItem('controllerscope.answers."+lesson+"', '"+string(text)+"'), 1)")
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
		line := strings.TrimSpace(b.String())
		b.Reset()
		out.Encode(value)
		lines = append(lines, line+" "+strings.TrimSpace(b.String()))
		return true
	})
	return strings.Join(lines, "\n")
}

func recordingOf(t *testing.T, lesson string) *trace.Trace {
	t.Helper()
	l, err := lessons.Embedded(lesson)
	require.NoError(t, err)
	r, err := run.Start(l.Inputs(l.Runs[0]), run.Options{Store: zkmem.New(zkmem.Options{}), Record: true})
	require.NoError(t, err)
	defer r.Close()
	require.NoError(t, r.Finish())
	return r.Trace()
}

const panels = "document.querySelector('#app').innerText"

// TestEveryStepForwardAndBack compares the page's document with the core's at every step, and its panels forward with
// its panels backward.
func TestEveryStepForwardAndBack(t *testing.T) {
	const lesson = "03-election"
	p := open(t, "/", 1440, 900)
	p.visit("lessons/" + lesson + "/")
	answerAll(p, lesson)
	p.visit("lessons/" + lesson + "/")
	p.press("Home", false)
	tr := recordingOf(t, lesson)
	c := trace.NewCursor(tr)
	require.Equal(t, len(tr.Steps), eval[int](p, "controllerscopePage.length()"))
	forward := map[int]string{}
	for i := eval[int](p, "controllerscopePage.at()"); ; i++ {
		require.Equal(t, i, eval[int](p, "controllerscopePage.at()"))
		c.Seek(i)
		require.Equal(t, dump(c.Doc()), eval[string](p, "controllerscopePage.dump()"), "step %d", i)
		forward[i] = eval[string](p, panels)
		if i == len(tr.Steps)-1 {
			break
		}
		p.press("ArrowRight", true)
	}
	for i := len(tr.Steps) - 1; ; i-- {
		require.Equal(t, forward[i], eval[string](p, panels), "step %d, coming back", i)
		if _, before := forward[i-1]; !before {
			break
		}
		p.press("ArrowLeft", true)
	}
	p.clean()
}

func TestFromAnySubPath(t *testing.T) {
	for _, prefix := range []string{"/", "/a/b/"} {
		p := open(t, prefix, 1440, 900)
		p.visit("")
		p.visit("lessons/10-bounce/")
		require.Contains(t, eval[string](p, "document.querySelector('.ledger').innerText"), "/brokers/ids")
		p.visit("zh/lessons/10-bounce/")
		require.Equal(t, "zh", eval[string](p, "document.documentElement.lang"))
		p.clean()
	}
}

// TestNothingIsToldBeforeTheAnswer goes to the first question of the bounce: its stop's headline comes after the answer.
func TestNothingIsToldBeforeTheAnswer(t *testing.T) {
	p := open(t, "/", 1440, 900)
	p.visit("lessons/10-bounce/#s=20")
	text, err := lessons.Embedded("10-bounce")
	require.NoError(t, err)
	told := text.Texts["en"].Stops["second"].Headline
	p.until("document.querySelector('.predict form, form.predict') !== null")
	require.NotContains(t, eval[string](p, panels), told)
	eval[int](p, "(document.querySelector('form.predict input').click(), document.querySelector('form.predict').requestSubmit(), 1)")
	p.until("document.querySelector('#headline').innerText.includes(" + quote(told) + ")")
	p.clean()
}

func quote(s string) string {
	text, _ := json.Marshal(s)
	return string(text)
}

// TestWithoutTheCoreRecordingsPlay: the site was built without core.wasm; "what if" says so, and stepping goes on.
func TestWithoutTheCoreRecordingsPlay(t *testing.T) {
	p := open(t, "/", 1440, 900)
	p.visit("lessons/10-bounce/")
	p.press("f", false)
	p.until("document.querySelector('.inspector .err') !== null")
	require.Contains(t, eval[string](p, "document.querySelector('.inspector .err').innerText"), "Lessons still play from recordings")
	at := eval[int](p, "controllerscopePage.at()")
	p.press("ArrowRight", false)
	require.Greater(t, eval[int](p, "controllerscopePage.at()"), at)
	p.clean()
}

func TestAWrongLinkIsSaidAndThePageGoesOn(t *testing.T) {
	p := open(t, "/", 1440, 900)
	p.visit("lessons/10-bounce/#s=999")
	p.until("document.querySelector('.notice').innerText.includes('a stop that the lesson does not have')")
	p.visit("lessons/10-bounce/#s=2&c=00000000")
	p.until("document.querySelector('.notice').innerText.includes('another recording')")
	p.clean()
}

// TestNoBarriers runs axe-core over the pages in every size, language and theme.
func TestNoBarriers(t *testing.T) {
	axe, err := os.ReadFile(filepath.Join(site, "node_modules", "axe-core", "axe.min.js"))
	if err != nil {
		t.Skip("axe-core is missing; run: npm ci --prefix site")
	}
	for _, size := range [][2]int64{{1440, 900}, {1024, 768}, {390, 844}} {
		p := open(t, "/", size[0], size[1])
		for _, path := range []string{"", "lessons/10-bounce/#s=5", "lessons/10-bounce/#s=6", "zh/lessons/10-bounce/#s=5", "zh/lessons/03-election/#s=3"} {
			for _, theme := range []string{"light", "dark"} {
				p.visit(path)
				eval[int](p, "(document.documentElement.dataset.theme = '"+theme+"', document.getAnimations().forEach(a => a.finish()), 1)")
				eval[int](p, string(axe)+";1")
				found := eval[[]string](p, "axe.run().then(r => r.violations.flatMap(v => v.nodes.map(n => v.id + ': ' + n.target.join(' '))))")
				require.Empty(t, found, "%s %v %s", path, size, theme)
			}
		}
		p.clean()
	}
}

package browser

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"controllerscope/lessons"
)

// everyWord is all that a page says, to eyes and to screen readers.
const everyWord = `[document.title, document.body.innerText, document.getElementById('live').textContent, ...[...document.querySelectorAll('[title],[aria-label],[aria-valuetext]')].flatMap(e => [e.title ?? '', e.getAttribute('aria-label') ?? '', e.getAttribute('aria-valuetext') ?? '']), ...[...document.querySelectorAll('#app .hidden')].map(e => e.textContent)].join('\n').replace(/\s+/g, ' ')`

// TestNothingGivesAPredictionAway comes to every question of every lesson and looks for its answer on the page: until it is
// committed nothing says the stop's headline or sentence, why a choice is right, what later stops are called, or what
// differs, and no key or link leads past it.
func TestNothingGivesAPredictionAway(t *testing.T) {
	for _, name := range lessons.Names() {
		t.Run(name, func(t *testing.T) {
			l := embedded(t, name)
			text := l.Texts["en"]
			p := open(t, setting{})
			p.visit("lessons/" + name + "/")
			p.until(fmt.Sprintf("controllerscopePage.runs() === %d", len(l.Runs)))
			all := l.Stops()
			for n, stop := range all {
				if stop.Ask == nil {
					continue
				}
				p.press("End", false) // leads to the next open question only
				p.until("document.querySelector('form.predict') !== null")
				where := fmt.Sprintf("%s, before stop %d (%s)", name, n+1, stop.ID)
				require.Contains(t, eval[string](p, "document.querySelector('form.predict legend').textContent"), text.Stops[stop.ID].Question, where)
				at, run := eval[int](p, "controllerscopePage.at()"), eval[int](p, "controllerscopePage.run()")
				p.passing(n, len(all))
				require.Equal(t, [2]int{at, run}, [2]int{eval[int](p, "controllerscopePage.at()"), eval[int](p, "controllerscopePage.run()")}, where)

				// What the question itself says is no secret.
				said := strings.ReplaceAll(eval[string](p, everyWord), strings.ReplaceAll(text.Stops[stop.ID].Question, "`", ""), "")
				secrets := []string{text.Stops[stop.ID].Headline, text.Stops[stop.ID].Sentence}
				for _, c := range text.Stops[stop.ID].Choices {
					secrets = append(secrets, c.Why)
				}
				for _, later := range all[n+1:] {
					secrets = append(secrets, text.Stops[later.ID].Headline)
				}
				for _, secret := range secrets {
					require.NotContains(t, said, strings.Join(strings.Fields(strings.ReplaceAll(secret, "`", "")), " "), where)
				}
				titles := eval[[]string](p, "[...document.querySelectorAll('.rail li .title')].map(e => e.textContent)")
				require.Len(t, titles, len(all))
				for _, title := range titles[n:] {
					require.Equal(t, "···", title, where)
				}
				for _, hidden := range []string{".ne", ".wrong", ".row.now", ".rep.now", ".tok.now", ".notice-of.now", ".clock.now", ".edge.now", ".token.now", ".card.changed", ".refusal", ".unseen"} {
					require.Zero(t, eval[int](p, "document.querySelectorAll("+quote(hidden)+").length"), "%s: %s", where, hidden)
				}
				require.Equal(t, "Predict first", eval[string](p, "document.querySelector('#pane').innerText.trim()"), where)
				p.click("form.predict .row2 button[type=button]")
			}
			p.press("End", false)
			require.False(t, eval[bool](p, "document.querySelector('form.predict') !== null"))
			p.clean()
		})
	}
}

// passing tries to get past an open question: by keys, by the scrubber, by a link and by the list of stops.
func (p *page) passing(open, stops int) {
	p.t.Helper()
	for _, key := range []string{"End", "ArrowRight", "PageDown", " "} {
		p.press(key, false)
	}
	p.press("ArrowRight", true)
	eval[int](p, "(() => { const r = document.querySelector('.track input'); r.value = r.max; r.dispatchEvent(new Event('input')); return 1 })()")
	eval[int](p, fmt.Sprintf("(location.hash = '#s=%d', %s)", stops, drawn))
	eval[int](p, fmt.Sprintf("([...document.querySelectorAll('.rail li button')].slice(%d).forEach(b => b.click()), %s)", open+1, drawn))
	p.press("ArrowRight", false)
}

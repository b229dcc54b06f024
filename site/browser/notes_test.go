package browser

import (
	"context"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// beside opens a second window of the same site and browser.
func (p *page) beside(path string) *page {
	p.t.Helper()
	ctx, stop := chromedp.NewContext(shared.browser)
	p.t.Cleanup(stop)
	ctx, stop = context.WithTimeout(ctx, time.Minute)
	p.t.Cleanup(stop)
	q := &page{t: p.t, ctx: ctx, base: p.base}
	chromedp.Listen(ctx, q.heard)
	q.size(560, 820, 1)
	q.load(path)
	return q
}

// TestNotesWindow: the speaker's window says what the class sees, what comes next and the key to the question; keys given to
// it move the lesson; the lesson that comes after this one in the same tab is told of too.
func TestNotesWindow(t *testing.T) {
	p := open(t, setting{script: "window.open = (...a) => { window.opened = a; return null; };"})
	p.visit("lessons/10-bounce/")
	p.press("N", true)
	require.Equal(t, p.base+"teach/notes/", eval[string](p, "new URL(window.opened[0], location.href).href"))
	notes := p.beside("teach/notes/")
	notes.until("document.querySelector('.where').textContent === '10 · The bounce · stop 1 of 20'")
	require.Equal(t, "The controller's thread is busy", eval[string](notes, "document.querySelector('.speaker h1').textContent"))
	require.Equal(t, "2 · Broker 2 goes down", eval[string](notes, "document.querySelector('.ahead li').textContent"))
	require.Equal(t, 3, eval[int](notes, "document.querySelectorAll('.ahead li').length"))
	require.Contains(t, eval[string](notes, "document.querySelector('section.do').textContent"), "The main piece.")
	require.Contains(t, eval[string](notes, "document.querySelector('.tries li').textContent"), "At stop 1, F: guard.broker-epoch off · broker stop 2")

	notes.click("[data-key=ArrowRight]")
	notes.until("document.querySelector('.where').textContent.endsWith('stop 2 of 20')")
	p.until("document.querySelector('.count b').textContent === '2'") // the news goes out before the page is drawn
	notes.press("End", false)
	notes.until("document.querySelector('.solution.open') !== null")
	require.Equal(t, "No, nobody has armed the watch again — Right: a watch fires once, and only the next read of the children arms it again.", eval[string](notes, "document.querySelector('.solution li').textContent"))
	require.NotContains(t, eval[string](p, everyWord), "only the next read of the children", "the class does not see the key")

	require.Equal(t, "0:00", eval[string](notes, "document.querySelector('[role=timer]').textContent"))
	notes.click("[data-do=timer]")
	notes.until("document.querySelector('[role=timer]').textContent === '0:01'")

	p.visit("lessons/08-broker-dies/")
	notes.until("document.querySelector('.where').textContent.startsWith('8 · ')")
	notes.clean()
	p.clean()
}

// TestPointerHalo: on the projector a halo goes with the mouse and a press leaves a ring; nowhere else is there one.
func TestPointerHalo(t *testing.T) {
	p := open(t, setting{})
	p.visit("lessons/10-bounce/")
	require.Zero(t, eval[int](p, "document.querySelectorAll('.halo').length"))
	p.press("p", false)
	p.until("document.querySelector('.halo') !== null && document.querySelector('.hall') !== null")
	require.NoError(t, chromedp.Do(p.ctx, chromedp.MouseClickXY(400, 300)))
	p.until("document.querySelector('.halo.shown.pressed') !== null")
	p.until("(b => Math.abs(b.x + b.width / 2 - 400) < 1 && Math.abs(b.y + b.height / 2 - 300) < 1)(document.querySelector('.halo').getBoundingClientRect())")
	require.Equal(t, "none", eval[string](p, "getComputedStyle(document.querySelector('.halo')).pointerEvents"))
	p.press("p", false)
	p.until("document.querySelector('.halo') === null")
	p.clean()
}

// TestNotesEverywhere: nobody is kept out of the speaker's window.
func TestNotesEverywhere(t *testing.T) {
	everywhere(t, "notes", func(p *page, lang string, _ int64) {
		p.load(lang + "teach/notes/")
		p.until("document.querySelector('[role=timer]') !== null")
	})
}

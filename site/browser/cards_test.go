package browser

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"
)

// mouse moves the pointer to the middle of what a selector finds.
func (p *page) mouse(selector string) {
	p.t.Helper()
	at := eval[[]float64](p, "(b => [b.x + b.width / 2, b.y + b.height / 2])(document.querySelector("+quote(selector)+").getBoundingClientRect())")
	require.NoError(p.t, chromedp.Do(p.ctx, chromedp.MouseEvent(chromedp.MouseMoved, at[0], at[1])))
}

const tip = "document.querySelector('.tip')"

// TestCards: a znode and a term say what they are when they are pointed at or have the focus; the card can be pointed at,
// stays until it is left, and goes with Esc, which then does nothing else.
func TestCards(t *testing.T) {
	p := open(t, setting{})
	p.visit("lessons/10-bounce/")
	p.until("document.querySelector('.t-zk[tabindex]') !== null")
	p.mouse(".caption")
	const ids = ".row[data-path='/brokers/ids/2'] .val"
	wait := func() { // the texts come with the first movement
		p.until("performance.getEntriesByType('resource').some(r => r.name.includes('/cards-en'))")
		p.mouse(".caption")
	}
	wait()
	p.mouse(ids)
	p.until(tip + " !== null")
	said := eval[string](p, tip+".innerText.replace(/\\n+/g, '\\n')")
	require.True(t, strings.HasPrefix(said, "/brokers/ids/2\nThe registration of a broker"), said)
	require.Contains(t, said, "ephemeral node\n")
	require.Equal(t, "card", eval[string](p, "document.querySelector("+quote(ids)+").getAttribute('aria-describedby')"))
	p.mouse(".tip p")
	eval[int](p, "new Promise(ok => setTimeout(() => ok(1), 600))")
	require.True(t, eval[bool](p, tip+" !== null"), "it stays while it is pointed at")
	p.keys(kb.Escape)
	require.True(t, eval[bool](p, tip+" === null"))
	p.mouse(".caption")

	p.focus(".t-zk")
	p.keys(kb.Tab)
	p.until("document.activeElement?.matches('.t-ctl, .office button, .ledger, .sessions .meta') === true")
	p.focus(".ledger")
	p.keys(kb.ArrowDown)
	p.keys(kb.ArrowDown)
	p.until(tip + "?.textContent.startsWith('/controller') === true")
	p.press("?", false)
	p.until("document.querySelector('.sheet.help') !== null")
	p.keys(kb.Escape)
	require.True(t, eval[bool](p, tip+" === null && document.querySelector('.sheet.help') !== null"), "Esc takes the card only")
	p.keys(kb.Escape)
	require.True(t, eval[bool](p, "document.querySelector('.sheet.help') === null"))
	p.clean()
}

package browser

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

// shiftClick chooses a point of the space–time diagram by the step that it stands for.
func (p *page) shiftClick(label string) {
	p.t.Helper()
	eval[int](p, "([...document.querySelectorAll('.paper li button')].find(b => b.querySelector('.what').textContent === "+quote(label)+").dispatchEvent(new MouseEvent('click', {shiftKey: true, bubbles: true})), "+drawn+")")
}

// TestSpaceTimeAnswersWhatCausedWhat opens the diagram of a broker's death: the way from the crash to the cursor is lit, a
// point is a jump, and two points are told apart as cause and effect or as concurrent.
func TestSpaceTimeAnswersWhatCausedWhat(t *testing.T) {
	p := open(t, setting{})
	answerAll(p, "08-broker-dies")
	p.visit("lessons/08-broker-dies/#s=" + stopNumber(t, "08-broker-dies", "told"))
	p.reached("08-broker-dies", "told", "en")
	p.press("t", false)
	p.until("document.querySelectorAll('.paper li').length > 20")
	lanes := eval[[]string](p, "[...document.querySelectorAll('.spacetime .lanes span')].map(e => e.textContent)")
	require.Subset(t, lanes, []string{"outside", "ZooKeeper", "controller 0", "send 0", "send 1", "broker 0", "broker 1", "broker 2"})
	lit := eval[[]string](p, "[...document.querySelectorAll('.paper li.lit .what')].map(e => e.textContent)")
	require.Equal(t, "broker 2", lit[0], "the operation from outside comes first")
	require.Contains(t, lit, "session 2 expires")
	require.Contains(t, lit, "Reads /brokers/ids")
	require.Equal(t, 1, eval[int](p, "document.querySelectorAll('.paper li.here').length"))

	p.shiftClick("broker 2")
	p.shiftClick("session 2 expires")
	answer := eval[string](p, "document.querySelector('.question [role=status]').innerText")
	require.Contains(t, answer, "Yes, in 2 hops")
	require.Contains(t, answer, "18.000 s of it is waiting, 0 ms is work.")
	p.shiftClick("LeaderAndIsr r13 arrives")
	p.shiftClick("LeaderAndIsr r14 arrives")
	require.Contains(t, eval[string](p, "document.querySelector('.question [role=status]').innerText"), "concurrent")
	p.axe("space and time")

	at := eval[int](p, "controllerscopePage.at()")
	eval[int](p, "(document.querySelector('.paper li button').click(), "+drawn+")")
	require.Less(t, eval[int](p, "controllerscopePage.at()"), at)
	some := eval[int](p, "document.querySelectorAll('.paper li').length")
	p.click(".spacetime .seg button:last-child") // all steps
	p.press("End", false)
	require.Positive(t, some)
	require.Equal(t, 0, eval[int](p, "document.querySelectorAll('.paper .pill').length"))
	p.press("Escape", false)
	require.True(t, eval[bool](p, "document.querySelector('.spacetime') === null && document.querySelector('.ledger') !== null"))
	p.clean()
}

// TestHall has the projector's large stage, the dark screen and the hidden answers, all by keys.
func TestHall(t *testing.T) {
	p := open(t, setting{})
	answerAll(p, "10-bounce")
	p.visit("lessons/10-bounce/#s=" + stopNumber(t, "10-bounce", "bounced"))
	p.reached("10-bounce", "bounced", "en")
	p.press("p", false)
	p.until("document.querySelector('.hall') !== null")
	require.True(t, eval[bool](p, "document.querySelector('.rail, .inspector, .score, .top') === null"))
	require.Equal(t, "light", eval[string](p, "document.documentElement.dataset.theme"))
	smallest := eval[float64](p, `Math.min(...[...document.querySelectorAll('#app *')].filter(e => e.getClientRects().length && !e.closest('.hidden, svg') && [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim())).map(e => parseFloat(getComputedStyle(e).fontSize) * 1440 / 864))`)
	require.GreaterOrEqual(t, smallest, 20.0, "the smallest text in px")
	require.Equal(t, int64(1440), eval[int64](p, "document.documentElement.scrollWidth"))
	p.axe("projector")

	p.press("h", false)
	require.Equal(t, "···", eval[string](p, "document.querySelector('#headline').innerText"))
	require.Contains(t, eval[string](p, "document.querySelector('.caption').innerText"), "Say it first")
	p.press("h", false)
	p.press("b", false)
	require.Equal(t, "rgb(0, 0, 0)", eval[string](p, "getComputedStyle(document.querySelector('.blank')).backgroundColor"))
	at := eval[int](p, "controllerscopePage.at()")
	p.press("ArrowRight", false) // only brings the light back
	require.Equal(t, at, eval[int](p, "controllerscopePage.at()"))
	require.True(t, eval[bool](p, "document.querySelector('.blank') === null"))
	p.press("p", false)
	require.True(t, eval[bool](p, "document.querySelector('.rail') !== null && !document.documentElement.dataset.theme"))

	for _, key := range []string{"g", "1", "2", "Enter"} { // to a stop by its number, to an act, faster
		p.press(key, false)
	}
	require.Equal(t, "12", eval[string](p, "document.querySelector('.transport .count b').innerText"))
	p.press("2", false)
	require.Equal(t, stopNumber(t, "10-bounce", "read"), eval[string](p, "document.querySelector('.transport .count b').innerText"))
	for i, want := range []string{"2×", "4×", "4×"} {
		p.press(".", false)
		require.Equal(t, want, eval[string](p, "document.querySelector('.transport .speed').innerText"), strconv.Itoa(i))
	}
	p.press(",", false)
	require.Equal(t, "2×", eval[string](p, "document.querySelector('.transport .speed').innerText"))
	p.clean()
}

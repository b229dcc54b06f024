package browser

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// bars are the ages that the page shows, row by row; an old one has a star before it.
const bars = `[...document.querySelectorAll('.notice-of')].map(n => [n.querySelector('.name').textContent.slice(-2), ...[...n.querySelectorAll('ul li')].map(b => (b.className.includes('old') ? '*' : '') + b.querySelector('b').textContent)])`

// clocks are what the brokers' clocks show.
const clocks = `[...document.querySelectorAll('.clock')].map(c => [c.querySelector('time').textContent, c.querySelector('header p').textContent, ...[...c.querySelectorAll('dd')].map(d => d.textContent.replace(/\s*differ\s*/, ' ').trim())])`

// TestAgesAreThoseOfEachClock reads the age view of the purge: the ages are those that the purge itself noted (971075 ms,
// 901053 ms, 131029 ms, 3 ms), and with a skewed clock only the bar of that broker is beyond the line.
func TestAgesAreThoseOfEachClock(t *testing.T) {
	p := open(t, setting{})
	answerAll(p, "16-purge")
	p.visit("lessons/16-purge/#s=" + stopNumber(t, "16-purge", "gone0"))
	p.reached("16-purge", "gone0", "en")
	p.until("document.querySelector('.ages') !== null")
	require.Equal(t, [][]string{{"00", "*16:11", "*16:11", "*16:11"}, {"01", "*15:01", "*15:01", "*15:01"},
		{"02", "2:11", "2:11", "2:11"}, {"03", "0:00", "0:00", "0:00"}}, eval[[][]string](p, bars))
	require.Equal(t, "15:00", eval[string](p, "document.querySelector('.axis b').textContent"))

	p.visit("lessons/16-purge/#s=" + stopNumber(t, "16-purge", "early"))
	p.reached("16-purge", "early", "en")
	p.until("document.querySelectorAll('.notice-of').length === 2")
	require.Equal(t, [][]string{{"00", "*20:00", "0:00", "0:00"}, {"01", "*20:00", "0:00", "0:00"}}, eval[[][]string](p, bars))
	require.Equal(t, [][]string{{"09:37:00", "skew +20:00", "1", "7000"}, {"09:17:00", "skew ±0:00", "0", "≠ 3000"},
		{"09:17:00", "skew ±0:00", "1", "7000"}}, eval[[][]string](p, clocks))
	p.axe("ages")

	p.click(".ages .toggle") // the ledger instead, and back
	require.True(t, eval[bool](p, "document.querySelector('.ledger') !== null && document.querySelector('.ages') === null"))
	p.click(".charts .toggle")
	require.True(t, eval[bool](p, "document.querySelector('.ages') !== null"))
	p.clean()
}

// TestTheClockTurnsOnce sees hands and bars move together, for 600 ms, when the clock jumps.
func TestTheClockTurnsOnce(t *testing.T) {
	p := open(t, setting{script: `{ const animate = Element.prototype.animate; globalThis.turned = [];
Element.prototype.animate = function (frames, time) { if (this.closest('.ages')) turned.push((this.dataset.bar ? 'bar' : 'hand') + ' ' + time.duration); return animate.call(this, frames, time); }; }`})
	answerAll(p, "16-purge")
	p.visit("lessons/16-purge/#s=" + stopNumber(t, "16-purge", "lost"))
	p.reached("16-purge", "lost", "en")
	p.until("document.querySelector('.motion') !== null && document.querySelector('.ages') !== null")
	p.press("ArrowRight", false)
	p.reached("16-purge", "hour", "en")
	turned := eval[[]string](p, "turned")
	require.Contains(t, turned, "hand 600")
	require.NotContains(t, turned, "hand 0")
	p.clean()
}

package browser

import (
	"strconv"
	"testing"

	"github.com/chromedp/chromedp/kb"
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

// ageOf are the ages of three notifications, the same by every clock.
func ageOf(ages ...string) [][]string {
	var out [][]string
	for i, age := range ages {
		out = append(out, []string{"0" + strconv.Itoa(i), age, age, age})
	}
	return out
}

// TestFifteenMinutesPass lets time pass from the key and from the button: each is a future that ends where all ages are 15
// minutes more, and bars grow over the line on the way there.
func TestFifteenMinutesPass(t *testing.T) {
	for _, size := range [][2]int64{{1440, 900}, {390, 844}} {
		p := open(t, setting{width: size[0], height: size[1], script: `{ const animate = Element.prototype.animate; globalThis.turned = [];
Element.prototype.animate = function (frames, time) { if (this.dataset.bar) turned.push(this.dataset.bar.slice(-4) + ' ' + time.duration); return animate.call(this, frames, time); }; }`})
		answerAll(p, "16-purge")
		p.visit("lessons/16-purge/#s=" + stopNumber(t, "16-purge", "line"))
		p.until("document.querySelector('.motion') !== null && document.querySelector('.turn button:not([disabled])') !== null")
		require.Equal(t, ageOf("*16:00", "14:50", "2:00"), eval[[][]string](p, bars))
		ages := func(want [][]string) {
			p.until("JSON.stringify(" + bars + ") === " + quote(mustJSON(t, want)))
		}
		p.press("z", false)
		ages(ageOf("*31:00", "*29:50", "*17:00"))
		require.Equal(t, "clock +11s until step.i >= 0\nclock +15m\nuntil idle\n", p.requireExecuted().Script)
		require.Contains(t, eval[[]string](p, "turned"), "01 2 600", "the bar of notice 1 by broker 2")
		require.Contains(t, eval[string](p, "document.querySelector('.caption').textContent"), "900000 ms have passed")
		require.Contains(t, eval[string](p, "document.querySelector('.caption').textContent"), "Forked at step 0", "the two next steps have the same ids and change nothing, and are not the same")
		require.Equal(t, "09:48:00", eval[[][]string](p, clocks)[2][0])
		p.axe("fifteen minutes later")

		p.click(".turn button:last-child")
		ages(ageOf("*46:00", "*44:50", "*32:00"))
		require.Equal(t, "clock +11s until step.i >= 0\nclock +15m\nuntil idle\nclock +15m\nuntil idle\n", p.requireExecuted().Script)
		p.press("ArrowLeft", false)
		ages(ageOf("*31:00", "*29:50", "*17:00"))
		p.clean()
	}
}

// TestAClockIsSetOff moves a broker's slider by the keyboard: its bars alone grow, moves on take the place of the one before,
// and what follows is purged by that clock.
func TestAClockIsSetOff(t *testing.T) {
	p := open(t, setting{})
	answerAll(p, "16-purge")
	p.visit("zh/lessons/16-purge/#s=" + stopNumber(t, "16-purge", "line"))
	p.until("document.querySelector('.skew input:not([disabled])') !== null")
	slider := `document.querySelector('.clock[data-b="1"] .skew input')`
	stands := func(value, said string) {
		p.until(slider + ".value === '" + value + "' && " + slider + ".getAttribute('aria-valuetext') === '" + said + "'")
	}
	stands("0", "准时")
	eval[int](p, "("+slider+".focus(), 1)")
	p.strike(kb.ArrowRight)
	p.until("controllerscopePage.inputs().includes('skew 1 +1m')")
	stands("1", "快 1 分钟")
	p.strike(kb.ArrowLeft)
	p.strike(kb.ArrowLeft)
	p.until("controllerscopePage.inputs().includes('skew 1 -1m')")
	stands("-1", "慢 1 分钟")
	p.strike(kb.End)
	p.until("controllerscopePage.inputs().includes('skew 1 +30m')")
	stands("30", "快 30 分钟")
	require.Equal(t, "clock +11s until step.i >= 0\nskew 1 +30m\nuntil idle\n", p.requireExecuted().Script)
	require.Equal(t, [][]string{{"00", "*16:00", "*46:00", "*16:00"}, {"01", "14:50", "*44:50", "14:50"}, {"02", "2:00", "*32:00", "2:00"}},
		eval[[][]string](p, bars))
	require.True(t, eval[bool](p, "document.activeElement === "+slider))

	p.press("f", false)
	p.until("document.querySelector('.inspector input[name=line]') !== null")
	eval[int](p, `(() => { const line = document.querySelector('.inspector input[name=line]'); line.value = 'config set topics/orders retention.ms=9000'; line.form.requestSubmit(); return 1; })()`)
	p.until("controllerscopePage.inputs().includes('9000')")
	p.requireExecuted()
	p.press("End", false)
	p.until("document.querySelectorAll('.notice-of.gone').length === 4")
	require.Equal(t, []string{"*46:00", "*44:50", "*32:00", "*30:00"}, eval[[]string](p, "("+bars+").map(n => n[2])"), "all are old to broker 1, the new one too")
	require.NotContains(t, eval[string](p, "controllerscopePage.dump()"), "/config/changes/config_change")
	p.clean()
}

package browser

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// hands are the counts that stand on the page, choice by choice.
const hands = "[...document.querySelectorAll('.hands output')].map(e => e.textContent).join(' ')"

// TestHandsUp: before a class at an open question letters count hands, + and - correct the last of them, and R shows the
// answer beside what was counted; elsewhere the letters mean what they always do.
func TestHandsUp(t *testing.T) {
	for lang, next := range map[string]string{"": "Next", "zh/": "下一步"} {
		p := open(t, setting{})
		p.visit(lang + "lessons/10-bounce/")
		p.press("p", false)
		p.until("document.querySelector('.hall') !== null")
		for range 6 {
			p.press("ArrowRight", false)
		}
		p.until("document.querySelectorAll('.hands li').length === 2")
		at := eval[int](p, "controllerscopePage.at()")
		for _, key := range []string{"a", "a", "b", "B", "b", "-", "+", "-"} {
			p.press(key, false)
		}
		require.Equal(t, "2 2", eval[string](p, hands))
		p.press("c", false) // no third choice, and no charts either
		p.press("d", false)
		require.Equal(t, "2 2", eval[string](p, hands))
		require.True(t, eval[bool](p, "document.querySelector('.charts.open, .blank') === null && document.documentElement.dataset.theme === 'light'"))
		p.click(".hands li:first-child .sq:last-child")
		p.click(".hands li:last-child .sq")
		require.Equal(t, "3 1", eval[string](p, hands))
		require.Equal(t, []float64{1, 0.33}, eval[[]float64](p, "[...document.querySelectorAll('.hands i')].map(e => Math.round(100 * getComputedStyle(e).getPropertyValue('--n')) / 100)"))
		require.Zero(t, eval[int](p, "document.querySelectorAll('.hands :is(.good, .bad, small)').length"), "nothing is told yet")
		p.press("ArrowRight", false)
		require.Equal(t, at, eval[int](p, "controllerscopePage.at()"), "the way on is to show the answer")
		require.GreaterOrEqual(t, eval[float64](p, `Math.min(...[...document.querySelectorAll('.hands :is(p, output, button)')].map(e => parseFloat(getComputedStyle(e).fontSize) * 1440 / 864))`), 20.0)
		for _, theme := range []string{"light", "dark"} {
			p.theme(theme)
			p.axe(lang + "hands up " + theme)
		}

		p.press("r", false)
		p.until("document.querySelector('.hands .good') !== null")
		require.Equal(t, at+1, eval[int](p, "controllerscopePage.at()"))
		require.Equal(t, "3 1", eval[string](p, hands))
		require.Equal(t, []string{"good", "bad"}, eval[[]string](p, "[...document.querySelectorAll('.hands li')].map(e => e.className)"))
		require.Len(t, eval[[]string](p, "[...document.querySelectorAll('.hands small')].map(e => e.textContent)"), 2)
		require.Equal(t, []string{""}, eval[[]string](p, "Object.values(JSON.parse(localStorage['controllerscope.answers.10-bounce']))"), "a class's hands are nobody's answer")
		require.Equal(t, next, eval[string](p, "document.querySelector('.hall .primary').innerText.trim()"))
		p.axe(lang + "hands down")
		p.press("b", false)
		require.True(t, eval[bool](p, "document.querySelector('.blank') !== null"), "B is the dark screen again")
		p.press("b", false)
		p.press("ArrowRight", false)
		require.Zero(t, eval[int](p, "document.querySelectorAll('.hands').length"))
		p.press("ArrowLeft", false)
		require.Equal(t, "3 1", eval[string](p, hands), "and the count of this stop is still there")
		p.press("h", false)
		require.Zero(t, eval[int](p, "document.querySelectorAll('.hands').length"), "what is hidden")
		p.clean()
	}
}

// TestHandsHaveRoom: at the sizes of a hall, of a tablet and of a phone nothing sticks out, and the stage keeps its place.
func TestHandsHaveRoom(t *testing.T) {
	for _, size := range [][2]int64{{1920, 1080}, {1440, 900}, {1024, 768}, {390, 844}} {
		p := open(t, setting{width: size[0], height: size[1]})
		p.visit("lessons/10-bounce/")
		p.press("p", false)
		for range 6 {
			p.until("controllerscopePage.onTheWay() === 0") // else a key may come before the part that asks
			p.press("ArrowRight", false)
		}
		p.until("document.querySelectorAll('.hands li').length === 2")
		where := fmt.Sprint(size)
		require.Equal(t, size[0], eval[int64](p, "document.documentElement.scrollWidth"), where)
		require.True(t, eval[bool](p, "(b => b.bottom <= innerHeight + 1 && b.top > innerHeight / 2)(document.querySelector('.hands').getBoundingClientRect())"), where)
		require.Greater(t, eval[int](p, "[...document.querySelectorAll('.ledger .row')].filter(r => r.getBoundingClientRect().bottom <= document.querySelector('.hands').getBoundingClientRect().top + 1).length"), 5, where)
		p.clean()
	}
}

// TestHandsOfAQuestionWithoutChoices: there is nothing to count, but the way on shows what is right and why.
func TestHandsOfAQuestionWithoutChoices(t *testing.T) {
	p := open(t, setting{})
	p.visit("lessons/15-config/")
	p.press("p", false)
	for range 40 {
		p.press("ArrowRight", false)
		if !eval[bool](p, "document.querySelector('.hall .primary kbd') !== null") {
			continue
		}
		if eval[bool](p, "document.querySelector('.hands') === null") {
			break
		}
		p.press("r", false)
	}
	require.True(t, eval[bool](p, "document.querySelector('.hands') === null && document.querySelector('.hall .primary kbd') !== null"))
	p.press("r", false)
	p.until("document.querySelectorAll('.hands .good small').length === 1")
	require.Equal(t, "", eval[string](p, hands))
	p.clean()
}

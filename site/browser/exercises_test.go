package browser

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"controllerscope/core/exercise"
	"controllerscope/core/zk"
	"controllerscope/core/zk/zkmem"
)

// exercises opens the page as somebody of a class, and one exercise.
func exercises(p *page, path, who, class, id string) {
	p.t.Helper()
	p.load(path)
	p.until("document.querySelector('.who input') !== null && controllerscopePage.ready()")
	for i, text := range []string{who, class} {
		eval[int](p, fmt.Sprintf("(i => { i.value = %s; i.dispatchEvent(new Event('input')); return 1; })(document.querySelectorAll('.who input')[%d])", quote(text), i))
	}
	p.click(".card[data-id=" + id + "]:not([disabled])")
	p.until("document.querySelector('.stage') !== null && controllerscopePage.ready()")
}

// command types a line and waits until it is done.
func (p *page) command(line string) {
	p.t.Helper()
	before := eval[string](p, "controllerscopePage.inputs()")
	eval[int](p, "(i => { i.value = "+quote(line)+"; i.dispatchEvent(new Event('input')); i.form.requestSubmit(); return 1; })(document.querySelector('.command input'))")
	p.until("controllerscopePage.inputs() !== " + quote(before) + " && controllerscopePage.ready()")
}

// TestExerciseOnAPhone: all that the bar has is in sight, and the way back to the list stands with the goal.
func TestExerciseOnAPhone(t *testing.T) {
	for lang, words := range map[string][2]string{"": {"Goal", "All exercises"}, "zh/": {"目标", "全部练习"}} {
		p := open(t, setting{width: 390, height: 844})
		exercises(p, lang+"exercises/", "ada", "class", "E10")
		require.Equal(t, 0, eval[int](p, "(e => e.scrollWidth - e.clientWidth)(document.querySelector('.transport'))"), lang)
		eval[int](p, "([...document.querySelectorAll('.transport .box')].find(b => b.innerText === "+quote(words[0])+").click(), 1)")
		p.until("document.querySelector('.sheet .back .box')?.innerText === " + quote(words[1]))
		p.click(".sheet .back .box")
		p.until("document.querySelector('.who input') !== null")
		p.clean()
	}
}

// TestExerciseFromStartToHandIn: the model solution in the page, answers, the hand-in, and what headless grade says of it.
func TestExerciseFromStartToHandIn(t *testing.T) {
	e := embedded(t, "10-bounce").Exercise
	v := e.Variant(exercise.Seed("class", "ada", e.ID))
	p := open(t, setting{})
	exercises(p, "exercises/", "ada", "class", "E10")
	require.Contains(t, eval[string](p, "document.querySelector('.goal .tabs').textContent"), v.Fill("Make broker {b} bounce"))
	require.NotContains(t, eval[string](p, "document.querySelector('.palette').textContent"), "delete", "only what may be used is offered")
	for _, line := range []string{"hold 0", v.Fill("broker kill {b}"), v.Fill("broker start {b}"), "release 0"} {
		p.command(line)
	}
	p.until("document.querySelectorAll('.criteria .good').length === 3")
	require.Equal(t, "4 of 5 operations used", eval[string](p, "document.querySelector('.used').textContent"))
	parts := e.Deal(v)
	for i, part := range parts[1:] {
		p.click(fmt.Sprintf(".goal .tabs button:nth-child(%d)", i+2))
		p.until("document.querySelector('.criteria input[type=radio]') !== null && controllerscopePage.ready()")
		want := "dead"
		switch {
		case strings.HasPrefix(part.Script, "hold 0"):
			want = "bounced"
		case strings.Contains(part.Script, "broker start"):
			want = "dead-new"
		}
		p.click(".criteria input[value=" + want + "]")
	}
	p.click(".goal .tabs button:nth-child(2)")
	p.until("document.querySelector('.criteria .field .box') !== null && controllerscopePage.ready()")
	for eval[string](p, "document.querySelector('.caption code')?.textContent ?? ''") != "ctx.set" || !strings.Contains(eval[string](p, "document.querySelector('.caption').textContent"), "bounced") {
		at := eval[int](p, "controllerscopePage.at()")
		p.press("ArrowRight", false)
		require.Greater(t, eval[int](p, "controllerscopePage.at()"), at, "the comparison was not found")
	}
	p.click(".criteria .field .box")
	p.click(".goal .row2 .box:last-of-type")
	p.until("document.querySelector('.written textarea') !== null")
	h, err := exercise.Read([]byte(eval[string](p, "document.querySelector('.written textarea').value")))
	require.NoError(t, err)
	r, err := e.Grade(h, "class", func() zk.Store { return zkmem.New(zkmem.Options{}) })
	require.NoError(t, err)
	assert.Equal(t, 10, r.Points, "%+v", r)
	assert.Empty(t, r.Notes)
	require.Contains(t, eval[string](p, "document.querySelector('.written h3').textContent"), "10 of 10")
	p.clean()
}

// TestExercisesEverywhere: one with operations and one with values; where there is no room the goal is a sheet.
func TestExercisesEverywhere(t *testing.T) {
	for _, id := range []string{"E10", "E8"} {
		everywhere(t, "exercise "+id, func(p *page, lang string, width int64) {
			exercises(p, lang+"exercises/", "grace", "", id)
			if width <= 1180 {
				p.click(".transport [aria-expanded]")
			}
		})
	}
}

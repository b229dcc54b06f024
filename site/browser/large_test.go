package browser

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"controllerscope/core/run"
	"controllerscope/site/measure"
)

// TestLargeStage: ten brokers and 200 partitions are counted where there is no room to name them; nothing sticks out.
func TestLargeStage(t *testing.T) {
	in := measure.LargeWorld()
	p := open(t, setting{})
	p.load("sandbox/")
	p.until("document.querySelector('.presets .card:not([disabled])') !== null")
	eval[int](p, "(a => { a.value = "+quote(in.Setup+"broker kill 9\nuntil idle\n")+"; a.form.requestSubmit(); return 1; })([...document.querySelectorAll('.begin textarea')].at(-1))")
	p.until("controllerscopePage.length() > 1000 && controllerscopePage.ready() && document.querySelector('.card .st') !== null")
	for _, size := range [][2]int64{{1440, 900}, {1024, 768}} {
		p.size(size[0], size[1], 1)
		p.until("document.querySelectorAll('.card').length === 5")
		cards := eval[[]string](p, "[...document.querySelectorAll('.card')].map(c => c.querySelector('h3').textContent + ': ' + [...c.querySelectorAll('.topic b')].map(b => b.textContent.trim()).join(' '))")
		require.Equal(t, "broker 0: ● ON 60 ★ 40leader", cards[0], "20 of its own, and those that had broker 9 first")
		require.Equal(t, "broker 9: ✕ OF 60", cards[4])
		require.Equal(t, "ISR 0/60", eval[string](p, "document.querySelector('.slot:nth-child(5) .topic > span').textContent"))
		require.True(t, strings.HasPrefix(cards[1], "broker 1: ● ON 60 "), cards[1])
		p.until("![...document.querySelectorAll('.card')].some(c => c.scrollHeight > c.clientHeight + 1)") // once fonts and size are in place
		require.Equal(t, size[0], eval[int64](p, "document.documentElement.scrollWidth"))
		require.Less(t, eval[int](p, "document.querySelectorAll('*').length"), 1500)
	}
	p.size(390, 844, 1)
	p.until("document.querySelector('.ptabs') !== null")
	p.click(".ptabs button:nth-child(3)")
	p.until("document.querySelectorAll('.card .st').length >= 5")
	require.Equal(t, int64(390), eval[int64](p, "document.documentElement.scrollWidth"))
	require.Less(t, eval[int](p, "document.querySelectorAll('*').length"), 1500)
	p.clean()
}

// TestTraceLargeStep: a step with hundreds of changes shows the first of them, the rest and its JSON when they are asked for.
func TestTraceLargeStep(t *testing.T) {
	tr := recorded(t, run.Inputs{Name: "large", Seed: 1, Setup: "cluster brokers=0,1,2\nbroker start 0\nbroker start 1\nbroker start 2\nuntil idle\n" +
		"topic create orders 100x3\nuntil idle\n", Script: "broker kill 2\nuntil idle\n"})
	at, most := 0, 0
	for i, s := range tr.Steps {
		n := 0
		for _, d := range s.Diff {
			if d.Path[0] != "view" {
				n++
			}
		}
		if n > most {
			at, most = i, n
		}
	}
	require.Greater(t, most, 100)
	p := open(t, setting{})
	p.load("trace/")
	p.drop(chooser, "large.json", string(tr.JSON()))
	p.until(fmt.Sprintf("controllerscopePage.length() === %d && document.querySelector('.film input') !== null", len(tr.Steps)))
	eval[int](p, fmt.Sprintf("(s => { s.value = '%d'; s.dispatchEvent(new Event('input')); return %s; })(document.querySelector('.film input'))", at, drawn))
	require.Equal(t, at, eval[int](p, "controllerscopePage.at()"))
	const rows, more = "document.querySelectorAll('.detail tbody tr').length", ".detail table + p button"
	few, left := eval[int](p, rows), 0
	require.LessOrEqual(t, few, 60, "a change of JSON has a row for each field")
	_, err := fmt.Sscanf(eval[string](p, "document.querySelector("+quote(more)+").textContent"), "Show %d more changes", &left)
	require.NoError(t, err)
	require.GreaterOrEqual(t, left, most-few)
	p.click(more)
	require.GreaterOrEqual(t, eval[int](p, rows), few+left)
	require.True(t, eval[bool](p, "document.querySelector("+quote(more)+") === null"))
	require.Zero(t, eval[int](p, "document.querySelectorAll('.detail pre').length"))
	p.click(".detail summary")
	p.until("document.querySelector('.detail pre')?.textContent.startsWith('{') === true")
	p.clean()
}

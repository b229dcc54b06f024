package browser

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"controllerscope/core/run"
)

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
	p.until(fmt.Sprintf("controllerscopePage.length() === %d", len(tr.Steps)))
	eval[int](p, fmt.Sprintf("(s => { s.value = '%d'; s.dispatchEvent(new Event('input')); return %s; })(document.querySelector('.film input'))", at, drawn))
	require.Equal(t, at, eval[int](p, "controllerscopePage.at()"))
	const rows, more = "document.querySelectorAll('.detail tbody tr').length", ".detail table + p button"
	few := eval[int](p, rows)
	require.Equal(t, fmt.Sprintf("Show %d more changes", most-60), eval[string](p, "document.querySelector("+quote(more)+").textContent"))
	p.click(more)
	require.GreaterOrEqual(t, eval[int](p, rows), few+most-60)
	require.True(t, eval[bool](p, "document.querySelector("+quote(more)+") === null"))
	require.Zero(t, eval[int](p, "document.querySelectorAll('.detail pre').length"))
	p.click(".detail summary")
	p.until("document.querySelector('.detail pre')?.textContent.startsWith('{') === true")
	p.clean()
}

package browser

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestWeatherInTheSandbox: in a storm things go wrong by themselves, each as a line of the script, and the run is what
// `headless run` makes of it; who looks at the past has no wind; fair weather ends it.
func TestWeatherInTheSandbox(t *testing.T) {
	p := open(t, setting{})
	sandbox(p, "sandbox/", "orders", 1)
	before := p.requireExecuted().Script
	level := func(n string) string { return ".palette [aria-label=Weather] button:nth-child(" + n + ")" }
	p.click(level("3"))
	p.until("controllerscopePage.ops() >= 5")
	p.click(level("1"))
	p.until("controllerscopePage.ready()")
	eval[int](p, drawn)
	p.until("controllerscopePage.ready()")
	done := eval[int](p, "controllerscopePage.ops()")
	after := strings.TrimPrefix(p.requireExecuted().Script, before)
	require.GreaterOrEqual(t, len(strings.Split(strings.TrimSpace(after), "\n")), 6, after)
	require.Contains(t, after, "wait 3ms\n")
	require.Contains(t, after, "until idle\n")

	p.click(level("2"))
	p.until(fmt.Sprintf("controllerscopePage.ops() > %d && controllerscopePage.ready()", done))
	p.press("ArrowLeft", false) // into the past
	p.until("controllerscopePage.ready() && controllerscopePage.at() < controllerscopePage.length() - 1")
	done = eval[int](p, "controllerscopePage.ops()")
	eval[int](p, "new Promise(ok => setTimeout(() => ok(1), 2500))")
	require.Equal(t, done, eval[int](p, "controllerscopePage.ops()"), "no wind in the past")
	p.click(level("1"))
	p.clean()
}

// TestOneWind: whoever presses another level while a gust is under way has one wind, not two.
func TestOneWind(t *testing.T) {
	p := open(t, setting{script: `{ const set = setTimeout, clear = clearTimeout, due = window.due = new Set(); // the gusts to come
window.setTimeout = (f, ms, ...x) => { const id = set(() => { due.delete(id); f(...x); }, ms); if (ms === 2000) due.add(id); return id; };
window.clearTimeout = id => { due.delete(id); clear(id); }; }`})
	sandbox(p, "sandbox/", "orders", 1)
	for _, level := range []string{"3", "2", "3", "2"} {
		p.click(".palette [aria-label=Weather] button:nth-child(" + level + ")")
	}
	p.until("due.size > 0 && controllerscopePage.ops() > 4 && controllerscopePage.ready()")
	eval[int](p, drawn)
	require.Equal(t, 1, eval[int](p, "due.size"))
	p.click(".palette [aria-label=Weather] button:nth-child(1)")
	p.clean()
}

// TestSandboxPausesForAWhile: one button is a pause with its end.
func TestSandboxPausesForAWhile(t *testing.T) {
	p := open(t, setting{})
	sandbox(p, "sandbox/", "orders", 1)
	p.click(".palette [title^='broker pause 0 · clock']")
	p.until("controllerscopePage.ops() === 5 && controllerscopePage.ready()")
	require.Contains(t, p.requireExecuted().Script, "broker pause 0\nclock +20s\nbroker resume 0\nuntil idle\n")
	p.clean()
}

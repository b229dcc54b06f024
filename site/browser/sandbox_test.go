package browser

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"controllerscope/core/zk"
	"controllerscope/core/zk/zktree"
)

// idle waits until the core has answered everything.
func (p *page) idle() { p.t.Helper(); p.until("controllerscopePage.ready()") }

// sandbox opens the sandbox and begins with a preset, all of whose lines are done.
func sandbox(p *page, path, preset string, lines int) {
	p.t.Helper()
	p.load(path)
	p.until("document.querySelector('.presets .card:not([disabled])') !== null")
	p.click(".presets .card[data-id=" + preset + "]")
	p.until(fmt.Sprintf("controllerscopePage.ops() === %d && controllerscopePage.ready()", lines+1))
}

// do types one line into the command bar.
func (p *page) do(line string) {
	p.t.Helper()
	before := eval[int](p, "controllerscopePage.ops()")
	eval[int](p, "(i => { i.value = "+quote(line)+"; i.dispatchEvent(new Event('input')); i.form.requestSubmit(); return 1; })(document.querySelector('.command input'))")
	p.until(fmt.Sprintf("controllerscopePage.ops() === %d && controllerscopePage.ready()", before+1))
}

// TestSandboxArrangesTheBounce: a preset, the key that lets the thread go, a second future from the past, both side by side;
// each future is what `headless run` makes of its script.
func TestSandboxArrangesTheBounce(t *testing.T) {
	p := open(t, setting{})
	sandbox(p, "sandbox/", "bounce", 3)
	p.press("a", false)
	p.until("controllerscopePage.ops() === 5 && controllerscopePage.ready()")
	in := p.requireExecuted()
	require.True(t, strings.HasSuffix(in.Script, "broker start 2\nuntil idle\nrelease 0\nuntil idle\n"), in.Script)
	require.Equal(t, "2", eval[string](p, "document.querySelectorAll('.cluster .broker:nth-of-type(3) .star, .cluster .i.star').length.toString()"))
	p.press("u", false) // back before the release
	p.do("guard.broker-epoch off")
	p.do("release 0")
	off := p.requireExecuted()
	require.Contains(t, off.Script, "guard.broker-epoch off\n")
	require.NotContains(t, off.Script, "release 0\nuntil idle\nguard")
	require.Equal(t, 7, eval[int](p, "document.querySelectorAll('.history li').length"))
	eval[int](p, "(s => { s.value = [...s.options].at(-1).value; s.dispatchEvent(new Event('change')); return 1; })(document.querySelector('.history select'))")
	p.until("document.querySelector('.main.two .verdict.bad') !== null && document.querySelector('.main.two .verdict.good') !== null")
	p.press("Escape", false)
	p.until("document.querySelector('.bench') !== null")
	p.clean()
}

// TestSandboxLinks: a link is the script; it opens on its hash, and a wrong hash is said.
func TestSandboxLinks(t *testing.T) {
	p := open(t, setting{})
	sandbox(p, "sandbox/", "orders", 1)
	p.do("broker kill 1")
	hash := eval[string](p, "controllerscopePage.hash()")
	link := eval[string](p, "controllerscopePage.link()")
	require.Less(t, len(link), 400)
	for fragment, notice := range map[string]string{
		link: "", link[:len(link)-8] + "00000000": "The run ends otherwise than when the link was made", "#v=1&k=%25": "This link is damaged", "#v=9&k=q1ZKzs9VslIqKMovVtJRSkksSVSyqlYqS8wpTgUA": "This link is damaged",
	} {
		p.load("sandbox/" + fragment)
		if strings.HasPrefix(notice, "This link") {
			p.until("document.querySelector('.notice')?.textContent.includes(" + quote(notice) + ") === true")
			require.Equal(t, 0, eval[int](p, "controllerscopePage.ops()"))
			continue
		}
		p.until("controllerscopePage.ops() === 1 && controllerscopePage.ready()")
		require.Equal(t, hash, eval[string](p, "controllerscopePage.hash()"))
		p.until("document.querySelector('.notice')?.textContent.includes(" + quote(notice) + ") === true")
	}
	p.clean()
}

// TestSandboxSaysWhatCannotBe: refused operations, completion, forms, and a choice by hand.
func TestSandboxSaysWhatCannotBe(t *testing.T) {
	p := open(t, setting{})
	sandbox(p, "sandbox/", "orders", 1)
	require.Equal(t, "broker 0 is running already; stop or kill it first", eval[string](p, "[...document.querySelectorAll('.palette .box.no')].find(b => b.textContent.startsWith('start')).title"))
	eval[int](p, "(i => { i.value = 'broker kil'; i.dispatchEvent(new Event('input')); return 1; })(document.querySelector('.command input'))")
	p.until("[...document.querySelectorAll('#offers .box')].map(b => b.textContent).join() === 'kill'")
	eval[int](p, "(i => { i.value = 'broker kil 1'; i.dispatchEvent(new Event('input')); i.form.requestSubmit(); return 1; })(document.querySelector('.command input'))")
	p.until("document.querySelector('.notice')?.textContent.includes('kil') === true")
	p.click("[aria-expanded][title^='topic delete ']")
	eval[int](p, "(i => { i.value = 'orders'; i.dispatchEvent(new Event('input')); return 1; })(document.querySelector('.verb input'))")
	p.until("document.querySelector('.verb .echo').textContent === 'topic delete orders'")
	p.click(".next .seg button:first-child") // by hand from now on
	p.click(".verb .primary")
	p.until("controllerscopePage.ops() === 3 && controllerscopePage.ready() && document.querySelector('.next li .box') !== null")
	require.NotContains(t, p.requireExecuted().Script, "topic delete orders\nuntil idle")
	p.click(".next li .box:not([disabled])")
	p.until("controllerscopePage.ops() === 4 && controllerscopePage.ready()")
	require.Contains(t, p.requireExecuted().Script, "\ndeliver ")
	p.clean()
}

// TestSandboxTakesATree: what would a new controller do with it; a damaged one is named by its line.
func TestSandboxTakesATree(t *testing.T) {
	p := open(t, setting{})
	p.load("sandbox/")
	parent := zk.Stat{Cversion: 1, NumChildren: 1}
	tree := zktree.Tree{zktree.Node("/brokers", nil, parent), zktree.Node("/brokers/topics", nil, parent),
		zktree.Node("/brokers/topics/orders", []byte(`{"version":2,"partitions":{"0":[1,0]},"adding_replicas":{},"removing_replicas":{}}`), zk.Stat{})}.String()
	paste := func(text string) {
		p.until("document.querySelector('.begin textarea') !== null && document.querySelector('.presets .card:not([disabled])') !== null")
		eval[int](p, "(a => { a.value = "+quote(text)+"; a.form.requestSubmit(); return 1; })(document.querySelector('.begin textarea'))")
	}
	paste("no tree at all")
	p.until("document.querySelector('.notice')?.textContent.startsWith('tree:1: ') === true")
	paste(tree)
	p.until("controllerscopePage.ops() === 1 && controllerscopePage.ready()")
	in := p.requireExecuted()
	require.Equal(t, tree, in.Tree)
	require.Contains(t, eval[string](p, "document.querySelector('.ledger').textContent"), "orders")
	p.clean()
}

// TestSandboxEverywhere: no violation for axe and nothing wider than the page, at every width, in both languages and themes.
func TestSandboxEverywhere(t *testing.T) {
	everywhere(t, "sandbox", func(p *page, lang string, _ int64) { sandbox(p, lang+"sandbox/", "zombie", 3) })
}

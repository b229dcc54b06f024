package browser

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"controllerscope/core/run"
)

// bounce is the recording of lesson 10's first run in the form of the command line.
func bounce(t *testing.T) (whole string, steps int, hash string) {
	l := embedded(t, "10-bounce")
	tr := recorded(t, l.Inputs(l.Runs[0]))
	return string(tr.JSON()), len(tr.Steps), tr.Hash().String()
}

// drop hands the page a file, as choosing it does.
func (p *page) drop(selector, name, text string) {
	p.t.Helper()
	p.until("document.querySelector(" + quote(selector) + ") !== null")
	eval[int](p, "(i => { const d = new DataTransfer(); d.items.add(new File(["+quote(text)+"], "+quote(name)+")); i.files = d.files; i.dispatchEvent(new Event('change')); return 1; })(document.querySelector("+quote(selector)+"))")
}

const chooser = ".door input[type=file]"

// TestTraceOpens a file of the command line in each of its forms, and a lesson's recording by its address.
func TestTraceOpens(t *testing.T) {
	whole, steps, hash := bounce(t)
	head, rest, _ := strings.Cut(whole, `"steps":[`)
	rest = rest[:strings.LastIndex(rest, "]")]
	lines := strings.TrimSuffix(head, ",") + "}\n" + strings.ReplaceAll(rest, `},{"i":`, "}\n{\"i\":") + "\n"
	p := open(t, setting{})
	p.load("trace/")
	for name, text := range map[string]string{"whole.json": whole, "lines.jsonl": lines} {
		p.drop(chooser, name, text)
		p.until("document.querySelector('section.file h2')?.textContent === " + quote(name))
		require.Equal(t, steps, eval[int](p, "controllerscopePage.length()"))
		p.click("section.file > button:last-child")
		p.until("document.querySelector('.door') !== null")
	}
	p.click(".door li a[href*='10-bounce-main']")
	p.until("controllerscopePage.hash() === " + quote(hash))
	replay := "[...document.querySelectorAll('section.file .box')].find(b => b.textContent === 'Replay it')" // there once the core is
	p.until(replay + "?.disabled === false")
	eval[int](p, "("+replay+".click(), 1)")
	p.until("document.querySelector('section.file .ok') !== null")
	p.clean()
}

// TestTraceFilters, goes to a step, asks where a value comes from, and comes back by the address.
func TestTraceFilters(t *testing.T) {
	p := open(t, setting{})
	p.load("trace/")
	p.click(".door li a[href*='10-bounce-main']")
	p.until("controllerscopePage.length() > 0")
	all := eval[int](p, "controllerscopePage.shown()")
	p.click(".filters .pill:first-child") // none
	require.Equal(t, 0, eval[int](p, "controllerscopePage.shown()"))
	p.click(".filters .pill:nth-child(7)") // state machines
	moves := eval[int](p, "controllerscopePage.shown()")
	require.Greater(t, moves, 0)
	require.Less(t, moves, all)
	p.press("ArrowRight", false)
	require.Equal(t, "sm.move", eval[string](p, "document.querySelector('.rows .here code').textContent"))
	p.click(".detail tbody button")
	p.until("document.querySelectorAll('.chain li').length > 1")
	at := eval[int](p, "controllerscopePage.at()")
	hash := eval[string](p, "location.hash")
	require.Contains(t, hash, fmt.Sprintf("&i=%d&c=", at))
	p.load("trace/" + hash)
	p.until(fmt.Sprintf("controllerscopePage.at() === %d", at))
	p.load("trace/" + hash[:len(hash)-8] + "00000000")
	p.until("document.querySelector('.notice')?.textContent.includes('00000000') === true")
	p.load("trace/#t=../secret.json")
	p.until("document.querySelector('.notice')?.textContent.includes('names no recording of this site') === true")
	p.clean()
}

// TestTraceActs: an act is what was done from outside or an event that the controller takes, and is called by that.
func TestTraceActs(t *testing.T) {
	for lang, first := range map[string]string{"": "The process of broker 2 crashes", "zh/": "Broker 2 的进程崩溃"} {
		p := open(t, setting{})
		p.load(lang + "trace/")
		p.click(".door li a[href*='08-broker-dies']")
		p.until("controllerscopePage.length() > 0 && document.querySelector('.acts span') !== null")
		require.Equal(t, []string{first, "AutoPreferredReplicaLeaderElection", "BrokerChange"}, eval[[]string](p, "[...document.querySelectorAll('.acts span')].map(e => e.textContent)"))
		p.clean()
	}
}

// TestTraceCompares two files: one agrees with itself, another parts from it at a step.
func TestTraceCompares(t *testing.T) {
	whole, _, _ := bounce(t)
	l := embedded(t, "10-bounce")
	in := l.Inputs(l.Runs[0])
	in.Script = strings.Replace(in.Script, "release 0\n", "broker kill 1\nrelease 0\n", 1)
	other := recorded(t, run.Inputs{Setup: in.Setup, Script: in.Script, Seed: in.Seed})
	p := open(t, setting{})
	p.load("trace/")
	p.drop(chooser, "one.json", whole)
	p.drop("section.file input[type=file]", "same.json", whole)
	p.until("document.querySelector('.compared')?.textContent.includes('agrees') === true")
	p.drop("section.file input[type=file]", "other.json", string(other.JSON()))
	p.until("document.querySelector('.compared')?.textContent.includes('parts from it') === true")
	p.clean()
}

// TestTraceBadFiles: each gets a sentence with its place, and the page goes on.
func TestTraceBadFiles(t *testing.T) {
	whole, _, _ := bounce(t)
	p := open(t, setting{})
	p.load("trace/")
	for name, c := range map[string][2]string{
		"empty.json":   {"", "empty.json cannot be opened."},
		"cut.json":     {whole[:2000], "line 1: "},
		"lines.jsonl":  {"{\"schema\":1}\n{\"i\":0,\n", "line 2: "},
		"newer.json":   {strings.Replace(whole, `"schema":1`, `"schema":7`, 1), "7"},
		"damaged.json": {strings.Replace(whole, `"before":"{\"controller_epoch\":1,\"leader\":2`, `"before":"{\"controller_epoch\":1,\"leader\":1`, 1), "damaged.json cannot be opened."},
		"other.json":   {`{"a":1}`, "other.json cannot be opened."},
	} {
		p.drop(chooser, name, c[0])
		p.until("document.querySelector('.notice')?.textContent.includes(" + quote(c[1]) + ") === true")
		require.NotNil(t, eval[bool](p, "document.querySelector('.door') !== null"))
	}
	p.clean()
}

// TestTraceEverywhere: the door and a recording.
func TestTraceEverywhere(t *testing.T) {
	door := func(p *page, lang string, _ int64) {
		p.load(lang + "trace/")
		p.until("document.querySelector('.door li a') !== null")
	}
	everywhere(t, "door", door)
	everywhere(t, "trace", func(p *page, lang string, width int64) {
		door(p, lang, width)
		p.click(".door li a[href*='10-bounce-main']")
		p.until("controllerscopePage.length() > 0")
		p.click(".rows li:nth-child(12) button")
	})
}

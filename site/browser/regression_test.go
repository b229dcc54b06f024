package browser

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"controllerscope/core/run"
	"controllerscope/core/zk/zkmem"
)

// savedText keeps the text of what a page saves.
const savedText = "{ const url = URL.createObjectURL; URL.createObjectURL = (b) => { void b.text().then((x) => { window.saved = x; }); return url.call(URL, b); }; }"

// TestRegressionOfDamagedData: a znode whose data only looks like JSON is expected as the text that it is.
func TestRegressionOfDamagedData(t *testing.T) {
	in := run.Inputs{Name: "damaged", Seed: 1, Script: "cluster brokers=0\nbroker start 0\nuntil idle\nzk set /brokers/topics {half\nuntil idle\n"}
	tr := recorded(t, in)
	p := open(t, setting{script: savedText})
	p.load("trace/")
	p.drop(chooser, "damaged.json", string(tr.JSON()))
	p.until(fmt.Sprintf("controllerscopePage.length() === %d && document.querySelector('.filters input[type=search]') !== null", len(tr.Steps)))
	eval[int](p, "(i => { i.value = '/brokers/topics'; i.dispatchEvent(new Event('input')); return "+drawn+" })(document.querySelector('.filters input[type=search]'))")
	eval[int](p, "([...document.querySelectorAll('.rows li button')].findLast(b => b.querySelector('code').textContent === 'zk.set').click(), "+drawn+")")
	p.click(".detail .head > .box")
	p.until("[...document.querySelectorAll('section.file .box')].some(b => b.textContent === 'Regression script (1)' && !b.disabled)")
	eval[int](p, "([...document.querySelectorAll('section.file .box')].find(b => b.textContent === 'Regression script (1)').click(), 1)")
	p.until("window.saved !== undefined || document.querySelector('.notice span') !== null")
	require.Contains(t, eval[string](p, "window.saved ?? document.querySelector('.notice').textContent"), "expect zk[/brokers/topics].data = '{half'\n")
	p.clean()
}

// TestRegressionScript: two steps of a recording become expectations of a script. It holds as it is, natively as in the
// page; with the protection off that the steps show it fails.
func TestRegressionScript(t *testing.T) {
	p := open(t, setting{script: savedText})
	p.load("trace/")
	p.click(".door li a[href*='10-bounce-main']")
	p.until("controllerscopePage.length() > 0")
	at := func(what string) {
		p.t.Helper()
		p.until("document.querySelector('.rows li button') !== null")
		eval[int](p, "(i => { i.value = "+quote(what)+"; i.dispatchEvent(new Event('input')); return "+drawn+" })(document.querySelector('.filters input[type=search]'))")
	}
	pick := func(kind, about string) {
		p.t.Helper()
		at(about)
		p.until("[...document.querySelectorAll('.rows li button')].some(b => b.querySelector('code').textContent === " + quote(kind) + ")")
		eval[int](p, "([...document.querySelectorAll('.rows li button')].find(b => b.querySelector('code').textContent === "+quote(kind)+").click(), "+drawn+")")
		p.click(".detail .head > .box")
		require.Equal(t, "true", eval[string](p, "document.querySelector('.detail .head > .box').ariaPressed"))
	}
	pick("zk.multi", "/brokers/topics/orders/partitions/1/state")
	pick("req.send", "LeaderAndIsr")
	p.until("[...document.querySelectorAll('section.file .box')].some(b => b.textContent === 'Regression script (2)' && !b.disabled)")
	eval[int](p, "([...document.querySelectorAll('section.file .box')].find(b => b.textContent === 'Regression script (2)').click(), 1)")
	p.until("window.saved !== undefined || document.querySelector('.notice span') !== null")
	script := eval[string](p, "window.saved ?? document.querySelector('.notice').textContent")
	require.Contains(t, script, "expect zk[/brokers/topics/orders/partitions/1/state].data.leader = 0\n")
	require.Equal(t, 2, strings.Count(script, "until step.msg = "), script)

	check := func(script string) error {
		r, err := run.Start(run.Inputs{Name: "regression", Script: script, Seed: 1}, run.Options{Store: zkmem.New(zkmem.Options{}), Record: true})
		require.NoError(t, err)
		defer r.Close()
		return r.Finish()
	}
	require.NoError(t, check(script), script)
	require.Error(t, check(strings.Replace(script, "hold 0\n", "guard.broker-epoch off\nhold 0\n", 1)))
	p.clean()
}

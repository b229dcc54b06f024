package browser

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"controllerscope/core/run"
	"controllerscope/core/zk/zkmem"
	"controllerscope/wasm/api"
	"controllerscope/wasm/measure"
)

// act presses a button of "what if" by its line, and waits for the future that follows.
func (p *page) act(line string) {
	p.t.Helper()
	before := eval[string](p, "controllerscopePage.inputs()")
	selector := ".inspector button[title=" + quote(line) + "]:not([disabled])"
	p.click(selector)
	p.until("controllerscopePage.inputs() !== " + quote(before))
}

// requireExecuted compares the page's run with the one that its inputs give natively.
func (p *page) requireExecuted() run.Inputs {
	p.t.Helper()
	var in run.Inputs
	require.NoError(p.t, json.Unmarshal([]byte(eval[string](p, "controllerscopePage.inputs()")), &in))
	tr := recorded(p.t, in)
	require.Equal(p.t, len(tr.Steps), eval[int](p, "controllerscopePage.length()"))
	require.Equal(p.t, tr.Hash().String(), eval[string](p, "controllerscopePage.hash()"))
	return in
}

// TestDeepWhatIf forks, acts, goes back and forks again; each future is what `headless run` makes of its script.
func TestDeepWhatIf(t *testing.T) {
	p := open(t, setting{})
	answerAll(p, "10-bounce")
	p.visit("lessons/10-bounce/#s=" + stopNumber(t, "10-bounce", "closes"))
	p.press("f", false)
	p.act("broker kill 1")
	first := p.requireExecuted()
	require.Contains(t, first.Script, "broker kill 1\n")
	base := eval[int](p, "controllerscopePage.at()")
	for range 6 {
		p.press("ArrowRight", false)
	}
	require.Greater(t, eval[int](p, "controllerscopePage.at()"), base)
	p.act("broker start 1")
	p.requireExecuted()
	p.press("ArrowLeft", false)
	p.press("ArrowLeft", false)
	p.act("zk delete /controller")
	third := p.requireExecuted()
	require.Contains(t, third.Script, "broker kill 1\n")
	require.Contains(t, third.Script, "zk delete /controller\n")
	p.click(".transport .leave")
	p.until("controllerscopePage.inputs() !== " + quote(mustJSON(t, third)))
	require.Equal(t, embedded(t, "10-bounce").Runs[0].Script, p.requireExecuted().Script)
	p.clean()
}

func mustJSON(t *testing.T, v any) string {
	text, err := json.Marshal(v)
	require.NoError(t, err)
	return string(text)
}

// TestNextDelivery chooses what happens next.
func TestNextDelivery(t *testing.T) {
	p := open(t, setting{})
	answerAll(p, "10-bounce")
	p.visit("lessons/10-bounce/#s=" + stopNumber(t, "10-bounce", "read"))
	p.press("f", false)
	p.until("document.querySelector('.choices button:not([disabled])') !== null")
	line := eval[string](p, "document.querySelector('.choices button').title")
	require.Regexp(t, "^deliver ", line)
	p.act(line)
	require.Contains(t, p.requireExecuted().Script, line+"\n")
	p.clean()
}

// TestTwoFutures switches the broker-epoch check off where the controller compares, and puts both futures side by side: one
// recovers, in the other ZooKeeper and controller name a leader that hosts nothing.
func TestTwoFutures(t *testing.T) {
	for _, size := range [][2]int64{{1440, 900}, {390, 844}} {
		p := open(t, setting{width: size[0], height: size[1]})
		answerAll(p, "10-bounce")
		p.visit("lessons/10-bounce/#s=" + stopNumber(t, "10-bounce", "read"))
		p.press("f", false)
		p.act("guard.broker-epoch off")
		p.requireExecuted()
		p.click(".inspector .compare")
		p.until("document.querySelectorAll('.future').length === 2")
		text := strings.Join(strings.Fields(eval[string](p, "document.querySelector('.futures').innerText")), " ")
		for _, part := range []string{"Broker-epoch check on Kafka 2.2 and later ZooKeeper says leader 0", "broker 0 really leads orders-1",
			"Broker-epoch check off: orders-1 has no working leader", "Broker-epoch check off before KIP-380, up to Kafka 2.1 ZooKeeper says leader 2", "Controller says leader 2", "broker 2 really hosts nothing",
			"Belief, truth and effect agree", "orders-1: everyone names leader 2, and it hosts nothing", "UNKNOWN_TOPIC_OR_PARTITION"} {
			require.Contains(t, text, part)
		}
		for _, theme := range []string{"light", "dark"} {
			p.theme(theme)
			p.shoot(filepath.Join(screens(t), fmt.Sprintf("02-futures-%d-%s.png", size[0], theme)))
		}
		p.clean()
	}
}

// probe is a page that asks the site's worker as the lesson's page does; it answers with the SHA-256 of each answer.
const probe = `<!doctype html><script>
const worker = new Worker(%s, {type: 'module'});
const waiting = new Map();
let n = 0;
worker.onmessage = e => { waiting.get(e.data.id)(e.data); };
const send = (op, args) => new Promise(ok => { waiting.set(++n, ok); worker.postMessage({id: n, op, args}); });
const ready = send('init', JSON.stringify({wasm: %s}));
async function ask(op, args) {
  await ready;
  const {json} = await send(op, args);
  return [...new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(json)))].map(b => b.toString(16).padStart(2, '0')).join('');
}
</script>`

// TestNativeEqualsWASM asks the core in Chromium for all lessons and 50 random scripts: its answers are those of the native
// one, byte for byte.
func TestNativeEqualsWASM(t *testing.T) {
	need(t)
	one := func(pattern string) string {
		files, err := filepath.Glob(filepath.Join(shared.folder, "a", pattern))
		require.NoError(t, err)
		require.Len(t, files, 1)
		return "/a/" + filepath.Base(files[0])
	}
	p := open(t, setting{serve: func(w http.ResponseWriter, r *http.Request) bool {
		if r.URL.Path != "/probe" {
			return false
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, probe, quote(one("worker-*.js")), quote(one("core-*.wasm")))
		return true
	}})
	p.load("probe")
	all, err := measure.LessonRuns()
	require.NoError(t, err)
	for seed := range uint64(50) {
		text, err := run.Random{}.Script(seed, zkmem.New(zkmem.Options{}))
		require.NoError(t, err)
		all = append(all, run.Inputs{Name: fmt.Sprintf("random/%d", seed), Script: text, Seed: seed})
	}
	native := api.New()
	for _, in := range all {
		question := mustJSON(t, map[string]any{"setup": in.Setup, "script": in.Script, "seed": in.Seed})
		want := sha256.Sum256([]byte(native.Call("load", question)))
		require.Equal(t, hex.EncodeToString(want[:]), eval[string](p, "ask('load', "+quote(question)+")"), in.Name)
	}
	p.clean()
}

// siteFile is a file of the built site by its address.
func siteFile(t *testing.T, address string) string {
	data, err := os.ReadFile(filepath.Join(shared.folder, filepath.FromSlash(address)))
	require.NoError(t, err)
	return string(data)
}

// Package measure opens the built site in Chromium and takes the times that have a budget: how soon the first step is
// shown, how soon the core answers an action, whether anything holds up the page while it plays.
package measure

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	cdpage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"controllerscope/core/run"
	"controllerscope/site/serve"
)

// ErrNoChromium says that Chromium is not there.
var ErrNoChromium = errors.New("chromium is missing: run make setup, or apt-get install chromium")

// Slow is the network of the first figure: 9 Mbit/s, 60 ms to the first byte; the processor is four times slower.
const (
	slowBytes   = 9_000_000 / 8
	slowLatency = 60
	slowCPU     = 4
)

// Times are what was measured, in ms.
type Times struct {
	FirstStep map[string][]float64 // by lesson: from navigation to the first step on the screen, see firstStep
	Acts      []float64            // from the question to the parsed answer, through the worker
	Tasks     []float64            // long tasks while a lesson played
	Played    int                  // steps that it played
}

// Middle is the median of some values; 0 of none.
func Middle(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	return sorted[len(sorted)/2]
}

// opened is how often each page is opened for its first step: the first tab of a browser also starts much of the browser.
const opened = 5

// browser starts Chromium.
func browser(ctx context.Context) (context.Context, func(), error) {
	chromium, err := exec.LookPath("chromium")
	if err != nil {
		return nil, nil, ErrNoChromium
	}
	profile, err := os.MkdirTemp("", "chromium")
	if err != nil {
		return nil, nil, err
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(chromium), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.UserDataDir(profile), chromedp.Flag("host-resolver-rules", "MAP * ~NOTFOUND , EXCLUDE 127.0.0.1"))
	ctx, stopAllocator := chromedp.NewExecAllocator(ctx, options...)
	ctx, stop := chromedp.NewContext(ctx)
	end := func() { stop(); stopAllocator(); os.RemoveAll(profile) }
	if err := chromedp.Do(ctx); err != nil {
		end()
		return nil, nil, err
	}
	return ctx, end, nil
}

// Take measures the built site in folder: the first step of some lessons, and the rest with the first of them and with one of
// its runs.
func Take(parent context.Context, folder string, lessons []string, in run.Inputs) (t Times, err error) {
	ctx, stop, err := browser(parent)
	if err != nil {
		return t, err
	}
	defer stop()
	t.FirstStep = map[string][]float64{}
	for range opened {
		for _, lesson := range lessons {
			ms, err := firstStep(ctx, folder, lesson)
			if err != nil {
				return t, fmt.Errorf("first step of %s: %w", lesson, err)
			}
			t.FirstStep[lesson] = append(t.FirstStep[lesson], ms)
		}
	}
	if t.Acts, err = acts(ctx, folder, in); err != nil {
		return t, fmt.Errorf("what if: %w", err)
	}
	if t.Tasks, t.Played, err = play(ctx, folder, lessons[0]); err != nil {
		return t, fmt.Errorf("playing: %w", err)
	}
	return t, nil
}

// address is what a tab opens.
type address struct {
	path   string
	before string // runs ahead of the page's scripts
	probe  string // the page /probe
	slow   bool
}

// tab opens a page of the site on a server of its own, so that nothing is cached.
func tab(parent context.Context, folder string, a address) (context.Context, func(), error) {
	mux := http.NewServeMux()
	mux.Handle("/", serve.Handler(os.DirFS(folder)))
	mux.HandleFunc("/probe", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, a.probe)
	})
	server := httptest.NewServer(mux)
	ctx, stop := chromedp.NewContext(parent)
	end := func() { stop(); server.Close() }
	err := chromedp.Do(ctx, chromedp.EmulateViewport(1440, 900))
	if err == nil {
		source := "delete Navigator.prototype.serviceWorker;" + a.before
		_, err = chromedp.Call(ctx, cdpage.AddScriptToEvaluateOnNewDocument, cdpage.AddScriptToEvaluateOnNewDocumentParams{Source: source})
	}
	if err == nil && a.slow {
		err = slow(ctx)
	}
	if err == nil {
		err = chromedp.Do(ctx, chromedp.Navigate(server.URL+a.path))
	}
	return ctx, end, err
}

func slow(ctx context.Context) error {
	if _, err := chromedp.Call(ctx, network.Enable, network.EnableParams{}); err != nil {
		return err
	}
	conditions := []*network.Conditions{{Latency: slowLatency, DownloadThroughput: slowBytes, UploadThroughput: slowBytes}}
	_, err := chromedp.Call(ctx, network.EmulateNetworkConditionsByRule, network.EmulateNetworkConditionsByRuleParams{MatchedNetworkConditions: conditions})
	if err != nil {
		return err
	}
	_, err = chromedp.Call(ctx, emulation.SetCPUThrottlingRate, emulation.SetCPUThrottlingRateParams{Rate: slowCPU})
	return err
}

// untilShown notes when a step is shown first: as soon as the stage stands in the page, its headline and the last line of its
// ledger are marked, and the browser tells when these texts were on the screen.
const untilShown = `globalThis.firstStep = new Promise((ok, no) => {
  const times = new Map();
  new PerformanceObserver(list => {
    for (const e of list.getEntries()) times.set(e.identifier, e.renderTime);
    if (times.size === 2) ok(Math.max(...times.values()));
  }).observe({type: 'element', buffered: true});
  new MutationObserver((_, me) => {
    const marks = {headline: document.querySelector('#headline span'), ledger: [...document.querySelectorAll('.ledger .name')].at(-1)};
    if (!marks.headline) return;
    me.disconnect();
    if (!marks.ledger) no(new Error('the first picture is not a whole stage'));
    else for (const name in marks) marks[name].setAttribute('elementtiming', name);
  }).observe(document, {childList: true, subtree: true});
});
`

// firstStep opens a lesson in a new tab, with nothing cached, on the slow network with a slow processor. It counts in ms from
// the start of the navigation until headline and ledger of the first step are on the screen.
func firstStep(ctx context.Context, folder, lesson string) (float64, error) {
	ctx, end, err := tab(ctx, folder, address{path: "/lessons/" + lesson + "/", before: untilShown, slow: true})
	defer end()
	if err != nil {
		return 0, err
	}
	return chromedp.Run(ctx, chromedp.Evaluate[float64]("firstStep", chromedp.EvalAwaitPromise))
}

// probePage asks the site's worker as the lesson's page does: it loads the run, asks what is possible in the middle of it as
// "What if" does when it opens, and does one line there; and again.
const probePage = `<!doctype html><script>
const worker = new Worker(%s, {type: 'module'}), waiting = new Map();
let n = 0;
worker.onmessage = e => { waiting.get(e.data.id)(e.data); };
const send = (op, args) => new Promise(ok => { waiting.set(++n, ok); worker.postMessage({id: n, op, args: JSON.stringify(args)}); });
globalThis.times = (async () => {
  await send('init', {wasm: %s});
  const times = [];
  for (let i = 0; i < 10; i++) {
    const steps = JSON.parse((await send('load', %s)).json).trace.steps.length;
    await send('choices', {at: steps >> 1});
    const began = performance.now();
    const answer = JSON.parse((await send('act', {base: steps >> 1, line: 'zk delete /controller'})).json);
    if (i > 0) times.push(performance.now() - began);
    if (!answer.trace) throw new Error(JSON.stringify(answer));
  }
  return times;
})();
</script>`

func acts(ctx context.Context, folder string, in run.Inputs) ([]float64, error) {
	question, err := json.Marshal(map[string]any{"setup": in.Setup, "script": in.Script, "seed": in.Seed})
	if err != nil {
		return nil, err
	}
	worker, err1 := one(folder, "worker-*.js")
	wasm, err2 := one(folder, "core-*.wasm")
	if err := errors.Join(err1, err2); err != nil {
		return nil, err
	}
	ctx, end, err := tab(ctx, folder, address{path: "/probe", probe: fmt.Sprintf(probePage, worker, wasm, question)})
	defer end()
	if err != nil {
		return nil, err
	}
	return chromedp.Run(ctx, chromedp.Evaluate[[]float64]("times", chromedp.EvalAwaitPromise))
}

// one is the address of the one asset with such a name, in quotes.
func one(folder, pattern string) (string, error) {
	files, err := filepath.Glob(filepath.Join(folder, "a", pattern))
	if err == nil && len(files) != 1 {
		err = fmt.Errorf("%d files %s in the built site, expected one", len(files), pattern)
	}
	if err != nil {
		return "", err
	}
	return `"/a/` + filepath.Base(files[0]) + `"`, nil
}

// playing waits until the page has loaded everything, plays for a while, and lists the long tasks of that time.
const playing = `(async () => {
  const wait = ms => new Promise(ok => setTimeout(ok, ms));
  while (!document.querySelector('#headline')) await wait(20);
  await wait(3000);
  const tasks = [];
  const watch = new PerformanceObserver(list => tasks.push(...list.getEntries().map(e => e.duration)));
  watch.observe({type: 'longtask'});
  const from = controllerscopePage.at();
  document.dispatchEvent(new KeyboardEvent('keydown', {key: ' ', bubbles: true}));
  await wait(10000);
  tasks.push(...watch.takeRecords().map(e => e.duration));
  return {tasks, steps: controllerscopePage.at() - from};
})()`

func play(ctx context.Context, folder, lesson string) ([]float64, int, error) {
	ctx, end, err := tab(ctx, folder, address{path: "/lessons/" + lesson + "/"})
	defer end()
	if err != nil {
		return nil, 0, err
	}
	played, err := chromedp.Run(ctx, chromedp.Evaluate[struct {
		Tasks []float64 `json:"tasks"`
		Steps int       `json:"steps"`
	}](playing, chromedp.EvalAwaitPromise))
	if err == nil && played.Steps <= 0 {
		err = errors.New("the lesson did not play")
	}
	return played.Tasks, played.Steps, err
}

package browser

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/network"
	cdpage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"controllerscope/site/serve"
)

// site is the folder of the site, seen from this package.
const site = ".."

// shared is what all tests use: the site, built once with its core, and one browser.
var shared struct {
	sync.Once
	folder  string
	browser context.Context
	stop    []func()
	err     error
}

func TestMain(m *testing.M) {
	code := m.Run()
	for i := len(shared.stop) - 1; i >= 0; i-- {
		shared.stop[i]()
	}
	os.Exit(code)
}

// need builds the site and starts the browser for the first test that asks.
func need(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("a browser takes its time")
	}
	shared.Do(func() { shared.err = errors.Join(buildSite(), startBrowser()) })
	require.NoError(t, shared.err)
}

func buildSite() error {
	if _, err := os.Stat(filepath.Join(site, "node_modules", "lit-html")); err != nil {
		return errors.New("site/node_modules is missing; run: npm ci --prefix site")
	}
	folder, err := os.MkdirTemp("", "site")
	if err != nil {
		return err
	}
	shared.stop = append(shared.stop, func() { os.RemoveAll(folder) })
	shared.folder = filepath.Join(folder, "dist")
	cmd := exec.Command("go", "run", "./site/build", "-fast", "-out", shared.folder)
	cmd.Dir = filepath.Join(site, "..")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	return nil
}

func startBrowser() error {
	chromium, err := exec.LookPath("chromium")
	if err != nil {
		return errors.New("there is no chromium; run: apt-get install -y chromium fonts-wqy-microhei")
	}
	profile, err := os.MkdirTemp("", "chromium")
	if err != nil {
		return err
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(chromium), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.UserDataDir(profile), chromedp.Flag("host-resolver-rules", "MAP * ~NOTFOUND , EXCLUDE 127.0.0.1"))
	allocator, stopAllocator := chromedp.NewExecAllocator(context.Background(), options...)
	browser, stop := chromedp.NewContext(allocator)
	shared.browser = browser
	shared.stop = append(shared.stop, func() { os.RemoveAll(profile) }, stopAllocator, stop)
	return chromedp.Do(browser)
}

// page is one tab on a server of its own (so with a memory of its own), with what went wrong in it.
type page struct {
	t      *testing.T
	ctx    context.Context
	base   string // where the site's root is
	mu     sync.Mutex
	errors []string
}

// setting is how a page is opened.
type setting struct {
	prefix        string // where the site's root is; "/" if empty
	width, height int64  // 1440 × 900 if 0
	scale         float64
	// serve answers in place of the site, or returns false.
	serve func(w http.ResponseWriter, r *http.Request) bool
	// script runs before those of every page.
	script string
	// offline lets the page register its service worker, which fetches the whole site.
	offline bool
}

// open makes a tab and a server for it.
func open(t *testing.T, s setting) *page {
	t.Helper()
	need(t)
	if s.prefix == "" {
		s.prefix = "/"
	}
	if s.width == 0 {
		s.width, s.height = 1440, 900
	}
	handler := http.StripPrefix(strings.TrimSuffix(s.prefix, "/"), serve.Handler(os.DirFS(shared.folder)))
	mux := http.NewServeMux()
	mux.HandleFunc(s.prefix, func(w http.ResponseWriter, r *http.Request) {
		if s.serve == nil || !s.serve(w, r) {
			handler.ServeHTTP(w, r)
		}
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	ctx, stop := chromedp.NewContext(shared.browser)
	t.Cleanup(stop)
	ctx, stop = context.WithTimeout(ctx, 3*time.Minute)
	t.Cleanup(stop)
	p := &page{t: t, ctx: ctx, base: server.URL + s.prefix}
	chromedp.Listen(ctx, p.heard)
	_, err := chromedp.Call(ctx, network.Enable, network.EnableParams{})
	require.NoError(t, err)
	if !s.offline {
		p.before("delete Navigator.prototype.serviceWorker;")
	}
	p.before(quickFrames + s.script)
	p.size(s.width, s.height, s.scale)
	return p
}

// quickFrames draws at once instead of sixty times a second: tests step through thousands of pictures.
const quickFrames = `{ const {port1, port2} = new MessageChannel(); const wait = new Map(); let n = 0;
port1.onmessage = e => { const f = wait.get(e.data); wait.delete(e.data); f?.(performance.now()); };
requestAnimationFrame = f => { wait.set(++n, f); port2.postMessage(n); return n; };
cancelAnimationFrame = k => { wait.delete(k); }; }
`

// before has a script run before those of every page to come.
func (p *page) before(script string) {
	p.t.Helper()
	_, err := chromedp.Call(p.ctx, cdpage.AddScriptToEvaluateOnNewDocument, cdpage.AddScriptToEvaluateOnNewDocumentParams{Source: script})
	require.NoError(p.t, err)
}

func (p *page) size(width, height int64, scale float64) {
	p.t.Helper()
	if scale == 0 {
		scale = 1
	}
	require.NoError(p.t, chromedp.Do(p.ctx, chromedp.EmulateViewport(width, height, chromedp.EmulateScale(scale))))
}

// heard keeps errors, and requests that leave the site.
func (p *page) heard(ev any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch e := ev.(type) {
	case *runtime.EventConsoleAPICalled:
		if e.Type == "error" || e.Type == "warning" {
			p.errors = append(p.errors, fmt.Sprintf("console: %v", e.Args))
		}
	case *runtime.EventExceptionThrown:
		p.errors = append(p.errors, "exception: "+e.ExceptionDetails.Text)
	case *network.EventRequestWillBeSent:
		if url := e.Request.URL; !strings.HasPrefix(url, p.base) && !strings.HasPrefix(url, "data:") && !strings.HasPrefix(url, "about:") {
			p.errors = append(p.errors, "request elsewhere: "+url)
		}
	}
}

// whole is true when a page with a stage shows its recording, and all that stands around the stage.
const whole = "document.querySelector('[data-drawn] #headline') !== null"

// visit opens a page below the site's root and waits until its recording is shown.
func (p *page) visit(path string) {
	p.t.Helper()
	p.load(path)
	p.until(whole + " || document.body.classList.contains('home')")
}

// load opens a page below the site's root, whatever it shows.
func (p *page) load(path string) {
	p.t.Helper()
	require.NoError(p.t, chromedp.Do(p.ctx, chromedp.Navigate("about:blank")))
	require.NoError(p.t, chromedp.Do(p.ctx, chromedp.Navigate(p.base+path)))
}

// until waits for a condition in the page.
func (p *page) until(condition string) {
	p.t.Helper()
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); {
		holds, err := chromedp.Run(p.ctx, chromedp.Evaluate[bool](condition, chromedp.EvalAwaitPromise))
		if holds {
			return
		}
		if !gone(err) {
			require.NoError(p.t, err, condition)
		}
		time.Sleep(20 * time.Millisecond)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.t.Fatalf("it never came true: %s; errors: %v; the page says: %.600s", condition, p.errors, eval[string](p, "document.body.innerText"))
}

// gone reports whether the page that was asked made room for another one meanwhile.
func gone(err error) bool { return err != nil && strings.Contains(err.Error(), "navigated or closed") }

func eval[T any](p *page, js string) T {
	p.t.Helper()
	v, err := chromedp.Run(p.ctx, chromedp.Evaluate[T](js, chromedp.EvalAwaitPromise))
	require.NoError(p.t, err, js)
	return v
}

// drawn is a promise of the next picture.
const drawn = "new Promise(ok => requestAnimationFrame(() => requestAnimationFrame(() => ok(1))))"

// press sends a key to the page and waits until it is drawn.
func (p *page) press(key string, shift bool) {
	p.t.Helper()
	eval[int](p, fmt.Sprintf("(document.dispatchEvent(new KeyboardEvent('keydown', {key: %q, shiftKey: %t, bubbles: true})), %s)", key, shift, drawn))
}

// click presses the first element that a selector finds.
func (p *page) click(selector string) {
	p.t.Helper()
	p.until("document.querySelector(" + quote(selector) + ") !== null")
	js := "(document.querySelector(" + quote(selector) + ").click(), " + drawn + ")"
	if _, err := chromedp.Run(p.ctx, chromedp.Evaluate[int](js, chromedp.EvalAwaitPromise)); !gone(err) { // it may be a link
		require.NoError(p.t, err, js)
	}
}

// theme chooses light or dark.
func (p *page) theme(name string) {
	p.t.Helper()
	eval[int](p, "(document.documentElement.dataset.theme = "+quote(name)+", document.getAnimations().forEach(a => a.finish()), 1)")
}

// clean fails when anything went wrong so far.
func (p *page) clean() {
	p.t.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	require.Empty(p.t, p.errors)
}

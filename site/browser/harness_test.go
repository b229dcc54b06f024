package browser

import (
	"context"
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
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"controllerscope/site/serve"
)

// site is the folder of the site, seen from this package.
const site = ".."

var built struct {
	sync.Once
	folder string
	err    error
}

func TestMain(m *testing.M) {
	code := m.Run()
	if built.folder != "" {
		os.RemoveAll(built.folder)
	}
	os.Exit(code)
}

// build makes the site once for all tests, without the core: the pages play recordings.
func build(t *testing.T) string {
	t.Helper()
	if _, err := os.Stat(filepath.Join(site, "node_modules", "lit-html")); err != nil {
		t.Skip("site/node_modules is missing; run: npm ci --prefix site")
	}
	built.Do(func() {
		if built.folder, built.err = os.MkdirTemp("", "site"); built.err != nil {
			return
		}
		cmd := exec.Command("go", "run", "./site/build", "-fast", "-out", filepath.Join(built.folder, "dist"))
		cmd.Dir = filepath.Join(site, "..")
		if out, err := cmd.CombinedOutput(); err != nil {
			built.err = fmt.Errorf("%w: %s", err, out)
		}
	})
	require.NoError(t, built.err)
	return filepath.Join(built.folder, "dist")
}

// page is one tab of a browser on a server of its own, with what went wrong in it.
type page struct {
	t      *testing.T
	ctx    context.Context
	base   string // where the site's root is
	mu     sync.Mutex
	errors []string
}

// open starts a browser and a server that has the site below prefix ("/" or "/a/b/").
func open(t *testing.T, prefix string, width, height int64) *page {
	t.Helper()
	if testing.Short() {
		t.Skip("a browser takes its time")
	}
	folder := build(t)
	chromium, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("there is no chromium; run: apt-get install -y chromium fonts-wqy-microhei")
	}
	mux := http.NewServeMux()
	mux.Handle(prefix, http.StripPrefix(strings.TrimSuffix(prefix, "/"), serve.Handler(os.DirFS(folder))))
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(chromium), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.UserDataDir(t.TempDir()), chromedp.Flag("host-resolver-rules", "MAP * ~NOTFOUND , EXCLUDE 127.0.0.1"))
	ctx, stop := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(stop)
	ctx, stop = chromedp.NewContext(ctx)
	t.Cleanup(stop)
	ctx, stop = context.WithTimeout(ctx, 2*time.Minute)
	t.Cleanup(stop)
	p := &page{t: t, ctx: ctx, base: server.URL + prefix}
	chromedp.Listen(ctx, p.heard)
	_, err = chromedp.Call(ctx, network.Enable, network.EnableParams{})
	require.NoError(t, err)
	require.NoError(t, chromedp.Do(ctx, chromedp.EmulateViewport(width, height)))
	return p
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

// visit opens a page below the site's root and waits until its recording is shown.
func (p *page) visit(path string) {
	p.t.Helper()
	require.NoError(p.t, chromedp.Do(p.ctx, chromedp.Navigate("about:blank")))
	require.NoError(p.t, chromedp.Do(p.ctx, chromedp.Navigate(p.base+path)))
	p.until("document.querySelector('#headline') !== null || document.body.classList.contains('home')")
}

// until waits for a condition in the page.
func (p *page) until(condition string) {
	p.t.Helper()
	for deadline := time.Now().Add(15 * time.Second); time.Now().Before(deadline); {
		if eval[bool](p, condition) {
			return
		}
		eval[int](p, "new Promise(ok => requestAnimationFrame(() => ok(1)))")
	}
	p.t.Fatalf("it never came true: %s; errors: %v", condition, p.errors)
}

func eval[T any](p *page, js string) T {
	p.t.Helper()
	v, err := chromedp.Run(p.ctx, chromedp.Evaluate[T](js, chromedp.EvalAwaitPromise))
	require.NoError(p.t, err, js)
	return v
}

// press sends a key to the page and waits until it is drawn.
func (p *page) press(key string, shift bool) {
	p.t.Helper()
	eval[int](p, fmt.Sprintf("(document.dispatchEvent(new KeyboardEvent('keydown', {key: %q, shiftKey: %t, bubbles: true})), "+
		"new Promise(ok => requestAnimationFrame(() => requestAnimationFrame(() => ok(1)))))", key, shift))
}

// clean fails when anything went wrong so far.
func (p *page) clean() {
	p.t.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	require.Empty(p.t, p.errors)
}

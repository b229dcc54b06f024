package browser

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"controllerscope/site/serve"
)

// smoke goes through the lesson as a reader would, skips its questions, asks "what if" of the core, and reports what it saw.
// It stands in the page as a script of the site's own, since these browsers have no remote control here.
const smoke = `const wait = ms => new Promise(ok => setTimeout(ok, ms));
const until = async f => { for (let i = 0; i < 600; i++) { if (f()) return; await wait(50); } throw new Error('it never came true: ' + f); };
const key = k => document.dispatchEvent(new KeyboardEvent('keydown', {key: k, bubbles: true}));
const head = () => document.querySelector('#headline')?.innerText ?? ''; // '' while a part of the page is fetched
const errors = [];
addEventListener('error', e => errors.push(e.message));
addEventListener('unhandledrejection', e => errors.push(String(e.reason)));
addEventListener('securitypolicyviolation', e => errors.push(e.violatedDirective + ' ' + e.blockedURI));
const out = {headlines: [], core: false, errors, lacks: Object.entries({
  'Trusted Types': typeof trustedTypes === 'object', 'light-dark()': CSS.supports('color', 'light-dark(red, blue)'), ':has()': CSS.supports('selector(:has(a))'),
  'service workers': 'serviceWorker' in navigator, 'clipboard': typeof navigator.clipboard?.writeText === 'function', 'pictures on the clipboard': typeof ClipboardItem === 'function',
  'instantiateStreaming': typeof WebAssembly.instantiateStreaming === 'function', 'Element.animate': typeof Element.prototype.animate === 'function',
  'BroadcastChannel': typeof BroadcastChannel === 'function', 'DecompressionStream': typeof DecompressionStream === 'function', 'dialog': typeof HTMLDialogElement === 'function',
  'popover': 'popover' in HTMLElement.prototype, 'zoom': CSS.supports('zoom', '2'), 'navigator.share': 'share' in navigator, 'long tasks': PerformanceObserver.supportedEntryTypes.includes('longtask'),
}).filter(([, has]) => !has).map(([name]) => name)};
try {
  await until(() => document.querySelector('#headline') && globalThis.controllerscopePage?.runs() === RUNS);
  for (let i = 0; i < STOPS; i++) {
    const before = head(), form = () => document.querySelector('form.predict');
    if (i > 0) {
      key('ArrowRight');
      await until(() => form() || (head() && head() !== before));
    }
    const sheet = document.querySelector('.handle .primary'); // in a narrow window the question opens over the stage
    if (sheet && !form()) {
      sheet.click();
      await until(form);
    }
    if (form()) {
      form().querySelector('.row2 button[type=button]').click();
      await until(() => !form() && head());
    }
    out.headlines.push(head());
  }
  key('Home');
  key('f');
  await until(() => document.querySelector('.inspector .do button.box'));
  out.core = true;
} catch (e) { errors.push(String(e)); }
await fetch('/report', {method: 'POST', body: JSON.stringify(out)});
`

// TestFirefox plays the lesson in Debian's Firefox: every stop is told as in Chromium, and the core answers.
func TestFirefox(t *testing.T) {
	smokeIn(t, "firefox-esr", func(program, url string) *exec.Cmd {
		return exec.Command(program, "--headless", "--no-remote", "--profile", t.TempDir(), url)
	})
}

// TestWebKit does the same in WebKitGTK, which wants a screen.
func TestWebKit(t *testing.T) {
	smokeIn(t, "xvfb-run", func(program, url string) *exec.Cmd {
		browsers, err := filepath.Glob("/usr/lib/*/webkit2gtk-4.*/MiniBrowser")
		require.NoError(t, err)
		require.NotEmpty(t, browsers, "there is no MiniBrowser; run: apt-get install -y webkit2gtk-driver")
		return exec.Command(program, "-a", "-s", "-screen 0 1440x900x24", browsers[0], url)
	})
}

// smokeIn plays the lesson in a browser that program starts.
func smokeIn(t *testing.T, name string, command func(program, url string) *exec.Cmd) {
	t.Helper()
	need(t)
	l := embedded(t, "10-bounce")
	report := make(chan []byte, 1)
	files := serve.Handler(os.DirFS(shared.folder))
	script := strings.NewReplacer("RUNS", strconv.Itoa(len(l.Runs)), "STOPS", strconv.Itoa(len(l.Stops()))).Replace(smoke)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/report":
			body, _ := io.ReadAll(r.Body)
			report <- body
		case r.URL.Path == "/smoke.js":
			w.Header().Set("Content-Type", "text/javascript")
			io.WriteString(w, script)
		case r.URL.Path == "/lessons/10-bounce/":
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			io.WriteString(w, strings.Replace(siteFile(t, r.URL.Path+"index.html"), "</head>", `<script type="module" src="/smoke.js"></script></head>`, 1))
		default:
			files.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(server.Close)
	program, err := exec.LookPath(name)
	require.NoError(t, err, "run: make setup")
	cmd := command(program, server.URL+"/lessons/10-bounce/")
	cmd.Env = append(os.Environ(), "HOME="+t.TempDir(), "MOZ_DISABLE_CONTENT_SANDBOX=1")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // with its screen and its processes it ends as one
	require.NoError(t, cmd.Start())
	t.Cleanup(func() { syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL); cmd.Wait() })
	var seen struct {
		Headlines []string
		Core      bool
		Lacks     []string
		Errors    []string
	}
	select {
	case body := <-report:
		require.NoError(t, json.Unmarshal(body, &seen))
	case <-time.After(3 * time.Minute):
		t.Fatal(name + " reported nothing")
	}
	require.Equal(t, []string{"navigator.share", "long tasks"}, seen.Lacks, "as the package's documentation says")
	require.Empty(t, seen.Errors)
	require.True(t, seen.Core, "the core answers")
	require.Len(t, seen.Headlines, len(l.Stops()))
	for i, stop := range l.Stops() {
		require.Contains(t, seen.Headlines[i], asShown(l.Texts["en"].Stops[stop.ID].Headline), stop.ID)
	}
}

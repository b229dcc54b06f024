package browser

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"controllerscope/site/serve"
)

// smoke goes through the lesson as a reader would, skips its questions, asks "what if" of the core, and reports what it saw.
// It stands in the page as a script of the site's own, since Firefox has no remote control here.
const smoke = `const wait = ms => new Promise(ok => setTimeout(ok, ms));
const until = async f => { for (let i = 0; i < 600; i++) { if (f()) return; await wait(50); } throw new Error('it never came true: ' + f); };
const key = k => document.dispatchEvent(new KeyboardEvent('keydown', {key: k, bubbles: true}));
const head = () => document.querySelector('#headline')?.innerText ?? ''; // '' while a part of the page is fetched
const errors = [];
addEventListener('error', e => errors.push(e.message));
addEventListener('unhandledrejection', e => errors.push(String(e.reason)));
addEventListener('securitypolicyviolation', e => errors.push(e.violatedDirective + ' ' + e.blockedURI));
const out = {headlines: [], core: false, policies: typeof trustedTypes === 'object', errors};
try {
  await until(() => document.querySelector('#headline') && globalThis.controllerscopePage?.runs() === RUNS);
  for (let i = 0; i < STOPS; i++) {
    const before = head(), form = () => document.querySelector('form.predict');
    if (i > 0) {
      key('ArrowRight');
      await until(() => form() || (head() && head() !== before));
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
	firefox, err := exec.LookPath("firefox-esr")
	if err != nil {
		t.Skip("there is no firefox-esr; run: apt-get install -y firefox-esr")
	}
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
	cmd := exec.Command(firefox, "--headless", "--no-remote", "--profile", t.TempDir(), server.URL+"/lessons/10-bounce/")
	cmd.Env = append(os.Environ(), "HOME="+t.TempDir(), "MOZ_DISABLE_CONTENT_SANDBOX=1")
	require.NoError(t, cmd.Start())
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	var seen struct {
		Headlines []string
		Core      bool
		Errors    []string
	}
	select {
	case body := <-report:
		require.NoError(t, json.Unmarshal(body, &seen))
	case <-time.After(3 * time.Minute):
		t.Fatal("Firefox reported nothing")
	}
	require.Empty(t, seen.Errors)
	require.True(t, seen.Core, "the core answers")
	require.Len(t, seen.Headlines, len(l.Stops()))
	for i, stop := range l.Stops() {
		require.Contains(t, seen.Headlines[i], asShown(l.Texts["en"].Stops[stop.ID].Headline), stop.ID)
	}
}

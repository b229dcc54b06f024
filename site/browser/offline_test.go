package browser

import (
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// cutOff ends a request as a network that is gone would.
func cutOff(w http.ResponseWriter) bool {
	conn, _, err := w.(http.Hijacker).Hijack()
	if err == nil {
		conn.Close()
	}
	return true
}

// TestOffline opens one page, takes the network away, and goes on: to that page, a lesson with its core, another language,
// from the root of a host and from a path below it.
func TestOffline(t *testing.T) {
	for _, prefix := range []string{"/", "/a/b/"} {
		var gone atomic.Bool
		p := open(t, setting{prefix: prefix, offline: true, serve: func(w http.ResponseWriter, _ *http.Request) bool { return gone.Load() && cutOff(w) }})
		p.load("")
		p.until("navigator.serviceWorker.controller !== null")
		p.clean()
		gone.Store(true)
		p.load("")
		require.Equal(t, "The Kafka controller, one step at a time", eval[string](p, "document.querySelector('h1').innerText"))
		p.visit("lessons/10-bounce/")
		p.press("f", false)
		p.until("document.querySelector('.inspector .choices, .inspector .do') !== null") // the core is there too
		p.load("zh/glossary/")
		require.Equal(t, "术语", eval[string](p, "document.querySelector('h1').innerText"))
		p.load("lessons/10-bounce/text/index.html")
		require.Contains(t, eval[string](p, "document.querySelector('h1').innerText"), "10")
	}
}

// TestANewSiteIsTaken deploys another site while a page is open: its pages are shown at once, its files are fetched, and the
// old ones are dropped when no page of the old site is open any more.
func TestANewSiteIsTaken(t *testing.T) {
	var deployed, gone atomic.Bool
	var fetched atomic.Int64
	p := open(t, setting{offline: true, serve: func(w http.ResponseWriter, r *http.Request) bool {
		switch {
		case gone.Load():
			return cutOff(w)
		case deployed.Load() && strings.HasPrefix(r.URL.Path, "/a/"):
			fetched.Add(1)
		case deployed.Load() && r.URL.Path == "/about/":
			w.Header().Set("Content-Type", "text/html")
			w.Write([]byte("<!doctype html><title>new</title><h1>Another about</h1>"))
			return true
		case deployed.Load() && r.URL.Path == "/offline.js":
			w.Header().Set("Content-Type", "text/javascript")
			w.Write([]byte(strings.Replace(file(t, "offline.js"), "version=", "version='x'+", 1)))
			return true
		}
		return false
	}})
	p.load("")
	p.until("navigator.serviceWorker.controller !== null")
	require.Len(t, eval[[]string](p, "caches.keys()"), 1)
	deployed.Store(true)
	p.load("about/")
	require.Equal(t, "Another about", eval[string](p, "document.querySelector('h1').innerText"), "a page is asked for anew")
	eval[int](p, "navigator.serviceWorker.getRegistration().then(r => r.update()).then(() => 1)")
	p.until("navigator.serviceWorker.getRegistration().then(r => r.waiting !== null || r.active?.state === 'activated' && r.installing === null)")
	require.Zero(t, fetched.Load(), "what has not changed is taken over, not fetched again")
	taken := false
	for deadline := time.Now().Add(time.Minute); !taken && time.Now().Before(deadline); { // the browser changes workers while no page is open, in its own time
		p.load("about/") // about:blank in between: no page of the old site is open
		taken = eval[bool](p, "caches.keys().then(k => k.length === 1 && k[0].includes(' x'))")
	}
	require.True(t, taken, "the new site's files replace those of the old one")
	gone.Store(true)
	p.load("about/")
	require.Equal(t, "Another about", eval[string](p, "document.querySelector('h1').innerText"))
}

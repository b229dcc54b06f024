package serve

import (
	"net"
	"net/http/httptest"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
)

var site = fstest.MapFS{
	"index.html":             {Data: []byte("home")},
	"404.html":               {Data: []byte("missing")},
	"lessons/x/index.html":   {Data: []byte("lesson")},
	"a/core-0123456789.wasm": {Data: []byte("plain")}, "a/core-0123456789.wasm.br": {Data: []byte("b")},
}

func get(t *testing.T, url, accepts string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequest("GET", url, nil)
	r.Header.Set("Accept-Encoding", accepts)
	w := httptest.NewRecorder()
	Handler(site).ServeHTTP(w, r)
	return w
}

func TestPagesCarryThePolicy(t *testing.T) {
	w := get(t, "/", "")
	require.Equal(t, 200, w.Code)
	require.Equal(t, "home", w.Body.String())
	require.Equal(t, "text/html; charset=utf-8", w.Header().Get("Content-Type"))
	require.Contains(t, w.Header().Get("Content-Security-Policy"), "require-trusted-types-for 'script'")
	require.Equal(t, "no-cache", w.Header().Get("Cache-Control"))
}

func TestOnlyWhatIsToBeEmbeddedMayBeFramedElsewhere(t *testing.T) {
	for url, ancestors := range map[string]string{"/lessons/x/": "'self'", "/lessons/x/?embed=1": "*", "/lessons/x/?embed=0": "'self'", "/lessons/x/?q=embed=1": "'self'"} {
		require.Equal(t, Policy+"; frame-ancestors "+ancestors, get(t, url, "").Header().Get("Content-Security-Policy"), url)
	}
}

func TestPackedSiblingIsServedWithTheTypeOfTheFile(t *testing.T) {
	w := get(t, "/a/core-0123456789.wasm", "gzip, br")
	require.Equal(t, "b", w.Body.String())
	require.Equal(t, "br", w.Header().Get("Content-Encoding"))
	require.Equal(t, "application/wasm", w.Header().Get("Content-Type"))
	require.Equal(t, "public, max-age=31536000, immutable", w.Header().Get("Cache-Control"))
	require.Equal(t, "plain", get(t, "/a/core-0123456789.wasm", "gzip").Body.String())
}

func TestFoldersNeedTheirSlash(t *testing.T) {
	w := get(t, "/lessons/x", "")
	require.Equal(t, 301, w.Code)
	require.Equal(t, "/lessons/x/", w.Header().Get("Location"))
	require.Equal(t, "lesson", get(t, "/lessons/x/", "").Body.String())
}

func TestWhatIsNotThereOrOutsideIsNotFound(t *testing.T) {
	require.Equal(t, 404, get(t, "/nothing.js", "").Code)
	require.Equal(t, "missing", get(t, "/nothing/", "").Body.String())
	require.Equal(t, "no-cache", get(t, "/a/gone-0123456789.js", "").Header().Get("Cache-Control"))
	require.Equal(t, 200, get(t, "/../../index.html", "").Code, "a path stays below the site")
}

func TestATakenPortIsSaid(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer taken.Close()
	port := taken.Addr().(*net.TCPAddr).Port
	l, note, err := Listen(port, false)
	require.NoError(t, err)
	defer l.Close()
	require.Contains(t, note, "is taken")
	require.NotEqual(t, port, l.Addr().(*net.TCPAddr).Port)
}

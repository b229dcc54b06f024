// Package serve hands out the built site: right MIME types, packed siblings where the browser takes them, the security
// policy as a header, long caching for hashed names.
package serve

import (
	"fmt"
	"io/fs"
	"mime"
	"net"
	"net/http"
	"path"
	"strconv"
	"strings"
)

// Policy is the content security policy of every page; site/build writes it into the pages too, for hosts that send no
// headers. frame-ancestors works as a header only.
const Policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
	"worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types lit-html wk keep"

var types = map[string]string{".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8",
	".json": "application/json", ".wasm": "application/wasm", ".svg": "image/svg+xml"}

// Handler serves the files of site.
func Handler(site fs.FS) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			http.Error(w, "only GET and HEAD are served here", http.StatusMethodNotAllowed)
			return
		}
		name := strings.TrimPrefix(path.Clean("/"+r.URL.Path), "/")
		if info, err := fs.Stat(site, orDot(name)); err == nil && info.IsDir() {
			if !strings.HasSuffix(r.URL.Path, "/") {
				http.Redirect(w, r, path.Base(r.URL.Path)+"/", http.StatusMovedPermanently)
				return
			}
			name = path.Join(name, "index.html")
		}
		serveFile(w, r, site, name)
	})
}

func orDot(name string) string {
	if name == "" {
		return "."
	}
	return name
}

func serveFile(w http.ResponseWriter, r *http.Request, site fs.FS, name string) {
	header := w.Header()
	header.Set("Content-Security-Policy", Policy+"; frame-ancestors "+ancestors(r))
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Referrer-Policy", "no-referrer")
	header.Set("Vary", "Accept-Encoding")
	status := http.StatusOK
	data, encoding, err := read(site, name, r.Header.Get("Accept-Encoding"))
	if err != nil {
		status, name = http.StatusNotFound, "404.html"
		data, encoding, err = read(site, name, r.Header.Get("Accept-Encoding"))
	}
	if err != nil {
		http.Error(w, "there is no page here: "+r.URL.Path, http.StatusNotFound)
		return
	}
	kind := types[path.Ext(name)]
	if kind == "" {
		kind = mime.TypeByExtension(path.Ext(name))
	}
	header.Set("Content-Type", kind)
	if encoding != "" {
		header.Set("Content-Encoding", encoding)
	}
	if path.Dir(name) == "a" {
		header.Set("Cache-Control", "public, max-age=31536000, immutable")
	} else {
		header.Set("Cache-Control", "no-cache")
	}
	header.Set("Content-Length", strconv.Itoa(len(data)))
	w.WriteHeader(status)
	if r.Method == http.MethodGet {
		w.Write(data)
	}
}

// ancestors are the pages that may show this one in a frame: those of the site, and any page for an address with embed=1,
// which shows a stage without accounts, forms or anything else that a click could be stolen for.
func ancestors(r *http.Request) string {
	if r.URL.Query().Get("embed") == "1" {
		return "*"
	}
	return "'self'"
}

// read takes the packed sibling that the browser accepts, else the file itself.
func read(site fs.FS, name, accepts string) (data []byte, encoding string, err error) {
	for _, packed := range []struct{ name, ext string }{{"br", ".br"}, {"gzip", ".gz"}} {
		if strings.Contains(accepts, packed.name) {
			if data, err := fs.ReadFile(site, name+packed.ext); err == nil {
				return data, packed.name, nil
			}
		}
	}
	data, err = fs.ReadFile(site, name)
	return data, "", err
}

// Listen takes the port on this machine, or on every address of it for a local network, or another free port when it is
// taken; note says so then.
func Listen(port int, lan bool) (l net.Listener, note string, err error) {
	host := "127.0.0.1"
	if lan {
		host = ""
	}
	l, err = net.Listen("tcp", net.JoinHostPort(host, strconv.Itoa(port)))
	if err == nil {
		return l, "", nil
	}
	l, other := net.Listen("tcp", net.JoinHostPort(host, "0"))
	if other != nil {
		return nil, "", err
	}
	return l, fmt.Sprintf("port %d is taken; serving on another one", port), nil
}

// Addresses are what to open in a browser: this machine, and what the local network calls it.
func Addresses(l net.Listener, lan bool) []string {
	_, port, _ := net.SplitHostPort(l.Addr().String())
	out := []string{"http://" + net.JoinHostPort("127.0.0.1", port) + "/"}
	if !lan {
		return out
	}
	own, _ := net.InterfaceAddrs() // unknown addresses are only not named
	for _, a := range own {
		if ip, ok := a.(*net.IPNet); ok && ip.IP.To4() != nil && !ip.IP.IsLoopback() {
			out = append(out, "http://"+net.JoinHostPort(ip.IP.String(), port)+"/")
		}
	}
	return out
}

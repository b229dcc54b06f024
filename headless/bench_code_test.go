package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestCodeOfPages has a lesson whose script loads a part later, and that part another style sheet; a page of prose with neither;
// and a service worker whose list names them all.
func TestCodeOfPages(t *testing.T) {
	dist := t.TempDir()
	sizes := map[string]int{}
	for name, text := range map[string]string{
		"index.html":                     `<link href="a/site-A.css">`,
		"lessons/one/index.html":         `<link href="../../a/site-A.css"><script src="../../a/app-B.js">`,
		"zh/lessons/one/text/index.html": `<link href="../../../../a/site-A.css">`,
		"a/site-A.css":                   "a { color: red }",
		"a/app-B.js":                     `register("offline.js"); import("./part-C.js")`,
		"a/part-C.js":                    `import "./app-B.js"; sheet("later-D.css")`,
		"a/later-D.css":                  "b { color: blue }",
		"a/other-E.js":                   "nobody's",
		"offline.js":                     `fetch("offline.json")`,
		"offline.json":                   `["a/other-E.js"]`,
	} {
		file := filepath.Join(dist, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
		sizes[filepath.Base(name)] = gzipped([]byte(text))
	}
	var lines []measured
	require.NoError(t, benchCode(dist, func(m measured) { lines = append(lines, m) }))
	lesson := sizes["site-A.css"] + sizes["app-B.js"] + sizes["part-C.js"] + sizes["later-D.css"] + sizes["offline.js"]
	require.Equal(t, []measured{
		{"scripts and style sheets of lessons, gzip", float64(lesson), "bytes", "at most", 90_000, false},
		{"scripts and style sheets of home, gzip", float64(sizes["site-A.css"]), "bytes", "at most", 90_000, false},
		{"scripts and style sheets of all pages, gzip", float64(lesson + sizes["other-E.js"]), "bytes", "", 0, false},
	}, lines)
}

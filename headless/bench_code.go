package main

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// pageCode is how many bytes, each file packed with gzip, the scripts and style sheets may have that a page can ever load.
const pageCode = 90_000

// codeName is how pages and scripts name other scripts and style sheets.
var codeName = regexp.MustCompile(`[\w-]+\.(?:js|css)`)

// codeFile is a script or style sheet of the site.
type codeFile struct {
	bytes int      // packed
	names []string // what it names
}

// benchCode tells of each kind of page what all scripts and style sheets come to that it can load, those included that come
// only when they are asked for, its worker and the service worker; then what those of the whole site come to.
func benchCode(dist string, tell func(measured)) error {
	files, err := codeFiles(dist)
	if err != nil {
		return err
	}
	kinds := map[string]int{}
	err = filepath.WalkDir(dist, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.Name() != "index.html" {
			return err
		}
		page, err := os.ReadFile(file)
		if n := reached(files, codeName.FindAllString(string(page), -1)); n > 0 { // short addresses have none
			kind := kindOf(dist, file)
			kinds[kind] = max(kinds[kind], n)
		}
		return err
	})
	for _, kind := range slices.SortedFunc(maps.Keys(kinds), func(a, b string) int { return cmp.Or(kinds[b]-kinds[a], cmp.Compare(a, b)) }) {
		tell(measured{"scripts and style sheets of " + kind + ", gzip", float64(kinds[kind]), "bytes", "at most", pageCode, false})
	}
	all := 0
	for _, f := range files {
		all += f.bytes
	}
	tell(measured{"scripts and style sheets of all pages, gzip", float64(all), "bytes", "", 0, false})
	return err
}

// codeFiles reads all scripts and style sheets, by name.
func codeFiles(dist string) (map[string]codeFile, error) {
	files := map[string]codeFile{}
	err := filepath.WalkDir(dist, func(file string, d fs.DirEntry, err error) error {
		ext := filepath.Ext(file)
		if err != nil || (ext != ".js" && ext != ".css") {
			return err
		}
		data, err := os.ReadFile(file)
		files[d.Name()] = codeFile{gzipped(data), codeName.FindAllString(string(data), -1)}
		return err
	})
	return files, err
}

// reached is the size of what some names lead to.
func reached(files map[string]codeFile, names []string) int {
	sum, seen := 0, map[string]bool{}
	for len(names) > 0 {
		name := names[0]
		names = names[1:]
		if f, ok := files[name]; ok && !seen[name] {
			seen[name] = true
			sum += f.bytes
			names = append(names, f.names...)
		}
	}
	return sum
}

// kindOf is the folder below the root of its language that a page stands in.
func kindOf(dist, page string) string {
	path, _ := filepath.Rel(dist, page) // below it
	kind, rest, _ := strings.Cut(strings.TrimPrefix(filepath.ToSlash(path), "zh/"), "/")
	if rest == "" {
		return "home"
	}
	return kind
}

func gzipped(data []byte) int {
	var b bytes.Buffer
	w, _ := gzip.NewWriterLevel(&b, gzip.BestCompression)
	_, _ = w.Write(data) // into memory
	_ = w.Close()
	return b.Len()
}

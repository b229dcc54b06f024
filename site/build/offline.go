package main

import (
	"crypto/sha256"
	"encoding/hex"
	"path"
	"regexp"
	"slices"
	"strings"
)

// shortAddress finds the pages that only lead to others.
var shortAddress = regexp.MustCompile(`^(?:\w+/)?l/`)

// offline writes the service worker, and the list of all files so far that it keeps, short addresses apart. Pages stand in it by
// the address of their folder.
func (s *siteFolder) offline(worker []byte) {
	var files []string
	for _, f := range s.files {
		if shortAddress.MatchString(f) {
			continue
		}
		if path.Base(f) == "index.html" {
			f = "./" + strings.TrimSuffix(f, "index.html")
		}
		files = append(files, f)
	}
	slices.Sort(files)
	version := s.version()
	s.write("offline.json", toJSON(files))
	s.write("offline.js", append([]byte("const version="+string(toJSON(version))+";\n"), worker...))
}

// version names what the site's files hold: another one means that something changed.
func (s *siteFolder) version() string {
	sum := sha256.New()
	for _, name := range slices.Sorted(slices.Values(s.files)) {
		sum.Write([]byte(name + "\n"))
		sum.Write(s.sums[name])
	}
	return hex.EncodeToString(sum.Sum(nil)[:5])
}

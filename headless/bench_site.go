package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"time"

	"controllerscope/lessons"
	page "controllerscope/site/measure"
	"controllerscope/site/serve"
)

// firstLoad is how many bytes, packed, a lesson's page may need before it shows its first step.
const firstLoad = 60_000

// needed finds what a page asks for at once: style sheet, scripts, recording, words.
var needed = regexp.MustCompile(`(?:href|src)="((?:\.\./)+a/[^"]+\.(?:js|css|json))"`)

// benchSite builds the site and adds up what each lesson's page loads first.
func benchSite(tell func(measured)) error {
	if _, err := os.Stat(filepath.Join("site", "node_modules", "lit-html")); err != nil {
		return errors.New("site/node_modules is missing; run: make setup")
	}
	folder, err := os.MkdirTemp("", "controllerscope-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	ctx, cancel := context.WithTimeout(context.Background(), 15*time.Minute)
	defer cancel()
	dist := filepath.Join(folder, "dist")
	if out, err := exec.CommandContext(ctx, "go", "run", "./site/build", "-fast", "-out", dist).CombinedOutput(); err != nil {
		return fmt.Errorf("go run ./site/build: %w\n%s", err, out)
	}
	known := map[string]int{} // packed sizes by file: most pages have the same files
	for _, name := range lessons.Names() {
		bytes, err := firstBytes(filepath.Join(dist, "lessons", name), known)
		if err != nil {
			return err
		}
		tell(measured{"first load of " + name + ", brotli", float64(bytes), "bytes", "at most", firstLoad, false})
	}
	if err := benchLargest(dist, known, tell); err != nil {
		return err
	}
	if err := benchCode(dist, tell); err != nil {
		return err
	}
	if err := benchPage(ctx, dist, tell); err != nil {
		return err
	}
	return benchLarge(ctx, dist, tell)
}

// benchLargest tells the largest first load of all pages, in both languages.
func benchLargest(dist string, known map[string]int, tell func(measured)) error {
	most := 0
	err := filepath.WalkDir(dist, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.Name() != "index.html" {
			return err
		}
		bytes, err := firstBytes(filepath.Dir(file), known)
		most = max(most, bytes)
		return err
	})
	tell(measured{"first load, the largest of all pages, brotli", float64(most), "bytes", "at most", firstLoad, false})
	return err
}

// timed are the lessons whose first step is timed: the heaviest, with which the other times are taken too, and the first
// that was made.
var timed = []string{"10-bounce", "03-election"}

// benchPage takes times in Chromium.
func benchPage(ctx context.Context, dist string, tell func(measured)) error {
	for _, name := range timed {
		if err := packFirst(filepath.Join(dist, "lessons", name)); err != nil {
			return err
		}
	}
	l, err := lessons.Embedded(timed[0])
	if err != nil {
		return err
	}
	times, err := page.Take(ctx, dist, timed, l.Inputs(l.Runs[0]))
	if err != nil {
		return err
	}
	for _, name := range timed {
		tell(measured{"first step of " + name + ", 9 Mbit/s, CPU/4, cold", math.Round(page.Middle(times.FirstStep[name])), "ms", "at most", 1000, true})
	}
	tell(measured{"what if: an action answered, median", page.Middle(times.Acts), "ms", "at most", 50, true})
	tell(measured{"what if: an action answered, fastest", slices.Min(times.Acts), "ms", "", 0, false})
	tell(measured{"tasks over 50 ms while playing", float64(len(times.Tasks)), "tasks", "exactly", 0, true})
	if len(times.Tasks) > 0 {
		tell(measured{"the longest of them", slices.Max(times.Tasks), "ms", "", 0, false})
	}
	return nil
}

// packFirst writes .br beside what a page asks for in its head, as a release has it.
func packFirst(folder string) error {
	files, err := firstFiles(folder)
	for _, file := range files {
		var data []byte
		if data, err = os.ReadFile(file); err == nil {
			err = os.WriteFile(file+".br", serve.Pack(data), 0o644)
		}
		if err != nil {
			break
		}
	}
	return err
}

// firstFiles are a page and all it asks for in its head.
func firstFiles(folder string) ([]string, error) {
	files := []string{filepath.Join(folder, "index.html")}
	page, err := os.ReadFile(files[0])
	for _, m := range needed.FindAllSubmatch(page, -1) {
		files = append(files, filepath.Join(folder, filepath.FromSlash(string(m[1]))))
	}
	return files, err
}

// firstBytes is the packed size of a page and of all it asks for in its head.
func firstBytes(folder string, known map[string]int) (int, error) {
	files, err := firstFiles(folder)
	sum := 0
	for _, file := range files {
		if _, ok := known[file]; !ok {
			data, err := os.ReadFile(file)
			if err != nil {
				return 0, err
			}
			known[file] = packed(data)
		}
		sum += known[file]
	}
	return sum, err
}

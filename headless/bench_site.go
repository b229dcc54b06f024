package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"time"

	"controllerscope/lessons"
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
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	dist := filepath.Join(folder, "dist")
	if out, err := exec.CommandContext(ctx, "go", "run", "./site/build", "-fast", "-out", dist).CombinedOutput(); err != nil {
		return fmt.Errorf("go run ./site/build: %w\n%s", err, out)
	}
	for _, name := range lessons.Names() {
		bytes, err := firstBytes(filepath.Join(dist, "lessons", name))
		if err != nil {
			return err
		}
		tell(measured{"first load of " + name + ", brotli", float64(bytes), "bytes", "at most", firstLoad, false})
	}
	return nil
}

// firstBytes is the packed size of a page and of all it asks for in its head.
func firstBytes(folder string) (int, error) {
	page, err := os.ReadFile(filepath.Join(folder, "index.html"))
	if err != nil {
		return 0, err
	}
	sum := packed(page)
	for _, m := range needed.FindAllSubmatch(page, -1) {
		data, err := os.ReadFile(filepath.Join(folder, filepath.FromSlash(string(m[1]))))
		if err != nil {
			return 0, err
		}
		sum += packed(data)
	}
	return sum, nil
}

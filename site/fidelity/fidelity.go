// Package fidelity carries what the conformance tests found to the site's page about it: the tests write what was replayed
// with which result, site/build reads it. Nothing in it is ever typed by hand; without a test run the page says so.
package fidelity

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
)

// Folder is where results stand, below the repository's root.
const Folder = "out/fidelity"

// Result is what one test replayed.
type Result struct {
	Against string // what the recordings were made of: "Kafka 2.8.2", "ZooKeeper"
	Played  string // what replayed them
	Core    string // version of the core
	Rows    []Row
}

// Row is one recording.
type Row struct {
	Name           string
	Steps          int // in the recording
	Played         int // until the replay ends, when it cannot bring about a step yet
	Passed, Failed int
}

// Write writes a test's result; root leads to the repository's root.
func Write(root, name string, r Result) error {
	folder := filepath.Join(root, filepath.FromSlash(Folder))
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	text, err := json.MarshalIndent(r, "", " ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, name+".json"), append(text, '\n'), 0o644)
}

// Read reads all results, by name; none is no error.
func Read(root string) ([]Result, error) {
	files, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(Folder), "*.json"))
	if err != nil {
		return nil, err
	}
	var out []Result
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			return nil, err
		}
		var r Result
		if err := json.Unmarshal(data, &r); err != nil {
			return nil, fmt.Errorf("%s: %w; delete it and run the tests again", f, err)
		}
		out = append(out, r)
	}
	return out, nil
}

package main

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// assets are the names of what pages refer to, relative to the site's root.
type assets struct {
	App, Style, Worker, Wasm string
	words                    map[string]string // by language
}

// bundle makes the scripts and the style sheet.
func bundle(site string, s *siteFolder) (*assets, error) {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, fmt.Errorf("go env GOROOT: %w", err)
	}
	root, err := filepath.Abs(site)
	if err != nil {
		return nil, err
	}
	result := api.Build(api.BuildOptions{
		EntryPoints:       []string{"src/app.ts", "src/worker.ts", "css/site.css"},
		AbsWorkingDir:     root,
		Outdir:            filepath.Join(root, "dist", "a"),
		EntryNames:        "[name]-[hash]",
		Bundle:            true,
		Format:            api.FormatESModule,
		Target:            api.ES2022,
		Conditions:        []string{"production"},
		MinifyWhitespace:  true,
		MinifyIdentifiers: true,
		MinifySyntax:      true,
		Charset:           api.CharsetUTF8,
		LegalComments:     api.LegalCommentsNone,
		Alias:             map[string]string{"wasm_exec": filepath.Join(strings.TrimSpace(string(out)), "lib", "wasm", "wasm_exec.js")},
	})
	if len(result.Errors) > 0 {
		text := api.FormatMessages(result.Errors, api.FormatMessagesOptions{Kind: api.ErrorMessage})
		return nil, fmt.Errorf("esbuild: %s", strings.Join(text, ""))
	}
	a := &assets{words: map[string]string{}}
	for _, f := range result.OutputFiles {
		name := "a/" + filepath.Base(f.Path)
		s.write(name, f.Contents)
		switch base := filepath.Base(f.Path); {
		case strings.HasPrefix(base, "app-"):
			a.App = name
		case strings.HasPrefix(base, "worker-"):
			a.Worker = name
		case strings.HasPrefix(base, "site-"):
			a.Style = name
		}
	}
	return a, s.err
}

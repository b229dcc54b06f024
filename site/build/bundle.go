package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// assets are the names of what pages refer to, relative to the site's root.
type assets struct {
	App, Style, Worker, Wasm string
	Later                    string   // the style sheet of what comes behind the first picture
	Pages                    string   // the style sheet of the pages beside the stage
	Parts                    []string // what App imports at once
	offline                  []byte   // the service worker, without its list of files
	scripts                  map[string]pageScript
	words, messages          map[string]string // by language
	first, later             map[string]string // words, by language: those of a lesson's first picture, and the others
	cards                    map[string]string // by language
}

// pageScript is the script of a page, by the name of its source in src/pages.
type pageScript struct {
	File  string
	Style string   // its own style sheet, "" when it imports none
	Parts []string // what it imports at once
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
	own, err := filepath.Glob(filepath.Join(root, "src", "pages", "*.ts"))
	if err != nil {
		return nil, err
	}
	plain := []string{"src/worker.ts", "src/offline.ts", "css/site.css", "css/later.css", "css/pages.css"}
	staged := []string{"src/app.ts"}
	for _, file := range own {
		if hasStage(strings.TrimSuffix(filepath.Base(file), ".ts")) {
			staged = append(staged, file)
		} else {
			plain = append(plain, file)
		}
	}
	options := bundling(root, filepath.Join(strings.TrimSpace(string(out)), "lib", "wasm", "wasm_exec.js"))
	a := &assets{scripts: map[string]pageScript{}, words: map[string]string{}, messages: map[string]string{}, first: map[string]string{}, later: map[string]string{}, cards: map[string]string{}}
	options.EntryPoints = plain
	if err := a.add(s, options); err != nil {
		return nil, err
	}
	// What every stage needs is one file: packed, many small ones are a tenth larger. Pages and later parts all import
	// src/eager.ts, so that no two of them have different parts of it.
	options.EntryPoints, options.Inject = staged, []string{"src/eager.ts"}
	if err := a.add(s, options); err != nil {
		return nil, err
	}
	return a, s.err
}

// hasStage tells whether a page is drawn by its script.
func hasStage(name string) bool {
	return slices.ContainsFunc(sitePages, func(p sitePage) bool { return p.Name == name && p.App })
}

// bundling is what all scripts and style sheets are made with.
func bundling(root, wasmExec string) api.BuildOptions {
	return api.BuildOptions{
		AbsWorkingDir:     root,
		Outdir:            filepath.Join(root, "dist", "a"),
		EntryNames:        "[name]-[hash]",
		ChunkNames:        "part-[hash]",
		Splitting:         true,
		Metafile:          true,
		Bundle:            true,
		Format:            api.FormatESModule,
		Target:            api.ES2022,
		Conditions:        []string{"production"},
		MinifyWhitespace:  true,
		MinifyIdentifiers: true,
		MinifySyntax:      true,
		Charset:           api.CharsetUTF8,
		LegalComments:     api.LegalCommentsNone,
		Alias:             map[string]string{"wasm_exec": wasmExec},
		Plugins:           []api.Plugin{{Name: "flush", Setup: flush}},
	}
}

var indented = regexp.MustCompile(`\n[ \t]+`)

// flush takes the indentation off every line of our scripts. In templates of markup, the only texts of several lines that they
// have, esbuild keeps it, and it means as little there as elsewhere.
func flush(b api.PluginBuild) {
	b.OnLoad(api.OnLoadOptions{Filter: `\.ts$`}, func(a api.OnLoadArgs) (api.OnLoadResult, error) {
		text, err := os.ReadFile(a.Path)
		script := indented.ReplaceAllString(string(text), "\n")
		return api.OnLoadResult{Contents: &script, Loader: api.LoaderTS}, err
	})
}

// add bundles some entry points and writes what comes of them.
func (a *assets) add(s *siteFolder, o api.BuildOptions) error {
	result := api.Build(o)
	if len(result.Errors) > 0 {
		text := api.FormatMessages(result.Errors, api.FormatMessagesOptions{Kind: api.ErrorMessage})
		return fmt.Errorf("esbuild: %s", strings.Join(text, ""))
	}
	for _, f := range result.OutputFiles {
		name := "a/" + filepath.Base(f.Path)
		if strings.HasPrefix(filepath.Base(f.Path), "offline-") {
			a.offline = f.Contents
			continue
		}
		s.write(name, f.Contents)
		switch base := filepath.Base(f.Path); {
		case strings.HasPrefix(base, "app-"):
			a.App = name
		case strings.HasPrefix(base, "later-"):
			a.Later = name
		case strings.HasPrefix(base, "worker-"):
			a.Worker = name
		case strings.HasPrefix(base, "site-"):
			a.Style = name
		case strings.HasPrefix(base, "pages-"):
			a.Pages = name
		}
	}
	var err error
	if a.Parts, err = parts(result.Metafile, a.App); err != nil {
		return err
	}
	return a.pageScripts(result.Metafile)
}

// pageScripts finds what became of src/pages/NAME.ts.
func (a *assets) pageScripts(metafile string) error {
	var meta struct {
		Outputs map[string]struct{ EntryPoint, CSSBundle string }
	}
	if err := json.Unmarshal([]byte(metafile), &meta); err != nil {
		return fmt.Errorf("esbuild's metafile: %w", err)
	}
	for output, o := range meta.Outputs {
		if path.Base(path.Dir(o.EntryPoint)) != "pages" || path.Ext(output) != ".js" {
			continue
		}
		style := ""
		if o.CSSBundle != "" {
			style = "a/" + path.Base(o.CSSBundle)
		}
		imports, err := parts(metafile, output)
		if err != nil {
			return err
		}
		a.scripts[strings.TrimSuffix(path.Base(o.EntryPoint), ".ts")] = pageScript{"a/" + path.Base(output), style, imports}
	}
	return nil
}

// parts lists what the page's script imports as it starts, so that the page can ask for all of it at once.
func parts(metafile, app string) ([]string, error) {
	var meta struct {
		Outputs map[string]struct {
			Imports []struct{ Path, Kind string }
		}
	}
	if err := json.Unmarshal([]byte(metafile), &meta); err != nil {
		return nil, fmt.Errorf("esbuild's metafile: %w", err)
	}
	seen := map[string]bool{}
	var list []string
	var follow func(name string)
	follow = func(name string) {
		for _, i := range meta.Outputs[name].Imports {
			if i.Kind == "import-statement" && !seen[i.Path] {
				seen[i.Path] = true
				list = append(list, "a/"+path.Base(i.Path))
				follow(i.Path)
			}
		}
	}
	for name := range meta.Outputs {
		if path.Base(name) == path.Base(app) {
			follow(name)
		}
	}
	return list, nil
}

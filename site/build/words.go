package main

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"html/template"
	"os"
	"path/filepath"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"

	"controllerscope/core/kafka"
	"controllerscope/core/lesson"
)

//go:embed templates/*.html
var templateFiles embed.FS

var templates = template.Must(template.New("").Funcs(template.FuncMap{
	"md":   markdown,
	"json": func(v any) string { return string(toJSON(v)) },
	"icon": func(name string) template.HTML { return icons[name] },
	"dict": dict,
	"add":  func(a, b int) int { return a + b },
}).ParseFS(templateFiles, "templates/*.html"))

// dict gives a template more than one value: names and values in turn.
func dict(pairs ...any) map[string]any {
	out := map[string]any{}
	for i := 0; i+1 < len(pairs); i += 2 {
		out[pairs[i].(string)] = pairs[i+1]
	}
	return out
}

// readWords reads the words of one kind in all languages: text/KIND.LANG.json, for those of the stage text/LANG.json.
func readWords(site, kind string) (map[string]map[string]string, error) {
	all := map[string]map[string]string{}
	for _, lang := range lesson.Languages() {
		file := filepath.Join(site, "text", kind+lang+".json")
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		words := map[string]string{}
		if err := json.Unmarshal(data, &words); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		all[lang] = words
	}
	return all, sameKeys(kind, all)
}

// sameKeys fails when a language lacks a word that another has.
func sameKeys(kind string, words map[string]map[string]string) error {
	for _, lang := range kafka.SortedKeys(words) {
		for _, other := range kafka.SortedKeys(words) {
			for _, key := range kafka.SortedKeys(words[other]) {
				if _, ok := words[lang][key]; !ok {
					return fmt.Errorf("site/text/%s%s.json: %q is missing; %s%s.json has it", kind, lang, key, kind, other)
				}
			}
		}
	}
	return nil
}

var prose = goldmark.New(goldmark.WithExtensions(extension.Table), goldmark.WithParserOptions(parser.WithAutoHeadingID()))

// markdown renders prose.
func markdown(text string) (template.HTML, error) {
	var b bytes.Buffer
	err := prose.Convert([]byte(text), &b)
	return template.HTML(b.String()), err
}

// icons are the inline pictures of the pages; what they mean stands beside them as text.
var icons = map[string]template.HTML{
	"logo":    `<svg class="i" viewBox="0 0 16 16" aria-hidden="true"><circle cx="8" cy="8" r="6.8" fill="none" stroke="currentColor" stroke-width="1.4"/><path d="M1.5 8h13" stroke="currentColor" stroke-width="1.4"/><circle cx="8" cy="8" r="2.6" fill="var(--now)"/></svg>`,
	"menu":    `<svg class="i" viewBox="0 0 16 16" aria-hidden="true"><path d="M2 4h12M2 8h12M2 12h12" stroke="currentColor" stroke-width="1.6"/></svg>`,
	"theme":   `<svg class="i" viewBox="0 0 16 16" aria-hidden="true"><circle cx="8" cy="8" r="6" fill="none" stroke="currentColor" stroke-width="1.5"/><path d="M8 2a6 6 0 0 1 0 12z" fill="currentColor"/></svg>`,
	"play":    `<svg class="i on" viewBox="0 0 16 16" aria-hidden="true"><path d="M4 2.4v11.2L13 8z" fill="currentColor"/></svg><svg class="i off" viewBox="0 0 16 16" aria-hidden="true"><path d="M4 2.5h3v11H4zM9 2.5h3v11H9z" fill="currentColor"/></svg>`,
	"star":    `<svg class="i" viewBox="0 0 16 16" aria-hidden="true"><path d="m8 1 2.1 4.6 5 .6-3.7 3.4 1 5L8 12.1 3.6 14.6l1-5L.9 6.2l5-.6z" fill="currentColor"/></svg>`,
	"check":   `<svg class="i" viewBox="0 0 16 16" aria-hidden="true"><path d="m3 8.5 3.5 3.5L13 4.5" fill="none" stroke="currentColor" stroke-width="2.2"/></svg>`,
	"cross":   `<svg class="i" viewBox="0 0 16 16" aria-hidden="true"><path d="m4 4 8 8M12 4l-8 8" fill="none" stroke="currentColor" stroke-width="2.2"/></svg>`,
	"next":    `<svg class="i" viewBox="0 0 16 16" aria-hidden="true"><path d="m6 3 5 5-5 5" fill="none" stroke="currentColor" stroke-width="1.8"/></svg>`,
	"ask":     `<svg class="i" viewBox="0 0 16 16" aria-hidden="true"><path d="m8 1.5 6.5 6.5L8 14.5 1.5 8z" fill="currentColor"/></svg>`,
	"open":    `<svg class="i" viewBox="0 0 16 16" aria-hidden="true"><circle cx="8" cy="8" r="5.6" fill="none" stroke="currentColor" stroke-width="1.6"/></svg>`,
	"half":    `<svg class="i" viewBox="0 0 16 16" aria-hidden="true"><circle cx="8" cy="8" r="5.6" fill="none" stroke="currentColor" stroke-width="1.6"/><path d="M8 2.4a5.6 5.6 0 0 0 0 11.2z" fill="currentColor"/></svg>`,
	"learn":   `<svg viewBox="0 0 120 16" aria-hidden="true"><g fill="currentColor"><circle cx="6" cy="8" r="3"/><circle cx="16" cy="8" r="3"/><circle cx="26" cy="8" r="3"/><circle cx="36" cy="8" r="3"/><circle cx="46" cy="8" r="3"/><circle cx="56" cy="8" r="3"/></g><circle cx="68" cy="8" r="5" fill="var(--accent)"/><g fill="var(--hair)"><circle cx="80" cy="8" r="3"/><circle cx="90" cy="8" r="3"/><circle cx="100" cy="8" r="3"/><circle cx="110" cy="8" r="3"/></g></svg>`,
	"breakit": `<svg viewBox="0 0 120 24" aria-hidden="true"><path d="M2 14h40M42 14c10 0 10-9 24-9h52M42 14c10 0 10 6 24 6h52" fill="none" stroke="currentColor" stroke-width="2"/><circle cx="42" cy="14" r="5" fill="var(--now)"/></svg>`,
	"teach":   `<svg viewBox="0 0 120 16" aria-hidden="true"><g fill="var(--hair)"><rect x="0" y="2" width="26" height="12" rx="2"/><rect x="68" y="2" width="22" height="12" rx="2"/><rect x="92" y="2" width="28" height="12" rx="2"/></g><rect x="28" y="2" width="38" height="12" rx="2" fill="var(--accent)"/></svg>`,
}

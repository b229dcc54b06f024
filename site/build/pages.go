// How a page is made. A page is one line in sitePages plus files named after it:
//
//	templates/NAME.html            its main part as a template; {{.W.KEY}} is a word, {{.Fill}} what its Fill function returned
//	text/pages/NAME.en.md, .zh.md  its prose; a page without a template of its own is this text
//	src/pages/NAME.ts              its script, when it needs one; others have that of page.ts (theme, offline). It may import
//	                               a style sheet of its own: import '../../css/NAME.css'
//
// Its words stand in text/pages.en.json and pages.zh.json: nav.NAME in the top bar, title.NAME, about.NAME (the description).
// A page with App is drawn by its script into #app, which carries the same data as a lesson's: data-words, data-messages,
// data-worker, data-wasm, data-home, data-other, data-nav, and data-fill with what Fill returned as JSON; its prose is for
// browsers without scripts. Every page exists in English at PATH and in Chinese at zh/PATH.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"

	"controllerscope/core/lesson"
	"controllerscope/lessons"
	"controllerscope/site/serve"
)

// sitePage is one page in every language.
type sitePage struct {
	Path string // below the language's root, with a slash at its end; "" is the home page
	Name string
	Nav  bool // stands in the top bar
	App  bool
	Fill func(b *builder, lang string) (any, error) // nil when the page needs nothing
}

// sitePages are the pages beside the lessons, in the order of the top bar.
var sitePages = []sitePage{
	{Path: "", Name: "home", Fill: fillHome},
	{Path: "lessons/", Name: "lessons", Nav: true, Fill: fillMap},
	{Path: "sandbox/", Name: "sandbox", Nav: true, App: true, Fill: fillSandbox},
	{Path: "exercises/", Name: "exercises", Nav: true, App: true, Fill: fillExercises},
	{Path: "trace/", Name: "trace", Nav: true, App: true, Fill: fillTrace},
	{Path: "articles/", Name: "articles", Nav: true, Fill: fillArticles},
	{Path: "glossary/", Name: "glossary", Nav: true, Fill: fillGlossary},
	{Path: "teach/", Name: "teach", Nav: true, Fill: fillTeach},
	{Path: "teach/notes/", Name: "notes", Fill: fillNotes},
	{Path: "fidelity/", Name: "fidelity", Nav: true, Fill: fillFidelity},
	{Path: "about/", Name: "about", Nav: true},
}

// page is what the templates are filled with. Up leads to the site's root and Home to that of the language, so that the
// site works below any path.
type page struct {
	Lang, Up, Home, OtherPage, Policy string
	Name, Title, Description          string
	W                                 map[string]string // words
	Nav                               []navItem
	*assets
	Sheet                   string // style sheet
	WordsFile, MessagesFile string
	Cards                   string // what the cards of the stage say
	LaterWords              string // of a lesson, whose WordsFile has those of the first picture only
	Script                  pageScript
	Prose                   template.HTML
	Terms                   *prosePage // renders prose with links to the glossary
	Fill                    any
}

// navItem is a link of the top bar; Path is relative to the root of the language.
type navItem struct {
	Name, Path, Text string
}

// builder is what pages are made from.
type builder struct {
	*siteFolder
	assets  *assets
	site    string // the folder of the sources
	lessons []*recorded
	words   map[string]map[string]string // by language
	said    map[string]*said             // by language
	sources *sources
}

// pages writes every page in every language.
func pages(s *siteFolder, a *assets, o options) error {
	site, err := filepath.Abs(o.site)
	if err != nil {
		return err
	}
	b := &builder{siteFolder: s, assets: a, site: o.site, said: map[string]*said{}, sources: &sources{filepath.Dir(site), map[string]map[string]goFunction{}}}
	if b.lessons, err = readLessons(s); err != nil {
		return err
	}
	first, err := readWords(o.site, "")
	if err != nil {
		return err
	}
	later, err := readWords(o.site, "later.")
	if err != nil {
		return err
	}
	if b.words, err = readWords(o.site, "pages."); err != nil {
		return err
	}
	for _, lang := range lesson.Languages() {
		sentences, err := lessons.Sentences(lang)
		if err != nil {
			return err
		}
		a.first[lang] = s.hashed("words-first-"+lang+".json", toJSON(first[lang]))
		a.later[lang] = s.hashed("words-later-"+lang+".json", toJSON(later[lang]))
		cards, err := cardsIn(o.site, lang)
		if err != nil {
			return err
		}
		b.said[lang] = newSaid(cards.Terms)
		a.cards[lang] = s.hashed("cards-"+lang+".json", toJSON(cards))
		maps.Copy(later[lang], first[lang])
		a.words[lang] = s.hashed("words-"+lang+".json", toJSON(later[lang]))
		a.messages[lang] = s.hashed("messages-"+lang+".json", toJSON(sentences))
		for _, p := range sitePages {
			if err := b.sitePage(p, lang); err != nil {
				return fmt.Errorf("page %s in %s: %w", p.Name, lang, err)
			}
		}
		for _, l := range b.lessons {
			if err := b.lessonPage(l, lang, sentences); err != nil {
				return err
			}
		}
	}
	return b.missing(o.base)
}

// missing writes the page for wrong addresses, which hosts show below any path: its own links begin at the host's root.
func (b *builder) missing(base string) error {
	p := b.page("", "en")
	p.Name, p.Title, p.Up, p.Home, p.OtherPage = "missing", p.W["missing"]+" · "+p.W["app"], base, base, base+"zh/"
	p.Fill = b.words
	var out bytes.Buffer
	if err := templates.ExecuteTemplate(&out, "missing", p); err != nil {
		return err
	}
	b.write("404.html", out.Bytes())
	return b.err
}

// page begins a page at a path below the root of its language.
func (b *builder) page(path, lang string) page {
	root, other := "", "zh/"
	if lang != "en" {
		root, other = lang+"/", ""
	}
	depth := strings.Count(path, "/")
	p := page{Lang: lang, Up: strings.Repeat("../", depth+strings.Count(root, "/")), Home: strings.Repeat("../", depth), Policy: serve.Policy,
		W: b.words[lang], assets: b.assets, Sheet: b.assets.Pages, WordsFile: b.assets.words[lang], MessagesFile: b.assets.messages[lang], Cards: b.assets.cards[lang], Script: b.assets.scripts["page"]}
	p.OtherPage = p.Up + other + path
	if p.Home == "" {
		p.Home = "./"
	}
	p.Terms = &prosePage{b.said[lang], p.Home, map[string]bool{}}
	for _, s := range sitePages {
		if s.Nav && b.exists(s) {
			p.Nav = append(p.Nav, navItem{s.Name, s.Path, p.W["nav."+s.Name]})
		}
	}
	return p
}

// exists tells whether a page that its script draws has that script.
func (b *builder) exists(p sitePage) bool {
	_, ok := b.assets.scripts[p.Name]
	return ok || !p.App
}

func (b *builder) sitePage(s sitePage, lang string) error {
	if !b.exists(s) {
		return nil
	}
	p := b.page(s.Path, lang)
	p.Name, p.Title, p.Description = s.Name, p.W["title."+s.Name]+" · "+p.W["app"], p.W["about."+s.Name]
	if s.Path == "" {
		p.Title = p.W["app"] + " · " + p.W["title.home"]
	}
	if own, ok := b.assets.scripts[s.Name]; ok {
		p.Script = own
	}
	if s.App {
		p.Sheet = b.assets.Style
	}
	var err error
	if p.Prose, err = b.prose(s.Name, lang, p.Terms); err != nil {
		return err
	}
	if s.Fill != nil {
		if p.Fill, err = s.Fill(b, lang); err != nil {
			return err
		}
	}
	kind := s.Name
	switch {
	case s.App:
		kind = "app"
	case templates.Lookup(s.Name) == nil:
		kind = "prose"
	}
	return b.writePage(s.Path, kind, p)
}

// prose reads the text of a page, "" when it has none.
func (b *builder) prose(name, lang string, terms *prosePage) (template.HTML, error) {
	text, err := os.ReadFile(filepath.Join(b.site, "text", "pages", name+"."+lang+".md"))
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	return terms.Markdown(string(text))
}

// writePage writes a page at a path below the root of its language.
func (b *builder) writePage(path, kind string, p page) error {
	var out bytes.Buffer
	if err := templates.ExecuteTemplate(&out, kind, p); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	root := ""
	if p.Lang != "en" {
		root = p.Lang + "/"
	}
	b.write(root+path+"index.html", out.Bytes())
	return b.err
}

// lessonFill is what the page of a lesson needs.
type lessonFill struct {
	Lesson      pageLesson
	Intro, File string
}

func (b *builder) lessonPage(l *recorded, lang string, sentences map[string]string) error {
	path := "lessons/" + l.ID + "/"
	text := l.inLanguage(lang, sentences)
	p := b.page(path, lang)
	p.Name, p.Title, p.Description, p.Sheet = "lesson", text.Title+" · "+p.W["app"], l.Texts[lang].Intro, b.assets.Style
	p.WordsFile, p.LaterWords = b.assets.first[lang], b.assets.later[lang]
	side, err := b.asideOf(l, lang)
	if err != nil {
		return err
	}
	text.Side = side
	file := b.hashed(l.ID+"-"+lang+".json", toJSON(text))
	text.Runs[0].Trace = "a/" + text.Runs[0].Trace
	p.Fill = lessonFill{text, l.Texts[lang].Intro, file}
	if err := b.writePage(path, "lesson", p); err != nil {
		return err
	}
	if err := b.shortPages(l, lang, text); err != nil {
		return err
	}
	return b.textPage(l, lang, text)
}

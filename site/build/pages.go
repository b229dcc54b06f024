package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html/template"
	"maps"
	"os"
	"path/filepath"
	"strings"

	"github.com/yuin/goldmark"

	"controllerscope/core/kafka"
	"controllerscope/core/lesson"
	"controllerscope/lessons"
)

// policy is the page's content security policy; serve sends the same as a header.
const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
	"worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types lit-html wk"

// page is what the templates are filled with. Up leads to the site's root, so that the site works below any path.
type page struct {
	Lang, Other, Up, Policy string
	Title                   string
	Words                   map[string]string
	*assets
	WordsFile    string
	MessagesFile string
	Lesson       pageLesson
	Intro        string
	LessonFile   string
	Lessons      []listed
	OtherPage    string
	Description  string
}

// listed is a lesson in the list of the home page.
type listed struct {
	Folder, Title, Intro string
	Number, Minutes      int
}

var templates = template.Must(template.New("").Funcs(template.FuncMap{"md": markdown}).Parse(layout))

// pages writes every page in every language.
func pages(s *siteFolder, a *assets, site string) error {
	all, err := readLessons(s)
	if err != nil {
		return err
	}
	words := map[string]map[string]string{}
	for _, lang := range lesson.Languages() {
		if words[lang], err = readWords(site, lang); err != nil {
			return err
		}
	}
	if err := sameKeys(words); err != nil {
		return err
	}
	for _, lang := range lesson.Languages() {
		sentences, err := lessons.Sentences(lang)
		if err != nil {
			return err
		}
		a.words[lang] = s.hashed("words-"+lang+".json", toJSON(ofLessons(words[lang])))
		a.messages[lang] = s.hashed("messages-"+lang+".json", toJSON(sentences))
		if err := language(s, a, all, lang, words[lang], sentences); err != nil {
			return err
		}
	}
	return s.err
}

// ofLessons are the words without those of the home page, which has them in its text.
func ofLessons(words map[string]string) map[string]string {
	out := maps.Clone(words)
	maps.DeleteFunc(out, func(key, _ string) bool { return strings.HasPrefix(key, "home") })
	return out
}

// language writes the home page and the lessons of one language: English at the root, the others below their name.
func language(s *siteFolder, a *assets, all []*recorded, lang string, words, sentences map[string]string) error {
	root, other := "", "zh/"
	if lang != "en" {
		root, other = lang+"/", ""
	}
	up := strings.Repeat("../", strings.Count(root, "/"))
	home := page{Lang: lang, Up: up, Policy: policy, Title: words["app"], Words: words, assets: a, OtherPage: up + other, Description: words["homeSub"]}
	for _, l := range all {
		text := l.Texts[lang]
		home.Lessons = append(home.Lessons, listed{"lessons/" + l.ID + "/", text.Title, text.Intro, l.number, l.Minutes})
	}
	if err := writePage(s, root+"index.html", "home", home); err != nil {
		return err
	}
	for _, l := range all {
		text := l.inLanguage(lang, sentences)
		p := page{Lang: lang, Up: up + "../../", Policy: policy, Title: text.Title + " · " + words["app"], Words: words, assets: a, WordsFile: a.words[lang], MessagesFile: a.messages[lang],
			Lesson: text, Intro: l.Texts[lang].Intro, LessonFile: s.hashed(l.ID+"-"+lang+".json", toJSON(text)), Description: l.Texts[lang].Intro}
		p.OtherPage = p.Up + other + "lessons/" + l.ID + "/"
		p.Lesson.Runs[0].Trace = "a/" + p.Lesson.Runs[0].Trace
		if err := writePage(s, root+"lessons/"+l.ID+"/index.html", "lesson", p); err != nil {
			return err
		}
	}
	return nil
}

func writePage(s *siteFolder, name, template string, p page) error {
	var b bytes.Buffer
	if err := templates.ExecuteTemplate(&b, template, p); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	s.write(name, b.Bytes())
	return s.err
}

func readWords(site, lang string) (map[string]string, error) {
	file := filepath.Join(site, "text", lang+".json")
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	words := map[string]string{}
	if err := json.Unmarshal(data, &words); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return words, nil
}

// sameKeys fails when a language lacks a word that another has.
func sameKeys(words map[string]map[string]string) error {
	for _, lang := range kafka.SortedKeys(words) {
		for _, other := range kafka.SortedKeys(words) {
			for _, key := range kafka.SortedKeys(words[other]) {
				if _, ok := words[lang][key]; !ok {
					return fmt.Errorf("site/text/%s.json: %q is missing; %s.json has it", lang, key, other)
				}
			}
		}
	}
	return nil
}

// markdown renders the prose of the text form.
func markdown(text string) (template.HTML, error) {
	var b bytes.Buffer
	err := goldmark.Convert([]byte(text), &b)
	return template.HTML(b.String()), err
}

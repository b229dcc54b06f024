package main

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"controllerscope/core/kafka"
	"controllerscope/core/run"
)

// articlesFile is text/articles.yaml.
type articlesFile struct {
	Articles []struct {
		ID, Title string
		About     bilingual
		Sections  []struct {
			Heading, En  string
			Kafka, Stops []string
		}
	}
	Parts []struct {
		Title bilingual
		Boxes []struct{ Kafka, Ours string }
	}
	Old []struct {
		Name, Since, Now string
		At               []string
	}
	Znodes []struct{ Path, Match string }
}

// articlesFill is what the page needs.
type articlesFill struct {
	Articles []article
	Parts    []partsColumn
	Index    []indexRow
}

type article struct {
	ID, Title, About string
	Sections         []section
}

type section struct {
	Heading, En string
	Stops       []stopLink
}

// stopLink leads to a stop of a lesson.
type stopLink struct {
	Href, Text string
	Lesson, N  int
}

type partsColumn struct {
	Title string
	Boxes []partBox
}

// partBox is a part of Kafka's controller and the Go type that mirrors it.
type partBox struct {
	Kafka, File, Type string
	Stops             []stopLink
}

// indexRow is one line of what the find box looks through. Kind is class, old or znode.
type indexRow struct {
	Name, Kind, Now, Since string
	Ours                   []string
	Stops                  []stopLink
}

func fillArticles(b *builder, lang string) (any, error) {
	var file articlesFile
	if err := b.readYAML("articles.yaml", &file); err != nil {
		return nil, err
	}
	var out articlesFill
	for _, a := range file.Articles {
		art := article{ID: a.ID, Title: a.Title, About: a.About[lang]}
		for _, s := range a.Sections {
			stops := b.at(lang, s.Kafka, a.ID)
			for _, name := range s.Stops {
				p, err := b.place(name)
				if err != nil {
					return nil, fmt.Errorf("articles.yaml, %s: %w", a.ID, err)
				}
				stops = append(stops, b.link(p, lang))
			}
			art.Sections = append(art.Sections, section{s.Heading, s.En, stops})
		}
		out.Articles = append(out.Articles, art)
	}
	for _, p := range file.Parts {
		column := partsColumn{Title: p.Title[lang]}
		for _, box := range p.Boxes {
			found, err := b.part(box.Kafka, box.Ours, lang)
			if err != nil {
				return nil, err
			}
			column.Boxes = append(column.Boxes, found)
		}
		out.Parts = append(out.Parts, column)
	}
	var err error
	out.Index, err = b.index(&file, lang)
	return out, err
}

func (b *builder) link(p place, lang string) stopLink {
	return stopLink{p.href(), p.Lesson.Texts[lang].Stops[p.Stop.ID].Title, p.Lesson.number, p.N}
}

// at lists the stops at one of these Kafka names: the stop's method, or the method that its step mirrors. Lessons that name
// the source article come first.
func (b *builder) at(lang string, names []string, source string) []stopLink {
	var first, then []stopLink
	for _, l := range b.lessons {
		for _, p := range l.places() {
			if !slices.ContainsFunc(names, p.tellsOf) {
				continue
			}
			if source == "" || slices.Contains(l.Sources, source) {
				first = append(first, b.link(p, lang))
			} else {
				then = append(then, b.link(p, lang))
			}
		}
	}
	return append(first, then...)
}

// tellsOf reports whether the stop is at a Kafka name: "Class.method", or one of the two.
func (p place) tellsOf(name string) bool {
	if p.Stop.Method == name {
		return true
	}
	mirrors := p.Lesson.runs[p.Run.ID].Msgs[p.step().Msg].Kafka
	for _, have := range []string{p.Stop.Method, mirrors} {
		if have == name || strings.HasSuffix(have, "."+name) || strings.HasPrefix(have, name+".") {
			return true
		}
	}
	return false
}

// part finds the file that declares a Go type: ours is "core/PACKAGE TYPE".
func (b *builder) part(name, ours, lang string) (partBox, error) {
	folder, typeName, _ := strings.Cut(ours, " ")
	root := filepath.Join(b.site, "..")
	packages, err := parser.ParseDir(token.NewFileSet(), filepath.Join(root, folder), func(f fs.FileInfo) bool { return !strings.HasSuffix(f.Name(), "_test.go") }, 0)
	if err != nil {
		return partBox{}, fmt.Errorf("articles.yaml, %s: %w", name, err)
	}
	for _, p := range packages {
		for file, tree := range p.Files {
			if declares(tree, typeName) {
				return partBox{name, folder + "/" + filepath.Base(file), typeName, b.at(lang, []string{name}, "")}, nil
			}
		}
	}
	return partBox{}, fmt.Errorf("articles.yaml, %s: %s has no type %s", name, folder, typeName)
}

func declares(file *ast.File, typeName string) bool {
	o := file.Scope.Lookup(typeName)
	return o != nil && o.Kind == ast.Typ
}

// index lists what one may look for: Kafka's classes with their methods, names of older releases, znodes.
func (b *builder) index(file *articlesFile, lang string) ([]indexRow, error) {
	byName := map[string]*indexRow{}
	for _, m := range run.Messages() {
		if m.Kafka == "" {
			continue
		}
		row := byName[m.Kafka]
		if row == nil {
			row = &indexRow{Name: m.Kafka, Kind: "class", Stops: b.at(lang, []string{m.Kafka}, "")}
			byName[m.Kafka] = row
		}
		if m.Src != "" && !slices.Contains(row.Ours, m.Src) {
			row.Ours = append(row.Ours, m.Src)
		}
	}
	for _, l := range b.lessons {
		for _, p := range l.places() {
			if name := p.Stop.Method; classLike.MatchString(name) && byName[name] == nil {
				byName[name] = &indexRow{Name: name, Kind: "class", Stops: b.at(lang, []string{name}, "")}
			}
		}
	}
	var out []indexRow
	for _, name := range kafka.SortedKeys(byName) {
		slices.Sort(byName[name].Ours)
		out = append(out, *byName[name])
	}
	for _, o := range file.Old {
		out = append(out, indexRow{Name: o.Name, Kind: "old", Now: o.Now, Since: o.Since, Stops: b.at(lang, append(o.At, o.Now), "")})
	}
	for _, z := range file.Znodes {
		match, err := regexp.Compile(z.Match)
		if err != nil {
			return nil, fmt.Errorf("articles.yaml, %s: %w", z.Path, err)
		}
		out = append(out, indexRow{Name: z.Path, Kind: "znode", Stops: b.touching(match, lang)})
	}
	slices.SortStableFunc(out, func(a, b indexRow) int { return cmp.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)) })
	return out, nil
}

// classLike are stop methods that name something in Kafka's code.
var classLike = regexp.MustCompile(`^[A-Za-z]+(\.[A-Za-z]+)?$`)

// touching lists the stops whose step changes a znode that matches.
func (b *builder) touching(match *regexp.Regexp, lang string) []stopLink {
	var out []stopLink
	for _, l := range b.lessons {
		for _, p := range l.places() {
			for _, d := range p.step().Diff {
				if d.Path[0] == "zk" && match.MatchString(d.Path[1]) {
					out = append(out, b.link(p, lang))
					break
				}
			}
		}
	}
	return out
}

package main

import (
	"bytes"
	"html/template"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	gmtext "github.com/yuin/goldmark/text"
)

// said finds the terms of the glossary in prose and leads to them. The stage does the same with its sentences
// (src/parts/cards.ts).
type said struct {
	pattern *regexp.Regexp
	terms   map[string]string // by word in small letters, the term it leads to
}

// newSaid makes it for the terms of one language.
func newSaid(terms map[string]cardTerm) *said {
	s := &said{terms: map[string]string{}}
	var words []string
	for id, t := range terms {
		for _, word := range t.Said {
			s.terms[strings.ToLower(word)] = id
			words = append(words, regexp.QuoteMeta(word))
		}
	}
	slices.SortFunc(words, func(a, b string) int { // longer ones first: the first that fits is taken
		if len(a) != len(b) {
			return len(b) - len(a)
		}
		return strings.Compare(a, b)
	})
	s.pattern = regexp.MustCompile("(?i)" + strings.Join(words, "|"))
	return s
}

// find lists where words of terms stand in a text, and the terms; each only the first time, which known keeps.
func (s *said) find(line []byte, known map[string]bool) (at [][]int, ids []string) {
	for _, m := range s.pattern.FindAllIndex(line, -1) {
		id := s.terms[strings.ToLower(string(line[m[0]:m[1]]))]
		if !known[id] && bounded(line, m[0]) && bounded(line, m[1]) {
			known[id] = true
			at, ids = append(at, m), append(ids, id)
		}
	}
	return at, ids
}

// bounded tells whether no word of Latin letters goes on over a place.
func bounded(line []byte, at int) bool {
	before, _ := utf8.DecodeLastRune(line[:at])
	after, _ := utf8.DecodeRune(line[at:])
	return !latin(before) || !latin(after)
}

func latin(r rune) bool {
	return r < utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_')
}

// prosePage renders the prose of one page, where each term is a link at its first place; home is the root of its language.
type prosePage struct {
	said  *said
	home  string
	known map[string]bool
}

// Markdown renders a text, with links to terms that the page has not named before.
func (p *prosePage) Markdown(source string) (template.HTML, error) {
	doc := prose.Parser().Parse(gmtext.NewReader([]byte(source)))
	for _, t := range plainTexts(doc) {
		p.mark(t, []byte(source))
	}
	var b bytes.Buffer
	err := prose.Renderer().Render(&b, []byte(source), doc)
	return template.HTML(b.String()), err
}

// plainTexts are the texts that are neither code nor a heading nor within a link.
func plainTexts(doc ast.Node) (out []*ast.Text) {
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) { // never fails: what it calls does not
		switch n.Kind() {
		case ast.KindHeading, ast.KindLink, ast.KindAutoLink, ast.KindCodeSpan, ast.KindImage:
			return ast.WalkSkipChildren, nil
		case ast.KindText:
			if entering {
				out = append(out, n.(*ast.Text))
			}
		}
		return ast.WalkContinue, nil
	})
	return out
}

// mark puts links in place of the terms in a text.
func (p *prosePage) mark(t *ast.Text, source []byte) {
	start := t.Segment.Start
	at, ids := p.said.find(t.Segment.Value(source), p.known)
	for i, m := range at {
		before := ast.NewTextSegment(gmtext.NewSegment(t.Segment.Start, start+m[0]))
		link := ast.NewLink()
		link.Destination = []byte(p.home + "glossary/#" + ids[i])
		link.SetAttributeString("class", []byte("term"))
		link.AppendChild(link, ast.NewTextSegment(gmtext.NewSegment(start+m[0], start+m[1])))
		t.Parent().InsertBefore(t.Parent(), t, before)
		t.Parent().InsertBefore(t.Parent(), t, link)
		t.Segment = t.Segment.WithStart(start + m[1])
	}
}

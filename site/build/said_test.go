package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"controllerscope/core/lesson"
)

// TestWordsLeadToTerms: each term once, the longer word first, whole words only, and none in code, headings and links.
func TestWordsLeadToTerms(t *testing.T) {
	s := newSaid(map[string]cardTerm{"session": {Said: []string{"session", "sessions"}}, "expiry": {Said: []string{"session expiry"}}, "isr": {Said: []string{"ISR"}}, "watch": {Said: []string{"监听"}}})
	link := func(id, word string) string { return `<a href="../glossary/#` + id + `" class="term">` + word + `</a>` }
	for source, want := range map[string]string{
		"A session ends; sessions do.":                       "<p>A " + link("session", "session") + " ends; sessions do.</p>",
		"Session expiry ends a session.":                     "<p>" + link("expiry", "Session expiry") + " ends a " + link("session", "session") + ".</p>",
		"obsessions, session_id, the ISR's end":              "<p>obsessions, session_id, the " + link("isr", "ISR") + "'s end</p>",
		"`session` and [a session](x) and *the **session***": `<p><code>session</code> and <a href="x">a session</a> and <em>the <strong>` + link("session", "session") + `</strong></em></p>`,
		"控制器的监听，ISR里":                                        "<p>控制器的" + link("watch", "监听") + "，" + link("isr", "ISR") + "里</p>",
	} {
		p := &prosePage{s, "../", map[string]bool{}}
		got, err := p.Markdown(source)
		require.NoError(t, err)
		assert.Equal(t, want, strings.TrimSpace(string(got)))
		again, err := p.Markdown(strings.Trim(source, "#"))
		require.NoError(t, err)
		assert.NotContains(t, string(again), "term", "a page names each once")
	}
	p := &prosePage{s, "../", map[string]bool{}}
	got, err := p.Markdown("# A session\n\n| ISR |\n|---|\n| a session |\n")
	require.NoError(t, err)
	assert.Contains(t, string(got), `<h1 id="a-session">A session</h1>`)
	assert.Contains(t, string(got), "<td>a "+link("session", "session")+"</td>")
}

// TestEveryWordLeadsToOneTerm: in both languages, and a term that prose leads to in one is led to in the other.
func TestEveryWordLeadsToOneTerm(t *testing.T) {
	led := map[string]int{}
	for _, lang := range lesson.Languages() {
		all, err := cardsIn("..", lang)
		require.NoError(t, err)
		of := map[string]string{}
		for id, term := range all.Terms {
			for _, word := range term.Said {
				small := strings.ToLower(word)
				require.Empty(t, of[small], "%s leads to %s and %s", word, of[small], id)
				require.Equal(t, strings.TrimSpace(word), word)
				of[small] = id
			}
			if len(term.Said) > 0 {
				led[id]++
			}
		}
	}
	require.Greater(t, len(led), 30)
	for id, n := range led {
		require.Equal(t, len(lesson.Languages()), n, id)
	}
}

package lesson

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const prose = `# The title

The introduction,
on two lines.

## act one · First act

## start · In the list
**What happened**
Why it
happened.
### ask
What comes
next?
- **a** Nothing — Right: nothing waits.
- **b** Everything — True if all waited.

## end · The end
**It is over**
Nothing follows.

## recap
- One.
- Two.
- Three.
- **3.9** The same.
- **KRaft** Another way.
`

func TestParseText(t *testing.T) {
	text, err := ParseText("x/en.md", prose)
	require.NoError(t, err)
	assert.Equal(t, &Text{Title: "The title", Intro: "The introduction, on two lines.",
		Acts: map[string]string{"one": "First act"},
		Stops: map[string]StopText{
			"start": {Title: "In the list", Headline: "What happened", Sentence: "Why it happened.", Question: "What comes next?",
				Choices: []ChoiceText{{"a", "Nothing", "Right: nothing waits."}, {"b", "Everything", "True if all waited."}}},
			"end": {Title: "The end", Headline: "It is over", Sentence: "Nothing follows."},
		},
		Recap: &Recap{Points: [3]string{"One.", "Two.", "Three."}, Last: "The same.", KRaft: "Another way.", points: 3},
		order: []string{"start", "end"}}, text)
}

func TestChineseLinesJoinWithoutABlank(t *testing.T) {
	text, err := ParseText("x/zh.md", "# 标题\n第一行，\n第二行。\nLeader\n与 ISR。\n")
	require.NoError(t, err)
	assert.Equal(t, "第一行，第二行。Leader 与 ISR。", text.Intro)
}

func TestParseTextNamesFileAndLine(t *testing.T) {
	for _, c := range []struct{ name, from, to, want string }{
		{"heading", "## end · The end", "## end The end", "x/en.md:18: expected ## ID · TITLE"},
		{"twice", "## end · ", "## start · ", "x/en.md:18: stop start stands there twice"},
		{"choice", "- **a** Nothing — Right: nothing waits.", "- **a** Nothing", "x/en.md:15: expected - **CHOICE** ANSWER — WHY"},
		{"text of an act", "First act\n", "First act\nText.\n", "x/en.md:7: an act has a title only; text belongs under a stop: ## ID · TITLE"},
		{"too many points", "- Three.\n", "- Three.\n- Four.\n", "x/en.md:26: expected three items - SENTENCE, then - **3.9** SENTENCE and - **KRaft** SENTENCE"},
		{"KRaft too early", "- **3.9** The same.\n", "", "x/en.md:26: expected three items - SENTENCE, then - **3.9** SENTENCE and - **KRaft** SENTENCE"},
		{"no item", "- One.", "One.", "x/en.md:23: expected three items - SENTENCE, then - **3.9** SENTENCE and - **KRaft** SENTENCE"},
		{"title", "# The title", "The title", "x/en.md: no title; the first line is # TITLE"},
	} {
		t.Run(c.name, func(t *testing.T) {
			require.Equal(t, 1, strings.Count(prose, c.from))
			_, err := ParseText("x/en.md", strings.Replace(prose, c.from, c.to, 1))
			assert.EqualError(t, err, c.want)
		})
	}
}

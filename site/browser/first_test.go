package browser

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// heardFirst keeps, of the moment at which a headline stands in the page first, where all boxes are, what is in them, and
// what was fetched by then. It runs before the scripts of the page.
const heardFirst = `const boxes = () => Object.fromEntries(['.top', '.rail', '.stage', '.caption', '.field', '.cluster', '.inspector', '.handle', '.score', '.transport'].map(name => {
  const e = document.querySelector(name), b = e?.getBoundingClientRect();
  return [name, b ? [b.left, b.top, b.width, b.height].map(Math.round).join(' ') : ''];
}));
new MutationObserver((_, me) => {
  if (!document.querySelector('#headline')) return;
  me.disconnect();
  const filled = name => (document.querySelector(name)?.childElementCount ?? 0) > 0;
  globalThis.first = {boxes: boxes(), rows: document.querySelectorAll('.ledger .row').length, cards: document.querySelectorAll('.card').length,
    around: ['.rail', '.inspector', '.handle', '.score', '.transport'].filter(filled),
    fetched: performance.getEntriesByType('resource').filter(e => e.name.includes('/a/')).map(e => e.name.replace(/.*\/|-[^-]*$/g, ''))};
}).observe(document, {childList: true, subtree: true});
`

// TestTheStepComesFirst opens a lesson at three widths: the first picture is the stage, with all that stands on it and
// nothing around it yet; nothing was fetched that it does not need; and when the rest is there, no box has moved.
func TestTheStepComesFirst(t *testing.T) {
	for width, cards := range map[int64]int{1440: 3, 1024: 3, 390: 0} {
		p := open(t, setting{script: heardFirst, width: width, height: 900})
		p.visit("lessons/10-bounce/")
		require.GreaterOrEqual(t, eval[int](p, "first.rows"), 8)
		require.Equal(t, cards, eval[int](p, "first.cards"), "on a phone they are behind a tab")
		require.Empty(t, eval[[]string](p, "first.around"))
		require.ElementsMatch(t, []string{"site", "app", "part", "10-bounce-main", "10-bounce-en", "words-first-en"}, eval[[]string](p, "first.fetched"))
		require.Equal(t, eval[map[string]string](p, "boxes()"), eval[map[string]string](p, "first.boxes"))
		require.Equal(t, width > 1180, eval[bool](p, "document.querySelector('.rail .here') !== null"))
		p.clean()
	}
}

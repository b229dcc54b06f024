package main

import (
	"path"
	"testing"

	"github.com/stretchr/testify/require"

	"controllerscope/core/lesson"
	"controllerscope/core/trace"
	"controllerscope/lessons"
)

// TestEveryLineOfTheLedgerHasACard looks at every znode of every lesson, in both languages; no card is without a use.
func TestEveryLineOfTheLedgerHasACard(t *testing.T) {
	for _, lang := range lesson.Languages() {
		all, err := cardsIn("..", lang)
		require.NoError(t, err)
		used := map[string]bool{}
		for _, name := range lessons.Names() {
			l, err := lessons.Embedded(name)
			require.NoError(t, err)
			for _, r := range l.Runs {
				tr, at, err := play(l, r)
				require.NoError(t, err)
				c := trace.NewCursor(tr)
				for _, i := range at {
					c.Seek(i)
					for _, znode := range c.Doc().Names("view", "row") {
						found := ""
						for _, z := range all.Znodes {
							if ok, err := path.Match(z.Path, znode); err == nil && ok {
								require.Empty(t, found, "%s: both %s and %s", znode, found, z.Path)
								require.NotEmpty(t, z.Text, z.Path)
								found = z.Path
							}
						}
						require.NotEmpty(t, found, "%s in %s has no card in text/cards.yaml", znode, name)
						used[found] = true
					}
				}
			}
		}
		require.Len(t, used, len(all.Znodes))
	}
}

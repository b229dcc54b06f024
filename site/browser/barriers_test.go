package browser

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestNoBarriers runs axe-core over the pages in every size, language and theme.
func TestNoBarriers(t *testing.T) {
	need(t)
	axe, err := os.ReadFile(filepath.Join(site, "node_modules", "axe-core", "axe.min.js"))
	require.NoError(t, err, "run: npm ci --prefix site")
	for _, size := range [][2]int64{{1440, 900}, {1024, 768}, {390, 844}} {
		p := open(t, setting{width: size[0], height: size[1]})
		answerAll(p, "03-election")
		answerAll(p, "01-znodes")
		for _, path := range []string{"", "lessons/10-bounce/#s=5", "lessons/10-bounce/#s=6", "zh/lessons/10-bounce/#s=5", "zh/lessons/03-election/#s=9", "lessons/01-znodes/#s=16"} {
			p.visit(path)
			eval[int](p, string(axe)+";1")
			for _, theme := range []string{"light", "dark"} {
				p.theme(theme)
				found := eval[[]string](p, "axe.run().then(r => r.violations.flatMap(v => v.nodes.map(n => v.id + ': ' + n.target.join(' '))))")
				require.Empty(t, found, "%s %v %s", path, size, theme)
			}
		}
		p.clean()
	}
}

package browser

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// everywhere opens a page at every width in both languages and holds it, in both themes, to axe and to its width; pictures of
// it go into the folder out/screens. visit opens the page below the root of a language ("" or "zh/").
func everywhere(t *testing.T, name string, visit func(p *page, lang string, width int64)) {
	folder := screens(t)
	for _, lang := range []string{"", "zh/"} {
		p := open(t, setting{})
		for _, size := range [][2]int64{{1440, 900}, {1024, 768}, {390, 844}, {320, 640}} {
			p.size(size[0], size[1], 1)
			visit(p, lang, size[0])
			for _, theme := range []string{"light", "dark"} {
				p.theme(theme)
				here := fmt.Sprintf("%s%s %d %s", lang, name, size[0], theme)
				p.axe(here)
				p.shoot(filepath.Join(folder, strings.NewReplacer("/", "-", " ", "-").Replace(here)+".png"))
				assert.LessOrEqual(t, eval[int64](p, "document.documentElement.scrollWidth"), size[0], here)
			}
		}
		p.clean()
	}
}

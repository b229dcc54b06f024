package browser

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestInspectorHasNoBarriers runs axe-core over every tab and every kind of question in three widths.
func TestInspectorHasNoBarriers(t *testing.T) {
	need(t)
	axe, err := os.ReadFile(filepath.Join(site, "node_modules", "axe-core", "axe.min.js"))
	require.NoError(t, err, "run: npm ci --prefix site")
	sound := func(p *page, where string) {
		eval[int](p, string(axe)+"; 1")
		found := eval[[]string](p, "axe.run(document, {resultTypes: ['violations']}).then(r => r.violations.flatMap(v => v.nodes.map(n => v.id + ': ' + n.target + ' ' + n.failureSummary)))")
		require.Empty(t, found, where)
	}
	for _, size := range [][2]int64{{1440, 900}, {1024, 768}, {390, 844}} {
		t.Run(fmt.Sprint(size[0]), func(t *testing.T) {
			for _, q := range [][2]string{{"16-purge", "skip"}, {"13-deletion", "znodes"}, {"07-topic", "down"}, {"08-broker-dies", "written"}, {"13-deletion", "refused"}} {
				p := ask(t, q[0], q[1], setting{width: size[0], height: size[1]})
				sound(p, fmt.Sprint(size, q))
				p.shoot(filepath.Join(screens(t), fmt.Sprintf("ask-%s-%d", q[1], size[0])+".png"))
				if q[1] == "znodes" && size[0] > 700 {
					p.click("form.predict button.primary")
					p.until("document.querySelectorAll('.told .choice.bad').length === 3")
					sound(p, fmt.Sprint(size, "answered"))
					p.shoot(filepath.Join(screens(t), fmt.Sprintf("told-%s-%d", q[1], size[0])+".png"))
				}
			}
			p := open(t, setting{width: size[0], height: size[1]})
			answerAll(p, "10-bounce")
			p.visit("lessons/10-bounce/#s=" + stopNumber(t, "10-bounce", "bounced"))
			if size[0] < 1180 {
				p.press("w", false)
			}
			for _, tab := range []string{"mismatch", "metrics", "invariants", "code"} {
				p.click("#tab-" + tab)
				p.until("document.querySelector('#pane .facts, #pane .invariants li, #pane .lines') !== null || document.querySelector('#pane').textContent.includes('agrees')")
				sound(p, fmt.Sprint(size, tab))
				p.shoot(filepath.Join(screens(t), fmt.Sprintf("tab-%s-%d", tab, size[0])+".png"))
			}
			p.click("#form-go")
			sound(p, fmt.Sprint(size, "go"))
			p.shoot(filepath.Join(screens(t), fmt.Sprintf("tab-go-%d", size[0])+".png"))
		})
	}
}

package browser

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// scenes are what the pictures show: a lesson's page, how it is reached, and a name.
var scenes = []struct {
	name, lesson string
	stop         string // by id
	do           func(p *page)
}{
	{"01-bounced", "10-bounce", "bounced", nil},
	{"02-museum", "10-bounce", "museum", nil},
	{"03-failure", "10-bounce", "failure", nil},
	{"03-late", "10-bounce", "refused", nil},
	{"12-unseen", "10-bounce", "second", nil},
	{"election-multi", "03-election", "undone", nil},
	{"clients", "01-znodes", "lost", nil},
	{"charts", "10-bounce", "failure", func(p *page) { p.press("c", false) }},
}

// TestScreens makes pictures of the pages at all sizes, in both languages and themes, into the folder out/screens. On each,
// nothing may stand outside of the window.
func TestScreens(t *testing.T) {
	folder := screens(t)
	for _, size := range []struct {
		width, height int64
		scale         float64
	}{{1440, 900, 1}, {1024, 768, 1}, {390, 844, 2}} {
		p := open(t, setting{width: size.width, height: size.height, scale: size.scale})
		answerAll(p, "10-bounce")
		answerAll(p, "03-election")
		answerAll(p, "01-znodes")
		for _, lang := range []string{"en", "zh"} {
			for _, s := range scenes {
				path := "lessons/" + s.lesson + "/#s=" + stopNumber(t, s.lesson, s.stop)
				if lang == "zh" {
					path = "zh/" + path
				}
				p.visit(path)
				p.reached(s.lesson, s.stop, lang)
				if s.do != nil {
					s.do(p)
				}
				for _, theme := range []string{"light", "dark"} {
					p.theme(theme)
					p.shoot(filepath.Join(folder, fmt.Sprintf("%s-%d-%s-%s.png", s.name, size.width, lang, theme)))
				}
				require.Equal(t, size.width, eval[int64](p, "document.documentElement.scrollWidth"), "%s %v: the page is wider than the window", s.name, size)
			}
		}
		p.clean()
	}
}

// screens is the folder for pictures, outside of git.
func screens(t *testing.T) string {
	folder := filepath.Join(site, "..", "out", "screens")
	require.NoError(t, os.MkdirAll(folder, 0o755))
	return folder
}

// shoot writes a picture of the window.
func (p *page) shoot(file string) {
	p.t.Helper()
	eval[int](p, drawn)
	png, err := chromedp.Run(p.ctx, chromedp.CaptureScreenshot())
	require.NoError(p.t, err)
	require.NoError(p.t, os.WriteFile(file, png, 0o644))
}

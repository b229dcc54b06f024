package browser

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// htmlFiles are all pages of the built site by their addresses, with their texts.
func htmlFiles(t *testing.T) map[string]string {
	t.Helper()
	need(t)
	out := map[string]string{}
	require.NoError(t, fs.WalkDir(os.DirFS(shared.folder), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(name) != ".html" {
			return err
		}
		text, err := os.ReadFile(filepath.Join(shared.folder, name))
		out[strings.TrimSuffix(name, "index.html")] = string(text)
		return err
	}))
	return out
}

// written are the pages that stand complete in their HTML: all but those that a script draws. Of the lessons' text forms
// one is enough.
func written(t *testing.T) []string {
	t.Helper()
	var out []string
	for path, text := range htmlFiles(t) {
		if strings.Contains(text, `class="plainpage`) && (!strings.HasSuffix(path, "/text/") || strings.HasSuffix(path, "10-bounce/text/")) {
			out = append(out, path)
		}
	}
	slices.Sort(out)
	require.GreaterOrEqual(t, len(out), 17, "home, map, text form, articles, glossary, teach, fidelity, about in two languages, and the page for wrong addresses")
	return out
}

// longer makes every text of the page 40 % longer and puts it in brackets, as a language with long words would be.
const longer = `(() => {
	const w = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
	const all = [];
	while (w.nextNode()) if (w.currentNode.data.trim() && !w.currentNode.parentElement.closest('code, pre')) all.push(w.currentNode);
	for (const n of all) { const s = n.data.trim(); n.data = n.data.replace(s, '[' + s + ' ' + 'lorem ipsum dolor '.repeat(20).slice(0, Math.ceil(s.length * 0.4)).trim() + ']'); }
	return all.length;
})()`

// wide names what stands out of the window.
const wide = `[...document.querySelectorAll('body *')].filter(e => { const r = e.getBoundingClientRect(); return r.width > 0 && (r.right > innerWidth + 1 || r.left < -1) && !e.closest('.wrap, .hidden, .skip, svg'); }).slice(0, 5).map(e => e.tagName + '.' + e.className + ' ' + e.textContent.trim().slice(0, 40))`

// TestPagesAtEverySize opens every page that is not drawn by a script, at every size: nothing stands out of the window, in
// its own words or in longer ones, axe-core finds nothing in either theme, and nothing is said to the console.
func TestPagesAtEverySize(t *testing.T) {
	paths := written(t)
	axe, err := os.ReadFile(filepath.Join(site, "node_modules", "axe-core", "axe.min.js"))
	require.NoError(t, err, "run: npm ci --prefix site")
	for _, size := range [][2]int64{{1440, 900}, {1024, 768}, {390, 844}, {320, 640}} {
		p := open(t, setting{width: size[0], height: size[1]})
		for _, path := range paths {
			p.load(path)
			require.Equal(t, size[0], eval[int64](p, "document.documentElement.scrollWidth"), "%s at %d: %v", path, size[0], eval[[]string](p, wide))
			if size[0] > 320 {
				eval[int](p, string(axe)+";1")
				for theme, rules := range map[string]string{"light": "", "dark": ", runOnly: ['color-contrast', 'link-in-text-block']"} { // a theme changes colours only
					p.theme(theme)
					found := eval[[]string](p, "axe.run({resultTypes: ['violations']"+rules+"}).then(r => r.violations.flatMap(v => v.nodes.map(n => v.id + ': ' + n.target.join(' '))))")
					require.Empty(t, found, "%q at %d, %s", path, size[0], theme)
				}
			}
			if size[0] > 320 {
				require.Positive(t, eval[int](p, longer))
				require.Equal(t, size[0], eval[int64](p, "document.documentElement.scrollWidth"), "%s at %d in longer words: %v", path, size[0], eval[[]string](p, wide))
			}
		}
		p.clean()
	}
}

// TestTargetsAreLargeEnough measures what fingers press: 44 px high; links between words of a text are as high as their line.
func TestTargetsAreLargeEnough(t *testing.T) {
	p := open(t, setting{width: 390, height: 844})
	for _, path := range written(t) {
		p.load(path)
		small := eval[[]string](p, `[...document.querySelectorAll('a, button, summary, input, select')].filter(e => {
			const r = e.getBoundingClientRect();
			const inText = getComputedStyle(e).display === 'inline' && e.parentElement.textContent.trim() !== e.textContent.trim();
			return r.width > 0 && !inText && !e.closest('.skip, p, .prose ul') && r.height < 43.5;
		}).slice(0, 5).map(e => e.outerHTML.slice(0, 120) + ' ' + e.getBoundingClientRect().height)`)
		require.Empty(t, small, path)
	}
}

var (
	linkPattern = regexp.MustCompile(`(?:href|src)="([^"]*)"`)
	idPattern   = regexp.MustCompile(` id="([^"]+)"`)
)

// TestEveryLinkLeadsSomewhere follows every link of every page in the files: to a page, to an id on it, or to a file.
func TestEveryLinkLeadsSomewhere(t *testing.T) {
	pages := htmlFiles(t)
	ids := map[string][]string{}
	for path, text := range pages {
		for _, m := range idPattern.FindAllStringSubmatch(text, -1) {
			ids[path] = append(ids[path], m[1])
		}
	}
	for path, text := range pages {
		for _, m := range linkPattern.FindAllStringSubmatch(text, -1) {
			target, fragment, _ := strings.Cut(strings.ReplaceAll(m[1], "&amp;", "&"), "#")
			if strings.HasPrefix(target, "data:") {
				continue
			}
			if target == "" {
				target = path
			} else if strings.HasPrefix(target, "/") { // the page for wrong addresses
				target = clean(strings.TrimPrefix(target, "/"))
			} else {
				target = clean(path[:strings.LastIndex(path, "/")+1] + target)
			}
			_, isPage := pages[target]
			_, err := os.Stat(filepath.Join(shared.folder, target))
			require.True(t, isPage || err == nil && !strings.HasSuffix(target, "/"), "%s: %s leads to %s, which is not there", path, m[1], target)
			if fragment != "" && !strings.HasPrefix(fragment, "s=") {
				require.Contains(t, ids[target], fragment, "%s: %s", path, m[1])
			}
		}
	}
}

// clean is a path without . and .. that keeps its slash at the end.
func clean(path string) string {
	out := strings.TrimPrefix(filepath.ToSlash(filepath.Clean("/"+path)), "/")
	if strings.HasSuffix(path, "/") && out != "" {
		out += "/"
	}
	return out
}

var permalink = regexp.MustCompile(`lessons/([^/"]+)/#s=(\d+)&amp;c=([0-9a-f]+)`)

// TestEveryPermalinkOpensOnItsHash opens every link to a stop that a page holds: the lesson stands at that stop with that
// hash, so that the link in the address stays as it was.
func TestEveryPermalinkOpensOnItsHash(t *testing.T) {
	links := map[string]map[string]bool{}
	for _, text := range htmlFiles(t) {
		for _, m := range permalink.FindAllStringSubmatch(text, -1) {
			if links[m[1]] == nil {
				links[m[1]] = map[string]bool{}
			}
			links[m[1]]["#s="+m[2]+"&c="+m[3]] = true
		}
	}
	require.NotEmpty(t, links)
	p := open(t, setting{})
	for lesson, hashes := range links {
		answerAll(p, lesson)
		p.visit("lessons/" + lesson + "/")
		p.until("controllerscopePage.runs() === " + strconv.Itoa(len(embedded(t, lesson).Runs)))
		for hash := range hashes {
			eval[int](p, fmt.Sprintf("(location.hash = %q, new Promise(ok => setTimeout(ok, 0)).then(() => %s))", hash, drawn))
			require.Equal(t, hash, eval[string](p, "location.hash"), lesson)
			require.Empty(t, eval[string](p, "document.querySelector('.notice').innerText"), lesson+hash)
		}
	}
	p.clean()
}

// TestWithoutScripts turns scripts off: a lesson leads to its text form, which has every stop with its facts, and the
// answers behind a summary.
func TestWithoutScripts(t *testing.T) {
	p := open(t, setting{})
	_, err := chromedp.Call(p.ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
	require.NoError(t, err)
	for _, lang := range []string{"en", "zh"} {
		root := map[string]string{"en": "", "zh": "zh/"}[lang]
		p.load(root + "lessons/10-bounce/")
		p.arrives("/lessons/10-bounce/text/")
		l := embedded(t, "10-bounce")
		text := eval[string](p, "document.body.textContent")
		for _, s := range l.Stops() {
			told := l.Texts[lang].Stops[s.ID]
			require.Contains(t, text, plainText(told.Headline))
			require.Contains(t, text, plainText(told.Sentence))
			if s.Ask != nil {
				require.Contains(t, text, plainText(told.Question))
				for _, c := range told.Choices {
					require.Contains(t, text, plainText(c.Why))
				}
			}
		}
		require.Equal(t, len(l.Stops()), eval[int](p, "document.querySelectorAll('.stop').length"))
		require.Greater(t, eval[int](p, "document.querySelectorAll('.stop table tbody tr').length"), 20)
		require.False(t, eval[bool](p, "[...document.querySelectorAll('details')].some(d => d.open)"), "no answer stands open")
		p.load(root + "lessons/")
		require.Equal(t, 16, eval[int](p, "document.querySelectorAll('.map li').length"))
	}
}

// arrives waits for an address, also where no script may run.
func (p *page) arrives(end string) {
	p.t.Helper()
	var at string
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); {
		var err error
		if at, err = chromedp.Run(p.ctx, chromedp.Evaluate[string]("document.readyState === 'complete' ? location.pathname : ''")); err == nil && strings.HasSuffix(at, end) {
			return
		}
	}
	p.t.Fatalf("the page is %s, not %s", at, end)
}

// plainText is Markdown without its marks.
func plainText(md string) string {
	return strings.NewReplacer("`", "", "**", "", `\`, "").Replace(md)
}

// file is the text of a file of the built site.
func file(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(shared.folder, name))
	require.NoError(t, err)
	return string(text)
}

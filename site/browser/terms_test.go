package browser

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"
)

// linkedTerms are the words of the sentence under the headline that lead to the glossary, each with its entry.
const linkedTerms = "[...document.querySelectorAll('.caption a.term')].map(a => a.textContent + ' ' + a.getAttribute('href').replace(/.*glossary/, '')).join(', ')"

// TestTermsInSentences: words of the glossary lead there from a lesson's sentences, by pointer and by keyboard, with the
// card that says what they are; not from questions, from what another future tells, or from within another page.
func TestTermsInSentences(t *testing.T) {
	for lang, want := range map[string]struct{ terms, card, entry string }{
		"":    {"watch /#watch, handler /#handler", "watch\nA request to ZooKeeper", "watch"},
		"zh/": {"监听 /#watch, 处理器 /#handler", "监听（Watcher）\n一次读取时留在 ZooKeeper 的请求", "监听"},
	} {
		p := open(t, setting{})
		p.visit(lang + "lessons/10-bounce/#s=4")
		p.until(linkedTerms + " === " + quote(want.terms))
		p.mouse(".caption a.term")
		p.until(tip + " !== null")
		require.True(t, strings.HasPrefix(eval[string](p, tip+".innerText.replace(/\\n+/g, '\\n')"), want.card), eval[string](p, tip+".innerText"))
		for _, theme := range []string{"light", "dark"} {
			p.theme(theme)
			p.axe(lang + "a term " + theme)
		}
		p.keys(kb.Escape)
		p.mouse(".stage .field")
		p.focus(".caption a.term")
		p.keys(kb.Tab)
		p.until("document.activeElement.hash === '#handler' && document.activeElement.getAttribute('aria-describedby') === 'card' && " + tip + " !== null")
		p.press("ArrowRight", false)
		p.until(tip + " === null")
		p.press("ArrowRight", false)
		require.Equal(t, "", eval[string](p, linkedTerms), "a question leads nowhere")
		p.press("ArrowLeft", false)
		p.press("ArrowLeft", false)
		p.until("document.querySelector('.caption a.term') !== null")
		p.click(".caption a.term")
		p.until("location.pathname.endsWith('/" + lang + "glossary/') && location.hash === '#watch' && document.querySelector('#watch dt') !== null")
		require.True(t, strings.HasPrefix(eval[string](p, "document.querySelector('#watch dt').textContent"), want.entry))
		p.clean()
	}
	p := open(t, setting{})
	p.load("lessons/10-bounce/?embed=1#s=4")
	p.until("document.querySelector('.embedded .t-zk[tabindex]') !== null && document.querySelector('.caption p').textContent.includes('handler')")
	p.until("performance.getEntriesByType('resource').some(r => r.name.includes('/cards-en'))")
	require.Equal(t, "", eval[string](p, linkedTerms))
	p.clean()
}

// TestTermsInProse: a lesson's text form and the pages of prose name each term once, with the same cards; nothing sticks out.
func TestTermsInProse(t *testing.T) {
	for path, card := range map[string]string{"lessons/10-bounce/text/": "event thread\n", "zh/lessons/10-bounce/text/": "未看见的变化\n", "fidelity/": "znode\n", "zh/fidelity/": "znode（节点）\n"} {
		for _, width := range []int64{1440, 390} {
			p := open(t, setting{width: width, height: 900})
			p.load(path)
			all := eval[[]string](p, "[...document.querySelectorAll('a.term')].map(a => a.hash)")
			require.NotEmpty(t, all)
			require.Equal(t, len(all), eval[int](p, "new Set([...document.querySelectorAll('a.term')].map(a => a.hash)).size"), "each once")
			require.Zero(t, eval[int](p, "document.querySelectorAll(':is(h1, h2, h3, h4, code, a) a.term').length"))
			p.until("performance.getEntriesByType('resource').some(r => r.name.includes('/cards-'))")
			eval[int](p, "(document.querySelector('a.term').scrollIntoView({block: 'center'}), 1)")
			p.mouse("a.term")
			p.until(tip + " !== null")
			require.True(t, strings.HasPrefix(eval[string](p, tip+".innerText.replace(/\\n+/g, '\\n')"), card), eval[string](p, tip+".innerText"))
			require.Equal(t, width, eval[int64](p, "Math.max(document.documentElement.scrollWidth, innerWidth)"))
			p.axe(path)
			p.keys(kb.Escape)
			require.True(t, eval[bool](p, tip+" === null"))
			p.clean()
		}
	}
}

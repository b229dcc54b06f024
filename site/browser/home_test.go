package browser

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// figureText is what the figure of the home page says.
const figureText = `[...document.querySelectorAll('.figure .boxes')].map(b => [...b.querySelectorAll('b')].map(e => e.textContent).join(' ')).join(' | ')`

// TestTheFigurePlaysFromAPress: nothing moves before; Play shows the recorded instants, Pause holds the one shown.
func TestTheFigurePlaysFromAPress(t *testing.T) {
	p := open(t, setting{script: "window.tick = 0; performance.now = () => window.tick;"})
	p.load("")
	end := "0 0 leads | 2 2 nothing"
	require.Equal(t, end, eval[string](p, figureText))
	eval[int](p, "(window.tick = 5000, "+drawn+")")
	require.Equal(t, end, eval[string](p, figureText), "it waits for the press")
	p.click(".figure [data-do=play]")
	seen := []string{}
	for range 13 * 10 { // a frame of the figure is at most 100 ms long
		eval[int](p, "(window.tick += 100, "+drawn+")")
		if now := eval[string](p, figureText); len(seen) == 0 || seen[len(seen)-1] != now {
			seen = append(seen, now)
		}
		if len(seen) == 7 {
			break
		}
	}
	require.Equal(t, []string{"2 2 leads | 2 2 leads", "2 2 down | 2 2 down", "2 2 nothing | 2 2 nothing", "0 2 nothing | 2 2 nothing",
		"0 0 follows | 2 2 nothing", end, "2 2 leads | 2 2 leads"}, seen, "round and round")
	require.Equal(t, "Pause", eval[string](p, "document.querySelector('.figure button').getAttribute('aria-label')"))
	p.click(".figure [data-do=play]")
	eval[int](p, "(window.tick += 5000, "+drawn+")")
	require.Equal(t, seen[6], eval[string](p, figureText), "paused")
	p.clean()
}

// TestLessMotion: where motion is reduced the bar jumps with the instants and does not glide.
func TestLessMotion(t *testing.T) {
	p := open(t, setting{script: "window.tick = 0; performance.now = () => window.tick;"})
	_, err := chromedp.Call(p.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-reduced-motion", Value: "reduce"}}})
	require.NoError(t, err)
	p.load("")
	p.click(".figure [data-do=play]")
	shown := map[string]bool{}
	for range 20 {
		eval[int](p, "(window.tick += 100, "+drawn+")")
		shown[eval[string](p, "document.querySelector('.clock').innerText")] = true
	}
	require.LessOrEqual(t, len(shown), 2, "two seconds are one instant of the figure: %v", shown)
}

// TestTheMapRemembers works through a part of a lesson, in one language, and finds it on the map and the home page of the
// other; the link to the other language keeps the stop and the answers.
func TestTheMapRemembers(t *testing.T) {
	p := open(t, setting{})
	answerAll(p, "10-bounce")
	eval[int](p, "(localStorage.setItem('controllerscope.answers.10-bounce', '{\"second\":\"yes\"}'), 1)")
	p.visit("lessons/10-bounce/#s=7")
	p.until("controllerscopePage.at() > 0 && location.hash.startsWith('#s=7&')")
	eval[int](p, "(document.querySelector('.top .lang').click(), 1)")
	p.until("location.pathname === '/zh/lessons/10-bounce/' && " + whole + " && location.hash.startsWith('#s=7&')")
	require.Equal(t, `{"second":"yes"}`, eval[string](p, "localStorage.getItem('controllerscope.answers.10-bounce')"))
	p.load("zh/lessons/")
	require.Contains(t, eval[string](p, "document.querySelector('[data-lesson=\"10-bounce\"]').innerText"), "第 7 / 20 个停靠点")
	require.Contains(t, eval[string](p, "document.querySelector('[data-lesson=\"03-election\"]').innerText"), "未开始")
	require.Contains(t, eval[string](p, "document.querySelector('.resume').innerText"), "错 1 个")
	p.load("")
	require.Contains(t, eval[string](p, "document.querySelector('.continue').innerText"), "10 · The bounce")
	p.click(".continue")
	p.until("location.pathname === '/lessons/10-bounce/' && location.hash.startsWith('#s=7')")
	p.clean()
}

// TestProgressMovesInAFile exports, forgets and imports.
func TestProgressMovesInAFile(t *testing.T) {
	p := open(t, setting{script: `window.saved = []; URL.createObjectURL = b => { window.saved.push(b); return 'data:,'; }; HTMLAnchorElement.prototype.click = function() {};`})
	p.load("lessons/")
	eval[int](p, `(localStorage.setItem('controllerscope.places', '{"last":"08-broker-dies","at":{"08-broker-dies":{"n":3,"of":21,"right":0,"wrong":0}}}'), 1)`)
	eval[int](p, "(document.querySelector('[data-do=export]').dispatchEvent(new Event('click')), 1)")
	text := eval[string](p, "window.saved[0].text()")
	require.Contains(t, text, `"format":"controllerscope/progress/1"`)
	give := func(text string) {
		quoted, err := json.Marshal(text)
		require.NoError(t, err)
		eval[int](p, `(() => { const d = new DataTransfer(); d.items.add(new File([`+string(quoted)+`], 'p.json')); const i = document.querySelector('input[type=file]'); i.files = d.files; i.dispatchEvent(new Event('change')); return 1; })()`)
	}
	eval[int](p, "(localStorage.clear(), 1)")
	give(text)
	p.until("document.querySelector('[data-is=said]').innerText.includes('taken over')")
	require.Contains(t, eval[string](p, "document.querySelector('[data-lesson=\"08-broker-dies\"]').innerText"), "stop 3 of")
	give(`{"format":"something else"}`)
	p.until("document.querySelector('[data-is=said]').innerText.includes('no progress')")
	p.clean()
}

// TestPagesWithoutMemory denies storage: every page works.
func TestPagesWithoutMemory(t *testing.T) {
	p := open(t, setting{script: "Object.defineProperty(window, 'localStorage', {get() { throw new DOMException('denied', 'SecurityError'); }});"})
	for _, path := range []string{"", "lessons/", "glossary/", "articles/"} {
		p.load(path)
		eval[int](p, "(document.querySelector('[data-do=theme]').click(), 1)")
		require.NotEmpty(t, eval[string](p, "document.documentElement.dataset.theme"), path)
	}
	p.clean()
}

// TestFind looks for an old name, a znode and nothing.
func TestFind(t *testing.T) {
	p := open(t, setting{})
	p.load("articles/")
	find := func(what string) []string {
		eval[int](p, "(() => { const i = document.querySelector('.find input'); i.value = "+quote(what)+"; i.dispatchEvent(new Event('input')); return 1; })()")
		return eval[[]string](p, "[...document.querySelectorAll('[data-find]')].filter(r => !r.hidden).map(r => r.dataset.find)")
	}
	require.Equal(t, []string{"ZookeeperLeaderElector"}, find("zookeeperleader"))
	require.Contains(t, eval[string](p, "document.querySelector('[data-find=ZookeeperLeaderElector]').innerText"), "KafkaController.elect")
	require.Equal(t, []string{"/controller_epoch"}, find("/controller_e"))
	require.Empty(t, find("no such name"))
	require.Equal(t, "Nothing here has this name.", eval[string](p, "document.querySelector('.find [data-is=said]').innerText"))
	require.Greater(t, len(find("")), 200)
	p.clean()
}

// TestLongerWordsOnTheStage gives the stage words that are 40 % longer: nothing of the bars stands out of the window.
func TestLongerWordsOnTheStage(t *testing.T) {
	need(t)
	stretched := func(w http.ResponseWriter, r *http.Request) bool {
		if !strings.HasPrefix(r.URL.Path, "/a/words-") || !strings.Contains(r.URL.Path, "-en-") {
			return false
		}
		data, err := os.ReadFile(filepath.Join(shared.folder, filepath.FromSlash(r.URL.Path)))
		words := map[string]string{}
		if err == nil {
			err = json.Unmarshal(data, &words)
		}
		for k, s := range words {
			words[k] = "[" + s + strings.Repeat("~", (len(s)*2+4)/5) + "]"
		}
		text, _ := json.Marshal(words)
		w.Header().Set("Content-Type", "application/json")
		w.Write(text)
		return err == nil
	}
	for _, size := range [][2]int64{{1440, 900}, {1024, 768}, {390, 844}} {
		p := open(t, setting{width: size[0], height: size[1], serve: stretched})
		answerAll(p, "10-bounce")
		for _, hash := range []string{"#s=1", "#s=9"} {
			p.visit("lessons/10-bounce/" + hash)
			require.Equal(t, size[0], eval[int64](p, "document.documentElement.scrollWidth"))
			out := eval[[]string](p, `[...document.querySelectorAll('.top *, .transport *, .stage, .rail, .inspector, .handle *')].filter(e => { const r = e.getBoundingClientRect(); return r.width > 0 && (r.right > innerWidth + 1 || r.left < -1); }).slice(0, 5).map(e => e.outerHTML.slice(0, 100))`)
			require.Empty(t, out, "%d %s", size[0], hash)
		}
		p.clean()
	}
}

package browser

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"controllerscope/core/trace"
)

// kept stands in for the clipboard and for the folder of downloads.
const kept = `globalThis.saved = []; { const make = URL.createObjectURL;
URL.createObjectURL = b => { if (b instanceof Blob) saved.push({bytes: b}); return make.call(URL, b); };
HTMLAnchorElement.prototype.click = function () { saved.at(-1).name = this.download; };
Object.defineProperty(navigator, 'clipboard', {value: {writeText: async x => { globalThis.copied = x; }}}); }
`

// share opens the dialog with its key.
func (p *page) share() {
	p.t.Helper()
	p.press("s", false)
	p.until("document.querySelector('dialog.share[open]') !== null")
}

// inShare presses the button of the dialog that is called so.
func (p *page) inShare(label string) {
	p.t.Helper()
	eval[int](p, "([...document.querySelectorAll('dialog.share button')].find(b => b.textContent.trim() === "+quote(label)+").click(), 1)")
}

// file waits for the last saved file and returns its content in base64.
func (p *page) file(name string) []byte {
	p.t.Helper()
	p.until("saved.some(f => f.name === " + quote(name) + ")")
	text := eval[string](p, `saved.find(f => f.name === `+quote(name)+`).bytes.arrayBuffer().then(b => { let s = ''; for (const c of new Uint8Array(b)) s += String.fromCharCode(c); return btoa(s); })`)
	data, err := base64.StdEncoding.DecodeString(text)
	require.NoError(p.t, err)
	return data
}

// TestShare copies the address of what is shown; it opens the same place, and one with another hash is said to be of another
// recording.
func TestShare(t *testing.T) {
	p := open(t, setting{script: kept})
	answerAll(p, "10-bounce")
	p.visit("lessons/10-bounce/#s=" + stopNumber(t, "10-bounce", "read"))
	p.press("ArrowRight", true)
	for strings.Contains(eval[string](p, "location.hash"), "s=") { // a step that is no stop
		p.press("ArrowRight", true)
	}
	at, shown := eval[int](p, "controllerscopePage.at()"), eval[string](p, "document.querySelector('.ledger').innerText")
	p.share()
	require.Equal(t, "Copy link", eval[string](p, "document.activeElement.textContent.trim()"), "focus goes into the dialog")
	p.inShare("Copy link")
	p.until("globalThis.copied !== undefined")
	p.until("document.querySelector('dialog.share [role=status]').innerText === 'Link copied'")
	address := eval[string](p, "copied")
	require.Regexp(t, `^http://127\.0\.0\.1:\d+/lessons/10-bounce/#r=0&i=`+fmt.Sprint(at)+`&c=[0-9a-f]{8}$`, address)
	p.inShare("✕")
	p.until("document.querySelector('dialog') === null")
	place := strings.TrimPrefix(address, p.base)
	p.visit(place)
	p.until(fmt.Sprintf("controllerscopePage.at() === %d", at))
	require.Equal(t, shown, eval[string](p, "document.querySelector('.ledger').innerText"))
	require.Empty(t, eval[string](p, "document.querySelector('.notice')?.innerText.trim() ?? ''"))
	p.visit(place[:len(place)-8] + "01234567")
	p.until("document.querySelector('.notice')?.innerText.includes('another recording') === true")
	require.Equal(t, at, eval[int](p, "controllerscopePage.at()"))
	p.clean()
}

// TestShareWithAnswersHidden: the link opens with questions open and nothing told, also for a reader who has answered; what
// was answered before stays.
func TestShareWithAnswersHidden(t *testing.T) {
	p := open(t, setting{script: kept})
	answerAll(p, "10-bounce")
	p.visit("lessons/10-bounce/#s=3")
	p.until("location.hash.startsWith('#s=3&')")
	p.share()
	p.inShare("Copy link, answers hidden")
	p.until("globalThis.copied !== undefined")
	address := eval[string](p, "copied")
	require.Regexp(t, `#s=3&c=[0-9a-f]{8}&h=1$`, address)
	before := eval[string](p, "localStorage.getItem('controllerscope.answers.10-bounce')")
	p.visit(strings.TrimPrefix(address, p.base))
	told := embedded(t, "10-bounce")
	p.until(fmt.Sprintf("controllerscopePage.runs() === %d && document.querySelector('#headline').innerText.trim() === '···'", len(told.Runs)))
	require.NotContains(t, eval[string](p, everyWord), told.Texts["en"].Stops[told.Stops()[2].ID].Headline)
	require.Contains(t, eval[string](p, "location.hash"), "&h=1", "a reload stays hidden")
	p.press("End", false)
	p.until("document.querySelector('form.predict') !== null")
	p.click("form.predict .row2 button[type=button]")
	require.Equal(t, before, eval[string](p, "localStorage.getItem('controllerscope.answers.10-bounce')"))
	p.clean()
}

// TestShareFiles saves the picture, the steps and the trace.
func TestShareFiles(t *testing.T) {
	for _, theme := range []string{"light", "dark"} {
		p := open(t, setting{script: kept})
		answerAll(p, "10-bounce")
		p.visit("lessons/10-bounce/#s=" + stopNumber(t, "10-bounce", "read"))
		p.until("document.querySelector('link[href*=\"later-\"]')?.sheet != null")
		p.theme(theme)
		p.share()
		p.inShare("Picture (PNG)")
		png := p.file("10-bounce.png")
		require.Equal(t, "\x89PNG", string(png[:4]))
		require.NoError(t, os.WriteFile(filepath.Join(screens(t), "share-"+theme+".png"), png, 0o644))
		require.Equal(t, "[2,2,true,true]", eval[string](p, pictured), "%s: the picture is twice the stage, has its ground and its colours", theme)
		p.inShare("Picture (SVG)")
		require.Contains(t, string(p.file("10-bounce.svg")), "/brokers/ids")
		p.inShare("Trace (JSON)")
		saved, err := trace.Read("10-bounce.trace.json", p.file("10-bounce.trace.json"))
		require.NoError(t, err)
		l := embedded(t, "10-bounce")
		require.Equal(t, recorded(t, l.Inputs(l.Runs[0])).Hash(), saved.Hash())
		p.inShare("Steps (Markdown)")
		lines := strings.Split(strings.TrimSpace(string(p.file("10-bounce.md"))), "\n")
		require.Contains(t, lines[2], saved.Hash().String())
		from := max(0, eval[int](p, "controllerscopePage.from(0)"))
		require.Len(t, lines[6:], len(saved.Steps)-from)
		require.True(t, strings.HasPrefix(lines[6], fmt.Sprintf("| %d | ", from)), lines[6])
		p.clean()
	}
}

// pictured compares the picture with the stage: its scale, whether its ground is that of the page, and whether it has as many
// colours as a drawn stage.
const pictured = `(async () => {
  const image = await createImageBitmap(saved.find(f => f.name.endsWith('.png')).bytes), stage = document.querySelector('#stage');
  const c = document.createElement('canvas');
  [c.width, c.height] = [image.width, image.height];
  const pen = c.getContext('2d');
  pen.drawImage(image, 0, 0);
  const data = pen.getImageData(0, 0, c.width, c.height).data, seen = new Map();
  for (let i = 0; i < data.length; i += 4) { const k = [data[i], data[i + 1], data[i + 2]].join(); seen.set(k, (seen.get(k) ?? 0) + 1); }
  const ground = getComputedStyle(stage).backgroundColor.match(/\d+/g).slice(0, 3).join();
  const most = [...seen].sort((a, b) => b[1] - a[1]).slice(0, 4).map(x => x[0]);
  return JSON.stringify([image.width / stage.clientWidth, image.height / Math.max(stage.clientHeight, stage.scrollHeight), most.includes(ground), seen.size > 100]);
})()`

// TestShareAWhatIf: a what-if is shared as the script of a sandbox, which comes to the same end.
func TestShareAWhatIf(t *testing.T) {
	p := open(t, setting{script: kept})
	answerAll(p, "10-bounce")
	p.visit("lessons/10-bounce/#s=3")
	p.press("f", false)
	p.until("document.querySelector('.inspector .do button[title=\"broker kill 2\"]:not(:disabled)') !== null")
	eval[int](p, "([...document.querySelectorAll('.inspector .do button.box:not(:disabled)')].find(b => b.title === 'broker kill 2').click(), 1)")
	p.until("document.querySelector('.transport .leave') !== null")
	hash := eval[string](p, "controllerscopePage.hash()")
	p.share()
	p.inShare("Copy link to the sandbox")
	p.until("globalThis.copied !== undefined")
	address := eval[string](p, "copied")
	require.Less(t, len(address), 1800)
	p.load(strings.TrimPrefix(address, p.base))
	p.until("globalThis.controllerscopePage?.ops?.() === 1 && controllerscopePage.ready()")
	require.Equal(t, hash, eval[string](p, "controllerscopePage.hash()"))
	require.Empty(t, eval[string](p, "document.querySelector('.notice').innerText.trim()"))
	p.clean()
}

// TestShareOfTheSandbox: the same dialog; the link opens the same run.
func TestShareOfTheSandbox(t *testing.T) {
	p := open(t, setting{script: kept})
	sandbox(p, "sandbox/", "orders", 1)
	p.do("broker kill 1")
	link := eval[string](p, "controllerscopePage.link()")
	p.share()
	p.inShare("Copy link")
	p.until("globalThis.copied !== undefined")
	require.Equal(t, p.base+"sandbox/"+link, eval[string](p, "copied"))
	p.inShare("Script")
	require.Contains(t, string(p.file("sandbox.txt")), "broker kill 1")
	p.inShare("Picture (PNG)")
	require.Equal(t, "\x89PNG", string(p.file("sandbox.png")[:4]))
	p.clean()
}

// hostPage is a page of somebody else's with a lesson in a frame at its top and much below it.
const hostPage = `<!doctype html><title>Course</title><body><iframe src=%s width="900" height="500" title="lesson"></iframe><div id="below"></div><script>
globalThis.heights = [];
addEventListener('message', e => { if (e.data?.controllerscope === 'height') { heights.push(e.data.height); document.querySelector('iframe').height = e.data.height; } });
document.querySelector('#below').style.height = '6000px';
globalThis.inner = () => document.querySelector('iframe').contentWindow;
</script>`

// TestEmbed shows a lesson in a frame: stage and bar only, no question in the way, its height told, at rest when it is
// scrolled out of sight.
func TestEmbed(t *testing.T) {
	p := open(t, setting{serve: func(w http.ResponseWriter, r *http.Request) bool {
		if r.URL.Path != "/host" {
			return false
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, hostPage, quote("lessons/10-bounce/?embed=1#s=2"))
		return true
	}})
	p.load("host")
	p.until("inner()?.document.querySelector('.embedbar') != null")
	require.Equal(t, "[]", eval[string](p, "JSON.stringify([...inner().document.querySelectorAll('.top, .rail, .inspector, .score, .transport')].map(e => e.className))"))
	p.until("heights.at(-1) === 560") // 900 px wide
	p.until("inner().innerHeight === 560")
	require.LessOrEqual(t, eval[int](p, "inner().document.documentElement.scrollHeight - inner().innerHeight"), 1, "nothing to scroll")
	key := func(k string) {
		eval[int](p, "(inner().document.dispatchEvent(new (inner().KeyboardEvent)('keydown', {key: "+quote(k)+", bubbles: true})), 1)")
	}
	last, runs := len(embedded(t, "10-bounce").Stops()), len(embedded(t, "10-bounce").Runs)
	p.until(fmt.Sprintf("inner().controllerscopePage.runs() === %d", runs))
	key("End")
	p.until(fmt.Sprintf("inner().document.querySelector('.embedbar .count').innerText === '%d / %d'", last, last))
	require.True(t, eval[bool](p, "inner().localStorage.getItem('controllerscope.answers.10-bounce') === null"), "nothing is answered in the reader's name")
	key("Home")
	key(" ")
	p.until("inner().document.querySelector('.embedbar [aria-label=Pause]') !== null")
	eval[int](p, "(scrollTo(0, 5000), 1)")
	p.until("inner().document.querySelector('.embedbar [aria-label=Play]') !== null")
	p.clean()
}

// TestEmbedOnlyWhenAskedFor: a page of another origin may show a lesson with embed=1 and no other page of the site.
func TestEmbedOnlyWhenAskedFor(t *testing.T) {
	p := open(t, setting{})
	for query, shown := range map[string]bool{"?embed=1": true, "": false} {
		host := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprintf(w, hostPage, quote(p.base+"lessons/10-bounce/"+query))
		}))
		t.Cleanup(host.Close)
		require.NoError(t, chromedp.Do(p.ctx, chromedp.Navigate(host.URL)))
		if shown {
			p.until("heights.length > 0")
			continue
		}
		eval[int](p, "new Promise(ok => setTimeout(() => ok(1), 1000))")
		require.Zero(t, eval[int](p, "heights.length"))
	}
}

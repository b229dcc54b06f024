package browser

import (
	"fmt"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"controllerscope/core/trace"
)

// heardMotion writes down every animation of an overlay node: the kind of step, how it looks, how long it takes and whether it
// travels. It runs before the scripts of the page.
const heardMotion = `{ const animate = Element.prototype.animate; globalThis.moved = [];
Element.prototype.animate = function (frames, time) {
  const a = animate.call(this, frames, time);
  if (this.parentElement?.className === 'motion') {
    moved.push({kind: this.dataset.kind ?? '', look: this.className, ms: time.duration, travels: frames.some(f => f.transform && f.transform !== frames[0].transform), text: this.textContent});
  }
  return a;
}; }
`

type motion struct {
	Kind    string `json:"kind"`
	Look    string `json:"look"`
	Ms      int    `json:"ms"`
	Travels bool   `json:"travels"`
	Text    string `json:"text"`
}

// shownOverlays counts overlay nodes that show something.
const shownOverlays = "[...document.querySelectorAll('.motion > *')].filter(e => e.className !== '').length"

// openMotion opens a lesson with its questions skipped, at a stop, once motion is there.
func openMotion(t *testing.T, lesson, stop string) *page {
	t.Helper()
	p := open(t, setting{script: heardMotion})
	answerAll(p, lesson)
	p.visit("lessons/" + lesson + "/#s=" + stopNumber(t, lesson, stop))
	p.reached(lesson, stop, "en")
	p.until("document.querySelector('.motion') !== null")
	return p
}

// forward makes one step at a time and tells what moved, without waiting for any of it.
func (p *page) forward(steps int) []motion {
	p.t.Helper()
	eval[int](p, "(moved.length = 0, 1)")
	for range steps {
		p.press("ArrowRight", true)
	}
	return eval[[]motion](p, "moved")
}

// TestMotionTakesItsTime steps through the death of a broker: each kind moves as long as the design says, at speed 1 and,
// within 80 and 900 ms, at others.
func TestMotionTakesItsTime(t *testing.T) {
	want := map[string]int{ // the first motion of each kind
		"zk.read": 320, "watch.arm": 140, "zk.multi": 420, "watch.fire": 480, "event.put": 220, "event.take": 260,
		"ctx.set": 240, "sm.move": 520, "req.batch": 160, "req.send": 260, "req.deliver": 460, "resp": 340, "session.expire": 400,
	}
	p := openMotion(t, "08-broker-dies", "silent")
	first := map[string]int{}
	moved := p.forward(164)
	for _, m := range moved {
		if _, seen := first[m.Kind]; !seen {
			first[m.Kind] = m.Ms
		}
	}
	for kind, ms := range want {
		require.Equal(t, ms, first[kind], kind)
	}
	looks := map[string]bool{}
	for _, m := range moved {
		looks[m.Look] = true
	}
	for _, look := range []string{"m-packet", "m-chip", "m-card", "m-token", "m-star", "m-bracket", "m-ghost", "m-flip"} {
		require.True(t, looks[look], "nothing looked like %s", look)
	}
	require.LessOrEqual(t, eval[int](p, "document.querySelector('.motion').childElementCount"), 24)

	p.press("Home", false)
	for range 2 { // 1×, 2×, 4×
		p.click(".transport .speed")
	}
	fast := p.forward(164)
	for _, m := range fast {
		require.GreaterOrEqual(t, m.Ms, 80, m.Kind)
		if m.Kind == "watch.fire" && m.Look == "m-packet" {
			require.Equal(t, 120, m.Ms)
		}
		if m.Kind == "watch.arm" && m.Look == "m-pop" {
			require.Equal(t, 80, m.Ms)
		}
	}
	p.clean()
}

// TestMotionEndsWithInput sees that any key ends what moves, that a jump and the scrubber show no motion, and that a step back
// only outlines what it took back.
func TestMotionEndsWithInput(t *testing.T) {
	p := openMotion(t, "10-bounce", "deleted")
	require.NotEmpty(t, p.forward(1))
	require.Positive(t, eval[int](p, shownOverlays))
	p.press("Alt", false)
	require.Zero(t, eval[int](p, shownOverlays))

	eval[int](p, "(moved.length = 0, 1)")
	eval[int](p, "(() => { const r = document.querySelector('.track input'); r.value = Number(r.value) + 3; r.dispatchEvent(new Event('input')); return 1 })()")
	p.press("End", false)
	p.press("Home", false)
	require.Empty(t, eval[[]motion](p, "moved"))

	p.press("ArrowRight", false)
	p.press("ArrowRight", false)
	p.press("ArrowRight", false)
	eval[int](p, "(moved.length = 0, 1)")
	p.press("ArrowLeft", false)
	back := eval[[]motion](p, "moved")
	require.NotEmpty(t, back)
	for _, m := range back {
		require.Equal(t, "m-outline", m.Look)
		require.False(t, m.Travels)
	}
	p.clean()
}

// TestLessMotionIsNone asks for less motion, in the system and on the page: nothing travels, the ends are numbered.
func TestLessMotionIsNone(t *testing.T) {
	for name, ask := range map[string]func(p *page){
		"page":   func(p *page) { p.press("m", false) },
		"system": func(p *page) { p.reduceMotion() },
	} {
		t.Run(name, func(t *testing.T) {
			p := openMotion(t, "08-broker-dies", "silent")
			ask(p)
			if name == "system" {
				p.until("matchMedia('(prefers-reduced-motion: reduce)').matches")
			}
			moved := p.forward(60)
			require.NotEmpty(t, moved)
			ends := 0
			for _, m := range moved {
				require.False(t, m.Travels, fmt.Sprint(m))
				if m.Look == "m-ends" {
					require.Equal(t, "①②", m.Text)
					ends++
				}
			}
			require.Positive(t, ends)
			p.clean()
		})
	}
}

// reduceMotion has the browser say that the system asks for less motion.
func (p *page) reduceMotion() {
	p.t.Helper()
	_, err := chromedp.Call(p.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-reduced-motion", Value: "reduce"}}})
	require.NoError(p.t, err)
}

// TestWatchLinesOnlyWhereTheyMatter has a line from the bell that this step arms, none at other steps, and the lines of a
// znode that has the focus: one to each client that the document names.
func TestWatchLinesOnlyWhereTheyMatter(t *testing.T) {
	p, tr := openScript(t, zombie, setting{})
	p.until("document.querySelector('.watchlines') !== null")
	armed := -1
	for i, s := range tr.Steps {
		if s.Kind == "watch.arm" && s.Entity == "/brokers/ids" {
			armed = i
		}
	}
	require.NotEqual(t, -1, armed)
	p.gotoStep(armed)
	require.Equal(t, 1, eval[int](p, "document.querySelectorAll('.watchlines .armed').length"))
	p.gotoStep(armed + 1)
	if tr.Steps[armed+1].Kind != "watch.arm" {
		require.Zero(t, eval[int](p, "document.querySelectorAll('.watchlines path').length"))
	}
	p.gotoStep(len(tr.Steps) - 1)
	require.Zero(t, eval[int](p, "document.querySelectorAll('.watchlines path').length"))
	c := trace.NewCursor(tr)
	c.Seek(len(tr.Steps) - 1)
	clients := map[string]bool{}
	for _, kind := range c.Doc().Names("watch", "/controller") {
		for _, session := range c.Doc().Names("watch", "/controller", kind) {
			clients[shown(c.Doc().Get("session", session, "client"))] = true
		}
	}
	require.NotEmpty(t, clients)
	eval[int](p, "(document.querySelector('.row[data-path=\"/controller\"] .val').focus(), "+drawn+")")
	require.Equal(t, len(clients), eval[int](p, "document.querySelectorAll('.watchlines .armed').length"))
	p.clean()
}

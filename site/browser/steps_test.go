package browser

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"controllerscope/core/env"
	"controllerscope/core/trace"
	"controllerscope/lessons"
)

// walk steps through a run in the page and tells of every step its document's hash and the text of all panels; backwards
// also. It is a function of the page, so that a step costs no round trip.
const walk = `(async () => {
  const hex = async text => [...new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))].map(b => b.toString(16).padStart(2, '0')).join('');
  const drawn = () => new Promise(ok => requestAnimationFrame(() => requestAnimationFrame(ok)));
  // Parts that shrink to their room learn it in a real frame, when what observes sizes is told.
  const told = () => new Promise(ok => { const o = new ResizeObserver(() => { o.disconnect(); ok(); }); o.observe(document.body); });
  const step = async key => { document.dispatchEvent(new KeyboardEvent('keydown', {key, shiftKey: true, bubbles: true})); await drawn(); await settled(); };
  const page = controllerscopePage, text = () => document.querySelector('#app').innerText.replace(/\s+/g, ' ');
  // A part that is asked for the first time comes over the network: what is shown before it is there is not yet the step's.
  const there = async () => { while (page.onTheWay() > 0) await drawn(); };
  const settled = async () => { await there(); for (let i = 0, last = ''; i < 10 && last !== (last = text()); i++) { await told(); await drawn(); await there(); } };
  const rows = () => [...document.querySelectorAll('.ledger .row[data-path]')].map(r => [r.dataset.path, r.querySelector('.zk .val')?.textContent ?? '', r.querySelector('.sp')?.textContent ?? '', r.querySelector('.bl .val')?.textContent ?? '']);
  const states = () => [...document.querySelectorAll('.card')].map(c => c.innerText.replace(/\s+/g, ' '));
  const forward = [];
  await settled();
  for (;;) {
    forward.push({at: page.at(), run: page.run(), dump: await hex(page.dump()), text: text(), rows: rows(), cards: states(), two: document.querySelectorAll(".future").length, ages: document.querySelectorAll(".ages").length});
    const [at, run] = [page.at(), page.run()];
    await step('ArrowRight');
    if (page.at() === at && page.run() === run) break;
  }
  for (let i = forward.length - 1; ; i--) {
    forward[i].back = text();
    if (i === 0) break;
    await step('ArrowLeft');
  }
  return forward;
})()`

type walked struct {
	At    int        `json:"at"`
	Run   int        `json:"run"`
	Dump  string     `json:"dump"`
	Text  string     `json:"text"`
	Back  string     `json:"back"`
	Rows  [][]string `json:"rows"`
	Cards []string   `json:"cards"`
	Two   int        `json:"two"`  // futures side by side, in place of the stage
	Ages  int        `json:"ages"` // the ages of notifications, in place of ledger and cards
}

// TestEveryStepForwardAndBack goes through all runs of a lesson: at every step the page's document is the core's, the ledger
// and the brokers' cards show what it says, and the panels are the same on the way back.
func TestEveryStepForwardAndBack(t *testing.T) {
	for _, name := range lessons.Names() {
		t.Run(name, func(t *testing.T) {
			p := open(t, setting{})
			answerAll(p, name)
			p.visit("lessons/" + name + "/")
			l := embedded(t, name)
			p.until(fmt.Sprintf("controllerscopePage.runs() === %d", len(l.Runs)))
			p.press("End", false)
			p.press("ArrowLeft", false) // where futures stand side by side, their part of the page has to be fetched first
			p.until("document.querySelector('.loading') === null")
			p.press("Home", false)
			steps := eval[[]walked](p, walk)
			k := 0
			for n, r := range l.Runs {
				tr := recorded(t, l.Inputs(r))
				from := max(0, eval[int](p, fmt.Sprintf("controllerscopePage.from(%d)", n)))
				k += requireWalk(t, tr, n, from, steps[k:])
			}
			require.Equal(t, len(steps), k)
			p.clean()
		})
	}
}

// requireWalk compares what was seen of run n, from a step to its end, with the documents of its trace. It returns the number
// of steps.
func requireWalk(t *testing.T, tr *trace.Trace, n, from int, steps []walked) int {
	t.Helper()
	c := trace.NewCursor(tr)
	rows, ages := 0, 0
	for i := from; i < len(tr.Steps); i++ {
		require.Less(t, i-from, len(steps), "run %d, step %d", n, i)
		s := steps[i-from]
		require.Equal(t, [2]int{n, i}, [2]int{s.Run, s.At})
		c.Seek(i)
		if sum := sha256.Sum256([]byte(dump(c.Doc()))); hex.EncodeToString(sum[:]) != s.Dump {
			require.Fail(t, "another document", "run %d, step %d", n, i)
		}
		requireSame(t, s.Text, s.Back, "run %d, step %d, coming back", n, i)
		if s.Two == 0 && s.Ages == 0 {
			requireShown(t, c.Doc(), s)
		}
		rows += len(s.Rows)
		ages += s.Ages
	}
	require.Positive(t, rows+ages, "run %d: the ledger never had a row", n)
	return len(tr.Steps) - from
}

// requireSame compares long texts and shows where they part.
func requireSame(t *testing.T, a, b, format string, args ...any) {
	t.Helper()
	i := 0
	for i < min(len(a), len(b)) && a[i] == b[i] {
		i++
	}
	if len(a) != len(b) || i < len(a) {
		require.Failf(t, "not the same", format+": %.200q, then %.200q", append(args, a[max(0, i-60):], b[max(0, i-60):])...)
	}
}

var tags = regexp.MustCompile(`zxid:0x([0-9a-f]+)|session:0x[0-9a-f]*([0-9a-f]{4})|corr:(\d+)`)

// shown is a value as the page writes it.
func shown(v any) string {
	if v == nil {
		return ""
	}
	return tags.ReplaceAllStringFunc(fmt.Sprint(v), func(tag string) string {
		m := tags.FindStringSubmatch(tag)
		switch {
		case m[1] != "":
			return "0x" + strings.ToUpper(m[1])
		case m[2] != "":
			return "…" + m[2]
		}
		return m[3]
	})
}

// requireShown compares rows and cards with the document that they are pictures of.
func requireShown(t *testing.T, d *trace.Document, s walked) {
	t.Helper()
	lead := shown(d.Get("view", "lead"))
	for _, row := range s.Rows {
		path, truth, mark, belief := row[0], row[1], row[2], row[3]
		at := fmt.Sprintf("run %d, step %d, %s", s.Run, s.At, path)
		if value := d.Get("view", "row", path, "value"); value == nil {
			require.Contains(t, []string{"", "absent"}, truth, at)
		} else {
			require.True(t, strings.HasSuffix(shown(value), truth), "%s: the row shows %q, ZooKeeper has %q", at, truth, shown(value))
		}
		b, _ := d.Get("view", "belief", lead, path).(env.Record)
		if lead == "" || b == nil {
			continue
		}
		require.Equal(t, shown(b.Get("mark")), strings.TrimSpace(mark), at)
		if shown(b.Get("mark")) != "" {
			require.Equal(t, shown(b.Get("value")), belief, at)
		}
	}
	brokers, clients := d.Names("broker"), d.Names("client")
	require.Len(t, s.Cards, len(brokers)+len(clients))
	for i, c := range clients {
		card := s.Cards[len(brokers)+i]
		require.Contains(t, card, "Client "+c)
		for _, path := range d.Names("client", c, "sees") {
			require.Contains(t, card, path)
			if list, _ := d.Get("client", c, "sees", path, "children").([]any); list != nil {
				require.Contains(t, card, strings.NewReplacer("[", "{", " ", ",", "]", "}").Replace(fmt.Sprint(list)), "run %d, step %d", s.Run, s.At)
			}
		}
	}
	for i, b := range brokers {
		require.Contains(t, s.Cards[i], "broker "+b)
		if d.Get("broker", b, "up") == true {
			require.Contains(t, s.Cards[i], shown(d.Get("view", "broker", b)))
		} else {
			require.Contains(t, s.Cards[i], "✕ down")
		}
		for _, tp := range d.Names("view", "chip", b) {
			chip, _ := d.Get("view", "chip", b, tp).(env.Record)
			require.Contains(t, s.Cards[i], tp)
			if d.Get("broker", b, "up") == true && chip.Get("role") == "" && (chip.Get("zk") == true || chip.Get("ctl") == true) {
				require.Regexp(t, regexp.QuoteMeta(tp)+",? not hosted", s.Cards[i], "run %d, step %d", s.Run, s.At)
			}
		}
	}
}

package browser

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"controllerscope/core/env"
	"controllerscope/core/run"
	"controllerscope/core/trace"
	"controllerscope/lessons"
)

// openScript opens a page on the recording of a script, with a stop at every step, in place of a lesson's.
func openScript(t *testing.T, script string, s setting) (*page, *trace.Trace) {
	t.Helper()
	p, tr := openTold(t, script, s, true)
	p.until("document.querySelector('#headline').innerText.includes('Step 0')")
	return p, tr
}

// openTold does so with or without stops; without, the page tells each step in its own words.
func openTold(t *testing.T, script string, s setting, told bool) (*page, *trace.Trace) {
	t.Helper()
	tr := recorded(t, run.Inputs{Seed: 1, Script: script})
	sentences, err := lessons.Sentences("en")
	require.NoError(t, err)
	type stop struct {
		ID       string `json:"id"`
		Run      int    `json:"run"`
		Act      int    `json:"act"`
		At       int    `json:"at"`
		Title    string `json:"title"`
		Headline string `json:"headline"`
		Sentence string `json:"sentence"`
	}
	stops := []stop{}
	for i, step := range tr.Steps {
		if !told {
			break
		}
		stops = append(stops, stop{ID: fmt.Sprint("s", i), At: i, Title: string(step.Kind), Headline: fmt.Sprint("Step ", i), Sentence: sentences[step.Msg]})
	}
	page, err := json.Marshal(map[string]any{"id": "script", "number": 99, "title": "A script", "messages": sentences, "stops": stops,
		"acts": []map[string]string{{"title": "All"}}, "runs": []map[string]any{{"trace": "script.json", "from": 0}}})
	require.NoError(t, err)
	s.serve = func(w http.ResponseWriter, r *http.Request) bool {
		switch {
		case strings.Contains(r.URL.Path, "/a/10-bounce-main-"):
			w.Write(tr.JSON())
		case strings.Contains(r.URL.Path, "/a/10-bounce-en-"):
			w.Write(page)
		default:
			return false
		}
		return true
	}
	p := open(t, s)
	p.visit("lessons/10-bounce/")
	return p, tr
}

// gotoStep moves the cursor of a page made by openScript.
func (p *page) gotoStep(i int) {
	p.t.Helper()
	eval[int](p, fmt.Sprintf("(location.hash = '#s=%d', 1)", i+1))
	p.until(fmt.Sprintf("document.querySelector('#headline').innerText.includes('Step %d')", i))
}

// zombie is a controller that is held while another is elected, and then writes.
const zombie = `cluster brokers=0,1,2 auto.leader.rebalance.enable=false
broker start 0
until idle
broker start 1
until idle
broker start 2
until idle
topic create orders [1,2,0] [2,0,1]
until idle
hold zk.0
broker kill 2
zk delete /controller
until idle
release zk.0
until idle
`

// TestTwoControllersStandBesideOneTruth shows both columns while two brokers think that they are the controller: each row
// says the lead's belief with Kafka's name of the field, and the other's, with ≠ where it is wrong.
func TestTwoControllersStandBesideOneTruth(t *testing.T) {
	p, tr := openScript(t, zombie, setting{})
	c := trace.NewCursor(tr)
	at := -1
	for i := range tr.Steps {
		c.Seek(i)
		if len(c.Doc().Names("view", "controller")) == 2 && shown(c.Doc().Get("view", "mismatch", "0")) != "0" {
			at = i
		}
	}
	require.NotEqual(t, -1, at, "two controllers at a time, one of them wrong")
	c.Seek(at)
	p.gotoStep(at)
	require.Contains(t, eval[string](p, "document.querySelector('.t-ctl').innerText"), "Two controllers")
	require.Equal(t, "broker 1", eval[string](p, "document.querySelector('.who b').innerText"))
	require.Contains(t, eval[string](p, "document.querySelector('.tcard.stale').innerText"), "thinks it is controller")
	rows := eval[[][]string](p, `[...document.querySelectorAll('.ledger .row[data-path]')].map(r => [r.dataset.path, r.querySelector('.bl .val')?.textContent ?? '', r.querySelector('.bl .field')?.textContent ?? '', r.querySelector('.other .val')?.textContent.replace(/\s+/g, ' ').trim() ?? ''])`)
	compared := 0
	for _, row := range rows {
		lead, _ := c.Doc().Get("view", "belief", "1", row[0]).(env.Record)
		other, _ := c.Doc().Get("view", "belief", "0", row[0]).(env.Record)
		if lead == nil || other == nil || lead.Get("mark") == "" {
			continue
		}
		compared++
		require.Equal(t, shown(lead.Get("value")), row[1], row[0])
		require.Equal(t, shown(lead.Get("field")), row[2], row[0])
		require.True(t, strings.HasSuffix(row[3], shown(other.Get("value"))), "%s: %q", row[0], row[3])
		require.Equal(t, other.Get("mark") == "≠", strings.HasPrefix(row[3], "≠"), row[0])
	}
	require.GreaterOrEqual(t, compared, 5)

	refused := -1
	for i, s := range tr.Steps {
		if s.Kind == "zk.error" && s.Msg == "zk.multi" {
			refused = i
		}
	}
	require.NotEqual(t, -1, refused, "a transaction is refused")
	p.gotoStep(refused)
	require.Contains(t, eval[string](p, "document.querySelector('.refusal').innerText"), "no znode changed")
	p.axe("two controllers")
	p.clean()
}

// captions steps through a recording without stops and collects what the page says of each step.
const captions = `(async () => { const out = [], page = controllerscopePage; for (;;) {
  out.push([document.querySelector('#headline span').innerText, document.querySelector('.caption p').innerText]);
  const at = page.at();
  document.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowRight', shiftKey: true, bubbles: true}));
  await new Promise(ok => requestAnimationFrame(() => requestAnimationFrame(ok)));
  if (page.at() === at) return out;
} })()`

// TestAStepTellsItselfInItsRoom reads the captions of a script that nobody wrote stops for: each has a headline and a
// sentence, both short enough for their lines, and none is a bare key.
func TestAStepTellsItselfInItsRoom(t *testing.T) {
	p, tr := openTold(t, zombie, setting{}, false)
	p.until("controllerscopePage.length() > 0")
	p.press("Home", false)
	all := eval[[][2]string](p, captions)
	require.Len(t, all, len(tr.Steps))
	key := regexp.MustCompile(`^[a-zA-Z]+(\.[a-zA-Z-]+)+$`)
	for i, c := range all {
		require.NotEmpty(t, c[0], "step %d", i)
		require.LessOrEqual(t, len([]rune(c[0])), 52, c[0])
		require.NotEmpty(t, c[1], "step %d", i)
		require.LessOrEqual(t, len([]rune(c[1])), 160, c[1])
		require.NotRegexp(t, key, c[0])
		require.NotRegexp(t, key, c[1])
	}
	p.clean()
}

// TestChartsFirstNamesEverybody compares the tokens of the large charts with the states that the controller believes.
func TestChartsFirstNamesEverybody(t *testing.T) {
	p := open(t, setting{})
	answerAll(p, "13-deletion")
	p.visit("lessons/13-deletion/#s=" + stopNumber(t, "13-deletion", "parked"))
	p.reached("13-deletion", "parked", "en")
	require.True(t, eval[bool](p, "document.querySelector('.stage.first .charts.first') !== null"))
	tokens := eval[[]string](p, "[...document.querySelectorAll('.chart.replica .token')].map(g => g.textContent.trim())")
	require.ElementsMatch(t, []string{"✓ tmp-0·1", "✓ tmp-0·0", "▲ tmp-0·2"}, tokens)
	require.Contains(t, eval[string](p, "document.querySelector('.charts .hidden').textContent"), "tmp-0·2: Ineligible; may go to: Online, Offline")

	// No two edges leave or arrive at the same point.
	ends := eval[[]string](p, `[...document.querySelectorAll('.chart.replica .edge')].flatMap(e => { const q = e.getPointAtLength(e.getTotalLength()), a = e.getPointAtLength(0); return [a, q].map(x => Math.round(x.x) + ' ' + Math.round(x.y)); })`)
	seen := map[string]bool{}
	for _, e := range ends {
		require.False(t, seen[e], "two edges meet at %s", e)
		seen[e] = true
	}
	p.axe("charts first")
	p.clean()
}

// axe runs axe-core over what the page shows now.
func (p *page) axe(name string) {
	p.t.Helper()
	code, err := os.ReadFile(filepath.Join(site, "node_modules", "axe-core", "axe.min.js"))
	require.NoError(p.t, err)
	eval[int](p, string(code)+";1")
	require.Empty(p.t, eval[[]string](p, "axe.run().then(r => r.violations.flatMap(v => v.nodes.map(n => v.id + ': ' + n.target.join(' '))))"), name)
}

// TestManyBrokersAggregate shows a world of seven brokers: five cards, among them the controller and the one that is down,
// the others in a line, and nothing outside of its box.
func TestManyBrokersAggregate(t *testing.T) {
	script := "cluster brokers=0,1,2,3,4,5,6\nbroker start 0\nuntil idle\n"
	for b := 1; b <= 6; b++ {
		script += fmt.Sprintf("broker start %d\n", b)
	}
	script += "until idle\ntopic create pay 12x3\nuntil idle\nbroker kill 6\nuntil idle\n"
	p, tr := openTold(t, script, setting{}, false)
	p.until("controllerscopePage.length() > 0")
	p.press("End", false)
	eval[int](p, fmt.Sprintf("(location.hash = '#r=0&i=%d', %s)", len(tr.Steps)-1, drawn))
	p.until(fmt.Sprintf("controllerscopePage.at() === %d", len(tr.Steps)-1))
	require.Equal(t, []string{"0", "1", "2", "3", "6"}, eval[[]string](p, "[...document.querySelectorAll('.slot[data-b]')].map(e => e.dataset.b)"))
	require.Contains(t, eval[string](p, "document.querySelector('.slot.rest').innerText"), "2 more brokers: 4 5")
	require.Contains(t, eval[string](p, "document.querySelector('.slot[data-b=\"6\"]').innerText"), "✕ down")
	require.Empty(t, eval[[]string](p, `[...document.querySelectorAll('.card')].filter(c => [...c.children].some(k => k.getBoundingClientRect().bottom > c.getBoundingClientRect().bottom + 1)).map(c => c.innerText)`))
	require.Equal(t, "7 sessions, 1 lost", eval[string](p, "document.querySelector('.sessions .many').innerText"))
	p.axe("many brokers")
	p.clean()
}

// bothWays goes on by stops, or by steps from a given one, to the end and back and tells where the page says another thing.
const bothWays = `(async (shift, most) => {
  const step = key => { document.dispatchEvent(new KeyboardEvent('keydown', {key, shiftKey: shift, bubbles: true})); return new Promise(ok => requestAnimationFrame(() => requestAnimationFrame(ok))); };
  const text = () => document.querySelector('#app').innerText.replace(/\s+/g, ' '), place = () => controllerscopePage.run() + ' ' + controllerscopePage.at();
  const there = [];
  for (let i = 0; i < most; i++) { there.push([place(), text()]); await step('ArrowRight'); if (place() === there.at(-1)[0]) break; }
  if (place() !== there.at(-1)[0]) await step('ArrowLeft');
  const wrong = [];
  for (let i = there.length - 1; ; i--) {
    if (place() !== there[i][0] || text() !== there[i][1]) wrong.push(there[i][0] + ' | ' + there[i][1] + ' | ' + place() + ' | ' + text());
    if (i === 0) break;
    await step('ArrowLeft');
  }
  return [String(there.length), ...wrong];
})`

// TestPicturesAreTheSameBothWays goes through the pictures of charts first, ages and two controllers, forward and back.
func TestPicturesAreTheSameBothWays(t *testing.T) {
	for name, picture := range map[string]string{"13-deletion": ".chart", "16-purge": ".ages"} {
		t.Run(name, func(t *testing.T) {
			p := open(t, setting{})
			answerAll(p, name)
			p.visit("lessons/" + name + "/")
			p.until(fmt.Sprintf("controllerscopePage.runs() === %d", len(embedded(t, name).Runs)))
			p.press("End", false)
			p.until("document.querySelector(" + quote(picture) + ") !== null")
			eval[int](p, "(location.hash = '#s=1', "+drawn+")")
			p.until("document.querySelector('.rail .here span').textContent === '1'")
			p.until("controllerscopePage.onTheWay() === 0")
			got := eval[[]string](p, bothWays+"(false, 99)")
			require.Len(t, got, 1, strings.Join(got, "\n"))
			require.Equal(t, strconv.Itoa(len(embedded(t, name).Stops())), got[0])
			p.clean()
		})
	}
	t.Run("two controllers", func(t *testing.T) {
		p, tr := openScript(t, zombie, setting{})
		p.gotoStep(len(tr.Steps) - 160)
		got := eval[[]string](p, bothWays+"(true, 160)")
		require.Len(t, got, 1, strings.Join(got, "\n"))
		p.clean()
	})
}

package browser

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// branched begins a history with two futures: one with a name, one that is shown.
func branched(p *page) {
	p.t.Helper()
	sandbox(p, "sandbox/", "orders", 1)
	p.do("broker kill 2")
	eval[int](p, "(i => { i.value = ' without 2 '; i.dispatchEvent(new Event('change')); return 1; })(document.querySelector('.history .with input'))")
	p.until("document.querySelector('.history .here button').textContent === 'without 2'")
	p.press("u", false)
	p.do("broker kill 1")
}

// historyShown is the history as it stands on the page, and what may be compared with.
const historyShown = "[...document.querySelectorAll('.history li')].map(l => (l.matches('.here') ? '*' : '') + l.textContent.trim().replace(/\\s+/g, ' ')).join(' | ')"

// TestSandboxNamesABranch: a branch has the name that the reader gives it, and is found by it.
func TestSandboxNamesABranch(t *testing.T) {
	p := open(t, setting{})
	branched(p)
	require.Equal(t, "", eval[string](p, "document.querySelector('.history .with input').value"))
	require.Contains(t, eval[string](p, "document.querySelector('.history select').textContent"), ": without 2")
	p.clean()
}

// TestALinkCarriesTheHistory: its operations, branches and names are there again, each with its own run, and can be compared.
func TestALinkCarriesTheHistory(t *testing.T) {
	p := open(t, setting{})
	branched(p)
	link, hash, in := eval[string](p, "controllerscopePage.link()"), eval[string](p, "controllerscopePage.hash()"), p.requireExecuted()
	require.True(t, strings.HasPrefix(link, "#v=2&seed=1&k="), link)
	require.Less(t, len(link), 450)
	shown := eval[string](p, historyShown)
	require.Equal(t, "set-up | topic create orders [1,2,0] [2,0,1] | without 2 | *broker kill 1 another future after topic create orders [1,2,0] [2,0,1]", shown)
	p.load("sandbox/" + link)
	p.until("controllerscopePage.ops() === 4 && controllerscopePage.ready()")
	require.Equal(t, shown, eval[string](p, historyShown))
	require.Equal(t, hash, eval[string](p, "controllerscopePage.hash()"))
	require.Equal(t, in, p.requireExecuted())
	require.Equal(t, link, eval[string](p, "controllerscopePage.link()"), "and it is the same link")
	eval[int](p, "(s => { s.value = [...s.options].at(-1).value; s.dispatchEvent(new Event('change')); return 1; })(document.querySelector('.history select'))")
	p.until("document.querySelector('.main.two .future') !== null")
	p.press("Escape", false)
	p.press("u", false)
	p.do("broker kill 0") // a history that was opened goes on as any other
	require.Equal(t, 5, eval[int](p, "document.querySelectorAll('.history li').length"))
	p.clean()
}

// TestADamagedHistoryIsSaid: a link whose history does not fit together opens nothing; one whose operation is none opens what there is.
func TestADamagedHistoryIsSaid(t *testing.T) {
	root := []any{-1, -1, "", "", ""}
	p := open(t, setting{})
	for _, history := range [][]any{nil, {}, {"x"}, {[]any{0, -1, "", "", ""}}, {root, []any{1, 0, "broker kill 1", "", ""}}, {root, []any{0, 0.5, "broker kill 1", "", ""}}, {root, []any{0, 0, 7, "", ""}}} {
		p.load("sandbox/" + historyLink(t, history))
		p.until("document.querySelector('.notice')?.textContent.includes('This link is damaged') === true")
		require.Equal(t, 0, eval[int](p, "controllerscopePage.ops()"))
	}
	p.load("sandbox/" + historyLink(t, []any{root, []any{0, -1, "broker kil 1", "", ""}}))
	p.until("controllerscopePage.ops() === 1 && document.querySelector('.notice')?.textContent.includes('kil') === true")
	p.clean()
}

// historyLink packs a history that begins with one broker.
func historyLink(t *testing.T, history []any) string {
	t.Helper()
	text, err := json.Marshal([]any{"cluster brokers=0\nbroker start 0\nuntil idle\n", "", nil, history, 0})
	require.NoError(t, err)
	var packed bytes.Buffer
	w, err := flate.NewWriter(&packed, flate.BestCompression)
	require.NoError(t, err)
	_, err = w.Write(text)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return "#v=2&seed=1&k=" + base64.RawURLEncoding.EncodeToString(packed.Bytes())
}

// TestTheHistoryOnAPhone: where there is no room for a tree it is a list below the operations, which says where a future leaves.
func TestTheHistoryOnAPhone(t *testing.T) {
	p := open(t, setting{})
	branched(p)
	link := eval[string](p, "controllerscopePage.link()")
	for lang, words := range map[string][2]string{"": {"Operations", "another future after topic create orders [1,2,0] [2,0,1]"}, "zh/": {"操作", "topic create orders [1,2,0] [2,0,1] 之后的另一种未来"}} {
		for _, width := range []int64{390, 320} {
			p.size(width, 844, 1)
			p.load(lang + "sandbox/" + link)
			p.until("controllerscopePage.ops() === 4 && controllerscopePage.ready()")
			require.Zero(t, eval[int](p, "document.querySelectorAll('.history').length"))
			eval[int](p, "([...document.querySelectorAll('.transport .box')].find(b => b.textContent === "+quote(words[0])+").click(), "+drawn+")")
			p.until("document.querySelectorAll('.sheet .history li').length === 4")
			require.Equal(t, words[1], eval[string](p, "document.querySelector('.history .offshoot small').textContent"))
			require.Empty(t, eval[[]string](p, "[...document.querySelectorAll('.history :is(button, input, select)')].filter(e => e.offsetHeight < 44).map(e => e.textContent)"))
			require.True(t, eval[bool](p, "(s => s.scrollWidth <= s.clientWidth)(document.querySelector('.sheet'))"))
			for _, theme := range []string{"light", "dark"} {
				p.theme(theme)
				p.axe(lang + "history " + theme)
			}
			eval[int](p, "([...document.querySelectorAll('.history li button')].find(b => b.textContent === 'without 2').click(), "+drawn+")")
			p.until("document.querySelector('.sheet') === null")
			require.Contains(t, p.requireExecuted().Script, "broker kill 2\n", "the way there closes the sheet")
		}
	}
	p.clean()
}

// TestAThousandNotices: one more change makes every broker list all of them and act on one; after 15 minutes the next one has
// them purged. The link has the line a thousand times and is short all the same.
func TestAThousandNotices(t *testing.T) {
	p := open(t, setting{})
	sandbox(p, "sandbox/", "notices", 1)
	const lying = "controllerscopePage.dump().split('\\n').filter(l => /^\\[\"zk\",\"\\/config\\/changes\\/[^\"]+\",\"czxid\"\\]/.test(l)).length"
	require.Equal(t, 1001, eval[int](p, lying))
	in := p.requireExecuted()
	require.Equal(t, 1000, strings.Count(in.Setup, "config set topics/orders retention.ms=60000\n"))
	require.Less(t, eval[int](p, "controllerscopePage.link().then(l => l.length)"), 600)
	p.press("z", false)
	p.until("controllerscopePage.ops() === 3 && controllerscopePage.ready()")
	p.do("config set topics/orders retention.ms=90000")
	require.Equal(t, 1, eval[int](p, lying), "the last one is new")
	p.clean()
}

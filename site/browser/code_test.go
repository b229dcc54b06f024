package browser

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"
)

// inspect opens a tab of the inspector at a stop of a lesson whose questions were skipped.
func inspect(p *page, name, stop, tab string) {
	p.t.Helper()
	p.visit("lessons/" + name + "/#s=" + stopNumber(p.t, name, stop))
	p.reached(name, stop, "en")
	p.click("#tab-" + tab)
	p.until("document.querySelector('#pane .hint')?.textContent !== 'Loading the recording…'")
}

const litLines = "[...document.querySelectorAll('.lines .lit code')].map(e => e.textContent.trim())"

// TestCodeInSync: the line of the step is lit in Kafka's function and in ours, a line lights the steps it made, a stop that
// is pointed at lights its lines, and links lead to Kafka's file and the article.
func TestCodeInSync(t *testing.T) {
	p := open(t, setting{})
	answerAll(p, "10-bounce")
	inspect(p, "10-bounce", "bounced", "code")
	p.until("document.querySelectorAll('.lines .here').length > 0")
	require.Equal(t, "KafkaController.processBrokerChange", eval[string](p, "document.querySelector('#form h3').textContent"))
	require.Len(t, eval[[]string](p, "[...document.querySelectorAll('.lines .here')].map(e => e.textContent)"), 3, "new, dead, bounced are one step")
	require.Zero(t, eval[int](p, "document.querySelectorAll('.rail li.lit').length"))

	bounced := 1 + eval[int](p, "[...document.querySelectorAll('.lines li')].findIndex(e => e.textContent.includes('bounced = in both'))")
	p.focus(fmt.Sprintf(".lines li:nth-child(%d)", bounced))
	p.until("document.querySelectorAll('.rail li.lit').length > 0")
	require.Contains(t, eval[string](p, "document.querySelector('.rail li.lit').textContent"), "Epochs differ: bounced")
	p.focus("#tab-code")
	p.until("document.querySelectorAll('.rail li.lit').length === 0")

	eval[int](p, "([...document.querySelectorAll('.rail li')].find(e => e.textContent.includes('Lane 2 replaced')).querySelector('button').focus(), 1)")
	p.until("JSON.stringify(" + litLines + ").includes('close and open')")

	p.focus("#form-pseudo")
	p.keys(kb.ArrowRight)
	p.until("document.querySelector('.lines.go') !== null")
	require.Contains(t, eval[string](p, "document.querySelector('#form h3').textContent"), "core/controller/brokers.go")
	require.Contains(t, eval[string](p, "document.querySelector('.lines.go').textContent"), "processBrokerChange")
	p.keys(kb.ArrowRight)
	p.until("document.querySelector('#form a') !== null")
	require.Equal(t, []string{"https://github.com/apache/kafka/blob/2.8.2/core/src/main/scala/kafka/controller/KafkaController.scala", p.base + "articles/#S0"},
		eval[[]string](p, "[...document.querySelectorAll('#form a')].map(a => a.href)"))
	p.clean()
}

// TestCodeTellsNothingAhead: a line lights no step behind an open question.
func TestCodeTellsNothingAhead(t *testing.T) {
	p := ask(t, "08-broker-dies", "written", setting{})
	require.Equal(t, "Predict first", eval[string](p, "document.querySelector('#pane').innerText.trim()"))
	at := eval[int](p, "controllerscopePage.at()")
	p.press("ArrowLeft", false)
	p.click("#tab-code")
	p.until("document.querySelectorAll('.lines .runs').length > 3")
	n := eval[int](p, "document.querySelectorAll('.lines li').length")
	for i := 1; i <= n; i++ {
		eval[int](p, fmt.Sprintf("(document.querySelector('.lines li:nth-child(%d)').dispatchEvent(new MouseEvent('mouseenter')), %s)", i, drawn))
		lit := eval[[]int](p, "[...document.querySelectorAll('.rail li')].map((e, i) => e.classList.contains('lit') ? i : -1).filter(i => i >= 0)")
		for _, stop := range lit {
			require.False(t, eval[bool](p, fmt.Sprintf("document.querySelectorAll('.rail li')[%d].querySelector('button').disabled", stop)))
		}
	}
	require.Less(t, eval[int](p, "controllerscopePage.at()"), at+1)
	p.clean()
}

// TestInspectorTellsWhatDiffers: beliefs that differ lead to their line, gauges stand under their JMX names, invariants say
// whether they hold.
func TestInspectorTellsWhatDiffers(t *testing.T) {
	p := open(t, setting{})
	answerAll(p, "10-bounce")
	inspect(p, "10-bounce", "anything", "mismatch")
	p.until("document.querySelector('#pane .facts') !== null")
	marks := eval[int](p, "document.querySelectorAll('.ledger .ne').length")
	require.Positive(t, marks)
	require.Equal(t, marks, eval[int](p, "document.querySelectorAll('#pane tbody tr').length"))
	require.Equal(t, "/brokers/ids/2", eval[string](p, "document.querySelector('#pane tbody th').textContent.trim()"))
	p.click("#pane tbody th .link")
	require.Equal(t, "/brokers/ids/2", eval[string](p, "document.activeElement.closest('[data-path]')?.dataset.path ?? ''"))

	p.click("#tab-metrics")
	p.until("document.querySelector('#pane .facts') !== null && document.querySelector('#pane th code') !== null")
	require.Contains(t, strings.ReplaceAll(eval[string](p, "document.querySelector('#pane').textContent"), "\u200b", ""), "kafka.controller:type=KafkaController,name=OfflinePartitionsCount")
	require.Contains(t, strings.ReplaceAll(eval[string](p, "document.querySelector('#pane').textContent"), "\u200b", ""), "kafka.controller:type=KafkaController,name=ActiveControllerCount")

	p.click("#tab-invariants")
	p.until("document.querySelectorAll('#pane .invariants li').length === 8")
	require.Equal(t, 6, eval[int](p, "document.querySelectorAll('#pane .invariants .good').length"), "two are looked at when the world is idle only")
	require.Contains(t, eval[string](p, "document.querySelector('#pane').textContent"), "A partition's leader is in its ISR, or there is none.")
	p.clean()
}

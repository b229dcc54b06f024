package browser

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"
)

// ask opens a page at a lesson's question; those before it were skipped.
func ask(t *testing.T, name, id string, s setting) *page {
	t.Helper()
	l := embedded(t, name)
	answers := map[string]string{}
	for _, stop := range l.Stops() {
		if stop.ID == id {
			break
		}
		if stop.Ask != nil {
			answers[stop.ID] = ""
		}
	}
	text, err := json.Marshal(answers)
	require.NoError(t, err)
	p := open(t, s)
	p.visit("")
	eval[int](p, "(localStorage.setItem('controllerscope.answers."+name+"', "+quote(string(text))+"), 1)")
	p.visit("lessons/" + name + "/")
	p.until(fmt.Sprintf("controllerscopePage.runs() === %d", len(l.Runs)))
	p.press("End", false)
	if s.width > 700 && s.width <= 1180 {
		p.click(".handle .primary")
	}
	question := strings.ReplaceAll(l.Texts["en"].Stops[id].Question, "`", "")
	p.until("document.querySelector('form.predict legend')?.textContent.includes(" + quote(question) + ") === true")
	p.until("document.querySelector('form.predict [name=choice]') !== null")
	return p
}

// keys types on the real keyboard.
func (p *page) keys(keys string) {
	p.t.Helper()
	require.NoError(p.t, chromedp.Do(p.ctx, chromedp.KeyEvent(keys)))
	eval[int](p, drawn)
}

// focus puts the focus on what a selector finds.
func (p *page) focus(selector string) {
	p.t.Helper()
	require.True(p.t, eval[bool](p, "(document.querySelector("+quote(selector)+").focus(), document.activeElement === document.querySelector("+quote(selector)+"))"), selector)
}

// TestEveryKindOfPredictionByKeyboard answers a question of each kind with nothing but keys, rightly and wrongly, and reads
// what is said of the answer.
func TestEveryKindOfPredictionByKeyboard(t *testing.T) {
	down := func(n int) string { return strings.Repeat(kb.ArrowDown, n) }
	for _, c := range []struct {
		kind, lesson, stop string
		first              string // what has the focus before the keys
		keys               string
		kept               string
		right              bool
	}{
		{"choice", "10-bounce", "second", "input[value=no]", " \r", "no", true},
		{"stop", "13-deletion", "ineligible", "input[value=stop]", " \r", "stop", true},
		{"stop", "13-deletion", "ineligible", "input[value=continue]", " \r", "continue", false},
		{"multi", "16-purge", "skip", "input[value='2']", " \t \r", "2,3", true},
		{"multi", "16-purge", "skip", "input[value='2']", " \r", "2", false},
		{"value", "07-topic", "down", "input[name=choice]", "[0, 1]\r", "[0, 1]", true},
		{"value", "07-topic", "down", "input[name=choice]", "2,0,1\r", "2,0,1", false},
		// marker, topic, config: the topic goes up, then the config; focus stays on the button of what was moved.
		{"order", "13-deletion", "znodes", `[data-move="topic -1"]`, "\r", "topic,marker,config", false},
		{"move", "13-deletion", "refused", "select[name=choice]", down(5) + "\t" + down(6) + "\t\r", "ReplicaDeletionStarted>ReplicaDeletionIneligible", true},
		{"move", "13-deletion", "refused", "select[name=choice]", down(5) + "\t" + down(4) + "\t\r", "ReplicaDeletionStarted>OfflineReplica", false},
	} {
		t.Run(c.kind+" "+c.kept, func(t *testing.T) {
			p := ask(t, c.lesson, c.stop, setting{})
			p.focus("form.predict " + c.first)
			p.keys(c.keys)
			if c.kind == "order" {
				require.Equal(t, "topic 1", eval[string](p, "document.activeElement.dataset.move"), "at the top it can only go down")
				p.focus("form.predict button.primary")
				p.keys("\r")
			}
			p.answered(c.lesson, c.stop, c.kept, c.right)
			p.clean()
		})
	}
}

// answered waits for what is said of an answer, and checks it.
func (p *page) answered(lesson, stop, kept string, right bool) {
	p.t.Helper()
	p.until("document.querySelector('.predict.told .choice') !== null")
	var answers map[string]string
	require.NoError(p.t, json.Unmarshal([]byte(eval[string](p, "localStorage.getItem('controllerscope.answers."+lesson+"')")), &answers))
	require.Equal(p.t, kept, answers[stop])
	mark := "bad"
	if right {
		mark = "good"
	}
	require.Equal(p.t, 1, eval[int](p, "document.querySelectorAll('.rail .here .ask."+mark+"').length"))
	said := eval[string](p, "document.querySelector('.predict.told').textContent.replace(/\\s+/g, ' ')")
	for _, choice := range embedded(p.t, lesson).Texts["en"].Stops[stop].Choices {
		require.Contains(p.t, said, strings.ReplaceAll(choice.Why, "`", ""), "every answer has its sentence")
	}
}

// TestAZnodeIsChosenOnTheStage answers by the line of the ledger, which the field follows, and by the field alone.
func TestAZnodeIsChosenOnTheStage(t *testing.T) {
	state := "/brokers/topics/orders/partitions/1/state"
	p := ask(t, "08-broker-dies", "written", setting{})
	row := ".ledger [data-path='" + state + "']"
	p.focus(row + " button.val")
	p.keys("\r")
	require.Equal(t, state, eval[string](p, "document.querySelector('form.predict select').value"))
	require.True(t, eval[bool](p, "document.querySelector("+quote(row)+").classList.contains('spot')"))
	p.click("form.predict button.primary")
	p.answered("08-broker-dies", "written", state, true)
	p.clean()

	p = ask(t, "08-broker-dies", "written", setting{})
	n := eval[int](p, "[...document.querySelector('form.predict select').options].findIndex(o => o.value === '/controller_epoch')")
	require.Greater(t, n, 0)
	p.focus("form.predict select")
	p.keys(strings.Repeat(kb.ArrowDown, n) + "\t\r")
	p.answered("08-broker-dies", "written", "/controller_epoch", false)
	p.clean()
}

// TestNothingChosenIsNoAnswer and what one was sure of is counted.
func TestNothingChosenIsNoAnswer(t *testing.T) {
	p := ask(t, "16-purge", "skip", setting{})
	p.click("form.predict button.primary")
	require.True(t, eval[bool](p, "document.querySelector('form.predict') !== null"), "the question stays")
	require.Equal(t, "Choose at least one.", eval[string](p, "document.querySelector('form.predict input').validationMessage"))
	p.click("form.predict input[value='2']")
	p.click("form.predict input[value='3']")
	p.click("form.predict input[name=sure]")
	p.click("form.predict button.primary")
	p.answered("16-purge", "skip", "2,3", true)
	require.Equal(t, "Predictions: 1 of 1 right. Of those you were sure of: 1 of 1.", eval[string](p, "document.querySelector('.tally').textContent.trim()"))
	p.visit("lessons/16-purge/")
	p.until("document.querySelector('.tally')?.textContent.includes('sure of: 1 of 1') === true")
	p.clean()
}

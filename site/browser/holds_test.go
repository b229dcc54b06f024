package browser

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"controllerscope/lessons"
)

// strike presses real keys, as a keyboard does.
func (p *page) strike(keys string) {
	p.t.Helper()
	require.NoError(p.t, chromedp.Do(p.ctx, chromedp.KeyEvent(keys)))
	eval[int](p, drawn)
}

// TestLesson10ByKeyboardAlone goes through the lesson with nothing but keys: every stop is told, every question is reached
// with Tab, answered with the arrows and Enter, and found right; nothing takes the focus away.
func TestLesson10ByKeyboardAlone(t *testing.T) {
	l := embedded(t, "10-bounce")
	text := l.Texts["en"]
	p := open(t, setting{})
	p.visit("lessons/10-bounce/")
	p.until(fmt.Sprintf("controllerscopePage.runs() === %d", len(l.Runs)))
	for n, stop := range l.Stops() {
		if n > 0 {
			p.strike(kb.ArrowRight)
		}
		if stop.Ask != nil {
			p.until("document.querySelector('form.predict') !== null")
			p.answerByKeys(stop.Ask.Right[0])
		}
		p.reached("10-bounce", stop.ID, "en")
		require.Contains(t, eval[string](p, "document.querySelector('.caption p').innerText.replace(/\\s+/g, ' ')"),
			asShown(text.Stops[stop.ID].Sentence), stop.ID)
		if stop.Ask != nil && eval[int](p, "document.querySelectorAll('.future').length") == 0 { // two futures leave no room for the card
			require.Equal(t, 1, eval[int](p, "document.querySelectorAll('.predict.told .choice.good').length"), stop.ID)
			require.Zero(t, eval[int](p, "document.querySelectorAll('.predict.told .choice.bad').length"), stop.ID)
		}
	}
	p.strike(kb.Home)
	require.Equal(t, max(0, eval[int](p, "controllerscopePage.from(0)")), eval[int](p, "controllerscopePage.at()"))
	p.clean()
}

// answerByKeys walks to the question, to a choice, and commits.
func (p *page) answerByKeys(choice string) {
	p.t.Helper()
	const onRadio = "document.activeElement?.matches('form.predict input[type=radio]')"
	for i := 0; !eval[bool](p, onRadio+" === true"); i++ {
		require.Less(p.t, i, 120, "Tab never comes to the question")
		p.strike(kb.Tab)
	}
	p.strike(" ")
	for i := 0; eval[string](p, "document.querySelector('form.predict input:checked')?.value ?? ''") != choice; i++ {
		require.Less(p.t, i, 8, "the arrows never come to %s", choice)
		p.strike(kb.ArrowDown)
	}
	p.strike(kb.Enter)
	p.until("document.querySelector('form.predict') === null")
}

// TestLesson10WithoutTheCore forbids WASM: the lesson plays to its end all the same, questions and all.
func TestLesson10WithoutTheCore(t *testing.T) {
	l := embedded(t, "10-bounce")
	p := open(t, setting{serve: stricter(t, "script-src 'self'")})
	p.visit("lessons/10-bounce/")
	p.until(fmt.Sprintf("controllerscopePage.runs() === %d", len(l.Runs)))
	for n, stop := range l.Stops() {
		if n > 0 {
			p.press("ArrowRight", false)
		}
		if stop.Ask != nil {
			p.until("document.querySelector('form.predict') !== null")
			eval[int](p, "(document.querySelector('form.predict input[value="+stop.Ask.Right[0]+"]').click(), document.querySelector('form.predict').requestSubmit(), 1)")
		}
		p.reached("10-bounce", stop.ID, "en")
	}
}

// TestLesson10AsText reads the lesson with scripts, pictures and colours off: every stop with what it tells and changes,
// every question with its choices, and the answers behind a summary that Enter opens.
func TestLesson10AsText(t *testing.T) {
	p := open(t, setting{})
	_, err := chromedp.Call(p.ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
	require.NoError(t, err)
	p.load("lessons/10-bounce/text/")
	eval[int](p, "([...document.styleSheets].forEach(s => { s.disabled = true; }), 1)")
	for _, lang := range []string{"en", "zh"} {
		if lang == "zh" {
			p.load("zh/lessons/10-bounce/text/")
		}
		l := embedded(t, "10-bounce")
		for n, stop := range l.Stops() {
			where := fmt.Sprintf("%s, stop %d (%s)", lang, n+1, stop.ID)
			said := eval[string](p, fmt.Sprintf("document.querySelector('#s%d').textContent.replace(/\\s+/g, ' ')", n+1))
			told := l.Texts[lang].Stops[stop.ID]
			for _, part := range []string{told.Headline, told.Sentence, told.Question} {
				require.Contains(t, said, asShown(part), where)
			}
			for _, c := range told.Choices {
				require.Contains(t, said, c.Text, where)
				require.Contains(t, said, c.Why, where)
			}
			require.Regexp(t, `t = \d+ ms`, said, where)
		}
	}
	hidden := "[...document.querySelectorAll('details')].filter(d => !d.open).length"
	questions := eval[int](p, hidden)
	require.Positive(t, questions)
	for i := 0; !eval[bool](p, "document.activeElement.tagName === 'SUMMARY' && document.activeElement.closest('.stop') !== null"); i++ {
		require.Less(t, i, 200, "Tab never comes to an answer")
		require.NoError(t, chromedp.Do(p.ctx, chromedp.KeyEvent(kb.Tab)))
	}
	require.NoError(t, chromedp.Do(p.ctx, chromedp.KeyEvent(kb.Enter)))
	require.Equal(t, questions-1, eval[int](p, hidden))
}

// tryAnswers gives each answer to the question that End leads to, and reads what the page says of it. An answer is
// FROM>TO of a move, ids with commas of a multi or an order, else an id.
const tryAnswers = `(async (kind, stop, given, before) => {
  const drawn = () => new Promise(ok => requestAnimationFrame(() => requestAnimationFrame(ok)));
  const soon = () => new Promise(ok => setTimeout(ok, 20)), out = [];
  for (const one of given) {
    controllerscopePage.answer(before);
    await drawn();
    document.dispatchEvent(new KeyboardEvent('keydown', {key: 'End', bubbles: true}));
    for (let i = 0; i < 200 && !document.querySelector('form.predict [name=choice]'); i++) await soon();
    const form = document.querySelector('form.predict'), fields = [...form.querySelectorAll('[name=choice]')], words = one.split(kind === 'move' ? '>' : ',');
    if (kind === 'order') {
      for (let i = 0; i < words.length; i++) for (;;) {
        const ids = [...document.querySelectorAll('form.predict [name=choice]')].map(x => x.value), k = ids.indexOf(words[i]);
        if (k <= i) break;
        document.querySelector('form.predict [data-move="' + words[i] + ' -1"]').click();
        await drawn();
      }
    } else if (fields[0].type === 'radio' || fields[0].type === 'checkbox') fields.filter(f => words.includes(f.value)).forEach(f => f.click());
    else if (kind === 'move') fields.forEach((f, i) => { f.value = words[i]; });
    else { fields[0].value = one; fields[0].dispatchEvent(new Event('change', {bubbles: true})); }
    form.requestSubmit();
    for (let i = 0; i < 200 && !document.querySelector('.predict.told'); i++) {
      await soon(); // where two futures leave no room for the card, it stands beside the next stop
      if (document.querySelector('.future')) document.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowRight', bubbles: true}));
    }
    const told = document.querySelector('.predict.told');
    out.push({bad: [...told.querySelectorAll('.choice.bad')].map(e => e.innerText).join(' '), good: [...told.querySelectorAll('.choice.good')].map(e => e.innerText).join(' ')});
  }
  return out;
})`

// TestEveryPrediction answers every question of every lesson in the page: the model answer is accepted, and each distractor
// is refused with its own sentence.
func TestEveryPrediction(t *testing.T) {
	type said struct{ Bad, Good string }
	for _, name := range lessons.Names() {
		t.Run(name, func(t *testing.T) {
			l := embedded(t, name)
			p := open(t, setting{})
			p.visit("lessons/" + name + "/")
			p.until(fmt.Sprintf("controllerscopePage.runs() === %d", len(l.Runs)))
			before := map[string]string{}
			for _, stop := range l.Stops() {
				if stop.Ask == nil {
					continue
				}
				model := stop.Ask.Right[0]
				if stop.Ask.Kind == "multi" || stop.Ask.Kind == "order" {
					model = strings.Join(stop.Ask.Right, ",")
				}
				given := []string{model}
				var whys []string
				for _, c := range l.Texts["en"].Stops[stop.ID].Choices {
					if stop.Ask.Kind != "order" && !slices.Contains(stop.Ask.Right, c.ID) {
						given, whys = append(given, c.ID), append(whys, asShown(c.Why))
					}
				}
				got := eval[[]said](p, fmt.Sprintf("%s(%s, %s, %s, %s)", tryAnswers, quote(stop.Ask.Kind), quote(stop.ID), mustJSON(t, given), mustJSON(t, before)))
				require.Empty(t, got[0].Bad, "%s: the model answer %s", stop.ID, model)
				require.NotEmpty(t, got[0].Good, stop.ID)
				for i, why := range whys {
					require.Contains(t, asShown(got[i+1].Bad), why, "%s: distractor %s", stop.ID, given[i+1])
				}
				before[stop.ID] = ""
			}
			p.clean()
		})
	}
}

// asShown is prose as the page shows it: no backticks, single spaces.
func asShown(s string) string {
	return strings.Join(strings.Fields(strings.ReplaceAll(s, "`", "")), " ")
}

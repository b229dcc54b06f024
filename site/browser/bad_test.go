package browser

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"controllerscope/site/serve"
)

// stricter serves pages and the worker with a policy of its own beside that of the page, so that the browser itself forbids
// something.
func stricter(t *testing.T, policy string) func(http.ResponseWriter, *http.Request) bool {
	return func(w http.ResponseWriter, r *http.Request) bool {
		file, kind := r.URL.Path, "text/javascript"
		if strings.HasSuffix(file, "/") {
			file, kind = file+"index.html", "text/html"
		} else if !strings.Contains(file, "worker-") {
			return false
		}
		w.Header().Set("Content-Security-Policy", policy)
		w.Header().Set("Content-Type", kind)
		w.Write([]byte(siteFile(t, file)))
		return true
	}
}

// TestWithoutTheCoreRecordingsPlay forbids WASM, then workers: "what if" says why it cannot, and stepping goes on.
func TestWithoutTheCoreRecordingsPlay(t *testing.T) {
	for name, policy := range map[string]string{"wasm": "script-src 'self'", "worker": "worker-src 'none'"} {
		t.Run(name, func(t *testing.T) {
			p := open(t, setting{serve: stricter(t, policy)})
			p.visit("lessons/10-bounce/")
			p.press("f", false)
			p.until("document.querySelector('.inspector .err') !== null")
			require.Regexp(t, `^The simulator could not start \(.+\)\. Lessons still play from recordings\.$`, eval[string](p, "document.querySelector('.inspector .err').innerText"))
			require.Equal(t, []string{"Try again", "Copy report"}, eval[[]string](p, "[...document.querySelectorAll('.inspector .err + .row2 button')].map(b => b.innerText)"))
			at := eval[int](p, "controllerscopePage.at()")
			p.press("ArrowRight", false)
			require.Greater(t, eval[int](p, "controllerscopePage.at()"), at)
		})
	}
}

// TestTheCoreOnItsWay has a worker that never answers: each page that needs the core says what it waits for, and a lesson plays.
func TestTheCoreOnItsWay(t *testing.T) {
	p := open(t, setting{serve: func(w http.ResponseWriter, r *http.Request) bool {
		if !strings.Contains(r.URL.Path, "worker-") {
			return false
		}
		w.Header().Set("Content-Type", "text/javascript")
		fmt.Fprint(w, "onmessage = () => {};")
		return true
	}})
	bar := "(document.querySelector('progress.coming')?.getAttribute('aria-label') ?? '')"
	for path, words := range map[string]string{
		"lessons/10-bounce/":    "The core is loading, a little over a megabyte.",
		"zh/lessons/10-bounce/": "核心正在加载，大小一兆多一点。",
		"sandbox/":              "The core is loading; it is a little over a megabyte.",
		"exercises/":            "The core is loading, a little over a megabyte; exercises need it.",
	} {
		p.load(path)
		if strings.Contains(path, "lessons") {
			p.until(whole)
			p.press("f", false)
		}
		p.until(bar + " === " + quote(words))
		p.until("document.querySelector('progress.coming').offsetHeight === 2") // its style sheet comes behind the first picture
	}
	p.visit("lessons/10-bounce/")
	p.press("f", false)
	p.until(bar + " !== ''")
	at := eval[int](p, "controllerscopePage.at()")
	p.press("ArrowRight", false)
	require.Greater(t, eval[int](p, "controllerscopePage.at()"), at)
	p.clean()
}

// TestACoreThatIsNotThere: the host lost core.wasm.
func TestACoreThatIsNotThere(t *testing.T) {
	p := open(t, setting{serve: func(w http.ResponseWriter, r *http.Request) bool {
		if !strings.HasSuffix(r.URL.Path, ".wasm") {
			return false
		}
		http.NotFound(w, r)
		return true
	}})
	p.visit("lessons/10-bounce/")
	p.press("f", false)
	p.until("document.querySelector('.inspector .err')?.innerText.includes('HTTP 404') === true")
}

// TestAStoppedCore has a worker whose core panics: the card holds what a report needs, the last state stays.
func TestAStoppedCore(t *testing.T) {
	const answer = `{"panic":{"message":"partition orders-0 has no assignment","setup":"cluster brokers=0,1,2","script":"broker kill 2","seed":7,"step":41,"stack":""}}`
	p := open(t, setting{serve: func(w http.ResponseWriter, r *http.Request) bool {
		if !strings.Contains(r.URL.Path, "worker-") {
			return false
		}
		w.Header().Set("Content-Type", "text/javascript")
		fmt.Fprintf(w, "onmessage = e => postMessage({id: e.data.id, json: e.data.op === 'init' ? '{}' : %s});", quote(answer))
		return true
	}})
	p.visit("lessons/10-bounce/")
	before := eval[string](p, "document.querySelector('.ledger').innerText")
	p.press("f", false)
	p.until("document.querySelector('.panic') !== null")
	card := eval[string](p, "document.querySelector('.panic').innerText")
	for _, part := range []string{"The core stopped", "partition orders-0 has no assignment", "cluster brokers=0,1,2", "broker kill 2", "seed 7", "step 41", "Copy report"} {
		require.Contains(t, card, part)
	}
	require.Equal(t, before, eval[string](p, "document.querySelector('.ledger').innerText"))
	p.clean()
}

// TestADamagedRecordingIsSaid: the page says what is wrong with a trace, in one sentence.
func TestADamagedRecordingIsSaid(t *testing.T) {
	for name, c := range map[string]struct{ old, new, says string }{
		"newer":    {`{"schema":1,`, `{"schema":2,`, "it has schema 2, this page reads up to 1"},
		"denser":   {`"packed":1,`, `"packed":2,`, "it has schema 1.2, this page reads up to 1"},
		"cut off":  {`"steps":[`, `"steps"`, "The recording cannot be shown: "},
		"no steps": {`"steps":[`, `"steps":[],"was":[`, "it has no steps"},
		"no lane":  {`"steps":[{"lane":"admin",`, `"steps":[{`, "its step 0 does not fit the one before"},
	} {
		t.Run(name, func(t *testing.T) {
			p := open(t, setting{serve: func(w http.ResponseWriter, r *http.Request) bool {
				if !strings.Contains(r.URL.Path, "10-bounce-main-") {
					return false
				}
				w.Write([]byte(strings.Replace(siteFile(t, r.URL.Path), c.old, c.new, 1)))
				return true
			}})
			p.load("lessons/10-bounce/")
			p.until("document.querySelector('.notice span') !== null")
			require.Contains(t, eval[string](p, "document.querySelector('.notice').innerText"), c.says)
			require.Contains(t, eval[string](p, panels), "Controllerscope")
		})
	}
}

// TestNoMemory denies storage: the lesson plays, and when there is an answer to keep the page says that it cannot.
func TestNoMemory(t *testing.T) {
	p := open(t, setting{script: "Object.defineProperty(window, 'localStorage', {get() { throw new DOMException('denied', 'SecurityError'); }});"})
	p.visit("lessons/10-bounce/#s=20")
	p.until("document.querySelector('form.predict') !== null")
	eval[int](p, "(document.querySelector('form.predict input').click(), document.querySelector('form.predict').requestSubmit(), 1)")
	p.until("document.querySelector('.notice').innerText.includes('keeps no answers')")
	p.clean()
}

func TestAWrongLinkIsSaidAndThePageGoesOn(t *testing.T) {
	p := open(t, setting{})
	p.visit("lessons/10-bounce/#s=999")
	p.until("document.querySelector('.notice').innerText.includes('a stop that the lesson does not have')")
	p.visit("lessons/10-bounce/#s=2&c=00000000")
	p.until("document.querySelector('.notice').innerText.includes('another recording')")
	at := eval[int](p, "controllerscopePage.at()")
	p.press("ArrowRight", false)
	require.Greater(t, eval[int](p, "controllerscopePage.at()"), at)
	p.clean()
}

func TestFromAnySubPath(t *testing.T) {
	for _, prefix := range []string{"/", "/a/b/"} {
		p := open(t, setting{prefix: prefix})
		p.visit("")
		p.visit("lessons/10-bounce/")
		require.Contains(t, eval[string](p, "document.querySelector('.ledger').innerText"), "/brokers/ids")
		p.press("f", false)
		p.until("document.querySelector('.inspector .choices, .inspector .do') !== null") // the core is there too
		p.visit("zh/lessons/10-bounce/")
		require.Equal(t, "zh", eval[string](p, "document.documentElement.lang"))
		p.clean()
	}
}

// TestNothingIsToldBeforeTheAnswer goes to the first question of the bounce: what its stop says comes after the answer, and
// the link to it gives nothing away.
func TestNothingIsToldBeforeTheAnswer(t *testing.T) {
	p := open(t, setting{})
	p.visit("lessons/10-bounce/#s=20")
	told := embedded(t, "10-bounce").Texts["en"].Stops["second"].Headline
	p.until("document.querySelector('form.predict') !== null")
	require.NotContains(t, eval[string](p, "document.body.innerText"), told)
	eval[int](p, "(document.querySelector('form.predict input').click(), document.querySelector('form.predict').requestSubmit(), 1)")
	p.until("document.querySelector('#headline').innerText.includes(" + quote(told) + ")")
	p.clean()
}

func TestThePolicyOfThePagesIsThatOfTheServer(t *testing.T) {
	p := open(t, setting{})
	p.visit("lessons/10-bounce/")
	require.Equal(t, serve.Policy, eval[string](p, "document.querySelector('meta[http-equiv=Content-Security-Policy]').content"))
}

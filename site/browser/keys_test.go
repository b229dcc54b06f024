package browser

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestShare copies the address of what is shown; it opens the same place, and one with another hash is said to be of another
// recording.
func TestShare(t *testing.T) {
	p := open(t, setting{script: "Object.defineProperty(navigator, 'clipboard', {value: {writeText: async x => { globalThis.copied = x; }}});"})
	answerAll(p, "10-bounce")
	p.visit("lessons/10-bounce/#s=" + stopNumber(t, "10-bounce", "read"))
	p.press("ArrowRight", true)
	p.press("ArrowRight", true)
	at, shown := eval[int](p, "controllerscopePage.at()"), eval[string](p, "document.querySelector('.ledger').innerText")
	p.press("s", false)
	p.until("globalThis.copied !== undefined")
	p.until("document.querySelector('.notice').innerText.trim() !== ''")
	address := eval[string](p, "copied")
	require.Regexp(t, `^http://127\.0\.0\.1:\d+/lessons/10-bounce/#r=0&i=`+fmt.Sprint(at)+`&c=[0-9a-f]{8}$`, address)
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

// TestTheWhyKey asks for the causes of what is shown: newest first, an operation from outside last.
func TestTheWhyKey(t *testing.T) {
	p := open(t, setting{})
	answerAll(p, "10-bounce")
	p.visit("lessons/10-bounce/#s=" + stopNumber(t, "10-bounce", "read"))
	p.press("f", false)
	p.until("document.querySelector('.inspector .chain') === null")
	p.press("w", false)
	p.until("document.querySelectorAll('.inspector .chain li').length > 2")
	lines := eval[[]string](p, "[...document.querySelectorAll('.inspector .chain li')].map(x => x.innerText)")
	require.Less(t, len(lines), 14, lines)
	require.Contains(t, lines[len(lines)-1], "outside")
	require.Equal(t, 1, eval[int](p, "document.querySelectorAll('.inspector .chain li.first').length"))
	require.Equal(t, 1, eval[int](p, "document.querySelectorAll('.inspector .chain li.end').length"))
	at := eval[int](p, "controllerscopePage.at()")
	p.click(".inspector .chain li.end button")
	require.Less(t, eval[int](p, "controllerscopePage.at()"), at)
	p.clean()
}

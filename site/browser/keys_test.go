package browser

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTheWhyKey asks for the causes of what is shown: newest first, an operation from outside last.
func TestTheWhyKey(t *testing.T) {
	p := open(t, setting{})
	answerAll(p, "10-bounce")
	p.visit("lessons/10-bounce/#s=" + stopNumber(t, "10-bounce", "read"))
	p.reached("10-bounce", "read", "en")
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

package browser

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// wasAsked is the question on the page.
const wasAsked = "document.querySelector('form.predict legend').textContent.trim()"

// rightOne is the answer that is right, without what is said of it.
const rightOne = "document.querySelector('.told .choice.good span').innerText.split('\\n')[0].trim()"

// TestAnotherOneLikeThis answers a question of lesson 10, asks for another one like it until the right answer has been two
// different ones, and returns: nothing that follows is told before the answer, the core's answer is accepted, other ones are
// refused, and only the lesson's own answers are remembered.
func TestAnotherOneLikeThis(t *testing.T) {
	p := ask(t, "10-bounce", "anything", setting{})
	p.click("form.predict input[value=no]")
	p.click("form.predict .primary")
	at := eval[int](p, "controllerscopePage.at()")
	inputs := eval[string](p, "controllerscopePage.inputs()")
	right := map[string]bool{}
	for n := 0; len(right) < 2; n++ {
		require.Less(t, n, 12, "the answer was always %v", right)
		p.click(".again button:not(:disabled)")
		p.until("document.querySelector('form.predict') !== null")
		require.NotEqual(t, inputs, eval[string](p, "controllerscopePage.inputs()"))
		require.Contains(t, eval[string](p, wasAsked), "What will it make of broker ")
		require.Equal(t, "Predict first", eval[string](p, "document.querySelector('#pane').innerText.trim()"))
		require.Zero(t, eval[int](p, "document.querySelectorAll('.ne, .row.now, .unseen').length"))
		open := eval[int](p, "controllerscopePage.at()")
		p.press("End", false)
		p.press("ArrowRight", true)
		require.Equal(t, open, eval[int](p, "controllerscopePage.at()"), "nothing leads past the question")
		p.click("form.predict input[value=bounced]")
		p.click("form.predict .primary")
		require.Contains(t, eval[string](p, "document.querySelector('#headline').textContent"), "Another one like this")
		id := eval[string](p, rightOne)
		right[id] = true
		wrong := eval[int](p, "document.querySelectorAll('.told .choice.bad').length")
		require.Equal(t, map[bool]int{true: 0, false: 1}[id == "Bounced"], wrong)
		require.Contains(t, eval[string](p, "document.querySelector('.told .choice.good').textContent"), "Right when")
	}
	require.NotContains(t, eval[string](p, "localStorage.getItem('controllerscope.answers.10-bounce')"), "~")
	p.click(".transport .leave")
	require.Equal(t, at, eval[int](p, "controllerscopePage.at()"))
	require.Equal(t, inputs, eval[string](p, "controllerscopePage.inputs()"))
	p.clean()
}

// TestAQuestionWithOneAnswerHasNoOther: where the answer is the same in every world there is no button.
func TestAQuestionWithOneAnswerHasNoOther(t *testing.T) {
	p := ask(t, "10-bounce", "second", setting{})
	p.click("form.predict input[value=no]")
	p.click("form.predict .primary")
	p.until("document.querySelector('.told') !== null && controllerscopePage.onTheWay() === 0")
	require.Zero(t, eval[int](p, "document.querySelectorAll('.again').length"))
	p.clean()
}

// TestAnotherValueOnAPhone asks again for what is typed, on a phone.
func TestAnotherValueOnAPhone(t *testing.T) {
	p := ask(t, "07-topic", "down", setting{width: 390, height: 844})
	p.click("form.predict .row2 button[type=button]")
	p.click(".transport.phone button:last-child")
	p.click(".again button:not(:disabled)")
	p.until("document.querySelector('form.predict input[name=choice]') !== null")
	require.Contains(t, eval[string](p, wasAsked), "Which ISR is written?")
	eval[int](p, "(document.querySelector('form.predict input[name=choice]').value = '7', document.querySelector('form.predict .primary').click(), "+drawn+")")
	require.Regexp(t, `^\[\d,\d\]$`, eval[string](p, rightOne))
	p.clean()
}

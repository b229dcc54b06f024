package browser

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestClientsAlone: a lesson about clients of ZooKeeper has no columns for a controller, its requests and state charts, and
// what is left takes their room; with brokers they are there.
func TestClientsAlone(t *testing.T) {
	const titles = `[...document.querySelectorAll('.field > h2')].map(h => [...h.childNodes].filter(n => n.nodeType === 3).map(n => n.data.trim()).join(''))`
	const others = `document.querySelectorAll('.t-sp, .thread, .lane, .charts').length`
	p := open(t, setting{})
	p.visit("lessons/01-znodes/#s=4")
	p.until("document.querySelectorAll('.client').length === 3")
	require.Equal(t, []string{"ZooKeeper", "Clients"}, eval[[]string](p, titles))
	require.Zero(t, eval[int](p, others))
	require.Equal(t, []string{"ZooKeeper", "", "", "Clients"}, eval[[]string](p, "[...document.querySelectorAll('.score .names span')].map(n => n.textContent)"))
	require.InDelta(t, 0.47, eval[float64](p, "document.querySelector('.client').offsetWidth / document.querySelector('.field').offsetWidth"), 0.03, "a card is as wide as its column")
	require.InDelta(t, 0.47, eval[float64](p, "document.querySelector('.ledger').offsetWidth / document.querySelector('.field').offsetWidth"), 0.03)
	p.axe("clients alone")

	p.size(390, 844, 1)
	p.until("document.querySelector('.ptabs') !== null")
	require.Equal(t, []string{"ZooKeeper", "Clients", "Time"}, eval[[]string](p, "[...document.querySelectorAll('.ptabs button')].map(b => b.textContent)"))

	p.size(1440, 900, 1)
	p.visit("lessons/10-bounce/")
	p.until("document.querySelector('.t-br') !== null")
	require.Equal(t, []string{"ZooKeeper", "Controller", "Requests", "Brokers"}, eval[[]string](p, titles))
	require.NotZero(t, eval[int](p, others))
	p.clean()
}

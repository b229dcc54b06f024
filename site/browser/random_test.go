package browser

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"controllerscope/core/run"
	"controllerscope/core/zk/zkmem"
)

// TestRandomWorlds goes through random scripts of up to five brokers and ten partitions, every step forwards and backwards:
// the page's document is the core's, ledger and cards show it, and the panels are the same on the way back.
func TestRandomWorlds(t *testing.T) {
	for seed := range uint64(3) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			script, err := run.Random{Operations: 6}.Script(seed, zkmem.New(zkmem.Options{}))
			require.NoError(t, err)
			p, tr := openScript(t, script, setting{})
			p.press("Home", false)
			steps := eval[[]walked](p, walk)
			require.Equal(t, len(steps), requireWalk(t, tr, 0, 0, steps))
			p.clean()
		})
	}
}

// crowd is a world that has to be aggregated: 9 brokers, 48 partitions, three of the brokers gone.
const crowd = `cluster brokers=0,1,2,3,4,5,6,7,8
broker start 0
until idle
broker start 1
broker start 2
broker start 3
broker start 4
broker start 5
broker start 6
broker start 7
broker start 8
until idle
topic create orders 24x3
topic create payments-with-a-name-that-is-rather-long-for-a-column 24x3
until idle
broker kill 6
broker kill 7
broker crash 8
until idle`

// outside names what stands out of the window, or out of a box that neither scrolls nor cuts its text with dots.
const outside = `[...document.querySelectorAll('#app *')].filter(e => {
  const r = e.getBoundingClientRect(), s = getComputedStyle(e);
  if (r.width === 0 || e.closest('.hidden, .skip, svg')) return false;
  for (let box = e.parentElement; box; box = box.parentElement) {
    const b = getComputedStyle(box);
    if (/auto|scroll/.test(b.overflowX) || b.textOverflow === 'ellipsis') return false;
  }
  return r.right > innerWidth + 1 || r.left < -1;
}).slice(0, 5).map(e => e.tagName + '.' + e.className + ' ' + e.textContent.trim().slice(0, 40))`

// TestLargeWorldsAggregate looks at places all through a large world at every width: nothing stands out of the window.
func TestLargeWorldsAggregate(t *testing.T) {
	for _, size := range [][2]int64{{1440, 900}, {1024, 768}, {390, 844}} {
		p, tr := openScript(t, crowd, setting{width: size[0], height: size[1]})
		for k := 1; k <= 8; k++ {
			at := k*len(tr.Steps)/8 - 1
			p.gotoStep(at)
			require.Empty(t, eval[[]string](p, outside), "step %d at %d", at, size[0])
			require.Equal(t, size[0], eval[int64](p, "document.documentElement.scrollWidth"), "step %d at %d: the page is wider than the window", at, size[0])
		}
		p.clean()
	}
}

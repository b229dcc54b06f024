package sim

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// A cursor has each cause once, in the order in which they came first, however many there are and in whatever order they
// come; what is no step is no cause.
func TestCursorHasEachCauseOnce(t *testing.T) {
	for name, step := range map[string]func(i int) int{
		"ascending":      func(i int) int { return i },
		"each twice":     func(i int) int { return i / 2 },
		"descending":     func(i int) int { return 400 - i },
		"round in turns": func(i int) int { return i % (3 * many) },
		"to and fro":     func(i int) int { return i ^ 5 },
		"no step":        func(i int) int { return i%2*(i+1) - 1 },
	} {
		t.Run(name, func(t *testing.T) {
			var c cursor
			var want []int
			for i := range 400 {
				if s := step(i); s >= 0 && !slices.Contains(want, s) {
					want = append(want, s)
				}
				c.after(step(i))
				require.Equal(t, want, c.prev)
			}
			next := c.fork("another")
			require.Equal(t, cursor{lane: "another", prev: want, most: c.most}, *next)
			next.after(want[0])
			next.after(1000)
			require.Equal(t, append(slices.Clone(want), 1000), next.prev, "what the first had is known to the second")
			require.Equal(t, want, c.prev, "the two share nothing")
		})
	}
}

// After a note its step is the only cause; what was a cause before may be one again.
func TestCursorBeginsAnew(t *testing.T) {
	var c cursor
	for i := range 2 * many {
		c.after(i)
	}
	c.prev = append(c.prev[:0], 2*many)
	for i := range 2 * many {
		c.after(i)
		c.after(i)
	}
	require.Len(t, c.prev, 2*many+1)
}

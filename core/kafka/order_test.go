package kafka_test

import (
	"cmp"
	"testing"

	"github.com/stretchr/testify/require"

	"controllerscope/core/kafka"
)

// numbered is an element whose place among equals can be seen.
type numbered struct{ key, place int }

// shuffled are n elements with keys that repeat, in an order that a linear congruence gives.
func shuffled(n int) []numbered {
	out := make([]numbered, n)
	key := 1
	for i := range out {
		key = (key*75 + 74) % 65537
		out[i] = numbered{key % (n/3 + 1), i}
	}
	return out
}

func TestSortKeepsTheOrderOfEqualElements(t *testing.T) {
	for _, n := range []int{0, 1, 2, 3, 12, 13, 14, 31, 32, 33, 100, 1000} {
		list := shuffled(n)
		kafka.Sort(list, func(a, b numbered) int { return cmp.Compare(a.key, b.key) })
		seen := map[numbered]bool{}
		for i, e := range list {
			seen[e] = true
			if i > 0 {
				before := list[i-1]
				require.True(t, before.key < e.key || before.key == e.key && before.place < e.place, "%d elements: %v before %v", n, before, e)
			}
		}
		require.Len(t, seen, n, "none is lost")
	}
}

func TestSortOfWhatIsSortedOrReversed(t *testing.T) {
	up, down := make([]int, 100), make([]int, 100)
	for i := range up {
		up[i], down[i] = i, 99-i
	}
	list := append([]int(nil), up...)
	kafka.Sort(list, cmp.Compare[int])
	require.Equal(t, up, list)
	kafka.Sort(down, cmp.Compare[int])
	require.Equal(t, up, down)
}

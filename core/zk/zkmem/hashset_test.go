package zkmem

import (
	"fmt"
	"slices"
	"testing"
	"unicode/utf16"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"controllerscope/core/zk"
	"controllerscope/core/zk/zktest"
)

// plainSet is a Java HashSet: what is in it by age, and the size of its table.
type plainSet struct {
	items []string
	table int
}

func bucket(item string, table int) int {
	var h uint32
	for _, unit := range utf16.Encode([]rune(item)) {
		h = 31*h + uint32(unit)
	}
	return int(h^h>>16) % table
}

func (s plainSet) with(item string) plainSet {
	s.items = append(slices.Clone(s.items), item)
	same := 0
	for _, other := range s.items {
		if bucket(other, s.table) == bucket(item, s.table) {
			same++
		}
	}
	if same > 8 && s.table < 64 {
		s.table *= 2
	}
	if 4*len(s.items) > 3*s.table {
		s.table *= 2
	}
	return s
}

func (s plainSet) without(item string) plainSet {
	s.items = slices.DeleteFunc(slices.Clone(s.items), func(i string) bool { return i == item })
	return s
}

func (s plainSet) inOrder() []string {
	out := append([]string{}, s.items...)
	slices.SortStableFunc(out, func(a, b string) int { return bucket(a, s.table) - bucket(b, s.table) })
	return out
}

// clone is HashSet.clone, whose table is as small as can be.
func (s plainSet) clone() plainSet {
	c := plainSet{table: 1}
	for c.table < len(s.items)*4/3+1 {
		c.table *= 2
	}
	for _, item := range s.inOrder() {
		c = c.with(item)
	}
	return c
}

// TestHashOf: values of Java's String.hashCode, spread.
func TestHashOf(t *testing.T) {
	for s, h := range map[string]uint32{
		"": 0, "a": 97, "ab": 31*97 + 98, "Aa": 2112, "BB": 2112,
		"é": 0xe9, "😀": 31*0xD83D + 0xDE00,
	} {
		assert.Equal(t, h^h>>16, hashOf(s), s)
	}
}

// TestOrderOfSmallSets: worked out by hand. The hashes of "0" to "5" are 48 to 53, in a table of 8 the slots 0 to 5; "8" (56)
// falls into slot 0 behind "0". The seventh name doubles the table and parts them.
func TestOrderOfSmallSets(t *testing.T) {
	b := newBench(t, Options{})
	b.create("/p", zk.Persistent)
	children := func() []string {
		r, _ := b.do(zk.Op{Kind: zk.Children, Path: "/p"})
		return r.Children
	}
	assert.Equal(t, []string{}, children())
	for _, name := range []string{"2", "0", "8", "1"} {
		b.create("/p/"+name, zk.Persistent)
	}
	assert.Equal(t, []string{"0", "8", "1", "2"}, children())
	for _, name := range []string{"5", "4", "3"} {
		b.create("/p/"+name, zk.Persistent)
	}
	assert.Equal(t, []string{"0", "1", "2", "3", "4", "5", "8"}, children())
	_, _ = b.do(zk.Op{Kind: zk.Delete, Path: "/p/0", Version: -1})
	b.create("/p/0", zk.Persistent)
	assert.Equal(t, []string{"0", "1", "2", "3", "4", "5", "8"}, children())
}

// TestOrderAgainstThePlainSet compares both sets on many names, deletions between them, and names of one slot.
func TestOrderAgainstThePlainSet(t *testing.T) {
	for seed := range 30 {
		dice := zktest.Seed(seed)
		n, parent := dice.Roll(400), &node{path: "/"}
		s, plain, nodes := newHashSet(8), plainSet{table: 8}, []*node{}
		for i := range n {
			name := fmt.Sprintf("%c%d", 'a'+dice.Roll(3), dice.Roll(1_000_000))
			if seed%2 == 0 {
				name = string(rune(64*(i+1) + 0x3000)) // one slot in every table of up to 64
			}
			c := &node{path: "/" + name, parent: parent}
			s.add(&entry{hash: hashOf(name), node: c})
			plain, nodes = plain.with(name), append(nodes, c)
			require.Equal(t, plain.table, len(s.table), "after %d names", i+1)
			if dice.Roll(3) == 0 {
				at := dice.Roll(len(nodes))
				s.remove(hashOf(nodes[at].name()), nodes[at])
				plain = plain.without(nodes[at].name())
				nodes = append(nodes[:at], nodes[at+1:]...)
			}
		}
		got := []string{}
		for c := range s.all() {
			got = append(got, c.name())
		}
		require.Equal(t, plain.inOrder(), got)
	}
}

// TestClosingSessionDeletesInTheOrderOfACloneOfItsSet: "/0" to "/9" hash to 31·47+48 = 1505 to 1514. Ten names clone into a
// table of 16, where they stand at 1, 2, … 10.
func TestClosingSessionDeletesInTheOrderOfACloneOfItsSet(t *testing.T) {
	b := newBench(t, Options{})
	for _, name := range []string{"/7", "/3", "/9", "/0", "/1", "/8", "/2", "/5", "/6", "/4"} {
		b.create(name, zk.Ephemeral)
	}
	want := []string{"/0", "/1", "/2", "/3", "/4", "/5", "/6", "/7", "/8", "/9"}
	assert.Equal(t, want, b.Ephemerals(b.a))
	fx, err := b.Close(0, b.a)
	require.NoError(t, err)
	var gone []string
	for _, n := range fx.Nodes {
		if n.Gone {
			gone = append(gone, n.Path)
		}
	}
	assert.Equal(t, want, gone)
}

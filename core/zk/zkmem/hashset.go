package zkmem

import "iter"

// hashSet is java.util.HashSet as far as its order shows: the server keeps the names of a node's children and the
// ephemerals of a session in one, and lists and deletes them in its iteration order (bucket by bucket, within a bucket by
// age). The table doubles when it is more than three quarters full and never shrinks.
type hashSet struct {
	table []*entry
	count int
}

type entry struct {
	hash uint32
	node *node
	next *entry
}

const (
	childrenCapacity   = 8  // new HashSet<>(8) in DataNode
	ephemeralsCapacity = 16 // new HashSet<>() in DataTree
	// A chain that grows beyond this many entries doubles a table smaller than smallTable. (In a larger one Java makes the
	// chain a tree, whose order is not modelled: it takes nine names of one table slot.)
	longChain  = 8
	smallTable = 64
)

func newHashSet(capacity int) *hashSet { return &hashSet{table: make([]*entry, capacity)} }

// hashOf is Java's String.hashCode over UTF-16 units, spread as HashMap does.
func hashOf(s string) uint32 {
	var h uint32
	for _, r := range s {
		if r > 0xFFFF {
			r -= 0x10000
			h = 31*h + uint32(0xD800+(r>>10))
			r = 0xDC00 + (r & 0x3FF)
		}
		h = 31*h + uint32(r)
	}
	return h ^ h>>16
}

// add puts in an entry whose node is not in the set.
func (s *hashSet) add(e *entry) {
	length := s.append(e)
	if length > longChain && len(s.table) < smallTable {
		s.grow()
	}
	s.count++
	if s.count > len(s.table)*3/4 {
		s.grow()
	}
}

// append puts e at the end of its chain and returns the chain's new length.
func (s *hashSet) append(e *entry) int {
	length := 1
	at := &s.table[int(e.hash)&(len(s.table)-1)]
	for *at != nil {
		at = &(*at).next
		length++
	}
	*at = e
	return length
}

// grow doubles the table; entries keep their relative order.
func (s *hashSet) grow() {
	old := s.table
	s.table = make([]*entry, 2*len(old))
	tails := make([]*entry, 2*len(old))
	for _, e := range old {
		for e != nil {
			next := e.next
			e.next = nil
			i := int(e.hash) & (len(s.table) - 1)
			if tails[i] == nil {
				s.table[i] = e
			} else {
				tails[i].next = e
			}
			tails[i] = e
			e = next
		}
	}
}

func (s *hashSet) remove(hash uint32, n *node) {
	at := &s.table[int(hash)&(len(s.table)-1)]
	for *at != nil {
		if (*at).node == n {
			*at = (*at).next
			s.count--
			return
		}
		at = &(*at).next
	}
}

// all yields the nodes in the iteration order of the set.
func (s *hashSet) all() iter.Seq[*node] {
	return func(yield func(*node) bool) {
		if s == nil {
			return
		}
		for _, e := range s.table {
			for ; e != nil; e = e.next {
				if !yield(e.node) {
					return
				}
			}
		}
	}
}

// clone is HashSet.clone, whose table is sized for what is in the set now: the smallest power of two of at least
// count/0.75 + 1.
func (s *hashSet) clone() *hashSet {
	capacity := 1
	for capacity < int(float32(s.count)/0.75+1) {
		capacity *= 2
	}
	c := newHashSet(capacity)
	for n := range s.all() {
		c.add(&entry{hash: hashOf(n.path), node: n})
	}
	return c
}

func (s *hashSet) len() int {
	if s == nil {
		return 0
	}
	return s.count
}

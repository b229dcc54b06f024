package main

import (
	"fmt"
	"runtime"
	"slices"
	"time"

	"controllerscope/core/zk"
	"controllerscope/core/zk/zkmem"
)

// benchPartitions is how many partitions, in Kafka's shape, make a million znodes.
const benchPartitions = 333_333

// kafkaShape calls visit with the paths of a tree as Kafka makes it for that many partitions, parents first: 9 nodes for
// each topic of 3 partitions.
func kafkaShape(partitions int, visit func(path string, data []byte)) {
	state := []byte(`{"controller_epoch":1,"leader":1,"version":1,"leader_epoch":0,"isr":[1,2,3]}`)
	for _, p := range []string{"/brokers", "/brokers/topics", "/config", "/config/topics"} {
		visit(p, nil)
	}
	for t := range partitions / 3 {
		topic := fmt.Sprintf("/brokers/topics/topic-%06d", t)
		visit(topic, []byte(`{"version":2,"partitions":{"0":[1,2,3],"1":[2,3,1],"2":[3,1,2]},"adding_replicas":{},"removing_replicas":{}}`))
		visit(topic+"/partitions", nil)
		for p := range 3 {
			visit(fmt.Sprintf("%s/partitions/%d", topic, p), nil)
			visit(fmt.Sprintf("%s/partitions/%d/state", topic, p), state)
		}
		visit(fmt.Sprintf("/config/topics/topic-%06d", t), []byte(`{"version":1,"config":{}}`))
	}
}

// benchStore measures the emulator as a Store: its memory, and its requests against a bare ordered map of the same keys.
func benchStore(tell func(measured)) error {
	own := 0
	var paths []string
	kafkaShape(benchPartitions, func(path string, data []byte) {
		own += len(path) + len(data)
		paths = append(paths, path)
	})
	before := heap()
	s := zkmem.New(zkmem.Options{})
	id, _, _, _ := s.Open(0, 10_000) // an emulator always opens
	kafkaShape(benchPartitions, func(path string, data []byte) {
		_, _, _ = s.Apply(0, id, zk.Op{Kind: zk.Create, Path: path, Data: append([]byte(nil), data...)})
	})
	if s.Len() != len(paths)+4 { // ZooKeeper's own nodes
		return fmt.Errorf("%d znodes were made of %d", s.Len()-4, len(paths))
	}
	// What the paths of this list hold is the tree's own text, which both have.
	tell(measured{"znodes", float64(s.Len()), "", "", 0, false})
	tell(measured{"memory of a znode, over its path and data", float64(int(heap()-before)-own) / float64(s.Len()), "bytes", "at most", 400, false})
	if err := benchRequests(tell, s, id, paths); err != nil {
		return err
	}
	benchChildren(tell, s, id)
	benchFanOut(tell)
	return nil
}

// heap is what the program holds.
func heap() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// benchSlices and benchRounds are how often each kind of request is made. The median slice counts: other programs run too.
const benchSlices, benchRounds = 101, 3000

// each is the time of one call of f, which gets paths in an order that is not that of their creation.
func each(paths []string, f func(i int, path string)) float64 {
	at, took := 0, make([]float64, benchSlices)
	for slice := range benchSlices {
		start := time.Now()
		for i := range benchRounds {
			at = (at + 7_368_787) % len(paths)
			f(slice*benchRounds+i, paths[at])
		}
		took[slice] = float64(time.Since(start).Nanoseconds()) / benchRounds
	}
	slices.Sort(took)
	return took[benchSlices/2]
}

// benchRequests compares requests with the same work on an ordered map: reads with its get, writes with its put.
func benchRequests(tell func(measured), s *zkmem.Store, id zk.SessionID, paths []string) error {
	data := []byte("changed")
	tree := ordered{}
	for _, p := range paths {
		tree.put(p, data)
	}
	var failed error
	ask := func(op zk.Op) {
		if r, _, _ := s.Apply(1, id, op); r.Err != zk.OK && failed == nil {
			failed = fmt.Errorf("%s %s: %w", op.Kind, op.Path, r.Err)
		}
	}
	get := each(paths, func(_ int, p string) { tree.get(p) })
	change := each(paths, func(_ int, p string) { tree.put(p, data) })
	put := each(paths, func(i int, p string) { tree.put(fmt.Sprintf("%s/x%d", p, i), data) })
	for _, x := range []struct {
		name string
		bare float64
		op   func(i int, p string) zk.Op
	}{
		{"get", get, func(_ int, p string) zk.Op { return zk.Op{Kind: zk.Get, Path: p} }},
		{"exists", get, func(_ int, p string) zk.Op { return zk.Op{Kind: zk.Exists, Path: p} }},
		{"set", change, func(_ int, p string) zk.Op { return zk.Op{Kind: zk.Set, Path: p, Data: data, Version: zk.AnyVersion} }},
		{"create", put, func(i int, p string) zk.Op {
			return zk.Op{Kind: zk.Create, Path: fmt.Sprintf("%s/x%d", p, i), Data: data}
		}},
	} {
		took := each(paths, func(i int, p string) { ask(x.op(i, p)) })
		tell(measured{x.name + " among a million", took, "ns", "", 0, false})
		tell(measured{x.name + ", times a bare ordered map's", took / x.bare, "times", "at most", 3, false})
	}
	return failed
}

// benchChildren lists a node with 10⁵ children: for the first time, and again after work that has used up the caches.
func benchChildren(tell func(measured), s *zkmem.Store, id zk.SessionID) {
	children := 0
	list := func() float64 {
		runtime.GC() // which also visits the whole tree
		start := time.Now()
		r, _, _ := s.Apply(0, id, zk.Op{Kind: zk.Children, Path: "/brokers/topics"})
		children = len(r.Children)
		return float64(time.Since(start).Microseconds()) / 1000
	}
	first, again := list(), make([]float64, 11)
	for i := range again {
		again[i] = list()
	}
	slices.Sort(again)
	tell(measured{fmt.Sprintf("children of a node with %d, first call", children), first, "ms", "at most", 50, false})
	tell(measured{fmt.Sprintf("children of a node with %d, median", children), again[len(again)/2], "ms", "at most", 50, false})
}

// benchFanOut arms and fires one watch held by many sessions.
func benchFanOut(tell func(measured)) {
	perSession := func(sessions int) float64 {
		s := zkmem.New(zkmem.Options{})
		ids := make([]zk.SessionID, sessions)
		for i := range ids {
			ids[i], _, _, _ = s.Open(0, 10_000)
		}
		best := time.Hour
		for range 20 {
			for _, id := range ids {
				_, _, _ = s.Apply(0, id, zk.Op{Kind: zk.Get, Path: "/", Watch: true})
			}
			start := time.Now()
			_, _, _ = s.Apply(0, ids[0], zk.Op{Kind: zk.Set, Path: "/", Version: zk.AnyVersion})
			best = min(best, time.Since(start))
		}
		return float64(best.Nanoseconds()) / float64(sessions)
	}
	few, many := perSession(1000), perSession(10_000)
	tell(measured{"firing a watch of 1,000 sessions, each", few, "ns", "", 0, false})
	tell(measured{"a session's part of 10,000, times that of 1,000", many / few, "times", "at most", 3, false})
}

// ordered is a bare ordered map, a treap: what a store that keeps its keys sorted has to pay at least.
type ordered struct {
	root *treap
	seed uint64
}

type treap struct {
	key         string
	value       []byte
	priority    uint64
	left, right *treap
}

func (o *ordered) get(key string) []byte {
	for n := o.root; n != nil; {
		switch {
		case key < n.key:
			n = n.left
		case key > n.key:
			n = n.right
		default:
			return n.value
		}
	}
	return nil
}

func (o *ordered) put(key string, value []byte) {
	o.seed = o.seed*6364136223846793005 + 1442695040888963407
	o.root = o.root.put(&treap{key: key, value: value, priority: o.seed >> 11})
}

func (n *treap) put(in *treap) *treap {
	switch {
	case n == nil:
		return in
	case in.key == n.key:
		n.value = in.value
	case in.key < n.key:
		n.left = n.left.put(in)
		if n.left.priority > n.priority {
			l := n.left
			n.left, l.right = l.right, n
			return l
		}
	default:
		n.right = n.right.put(in)
		if n.right.priority > n.priority {
			r := n.right
			n.right, r.left = r.left, n
			return r
		}
	}
	return n
}

package zkmem

import (
	"fmt"
	"runtime"
	"testing"

	"controllerscope/core/zk"
)

// kafkaShape calls visit with the paths of a tree as Kafka makes it for that many partitions, parents first: about 3.3 nodes
// a partition with 3 partitions a topic, 10⁶ for 300,000 partitions.
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

func loaded(partitions int) (*Store, zk.SessionID, []string) {
	s := New(Options{})
	id, _, _, _ := s.Open(0, 10_000)
	var paths []string
	kafkaShape(partitions, func(path string, data []byte) {
		r, _, _ := s.Apply(0, id, zk.Op{Kind: zk.Create, Path: path, Data: data})
		if r.Err != zk.OK {
			panic(r.Err)
		}
		paths = append(paths, path)
	})
	return s, id, paths
}

func heap() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// BenchmarkMemory reports bytes a node beyond its own path and data, of 10⁶ nodes.
func BenchmarkMemory(b *testing.B) {
	for b.Loop() {
		own := 0
		kafkaShape(333_333, func(path string, data []byte) { own += len(path) + len(data) })
		before := heap()
		s, _, _ := loadedWithoutPaths(333_333)
		after := heap()
		b.ReportMetric(float64(s.Len()), "nodes")
		b.ReportMetric(float64(int(after-before)-own)/float64(s.Len()), "B/node")
		runtime.KeepAlive(s)
	}
}

func loadedWithoutPaths(partitions int) (*Store, zk.SessionID, int) {
	s := New(Options{})
	id, _, _, _ := s.Open(0, 10_000)
	n := 0
	kafkaShape(partitions, func(path string, data []byte) {
		_, _, _ = s.Apply(0, id, zk.Op{Kind: zk.Create, Path: path, Data: data})
		n++
	})
	return s, id, n
}

// scattered visits the paths in an order that is not that of their creation.
func scattered(n int) func() int {
	at := 0
	return func() int {
		at = (at + 7_368_787) % n
		return at
	}
}

func benchmarkOn(b *testing.B, s *Store, id zk.SessionID, paths []string, op func(path string) zk.Op) {
	next := scattered(len(paths))
	for b.Loop() {
		if r, _, _ := s.Apply(1, id, op(paths[next()])); r.Err != zk.OK {
			b.Fatal(r.Err)
		}
	}
}

// BenchmarkOps measures single requests on a tree of 10⁶ nodes, and a bare ordered map of the same keys beside them.
func BenchmarkOps(b *testing.B) {
	s, id, paths := loaded(333_333)
	data := []byte("changed")
	b.Run("get", func(b *testing.B) {
		benchmarkOn(b, s, id, paths, func(p string) zk.Op { return zk.Op{Kind: zk.Get, Path: p} })
	})
	b.Run("exists", func(b *testing.B) {
		benchmarkOn(b, s, id, paths, func(p string) zk.Op { return zk.Op{Kind: zk.Exists, Path: p} })
	})
	b.Run("set", func(b *testing.B) {
		benchmarkOn(b, s, id, paths, func(p string) zk.Op { return zk.Op{Kind: zk.Set, Path: p, Data: data, Version: -1} })
	})
	b.Run("create", func(b *testing.B) {
		i, next := 0, scattered(len(paths))
		for b.Loop() {
			i++
			r, _, _ := s.Apply(1, id, zk.Op{Kind: zk.Create, Path: fmt.Sprintf("%s/x%d", paths[next()], i)})
			if r.Err != zk.OK {
				b.Fatal(r.Err)
			}
		}
	})
	b.Run("bare ordered map get", func(b *testing.B) {
		tree := ordered{}
		for _, p := range paths {
			tree.put(p, data)
		}
		b.ResetTimer()
		next := scattered(len(paths))
		for b.Loop() {
			if tree.get(paths[next()]) == nil {
				b.Fatal("missing")
			}
		}
	})
	b.Run("bare ordered map put", func(b *testing.B) {
		tree, next := ordered{}, scattered(len(paths))
		for _, p := range paths {
			tree.put(p, data)
		}
		i := 0
		b.ResetTimer()
		for b.Loop() {
			i++
			tree.put(fmt.Sprintf("%s/x%d", paths[next()], i), data)
		}
	})
}

// BenchmarkMulti is a multi of 100 sets, as ns a set.
func BenchmarkMulti(b *testing.B) {
	s, id, paths := loaded(3000)
	next := scattered(len(paths))
	for b.Loop() {
		op := zk.Op{Kind: zk.Multi, Ops: make([]zk.Op, 100)}
		for i := range op.Ops {
			op.Ops[i] = zk.Op{Kind: zk.Set, Path: paths[next()], Version: -1}
		}
		_, _, _ = s.Apply(1, id, op)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/100, "ns/set")
}

// BenchmarkChildren lists a node with 10⁵ children.
func BenchmarkChildren(b *testing.B) {
	s := New(Options{})
	id, _, _, _ := s.Open(0, 10_000)
	_, _, _ = s.Apply(0, id, zk.Op{Kind: zk.Create, Path: "/p"})
	for i := range 100_000 {
		_, _, _ = s.Apply(0, id, zk.Op{Kind: zk.Create, Path: fmt.Sprintf("/p/topic-%06d", i)})
	}
	for b.Loop() {
		r, _, _ := s.Apply(0, id, zk.Op{Kind: zk.Children, Path: "/p"})
		if len(r.Children) != 100_000 {
			b.Fatal(len(r.Children))
		}
	}
}

// BenchmarkFire arms and fires one watch held by that many sessions; ns a session should not grow.
func BenchmarkFire(b *testing.B) {
	for _, n := range []int{10, 100, 1000, 10_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			s := New(Options{})
			ids := make([]zk.SessionID, n)
			for i := range ids {
				ids[i], _, _, _ = s.Open(0, 10_000)
			}
			for b.Loop() {
				for _, id := range ids {
					_, _, _ = s.Apply(0, id, zk.Op{Kind: zk.Get, Path: "/", Watch: true})
				}
				_, fx, _ := s.Apply(0, ids[0], zk.Op{Kind: zk.Set, Path: "/", Version: -1})
				if len(fx.Fired) != n {
					b.Fatal(len(fx.Fired))
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/session")
		})
	}
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

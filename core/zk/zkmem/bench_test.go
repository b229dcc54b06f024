package zkmem

import (
	"fmt"
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

// scattered visits the paths in an order that is not that of their creation.
func scattered(n int) func() int {
	at := 0
	return func() int {
		at = (at + 7_368_787) % n
		return at
	}
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

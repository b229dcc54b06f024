package controller

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"controllerscope/core/kafka"
)

// manyPartitions is a world of three brokers with n partitions of ten topics, not recorded.
func manyPartitions(t *testing.T, n int) (*world, *proc, *proc, *proc) {
	w := newWorld(t)
	w.mute = true
	one, two, three := w.start(1), w.start(2), w.start(3)
	for topic := range 10 {
		var assignment [][]kafka.BrokerID
		for p := range n / 10 {
			first := kafka.BrokerID(p % 3)
			assignment = append(assignment, ids(first+1, (first+1)%3+1, (first+2)%3+1))
		}
		w.topic(fmt.Sprintf("t%d", topic), assignment...)
	}
	return w, one, two, three
}

// Taking office and losing a broker cost requests to ZooKeeper exactly in proportion to the partitions.
func TestRequestsAreLinearInPartitions(t *testing.T) {
	count := func(n int) int {
		w, one, two, _ := manyPartitions(t, n)
		w.requests = 0
		w.kill(one)
		require.True(t, two.ctl.IsActive())
		require.Equal(t, n, two.ctl.ctx.partitionsLed)
		return w.requests
	}
	at300, at600, at1200 := count(300), count(600), count(1200)
	require.Equal(t, 2*(at600-at300), at1200-at600)
}

// BenchmarkFailover takes office over n partitions, one third of which lost their leader.
func BenchmarkFailover(b *testing.B) {
	for _, n := range []int{1_000, 10_000, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for range b.N {
				b.StopTimer()
				w, one, _, _ := manyPartitions(&testing.T{}, n)
				b.StartTimer()
				w.kill(one)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/partition")
		})
	}
}

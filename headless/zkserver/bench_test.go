package zkserver

import (
	"fmt"
	"net"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	gozk "github.com/go-zookeeper/zk"
	"github.com/stretchr/testify/require"

	"controllerscope/core/zk/zkmem"
	"controllerscope/headless/internal/zkensemble"
)

// BenchmarkPipelined makes the same calls through one go-zookeeper client, from 64 goroutines, to a real standalone server
// and to the emulator over TCP and over a pipe: compare the three lines of each call.
func BenchmarkPipelined(b *testing.B) {
	real := zkensemble.ForTest(b, zkensemble.Options{}).Connect()
	s := New(zkmem.New(zkmem.Options{}), Options{})
	defer s.Close()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(b, err)
	go func() { _ = s.Serve(l) }()
	for _, call := range []string{"get", "set", "create"} {
		for _, to := range []struct {
			name, address string
			dial          gozk.Dialer
		}{
			{"real", real, net.DialTimeout}, {"tcp", l.Addr().String(), net.DialTimeout},
			{"pipe", "127.0.0.1:1", func(string, string, time.Duration) (net.Conn, error) { return s.Dial() }},
		} {
			b.Run(call+"/"+to.name, func(b *testing.B) { pipelined(b, call, to.address, to.dial) })
		}
	}
}

// pipelined makes b.N calls on a node of its own.
func pipelined(b *testing.B, call, address string, dial gozk.Dialer) {
	c, _, err := gozk.Connect([]string{address}, 10*time.Second, gozk.WithDialer(dial), gozk.WithLogInfo(false))
	require.NoError(b, err)
	defer c.Close()
	data, open := make([]byte, 100), gozk.WorldACL(gozk.PermAll)
	base, err := c.Create("/bench-", data, gozk.FlagSequence, open)
	require.NoError(b, err)
	var next atomic.Int64
	var wait sync.WaitGroup
	b.ResetTimer()
	for range 64 {
		wait.Go(func() {
			for i := next.Add(1); i <= int64(b.N); i = next.Add(1) {
				var err error
				switch call {
				case "get":
					_, _, err = c.Get(base)
				case "set":
					_, err = c.Set(base, data, -1)
				case "create":
					_, err = c.Create(fmt.Sprintf("%s/%d", base, i), data, 0, open)
				}
				if err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	wait.Wait()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "calls/s")
}

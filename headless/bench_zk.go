package main

import (
	"fmt"
	"math"
	"net"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	gozk "github.com/go-zookeeper/zk"

	"controllerscope/core/zk"
	"controllerscope/core/zk/zkmem"
	"controllerscope/core/zk/zkreal"
	"controllerscope/headless/internal/zkensemble"
	"controllerscope/headless/zkserver"
)

// benchZk makes the same calls through the same client library to a real standalone server and to the emulator: over TCP,
// over a pipe in this process, and without any wire through the Store port. A profile of the calls over the pipe says how
// much of their time is the client library's.
func benchZk(tell func(measured)) error {
	if err := zkensemble.Check(); err != nil {
		return err
	}
	real, err := zkensemble.Start(zkensemble.Options{})
	if err != nil {
		return err
	}
	defer real.Stop()
	s := zkserver.New(zkmem.New(zkmem.Options{}), zkserver.Options{})
	defer s.Close()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	go func() { _ = s.Serve(l) }() // ends with the server
	pipe := func(string, string, time.Duration) (net.Conn, error) { return s.Dial() }
	for _, call := range []string{"get", "set", "create"} {
		var speed [3]float64
		for i, to := range []struct {
			address string
			dial    gozk.Dialer
		}{{real.Connect(), net.DialTimeout}, {l.Addr().String(), net.DialTimeout}, {"127.0.0.1:1", pipe}} {
			if speed[i], err = pipelined(call, to.address, to.dial); err != nil {
				return err
			}
		}
		port := throughPort(call)
		tell(measured{"pipelined " + call + ", real server", math.Round(speed[0]), "calls/s", "", 0, false})
		tell(measured{call + ", emulator over TCP / real server", speed[1] / speed[0], "times", "at least", 1.5, false})
		tell(measured{call + ", emulator over a pipe / real server", speed[2] / speed[0], "times", "at least", 2, false})
		tell(measured{call + ", Store port / real server", port / speed[0], "times", "at least", 50, false})
		err := profiled(tell, call+" over a pipe", func() error {
			_, err := pipelined(call, "127.0.0.1:1", pipe)
			return err
		})
		if err != nil {
			return err
		}
	}
	if err := benchZkOffice(tell, real.Connect()); err != nil {
		return err
	}
	return benchStepped(tell, real.Connect())
}

// benchCalls is how many calls are measured at a time; the best of benchTries counts, since other programs run too.
const (
	benchCalls = 20_000
	benchTries = 3
)

// pipelined is how many calls a second one client makes from 64 goroutines.
func pipelined(call, address string, dial gozk.Dialer) (float64, error) {
	c, _, err := gozk.Connect([]string{address}, 10*time.Second, gozk.WithDialer(dial), gozk.WithLogInfo(false))
	if err != nil {
		return 0, err
	}
	defer c.Close()
	data, open := make([]byte, 100), gozk.WorldACL(gozk.PermAll)
	base, err := c.Create("/bench-", data, gozk.FlagSequence, open)
	if err != nil {
		return 0, err
	}
	do := map[string]func(i int64) error{
		"get":    func(int64) error { _, _, err := c.Get(base); return err },
		"set":    func(int64) error { _, err := c.Set(base, data, -1); return err },
		"create": func(i int64) error { _, err := c.Create(fmt.Sprintf("%s/%d", base, i), data, 0, open); return err },
	}[call]
	var next atomic.Int64
	var failed atomic.Value
	best := 0.0
	for try := range int64(benchTries) {
		var wait sync.WaitGroup
		start := time.Now()
		for range 64 {
			wait.Go(func() {
				for i := next.Add(1); i <= (try+1)*benchCalls; i = next.Add(1) {
					if err := do(i); err != nil {
						failed.Store(err)
						return
					}
				}
			})
		}
		wait.Wait()
		if err, bad := failed.Load().(error); bad {
			return 0, err
		}
		next.Store((try + 1) * benchCalls)
		best = max(best, benchCalls/time.Since(start).Seconds())
	}
	return best, nil
}

// throughPort is how many calls a second the emulator's Store port takes: the best of short slices, which no other program
// interrupted.
func throughPort(call string) float64 {
	s := zkmem.New(zkmem.Options{})
	id, _, _, _ := s.Open(0, 10_000) // an emulator always opens
	data := make([]byte, 100)
	_, _, _ = s.Apply(0, id, zk.Op{Kind: zk.Create, Path: "/bench", Data: data})
	const slices, calls = 50, 1000
	best := 0.0
	for slice := range slices {
		start := time.Now()
		for i := range calls {
			op := zk.Op{Kind: zk.Get, Path: "/bench"}
			switch call {
			case "set":
				op = zk.Op{Kind: zk.Set, Path: "/bench", Data: data, Version: zk.AnyVersion}
			case "create":
				op = zk.Op{Kind: zk.Create, Path: fmt.Sprintf("/bench/%d", slice*calls+i), Data: data}
			}
			_, _, _ = s.Apply(1, id, op)
		}
		best = max(best, calls/time.Since(start).Seconds())
	}
	return best
}

// benchStepped counts what a stepped run costs on a real server: with watches of other sessions to collect, and without.
func benchStepped(tell func(measured), address string) error {
	a, err := zkreal.ParseAddress(address + "/bench-stepped")
	if err != nil {
		return err
	}
	s, err := zkreal.NewStore(a, nil)
	if err != nil {
		return err
	}
	defer s.Shutdown()
	ids := make([]zk.SessionID, 4)
	for i := range ids {
		if ids[i], _, _, err = s.Open(0, 10_000); err != nil {
			return err
		}
	}
	before := s.Counts()
	took := make([]time.Duration, 0, 200)
	for i := range 200 {
		op := []zk.Op{{Kind: zk.Exists, Path: "/x", Watch: true}, {Kind: zk.Create, Path: "/x"}, {Kind: zk.Set, Path: "/x", Version: zk.AnyVersion},
			{Kind: zk.Delete, Path: "/x", Version: zk.AnyVersion}}[i%4]
		start := time.Now()
		if _, _, err := s.Apply(int64(i), ids[i%len(ids)], op); err != nil {
			return err
		}
		took = append(took, time.Since(start))
	}
	slices.Sort(took)
	after := s.Counts()
	// A request is one round trip, and so is a barrier: on a standalone server a read, of all sessions at once.
	tell(measured{"stepped: round trips per store request", 1 + float64(after.Barriers-before.Barriers)/float64(after.Requests-before.Requests),
		"", "at most", 3, false})
	tell(measured{"stepped: median of a store request", float64(took[100].Microseconds()) / 1000, "ms", "", 0, false})
	return nil
}

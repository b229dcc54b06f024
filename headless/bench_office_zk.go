package main

import (
	"errors"
	"fmt"
	"net"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"controllerscope/core/kafka"
	"controllerscope/core/request"
	"controllerscope/core/server"
	"controllerscope/core/zk"
	"controllerscope/core/zk/zkreal"
	"controllerscope/core/zkdata"
	"controllerscope/headless/live"
)

// zkOfficePartitions is how many partitions the office on a real ZooKeeper is taken over.
const zkOfficePartitions = 10_000

// zkOfficeRounds is how often each side is measured, each time on a tree and a session of its own.
const zkOfficeRounds = 5

// zkInFlight is Kafka's default of zookeeper.max.in.flight.requests: no more requests than this are unanswered.
const zkInFlight = 10

// benchZkOffice has a live broker take office on a real server, and a loop that does nothing else send the same requests in
// the same batches through the same client with as many in flight. Each begins with a new session on a tree that another one
// has planted, and they take turns at being first. A first office, which warms up the server and tells the batches, does not
// count. The medians are told; the ratio is the median of the rounds', whose sides ran under the same load. A loop without
// a limit in flight, which Kafka has, is told beside them.
func benchZkOffice(tell func(measured), servers string) error {
	_, batches, err := liveOffice(servers + "/benchoffice")
	if err != nil {
		return err
	}
	loop := func(inFlight int) func(string) (time.Duration, error) {
		return func(connect string) (time.Duration, error) { return bareOffice(connect, batches, inFlight) }
	}
	sides := []func(string) (time.Duration, error){
		func(connect string) (took time.Duration, err error) {
			took, _, err = liveOffice(connect)
			return took, err
		},
		loop(zkInFlight), loop(0)}
	took := [3][]float64{} // ms of each side
	var ratios []float64
	for round := range zkOfficeRounds {
		for i := range sides {
			side := i
			if round%2 == 1 {
				side = len(sides) - 1 - i
			}
			runtime.GC() // what one side leaves is not the next one's
			t, err := sides[side](fmt.Sprintf("%s/bench%d-%d", servers, round, side))
			if err != nil {
				return err
			}
			took[side] = append(took[side], t.Seconds()*1000)
		}
		ratios = append(ratios, took[0][round]/took[1][round])
	}
	name := fmt.Sprintf("office over %d partitions, real server", zkOfficePartitions)
	loops := fmt.Sprintf("%s, bare loop, %d in flight as well", name, zkInFlight)
	tell(measured{name, median(took[0]), "ms", "", 0, false})
	tell(measured{loops, median(took[1]), "ms", "", 0, false})
	tell(measured{name + ", bare loop without a limit", median(took[2]), "ms", "", 0, false})
	tell(measured{name + ", times the loop with the limit", median(ratios), "times", "at most", 1.5, false})
	return nil
}

// median of an odd number of values, which it sorts.
func median(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/2]
}

// zkSession is a session of the live client without a process around it.
type zkSession struct {
	zk.Session
	mu sync.Mutex
}

func (*zkSession) WatchEvent(zk.Event)                  {}
func (*zkSession) StateChanged(zk.State)                {}
func (*zkSession) Interested(string, zk.WatchKind) bool { return true }

func openSession(connect string, inFlight int) (*zkSession, error) {
	address, err := zkreal.ParseAddress(connect)
	if err == nil {
		err = zkreal.Prepare(address, nil)
	}
	if err != nil {
		return nil, err
	}
	s := &zkSession{}
	s.Session = zkreal.NewConnector(zkreal.LiveOptions{Address: address, Lock: s.mu.Lock, Unlock: s.mu.Unlock}).Open(s, zk.Options{TimeoutMS: 30_000, MaxInFlight: inFlight})
	for range 1000 {
		s.mu.Lock()
		state := s.State()
		s.mu.Unlock()
		if state == zk.Connected {
			return s, nil
		}
		time.Sleep(10 * time.Millisecond)
	}
	return nil, errors.New("no connection to ZooKeeper")
}

func (s *zkSession) do(ops []zk.Op) []zk.Result {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.Do(ops...)
}

func (s *zkSession) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.Close()
}

// plant fills a chroot with the partitions and the silent broker, over a session that ends with it.
func plant(connect string) error {
	s, err := openSession(connect, 0)
	if err != nil {
		return err
	}
	defer s.close()
	var ops []zk.Op
	for _, p := range silentTree(zkOfficePartitions) {
		ops = append(ops, zk.Op{Kind: zk.Create, Path: p[0], Data: []byte(p[1])})
	}
	for part := range slices.Chunk(ops, 1000) {
		for i, r := range s.do(part) {
			if r.Err != zk.OK && r.Err != zk.NodeExists {
				return fmt.Errorf("create %s: %w", part[i].Path, r.Err)
			}
		}
	}
	return nil
}

// liveOffice is how long a live broker is at it, from the request that makes it controller to its last answer, and what its
// controller asks meanwhile, the batches before that included.
func liveOffice(connect string) (took time.Duration, batches [][]zk.Op, err error) {
	if err := plant(connect); err != nil {
		return 0, nil, err
	}
	address, err := zkreal.ParseAddress(connect)
	if err != nil {
		return 0, nil, err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, nil, err
	}
	var began, ended time.Time
	b := live.StartBroker(live.BrokerConfig{ID: 0, Listener: listener, Address: address,
		Props: map[string]string{"auto.leader.rebalance.enable": "false", "controlled.shutdown.enable": "false",
			"zookeeper.max.in.flight.requests": strconv.Itoa(zkInFlight)},
		Batch: func(lane string, ops []zk.Op, at time.Time) {
			if lane == "0.startup" || strings.HasSuffix(lane, ".controller") {
				batches = append(batches, slices.Clone(ops))
			}
			if strings.HasSuffix(lane, ".controller") {
				if makesController(ops) {
					began = at
				}
				ended = time.Now()
			}
		}})
	defer func() {
		b.Stop()
		<-b.Ended()
	}()
	asked, done := false, false
	for range 600 {
		time.Sleep(100 * time.Millisecond)
		b.See(func(x *server.Server) {
			if !asked && x.Controller().IsActive() {
				asked = true // the question waits in the queue behind the event that takes office
				x.Controller().ListPartitionReassignments(nil, func([]request.OngoingReassignment, kafka.Error) { done = true })
			}
			if done {
				took, batches = ended.Sub(began), slices.Clone(batches)
			}
		})
		if took > 0 {
			return took, batches, nil
		}
	}
	return 0, nil, errors.New("the live broker has not taken office within a minute")
}

// makesController reports whether a batch creates /controller.
func makesController(ops []zk.Op) bool {
	return len(ops) == 1 && ops[0].Kind == zk.Multi && len(ops[0].Ops) > 0 && ops[0].Ops[0].Path == zkdata.ControllerPath
}

// bareOffice sends the batches over a session of its own to a tree like the one before, and measures those from the one that
// makes a controller on.
func bareOffice(connect string, batches [][]zk.Op, inFlight int) (time.Duration, error) {
	if err := plant(connect); err != nil {
		return 0, err
	}
	s, err := openSession(connect, inFlight)
	if err != nil {
		return 0, err
	}
	defer s.close()
	var began time.Time
	for _, ops := range batches {
		if makesController(ops) {
			began = time.Now()
		}
		if results := s.do(ops); !began.IsZero() && results[0].Err == zk.ConnectionLoss {
			return 0, errors.New("the connection to ZooKeeper was lost")
		}
	}
	return time.Since(began), nil
}

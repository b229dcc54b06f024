package main

import (
	"errors"
	"fmt"
	"net"
	"slices"
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

// benchZkOffice has a live broker take office on a real server, and then sends the same requests in the same batches from a
// loop that does nothing else. The best of three tries counts on each side, since other programs run too.
func benchZkOffice(tell func(measured), servers string) error {
	office, bare := time.Hour, time.Hour
	for try := range 3 {
		took, batches, err := liveOffice(fmt.Sprintf("%s/benchoffice%d", servers, try))
		if err != nil {
			return err
		}
		office = min(office, took)
		if took, err = bareOffice(fmt.Sprintf("%s/benchloop%d", servers, try), batches); err != nil {
			return err
		}
		bare = min(bare, took)
	}
	name := fmt.Sprintf("office over %d partitions, real server", zkOfficePartitions)
	tell(measured{name, office.Seconds() * 1000, "ms", "", 0, false})
	tell(measured{name + ", bare loop", bare.Seconds() * 1000, "ms", "", 0, false})
	tell(measured{name + ", times the loop", office.Seconds() / bare.Seconds(), "times", "at most", 1.5, false})
	return nil
}

// zkSession is a session of the live client without a process around it.
type zkSession struct {
	zk.Session
	mu sync.Mutex
}

func (*zkSession) WatchEvent(zk.Event)                  {}
func (*zkSession) StateChanged(zk.State)                {}
func (*zkSession) Interested(string, zk.WatchKind) bool { return true }

func openSession(connect string) (*zkSession, error) {
	address, err := zkreal.ParseAddress(connect)
	if err == nil {
		err = zkreal.Prepare(address, nil)
	}
	if err != nil {
		return nil, err
	}
	s := &zkSession{}
	s.Session = zkreal.NewConnector(zkreal.LiveOptions{Address: address, Lock: s.mu.Lock, Unlock: s.mu.Unlock}).Open(s, zk.Options{TimeoutMS: 30_000})
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

// plant fills a chroot with the partitions and the silent broker.
func (s *zkSession) plant() error {
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
	s, err := openSession(connect)
	if err != nil {
		return 0, nil, err
	}
	defer s.close()
	if err := s.plant(); err != nil {
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
		Props: map[string]string{"auto.leader.rebalance.enable": "false", "controlled.shutdown.enable": "false"},
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
func bareOffice(connect string, batches [][]zk.Op) (time.Duration, error) {
	s, err := openSession(connect)
	if err != nil {
		return 0, err
	}
	defer s.close()
	if err := s.plant(); err != nil {
		return 0, err
	}
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

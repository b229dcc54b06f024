package main

import (
	"fmt"
	"runtime"
	"time"

	"controllerscope/core/kafka"
	"controllerscope/core/request"
	"controllerscope/core/sim"
	"controllerscope/core/zk/zkmem"
)

// oneTopics are numbers of topics of 100 partitions each.
var oneTopics = []int{10, 200}

// oneEvent is something about one partition or topic that happens again and again in a world of many.
type oneEvent struct {
	name string
	do   func(w *sim.World, i int) error
}

var oneEvents = []oneEvent{
	{"a partition leaves a broker", func(w *sim.World, i int) error {
		tp := kafka.TopicPartition{Topic: "t0001", Partition: int32(i % perTopic)}
		w.Ask(request.AlterPartitionReassignments{Partitions: []request.PartitionReassignment{{TopicPartition: tp, Replicas: []kafka.BrokerID{w.Leader(tp)}}}}, tp.String())
		return nil
	}},
	{"a topic is created", func(w *sim.World, i int) error {
		name := fmt.Sprintf("new%d", i)
		w.Ask(request.CreateTopics{Topics: []request.NewTopic{{Name: name, Assignment: w.Spread(1, 2)}}}, name)
		return nil
	}},
	{"a topic gets a partition", func(w *sim.World, i int) error {
		name := fmt.Sprintf("new%d", i)
		w.Ask(request.CreatePartitions{Topics: []request.NewPartitions{{Name: name, Count: 2}}}, name)
		return nil
	}},
	{"a topic is deleted", func(w *sim.World, i int) error {
		name := fmt.Sprintf("new%d", i)
		w.Ask(request.DeleteTopics{Topics: []string{name}}, name)
		return nil
	}},
}

// one is what fifty events of a kind cost in a world.
type one struct {
	requests int
	took     time.Duration
}

const oneTimes = 50

// benchOne lets events about one partition happen in a small world and in one of twenty times as many partitions: they must
// not cost more there. Time is compared with room for what a larger memory costs; twenty times would be a scan.
func benchOne(tell func(measured)) error {
	var costs [2][]one
	for i, topics := range oneTopics {
		var err error
		if costs[i], err = oneByOne(topics); err != nil {
			return err
		}
	}
	for i, e := range oneEvents {
		few, many := costs[0][i], costs[1][i]
		name := fmt.Sprintf("%s, among %d / %d partitions: ", e.name, oneTopics[1]*perTopic, oneTopics[0]*perTopic)
		tell(measured{name + "requests", ratio(many.requests, few.requests), "times", "exactly", 1, false})
		tell(measured{name + "time", many.took.Seconds() / few.took.Seconds(), "times", "at most", 5, false})
	}
	return nil
}

// oneByOne has three brokers with topics of two replicas go through the events; the time is that of the quickest of each kind
// times their number, since other programs run too.
func oneByOne(topics int) ([]one, error) {
	setup := sim.Setup{Props: map[string]string{"auto.leader.rebalance.enable": "false"}}
	for id := range kafka.BrokerID(3) {
		setup.Brokers = append(setup.Brokers, sim.BrokerSetup{ID: id})
	}
	counted := &counting{Store: zkmem.New(zkmem.Options{})}
	w := sim.New(sim.Config{Setup: setup, Seed: 1, Store: counted})
	defer w.Close()
	for _, b := range setup.Brokers {
		if err := w.StartBroker(b.ID); err != nil {
			return nil, err
		}
	}
	if err := w.RunToIdle(0, nil); err != nil {
		return nil, err
	}
	for t := range topics {
		name := fmt.Sprintf("t%04d", t)
		w.Ask(request.CreateTopics{Topics: []request.NewTopic{{Name: name, Assignment: w.Spread(perTopic, 2)}}}, name)
		if err := w.RunToIdle(0, nil); err != nil {
			return nil, err
		}
	}
	var out []one
	for _, e := range oneEvents {
		runtime.GC()
		c := one{took: time.Hour}
		before := counted.requests
		for i := range oneTimes {
			begin := time.Now()
			if err := e.do(w, i); err != nil {
				return nil, err
			}
			if err := w.RunToIdle(0, nil); err != nil {
				return nil, err
			}
			c.took = min(c.took, time.Since(begin))
		}
		c.requests = counted.requests - before
		out = append(out, c)
	}
	return out, nil
}

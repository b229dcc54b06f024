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

// brokersSizes are numbers of partitions, each ten times the one before.
var brokersSizes = []int{1_000, 10_000, 100_000}

// brokersEvent is something that happens to a cluster of ten brokers, and what it cost.
type brokersEvent struct {
	name string
	do   func(w *sim.World, partitions int) error
	cost []office
}

// benchBrokers has a cluster of ten brokers with three replicas of each partition go through what concerns brokers and
// topics. What that takes must not grow faster than the partitions.
func benchBrokers(tell func(measured)) error {
	events := []*brokersEvent{
		{name: "topic creation", do: createBenchTopic},
		{name: "broker failure", do: func(w *sim.World, _ int) error { return w.KillBroker(9) }},
		{name: "broker start", do: func(w *sim.World, _ int) error { return w.StartBroker(9) }},
		{name: "controlled shutdown", do: func(w *sim.World, _ int) error { return w.StopBroker(8) }},
		{name: "start after it", do: func(w *sim.World, _ int) error { return w.StartBroker(8) }},
		{name: "topic deletion", do: func(w *sim.World, _ int) error {
			w.Ask(request.DeleteTopics{Topics: []string{"t"}}, "t")
			return nil
		}},
	}
	for _, n := range brokersSizes {
		if err := tenBrokers(n, events); err != nil {
			return err
		}
		for _, e := range events {
			c := e.cost[len(e.cost)-1]
			name := fmt.Sprintf("%s, %d partitions, ", e.name, n)
			tell(measured{Name: name + "requests", Value: float64(c.requests), Unit: "requests"})
			tell(measured{Name: name + "batches", Value: float64(c.batches), Unit: "batches"})
			tell(measured{Name: name + "time", Value: c.took.Seconds() * 1000, Unit: "ms"})
		}
	}
	for _, e := range events {
		more, most := e.cost[1].requests-e.cost[0].requests, e.cost[2].requests-e.cost[1].requests
		tell(measured{e.name + ": growth of requests, second tenfold / first", ratio(most, more), "times", "exactly", 10, false})
		tell(measured{e.name + ": batches of a tenfold", ratio(e.cost[2].batches, e.cost[1].batches), "times", "at most", 10, false})
		for i := 1; i < len(e.cost); i++ {
			tell(measured{fmt.Sprintf("%s: time over %d / over %d", e.name, brokersSizes[i], brokersSizes[i-1]),
				e.cost[i].took.Seconds() / e.cost[i-1].took.Seconds(), "times", "at most", 40, false})
		}
	}
	return benchOne(tell)
}

// createBenchTopic asks for one topic with all partitions, spread over the ten brokers.
func createBenchTopic(w *sim.World, partitions int) error {
	w.Ask(request.CreateTopics{Topics: []request.NewTopic{{Name: "t", Assignment: w.Spread(partitions, 3)}}}, "t")
	return nil
}

// tenBrokers plays the events one after the other. Followers do not fetch: what they do is not the controller's cost.
func tenBrokers(partitions int, events []*brokersEvent) error {
	setup := sim.Setup{Props: map[string]string{"auto.leader.rebalance.enable": "false", "scope.alterisr.auto": "false"}}
	for id := range kafka.BrokerID(10) {
		setup.Brokers = append(setup.Brokers, sim.BrokerSetup{ID: id})
	}
	counted := &counting{Store: zkmem.New(zkmem.Options{})}
	w := sim.New(sim.Config{Setup: setup, Seed: 1, Store: counted})
	defer w.Close()
	for _, b := range setup.Brokers {
		if err := w.StartBroker(b.ID); err != nil {
			return err
		}
		if err := w.RunToIdle(0, nil); err != nil {
			return err
		}
	}
	for _, e := range events {
		runtime.GC()
		requests, batches, begin := counted.requests, w.Batches(), time.Now()
		if err := e.do(w, partitions); err != nil {
			return fmt.Errorf("%s: %w", e.name, err)
		}
		if err := w.RunToIdle(0, nil); err != nil {
			return fmt.Errorf("%s: %w", e.name, err)
		}
		e.cost = append(e.cost, office{requests: counted.requests - requests, batches: w.Batches() - batches, took: time.Since(begin)})
	}
	return nil
}

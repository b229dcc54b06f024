package main

import (
	"fmt"
	"runtime"

	"controllerscope/core/env"
	"controllerscope/core/kafka"
	"controllerscope/core/request"
	"controllerscope/core/sim"
	"controllerscope/core/trace"
	"controllerscope/core/zk"
	"controllerscope/core/zk/zkmem"
	"controllerscope/core/zkdata"
)

// brokersSizes are numbers of partitions, each ten times the one before.
var brokersSizes = []int{1_000, 10_000, 100_000}

// brokersEvent is something that happens to a cluster of ten brokers.
type brokersEvent struct {
	name string
	do   func(w *sim.World, partitions int) error
}

var brokersEvents = []brokersEvent{
	{"topic creation", createBenchTopics},
	{"broker failure", func(w *sim.World, _ int) error { return w.KillBroker(9) }},
	{"broker start", func(w *sim.World, _ int) error { return w.StartBroker(9) }},
	{"controlled shutdown", func(w *sim.World, _ int) error { return w.StopBroker(8) }},
	{"start after it", func(w *sim.World, _ int) error { return w.StartBroker(8) }},
	{"take office", func(w *sim.World, _ int) error {
		w.Zk(zk.Op{Kind: zk.Delete, Path: zkdata.ControllerPath, Version: zk.AnyVersion})
		return nil
	}},
	{"topic deletion", func(w *sim.World, _ int) error {
		w.Ask(request.DeleteTopics{Topics: benchTopics()}, "all")
		return nil
	}},
}

// benchBrokers has a cluster of ten brokers with three replicas of each partition go through what concerns brokers and
// topics. Requests, batches and steps must lie on a straight line over the partitions, and time must not leave it far. Two
// events have batches for each partition, which are Kafka's own: a broker reads the topic's configuration for each log that
// it creates (Partition.createLog), and a topic's znodes are deleted one by one (KafkaZkClient.deleteRecursive).
func benchBrokers(tell func(measured)) error {
	costs := make([][]office, len(brokersEvents)) // of each event over each number of partitions
	for _, n := range brokersSizes {
		plain, err := tenBrokers(n, nil)
		if err != nil {
			return err
		}
		steps := 0
		recorded, err := tenBrokers(n, &steps)
		if err != nil {
			return err
		}
		for i, e := range brokersEvents {
			c := plain[i]
			c.steps = recorded[i].steps
			costs[i] = append(costs[i], c)
			name := fmt.Sprintf("%s, %d partitions, ", e.name, n)
			tell(measured{Name: name + "requests", Value: float64(c.requests), Unit: "requests"})
			tell(measured{Name: name + "batches", Value: float64(c.batches), Unit: "batches"})
			tell(measured{Name: name + "steps", Value: float64(c.steps), Unit: "steps"})
			tell(measured{Name: name + "processor time", Value: c.took.Seconds() * 1000, Unit: "ms"})
		}
	}
	for i, e := range brokersEvents {
		tellLinear(tell, e.name+": ", brokersSizes, costs[i])
	}
	return benchOne(tell)
}

// tellLinear holds counts to a straight line: what they grow by from the second size to the third is ten times what they
// grow by from the first to the second, whatever they begin with. Time may be up to four times off that.
func tellLinear(tell func(measured), name string, sizes []int, all []office) {
	for _, c := range []struct {
		what string
		of   func(office) int
	}{{"requests", func(o office) int { return o.requests }}, {"batches", func(o office) int { return o.batches }}, {"steps", func(o office) int { return o.steps }}} {
		more, most := c.of(all[1])-c.of(all[0]), c.of(all[2])-c.of(all[1])
		slope := float64(more) / float64(sizes[1]-sizes[0])
		tell(measured{name + c.what + " a partition", slope, c.what, "", 0, false})
		tell(measured{name + c.what + " without any", float64(c.of(all[0])) - slope*float64(sizes[0]), c.what, "", 0, false})
		tell(measured{name + c.what + " off a straight line", float64(most - 10*more), c.what, "exactly", 0, false})
	}
	for i := 1; i < len(all); i++ {
		tell(measured{fmt.Sprintf("%stime over %d / over %d", name, sizes[i], sizes[i-1]), all[i].took.Seconds() / all[i-1].took.Seconds(), "times", "at most", 40, false})
	}
}

// brokersTopics is how many topics share the partitions. One topic cannot have 100,000: its znode would be larger than
// jute.maxbuffer, ZooKeeper would break the connection, and the controller would try again for ever.
const brokersTopics = 10

func benchTopics() []string {
	var names []string
	for i := range brokersTopics {
		names = append(names, fmt.Sprintf("t%d", i))
	}
	return names
}

// createBenchTopics asks for topics with all partitions, spread over the ten brokers.
func createBenchTopics(w *sim.World, partitions int) error {
	var r request.CreateTopics
	for _, name := range benchTopics() {
		r.Topics = append(r.Topics, request.NewTopic{Name: name, Assignment: w.Spread(partitions/brokersTopics, 3)})
	}
	w.Ask(r, "all")
	return nil
}

// tenBrokers plays the events one after the other and tells what each costs: processor time, and the steps if they are
// counted, since a recorder takes its own time. Steps of timers do not count: they go with virtual time. Followers do not
// fetch: what they do is not the controller's cost.
func tenBrokers(partitions int, steps *int) ([]office, error) {
	setup := sim.Setup{Props: map[string]string{"auto.leader.rebalance.enable": "false", "scope.alterisr.auto": "false"}}
	for id := range kafka.BrokerID(10) {
		setup.Brokers = append(setup.Brokers, sim.BrokerSetup{ID: id})
	}
	counted := &counting{Store: zkmem.New(zkmem.Options{})}
	w := sim.New(sim.Config{Setup: setup, Seed: 1, Store: counted})
	defer w.Close()
	if steps == nil {
		steps = new(int)
	} else {
		w.Record(countSteps(steps))
	}
	for _, b := range setup.Brokers {
		if err := w.StartBroker(b.ID); err != nil {
			return nil, err
		}
		if err := w.RunToIdle(0, nil); err != nil {
			return nil, err
		}
	}
	var costs []office
	for _, e := range brokersEvents {
		runtime.GC()
		before, begin := office{requests: counted.requests, batches: w.Batches(), steps: *steps}, processorTime()
		if err := e.do(w, partitions); err != nil {
			return nil, fmt.Errorf("%s: %w", e.name, err)
		}
		if err := w.RunToIdle(0, nil); err != nil {
			return nil, fmt.Errorf("%s: %w", e.name, err)
		}
		costs = append(costs, office{requests: counted.requests - before.requests, batches: w.Batches() - before.batches,
			steps: *steps - before.steps, took: processorTime() - begin})
	}
	return costs, nil
}

// countSteps is a recorder that counts steps, but those of timers, and keeps none.
func countSteps(steps *int) *trace.Recorder {
	r := trace.NewRecorder()
	r.Forget = true
	r.Sink = func(s *trace.Step) {
		if s.Kind != env.TimerSet && s.Kind != env.TimerFire {
			*steps++
		}
	}
	return r
}

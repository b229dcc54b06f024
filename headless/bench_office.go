package main

import (
	"fmt"
	"runtime"
	"time"

	"controllerscope/core/kafka"
	"controllerscope/core/sim"
	"controllerscope/core/zk"
	"controllerscope/core/zk/zkmem"
	"controllerscope/core/zkdata"
)

// office is what it costs to take office over a number of partitions.
type office struct {
	requests, batches, steps int // steps without those of timers
	took                     time.Duration
}

// officeSizes are numbers of partitions, each ten times the one before.
var officeSizes = []int{1_000, 10_000, 100_000}

// benchOffice has a controller take office over more and more partitions. What it does must grow exactly with them.
func benchOffice(tell func(measured)) error {
	var all []office
	if err := benchBareOffice(tell, officeSizes[len(officeSizes)-1]); err != nil {
		return err
	}
	for _, n := range officeSizes {
		o, err := takeOffice(n, false)
		if err != nil {
			return err
		}
		recorded, err := takeOffice(n, true)
		if err != nil {
			return err
		}
		o.steps = recorded.steps
		all = append(all, o)
		name := fmt.Sprintf("office over %d partitions, ", n)
		tell(measured{Name: name + "requests", Value: float64(o.requests), Unit: "requests"})
		tell(measured{Name: name + "batches", Value: float64(o.batches), Unit: "batches"})
		tell(measured{Name: name + "steps", Value: float64(o.steps), Unit: "steps"})
		tell(measured{Name: name + "processor time", Value: o.took.Seconds() * 1000, Unit: "ms"})
	}
	tellLinear(tell, "office: ", officeSizes, all)
	return nil
}

// ratio of two counts.
func ratio(a, b int) float64 {
	return float64(a) / float64(max(1, b))
}

// counting is a store that counts the requests of one session and later ones.
type counting struct {
	zk.Store
	requests int
	seen     func(zk.Op) // sees each of them; nil for nobody
}

func (c *counting) Apply(now int64, id zk.SessionID, op zk.Op) (zk.Result, zk.Effects, error) {
	c.requests++
	if c.seen != nil {
		c.seen(op)
	}
	return c.Store.Apply(now, id, op)
}

// Walk shows the tree of the store below, which a recording begins with.
func (c *counting) Walk(visit func(path string, data []byte, stat zk.Stat)) {
	c.Store.(*zkmem.Store).Walk(visit)
}

// perTopic is how many partitions a topic has here.
const perTopic = 100

// takeOffice starts a lone broker on a store that has the partitions already.
func takeOffice(partitions int, record bool) (office, error) {
	store := zkmem.New(zkmem.Options{})
	if err := fill(store, officeTree(partitions, 0)); err != nil {
		return office{}, err
	}
	counted := &counting{Store: store}
	w := loneBroker(counted)
	defer w.Close()
	steps := 0
	if record {
		w.Record(countSteps(&steps))
	}
	runtime.GC()
	begin := processorTime()
	if err := w.StartBroker(0); err != nil {
		return office{}, err
	}
	if err := w.RunToIdle(0, nil); err != nil {
		return office{}, err
	}
	o := office{requests: counted.requests, batches: w.Batches(), steps: steps, took: processorTime() - begin}
	if w.ControllerInOffice() != 0 {
		return o, fmt.Errorf("broker 0 has not taken office: %s", w.Summary())
	}
	return o, nil
}

// loneBroker is a world of one broker. The check of the leader balance is off: whether it falls into the time that a bench
// takes depends on the time, not on the partitions.
func loneBroker(store zk.Store) *sim.World {
	return sim.New(sim.Config{Setup: sim.Setup{Brokers: []sim.BrokerSetup{{ID: 0}},
		Props: map[string]string{"auto.leader.rebalance.enable": "false"}}, Seed: 1, Store: store})
}

// fill writes a tree.
func fill(store *zkmem.Store, tree [][2]string) error {
	id, _, _, err := store.Open(0, 30_000)
	if err != nil {
		return err
	}
	create := func(path string, data []byte) error {
		r, _, err := store.Apply(0, id, zk.Op{Kind: zk.Create, Path: path, Data: data, Mode: zk.Persistent})
		if err == nil && r.Err != zk.OK {
			err = fmt.Errorf("create %s: %s", path, r.Err.Error())
		}
		return err
	}
	for _, p := range tree {
		if err := create(p[0], []byte(p[1])); err != nil {
			return err
		}
	}
	return nil
}

// officeTree lists the nodes of topics of 100 partitions each, whose one replica is the given broker: path and data.
func officeTree(partitions int, replica kafka.BrokerID) [][2]string {
	paths := [][2]string{{"/brokers", ""}, {zkdata.TopicsPath, ""}}
	for t := range partitions / perTopic {
		topic := fmt.Sprintf("t%04d", t)
		assignment := map[int32]kafka.ReplicaAssignment{}
		for p := range perTopic {
			assignment[int32(p)] = kafka.ReplicaAssignment{Replicas: []kafka.BrokerID{replica}}
		}
		paths = append(paths, [2]string{zkdata.TopicPath(topic), string(zkdata.EncodeTopic(kafka.UUID{1, byte(t >> 8), byte(t)}, assignment))},
			[2]string{zkdata.TopicPartitionsPath(topic), ""})
		for p := range perTopic {
			tp := kafka.TopicPartition{Topic: topic, Partition: int32(p)}
			paths = append(paths, [2]string{zkdata.TopicPartitionPath(tp), ""}, [2]string{zkdata.TopicPartitionStatePath(tp),
				fmt.Sprintf(`{"controller_epoch":0,"leader":%d,"version":1,"leader_epoch":0,"isr":[%d]}`, replica, replica)})
		}
	}
	return paths
}

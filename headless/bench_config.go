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

// noticeSizes are numbers of notifications, each ten times the one before.
var noticeSizes = []int{100, 1_000, 10_000}

// benchConfig has ten brokers list, carry out and purge more and more notifications in one pass each, one broker do the same
// as they arrive singly, and one hold the configs of ten thousand topics.
func benchConfig(tell func(measured)) error {
	var requests []int
	var took []time.Duration
	for _, n := range noticeSizes {
		r, d, err := passNotices(n, 10)
		for range min(4, 10_000/n-1) { // short times say little: the best of some counts
			again := d
			if err == nil {
				r, again, err = passNotices(n, 10)
			}
			d = min(d, again)
		}
		if err != nil {
			return err
		}
		requests, took = append(requests, r), append(took, d)
		name := fmt.Sprintf("%d notices by 10 brokers, ", n)
		tell(measured{Name: name + "requests", Value: float64(r), Unit: "requests"})
		tell(measured{Name: name + "time", Value: d.Seconds() * 1000, Unit: "ms"})
	}
	tell(measured{"growth of requests, second tenfold / first", ratio(requests[2]-requests[1], requests[1]-requests[0]), "times", "exactly", 10, false})
	for i := 1; i < len(took); i++ {
		tell(measured{fmt.Sprintf("time for %d notices / for %d", noticeSizes[i], noticeSizes[i-1]), took[i].Seconds() / took[i-1].Seconds(), "times", "at most", 40, false})
	}
	for _, n := range []int{10, 100, 400} { // of a thousand the first get old, and are purged, before the last come
		r, err := singleNotices(n)
		if err != nil {
			return err
		}
		tell(measured{fmt.Sprintf("%d notices singly, one broker, requests", n), float64(r), "requests", "exactly", singly(n), false})
	}
	tell(measured{Name: "10000 notices singly, one broker, calculated", Value: singly(10_000), Unit: "requests"})
	const topics = 10_000
	none, err := heldByConfigs(0)
	if err != nil {
		return err
	}
	all, err := heldByConfigs(topics)
	if err != nil {
		return err
	}
	tell(measured{"memory of a broker per topic config", float64(all-none) / topics, "bytes", "at most", 2048, false})
	return nil
}

// passNotices starts brokers, holds back what ZooKeeper tells them until the notifications are there and 16 minutes old, and
// counts the requests from then on to rest.
func passNotices(notices, brokers int) (requests int, took time.Duration, err error) {
	counted := &counting{Store: zkmem.New(zkmem.Options{})}
	setup := sim.Setup{Props: map[string]string{"auto.leader.rebalance.enable": "false"}}
	for id := range brokers {
		setup.Brokers = append(setup.Brokers, sim.BrokerSetup{ID: kafka.BrokerID(id)})
	}
	w := sim.New(sim.Config{Setup: setup, Seed: 1, Store: counted})
	defer w.Close()
	for id := range brokers {
		if err := w.StartBroker(kafka.BrokerID(id)); err != nil {
			return 0, 0, err
		}
		if err := w.RunToIdle(0, nil); err != nil {
			return 0, 0, err
		}
	}
	for id := range brokers {
		if err := w.Hold(fmt.Sprintf("%d.config", id)); err != nil {
			return 0, 0, err
		}
	}
	for range notices {
		w.Zk(zk.Op{Kind: zk.Create, Path: zkdata.ConfigChangeSequencePath, Mode: zk.PersistentSequential, Data: zkdata.EncodeConfigChange("topics/t")})
	}
	if err := w.RunToIdle(1<<30, nil); err != nil {
		return 0, 0, err
	}
	if err := w.Warp(16*60*1000, 1<<30, nil); err != nil {
		return 0, 0, err
	}
	counted.requests = 0
	runtime.GC()
	begin := time.Now()
	for id := range brokers {
		if err := w.Release(fmt.Sprintf("%d.config", id)); err != nil {
			return 0, 0, err
		}
	}
	err = w.RunToIdle(1<<30, nil)
	return counted.requests, time.Since(begin), err
}

// singly is how many requests notices cost that arrive one by one: each is written, listed, read, and its config read; and
// each pass reads all that are there once more, for the purge.
func singly(notices int) float64 { return float64(4*notices + notices*(notices+1)/2) }

// singleNotices has notifications arrive one by one, each carried out before the next comes, and counts the requests.
func singleNotices(notices int) (requests int, err error) {
	counted := &counting{Store: zkmem.New(zkmem.Options{})}
	w := sim.New(sim.Config{Setup: sim.Setup{Brokers: []sim.BrokerSetup{{ID: 0}}, Props: map[string]string{"auto.leader.rebalance.enable": "false"}}, Seed: 1, Store: counted})
	defer w.Close()
	if err := w.StartBroker(0); err != nil {
		return 0, err
	}
	if err := w.RunToIdle(0, nil); err != nil {
		return 0, err
	}
	counted.requests = 0
	for range notices {
		w.Zk(zk.Op{Kind: zk.Create, Path: zkdata.ConfigChangeSequencePath, Mode: zk.PersistentSequential, Data: zkdata.EncodeConfigChange("topics/t")})
		if err := w.RunToIdle(1<<30, nil); err != nil {
			return 0, err
		}
	}
	return counted.requests, nil
}

// heldByConfigs is how many bytes of memory a world with a broker takes that has applied the configs of so many topics,
// without those of the store.
func heldByConfigs(topics int) (int64, error) {
	store := zkmem.New(zkmem.Options{})
	id, _, _, err := store.Open(0, 30_000)
	if err != nil {
		return 0, err
	}
	for _, path := range []string{zkdata.ConfigPath, zkdata.ConfigEntityTypePath(zkdata.ConfigTypeTopics)} {
		if _, _, err := store.Apply(0, id, zk.Op{Kind: zk.Create, Path: path}); err != nil {
			return 0, err
		}
	}
	data := zkdata.EncodeConfig(map[string]string{"retention.ms": "86400000", "cleanup.policy": "compact"})
	for i := range topics {
		path := zkdata.ConfigEntityPath(zkdata.ConfigTypeTopics, fmt.Sprintf("topic-%05d", i))
		if _, _, err := store.Apply(0, id, zk.Op{Kind: zk.Create, Path: path, Data: data}); err != nil {
			return 0, err
		}
	}
	before := heap()
	w := sim.New(sim.Config{Setup: sim.Setup{Brokers: []sim.BrokerSetup{{ID: 0}}, Props: map[string]string{"auto.leader.rebalance.enable": "false"}}, Seed: 1, Store: store})
	defer w.Close()
	if err := w.StartBroker(0); err != nil {
		return 0, err
	}
	if err := w.RunToIdle(0, nil); err != nil {
		return 0, err
	}
	after := heap()
	if topics > 0 && w.Server(0).Config().Config(zkdata.ConfigTypeTopics, "topic-00000") == nil {
		return 0, fmt.Errorf("broker 0 has not applied its configs: %s", w.Summary())
	}
	runtime.KeepAlive(store)
	return int64(after) - int64(before), nil
}

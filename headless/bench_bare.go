package main

import (
	"fmt"
	"runtime/debug"
	"runtime/metrics"
	"time"

	"controllerscope/core/kafka"
	"controllerscope/core/request"
	"controllerscope/core/zk"
	"controllerscope/core/zk/zkmem"
	"controllerscope/core/zkdata"
)

// silentTree is officeTree with broker 1, which has a registration and answers nothing, so that what a broker does with the
// controller's orders is no part of the time.
func silentTree(partitions int) [][2]string {
	return append(officeTree(partitions, 1), [2]string{zkdata.BrokerIDsPath, ""}, [2]string{zkdata.BrokerIDPath(1),
		`{"listener_security_protocol_map":{"PLAINTEXT":"PLAINTEXT"},"endpoints":["PLAINTEXT://127.0.0.1:9"],"jmx_port":-1,"features":{},` +
			`"host":"127.0.0.1","timestamp":"0","port":9,"version":5}`})
}

// benchBareOffice sets the time and memory of taking office, without a recorder, against a loop that sends the same requests
// over a session to the same store, in flight together as the controller's are, and does nothing else. It is processor time
// where the system tells it; the best of three tries counts on each side, since other programs run too.
func benchBareOffice(tell func(measured), partitions int) error {
	best := bareOfficeTry{took: time.Hour, loop: time.Hour, port: time.Hour}
	for range 3 {
		o, err := bareOfficeOnce(partitions)
		if err != nil {
			return err
		}
		best = bareOfficeTry{min(best.took, o.took), min(best.loop, o.loop), min(best.port, o.port), max(best.memory, o.memory)}
	}
	name := fmt.Sprintf("office over %d partitions, recorder off", partitions)
	tell(measured{name, best.took.Seconds() * 1000, "ms", "", 0, false})
	tell(measured{name + ", bare loop: same requests, over a session of the world", best.loop.Seconds() * 1000, "ms", "", 0, false})
	tell(measured{name + ", bare calls of the store, no session", best.port.Seconds() * 1000, "ms", "", 0, false})
	tell(measured{name + ", times the bare calls", best.took.Seconds() / best.port.Seconds(), "times", "", 0, false})
	tell(measured{name + ", times the loop over a session", best.took.Seconds() / best.loop.Seconds(), "times", "at most", 6, false})
	tell(measured{name + ", memory", float64(best.memory >> 20), "MiB", "at most", 2048, false})
	return nil
}

// bareOfficeTry is one try.
type bareOfficeTry struct {
	took, loop, port time.Duration
	memory           uint64 // bytes, at most
}

func bareOfficeOnce(partitions int) (try bareOfficeTry, err error) {
	store := zkmem.New(zkmem.Options{})
	if err := fill(store, silentTree(partitions)); err != nil {
		return try, err
	}
	var ops []zk.Op
	w := loneBroker(&counting{Store: store, seen: func(op zk.Op) { ops = append(ops, op) }})
	defer w.Close()
	debug.FreeOSMemory()
	stop, begin := watchMemory(), processorTime()
	if err := w.StartBroker(0); err != nil {
		return try, err
	}
	asked, done := false, false
	err = w.RunToIdle(0, func() bool {
		if !asked && w.ControllerInOffice() == 0 {
			asked = true // the question waits in the queue behind the event that takes office
			w.Server(0).Controller().ListPartitionReassignments(nil, func([]request.OngoingReassignment, kafka.Error) { done = true })
		}
		return done
	})
	try.took, try.memory = processorTime()-begin, stop()
	if err == nil && !done {
		err = fmt.Errorf("broker 0 has not taken office: %s", w.Summary())
	}
	if err == nil {
		try.loop, err = bareLoop(partitions, ops)
	}
	if err == nil {
		try.port, err = barePort(partitions, ops)
	}
	return try, err
}

// bareLoop is how long a client in the world takes for the requests, those of one kind that follow each other in flight
// together.
func bareLoop(partitions int, ops []zk.Op) (time.Duration, error) {
	store := zkmem.New(zkmem.Options{})
	if err := fill(store, silentTree(partitions)); err != nil {
		return 0, err
	}
	w := loneBroker(store)
	defer w.Close()
	debug.FreeOSMemory()
	begin := processorTime()
	for len(ops) > 0 {
		n := 1
		for n < len(ops) && ops[n].Kind == ops[0].Kind {
			n++
		}
		w.ZkAll(ops[:n]...)
		if err := w.RunToIdle(0, nil); err != nil {
			return 0, err
		}
		ops = ops[n:]
	}
	return processorTime() - begin, nil
}

// barePort is how long the store alone takes for the requests.
func barePort(partitions int, ops []zk.Op) (time.Duration, error) {
	store := zkmem.New(zkmem.Options{})
	if err := fill(store, silentTree(partitions)); err != nil {
		return 0, err
	}
	id, _, _, err := store.Open(0, 30_000)
	if err != nil {
		return 0, err
	}
	debug.FreeOSMemory()
	begin := processorTime()
	for _, op := range ops {
		if _, _, err := store.Apply(0, id, op); err != nil {
			return 0, err
		}
	}
	return processorTime() - begin, nil
}

// watchMemory looks at the memory of this program every few ms; the function that it returns ends that and gives the most.
func watchMemory() (stop func() uint64) {
	samples := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	ask, answer := make(chan struct{}), make(chan uint64)
	go func() {
		most := uint64(0)
		for {
			metrics.Read(samples)
			most = max(most, samples[0].Value.Uint64()-samples[1].Value.Uint64())
			select {
			case <-ask:
				answer <- most
				return
			case <-time.After(5 * time.Millisecond):
			}
		}
	}()
	return func() uint64 {
		close(ask)
		return <-answer
	}
}

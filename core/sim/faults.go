package sim

import (
	"fmt"

	"controllerscope/core/broker"
	"controllerscope/core/env"
	"controllerscope/core/kafka"
)

// Operations on a broker's replicas and disk.

// Lag holds the fetching of a follower back, or lets it catch up.
func (w *World) Lag(id kafka.BrokerID, tp kafka.TopicPartition, on bool) error {
	m, err := w.runningBroker(id)
	if err != nil {
		return err
	}
	if s, hosted := m.server.Broker().Hosted(tp); !hosted || s.Role != broker.RoleFollower {
		return fmt.Errorf("broker %d does not follow %s; only a follower can lag", id, tp)
	}
	key := "admin.catch-up"
	if on {
		key = "admin.lag"
	}
	n := brokerNote(env.Fault, key, id)
	n.Args = append(n.Args, env.A("partition", tp.String()))
	w.inProcess(m, n, func() { m.server.Broker().Lag(tp, on) })
	return nil
}

// BlockLog lays a plain file where log directory dir of broker id would get the log named name, or takes it away.
func (w *World) BlockLog(id kafka.BrokerID, dir int, name string, on bool) error {
	m, err := w.dirOf(id, dir)
	if err != nil {
		return err
	}
	key := "admin.logdir.unblock"
	if on {
		key = "admin.logdir.block"
	}
	n := brokerNote(env.Fault, key, id)
	n.Args = append(n.Args, env.A("dir", env.Int(dir)), env.A("name", name))
	w.outside(n, func() { m.disk.Block(dir, name, on) })
	return nil
}

// FailLogDir makes log directory dir of a running broker fail.
func (w *World) FailLogDir(id kafka.BrokerID, dir int) error {
	m, err := w.dirOf(id, dir)
	if err == nil {
		m, err = w.runningBroker(id)
	}
	if err != nil {
		return err
	}
	if m.disk.Dirs[dir].Offline {
		return fmt.Errorf("log directory %d of broker %d has failed already", dir, id)
	}
	n := brokerNote(env.Fault, "admin.logdir.fail", id)
	n.Args = append(n.Args, env.A("dir", env.Int(dir)))
	w.inProcess(m, n, func() { m.server.Broker().FailLogDir(dir) })
	return nil
}

func (w *World) dirOf(id kafka.BrokerID, dir int) (*machine, error) {
	m, err := w.machineOf(id)
	if err == nil && (dir < 0 || dir >= len(m.disk.Dirs)) {
		err = fmt.Errorf("broker %d has no log directory %d; they are 0 to %d", id, dir, len(m.disk.Dirs)-1)
	}
	return m, err
}

// inProcess is outside for what happens inside a broker's process: its notes are on the process's lane.
func (w *World) inProcess(m *machine, n env.Note, f func()) {
	w.outside(n, func() { w.on(w.at.fork(m.proc.name), f) })
}

// PartitionCount is how many partitions a topic has in the metadata of a running broker, the lowest id first.
func (w *World) PartitionCount(topic string) int {
	n := 0
	if b := w.anyBroker(); b != nil {
		for _, tp := range b.CachedPartitions() {
			if tp.Topic == topic {
				n++
			}
		}
	}
	return n
}

// Leader is who leads a partition by the metadata of a running broker, kafka.NoBroker when nobody does.
func (w *World) Leader(tp kafka.TopicPartition) kafka.BrokerID {
	if b := w.anyBroker(); b != nil {
		if p, known := b.CachedPartition(tp); known && p.Leader >= 0 {
			return p.Leader
		}
	}
	return kafka.NoBroker
}

func (w *World) anyBroker() *broker.Broker {
	for _, id := range kafka.SortedKeys(w.brokers) {
		if m := w.brokers[id]; m.server != nil && !m.proc.paused {
			return m.server.Broker()
		}
	}
	return nil
}

// NthRegistration is the broker epoch of the nth registration that broker id has made in this world, from 1 on. 0 is no
// registration: the unknown epoch -1, as the recorder of real clusters takes it.
func (w *World) NthRegistration(id kafka.BrokerID, n int) (int64, error) {
	m, err := w.machineOf(id)
	if err != nil {
		return 0, err
	}
	if n == 0 {
		return kafka.UnknownBrokerEpoch, nil
	}
	if n > len(m.epochs) {
		return 0, fmt.Errorf("broker %d has registered %d times; there is no registration %d", id, len(m.epochs), n)
	}
	return m.epochs[n-1], nil
}

package sim

import (
	"fmt"

	"controllerscope/core/kafka"
	"controllerscope/core/server"
)

// What is asked of a world from outside.

// Settled reports whether the world is idle with nothing held, paused or cut off: what it believes must then be true.
func (w *World) Settled() bool {
	if len(w.held)+len(w.lagging) > 0 || w.noQuorum || !w.Idle() {
		return false
	}
	for _, p := range w.procs {
		if s := p.session(); p.paused || s != nil && s.server == cut {
			return false
		}
	}
	return true
}

// Running reports whether broker id has a process.
func (w *World) Running(id kafka.BrokerID) bool {
	m := w.brokers[id]
	return m != nil && m.server != nil
}

// Started reports whether broker id has a process that has reached RUNNING.
func (w *World) Started(id kafka.BrokerID) bool {
	return w.Running(id) && w.brokers[id].server.State() == server.Running
}

// Server is the running server of broker id, nil when none runs.
func (w *World) Server(id kafka.BrokerID) *server.Server {
	if m := w.brokers[id]; m != nil {
		return m.server
	}
	return nil
}

// ControllerInOffice is the running broker that thinks it is controller with the highest epoch, NoBroker when there is none.
func (w *World) ControllerInOffice() kafka.BrokerID {
	office, epoch := kafka.NoBroker, int32(-1)
	for _, id := range kafka.SortedKeys(w.brokers) {
		if m := w.brokers[id]; m.server != nil && m.server.Controller().IsActive() && m.server.Controller().Epoch() > epoch {
			office, epoch = id, m.server.Controller().Epoch()
		}
	}
	return office
}

// Spread is the assignment PxR: replica j of partition p is the (p+j)th broker of the cluster.
func (w *World) Spread(partitions, replicas int) [][]kafka.BrokerID {
	brokers := w.cfg.Setup.Brokers
	out := make([][]kafka.BrokerID, partitions)
	for p := range out {
		for j := range replicas {
			out[p] = append(out[p], brokers[(p+j)%len(brokers)].ID)
		}
	}
	return out
}

// RegistrationEpoch is the broker epoch of the last registration that broker id has made, also if its process is no more.
func (w *World) RegistrationEpoch(id kafka.BrokerID) (int64, error) {
	m, err := w.machineOf(id)
	if err != nil {
		return 0, err
	}
	if len(m.epochs) == 0 {
		return 0, fmt.Errorf("broker %d has not registered yet; start it first", id)
	}
	return m.epochs[len(m.epochs)-1], nil
}

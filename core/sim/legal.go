package sim

import (
	"fmt"

	"controllerscope/core/kafka"
)

// Whether an operation can be carried out now. Each returns nil, or the error that the operation itself would give.

// CanStart is about StartBroker.
func (w *World) CanStart(id kafka.BrokerID) error {
	m, err := w.machineOf(id)
	if err == nil && m.server != nil {
		err = fmt.Errorf("broker %d is running already; stop or kill it first", id)
	}
	return err
}

// CanEnd is about StopBroker, KillBroker and CrashBroker.
func (w *World) CanEnd(id kafka.BrokerID) error {
	_, err := w.runningBroker(id)
	return err
}

// CanPause is about PauseBroker.
func (w *World) CanPause(id kafka.BrokerID) error {
	m, err := w.runningBroker(id)
	if err == nil && m.proc.paused {
		err = fmt.Errorf("broker %d is paused already", id)
	}
	return err
}

// CanResume is about ResumeBroker.
func (w *World) CanResume(id kafka.BrokerID) error {
	m, err := w.runningBroker(id)
	if err == nil && !m.proc.paused {
		err = fmt.Errorf("broker %d is not paused", id)
	}
	return err
}

// CanRelease is about Release; what is spelled out: "0.controller".
func (w *World) CanRelease(what string) error {
	if w.held[what] {
		return nil
	}
	return fmt.Errorf("%s is not held; held are %v", what, kafka.SortedKeys(w.held))
}

// HasSession reports whether the process of broker id has a session that ExpireSession, CutSession and HealSession can work
// on, and whether its connection is cut.
func (w *World) HasSession(id kafka.BrokerID) (has, isCut bool) {
	s, err := w.sessionOfBroker(id)
	if err != nil {
		return false, false
	}
	return true, s.server == cut
}

// Brokers lists the machines of the cluster.
func (w *World) Brokers() []kafka.BrokerID { return kafka.SortedKeys(w.brokers) }

// GuardOn reports whether a protection of 2.8.2 is in force.
func (w *World) GuardOn(name string) bool {
	on, set := w.guards[name]
	return on || !set
}

// Held lists what is held, spelled out as Release takes it.
func (w *World) Held() []string { return kafka.SortedKeys(w.held) }

// Duplicable reports whether DuplicateChoice can work on the choice.
func (c *Choice) Duplicable() bool { return c.wire != nil }

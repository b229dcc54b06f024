package sim

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"controllerscope/core/kafka"
)

// brokerThreads are the threads that a broker can have; several of one name have numbers: api-0, api-1. The operator's tools
// have theirs, one for each thing that they ask: zk1, zk2.
var brokerThreads = []string{"acl", "api", "config", "controller", "extended-acl", "feature", "isr", "isr-change-propagation",
	"log-dir-failure", "shutdown", "startup", "token", "zk-reinit"}

// CanHold says why something cannot be held, nil if it can: a thread, a connection or a choice may come to exist later, so
// that only its name is looked at.
func (w *World) CanHold(what string) error {
	_, err := w.holdName(what)
	return err
}

// holdName spells out what hold takes: a bare broker means its controller thread.
func (w *World) holdName(what string) (string, error) {
	lane, number, single := strings.Cut(what, "#")
	if n, err := strconv.Atoi(number); single && (err != nil || n < 1) {
		return "", fmt.Errorf("%q cannot be held: the number of a choice is 1 or more", what)
	}
	kind, rest, dotted := strings.Cut(lane, ".")
	switch {
	case kind == "net", kind == "answer" && single:
		return what, w.connection(what, rest)
	case kind == "zk", kind == "client":
		process, _, _ := strings.Cut(rest, "'") // the second session of a process is 0'1
		return what, w.processNamed(what, process)
	case kind == "timer" && single, kind == "expiry" && single:
		process, _, _ := strings.Cut(rest, ".")
		return what, w.processNamed(what, process)
	case kind == "admin" && dotted:
		return what, nil
	}
	if _, err := strconv.Atoi(kind); err != nil {
		return "", fmt.Errorf("%q cannot be held: expected a broker (its controller thread), BROKER.THREAD, a connection (net.0>2, zk.0 to ZooKeeper, client.0 back), or the id of a choice", what)
	}
	if err := w.processNamed(what, kind); err != nil {
		return "", err
	}
	if !dotted {
		return kind + ".controller", nil
	}
	if !slices.Contains(brokerThreads, strings.TrimRight(strings.TrimRight(rest, "0123456789"), "-")) {
		return "", fmt.Errorf("%q cannot be held: a broker has no thread %q; it has %s", what, rest, strings.Join(brokerThreads, ", "))
	}
	return what, nil
}

// connection refuses what is no way from a process to a broker: 0>2, 0>2/2 for the second one made, 0>2.fetch.
func (w *World) connection(what, way string) error {
	from, to, ok := strings.Cut(way, ">")
	if !ok {
		return fmt.Errorf("%q cannot be held: a connection has a sender and a recipient, such as net.0>2", what)
	}
	to, _, _ = strings.Cut(to, "/")
	to, _, _ = strings.Cut(to, ".")
	if err := w.processNamed(what, from); err != nil {
		return err
	}
	return w.processNamed(what, to)
}

// processNamed refuses what is neither a broker nor the operator's tools.
func (w *World) processNamed(what, name string) error {
	if name == "admin" {
		return nil
	}
	id, err := strconv.ParseInt(name, 10, 32)
	if err != nil {
		return fmt.Errorf("%q cannot be held: %q is no broker", what, name)
	}
	_, err = w.machineOf(kafka.BrokerID(id))
	return err
}

package sim

import (
	"errors"
	"strconv"
	"strings"

	"controllerscope/core/admin"
	"controllerscope/core/env"
	"controllerscope/core/kafka"
	"controllerscope/core/request"
	"controllerscope/core/zkclient"
)

// apiTimeout is how long an admin client tries, in virtual ms. Kafka: default.api.timeout.ms.
const apiTimeout = 60_000

// errTimeout is what it says then.
var errTimeout = errors.New("org.apache.kafka.common.errors.TimeoutException: Timed out waiting for a node assignment.")

// ToolRun is one call of a command-line tool.
type ToolRun struct {
	Done, OK bool
	Lines    []string // what it has printed
}

// Reassign calls kafka-reassign-partitions on the operator's machine; the files that its options name are given as text.
func (w *World) Reassign(args []string) *ToolRun {
	run := &ToolRun{}
	o := w.operate()
	name := "kafka-reassign-partitions"
	w.outside(env.Note{Kind: env.Admin, Entity: name, Msg: "admin.tool", Args: []env.Arg{env.A("tool", name), env.A("arguments", strings.Join(args, " "))}}, func() {
		o.requests++
		thread := "tool" + strconv.Itoa(o.requests)
		o.proc.Go(thread, func() {
			tool := admin.ReassignPartitions{Env: o.proc, Client: admin.Client{Asker: o}, ZooKeeper: o.zooKeeper, Print: func(line string) {
				if run.Lines = append(run.Lines, line); line == "" {
					return
				}
				o.proc.Note(env.Note{Kind: env.Admin, Lane: "admin", Entity: name, Msg: "admin.tool.line", Args: []env.Arg{env.A("tool", name), env.A("line", line)}})
			}}
			run.OK = tool.Run(args)
			run.Done = true
			o.proc.Note(env.Note{Kind: env.Admin, Lane: "admin", Entity: name, Msg: "admin.tool.end", Args: []env.Arg{env.A("tool", name), env.A("ok", run.OK)}})
		})
	})
	return run
}

// zooKeeper opens a session for one tool.
func (o *operator) zooKeeper() (*zkclient.Client, error) {
	zk := zkclient.New(o.proc, connector{o.proc}, zkclient.Options{Client: o.proc.name, TimeoutMS: 30000})
	return zk, zk.Connect()
}

// Ask implements admin.Asker: it waits for the answer, and asks again where nobody can be asked or the answer is
// NOT_CONTROLLER, until the time is over.
func (o *operator) Ask(to kafka.BrokerID, r request.Request) (answer request.Response, err error) {
	late := false
	cancel := o.proc.After(env.Timer{Name: "api-timeout", MS: apiTimeout, Quiet: true}, func() { late = true })
	defer cancel()
	for {
		if id := o.proc.w.target(to); id != kafka.NoBroker {
			answered := false
			o.send(id, r, func(a request.Response, e error) { answer, err, answered = a, e, true })
			o.proc.Wait("answer", func() bool { return answered || late })
			if answered && err == nil && !notController(answer) {
				return answer, nil
			}
		}
		again := false
		stop := o.proc.After(env.Timer{Name: "admin-retry", MS: adminRetry, Quiet: true}, func() { again = true })
		o.proc.Wait("admin-retry", func() bool { return again || late })
		stop()
		if late {
			return nil, errTimeout
		}
	}
}

// send sends a request on the way that the operator's clients share; as each has a connection of its own, their answers may
// overtake each other.
func (o *operator) send(to kafka.BrokerID, r request.Request, done func(request.Response, error)) {
	o.requests++
	network{o.proc}.Send(request.Conn{To: to, Address: endpoint(to), Purpose: "api"}, "a"+strconv.Itoa(o.requests), r, done)
}

// target is the running broker that a client would ask, NoBroker when there is none.
func (w *World) target(to kafka.BrokerID) kafka.BrokerID {
	switch {
	case to == admin.Controller:
		return w.controllerByMetadata()
	case to != admin.AnyBroker:
		if !w.Running(to) {
			return kafka.NoBroker
		}
		return to
	}
	for _, id := range kafka.SortedKeys(w.brokers) {
		if w.Running(id) && !w.brokers[id].proc.paused && w.brokers[id].server.ControllerID() != kafka.NoBroker {
			return id
		}
	}
	return kafka.NoBroker
}

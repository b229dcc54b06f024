package sim

import (
	"errors"
	"strconv"

	"controllerscope/core/env"
	"controllerscope/core/kafka"
	"controllerscope/core/request"
	"controllerscope/core/zk"
)

// operator is the person outside: a process of tools with a ZooKeeper session and API clients of its own.
type operator struct {
	proc     *process
	session  zk.Session
	requests int
}

// Outcome is what an operation of the operator came to, once Done.
type Outcome struct {
	Done   bool
	Result zk.Result        // of a ZooKeeper request
	Answer request.Response // of an API request
	Error  string           // "" for success: a name of Kafka's or ZooKeeper's error
}

// operate is the operator's process, started when first needed.
func (w *World) operate() *operator {
	if w.operator == nil {
		w.operator = &operator{proc: w.newProcess("admin", 0)}
	}
	return w.operator
}

// WatchEvent, StateChanged and Interested make the operator the owner of a session that watches nothing.
func (*operator) WatchEvent(zk.Event)                  {}
func (*operator) StateChanged(zk.State)                {}
func (*operator) Interested(string, zk.WatchKind) bool { return false }

// Zk carries out one request to ZooKeeper as the operator's shell does.
func (w *World) Zk(op zk.Op) *Outcome { return w.ZkAll(op) }

// ZkAll is Zk with requests that are in flight together; the outcome is that of the first.
func (w *World) ZkAll(ops ...zk.Op) *Outcome {
	op := ops[0]
	out := &Outcome{}
	o := w.operate()
	w.outside(env.Note{Kind: env.Admin, Entity: op.Path, Msg: "admin.zk", Args: []env.Arg{env.A("op", op.Kind.String()), env.A("path", op.Path)}}, func() {
		if o.session == nil {
			o.session = connector{o.proc}.Open(o, zk.Options{TimeoutMS: 30000})
		}
		o.requests++
		o.proc.Go("zk"+strconv.Itoa(o.requests), func() {
			o.proc.Wait("connection", func() bool { return o.session.State() == zk.Connected })
			out.Result = o.session.Do(ops...)[0]
			if out.Result.Err != zk.OK {
				out.Error = out.Result.Err.Error()
			}
			out.Done = true
		})
	})
	return out
}

// adminRetry is how long an admin client waits before it asks again, adminTries how often it asks.
const (
	adminRetry = 100
	adminTries = 50
)

// Ask sends an API request to the controller, as an admin client does: it learns from a running broker who that is, and
// asks again while nobody is.
func (w *World) Ask(r request.Request, entity string) *Outcome {
	out := &Outcome{}
	o := w.operate()
	w.outside(env.Note{Kind: env.Admin, Entity: entity, Msg: "admin.ask", Args: []env.Arg{env.A("kind", r.Kind()), env.A("entity", entity)}},
		func() { w.ask(o, r, entity, out, adminTries) })
	return out
}

// AskBroker sends a request to one broker, as the harness of the recordings does.
func (w *World) AskBroker(to kafka.BrokerID, r request.Request, entity string) *Outcome {
	out := &Outcome{}
	o := w.operate()
	w.outside(env.Note{Kind: env.Admin, Entity: entity, Msg: "admin.ask", Args: []env.Arg{env.A("kind", r.Kind()), env.A("entity", entity)}}, func() {
		o.send(to, r, func(answer request.Response, err error) {
			if err != nil {
				w.settle(out, entity, nil, err.Error())
				return
			}
			w.settle(out, entity, answer, firstError(answer))
		})
	})
	return out
}

// ErrNoController is what an operation comes to that found no controller to ask.
var ErrNoController = errors.New("no controller is known")

func (w *World) ask(o *operator, r request.Request, entity string, out *Outcome, tries int) {
	again := func(why string) {
		if tries == 0 {
			w.settle(out, entity, nil, why)
			return
		}
		o.proc.After(env.Timer{Name: "admin-retry", MS: adminRetry, Quiet: true}, func() { w.ask(o, r, entity, out, tries-1) })
	}
	to := w.controllerByMetadata()
	if to == kafka.NoBroker {
		again(ErrNoController.Error())
		return
	}
	o.send(to, r, func(answer request.Response, err error) {
		switch {
		case err != nil:
			again(err.Error())
		case notController(answer):
			again(kafka.NOT_CONTROLLER.Error())
		default:
			w.settle(out, entity, answer, firstError(answer))
		}
	})
}

// settle ends an operation and notes what it came to.
func (w *World) settle(out *Outcome, entity string, answer request.Response, failure string) {
	out.Done, out.Answer, out.Error = true, answer, failure
	result := failure
	if result == "" {
		result = "NONE"
	}
	w.note(env.Note{Kind: env.Admin, Lane: "admin", Entity: entity, Msg: "admin.answer", Args: []env.Arg{env.A("entity", entity), env.A("result", result)}})
	refused, _ := answer.(request.EntityResponse)
	for _, x := range refused.Entities {
		if x.Message != "" {
			w.note(env.Note{Kind: env.Admin, Lane: "admin", Entity: entity, Msg: "admin.refused", Args: []env.Arg{env.A("why", x.Message)}})
		}
	}
}

// controllerByMetadata asks the running brokers, lowest id first, whom they hold for the controller.
func (w *World) controllerByMetadata() kafka.BrokerID {
	for _, id := range kafka.SortedKeys(w.brokers) {
		m := w.brokers[id]
		if m.server == nil || m.proc.paused {
			continue
		}
		if c := m.server.ControllerID(); c != kafka.NoBroker && w.brokers[c] != nil && w.brokers[c].server != nil {
			return c
		}
	}
	return kafka.NoBroker
}

func notController(r request.Response) bool { return firstError(r) == kafka.NOT_CONTROLLER.Error() }

// firstError is the first error of an answer, "" when there is none.
func firstError(r request.Response) string {
	if e := r.TopError(); e != kafka.NONE {
		return e.Error()
	}
	var errors []kafka.Error
	switch r := r.(type) {
	case request.TopicResponse:
		for _, x := range r.Topics {
			errors = append(errors, x.Error)
		}
	case request.PartitionResponse:
		for _, x := range r.Partitions {
			errors = append(errors, x.Error)
		}
	case request.EntityResponse:
		for _, x := range r.Entities {
			errors = append(errors, x.Error)
		}
	case request.UpdateFeaturesResponse:
		for _, x := range r.Results {
			errors = append(errors, x.Error)
		}
	}
	for _, e := range errors {
		if e != kafka.NONE {
			return e.Error()
		}
	}
	return ""
}

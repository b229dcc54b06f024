package sim

import (
	"controllerscope/core/env"
	"controllerscope/core/kafka"
	"controllerscope/core/request"
	"controllerscope/core/zk"
)

// What somebody needs who decides by themselves what happens next: a replayer that follows a recording.

// asked is the request of a RequestToStore choice.
type asked struct {
	session *session
	op      zk.Op
}

// Zk is what a pending choice asks of ZooKeeper: client is the process that asks. ok is false for every choice that is not
// a request of an open session.
func (c *Choice) Zk() (client string, id zk.SessionID, op zk.Op, ok bool) {
	if c.asked == nil {
		return "", 0, zk.Op{}, false
	}
	return c.asked.session.proc.name, c.asked.session.id, c.asked.op, true
}

// Reconnects is the client that comes back on a new connection, "" for every other choice.
func (c *Choice) Reconnects() string {
	if c.returns == nil {
		return ""
	}
	return c.returns.proc.name
}

// Take makes a pending choice happen now, whatever the default policy would do. It must come from Choices, and nothing may
// have been taken since.
func (w *World) Take(c *Choice) {
	if w.failed == nil && !c.gone {
		w.take(c)
	}
}

// Client names the process that session id belongs or belonged to, "" for an unknown session.
func (w *World) Client(id zk.SessionID) string {
	for _, s := range w.opened {
		if s.id == id {
			return s.proc.name
		}
	}
	return ""
}

// leftBehind is a session of a process of broker id that is no more, nil when the server holds none.
func (w *World) leftBehind(id kafka.BrokerID) *session {
	for _, s := range w.opened {
		if s.proc.name == id.String() && s.proc.dead && (s.server == connected || s.server == cut) {
			return s
		}
	}
	return nil
}

// Message is a request between processes as it leaves, or its answer as it comes back.
type Message struct {
	From    string
	To      kafka.BrokerID
	ID      string
	Request request.Request
	Answer  request.Response // nil when the request leaves, and when it was lost
	Lost    bool             // its connection broke before an answer came
}

// Listen has f hear every message of the network from now on.
func (w *World) Listen(f func(Message)) { w.listener = f }

func (w *World) heard(x *wire, answer request.Response, lost bool) {
	if w.listener != nil {
		w.listener(Message{From: x.from.name, To: x.conn.To, ID: x.id, Request: x.req, Answer: answer, Lost: lost})
	}
}

// ProposeISR has the leader broker id send an AlterIsr that somebody else decided on: its followers are not modelled.
func (w *World) ProposeISR(id kafka.BrokerID, items []request.AlterIsrPartition) error {
	m, err := w.runningBroker(id)
	if err != nil {
		return err
	}
	w.inProcess(m, brokerNote(env.Admin, "admin.alterisr", id), func() { m.server.Broker().ProposeISR(items) })
	return nil
}

// AnnounceISRs has the broker id tell the controller of the ISRs that it has written to ZooKeeper itself (below protocol
// 2.7-IV2), at a moment that somebody else decided on.
func (w *World) AnnounceISRs(id kafka.BrokerID) error {
	m, err := w.runningBroker(id)
	if err != nil {
		return err
	}
	w.inProcess(m, brokerNote(env.Admin, "admin.announce-isrs", id), m.server.Broker().AnnounceISRs)
	return nil
}

// Produce appends n records to the log of a partition's leader, wherever it runs, as a producer with acks=1 does.
func (w *World) Produce(tp kafka.TopicPartition, n int64) kafka.Error {
	code := kafka.NOT_LEADER_OR_FOLLOWER
	w.outside(env.Note{Kind: env.Admin, Entity: tp.String(), Msg: "admin.produce", Args: []env.Arg{env.A("partition", tp.String()), env.A("records", n)}}, func() {
		for _, id := range kafka.SortedKeys(w.brokers) {
			m := w.brokers[id]
			if m.server == nil || m.proc.paused || code == kafka.NONE {
				continue
			}
			w.on(w.at.fork(m.proc.name), func() { code = m.server.Broker().Append(tp, n) })
		}
	})
	return code
}

// LateThreads has a thread go on by a choice of its own when ZooKeeper has answered it, as the scheduler of a real machine
// may let another thread of the process act first.
func (w *World) LateThreads(on bool) { w.late = on }

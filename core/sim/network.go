package sim

import (
	"container/heap"
	"errors"
	"slices"
	"strconv"

	"controllerscope/core/env"
	"controllerscope/core/request"
)

// ErrConnection is what a sender hears when its connection could not be made or broke.
var ErrConnection = errors.New("connection refused or reset")

// connKey names a connection of one process.
type connKey struct {
	from *process
	conn request.Conn
}

// wire is one request under way between processes.
type wire struct {
	w        *World
	id       string
	lane     string    // the key of its lane in the document: "0>2"
	what     string    // it in short: "AlterIsr r7"
	args     []env.Arg // what about says, once somebody asked
	from     *process
	conn     request.Conn
	req      request.Request
	to       *process // once received
	state    string   // flight, waiting
	answered bool
	done     func(request.Response, error)
	over     *connection
	ready    *Choice // its answer, while that of a request before it is still to come
}

// connection is one connection of the network: requests travel in a pipe, and their answers come in the order of the
// requests. Kafka: SocketServer, which reads the next request of a connection when the one before is answered.
type connection struct {
	*pipe
	// open are the requests whose answers have not reached the sender, oldest first. It stays empty on the operator's
	// connection, which stands for those of many clients.
	open []*wire
}

// answer offers an answer, or keeps it until those of all requests before it have reached the sender.
func (c *connection) answer(x *wire, a *Choice) {
	c.w.seq++
	a.seq = c.w.seq
	if i := slices.Index(c.open, x); i > 0 {
		x.ready = a
		return
	}
	heap.Push(&c.w.agenda, a)
}

// close takes a request away that the sender has heard of, and offers the answer that waited for it alone.
func (c *connection) close(x *wire) {
	c.open = slices.DeleteFunc(c.open, func(o *wire) bool { return o == x })
	if len(c.open) > 0 && c.open[0].ready != nil {
		next := c.open[0].ready
		c.open[0].ready = nil
		next.Due = max(next.Due, c.w.now)
		heap.Push(&c.w.agenda, next)
	}
}

// network is a process's request.Net.
type network struct{ proc *process }

// Send implements request.Net.
func (n network) Send(c request.Conn, id string, r request.Request, done func(request.Response, error)) {
	w := n.proc.w
	x := &wire{w: w, id: id, lane: n.proc.name + ">" + c.To.String(), what: r.Kind() + " " + id, from: n.proc, conn: c, req: r,
		state: "flight", done: done}
	key := connKey{n.proc, c}
	p := w.conns[key]
	if p == nil {
		p = &connection{pipe: &pipe{w: w, name: w.connName(x), latency: onNet}}
		w.conns[key] = p
	}
	if x.over = p; c.Purpose != "api" {
		p.open = append(p.open, x)
	}
	w.wires[x.lane+"/"+id] = x
	w.heard(x, nil, false)
	if w.tracing() {
		if w.cfg.Recorder.Doc().Has("lane", x.lane, id) { // it waited in a channel
			w.notes.Set(x.state, "lane", x.lane, id, "state")
		} else {
			w.bodies.Leaves(&w.notes.Changes, r, x.state, x.lane, id)
		}
		lane := w.at.lane
		w.at.lane = x.lane
		w.notes.Note(env.ReqSend, x.what, byEpochs(r, "net.send", "net.send.control"), env.IDs{}, nil, x.about())
		w.at.lane = lane
	}
	choice := p.put(&Choice{Kind: ControlRequest, What: x.what, wire: x, run: x.arrive})
	choice.dropped = func() { x.lost("net.drop") }
}

// connName names a connection for hold: "net.0>2" is the controller's first to broker 2, "net.0>2/2" the one after it
// was made anew, "net.0>2.fetch" another purpose.
func (w *World) connName(x *wire) string {
	name := "net." + x.lane
	if x.conn.Purpose != "control" {
		name += "." + x.conn.Purpose
	}
	w.made[name]++
	if n := w.made[name]; n > 1 {
		name += "/" + strconv.Itoa(n)
	}
	return name
}

// Drop implements request.Net: answers of the connection are not heard any more, requests stay under way.
func (n network) Drop(c request.Conn) {
	for _, x := range n.proc.w.wires {
		if x.from == n.proc && x.conn == c {
			x.done = nil
		}
	}
	delete(n.proc.w.conns, connKey{n.proc, c})
}

// about is what notes say of a request: its kind, its recipient, and the two numbers that a control request is fenced by.
func (x *wire) about() []env.Arg {
	if x.args != nil {
		return x.args
	}
	x.args = append(make([]env.Arg, 0, 4), env.A("kind", x.req.Kind()), env.A("to", env.Int(x.conn.To)))
	if c, ok := x.req.(request.ControlRequest); ok {
		h := c.Header()
		x.args = append(x.args, env.A("controllerEpoch", env.Int(h.ControllerEpoch)), env.A("brokerEpoch", env.Zxid(h.BrokerEpoch)))
	}
	return x.args
}

// byEpochs is the message key of a request: those that carry the two epochs have one of their own, which says them.
func byEpochs(r request.Request, key, control string) string {
	if _, ok := r.(request.ControlRequest); ok {
		return control
	}
	return key
}

// arrive is the request reaching the address it was sent to: whoever runs there now gets it.
func (x *wire) arrive() {
	w := x.w
	w.at.lane = x.lane
	to := w.procs[x.conn.To.String()]
	if to == nil || to.handler == nil {
		x.lost("net.refused")
		return
	}
	x.to, x.state = to, "waiting"
	to.pending = append(to.pending, x)
	if w.tracing() {
		w.notes.Set(x.state, "lane", x.lane, x.id, "state")
		w.notes.Note(env.ReqDeliver, x.what, byEpochs(x.req, "net.deliver", "net.deliver.control"), env.IDs{}, nil, x.about())
	}
	w.at.lane = to.name
	to.handler.Receive(x.from.name, x.req, x.reply)
}

// reply is the recipient's answer.
func (x *wire) reply(r request.Response) {
	if x.answered || x.to.dead {
		return
	}
	x.answered = true
	x.to.pending = slices.DeleteFunc(x.to.pending, func(o *wire) bool { return o == x })
	x.back(r, nil)
}

// lose is the recipient's process ending before it answered.
func (x *wire) lose() {
	if !x.answered {
		x.answered = true
		x.back(nil, ErrConnection)
	}
}

// lost is a request that nobody received.
func (x *wire) lost(msg string) {
	x.answered = true
	x.w.note(env.Note{Kind: env.ReqDrop, Lane: x.lane, Entity: x.what, Msg: msg,
		Args: []env.Arg{env.A("kind", x.req.Kind()), env.A("to", env.Int(x.conn.To))}})
	x.back(nil, ErrConnection)
}

// back sends the answer, or the news that the connection broke, to the sender. A break is heard at once, whatever else is
// under way.
func (x *wire) back(r request.Response, err error) {
	w := x.w
	c := &Choice{Kind: ControlAnswer, What: x.what, Due: w.now + netBack, name: "answer." + x.lane, number: int(w.seq) + 1,
		cause: w.at.last(), proc: x.from}
	c.run = func() {
		x.over.close(x)
		delete(w.wires, x.lane+"/"+x.id)
		w.heard(x, r, err != nil)
		w.at.lane = x.lane
		if w.tracing() {
			w.notes.Unset("lane", x.lane, x.id)
			w.notes.Note(env.Resp, x.what, "net.response", env.IDs{}, nil,
				[]env.Arg{env.A("kind", x.req.Kind()), env.A("from", env.Int(x.conn.To)), env.A("error", outcome(r, err))})
		}
		w.at.lane = x.from.name
		if x.done != nil && !x.from.dead {
			x.done(r, err)
		}
	}
	if x.from.dead {
		c.proc = nil
	}
	if err != nil {
		w.offer(c)
		return
	}
	x.over.answer(x, c)
}

// outcome is what an answer says at the top.
func outcome(r request.Response, err error) string {
	if err != nil {
		return err.Error()
	}
	return r.TopError().Error()
}

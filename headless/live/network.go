package live

import (
	"net"
	"strconv"
	"strings"

	"controllerscope/core/env"
	"controllerscope/core/kafka"
	"controllerscope/core/request"
	"controllerscope/headless/kafkawire"
)

// network is a process's request.Net: one connection per request.Conn, requests named on the wire by one counter.
type network struct {
	p     *Process
	conns map[request.Conn]*kafkawire.Client
	last  int32 // correlation id
}

func newNetwork(p *Process) *network {
	return &network{p: p, conns: map[request.Conn]*kafkawire.Client{}}
}

// clientID is what the process calls itself. Kafka: the client ids of ControllerChannelManager, AlterIsrManager,
// ReplicaFetcherBlockingSend and KafkaServer.controlledShutdown.
func (n *network) clientID(c request.Conn) string {
	switch c.Purpose {
	case "alterisr":
		return "broker-" + n.p.name + "-to-controller"
	case "fetch":
		return "broker-" + n.p.name + "-fetcher-0"
	}
	return n.p.name
}

// Send implements request.Net.
func (n *network) Send(c request.Conn, id string, r request.Request, done func(request.Response, error)) {
	client := n.conns[c]
	if client == nil {
		client = kafkawire.Dial(net.JoinHostPort(c.Address.Host, strconv.Itoa(int(c.Address.Port))),
			kafkawire.Options{ClientID: n.clientID(c), AskVersions: c.Purpose == "alterisr" || c.Purpose == "api"})
		n.conns[c] = client
	}
	n.last++
	x := &outgoing{n: n, conn: c, client: client, id: id, kind: r.Kind(), key: n.clientID(c) + "/" + strconv.Itoa(int(n.last)), done: done}
	x.at = n.p.at.fork(x.lane())
	if n.p.Tracing() {
		n.p.on(&x.at, func() {
			n.p.Note(env.Note{Kind: env.ReqSend, Entity: r.Kind() + " " + id, Msg: "net.send", IDs: correlation(n.last),
				Args:    append([]env.Arg{env.A("kind", r.Kind()), env.A("to", env.Int(c.To))}, epochs(r)...),
				Changes: request.Leaves(r, "flight", x.lane(), id)})
		})
		n.p.recorder.left(x.key, x.lane(), id, x.at.prev)
	}
	client.Send(n.last, r, x.answered)
}

// Drop implements request.Net: the connection goes once everything has been sent; answers are not heard any more.
func (n *network) Drop(c request.Conn) {
	if client := n.conns[c]; client != nil {
		delete(n.conns, c)
		client.Close()
	}
}

// abort ends all connections at once.
func (n *network) abort() {
	for _, client := range n.conns {
		client.Abort()
	}
	clear(n.conns)
}

func correlation(n int32) env.IDs { return env.IDs{Correlation: env.Correlation(int64(n))} }

// epochs are the two numbers that a control request is fenced by.
func epochs(r request.Request) []env.Arg {
	if c, ok := r.(request.ControlRequest); ok {
		h := c.Header()
		return []env.Arg{env.A("controllerEpoch", env.Int(h.ControllerEpoch)), env.A("brokerEpoch", env.Zxid(h.BrokerEpoch))}
	}
	return nil
}

// outgoing is a request that left.
type outgoing struct {
	n      *network
	conn   request.Conn
	client *kafkawire.Client
	id     string // the sender's
	kind   string
	key    string // names it in the recorder
	at     cursor
	done   func(request.Response, error)
}

func (x *outgoing) lane() string { return x.n.p.name + ">" + x.conn.To.String() }

// answered hears the answer, or that the connection is lost, from a goroutine of the client.
func (x *outgoing) answered(answer request.Response, err error) {
	p := x.n.p
	p.enter(x.at, func() {
		alive := x.n.conns[x.conn] == x.client
		if err != nil && alive {
			delete(x.n.conns, x.conn) // the next request makes a new one
		}
		if p.Tracing() {
			p.at.after(p.recorder.back(x.key))
			outcome := ""
			if err != nil {
				outcome = err.Error()
			} else {
				outcome = answer.TopError().Error()
			}
			p.Note(env.Note{Kind: env.Resp, Entity: x.kind + " " + x.id, Msg: "net.response",
				Args:    []env.Arg{env.A("kind", x.kind), env.A("from", env.Int(x.conn.To)), env.A("error", outcome)},
				Changes: []env.Change{env.Unset("lane", x.lane(), x.id)}})
		}
		if alive {
			at := p.at.fork(p.name)
			p.on(&at, func() { x.done(answer, err) })
		}
	})
}

// senderOf is the broker that a client id belongs to, or the client id itself.
func senderOf(clientID string) string {
	if rest, ok := strings.CutPrefix(clientID, "broker-"); ok {
		id, _, _ := strings.Cut(rest, "-")
		return id
	}
	return clientID
}

// incoming is a request that came in. One that left from a process of the same recorder keeps its place in the document;
// one of another is there from its arrival to its answer.
type incoming struct {
	p     *Process
	to    kafka.BrokerID
	wire  kafkawire.Received
	place sent
	own   bool // it left from a process of this recorder
}

// receive delivers a request from the wire to the process's handler.
func (p *Process) receive(h request.Handler, to kafka.BrokerID, wire kafkawire.Received) {
	p.enter(cursor{lane: p.name}, func() {
		x := &incoming{p: p, to: to, wire: wire}
		x.place, x.own = p.recorder.arrived(wire.From + "/" + strconv.Itoa(int(wire.Correlation)))
		if !x.own {
			x.place = sent{lane: senderOf(wire.From) + ">" + to.String(), id: "c" + strconv.Itoa(int(wire.Correlation))}
		}
		if p.Tracing() {
			x.note()
		}
		h.Receive(wire.From, wire.Request, x.reply)
	})
}

func (x *incoming) note() {
	r := x.wire.Request
	if x.own {
		x.p.at.after([]int{x.place.step})
	}
	x.p.Note(env.Note{Kind: env.ReqDeliver, Lane: x.place.lane, Entity: r.Kind() + " " + x.place.id, Msg: "net.deliver",
		IDs:     correlation(x.wire.Correlation),
		Args:    append([]env.Arg{env.A("kind", r.Kind()), env.A("to", env.Int(x.to))}, epochs(r)...),
		Changes: request.Leaves(r, "waiting", x.place.lane, x.place.id)})
}

// reply sends the answer. The lock is held.
func (x *incoming) reply(answer request.Response) {
	switch {
	case x.own:
		x.p.recorder.answered(x.wire.From+"/"+strconv.Itoa(int(x.wire.Correlation)), x.p.at.prev)
	case x.p.Tracing():
		x.p.Note(env.Note{Kind: env.Resp, Lane: x.place.lane, Entity: x.wire.Request.Kind() + " " + x.place.id, Msg: "net.response",
			IDs: correlation(x.wire.Correlation), Args: []env.Arg{env.A("kind", x.wire.Request.Kind()), env.A("from", env.Int(x.to)),
				env.A("error", answer.TopError().Error())},
			Changes: []env.Change{env.Unset("lane", x.place.lane, x.place.id)}})
	}
	x.wire.Reply(answer)
}

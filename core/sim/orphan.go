package sim

import (
	"strconv"

	"controllerscope/core/env"
	"controllerscope/core/kafka"
	"controllerscope/core/zk"
)

// Orphan is a session that the store has from before the world began, with a tree that grew elsewhere: its process is no
// more, as after a crash, and the session expires when it would.
type Orphan struct {
	Session   zk.SessionID   `json:"session"`
	TimeoutMS int32          `json:"timeoutMS"`
	Broker    kafka.BrokerID `json:"broker"` // whose process it was; NoBroker for anybody else's
}

// inherit makes an orphan the session of a dead process. That of a broker of the cluster is the one its machine ran last.
func (w *World) inherit(o Orphan) {
	p := &process{w: w, name: o.Broker.String(), client: env.A("client", o.Broker.String()), dead: true}
	if o.Broker == kafka.NoBroker {
		p.name = "before" + strconv.Itoa(len(w.opened))
	} else if m := w.brokers[o.Broker]; m != nil {
		m.proc = p
	}
	s := &session{w: w, proc: p, id: o.Session, timeout: o.TimeoutMS, server: cut, state: zk.Disconnected, number: 1,
		armed: map[zk.ArmedAt]bool{}}
	s.out = &pipe{w: w, name: "zk." + p.name, latency: toStore}
	s.in = &pipe{w: w, name: "client." + p.name, latency: toClient}
	p.sessions = []*session{s}
	w.sessions[s.id] = s
	w.opened = append(w.opened, s)
	s.giveUpAfter()
}

package live

import (
	"fmt"
	"net"
	"time"

	"controllerscope/core/broker"
	"controllerscope/core/env"
	"controllerscope/core/kafka"
	"controllerscope/core/server"
	"controllerscope/core/zk"
	"controllerscope/core/zk/zkreal"
	"controllerscope/headless/kafkawire"
)

// BrokerConfig is what one broker process is started with.
type BrokerConfig struct {
	ID       kafka.BrokerID
	Listener net.Listener      // on loopback; its address is advertised
	Props    map[string]string // server.properties, under Kafka's names
	Address  zkreal.Address
	Dial     zkreal.Dialer // to ZooKeeper; nil is TCP
	Recorder *Recorder     // nil records nothing
	Hear     Hear
	// Batch, if set, sees every batch of requests to ZooKeeper once it is answered, with the lane of the thread that sent it
	// and when it did. It runs under the process's lock.
	Batch func(lane string, ops []zk.Op, began time.Time)
}

// Broker is a running broker process.
type Broker struct {
	*Process
	server *server.Server
	zk     *connector
	net    *network
	wire   *kafkawire.Server
	ended  chan struct{} // closed when the process is no more
	why    string
}

// StartBroker starts a process: its server, the ZooKeeper client and what it listens on.
func StartBroker(c BrokerConfig) *Broker {
	p := newProcess(c.ID.String(), c.Recorder, c.Hear)
	b := &Broker{Process: p, zk: newConnector(p, c.Address, c.Dial), net: newNetwork(p), ended: make(chan struct{})}
	b.zk.batch = c.Batch
	at := c.Listener.Addr().(*net.TCPAddr)
	b.server = server.New(server.Config{ID: c.ID, Props: c.Props, Disk: broker.NewDisk(1), Endpoints: []kafka.Endpoint{{
		Listener: "PLAINTEXT", Protocol: "PLAINTEXT", Host: at.IP.String(), Port: int32(at.Port)}}}, p, b.zk, b.net)
	b.wire = kafkawire.NewServer(func(x kafkawire.Received) { p.receive(b.server, c.ID, x) })
	p.settled = b.settle
	go func() {
		if err := b.wire.Serve(c.Listener); err != nil {
			b.fail(err)
		}
	}()
	p.lock()
	defer p.unlock()
	p.on(&cursor{lane: p.name}, b.server.Start)
	return b
}

// settle takes the process away once its server has ended. The lock is held.
func (b *Broker) settle() {
	if done, why := b.server.Exited(); done {
		b.why = why
		b.takeAway()
	}
}

// takeAway ends everything that runs in the process. Its session, if it is still open, is left to expire. The lock is held.
func (b *Broker) takeAway() {
	if b.dead {
		return
	}
	if b.Tracing() {
		b.on(&cursor{lane: b.name, prev: b.last}, func() {
			b.Note(env.Note{Kind: env.BrokerState, Entity: "broker " + b.name, Msg: "world.process-ended",
				Args: []env.Arg{env.A("broker", b.name)}, Changes: b.gone()})
		})
	}
	b.end()
	b.net.abort()
	b.wire.Close()
	b.zk.sever()
	close(b.ended)
}

// gone removes from the document what a process showed of itself.
func (b *Broker) gone() []env.Change {
	var out []env.Change
	for _, root := range []string{"ctl", "queue", "ctx", "metric", "batch", "channel", "handler", "config", "notices", "layers", "timer"} {
		out = append(out, env.Unset(root, b.name))
	}
	for _, part := range []string{"replica", "meta", "epoch", "controllerEpoch"} {
		out = append(out, env.Unset("broker", b.name, part))
	}
	return append(out, env.Set(int64(0), "broker", b.name, "state"), env.Set(false, "broker", b.name, "up"))
}

// fail ends the process because something that it cannot do without is gone.
func (b *Broker) fail(err error) {
	b.lock()
	defer b.unlock()
	if !b.dead {
		b.why = fmt.Sprint(err)
		b.takeAway()
	}
}

// Stop begins the shutdown, as the signal SIGTERM does. Ended says when it is done.
func (b *Broker) Stop() {
	b.enter(cursor{lane: b.name}, b.server.Stop)
}

// Kill ends the process at once: nothing is closed, its session is left to expire.
func (b *Broker) Kill() {
	b.lock()
	defer b.unlock()
	b.why = "killed"
	b.takeAway()
}

// Ended is closed when the process is no more; Why then says why it ended by itself, "" after a normal stop.
func (b *Broker) Ended() <-chan struct{} { return b.ended }

// Why says why the process ended.
func (b *Broker) Why() string {
	b.lock()
	defer b.unlock()
	return b.why
}

// See looks at the server under the process's lock. look must not block or keep what it sees.
func (b *Broker) See(look func(*server.Server)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	look(b.server)
}

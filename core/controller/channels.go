package controller

import (
	"strconv"

	"controllerscope/core/env"
	"controllerscope/core/kafka"
	"controllerscope/core/request"
)

// retryBackoffMS is how long a channel waits before it sends a failed request again. Kafka: RequestSendThread.doWork.
const retryBackoffMS = 100

// queuedState is what the document calls a request that waits in a channel.
const queuedState = "queued"

// channelManager holds one channel per broker. Kafka: ControllerChannelManager.
type channelManager struct {
	j        *journal
	net      request.Net
	listener string // the listener that control requests go to; "" is a broker's first
	channels map[kafka.BrokerID]*channel
	ordinal  int64 // connections made so far
	requests int64 // requests named so far
	bodies   request.Bodies
}

// channel is a broker's queue of requests with one connection. One request is under way at a time; when it fails, the
// same request is sent again after retryBackoffMS, without end. So a broker gets requests in order, at least once, and a
// broker that does not answer holds back only its own. Kafka: RequestSendThread.
type channel struct {
	conn   request.Conn
	queue  []queuedRequest // the first is the one under way, if busy
	busy   bool            // the first is on the wire or waits to be sent again
	onWire bool            // the first is on the wire: it does not stand in the document's lane
	cancel func()          // of the timer, once the first has had to wait
}

type queuedRequest struct {
	id       string
	request  request.ControlRequest
	answered func(request.ControlResponse)
}

func newChannelManager(j *journal, net request.Net, listener string) *channelManager {
	return &channelManager{j: j, net: net, listener: listener, channels: map[kafka.BrokerID]*channel{}}
}

// addBroker opens a channel; a broker that has one keeps it. Kafka: ControllerChannelManager.addBroker.
func (m *channelManager) addBroker(b kafka.Broker) {
	if m.channels[b.ID] != nil {
		return
	}
	m.ordinal++
	m.channels[b.ID] = &channel{conn: request.Conn{To: b.ID, Address: m.address(b), Purpose: "control", Ordinal: m.ordinal}}
	if m.j.on() {
		m.j.set(true, "channel", m.j.id, b.ID.String())
		m.j.note(env.CtxSet, "broker "+b.ID.String(), "channel.open", env.A("broker", env.Int(b.ID)))
	}
}

// address is the endpoint of the listener that control requests go to.
func (m *channelManager) address(b kafka.Broker) kafka.Endpoint {
	for _, e := range b.Endpoints {
		if m.listener == "" || e.Listener == m.listener {
			return e
		}
	}
	return kafka.Endpoint{}
}

// removeBroker closes a channel and forgets what waits in it; what is under way stays under way.
// Kafka: ControllerChannelManager.removeBroker.
func (m *channelManager) removeBroker(id kafka.BrokerID) error {
	ch := m.channels[id]
	if ch == nil {
		return illegalState("there is no channel to broker " + id.String())
	}
	delete(m.channels, id)
	m.net.Drop(ch.conn)
	if m.j.on() {
		dropped := []any{}
		for _, q := range ch.waiting() {
			dropped = append(dropped, q.id)
		}
		m.j.unset("channel", m.j.id, id.String())
		if len(dropped) > 0 {
			for _, q := range ch.waiting() {
				m.j.unset("lane", m.lane(id), q.id)
			}
		}
		m.j.note(env.CtxSet, "broker "+id.String(), "channel.close", env.A("broker", env.Int(id)), env.A("dropped", dropped))
	}
	if ch.cancel != nil {
		ch.cancel()
	}
	return nil
}

// startup opens the channels of all brokers. Kafka: ControllerChannelManager.startup.
func (m *channelManager) startup(brokers []kafka.Broker) {
	for _, b := range brokers {
		m.addBroker(b)
	}
}

// shutdown closes all channels. Kafka: ControllerChannelManager.shutdown.
func (m *channelManager) shutdown() {
	for _, id := range kafka.SortedKeys(m.channels) {
		_ = m.removeBroker(id)
	}
}

// nextID names a request.
func (m *channelManager) nextID() string {
	m.requests++
	return "r" + strconv.FormatInt(m.requests, 10)
}

func (m *channelManager) lane(to kafka.BrokerID) string { return m.j.id + ">" + to.String() }

// enqueue appends a request to the queue of its broker, which must have a channel; pump sends it when its turn comes.
func (m *channelManager) enqueue(to kafka.BrokerID, q queuedRequest) {
	ch := m.channels[to]
	ch.queue = append(ch.queue, q)
	if m.j.on() {
		m.bodies.Leaves(&m.j.all.Changes, q.request, queuedState, m.lane(to), q.id)
	}
}

// pump sends the first request of an idle channel.
func (m *channelManager) pump(to kafka.BrokerID) {
	ch := m.channels[to]
	if ch.busy || len(ch.queue) == 0 {
		return
	}
	ch.busy, ch.onWire = true, true
	q := ch.queue[0]
	m.net.Send(ch.conn, q.id, q.request, func(resp request.Response, err error) {
		if m.channels[to] != ch {
			return // the channel was closed meanwhile
		}
		answer, ok := resp.(request.ControlResponse)
		if err != nil || !ok {
			m.retry(to, ch, q)
			return
		}
		ch.queue[0] = queuedRequest{}
		ch.queue, ch.busy, ch.onWire = ch.queue[1:], false, false
		q.answered(answer)
		m.pump(to)
	})
}

// retry puts the request that failed back into the document's lane and sends it again on a new connection, later.
func (m *channelManager) retry(to kafka.BrokerID, ch *channel, q queuedRequest) {
	m.net.Drop(ch.conn)
	m.ordinal++
	ch.conn.Ordinal, ch.onWire = m.ordinal, false
	if m.j.on() {
		m.j.add(request.Leaves(q.request, queuedState, m.lane(to), q.id))
		m.j.note(env.ReqDrop, "broker "+to.String(), "channel.retry", env.A("broker", env.Int(to)),
			env.A("id", q.id), env.A("request", q.request.Kind()), env.A("backoffMs", env.Int(retryBackoffMS)))
	}
	ch.cancel = m.j.e.After(env.Timer{Name: "retry " + to.String(), MS: retryBackoffMS, Periodic: true, Quiet: true}, func() {
		ch.busy = false
		m.pump(to)
	})
}

// waiting lists the requests that stand in the document's lane: all but the one that is on the wire.
func (ch *channel) waiting() []queuedRequest {
	if ch.onWire {
		return ch.queue[1:]
	}
	return ch.queue
}

func (m *channelManager) dump(d env.Dump) {
	for to, ch := range m.channels {
		d.Set(true, "channel", m.j.id, to.String())
		for _, q := range ch.waiting() {
			for _, c := range request.Leaves(q.request, queuedState, m.lane(to), q.id) {
				d.Set(c.After, c.Path...)
			}
		}
	}
}

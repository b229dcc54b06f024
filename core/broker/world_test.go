package broker

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"controllerscope/core/env"
	"controllerscope/core/kafka"
	"controllerscope/core/request"
)

// world is a small surroundings for brokers: a clock that tests move, a network that delivers at once in the order of
// sending, and the document as the notes tell it, compared with the brokers' dumps after every note.
type world struct {
	t       *testing.T
	now     int64
	timers  []*timer
	brokers map[kafka.BrokerID]*node
	doc     map[string]any
	off     map[string]bool // guards switched off
	mail    []func()
	down    map[kafka.BrokerID]bool
	alter   func(r request.AlterIsr) request.AlterIsrResponse // the controller, nil refuses the connection
	silent  bool                                              // the controller is frozen
	sent    []request.Request
}

type timer struct {
	due int64
	f   func()
	env.Timer
}

type node struct {
	w *world
	*Broker
	disk    *Disk
	epoch   int64
	topics  []string // whose configuration was read
	failing error
	notes   []env.Note
	dropped map[request.Conn]bool
}

func newWorld(t *testing.T) *world {
	return &world{t: t, brokers: map[kafka.BrokerID]*node{}, doc: map[string]any{}, off: map[string]bool{}, down: map[kafka.BrokerID]bool{}}
}

func (w *world) start(id kafka.BrokerID, disk *Disk, change ...func(*Config)) *node {
	n := &node{w: w, disk: disk, epoch: 50, dropped: map[request.Conn]bool{}}
	cfg := Config{ID: id, ReplicaLagTimeMaxMS: 30000, FetchBackoffMS: 1000, SocketTimeoutMS: 30000, Fetching: true,
		BrokerEpoch: func() int64 { return n.epoch },
		TopicConfig: func(topic string) error { n.topics = append(n.topics, topic); return n.failing }}
	for _, f := range change {
		f(&cfg)
	}
	n.Broker = New(cfg, n, n, disk)
	w.brokers[id] = n
	n.Start()
	return n
}

func (n *node) Now() int64                     { return n.w.now }
func (n *node) NewUUID() kafka.UUID            { return kafka.UUID{1} }
func (n *node) Go(string, func())              { panic("no thread is started here") }
func (n *node) Wait(why string, _ func() bool) { panic("would wait for " + why) }
func (n *node) Sleep(string, int64)            { panic("no sleeping here") }
func (n *node) Tracing() bool                  { return true }
func (n *node) Guard(name string) bool         { return !n.w.off[name] }
func (n *node) Fix(string) bool                { return false }

func (n *node) After(t env.Timer, f func()) func() {
	x := &timer{n.w.now + t.MS, f, t}
	n.w.timers = append(n.w.timers, x)
	return func() { x.f = nil }
}

func (n *node) Note(note env.Note) {
	n.notes = append(n.notes, note)
	for _, c := range note.Changes {
		key := strings.Join(c.Path, "|")
		for k := range n.w.doc {
			if c.After == nil && (k == key || strings.HasPrefix(k, key+"|")) {
				delete(n.w.doc, k)
			}
		}
		if c.After != nil {
			n.w.doc[key] = c.After
		}
	}
	n.w.compare()
}

// Set implements env.Dump.
type dump map[string]any

func (d dump) Set(after any, path ...string) { d[strings.Join(path, "|")] = after }

func (w *world) compare() {
	d := dump{}
	for _, n := range w.brokers {
		n.Dump(d)
	}
	require.Equal(w.t, map[string]any(d), w.doc, "the dump and what the notes said")
}

func (n *node) Send(c request.Conn, id string, r request.Request, done func(request.Response, error)) {
	w := n.w
	w.sent = append(w.sent, r)
	answer := func(x request.Response, err error) {
		w.mail = append(w.mail, func() {
			if !n.dropped[c] {
				done(x, err)
			}
		})
	}
	w.mail = append(w.mail, func() {
		to := w.brokers[c.To]
		switch x := r.(type) {
		case request.Fetch:
			if to == nil || w.down[c.To] {
				answer(nil, fmt.Errorf("connection refused"))
				return
			}
			to.HandleFetch(x, func(y request.Response) { answer(y, nil) })
		case request.AlterIsr:
			if w.alter == nil {
				answer(nil, fmt.Errorf("connection refused"))
				return
			}
			if w.silent {
				return
			}
			answer(w.alter(x), nil)
		}
	})
}

func (n *node) Drop(c request.Conn) { n.dropped[c] = true }

// settle delivers everything that is under way.
func (w *world) settle() {
	for len(w.mail) > 0 {
		f := w.mail[0]
		w.mail = w.mail[1:]
		f()
	}
}

// pass moves the clock on by ms and fires what becomes due, in order.
func (w *world) pass(ms int64) {
	end := w.now + ms
	for {
		w.settle()
		best := -1
		for i, x := range w.timers {
			if x.f != nil && x.due <= end && (best < 0 || x.due < w.timers[best].due) {
				best = i
			}
		}
		if best < 0 {
			break
		}
		x := w.timers[best]
		w.timers = append(w.timers[:best:best], w.timers[best+1:]...)
		w.now = x.due
		x.f()
	}
	w.now = end
}

func (n *node) keys() (keys []string) {
	for _, note := range n.notes {
		keys = append(keys, note.Msg)
	}
	return keys
}

// Shorthand for requests.

var (
	t0, t1 = kafka.TopicPartition{Topic: "t", Partition: 0}, kafka.TopicPartition{Topic: "t", Partition: 1}
	idT    = kafka.UUID{7}
)

func control(epoch int32) request.Control {
	return request.Control{ControllerID: 1, ControllerEpoch: epoch, BrokerEpoch: 50}
}

func entry(tp kafka.TopicPartition, leader kafka.BrokerID, epoch int32, replicas ...kafka.BrokerID) request.LeaderAndIsrPartition {
	return request.LeaderAndIsrPartition{TopicPartition: tp, TopicID: idT, ControllerEpoch: 1, IsNew: epoch == 0,
		LeaderAndIsr: kafka.LeaderAndIsr{Leader: leader, LeaderEpoch: epoch, ISR: replicas},
		Assignment:   kafka.ReplicaAssignment{Replicas: replicas}}
}

func lai(controllerEpoch int32, entries ...request.LeaderAndIsrPartition) request.LeaderAndIsr {
	return request.LeaderAndIsr{Control: control(controllerEpoch), Partitions: entries}
}

func um(controllerEpoch int32, live ...kafka.BrokerID) request.UpdateMetadata {
	r := request.UpdateMetadata{Control: control(controllerEpoch)}
	for _, id := range live {
		r.LiveBrokers = append(r.LiveBrokers, kafka.Broker{ID: id, Endpoints: []kafka.Endpoint{
			{Listener: "PLAINTEXT", Protocol: "PLAINTEXT", Host: "b" + id.String(), Port: 9092}}})
	}
	return r
}

func answers(r request.ControlResponse) (list []kafka.Error) {
	for _, e := range r.Errors {
		list = append(list, e.Error)
	}
	return list
}

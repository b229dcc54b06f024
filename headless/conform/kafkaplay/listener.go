package kafkaplay

import (
	"strings"

	"controllerscope/core/kafka"
	"controllerscope/core/request"
	"controllerscope/core/sim"
	"controllerscope/core/zk"
)

// listener turns what happens in our world into the words of a recording, one step at a time.
type listener struct {
	tap   *tap
	world *sim.World
	names *names
	read  int                   // entries of the tap's log so far
	each  func(laneKey, *entry) // hears every entry
	back  func(*sentRequest)    // hears every answer to a control request

	fresh        map[string]bool         // the process has had no session yet
	writers      map[string]string       // who wrote a znode last, by path
	early        map[zk.SessionID]bool   // the session has not registered its broker yet
	said         conversations           // of the step
	sent         map[string]*sentRequest // requests under way, by lane and id
	reqs         []*sentRequest          // of controllers, of the step
	toController []*sentRequest          // of the step
	moves        []Transition            // of the step
}

// sentRequest is a control request with its answer.
type sentRequest struct {
	from, to string
	shown    object // everything but the answer
	answer   object // response and partitionResponses; response "none" while there is none
	epoch    string // broker epoch of the recipient
	operator bool   // a line sent it, in the name of a broker
}

func newListener(t *tap, w *sim.World) *listener {
	l := &listener{tap: t, world: w, names: newNames(), fresh: map[string]bool{}, early: map[zk.SessionID]bool{}, writers: map[string]string{}, sent: map[string]*sentRequest{}}
	l.begin()
	w.Listen(l.message)
	return l
}

// begin forgets the step before.
func (l *listener) begin() {
	l.said, l.reqs, l.toController, l.moves = conversations{}, nil, nil, nil
	clear(l.names.fresh)
}

// process is a new process: its first session begins with the start-up conversation.
func (l *listener) process(client string) { l.fresh[client] = true }

// catchUp reads what the tap heard since the last time.
func (l *listener) catchUp() {
	for ; l.read < len(l.tap.log); l.read++ {
		s := &l.tap.log[l.read]
		client := l.world.Client(s.session)
		if client == "" {
			continue
		}
		k, e := l.entry(client, s)
		if k.by == "operator" && e.connect {
			continue // the recorder's own client, not shown
		}
		l.said.add(k, e)
		l.each(k, e)
	}
}

func (l *listener) entry(client string, s *said) (laneKey, *entry) {
	who := client
	if who == "admin" {
		who = "operator"
	}
	switch {
	case s.connect != "":
		lane := mainLane
		if l.fresh[client] && who != "operator" {
			lane, l.early[s.session] = "startup", true
			l.fresh[client] = false
		}
		o := object{"op": "connect", "session": s.connect, "err": "OK"}
		return laneKey{who, lane}, &entry{key: keyOf(o), shown: o, connect: true}
	case s.event != nil:
		o := object{"event": s.event.Type.String(), "path": s.event.Path}
		k := laneKey{who, laneOf("event", s.event.Path, false, false)}
		return k, &entry{key: keyOf(o), shown: o, event: true, slot: l.said.requests(k)}
	case s.sets:
		o := showWatches(s.set)
		return laneKey{who, l.lane(client, s.session, zk.Op{}, "setWatches")}, &entry{key: keyOf(o), shown: o}
	case s.close:
		o := object{"op": "closeSession", "err": "OK"}
		return laneKey{who, l.lane(client, s.session, zk.Op{}, "closeSession")}, &entry{key: keyOf(o), shown: o}
	}
	k := laneKey{who, l.lane(client, s.session, s.op, s.op.Kind.String())}
	l.registration(s)
	if s.wrote {
		l.wrote(who, s.op, s.result)
	}
	o := l.names.showOp(s.op)
	e := &entry{key: keyOf(o), shown: o}
	l.names.showResult(o, s.op, s.result)
	if who == "operator" {
		delete(o, "new_version") // the recorder shows no more of its own writes
	}
	return k, e
}

// lane is the conversation that a request belongs to.
func (l *listener) lane(client string, id zk.SessionID, op zk.Op, name string) string {
	if client == "admin" {
		return mainLane
	}
	return laneOf(name, op.Path, op.Watch, l.early[id])
}

// registration takes notice of a broker's registration: from then on, even if it failed, its session is not early any more.
func (l *listener) registration(s *said) {
	ops := []zk.Op{s.op}
	if s.op.Kind == zk.Multi {
		ops = s.op.Ops
	}
	for _, o := range ops {
		if o.Kind == zk.Create && brokerPath.MatchString(o.Path) {
			if s.wrote {
				l.names.registered(o.Path, s.zxid)
			}
			l.early[s.session] = false
		}
	}
}

// learned is a client that heard that its session is gone: on a real network it asked to resume it first.
func (l *listener) learned(client string) {
	k := laneKey{client, mainLane}
	o := object{"op": "connect", "session": "resume", "err": zk.SessionExpired.Error()}
	l.catchUp()
	l.said.add(k, &entry{key: keyOf(o), shown: o, connect: true})
}

// message hears a request leave, or its answer come back.
func (l *listener) message(m sim.Message) {
	l.catchUp()
	id := m.From + ">" + m.To.String() + "/" + m.ID
	if m.Answer == nil && !m.Lost {
		l.leaves(id, m)
		return
	}
	s := l.sent[id]
	delete(l.sent, id)
	if s != nil && !m.Lost {
		s.answer = l.names.showAnswer(m.Request, m.Answer)
		l.back(s)
	}
}

// leaves takes down a request of a controller to a broker, or of a broker to the controller.
func (l *listener) leaves(id string, m sim.Message) {
	s := &sentRequest{from: m.From, to: m.To.String(), answer: object{"response": "none"}, operator: m.From == "admin"}
	switch r := m.Request.(type) {
	case request.ControlRequest:
		s.shown = l.names.showRequest(r)
		l.reqs = append(l.reqs, s)
	case request.AlterIsr:
		s.from, s.shown = r.BrokerID.String(), l.names.showAlterIsr(r)
		l.toController = append(l.toController, s)
	case request.ControlledShutdown:
		s.from, s.shown = r.BrokerID.String(), object{"kind": r.Kind(), "brokerEpoch": l.names.epoch(r.BrokerEpoch)}
		l.toController = append(l.toController, s)
	default:
		return
	}
	s.epoch = by(s.shown["brokerEpoch"])
	l.sent[id] = s
}

// moved is a step of a state machine.
func (l *listener) moved(lane, entity, from, to string, failed bool) {
	controller, _, _ := strings.Cut(lane, ".")
	t := Transition{Kind: "partition", Controller: brokerID(controller), From: from, To: to, Failed: failed}
	partition, replica, isReplica := strings.Cut(entity, "·")
	if isReplica {
		t.Kind, t.Broker = "replica", brokerID(replica)
	}
	tp, err := kafka.ParseTopicPartition(partition)
	if err != nil {
		return
	}
	t.Topic, t.Partition = tp.Topic, tp.Partition
	l.moves = append(l.moves, t)
}

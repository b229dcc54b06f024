package controller

import (
	"encoding/json"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"controllerscope/core/env"
	"controllerscope/core/kafka"
	"controllerscope/core/request"
	"controllerscope/core/trace"
	"controllerscope/core/zk"
	"controllerscope/core/zk/zkmem"
	"controllerscope/core/zkclient"
	"controllerscope/core/zkdata"
)

// world is a small world for controllers: a store that answers at once, and threads that run one at a time, each until it
// waits. After every note the document is compared with a full dump.
type world struct {
	t        *testing.T
	store    *zkmem.Store
	now      int64
	procs    []*proc
	admin    zk.SessionID
	owners   map[zk.SessionID]zk.Owner
	doc      *trace.Document
	notes    []env.Note
	times    []int64  // when the notes were made
	sent     []string // requests as text, in the order of sending
	asked    []string // ZooKeeper requests of the running thread as text, "N: op path"
	pending  []func()
	hold     func(p *proc, ops []zk.Op)       // called before a batch reaches the store
	fake     func(op zk.Op) (zk.Result, bool) // if set, may answer instead of the store
	answer   func(to kafka.BrokerID, r request.Request) (request.ControlResponse, error)
	uuids    byte
	requests int              // to ZooKeeper
	dumps    []func(env.Dump) // of parts that a test drives without a process
	blind    bool             // do not compare: the test repeats what others compare
	mute     bool             // nothing is recorded
}

func newWorld(t *testing.T) *world {
	w := &world{t: t, store: zkmem.New(zkmem.Options{}), now: 1_000, owners: map[zk.SessionID]zk.Owner{}, doc: trace.NewDocument()}
	w.answer = func(_ kafka.BrokerID, r request.Request) (request.ControlResponse, error) { return allNone(r), nil }
	id, _, _, err := w.store.Open(w.now, 18_000)
	require.NoError(t, err)
	w.admin = id
	return w
}

// allNone is the answer of a broker that obeys.
func allNone(r request.Request) request.ControlResponse {
	resp := request.ControlResponse{Of: r.Kind()}
	switch r := r.(type) {
	case request.LeaderAndIsr:
		for _, p := range r.Partitions {
			resp.Errors = append(resp.Errors, request.PartitionError{TopicPartition: p.TopicPartition})
		}
	case request.StopReplica:
		for _, p := range r.Partitions {
			resp.Errors = append(resp.Errors, request.PartitionError{TopicPartition: p.TopicPartition})
		}
	}
	return resp
}

// proc is one process: it is the Env, the Net, the Connector and, through session, the Session of its controller.
type proc struct {
	w       *world
	id      kafka.BrokerID
	zk      *zkclient.Client
	ctl     *Controller
	threads []*thread
	current *thread
	timers  []*timer
	session *session
	stopped bool
	guards  map[string]bool // guards that are off

	leaderAndIsr []request.LeaderAndIsr // what was sent of that kind
}

type thread struct {
	name  string
	ready func() bool
	next  func() (struct{}, bool)
	yield func(struct{}) bool
	ended bool
}

type timer struct {
	env.Timer
	f func()
}

func (w *world) start(id kafka.BrokerID, change ...func(*Config)) *proc {
	p := &proc{w: w, id: id, guards: map[string]bool{}}
	p.zk = zkclient.New(p, p, zkclient.Options{Client: id.String(), TimeoutMS: 18_000})
	info := zkdata.DefaultBrokerInfo(kafka.Broker{ID: id, Endpoints: []kafka.Endpoint{{Listener: "PLAINTEXT", Protocol: "PLAINTEXT", Host: "b" + id.String(), Port: 9092}}})
	cfg := Config{BrokerID: id, Protocol: kafka.LatestAPIVersion(), DeleteTopic: true, LeaderImbalancePercentage: 10, LeaderImbalanceCheckIntervalSeconds: 300,
		RegisterBroker: func() (int64, error) { return p.zk.RegisterBroker(info) }}
	for _, f := range change {
		f(&cfg)
	}
	p.ctl = New(cfg, p, p.zk, p)
	w.procs = append(w.procs, p)
	p.Go("startup", func() {
		require.NoError(w.t, p.zk.Connect())
		require.NoError(w.t, p.zk.CreateTopLevelPaths())
		_, err := p.zk.RegisterBroker(info)
		require.NoError(w.t, err)
		p.ctl.Startup()
	})
	w.run()
	return p
}

// run lets everything happen until nothing can.
func (w *world) run() {
	rounds := 0
	for progress := true; progress; rounds++ {
		require.Less(w.t, rounds, 100_000, "the world does not come to rest")
		progress = false
		for len(w.pending) > 0 {
			f := w.pending[0]
			w.pending = w.pending[1:]
			f()
			progress = true
		}
		for _, p := range w.procs {
			for _, t := range slices.Clone(p.threads) {
				if !p.stopped && !t.ended && t.ready() {
					p.resume(t)
					progress = true
				}
			}
		}
	}
}

func (p *proc) resume(t *thread) {
	p.current = t
	if _, alive := t.next(); !alive {
		t.ended = true
		p.threads = slices.DeleteFunc(p.threads, func(o *thread) bool { return o == t })
	}
	p.current = nil
}

func (p *proc) Now() int64 { return p.w.now }
func (p *proc) NewUUID() kafka.UUID {
	p.w.uuids++
	return kafka.UUID{15: p.w.uuids}
}
func (p *proc) Go(name string, body func()) {
	t := &thread{name: name, ready: func() bool { return true }}
	t.next, _ = iter.Pull(func(yield func(struct{}) bool) {
		t.yield = yield
		body()
	})
	p.threads = append([]*thread{t}, p.threads...) // the newest runs first
}
func (p *proc) Wait(_ string, ready func() bool) {
	p.current.ready = ready
	p.current.yield(struct{}{})
}
func (p *proc) Sleep(string, int64) {}
func (p *proc) After(t env.Timer, f func()) func() {
	tm := &timer{t, f}
	p.timers = append(p.timers, tm)
	return func() { p.timers = slices.DeleteFunc(p.timers, func(o *timer) bool { return o == tm }) }
}

// fire runs the timers of that name.
func (p *proc) fire(name string) {
	due := keep(p.timers, func(t *timer) bool { return t.Name == name })
	require.NotEmpty(p.w.t, due, "no timer "+name)
	for _, t := range due {
		p.timers = slices.DeleteFunc(p.timers, func(o *timer) bool { return o == t })
		t.f()
	}
	p.w.run()
}
func (p *proc) Tracing() bool          { return !p.w.mute }
func (p *proc) Guard(name string) bool { return !p.guards[name] }
func (p *proc) Fix(string) bool        { return false }
func (p *proc) Note(n env.Note) {
	w := p.w
	for _, c := range n.Changes {
		w.doc.Set(c.After, c.Path...)
	}
	kept := n // the journal uses its lists again
	kept.Args, kept.Changes, kept.Reads = slices.Clone(n.Args), slices.Clone(n.Changes), slices.Clone(n.Reads)
	for i, c := range kept.Changes {
		kept.Changes[i].Path = slices.Clone(c.Path)
	}
	for i, path := range kept.Reads {
		kept.Reads[i] = slices.Clone(path)
	}
	w.notes = append(w.notes, kept)
	w.times = append(w.times, w.now)
	w.checkMessage(n)
	if w.blind {
		return
	}
	full := trace.NewDocument()
	for _, dump := range w.dumps {
		dump(full)
	}
	for _, q := range w.procs {
		q.ctl.Dump(full)
		q.zk.Dump(full)
	}
	if diff, ok := w.doc.FirstDifference(full); ok {
		require.Fail(w.t, "the document and the world part", "after note %s %s: %v: document %v, world %v", n.Kind, n.Msg, diff.Path, diff.Before, diff.After)
	}
}

// Send answers later, from the run loop.
func (p *proc) Send(c request.Conn, id string, r request.Request, done func(request.Response, error)) {
	w := p.w
	if w.mute {
		w.pending = append(w.pending, func() { resp, err := w.answer(c.To, r); done(resp, err) })
		return
	}
	p.Note(env.Note{Kind: env.ReqSend, Msg: "net.send", Changes: []env.Change{env.Unset("lane", p.id.String()+">"+c.To.String(), id)}})
	w.sent = append(w.sent, requestText(c.To, r))
	if l, ok := r.(request.LeaderAndIsr); ok {
		p.leaderAndIsr = append(p.leaderAndIsr, l)
	}
	w.pending = append(w.pending, func() {
		if p.stopped {
			return
		}
		resp, err := w.answer(c.To, r)
		done(resp, err)
	})
}
func (p *proc) Drop(request.Conn) {}

// requestText is one line per request: kind, recipient, then the partitions as LEADER/[ISR]/EPOCH.
func requestText(to kafka.BrokerID, r request.Request) string {
	var parts []string
	switch r := r.(type) {
	case request.LeaderAndIsr:
		for _, p := range r.Partitions {
			parts = append(parts, fmt.Sprintf("%s %s new=%t", p.TopicPartition, stateText(p.LeaderAndIsr), p.IsNew))
		}
	case request.UpdateMetadata:
		for _, p := range r.Partitions {
			parts = append(parts, fmt.Sprintf("%s %s offline=%v", p.TopicPartition, stateText(p.LeaderAndIsr), p.Offline))
		}
		var live []kafka.BrokerID
		for _, b := range r.LiveBrokers {
			live = append(live, b.ID)
		}
		parts = append([]string{fmt.Sprintf("live=%v", live)}, parts...)
	case request.StopReplica:
		for _, p := range r.Partitions {
			parts = append(parts, fmt.Sprintf("%s epoch=%d delete=%t", p.TopicPartition, p.LeaderEpoch, p.Delete))
		}
	}
	return fmt.Sprintf("%s>%d %s", r.Kind(), to, strings.Join(parts, "; "))
}

func stateText(l kafka.LeaderAndIsr) string {
	return fmt.Sprintf("%d/%v/%d", l.Leader, l.ISR, l.LeaderEpoch)
}

// session makes p a zk.Connector and the session of its client.
type session struct {
	p     *proc
	id    zk.SessionID
	owner zk.Owner
	state zk.State
}

func (p *proc) Open(owner zk.Owner, o zk.Options) zk.Session {
	id, _, fx, err := p.w.store.Open(p.w.now, o.TimeoutMS)
	require.NoError(p.w.t, err)
	s := &session{p: p, id: id, owner: owner, state: zk.Connecting}
	p.session = s
	p.w.owners[id] = owner
	p.w.deliver(fx)
	p.w.pending = append(p.w.pending, func() {
		s.state = zk.Connected
		owner.StateChanged(zk.Connected)
	})
	return s
}
func (s *session) ID() zk.SessionID { return s.id }
func (s *session) State() zk.State  { return s.state }
func (s *session) Do(ops ...zk.Op) []zk.Result {
	w := s.p.w
	if w.hold != nil {
		w.hold(s.p, ops)
	}
	out := make([]zk.Result, len(ops))
	for i, op := range ops {
		if s.state == zk.Expired {
			out[i].Err = zk.SessionExpired
			continue
		}
		if w.fake != nil {
			if r, ok := w.fake(op); ok {
				out[i] = r
				w.asked = append(w.asked, s.p.id.String()+": "+opText(op, r))
				continue
			}
		}
		r, fx, err := w.store.Apply(w.now, s.id, op)
		require.NoError(w.t, err)
		out[i] = r
		w.requests++
		if !w.mute {
			w.asked = append(w.asked, s.p.id.String()+": "+opText(op, r))
		}
		w.deliver(fx)
	}
	return out
}
func (s *session) Close() { s.p.w.end(s, false) }

func opText(op zk.Op, r zk.Result) string {
	if op.Kind == zk.Multi {
		var parts []string
		for i, o := range op.Ops {
			var sub zk.Result
			if i < len(r.Results) {
				sub = r.Results[i]
			}
			parts = append(parts, opText(o, sub))
		}
		return "multi(" + strings.Join(parts, ", ") + ")"
	}
	text := op.Kind.String() + " " + op.Path
	if op.Watch {
		text += " watch"
	}
	if op.Kind == zk.Set || op.Kind == zk.Create && op.Data != nil {
		var state struct {
			Leader *int  `json:"leader"`
			Epoch  int   `json:"leader_epoch"`
			ISR    []int `json:"isr"`
		}
		if json.Unmarshal(op.Data, &state) == nil && state.Leader != nil {
			text += fmt.Sprintf(" %d/%v/%d", *state.Leader, state.ISR, state.Epoch)
		}
	}
	if r.Err != zk.OK {
		text += " " + r.Err.Error()
	}
	return text
}

func (w *world) deliver(fx zk.Effects) {
	for _, f := range fx.Fired {
		if o := w.owners[f.Session]; o != nil {
			o.WatchEvent(f.Event)
		}
	}
}

// end ends a session, by its own wish or not.
func (w *world) end(s *session, expire bool) {
	fx, err := w.store.Expire(w.now, s.id)
	require.NoError(w.t, err)
	delete(w.owners, s.id)
	s.state = zk.ClosedState
	if expire {
		s.state = zk.Expired
	}
	w.deliver(fx)
	if expire {
		s.owner.StateChanged(zk.Expired)
	}
}

// kill ends a process and its session at once.
func (w *world) kill(p *proc) {
	p.stopped = true
	w.forget(p)
	w.end(p.session, false)
	w.run()
}

// forget takes a dead process out of the document.
func (w *world) forget(p *proc) {
	w.procs = slices.DeleteFunc(w.procs, func(o *proc) bool { return o == p })
	for _, station := range []string{"ctl", "queue", "ctx", "batch", "channel", "metric", "handler"} {
		w.doc.Set(nil, station, p.id.String())
	}
	for _, lane := range w.doc.Names("lane") {
		if strings.HasPrefix(lane, p.id.String()+">") {
			w.doc.Set(nil, "lane", lane)
		}
	}
}

// do is one request of an operator, which then lets everything happen.
func (w *world) do(op zk.Op) {
	w.doQuietly(op)
	w.run()
}

func (w *world) doQuietly(op zk.Op) {
	r, fx, err := w.store.Apply(w.now, w.admin, op)
	require.NoError(w.t, err)
	require.Equal(w.t, zk.OK, r.Err, op.Path)
	w.deliver(fx)
}

// topic creates a topic's znode: one list of replicas per partition.
func (w *world) topic(name string, assignment ...[]kafka.BrokerID) {
	w.do(topicOp(name, assignment...))
}

func topicOp(name string, assignment ...[]kafka.BrokerID) zk.Op {
	parts := map[int32]kafka.ReplicaAssignment{}
	for i, replicas := range assignment {
		parts[int32(i)] = kafka.ReplicaAssignment{Replicas: replicas}
	}
	return zk.Op{Kind: zk.Create, Path: zkdata.TopicPath(name), Data: zkdata.EncodeTopic(kafka.UUID{0: name[0], 1: name[len(name)-1]}, parts)}
}

// state reads the state znode of a partition as text.
func (w *world) state(tp string) string {
	p, err := kafka.ParseTopicPartition(tp)
	require.NoError(w.t, err)
	data, stat, found := w.store.Node(zkdata.TopicPartitionStatePath(p))
	if !found {
		return "none"
	}
	l, ok, err := zkdata.DecodeTopicPartitionState(p, data, stat.Version)
	require.NoError(w.t, err)
	require.True(w.t, ok)
	return stateText(l.LeaderAndIsr)
}

// forgetLog empties the lists that tests look at.
func (w *world) forgetLog() { w.sent, w.asked, w.notes, w.times = nil, nil, nil, nil }

// keys are the message keys of the notes, of the kinds asked for.
func (w *world) keys(kinds ...env.Kind) []string {
	var out []string
	for _, n := range w.notes {
		if slices.Contains(kinds, n.Kind) {
			out = append(out, n.Msg)
		}
	}
	return out
}

func ids(list ...kafka.BrokerID) []kafka.BrokerID { return list }

// to are the requests sent to one broker.
func (w *world) to(id kafka.BrokerID) []string {
	return keep(w.sent, func(s string) bool { return strings.Contains(s, ">"+id.String()+" ") })
}

// alterIsr sends a leader's proposal to a controller and returns the answer for its partition.
func (w *world) alterIsr(ctl *proc, leader kafka.BrokerID, tp string, leaderEpoch int32, isr []kafka.BrokerID, zkVersion int32) request.AlterIsrResponse {
	p, err := kafka.ParseTopicPartition(tp)
	require.NoError(w.t, err)
	_, stat, _ := w.store.Node(zkdata.BrokerIDPath(leader))
	var got request.AlterIsrResponse
	ctl.ctl.AlterIsr(request.AlterIsr{BrokerID: leader, BrokerEpoch: stat.Czxid,
		Partitions: []request.AlterIsrPartition{{TopicPartition: p, LeaderEpoch: leaderEpoch, ISR: isr, ZkVersion: zkVersion}}},
		func(r request.AlterIsrResponse) { got = r })
	w.run()
	return got
}

// find is the first note with that key.
func (w *world) find(key string) env.Note {
	for _, n := range w.notes {
		if n.Msg == key {
			return n
		}
	}
	require.Fail(w.t, "no note "+key)
	return env.Note{}
}

func arg(n env.Note, name string) any {
	for _, a := range n.Args {
		if a.Name == name {
			return a.Value
		}
	}
	return nil
}

// stateWrites are the writes of state znodes, without their check.
func (w *world) stateWrites() []string {
	var out []string
	for _, a := range w.asked {
		if i := strings.Index(a, ", "); i >= 0 && strings.Contains(a, "/state ") {
			out = append(out, strings.TrimSuffix(a[i+2:], ")"))
		}
	}
	return out
}

type zkOp = zk.Op

const zkSet = zk.Set

// isStateWrite tells a fenced write of a state znode.
func isStateWrite(op zk.Op) bool {
	return op.Kind == zk.Multi && len(op.Ops) == 2 && op.Ops[1].Kind == zk.Set && strings.HasSuffix(op.Ops[1].Path, "/state")
}

// messageArgs are the arguments that each key carries.
var messageArgs = func() map[string][]string {
	args := map[string][]string{"net.send": nil}
	for _, m := range slices.Concat(Messages, zkclient.Messages) {
		args[m.Key] = m.Args
	}
	return args
}()

// checkMessage: every note has a listed key and just the arguments that are listed for it.
func (w *world) checkMessage(n env.Note) {
	want, listed := messageArgs[n.Msg]
	require.True(w.t, listed, "the key %q is not listed", n.Msg)
	var got []string
	for _, a := range n.Args {
		got = append(got, a.Name)
	}
	require.ElementsMatch(w.t, want, got, n.Msg)
}

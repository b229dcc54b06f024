package zkclient

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"controllerscope/core/env"
	"controllerscope/core/kafka"
	"controllerscope/core/zk"
	"controllerscope/core/zk/zkmem"
)

// world runs clients over one store on the test's own goroutine. Where a client waits, the world runs its events (threads,
// timers, reconnections) until the client may go on.
type world struct {
	t      *testing.T
	store  *zkmem.Store
	log    []string // the conversation: requests with their codes, watch events, connection states
	events []func()
	notes  []env.Note
	guards map[string]bool // guards that are off
	uuids  byte
	open   map[zk.SessionID]*session
}

func newWorld(t *testing.T) *world {
	return &world{t: t, store: zkmem.New(zkmem.Options{}), guards: map[string]bool{}, open: map[zk.SessionID]*session{}}
}

// client is a connected client whose conversation is logged from now on.
func (w *world) client(name string) *Client {
	c := New(w, w, Options{Client: name, TimeoutMS: 18000})
	require.NoError(w.t, c.Connect())
	w.log = nil
	return c
}

// take returns the log and empties it.
func (w *world) take() []string {
	l := w.log
	w.log = nil
	return l
}

const now = int64(1669713420123)

func (w *world) Now() int64                  { return now }
func (w *world) NewUUID() kafka.UUID         { w.uuids++; return kafka.UUID{w.uuids} }
func (w *world) Go(name string, body func()) { w.events = append(w.events, body) }
func (w *world) Sleep(string, int64)         { w.t.Fatal("nothing here sleeps") }
func (w *world) Tracing() bool               { return true }
func (w *world) Note(n env.Note)             { w.notes = append(w.notes, n) }
func (w *world) Guard(name string) bool      { return !w.guards[name] }
func (w *world) Fix(string) bool             { return false }

// After keeps f for the moment at which nothing else can happen.
func (w *world) After(_ env.Timer, f func()) func() {
	cancelled := false
	w.events = append(w.events, func() {
		if cancelled {
			return
		}
		if len(w.events) > 0 {
			w.After(env.Timer{}, func() {
				if !cancelled {
					f()
				}
			})
			return
		}
		f()
	})
	return func() { cancelled = true }
}

func (w *world) Wait(why string, ready func() bool) {
	for !ready() {
		require.NotEmpty(w.t, w.events, "the wait for %q would never end", why)
		w.step()
	}
}

func (w *world) step() {
	e := w.events[0]
	w.events = w.events[1:]
	e()
}

func (w *world) idle() {
	for len(w.events) > 0 {
		w.step()
	}
}

// session is a zk.Session over the store. faults are used up by the requests that it sends, one each.
type session struct {
	w      *world
	owner  zk.Owner
	id     zk.SessionID
	state  zk.State
	faults []fault
}

type fault int

const (
	none        fault = iota
	lostRequest       // never reached the server
	lostAnswer        // was applied
	expiry            // lost, and the session is expired when the client comes back
)

func (w *world) Open(owner zk.Owner, o zk.Options) zk.Session {
	s := &session{w: w, owner: owner}
	w.events = append(w.events, func() {
		id, _, _, err := w.store.Open(now, o.TimeoutMS)
		require.NoError(w.t, err)
		s.id, w.open[id] = id, s
		s.become(zk.Connected)
	})
	return s
}

func (s *session) become(state zk.State) {
	s.state = state
	s.w.log = append(s.w.log, state.String())
	s.owner.StateChanged(state)
}

func (s *session) ID() zk.SessionID { return s.id }
func (s *session) State() zk.State  { return s.state }

func (s *session) Do(ops ...zk.Op) []zk.Result {
	results := make([]zk.Result, len(ops))
	for i, op := range ops {
		switch s.state {
		case zk.Expired:
			results[i].Err = zk.SessionExpired
			continue
		case zk.ClosedState:
			results[i].Err = zk.Closed
			continue
		case zk.Disconnected:
			results[i].Err = zk.ConnectionLoss
			continue
		}
		f := none
		if len(s.faults) > 0 {
			f, s.faults = s.faults[0], s.faults[1:]
		}
		if f == none || f == lostAnswer {
			r := s.apply(op)
			s.w.log = append(s.w.log, fmt.Sprintf("%d %s %s", len(ops), describe(op), codes(op, r)))
			results[i] = r
		}
		if f != none {
			results[i] = zk.Result{Err: zk.ConnectionLoss}
			s.disconnect(f)
		}
	}
	return results
}

// apply carries one request out; the watch events that it causes arrive before its answer.
func (s *session) apply(op zk.Op) zk.Result {
	r, fx, err := s.w.store.Apply(now, s.id, op)
	require.NoError(s.w.t, err)
	for _, f := range fx.Fired {
		to := s.w.open[f.Session]
		s.w.log = append(s.w.log, f.Event.Type.String()+" "+f.Event.Path)
		to.owner.WatchEvent(f.Event)
	}
	return r
}

func (s *session) disconnect(f fault) {
	s.become(zk.Disconnected)
	s.w.events = append(s.w.events, func() {
		if f == expiry {
			s.expire()
		} else {
			s.become(zk.Connected)
		}
	})
}

func (s *session) expire() {
	_, err := s.w.store.Expire(now, s.id)
	require.NoError(s.w.t, err)
	s.become(zk.Expired)
}

func (s *session) Close() {
	if s.id != 0 {
		_, err := s.w.store.Close(now, s.id)
		require.NoError(s.w.t, err)
	}
	s.state = zk.ClosedState
}

// describe prints a request: "set /a v3", "get /a watch", "multi[check /controller_epoch v1, delete /a v-1]".
func describe(op zk.Op) string {
	b := op.Kind.String()
	if op.Kind == zk.Multi {
		parts := make([]string, len(op.Ops))
		for i, o := range op.Ops {
			parts[i] = describe(o)
		}
		return b + "[" + strings.Join(parts, ", ") + "]"
	}
	b += " " + op.Path
	switch op.Kind {
	case zk.Set, zk.Delete, zk.Check:
		b += fmt.Sprintf(" v%d", op.Version)
	case zk.Create:
		b += [...]string{"", " ephemeral", " sequential"}[op.Mode]
	}
	if op.Watch {
		b += " watch"
	}
	return b
}

func codes(op zk.Op, r zk.Result) string {
	if op.Kind != zk.Multi || r.Err == zk.OK {
		return r.Err.Error()
	}
	all := make([]string, len(r.Results))
	for i, x := range r.Results {
		all[i] = x.Err.Error()
	}
	return strings.Join(all, " ")
}

// current is the session that a client uses now.
func (c *Client) current() *session { return c.session.(*session) }

// put writes a persistent znode behind the client's back.
func (w *world) put(path, data string) {
	id, _, _, err := w.store.Open(now, 18000)
	require.NoError(w.t, err)
	s := &session{w: w, id: id}
	r := s.apply(zk.Op{Kind: zk.Create, Path: path, Data: []byte(data)})
	require.Equal(w.t, zk.OK, r.Err, path)
}

// fixture is a client on a ZooKeeper with nothing but /controller_epoch = 1 at version 0 (fixture F-ZKC).
func fixture(t *testing.T) (*world, *Client) {
	w := newWorld(t)
	c := w.client("0")
	w.put("/controller_epoch", "1")
	w.take()
	return w, c
}

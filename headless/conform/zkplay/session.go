package zkplay

import (
	"fmt"
	"sort"
	"strings"
	"sync"
	"time"

	gozk "github.com/go-zookeeper/zk"

	"controllerscope/core/zk/zktest"
)

// patience bounds every wait: more than the longest session timeout that a server grants at default ticks (40 s).
const patience = 90 * time.Second

// session is one client: a connection of go-zookeeper through a tap, with everything it was told.
type session struct {
	name    string
	conn    *gozk.Conn
	tap     *tap
	servers inTurn
	ended   chan struct{} // the global event channel has been closed
	watches map[string]<-chan gozk.Event
	calls   map[string]chan zktest.Result // async ones under their names

	mu    sync.Mutex
	told  sync.Cond
	log   []gozk.Event                   // not looked at yet
	state gozk.State                     // the last one told
	shown gozk.State                     // the session state that the last look ended with; stateNone if it ended with another event
	armed map[<-chan gozk.Event]struct{} // every watch channel whose event has not been taken
	owes  bool                           // the library held watches when it last got a session, and sets them again on its own
}

// stateNone is no state of the library's.
const stateNone gozk.State = -1000

// quiet drops what the library logs.
type quiet struct{}

func (quiet) Printf(string, ...any) {}

// openSession connects and waits for HasSession.
func openSession(name string, t Target, timeoutMS int32) (*session, error) {
	s := &session{name: name, tap: newTap(t.Dial), ended: make(chan struct{}), shown: stateNone,
		armed: map[<-chan gozk.Event]struct{}{}, watches: map[string]<-chan gozk.Event{}, calls: map[string]chan zktest.Result{}}
	s.told.L = &s.mu
	conn, events, err := gozk.Connect(t.Servers, time.Duration(timeoutMS)*time.Millisecond, gozk.WithDialer(s.tap.open), gozk.WithHostProvider(&s.servers),
		gozk.WithEventCallback(s.hear), gozk.WithLogger(quiet{}), gozk.WithLogInfo(false))
	if err != nil {
		return nil, err
	}
	s.conn = conn
	go func() {
		for range events {
			// The callback has seen it already; only the end of the channel matters.
		}
		close(s.ended)
	}()
	if !s.await(gozk.StateHasSession, patience) {
		conn.Close()
		return nil, fmt.Errorf("no session within %v at %s", patience, strings.Join(t.Servers, ","))
	}
	return s, nil
}

// inTurn is the servers of a client, one after the other. The library pauses for a second before the rounds that it is told
// of: here only when one has failed.
type inTurn struct {
	servers []string
	next    int
	failed  int // since the client was connected
}

func (h *inTurn) Init(servers []string) error { h.servers = servers; return nil }
func (h *inTurn) Len() int                    { return len(h.servers) }
func (h *inTurn) Connected()                  { h.failed = 0 }
func (h *inTurn) Next() (string, bool) {
	server := h.servers[h.next%len(h.servers)]
	pause := h.failed >= len(h.servers) && h.failed%len(h.servers) == 0
	h.next, h.failed = h.next+1, h.failed+1
	return server, pause
}

// hear is the library's event callback: it sees every event in order and must not block.
func (s *session) hear(e gozk.Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.log = append(s.log, e)
	if e.Type == gozk.EventSession {
		s.state = e.State
		switch e.State {
		case gozk.StateHasSession:
			s.owes = s.holdsWatch()
		case gozk.StateExpired:
			s.servers.Connected() // the server did answer; the library calls this in the goroutine that asks for the next one
		}
	}
	s.told.Broadcast()
}

// holdsWatch reports whether a watch of the client is armed: its channel is empty. The lock is held.
func (s *session) holdsWatch() bool {
	for ch := range s.armed {
		if len(ch) == 0 {
			return true
		}
	}
	return false
}

// keep notes that a call has left a watch, forget that its event has been taken.
func (s *session) keep(ch <-chan gozk.Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.armed[ch] = struct{}{}
}

func (s *session) forget(ch <-chan gozk.Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.armed, ch)
}

// await waits until the last state told is want.
func (s *session) await(want gozk.State, limit time.Duration) bool {
	return s.until(limit, func() bool { return s.state == want })
}

// until waits for a condition on what was told.
func (s *session) until(limit time.Duration, ready func() bool) bool {
	end := time.Now().Add(limit)
	wake := time.AfterFunc(limit, s.told.Broadcast)
	defer wake.Stop()
	s.mu.Lock()
	defer s.mu.Unlock()
	for !ready() {
		if !time.Now().Before(end) {
			return false
		}
		s.told.Wait()
	}
	return true
}

// flush makes sure that everything the server has queued for this session is in: a sync and a read after it. Without a
// session there is nothing to wait for.
func (s *session) flush(path string) {
	if s.conn.State() != gozk.StateHasSession {
		return
	}
	if _, err := s.conn.Sync(path); err == nil {
		_, _, _ = s.conn.Exists(path)
	}
}

// events takes what was told since the last look: consecutive equal session states once, a run of NotWatching by path.
func (s *session) events() []gozk.Event {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []gozk.Event
	for _, e := range s.log {
		if e.Type != gozk.EventSession {
			s.shown = stateNone
		} else if e.State == s.shown {
			continue
		} else {
			s.shown = e.State
		}
		out = append(out, e)
	}
	s.log = nil
	for from := 0; from < len(out); from++ {
		to := from
		for to < len(out) && out[to].Type == gozk.EventNotWatching {
			to++
		}
		run := out[from:to]
		sort.SliceStable(run, func(i, j int) bool { return run[i].Path < run[j].Path })
		from = max(from, to-1)
	}
	return out
}

// close ends the session and waits until the library has told everything.
func (s *session) close() error {
	s.conn.Close()
	select {
	case <-s.ended:
		return nil
	case <-time.After(patience):
		return fmt.Errorf("the client did not close its event channel within %v", patience)
	}
}

// cut breaks the network and waits until the client has noticed and tries to connect again, as it goes on to do.
func (s *session) cut() error {
	s.tap.set(true, false)
	if !s.await(gozk.StateConnecting, patience) {
		return fmt.Errorf("the client did not notice within %v that its connection is gone", patience)
	}
	return nil
}

// heal undoes cut and stall and waits for HasSession and for the watches. The library sends those in the background after
// it has told HasSession; a call of another session would overtake them. What the session itself asks after they have been
// sent is answered after the server has set them. They are one packet: up to 128 KiB of paths.
func (s *session) heal(path string) error {
	s.tap.set(false, false)
	if !s.await(gozk.StateHasSession, patience) {
		return fmt.Errorf("no session within %v after the network was there again", patience)
	}
	s.mu.Lock()
	owes := s.owes
	s.mu.Unlock()
	if owes && !s.tap.watchesSet(patience) {
		return fmt.Errorf("the client did not set its watches again within %v", patience)
	}
	s.flush(path)
	return nil
}

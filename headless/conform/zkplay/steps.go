package zkplay

import (
	"cmp"
	"fmt"
	"maps"
	"strings"
	"time"

	"controllerscope/core/zk"
	"controllerscope/core/zk/zktest"
)

// Visible reports that the real client sees everything.
func (p *player) Visible(_ *zktest.Step, _ string, want any) (any, int) { return want, 0 }

// Do makes a step, and gives it up if it never ends. An expected field that the result does not have is null in it.
func (p *player) Do(st *zktest.Step) (zktest.Result, error) {
	type outcome struct {
		result zktest.Result
		err    error
	}
	done := make(chan outcome, 1)
	go func() {
		result, err := p.step(st)
		done <- outcome{result, err}
	}()
	select {
	case o := <-done:
		if o.err != nil {
			return nil, o.err
		}
		full := zktest.Result{}
		maps.Copy(full, o.result)
		for field := range st.Expect {
			if _, has := full[field]; !has {
				full[field] = nil
			}
		}
		return full, nil
	case <-time.After(2 * patience):
		return nil, fmt.Errorf("no answer within %v", 2*patience)
	}
}

// note remembers whose the present session ids are; those of before an expiry stay known.
func (p *player) note() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, s := range p.sessions {
		if id := s.conn.SessionID(); id != 0 {
			p.names.Owners[zk.SessionID(id)] = s.name
		}
	}
}

// step makes one step.
func (p *player) step(st *zktest.Step) (zktest.Result, error) {
	s, a := p.sessions[st.Session], st.Args
	p.note()
	if s == nil && st.Op != "open" {
		return nil, fmt.Errorf("session %s is not open", st.Session)
	}
	switch st.Op {
	case "open":
		s, err := openSession(st.Session, p.target, cmp.Or(a.TimeoutMS, defaultTimeoutMS))
		if err != nil {
			return nil, err
		}
		p.sessions[st.Session] = s
		return zktest.Result{"events": p.eventValues(s.events())}, nil
	case "close":
		err := s.close()
		return zktest.Result{"events": p.eventValues(s.events())}, err
	case "state":
		return zktest.Result{"state": strings.TrimPrefix(s.conn.State().String(), "State")}, nil
	case "events", "watch":
		if !a.NoBarrier {
			s.flush(p.names.Base)
		}
		if st.Op == "watch" {
			return p.watch(s, a.Watch), nil
		}
		return zktest.Result{"events": p.eventValues(s.events())}, nil
	case "cut":
		return nil, s.cut()
	case "stall":
		s.tap.set(false, true)
		return nil, nil
	case "heal":
		return nil, s.heal(p.names.Base)
	case "await":
		return <-s.calls[a.Handle], nil
	case "await_gone":
		return nil, p.awaitGone(p.names.Path(a.Path))
	}
	if st.Async != "" {
		p.start(s, st)
		return nil, nil
	}
	return p.call(s, st.Op, a), nil
}

// defaultTimeoutMS is the session timeout asked for when a case names none.
const defaultTimeoutMS = 10_000

// queuePause is how long an async call gets to reach the library's queue when nothing shows that it has been sent.
const queuePause = 50 * time.Millisecond

// start makes an async call and waits until it is queued: it has been sent, has returned, or had its time.
func (p *player) start(s *session, st *zktest.Step) {
	done, result := make(chan struct{}), make(chan zktest.Result, 1)
	s.calls[st.Async] = result
	before := s.tap.writes()
	go func() {
		result <- p.call(s, st.Op, st.Args)
		close(done)
	}()
	end := time.After(queuePause)
	for s.tap.writes() == before {
		select {
		case <-done:
			return
		case <-end:
			return
		case <-time.After(time.Millisecond):
		}
	}
}

// watch looks at a channel without waiting.
func (p *player) watch(s *session, name string) zktest.Result {
	p.mu.Lock()
	ch := s.watches[name]
	p.mu.Unlock()
	out := zktest.Result{"event": nil, "closed": false}
	for range 2 {
		select {
		case e, open := <-ch:
			s.forget(ch)
			if open {
				out["event"] = p.eventValue(e)
				continue
			}
			out["closed"] = true
		default:
		}
		break
	}
	return out
}

// awaitGone waits until a node is gone, as the admin session sees it.
func (p *player) awaitGone(path string) error {
	if p.hasty {
		if err := p.expire(path); err != nil {
			return err
		}
	}
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if there, _, err := p.admin.conn.Exists(path); err != nil {
			return err
		} else if !there {
			return nil
		}
	}
	return fmt.Errorf("%s is still there after %v", p.names.ShowPath(path), patience)
}

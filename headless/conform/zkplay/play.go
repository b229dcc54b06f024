// Package zkplay replays zkcases/1 files through the real client library, go-zookeeper v1.0.4, against any ZooKeeper
// server: a real one, an ensemble, or the emulator of headless/zkserver.
package zkplay

import (
	"fmt"
	"sync"
	"time"

	gozk "github.com/go-zookeeper/zk"

	"controllerscope/core/zk"
	"controllerscope/core/zk/zkcases"
)

// Target is the server or ensemble to play against. Nothing else may use it meanwhile: cases count zxids.
type Target struct {
	Servers []string // host:port each
	Chroot  string   // where the cases' base nodes are made; it exists already. "" is the root
	Dial    Dial     // net.DialTimeout, or a way into a server in this process
}

// Report is the outcome of a file. Cases tagged micro-version are counted apart: releases of 3.8 differ in them.
type Report struct {
	Passed, Failed           int
	MicroPassed, MicroFailed int
	Failures                 []zkcases.Failure
	Left                     []string // base nodes that could not be removed, since a case locked something in them
}

// Run plays every case of a file. each, if not nil, hears of every case when it is done. An error means that the server
// could not be used, not that a case failed.
func Run(t Target, f zkcases.File, each func(done int, c zkcases.Case, failures []zkcases.Failure)) (Report, error) {
	var r Report
	admin, err := openSession("", t, 30_000)
	if err != nil {
		return r, err
	}
	defer admin.conn.Close()
	for i, c := range f.Cases {
		p := &player{target: t, admin: admin, sessions: map[string]*session{}}
		failures, err := p.play(c)
		if err != nil {
			return r, fmt.Errorf("case %s: %w", c.Name, err)
		}
		if p.left {
			r.Left = append(r.Left, p.base)
		}
		r.count(c, failures)
		if each != nil {
			each(i+1, c, failures)
		}
	}
	return r, nil
}

// count adds one case.
func (r *Report) count(c zkcases.Case, failures []zkcases.Failure) {
	r.Failures = append(r.Failures, failures...)
	passed, failed := &r.Passed, &r.Failed
	if c.Tagged(zkcases.MicroVersion) {
		passed, failed = &r.MicroPassed, &r.MicroFailed
	}
	if len(failures) == 0 {
		*passed++
	} else {
		*failed++
	}
}

// player plays one case.
type player struct {
	target   Target
	admin    *session // makes and removes the base node and takes no part
	base     string
	baseZxid int64
	sessions map[string]*session
	mu       sync.Mutex // sessions' watches, which async calls add to
	left     bool       // the base node could not be removed
}

// play runs the steps and tidies up. A step that cannot be made ends the case.
func (p *player) play(c zkcases.Case) ([]zkcases.Failure, error) {
	if err := p.plant(); err != nil {
		return nil, err
	}
	var failures []zkcases.Failure
	for i, s := range c.Steps {
		result, err := p.within(func() (map[string]any, error) { return p.step(s) })
		if err != nil {
			failures = append(failures, zkcases.Failure{Case: c.Name, Step: i + 1, Op: s.Op, Field: "step", Want: "done", Got: err.Error()})
			break
		}
		failures = append(failures, zkcases.Compare(c, i, result)...)
	}
	for _, s := range p.sessions {
		p.leave(s)
	}
	p.left = remove(p.admin.conn, p.base) != nil
	return failures, nil
}

// plant makes the base node.
func (p *player) plant() error {
	base, err := p.admin.conn.Create(p.target.Chroot+"/case-", []byte{}, gozk.FlagSequence, gozk.WorldACL(gozk.PermAll))
	if err != nil {
		return fmt.Errorf("making its base node: %w", err)
	}
	_, stat, err := p.admin.conn.Exists(base)
	if err != nil {
		return fmt.Errorf("reading its base node: %w", err)
	}
	p.base, p.baseZxid = base, stat.Czxid
	return nil
}

// within makes a step, and gives it up if it never ends.
func (p *player) within(step func() (map[string]any, error)) (map[string]any, error) {
	type outcome struct {
		result map[string]any
		err    error
	}
	done := make(chan outcome, 1)
	go func() {
		result, err := step()
		done <- outcome{result, err}
	}()
	select {
	case o := <-done:
		return o.result, o.err
	case <-time.After(2 * patience):
		return nil, fmt.Errorf("no answer within %v", 2*patience)
	}
}

// leave closes a session that a case left open, with its network healed so that it does not linger until it expires.
func (p *player) leave(s *session) {
	if cut, stalled := s.tap.get(); cut || stalled {
		_ = s.heal() // if it fails the session expires by itself
	}
	_ = s.close()
}

// step makes one step.
func (p *player) step(st zkcases.Step) (map[string]any, error) {
	s, a := p.sessions[st.Session], st.Args
	switch st.Op {
	case "open":
		s, err := openSession(st.Session, p.target, a.TimeoutMS)
		if err != nil {
			return nil, err
		}
		p.sessions[st.Session] = s
		return map[string]any{"events": p.eventValues(s.events())}, nil
	case "close":
		s.note()
		err := s.close()
		return map[string]any{"events": p.eventValues(s.events())}, err
	case "state":
		return map[string]any{"state": s.conn.State().String()[len("State"):]}, nil
	case "events":
		if !a.NoBarrier {
			s.flush(p.base)
		}
		return map[string]any{"events": p.eventValues(s.events())}, nil
	case "watch":
		if !a.NoBarrier {
			s.flush(p.base)
		}
		return p.watch(s, a.Watch), nil
	case "cut":
		return nil, s.cut()
	case "stall":
		s.tap.set(false, true)
		return nil, nil
	case "heal":
		return nil, s.heal()
	case "await":
		return <-s.calls[a.Handle], nil
	case "await_gone":
		return nil, p.awaitGone(zkcases.Expand(a.Path, p.base))
	}
	if st.Async != "" {
		return nil, p.start(s, st)
	}
	defer s.note()
	return p.call(s, st.Op, a), nil
}

// queuePause is how long an async call gets to reach the library's queue when nothing shows that it has been sent.
const queuePause = 50 * time.Millisecond

// start makes an async call and waits until it is queued: it has been sent, has returned, or had its time.
func (p *player) start(s *session, st zkcases.Step) error {
	done, result := make(chan struct{}), make(chan map[string]any, 1)
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
			return nil
		case <-end:
			return nil
		case <-time.After(time.Millisecond):
		}
	}
	return nil
}

// watch looks at a channel without waiting.
func (p *player) watch(s *session, name string) map[string]any {
	p.mu.Lock()
	ch := s.watches[name]
	p.mu.Unlock()
	out := map[string]any{"event": nil, "closed": false}
	for range 2 {
		select {
		case e, open := <-ch:
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
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if there, _, err := p.admin.conn.Exists(path); err != nil {
			return err
		} else if !there {
			return nil
		}
	}
	return fmt.Errorf("%s is still there after %v", zkcases.Contract(path, p.base), patience)
}

// owner is the name of the session that has, or had before an expiry, an id.
func (p *player) owner(id zk.SessionID) string {
	for _, s := range p.sessions {
		if s.had(id) {
			return s.name
		}
	}
	return "no session of this case"
}

// remove deletes a node with everything below it.
func remove(c *gozk.Conn, path string) error {
	for {
		names, _, err := c.Children(path)
		if err == gozk.ErrNoNode {
			return nil
		}
		if err != nil && err != gozk.ErrNoAuth {
			return err
		}
		for _, n := range names {
			if err := remove(c, path+"/"+n); err != nil {
				return err
			}
		}
		if err = c.Delete(path, -1); err == nil || err == gozk.ErrNoNode {
			return nil
		} else if err != gozk.ErrNotEmpty || len(names) == 0 {
			return err
		}
	}
}

// Package zkplay replays zkcases/1 files through the real client library, go-zookeeper v1.0.4, against any ZooKeeper
// server: a real one, an ensemble, or the emulator of headless/zkserver.
package zkplay

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"

	gozk "github.com/go-zookeeper/zk"

	"controllerscope/core/zk"
	"controllerscope/core/zk/zktest"
)

// Target is the server or ensemble to play against. Nothing else may use it meanwhile: cases count zxids.
type Target struct {
	Servers []string // host:port each
	Chroot  string   // where the cases' base nodes are made; it exists already. "" is the root
	Dial    Dial     // net.DialTimeout, or a way into a server in this process
}

// MicroVersion tags cases whose outcome differs between releases of ZooKeeper 3.8.
const MicroVersion = "micro-version"

// Report is the outcome of a file. Cases tagged micro-version are counted apart.
type Report struct {
	Passed, Failed           int
	MicroPassed, MicroFailed int
	Failures                 []Failure
	Left                     []string // base nodes that could not be removed, since a case locked something in them
}

// Failure is one thing that was not as expected; Broken says why a step could not be made, which ends its case.
type Failure struct {
	zktest.Difference
	Broken string
}

// String is the failure in one line.
func (f Failure) String() string {
	if f.Broken != "" {
		return f.Broken
	}
	return f.Difference.String()
}

// Run plays every case of a file. each, if not nil, hears of every case when it is done. An error means that the server
// could not be used, not that a case failed.
func Run(t Target, f *zktest.File, each func(done int, failures []Failure)) (Report, error) {
	var r Report
	admin, err := openSession("", t, 30_000)
	if err != nil {
		return r, err
	}
	defer func() { _ = admin.close() }() // everything has been played
	for i := range f.Cases {
		c := &f.Cases[i]
		p := &player{target: t, admin: admin, sessions: map[string]*session{}}
		failures, err := p.play(c)
		if err != nil {
			return r, fmt.Errorf("case %s: %w", c.Name, err)
		}
		if p.left {
			r.Left = append(r.Left, p.names.Base)
		}
		r.count(c, failures)
		if each != nil {
			each(i+1, failures)
		}
	}
	return r, nil
}

// count adds one case.
func (r *Report) count(c *zktest.Case, failures []Failure) {
	r.Failures = append(r.Failures, failures...)
	passed, failed := &r.Passed, &r.Failed
	if slices.Contains(c.Tags, MicroVersion) {
		passed, failed = &r.MicroPassed, &r.MicroFailed
	}
	if len(failures) == 0 {
		*passed++
	} else {
		*failed++
	}
}

// player plays one case; it is a zktest.Player.
type player struct {
	target   Target
	admin    *session // makes and removes the base node and takes no part
	sessions map[string]*session
	left     bool // the base node could not be removed
	hasty    bool // await_gone ends the session that it waits for

	mu    sync.Mutex // guards what async calls use too: names.Owners and the sessions' watches
	names zktest.Names
}

// play replays the case and tidies up.
func (p *player) play(c *zktest.Case) ([]Failure, error) {
	if err := p.plant(); err != nil {
		return nil, err
	}
	var failures []Failure
	outcome, err := zktest.Replay(c, p)
	for _, d := range outcome.Differences {
		failures = append(failures, Failure{Difference: d})
	}
	if err != nil {
		failures = append(failures, Failure{Difference: zktest.Difference{Case: c.Name}, Broken: err.Error()})
	}
	return failures, p.tidy()
}

// tidy closes the case's sessions and removes its base node. An error means that a session may live on until it expires.
func (p *player) tidy() error {
	var errs []error
	for _, name := range slices.Sorted(maps.Keys(p.sessions)) {
		errs = append(errs, p.leave(p.sessions[name]))
	}
	if p.names.Base != "" {
		p.left = remove(p.admin.conn, p.names.Base) != nil
	}
	return errors.Join(errs...)
}

// plant makes the base node.
func (p *player) plant() error {
	return p.base(p.target.Chroot+"/case-", gozk.FlagSequence)
}

// plantAt makes the base node with a given path, and what is missing above it.
func (p *player) plantAt(path string) error {
	for i := 1; i < len(path); i++ {
		if path[i] != '/' {
			continue
		}
		if _, err := p.admin.conn.Create(path[:i], []byte{}, 0, gozk.WorldACL(gozk.PermAll)); err != nil && err != gozk.ErrNodeExists {
			return fmt.Errorf("making %s: %w", path[:i], err)
		}
	}
	return p.base(path, 0)
}

// base makes the base node and reads where its zxids begin.
func (p *player) base(path string, flags int32) error {
	base, err := p.admin.conn.Create(path, []byte{}, flags, gozk.WorldACL(gozk.PermAll))
	if err != nil {
		return fmt.Errorf("making its base node: %w", err)
	}
	_, stat, err := p.admin.conn.Exists(base)
	if err != nil {
		return fmt.Errorf("reading its base node: %w", err)
	}
	p.names = zktest.Names{Base: base, BaseZxid: stat.Czxid, Owners: map[zk.SessionID]string{}}
	return nil
}

// leave closes a session that a case left open, with its network healed so that it does not linger until it expires.
func (p *player) leave(s *session) error {
	var err error
	if cut, stalled := s.tap.get(); cut || stalled {
		err = s.heal(p.names.Base)
	}
	return errors.Join(err, s.close())
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

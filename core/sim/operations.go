package sim

import (
	"fmt"
	"slices"

	"controllerscope/core/env"
	"controllerscope/core/kafka"
)

// The operations of scripts. Each is a step without a cause; what follows from it is taken choice by choice.

// outside notes an operation from outside and runs what it sets off. What the note says has changed must have changed already.
func (w *World) outside(n env.Note, f func()) {
	if n.Lane == "" {
		n.Lane = "admin"
	}
	w.on(&cursor{lane: "admin"}, func() {
		w.note(n)
		f()
		w.wake()
	})
}

// machineOf finds a broker's machine, or says which there are.
func (w *World) machineOf(id kafka.BrokerID) (*machine, error) {
	if m := w.brokers[id]; m != nil {
		return m, nil
	}
	return nil, fmt.Errorf("no broker %d; the cluster has %v", id, kafka.SortedKeys(w.brokers))
}

// running finds the machine of a broker whose process runs.
func (w *World) runningBroker(id kafka.BrokerID) (*machine, error) {
	m, err := w.machineOf(id)
	if err == nil && m.server == nil {
		err = fmt.Errorf("broker %d is not running; start it first", id)
	}
	return m, err
}

func brokerNote(kind env.Kind, msg string, id kafka.BrokerID, changes ...env.Change) env.Note {
	return env.Note{Kind: kind, Entity: "broker " + id.String(), Msg: msg, Args: []env.Arg{env.A("broker", env.Int(id))}, Changes: changes}
}

// StartBroker switches a broker on.
func (w *World) StartBroker(id kafka.BrokerID) error {
	if err := w.CanStart(id); err != nil {
		return err
	}
	m := w.brokers[id]
	w.outside(brokerNote(env.Admin, "admin.broker.start", id), func() { w.boot(m) })
	return nil
}

// StopBroker asks a broker to stop, as SIGTERM does: a paused one stops when it goes on.
func (w *World) StopBroker(id kafka.BrokerID) error {
	m, err := w.runningBroker(id)
	if err != nil {
		return err
	}
	p := m.proc
	w.outside(brokerNote(env.Admin, "admin.broker.stop", id), func() {
		at := w.at.fork(p.name)
		p.signal = func() {
			at.after(w.at.last())
			w.on(at, m.server.Stop)
		}
		if !p.paused {
			p.signalled()
		}
	})
	return nil
}

// signalled carries out a signal that waits for the process.
func (p *process) signalled() {
	if f := p.signal; f != nil {
		p.signal = nil
		f()
	}
}

// KillBroker ends a broker's process at once and its session with it (the recorder's `broker kill`).
func (w *World) KillBroker(id kafka.BrokerID) error {
	return w.crash(id, "admin.broker.kill", func(s *session) { s.expire() })
}

// CrashBroker ends a broker's process at once; its session lives on until it expires (kill -9).
func (w *World) CrashBroker(id kafka.BrokerID) error {
	return w.crash(id, "admin.broker.crash", func(*session) {})
}

func (w *World) crash(id kafka.BrokerID, msg string, then func(*session)) error {
	m, err := w.runningBroker(id)
	if err != nil {
		return err
	}
	w.outside(brokerNote(env.Fault, msg, id), func() {
		s := m.proc.session()
		w.halt(m)
		if s != nil {
			then(s)
		}
	})
	return nil
}

// PauseBroker freezes a process (SIGSTOP, or a long garbage collection); its session goes silent.
func (w *World) PauseBroker(id kafka.BrokerID) error {
	if err := w.CanPause(id); err != nil {
		return err
	}
	m := w.brokers[id]
	m.proc.paused = true
	w.outside(brokerNote(env.Fault, "admin.broker.pause", id, env.Set(true, "hold", id.String())), func() {
		if s := m.proc.session(); s != nil && s.server == connected {
			s.mute()
		}
	})
	return nil
}

// ResumeBroker lets a paused process go on.
func (w *World) ResumeBroker(id kafka.BrokerID) error {
	if err := w.CanResume(id); err != nil {
		return err
	}
	m := w.brokers[id]
	m.proc.paused = false
	w.outside(brokerNote(env.Release, "admin.broker.resume", id, env.Unset("hold", id.String())), func() {
		w.unblock()
		if s := m.proc.session(); s != nil {
			s.unmute()
		}
		m.proc.signalled()
	})
	return nil
}

// SetBrokerProps changes server.properties of a broker's next start.
func (w *World) SetBrokerProps(id kafka.BrokerID, props map[string]string) error {
	m, err := w.machineOf(id)
	if err != nil {
		return err
	}
	if m.Props == nil {
		m.Props = map[string]string{}
	}
	for _, k := range kafka.SortedKeys(props) {
		m.Props[k] = props[k]
	}
	w.outside(brokerNote(env.Admin, "admin.broker.config", id), func() {})
	return nil
}

// ExpireSession ends the session that broker id has, as ZooKeeper does when it hears nothing; the process stays. A session
// that a crashed process left behind comes first.
func (w *World) ExpireSession(id kafka.BrokerID) error {
	s := w.leftBehind(id)
	if s == nil {
		var err error
		if s, err = w.sessionOfBroker(id); err != nil {
			return err
		}
	}
	w.outside(brokerNote(env.Fault, "admin.session.expire", id), s.expire)
	return nil
}

// CutSession breaks the network between broker id and ZooKeeper until HealSession.
func (w *World) CutSession(id kafka.BrokerID) error {
	s, err := w.sessionOfBroker(id)
	if err != nil {
		return err
	}
	w.outside(brokerNote(env.Fault, "admin.session.cut", id), func() { s.cutOff("zk.session.cut") })
	return nil
}

// HealSession mends what CutSession broke.
func (w *World) HealSession(id kafka.BrokerID) error {
	s, err := w.sessionOfBroker(id)
	if err != nil {
		return err
	}
	w.outside(brokerNote(env.Fault, "admin.session.heal", id), s.heal)
	return nil
}

func (w *World) sessionOfBroker(id kafka.BrokerID) (*session, error) {
	m, err := w.runningBroker(id)
	if err != nil {
		return nil, err
	}
	if s := m.proc.session(); s != nil && s.id != 0 {
		return s, nil
	}
	return nil, fmt.Errorf("broker %d has no ZooKeeper session yet; run until it has started", id)
}

// LoseReply arms a fault: the next write of path by broker id is applied, but its answer is lost with the connection.
func (w *World) LoseReply(id kafka.BrokerID, path string) error {
	m, err := w.runningBroker(id)
	if err != nil {
		return err
	}
	n := brokerNote(env.Fault, "admin.lose-reply", id)
	n.Args = append(n.Args, env.A("path", path))
	w.outside(n, func() { w.loseOn[m.proc.name] = append(w.loseOn[m.proc.name], path) })
	return nil
}

// SetGuard switches a protection of 2.8.2 off, or on again.
func (w *World) SetGuard(name string, on bool) error {
	if !slices.Contains(env.Guards(), name) {
		return fmt.Errorf("no guard %s; there are %v", name, env.Guards())
	}
	change := env.Unset("guard", name)
	if !on {
		change = env.Set(false, "guard", name)
	}
	w.guards[name] = on
	w.outside(env.Note{Kind: env.Admin, Entity: "guard." + name, Msg: "admin.guard", Changes: []env.Change{change},
		Args: []env.Arg{env.A("name", name), env.A("on", on)}}, func() {})
	return nil
}

// SetFix switches a later fix of a defect of 2.8.2 on, or off again.
func (w *World) SetFix(name string, on bool) error {
	if !slices.Contains(env.Fixes(), name) {
		return fmt.Errorf("no fix is called %s; there are %v", name, env.Fixes())
	}
	change := env.Unset("fix", name)
	if on {
		change = env.Set(true, "fix", name)
	}
	w.fixes[name] = on
	w.outside(env.Note{Kind: env.Admin, Entity: "fix." + name, Msg: "admin.fix", Changes: []env.Change{change},
		Args: []env.Arg{env.A("name", name), env.A("on", on)}}, func() {})
	return nil
}

// Warp lets ms of virtual time pass, at most until stop says so (nil: never). limit bounds its choices; 0 is RunLimit.
// Two steps frame what happens meanwhile: that the time begins to pass, and, unless stop ended it, that it has passed.
func (w *World) Warp(ms int64, limit int, stop func() bool) error {
	if ms < 0 {
		return fmt.Errorf("time cannot go back; to set one broker's clock use skew")
	}
	n := env.Note{Lane: "admin", Kind: env.ClockWarp, Entity: "clock", Msg: "admin.clock", Args: []env.Arg{env.A("ms", ms)}}
	begun := -1
	w.outside(n, func() { begun = w.at.last() })
	if err := w.advance(ms, limit, stop); err != nil || stop != nil && stop() {
		return err
	}
	n.Msg = "clock.passed"
	w.on(&cursor{prev: []int{begun}}, func() { w.note(n) })
	return nil
}

// Skew sets one broker's clock ms off virtual time.
func (w *World) Skew(id kafka.BrokerID, ms int64) error {
	m, err := w.machineOf(id)
	if err != nil {
		return err
	}
	change := env.Unset("clock", id.String())
	if ms != 0 {
		change = env.Set(ms, "clock", id.String())
	}
	n := brokerNote(env.ClockWarp, "admin.skew", id, change)
	n.Args = append(n.Args, env.A("ms", ms))
	m.BrokerSetup.Skew = ms
	if m.proc != nil {
		m.proc.skew = ms
	}
	w.outside(n, func() {})
	return nil
}

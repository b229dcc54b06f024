package kafkaplay

import (
	"controllerscope/core/kafka"
	"controllerscope/core/script"
	"controllerscope/core/sim"
	"controllerscope/core/zk"
)

// Lines that start, end, stop and continue processes.

// kill ends a process and its session.
func (p *player) kill(l *script.Line) error {
	return p.end(brokerOf(l), (*sim.World).KillBroker, p.expireAtOnce)
}

// crash ends a process and leaves its session alone.
func (p *player) crash(l *script.Line) error {
	p.crashed[brokerOf(l)] = true
	return p.end(brokerOf(l), (*sim.World).CrashBroker, func(kafka.BrokerID) error { return nil })
}

// end ends the process of a broker, or does what is left to do when it has ended by itself. The recorder takes a process for
// running until one of its lines ends it.
func (p *player) end(id kafka.BrokerID, running func(*sim.World, kafka.BrokerID) error, ended func(kafka.BrokerID) error) error {
	if !p.launched[id] {
		return refusal{"broker " + id.String() + " does not run"}
	}
	p.touch(id)
	delete(p.launched, id)
	delete(p.paused, id)
	if p.world.Running(id) {
		return running(p.world, id)
	}
	return ended(id)
}

func (p *player) expireAtOnce(id kafka.BrokerID) error {
	delete(p.crashed, id)
	if p.world.ExpireSession(id) != nil {
		return refusal{"session is gone already"}
	}
	return nil
}

// start starts a process and waits until it runs, or has ended by itself.
func (p *player) start(l *script.Line) error { return p.boot(brokerOf(l)) }

func (p *player) boot(id kafka.BrokerID) error {
	if p.launched[id] {
		return refusal{"broker " + id.String() + " runs already"}
	}
	p.listener.process(id.String())
	if err := p.world.StartBroker(id); err != nil {
		return err
	}
	p.guide.run(func() bool { return p.world.Started(id) || !p.world.Running(id) })
	if !p.world.Started(id) {
		return refusal{"process exited"}
	}
	p.launched[id] = true
	return nil
}

// stop sends SIGTERM and waits until the process is gone. Its retries come before anything that does not fit yet.
func (p *player) stop(l *script.Line) error {
	id := brokerOf(l)
	err := p.end(id, (*sim.World).StopBroker, func(kafka.BrokerID) error { return nil })
	if err != nil {
		return err
	}
	ended := func() bool { return !p.world.Running(id) }
	p.guide.runPatiently(stopMS, ended)
	if !p.within(stopMS, ended) {
		return refusal{"the process still runs"}
	}
	return nil
}

func (p *player) pause(l *script.Line) error {
	p.paused[brokerOf(l)] = true
	return p.world.PauseBroker(brokerOf(l))
}

// resume lets a process go on; one whose session ended meanwhile is waited for as after expire.
func (p *player) resume(l *script.Line) error {
	id := brokerOf(l)
	before := p.listener.names.registrations[id]
	if err := p.stoodStill(id); err != nil {
		return err
	}
	if err := p.world.ResumeBroker(id); err != nil {
		return err
	}
	if p.expired[id] {
		p.registersAgain(id, before)
	}
	delete(p.paused, id)
	delete(p.expired, id)
	return nil
}

// stoodStill has the session of a paused process go as it did in the recording. How long the process stood still is not in
// there, but what came of it is: after two thirds of the timeout its client comes back on a new connection, and after all of it
// that is refused.
func (p *player) stoodStill(id kafka.BrokerID) error {
	if p.expired[id] {
		return nil
	}
	switch p.guide.comesBack(id.String()) {
	case zk.OK.Error():
		if err := p.world.CutSession(id); err != nil {
			return err
		}
		return p.world.HealSession(id)
	case zk.SessionExpired.Error():
		p.expired[id] = true
		p.touch(id)
		return p.expireAtOnce(id)
	}
	return nil
}

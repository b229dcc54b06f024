package kafkaplay

import (
	"cmp"
	"fmt"
	"strings"

	"controllerscope/core/kafka"
	"controllerscope/core/request"
	"controllerscope/core/run"
	"controllerscope/core/script"
	"controllerscope/core/sim"
	"controllerscope/core/zk"
)

// refusal is the outcome of a line that the cluster refused: a name of Kafka's or ZooKeeper's error.
type refusal struct{ name string }

func (r refusal) Error() string { return r.name }

// do carries out one line of a recording with the recorder's meaning. The error is a refusal, or says what is wrong
// with the line.
func (p *player) do(text string) error {
	l, err := script.ParseLine("", 1, ours(text))
	if err != nil {
		return fmt.Errorf("this line is not understood: %s", strings.SplitN(err.Error(), "\n", 2)[0])
	}
	if f := lines[l.Verb]; f != nil {
		return f(p, l)
	}
	return fmt.Errorf("%s is no line of the recorder's", l.Verb)
}

func brokerOf(l *script.Line) kafka.BrokerID { return kafka.BrokerID(l.Int("N")) }

// lines are the lines of the recorder (README.md, Line), by verb.
var lines = map[string]func(*player, *script.Line) error{
	"start":                (*player).start,
	"broker start":         (*player).start,
	"broker stop":          (*player).stop,
	"broker bounce":        (*player).bounce,
	"broker kill":          (*player).kill,
	"broker crash":         (*player).crash,
	"broker pause":         (*player).pause,
	"broker resume":        (*player).resume,
	"zk expire":            (*player).expire,
	"broker config":        (*player).config,
	"topic create":         (*player).ask,
	"topic delete":         (*player).deleteTopics,
	"topic add-partitions": (*player).addPartitions,
	"reassign":             (*player).ask,
	"reassign cancel":      (*player).ask,
	"elect preferred":      (*player).ask,
	"elect unclean":        (*player).ask,
	"config set":           (*player).ask,
	"config delete":        (*player).ask,
	"alterisr":             (*player).ask,
	"request shutdown":     (*player).ask,
	"logdir block":         (*player).block,
	"logdir unblock":       (*player).block,
	"zk create":            (*player).zkCreate,
	"zk create-seq":        (*player).zkCreate,
	"zk set":               (*player).zkSet,
	"zk delete":            (*player).zkDelete,
	"zk lose-reply":        (*player).loseReply,
	"wait":                 (*player).wait,
	"produce":              (*player).produce,
}

// bounce restarts a broker while the controller's process is stopped.
func (p *player) bounce(l *script.Line) error {
	id, controller := brokerOf(l), p.world.ControllerInOffice()
	if controller == kafka.NoBroker || controller == id {
		return refusal{"bounce needs another broker as controller"}
	}
	p.touch(id)
	delete(p.launched, id)
	for _, f := range []func() error{
		func() error { return p.world.PauseBroker(controller) },
		func() error { return p.world.KillBroker(id) },
		func() error { return p.boot(id) },
	} {
		if err := f(); err != nil {
			return err
		}
	}
	p.guide.runPatiently(quietMS, func() bool { return false })
	return p.world.ResumeBroker(controller)
}

func (p *player) config(l *script.Line) error {
	props := map[string]string{}
	for _, o := range l.Options {
		props[o.Key] = o.Value
	}
	return p.world.SetBrokerProps(brokerOf(l), props)
}

// ask sends what a line asks for to the controller, or to the broker that it is for, and waits for the answer.
func (p *player) ask(l *script.Line) error {
	a, _, err := run.Asked(p.world, l)
	if err != nil {
		return err
	}
	var out *sim.Outcome
	if a.To == kafka.NoBroker {
		out = p.world.Ask(a.Request, a.Entity)
	} else {
		out = p.world.AskBroker(a.To, a.Request, a.Entity)
	}
	if err := p.await(out); err != nil {
		return err
	}
	if r, ok := out.Answer.(request.AlterIsrResponse); ok {
		for _, x := range r.Partitions {
			if x.Error != kafka.NONE {
				return refusal{x.Error.Error()}
			}
		}
	}
	return nil
}

// addPartitions looks up how many partitions there are first, as the recorder does, which gives up without the topic.
func (p *player) addPartitions(l *script.Line) error {
	if p.tap.look(zk.Op{Kind: zk.Exists, Path: "/brokers/topics/" + l.Text("T")}).Err != zk.OK {
		return refusal{"zk: node does not exist"}
	}
	return p.ask(l)
}

// deleteTopics does not wait until the topics are gone: the recorder asks with a timeout of 1 ms.
func (p *player) deleteTopics(l *script.Line) error {
	a, _, err := run.Asked(p.world, l)
	if err != nil {
		return err
	}
	r, _ := a.Request.(request.DeleteTopics)
	r.TimeoutMS = 1
	out := p.world.Ask(r, a.Entity)
	p.guide.run(func() bool { return out.Done || p.answerDue() != nil })
	for c := p.answerDue(); c != nil && !out.Done; c = p.answerDue() {
		p.guide.take(c)
	}
	err = p.await(out)
	if err == (refusal{kafka.REQUEST_TIMED_OUT.Error()}) {
		return nil
	}
	return err
}

// answerDue is what a request that only waits for its timeout needs next, until its answer has come: 1 ms is less than what
// it waits for takes, and what happens after the answer belongs to the next line.
func (p *player) answerDue() *sim.Choice {
	for _, c := range p.world.Choices() {
		switch {
		case c.Kind == sim.TimerFire && c.What == "request-timeout",
			c.Kind == sim.ThreadWake && c.What == "metadata",
			c.Kind == sim.ControlAnswer && strings.HasPrefix(c.Process(), "admin"):
			return c
		}
	}
	return nil
}

func (p *player) block(l *script.Line) error {
	return p.world.BlockLog(brokerOf(l), int(l.Int("DIR")), l.Text("NAME"), l.Verb == "logdir block")
}

// How long the recorder waits, in ms, before it goes on: its clients for an answer (the request itself asks for less, see
// baseSettings), for a process that ends cleanly, for a registration in a new session.
const (
	clientMS   = 10_000
	stopMS     = 60_000
	registerMS = 10_000
)

// within goes on until done says so, first only with what would happen in the quiet that ends a step, then with what a wait
// of ms allows; it reports whether that came.
func (p *player) within(ms int64, done func() bool) bool {
	for _, p.guide.window = range []int64{quietMS, ms} {
		p.guide.run(done)
	}
	p.guide.window = quietMS
	return done()
}

// expire ends a session. A process that lives on comes back with a new one, and the recorder waits for that.
func (p *player) expire(l *script.Line) error {
	id := brokerOf(l)
	p.touch(id)
	before := p.listener.names.registrations[id]
	if err := p.expireAtOnce(id); err != nil {
		return err
	}
	switch {
	case p.paused[id]:
		p.expired[id] = true
	case p.world.Running(id):
		p.registersAgain(id, before)
	}
	return nil
}

func (p *player) registersAgain(id kafka.BrokerID, before int) {
	p.within(registerMS, func() bool { return p.listener.names.registrations[id] > before || !p.world.Running(id) })
}

// await goes on until an operation of the operator is done.
func (p *player) await(out *sim.Outcome) error {
	p.within(clientMS, func() bool { return out.Done })
	switch {
	case !out.Done:
		return refusal{"no answer in 10 s"} // the recorder's words, clientMS
	case out.Error != "":
		return refusal{cmp.Or(recorderSays[out.Error], out.Error)}
	}
	return nil
}

// recorderSays is what the recorder's client says where ours has words of its own.
var recorderSays = map[string]string{
	sim.ErrConnection.Error():   "client: dial tcp 127.0.0.1", // nobody listens
	sim.ErrNoController.Error(): "no controller",
}

func (p *player) zk(op zk.Op) error { return p.await(p.world.Zk(op)) }

func (p *player) zkCreate(l *script.Line) error {
	op := zk.Op{Kind: zk.Create, Path: l.Text("PATH"), Data: p.raw(l)}
	if l.Verb == "zk create-seq" {
		op.Mode = zk.PersistentSequential
	}
	return p.zk(op)
}

func (p *player) zkSet(l *script.Line) error {
	return p.zk(zk.Op{Kind: zk.Set, Path: l.Text("PATH"), Data: p.raw(l), Version: zk.AnyVersion})
}

func (p *player) zkDelete(l *script.Line) error {
	return p.zk(zk.Op{Kind: zk.Delete, Path: l.Text("PATH"), Version: zk.AnyVersion})
}

// raw is the data of a zk line; without any it is null.
func (p *player) raw(l *script.Line) []byte {
	a, ok := l.Arg("DATA")
	if !ok {
		return nil
	}
	return []byte(a.Text)
}

func (p *player) loseReply(l *script.Line) error {
	return p.world.LoseReply(brokerOf(l), l.Text("PATH"))
}

// produce appends records to the leader's log. Followers do not fetch here: what follows from it for the ISR stands in the
// recording.
func (p *player) produce(l *script.Line) error {
	tp, _ := l.Arg("T-P")
	n := int64(1)
	if a, ok := l.Arg("COUNT"); ok {
		n = a.Int
	}
	to := kafka.TopicPartition{Topic: tp.Topic, Partition: int32(tp.Int)}
	if code := p.world.Produce(to, n); code != kafka.NONE {
		return refusal{code.Error()}
	}
	return nil
}

// wait lets time pass.
func (p *player) wait(l *script.Line) error {
	until := p.world.Now() + l.Int("TIME")
	for p.world.Now() < until {
		p.guide.run(func() bool { return p.world.Now() >= until })
		if err := p.world.Advance(min(quietMS, until-p.world.Now())); err != nil {
			return err
		}
	}
	return nil
}

package kafkaplay

import (
	"fmt"
	"strings"

	"controllerscope/core/kafka"
	"controllerscope/core/request"
	"controllerscope/core/script"
	"controllerscope/core/sim"
	"controllerscope/core/zk"
)

// needs says that a line asks for something that is not built yet.
type needs struct{ what string }

func (n needs) Error() string { return "needs " + n.what }

// refusal is the outcome of a line that the cluster refused: a name of Kafka's or ZooKeeper's error.
type refusal struct{ name string }

func (r refusal) Error() string { return r.name }

// do carries out one line of a recording with the recorder's meaning. The error is a refusal, needs, or says what is wrong
// with the line.
func (p *player) do(text string) error {
	l, err := script.ParseLine("", 1, text)
	if err != nil {
		return fmt.Errorf("this line is not understood: %s", strings.SplitN(err.Error(), "\n", 2)[0])
	}
	if f := lines[l.Verb]; f != nil {
		return f(p, l)
	}
	return needs{l.Verb}
}

func brokerOf(l *script.Line) kafka.BrokerID { return kafka.BrokerID(l.Int("N")) }

// lines are the lines of the recorder (README.md, Line), by verb.
var lines = map[string]func(*player, *script.Line) error{
	"start":                (*player).start,
	"broker start":         (*player).start,
	"broker stop":          (*player).stop,
	"broker bounce":        (*player).bounce,
	"broker kill":          onBroker((*sim.World).KillBroker),
	"broker crash":         onBroker((*sim.World).CrashBroker),
	"broker pause":         onBroker((*sim.World).PauseBroker),
	"broker resume":        onBroker((*sim.World).ResumeBroker),
	"zk expire":            onBroker((*sim.World).ExpireSession),
	"broker config":        (*player).config,
	"topic create":         (*player).createTopic,
	"topic delete":         (*player).deleteTopics,
	"zk create":            (*player).zkCreate,
	"zk create-seq":        (*player).zkCreate,
	"zk set":               (*player).zkSet,
	"zk delete":            (*player).zkDelete,
	"zk lose-reply":        (*player).loseReply,
	"alterisr":             (*player).alterIsr,
	"wait":                 (*player).wait,
	"produce":              (*player).produce,
	"topic add-partitions": (*player).addPartitions,
}

func onBroker(f func(*sim.World, kafka.BrokerID) error) func(*player, *script.Line) error {
	return func(p *player, l *script.Line) error {
		p.touch(brokerOf(l))
		return f(p.world, brokerOf(l))
	}
}

// start starts a process and waits until it runs, or has ended by itself.
func (p *player) start(l *script.Line) error { return p.boot(brokerOf(l)) }

func (p *player) boot(id kafka.BrokerID) error {
	p.listener.process(id.String())
	if err := p.world.StartBroker(id); err != nil {
		return err
	}
	p.guide.run(func() bool { return p.world.Started(id) || !p.world.Running(id) })
	if !p.world.Started(id) {
		return refusal{"process exited"}
	}
	return nil
}

// stop sends SIGTERM and waits until the process is gone.
func (p *player) stop(l *script.Line) error {
	id := brokerOf(l)
	p.touch(id)
	if err := p.world.StopBroker(id); err != nil {
		return err
	}
	p.guide.run(func() bool { return !p.world.Running(id) })
	if p.world.Running(id) {
		return needs{"controlled shutdown"}
	}
	return nil
}

// bounce restarts a broker while the controller's process is stopped.
func (p *player) bounce(l *script.Line) error {
	id, controller := brokerOf(l), p.world.ControllerInOffice()
	if controller == kafka.NoBroker || controller == id {
		return refusal{"bounce needs another broker as controller"}
	}
	p.touch(id)
	for _, f := range []func() error{
		func() error { return p.world.PauseBroker(controller) },
		func() error { return p.world.KillBroker(id) },
		func() error { return p.boot(id) },
	} {
		if err := f(); err != nil {
			return err
		}
	}
	p.guide.runPatiently()
	return p.world.ResumeBroker(controller)
}

func (p *player) config(l *script.Line) error {
	props := map[string]string{}
	for _, o := range l.Options {
		props[o.Key] = o.Value
	}
	return p.world.SetBrokerProps(brokerOf(l), props)
}

// assignment reads PxR or lists of replicas.
func (p *player) assignment(l *script.Line, name string) [][]kafka.BrokerID {
	var out [][]kafka.BrokerID
	for _, a := range l.All(name) {
		if a.Kind == script.Shape {
			out = append(out, p.world.Spread(int(a.Ints[0]), int(a.Ints[1]))...)
			continue
		}
		out = append(out, brokers(a.Ints))
	}
	return out
}

func brokers(ints []int64) []kafka.BrokerID {
	out := make([]kafka.BrokerID, len(ints))
	for i, id := range ints {
		out[i] = kafka.BrokerID(id)
	}
	return out
}

func (p *player) createTopic(l *script.Line) error {
	t := request.NewTopic{Name: l.Text("T"), Assignment: p.assignment(l, "PxR|[ids]")}
	for _, o := range l.Options {
		t.Config = append(t.Config, request.ConfigEntry{Key: o.Key, Value: o.Value})
	}
	return p.ask(request.CreateTopics{Topics: []request.NewTopic{t}}, t.Name)
}

func (p *player) deleteTopics(l *script.Line) error {
	var r request.DeleteTopics
	for _, a := range l.All("T") {
		r.Topics = append(r.Topics, a.Text)
	}
	err := p.ask(r, strings.Join(r.Topics, " "))
	if err == (refusal{kafka.REQUEST_TIMED_OUT.Error()}) {
		return nil // the recorder asks with a timeout of 1 ms
	}
	return err
}

func (p *player) addPartitions(l *script.Line) error {
	topic := l.Text("T")
	added := p.assignment(l, "[ids]")
	r := p.tap.look(zk.Op{Kind: zk.Get, Path: "/brokers/topics/" + topic})
	if r.Err != zk.OK {
		return refusal{r.Err.Error()}
	}
	data, _ := p.listener.names.data("", r.Data).(map[string]any)
	existing, _ := data["partitions"].(map[string]any)
	return p.ask(request.CreatePartitions{Topics: []request.NewPartitions{{Name: topic, Count: int32(len(existing) + len(added)), Assignment: added}}}, topic)
}

// ask sends an API request to the controller and waits for its answer.
func (p *player) ask(r request.Request, entity string) error {
	return p.await(p.world.Ask(r, entity), r.Kind())
}

// clientMS is how long the recorder's clients wait for an answer; the request itself asks for less (see baseSettings).
const clientMS = 10_000

// await goes on until an operation of the operator is done.
func (p *player) await(out *sim.Outcome, what string) error {
	for _, p.guide.window = range []int64{quietMS, clientMS} {
		p.guide.run(func() bool { return out.Done })
	}
	p.guide.window = quietMS
	switch {
	case !out.Done:
		return needs{what}
	case out.Error != "":
		return refusal{out.Error}
	}
	return nil
}

func (p *player) zk(op zk.Op) error { return p.await(p.world.Zk(op), "an answer of ZooKeeper") }

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

// alterIsr sends AlterIsr in the name of a broker, with its present epoch or the one the line names.
func (p *player) alterIsr(l *script.Line) error {
	from := kafka.BrokerID(l.Int("FROM"))
	epoch, err := p.world.RegistrationEpoch(from)
	if err != nil {
		return err
	}
	if named := l.Text("Ei.n"); named != "" {
		for zxid, name := range p.listener.names.epochs {
			if name == named {
				epoch = zxid
			}
		}
	}
	isr, _ := l.Arg("[isr]")
	tp, _ := l.Arg("T-P")
	out := p.world.AskBroker(kafka.BrokerID(l.Int("TO")), request.AlterIsr{BrokerID: from, BrokerEpoch: epoch,
		Partitions: []request.AlterIsrPartition{{TopicPartition: kafka.TopicPartition{Topic: tp.Topic, Partition: int32(tp.Int)},
			LeaderEpoch: int32(l.Int("LEADER-EPOCH")), ISR: brokers(isr.Ints), ZkVersion: int32(l.Int("ZK-VERSION"))}}}, tp.Text)
	err = p.await(out, "AlterIsr")
	if r, ok := out.Answer.(request.AlterIsrResponse); ok && err == nil {
		for _, x := range r.Partitions {
			if x.Error != kafka.NONE {
				return refusal{x.Error.Error()}
			}
		}
	}
	return err
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

package kafkaplay

import (
	"fmt"
	"maps"
	"slices"

	"controllerscope/core/env"
	"controllerscope/core/kafka"
	"controllerscope/core/sim"
	"controllerscope/core/trace"
	"controllerscope/core/zk"
)

// baseSettings are those of every recorded broker (FORMAT.md, Base settings). The last three are ours: the recorder's
// clients ask with a timeout of 8 s, the ISR changes of real leaders are taken from the recording, and hash maps have
// Scala's order.
var baseSettings = map[string]string{
	"auto.leader.rebalance.enable": "false", "zookeeper.session.timeout.ms": "60000", "replica.fetch.backoff.ms": "100",
	"log.cleaner.enable": "false", "num.network.threads": "2", "num.io.threads": "3", "background.threads": "3",
	"num.recovery.threads.per.data.dir": "1", "offsets.topic.replication.factor": "1", "transaction.state.log.replication.factor": "1",
	"transaction.state.log.min.isr": "1", "request.timeout.ms": "8000", "scope.alterisr.auto": "false", "scope.order": "scala",
}

// Part is one of the things that are compared.
type Part string

const (
	Znodes      Part = "znodes"
	Transitions Part = "transitions"
	Requests    Part = "requests"
	Zk          Part = "zk"
	Gauges      Part = "gauges"
)

// Parts lists them all.
func Parts() []Part { return []Part{Znodes, Transitions, Requests, Zk, Gauges} }

// Options of a replay.
type Options struct {
	Only  []Part // what is compared besides the result; nil is everything
	Sides bool   // failed steps get their Sides
	exact bool   // the gauge that drifts is compared too
	order bool   // requests of the main lane that were in flight together are compared in their order
}

func (o Options) has(p Part) bool { return len(o.Only) == 0 || slices.Contains(o.Only, p) }

// Failure is one difference between the recorded step and ours.
type Failure struct {
	Recording string `json:"recording"`
	Step      int    `json:"step"` // from 1
	Do        string `json:"do"`
	Path      string `json:"path"`
	Want      string `json:"want"`
	Got       string `json:"got"`
}

func (f Failure) String() string {
	return fmt.Sprintf("%s step %d (%s): %s: want %s, got %s", f.Recording, f.Step, f.Do, f.Path, f.Want, f.Got)
}

// StepReport is the outcome of one step.
type StepReport struct {
	Do       string    `json:"do"`
	Failures []Failure `json:"failures,omitempty"`
	Sides    *Sides    `json:"-"` // of a settled step that failed
}

// Report is the outcome of one recording.
type Report struct {
	Recording string       `json:"recording"`
	Steps     []StepReport `json:"steps"`
}

// Passed and Failed count steps.
func (r Report) Passed() int { return len(r.Steps) - r.Failed() }
func (r Report) Failed() (n int) {
	for _, s := range r.Steps {
		if len(s.Failures) > 0 {
			n++
		}
	}
	return n
}

// player plays one recording.
type player struct {
	rec      *Recording
	opts     Options
	tap      *tap
	world    *sim.World
	recorder *trace.Recorder
	listener *listener
	guide    *guide
	before   map[string]znode
	gone     map[string]bool         // names of the broker epochs that ended in the step
	launched map[kafka.BrokerID]bool // processes that no line has ended
	paused   map[kafka.BrokerID]bool // processes that stand still
	expired  map[kafka.BrokerID]bool // those of them whose session ended meanwhile
	crashed  map[kafka.BrokerID]bool // processes that ended and left their session behind
	drifting bool                    // two topics were being deleted: one gauge is free from then on
}

// Play replays a recording. The error says that the world itself failed.
func Play(rec *Recording, opts Options) (Report, error) {
	s := &search{rec: rec, opts: opts, hints: map[int]hints{}, hopeless: map[int]bool{}}
	return s.play()
}

// playTo plays the recording up to and with the step last, from 0, in a new world.
func playTo(rec *Recording, opts Options, h map[int]hints, last int) (Report, []trail, error) {
	report := Report{Recording: rec.Name, Steps: []StepReport{}}
	p, err := newPlayer(rec, opts)
	if err != nil {
		return report, nil, err
	}
	defer p.world.Close()
	var trails []trail
	for from := 0; from <= last; {
		to := from
		for to < len(rec.Steps)-1 && !rec.Steps[to].settled() {
			to++
		}
		p.guide.hints = h[to]
		p.world.LateThreads(h[to].late)
		reports, err := p.steps(from, to)
		if err != nil {
			return report, nil, err
		}
		for range reports {
			trails = append(trails, p.guide.trail)
		}
		report.Steps = append(report.Steps, reports...)
		from = to + 1
	}
	return report, trails, nil
}

func newPlayer(rec *Recording, opts Options) (*player, error) {
	setup := sim.Setup{Props: maps.Clone(baseSettings)}
	maps.Copy(setup.Props, rec.Cluster.Config)
	for _, b := range rec.Cluster.Brokers {
		skew, _ := b.skew() // check has read it
		setup.Brokers = append(setup.Brokers, sim.BrokerSetup{ID: b.ID, Rack: b.Rack, Props: maps.Clone(b.Config), LogDirs: b.LogDirs, Skew: skew.Milliseconds()})
	}
	t, err := newTap()
	if err != nil {
		return nil, err
	}
	p := &player{rec: rec, opts: opts, tap: t, before: map[string]znode{}, launched: map[kafka.BrokerID]bool{}, paused: map[kafka.BrokerID]bool{}, expired: map[kafka.BrokerID]bool{}, crashed: map[kafka.BrokerID]bool{}}
	p.recorder = trace.NewRecorder()
	p.recorder.Sink = p.step
	p.world = sim.New(sim.Config{Setup: setup, Seed: 1, Store: t, Recorder: p.recorder})
	p.listener = newListener(t, p.world)
	p.guide = &guide{world: p.world, tap: t, listener: p.listener, doc: p.recorder.Doc(), launched: p.launched, silent: map[string]int64{}}
	p.listener.each, p.listener.back = p.guide.match, p.guide.answered
	return p, nil
}

// step takes from the trace what the store and the network do not see.
func (p *player) step(s *trace.Step) {
	text := func(name string) string { v, _ := s.Arg(name).(string); return v }
	switch {
	case s.Kind == env.SmMove:
		p.listener.moved(s.Lane, s.Entity, text("from"), text("to"), false)
	case s.Kind == env.SmRefuse && (s.Msg == "psm.invalid" || s.Msg == "psm.failed" || s.Msg == "psm.noLiveReplica" ||
		s.Msg == "rsm.invalid" || s.Msg == "rsm.failed"):
		p.listener.moved(s.Lane, s.Entity, text("from"), text("to"), true)
	case s.Msg == "zk.session.learn":
		p.listener.learned(text("client"))
	}
}

// touch remembers that a broker's process or session ends or stands still in this step.
func (p *player) touch(id kafka.BrokerID) {
	p.gone[p.listener.names.current[id]] = true
}

// over are the brokers whose processes ended by themselves.
func (p *player) over() (out []kafka.BrokerID) {
	for _, id := range kafka.SortedKeys(p.launched) {
		if !p.world.Running(id) {
			out = append(out, id)
		}
	}
	return out
}

// steps plays the lines from..to, of which only the last one was waited for, and compares what they came to.
func (p *player) steps(from, to int) ([]StepReport, error) {
	last := &p.rec.Steps[to]
	p.gone = map[string]bool{}
	p.listener.begin()
	p.guide.expect(last)
	over := p.over()
	var reports []StepReport
	for i := from; i <= to; i++ {
		s := &p.rec.Steps[i]
		p.guide.before(i)
		err := p.do(s.Do)
		c := comparison{player: p, number: i + 1, step: s}
		c.result(err)
		reports = append(reports, StepReport{Do: s.Do, Failures: c.failures})
	}
	p.guide.settle()
	if err := p.world.Err(); err != nil {
		return nil, err
	}
	for _, id := range p.over() {
		if !slices.Contains(over, id) {
			p.touch(id)
		}
	}
	p.listener.catchUp()
	now := p.tap.snapshot()
	c := comparison{player: p, number: to + 1, step: last}
	c.all(now)
	end := &reports[len(reports)-1]
	end.Failures = append(end.Failures, c.failures...)
	if len(end.Failures) > 0 && p.opts.Sides {
		end.Sides = c.sides(now)
	}
	p.before = now
	return reports, nil
}

// controller reads /controller and /controller_epoch, -1 where they are not there.
func (p *player) controller() (id kafka.BrokerID, epoch int) {
	id, epoch = kafka.NoBroker, -1
	if r := p.tap.look(zk.Op{Kind: zk.Get, Path: "/controller"}); r.Err == zk.OK {
		if o, ok := p.listener.names.data("", r.Data).(map[string]any); ok {
			id = kafka.BrokerID(object(o).number("brokerid"))
		}
	}
	if r := p.tap.look(zk.Op{Kind: zk.Get, Path: "/controller_epoch"}); r.Err == zk.OK {
		fmt.Sscanf(string(r.Data), "%d", &epoch)
	}
	return id, epoch
}

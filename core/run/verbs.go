package run

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"controllerscope/core/kafka"
	"controllerscope/core/script"
	"controllerscope/core/sim"
	"controllerscope/core/zk"
	"controllerscope/core/zkdata"
)

// verb carries out one operation.
type verb func(r *Run, l *script.Line) error

// verbs is the verb table: what package script can parse and this package can carry out.
var verbs map[string]verb

func init() {
	verbs = map[string]verb{
		"cluster":       (*Run).doCluster,
		"broker start":  onBroker((*sim.World).StartBroker),
		"start":         onBroker((*sim.World).StartBroker),
		"broker stop":   onBroker((*sim.World).StopBroker),
		"broker kill":   onBroker((*sim.World).KillBroker),
		"broker crash":  onBroker((*sim.World).CrashBroker),
		"broker bounce": (*Run).bounce,
		"broker pause":  onBroker((*sim.World).PauseBroker),
		"broker resume": onBroker((*sim.World).ResumeBroker),
		"broker config": func(r *Run, l *script.Line) error {
			return r.world.SetBrokerProps(brokerOf(l), options(l))
		},
		"lag":            onLag(true),
		"catch-up":       onLag(false),
		"logdir block":   onBlock(true),
		"logdir unblock": onBlock(false),
		"logdir fail": func(r *Run, l *script.Line) error {
			return r.world.FailLogDir(brokerOf(l), int(l.Int("DIR")))
		},
		"kafka-reassign-partitions": (*Run).reassignTool,
		"notice write": func(r *Run, l *script.Line) error {
			r.world.Zk(zk.Op{Kind: zk.Create, Path: zkdata.ConfigChangeSequencePath, Mode: zk.PersistentSequential, Data: []byte(l.Text("JSON"))})
			return nil
		},
		"zk get":    onNode(zk.Get),
		"zk set":    onNode(zk.Set),
		"zk create": onNode(zk.Create),
		"zk create-seq": func(r *Run, l *script.Line) error {
			op := nodeOp(zk.Create, l)
			op.Mode = zk.PersistentSequential
			r.world.Zk(op)
			return nil
		},
		"zk create-container": func(r *Run, l *script.Line) error {
			if _, can := r.opts.Store.(zk.ContainerChecker); !can {
				return errors.New("a container needs the emulator: a real ZooKeeper removes it when its own clock says so, not the world's")
			}
			op := nodeOp(zk.Create, l)
			op.Mode = zk.Container
			r.world.Zk(op)
			return nil
		},
		"zk delete":   onNode(zk.Delete),
		"zk expire":   onBroker((*sim.World).ExpireSession),
		"zk cut":      onBroker((*sim.World).CutSession),
		"zk heal":     onBroker((*sim.World).HealSession),
		"zk sync":     onNode(zk.Sync),
		"zk lag":      onServer((*sim.World).LagServer),
		"zk catch-up": onServer((*sim.World).CatchUpServer),
		"zk move": func(r *Run, l *script.Line) error {
			return r.world.MoveClient(l.Text("CLIENT"), int(l.Int("SERVER")))
		},
		"zk lose-quorum":   func(r *Run, _ *script.Line) error { return r.world.LoseQuorum() },
		"zk regain-quorum": func(r *Run, _ *script.Line) error { return r.world.RegainQuorum() },
		"zk lose-reply": func(r *Run, l *script.Line) error {
			return r.world.LoseReply(brokerOf(l), l.Text("PATH"))
		},
		"hold":    onWord("N[.THREAD]", (*sim.World).Hold),
		"release": onWord("N[.THREAD]", (*sim.World).Release),
		"deliver": onWord("ID", (*sim.World).Deliver),
		"drop":    onWord("ID", (*sim.World).DropChoice),
		"delay": func(r *Run, l *script.Line) error {
			return r.world.DelayChoice(l.Text("ID"), l.Int("TIME"))
		},
		"duplicate":  onWord("ID", (*sim.World).DuplicateChoice),
		"clock":      (*Run).warp,
		"wait":       (*Run).warp,
		"skew":       func(r *Run, l *script.Line) error { return r.world.Skew(brokerOf(l), l.Int("TIME")) },
		"until idle": (*Run).toIdle,
		"run":        (*Run).toIdle,
		"until":      (*Run).doUntil,
		"expect":     (*Run).doExpect,
		"never":      (*Run).doNever,
		"guard": func(r *Run, l *script.Line) error {
			return r.world.SetGuard(l.Text("NAME"), l.Int("on|off") == 1)
		},
		"order": (*Run).order,
		"fix": func(r *Run, l *script.Line) error {
			return r.world.SetFix(l.Text("NAME"), l.Int("on|off") == 1)
		},
	}
	for name := range askings {
		verbs[name] = (*Run).ask
	}
	for name, do := range clientVerbs {
		verbs[name] = do
	}
}

func verbNames() string { return strings.Join(kafka.SortedKeys(verbs), ", ") }

func brokerOf(l *script.Line) kafka.BrokerID { return kafka.BrokerID(l.Int("N")) }

func onBroker(f func(*sim.World, kafka.BrokerID) error) verb {
	return func(r *Run, l *script.Line) error { return f(r.world, brokerOf(l)) }
}

func onWord(slot string, f func(*sim.World, string) error) verb {
	return func(r *Run, l *script.Line) error { return f(r.world, l.Text(slot)) }
}

func onServer(f func(*sim.World, int) error) verb {
	return func(r *Run, l *script.Line) error { return f(r.world, int(l.Int("SERVER"))) }
}

func onNode(kind zk.Kind) verb {
	return func(r *Run, l *script.Line) error {
		r.world.Zk(nodeOp(kind, l))
		return nil
	}
}

// nodeOp is the operator's request on one znode.
func nodeOp(kind zk.Kind, l *script.Line) zk.Op {
	op := zk.Op{Kind: kind, Path: l.Text("PATH"), Version: zk.AnyVersion}
	if data, ok := l.Arg("DATA"); ok {
		op.Data = []byte(data.Text)
	}
	return op
}

func options(l *script.Line) map[string]string {
	out := map[string]string{}
	for _, o := range l.Options {
		out[o.Key] = o.Value
	}
	return out
}

// maxLogDirs is how many log directories a broker may have: more than any lesson needs, few enough to draw.
const maxLogDirs = 100

// doCluster makes the world: brokers=0,1,2 racks=r1,r2,r3 logdirs=1,2,1, everything else is server.properties of all brokers.
func (r *Run) doCluster(l *script.Line) error {
	if r.world != nil {
		return errors.New("the cluster is there already; cluster is the first operation of a script")
	}
	setup := sim.Setup{Props: map[string]string{}}
	var racks, dirs []string
	for _, o := range l.Options {
		switch o.Key {
		case "brokers":
			if o.Value == "none" {
				setup.Brokers = []sim.BrokerSetup{}
				continue
			}
			for _, word := range strings.Split(o.Value, ",") {
				id, err := strconv.ParseInt(word, 10, 32)
				if err != nil || id < 0 {
					return fmt.Errorf("%q is not a broker id; write brokers=0,1,2", word)
				}
				setup.Brokers = append(setup.Brokers, sim.BrokerSetup{ID: kafka.BrokerID(id)})
			}
		case "servers":
			if err := r.ensemble(o.Value); err != nil {
				return err
			}
		case "racks":
			racks = strings.Split(o.Value, ",")
		case "logdirs":
			dirs = strings.Split(o.Value, ",")
		default:
			setup.Props[o.Key] = o.Value
		}
	}
	if len(racks) > 0 && len(racks) != len(setup.Brokers) {
		return fmt.Errorf("%d racks for %d brokers; give one rack per broker", len(racks), len(setup.Brokers))
	}
	for i := range racks {
		setup.Brokers[i].Rack = racks[i]
	}
	if len(dirs) > 0 && len(dirs) != len(setup.Brokers) {
		return fmt.Errorf("%d numbers of log directories for %d brokers; give one per broker", len(dirs), len(setup.Brokers))
	}
	for i, word := range dirs {
		n, err := strconv.Atoi(word)
		if err != nil || n < 1 || n > maxLogDirs {
			return fmt.Errorf("%q is not a number of log directories from 1 to %d; write logdirs=1,2,1", word, maxLogDirs)
		}
		setup.Brokers[i].LogDirs = n
	}
	return r.cluster(setup)
}

// cluster makes the world; where nothing is said of brokers they are 0, 1, 2.
func (r *Run) cluster(setup sim.Setup) error {
	if setup.Brokers == nil {
		setup.Brokers = []sim.BrokerSetup{{ID: 0}, {ID: 1}, {ID: 2}}
	}
	seen := map[kafka.BrokerID]bool{}
	for _, b := range setup.Brokers {
		if seen[b.ID] {
			return fmt.Errorf("broker %d is listed twice", b.ID)
		}
		seen[b.ID] = true
	}
	setup.Orphans = r.orphans
	r.world = sim.New(sim.Config{Setup: setup, Seed: r.in.Seed, Store: r.opts.Store, Recorder: r.recorder})
	if r.recorder != nil {
		r.project()
	}
	return nil
}

// bounce restarts a broker behind the controller's back: the controller's process is paused meanwhile, as the recorder
// of real clusters does it.
func (r *Run) bounce(l *script.Line) error {
	id := brokerOf(l)
	controller := r.world.ControllerInOffice()
	if err := r.canBounce(id); err != nil {
		return err
	}
	op := &r.done[len(r.done)-1]
	op.behind = controller
	steps := []func() error{
		func() error { return r.world.PauseBroker(controller) },
		func() error { return r.world.KillBroker(id) },
		func() error { return r.world.StartBroker(id) },
		func() error { return r.rest(func() bool { return r.world.Started(id) || !r.world.Running(id) }) },
		func() error {
			op.resume = r.Steps()
			return r.world.ResumeBroker(controller)
		},
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

func onLag(on bool) verb {
	return func(r *Run, l *script.Line) error {
		a, _ := l.Arg("T-P")
		return r.world.Lag(brokerOf(l), partitionOf(a), on)
	}
}

func onBlock(on bool) verb {
	return func(r *Run, l *script.Line) error {
		return r.world.BlockLog(brokerOf(l), int(l.Int("DIR")), l.Text("NAME"), on)
	}
}

// order sets scope.order of all brokers, for their next start.
func (r *Run) order(l *script.Line) error {
	name := l.Text("sorted|scala")
	if _, err := kafka.ParseOrder(name); err != nil {
		return err
	}
	for _, id := range r.world.Brokers() {
		if err := r.world.SetBrokerProps(id, map[string]string{"scope.order": name}); err != nil {
			return err
		}
	}
	return nil
}

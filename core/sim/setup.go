package sim

import (
	"cmp"

	"controllerscope/core/broker"
	"controllerscope/core/env"
	"controllerscope/core/kafka"
	"controllerscope/core/server"
	"controllerscope/core/zk"
)

// Setup is the cluster a world is made for: its machines, switched off.
type Setup struct {
	Brokers []BrokerSetup     `json:"brokers"`
	Props   map[string]string `json:"props,omitempty"` // server.properties of all brokers
	Orphans []Orphan          `json:"orphans,omitempty"`
}

// BrokerSetup is one machine.
type BrokerSetup struct {
	ID      kafka.BrokerID    `json:"id"`
	Rack    string            `json:"rack,omitempty"`
	Props   map[string]string `json:"props,omitempty"`   // on top of Setup.Props
	Skew    int64             `json:"skew,omitempty"`    // its clock minus virtual time, in ms
	LogDirs int               `json:"logDirs,omitempty"` // 0 is one
}

// machine is a broker's computer: what survives its process.
type machine struct {
	BrokerSetup
	disk   *broker.Disk
	server *server.Server // of the running process, nil when none runs
	proc   *process
	exit   string  // why its last process ended by itself
	epochs []int64 // broker epochs of its registrations, in order
}

func newMachine(b BrokerSetup) *machine {
	return &machine{BrokerSetup: b, disk: broker.NewDisk(max(1, b.LogDirs))}
}

// endpoint is the address that broker id advertises in the world.
func endpoint(id kafka.BrokerID) kafka.Endpoint {
	return kafka.Endpoint{Listener: "PLAINTEXT", Protocol: "PLAINTEXT", Host: "broker" + id.String(), Port: 9092}
}

// props merges what all brokers have with what this one has.
func (w *World) props(m *machine) map[string]string {
	out := map[string]string{}
	for _, from := range []map[string]string{w.cfg.Setup.Props, m.Props} {
		for _, k := range kafka.SortedKeys(from) {
			out[k] = from[k]
		}
	}
	return out
}

// boot starts a process on a machine.
func (w *World) boot(m *machine) {
	p := w.newProcess(m.ID.String(), m.Skew)
	m.exit = ""
	m.disk.Restart()
	m.proc = p
	props := w.props(m)
	m.server = server.New(server.Config{ID: m.ID, Endpoints: []kafka.Endpoint{endpoint(m.ID)}, Rack: cmp.Or(m.Rack, props["broker.rack"]), Props: props,
		Disk: m.disk, Registered: func(epoch int64) { m.epochs = append(m.epochs, epoch) }}, p, connector{p}, network{p})
	p.handler = m.server
	w.on(w.at.fork(p.name), m.server.Start)
}

// reap takes a process off its machine that has ended by itself; its session goes silent, unless it closed it.
func (w *World) reap() {
	for _, id := range kafka.SortedKeys(w.brokers) {
		m := w.brokers[id]
		if m.server == nil || m.proc.dead {
			continue
		}
		if done, why := m.server.Exited(); done {
			m.exit = why
			w.halt(m)
		}
	}
}

// halt ends the process of a machine and cuts the connections of its sessions.
func (w *World) halt(m *machine) {
	p := m.proc
	p.tearDown()
	m.server = nil
	delete(w.loseOn, p.name)
	w.unblock() // what waited for a paused process finds nobody now
	if w.tracing() {
		w.note(env.Note{Kind: env.BrokerState, Lane: p.name, Entity: "broker " + p.name, Msg: "world.process-ended",
			Args: []env.Arg{env.A("broker", env.Int(m.ID))}, Changes: w.gone(m)})
	}
	for _, s := range p.sessions {
		s.cutOff("zk.session.cut")
		s.out.clear()
		s.in.clear()
	}
}

// gone compares what the process showed of itself with what is left when it is no more.
func (w *World) gone(m *machine) []env.Change {
	var out []env.Change
	name := m.proc.name
	for _, root := range []string{"ctl", "queue", "ctx", "metric", "batch", "channel", "handler", "config", "notices", "layers", "timer"} {
		out = append(out, env.Unset(root, name))
	}
	for _, part := range []string{"replica", "meta"} {
		out = append(out, env.Unset("broker", name, part))
	}
	out = append(out, w.queued(name)...)
	return append(out, env.Unset("broker", name, "epoch"), env.Unset("broker", name, "controllerEpoch"), env.Unset("hold", name),
		env.Set(int64(0), "broker", name, "state"), env.Set(false, "broker", name, "up"))
}

// queued takes the requests out of the document that wait in the channels of a process; what has left stays under way.
func (w *World) queued(name string) []env.Change {
	var out []env.Change
	doc := w.cfg.Recorder.Doc()
	for _, to := range kafka.SortedKeys(w.brokers) {
		lane := name + ">" + to.String()
		for _, id := range doc.Names("lane", lane) {
			if doc.Get("lane", lane, id, "state") == "queued" {
				out = append(out, env.Unset("lane", lane, id))
			}
		}
	}
	return out
}

// sessionOf is the newest session of a process.
func (p *process) session() *session {
	if len(p.sessions) == 0 {
		return nil
	}
	return p.sessions[len(p.sessions)-1]
}

var _ zk.Connector = connector{}

package sim

import (
	"fmt"
	"slices"

	"controllerscope/core/env"
	"controllerscope/core/kafka"
	"controllerscope/core/zk"
	"controllerscope/core/zkclient"
)

// clientTimeout is the session timeout that a plain client asks for, in ms: that of a broker.
const clientTimeout = 18_000

// client is a program that only talks to ZooKeeper, through Kafka's client and so by Kafka's rules of watches. Its one
// thread, "main", does what it is asked to, one call after another.
type client struct {
	proc  *process
	zk    *zkclient.Client
	todo  []func()
	ended bool
	heard map[string]int64 // watch events that reached it, by path
	sees  map[string]sight // by path, what its last answers said
}

// sight is what a client knows of a znode: it may be long out of date.
type sight struct {
	exists   bool
	data     any // text, nil for none or never read
	children any // sorted list, nil when never listed
}

// clientOp notes what a client is asked to do from outside, and does it.
func (w *World) clientOp(name, op string, changes []env.Change, f func()) {
	w.outside(env.Note{Kind: env.Admin, Entity: "client " + name, Msg: "admin.client",
		Args: []env.Arg{env.A("client", name), env.A("op", op)}, Changes: changes}, f)
}

// OpenClient starts a client, which connects. Its name begins with a letter, so that no broker has it.
func (w *World) OpenClient(name string) error {
	switch {
	case w.clients[name] != nil:
		return fmt.Errorf("client %s is open already; close it first", name)
	case !letter(name) || name == "admin":
		return fmt.Errorf("%q cannot name a client: letters and digits with a letter first, and not admin", name)
	}
	c := &client{proc: w.newProcess(name, 0), heard: map[string]int64{}, sees: map[string]sight{}}
	c.zk = zkclient.New(c.proc, connector{c.proc}, zkclient.Options{Client: name, TimeoutMS: clientTimeout})
	w.clients[name] = c
	w.clientOp(name, "open", []env.Change{env.Set(true, "client", name, "up")}, func() {
		c.todo = append(c.todo, func() { _ = c.zk.Connect() }) // without a connection every later call says so
		c.proc.Go("main", c.work)
	})
	return nil
}

func letter(name string) bool {
	for i, r := range name {
		if isLetter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'; !isLetter && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return name != ""
}

// work is the client's thread.
func (c *client) work() {
	for !c.ended {
		c.proc.Wait("call", func() bool { return len(c.todo) > 0 })
		next := c.todo[0]
		c.todo = c.todo[1:]
		next()
	}
}

// clientNamed finds an open client, or says which there are.
func (w *World) clientNamed(name string) (*client, error) {
	if c := w.clients[name]; c != nil {
		return c, nil
	}
	return nil, fmt.Errorf("no client %s is open; open are %v; write client open %s", name, kafka.SortedKeys(w.clients), name)
}

// RegisterClient gives a client a handler for a znode, or for its children. Nothing is sent: the next read arms the watch.
func (w *World) RegisterClient(name, path string, children bool) error {
	c, err := w.clientNamed(name)
	if err != nil {
		return err
	}
	what := "register node "
	if children {
		what = "register children "
	}
	w.clientOp(name, what+path, nil, func() {
		w.on(w.at.fork(name), func() {
			if children {
				c.zk.RegisterZNodeChildChangeHandler(path, c.told(zk.NodeChildrenChanged, path))
				return
			}
			c.zk.RegisterZNodeChangeHandler(path, zkclient.ZNodeChangeHandler{Created: c.told(zk.NodeCreated, path),
				Deleted: c.told(zk.NodeDeleted, path), DataChanged: c.told(zk.NodeDataChanged, path)})
		})
	})
	return nil
}

// told is a handler: the client only takes note that it was told.
func (c *client) told(event zk.EventType, path string) func() {
	return func() {
		c.heard[path]++
		name := c.proc.name
		c.proc.Note(env.Note{Kind: env.CtxSet, Lane: name, Entity: path, Msg: "client.told",
			Args:    []env.Arg{env.A("client", name), env.A("event", event.String()), env.A("path", path)},
			Changes: []env.Change{env.Set(c.heard[path], "client", name, "heard", path)}})
	}
}

// CallClient has a client send one request; what it learns from the answer is in the document then. An answer to a write
// tells it nothing of the znode.
func (w *World) CallClient(name string, op zk.Op) error {
	c, err := w.clientNamed(name)
	if err != nil {
		return err
	}
	w.clientOp(name, opName(op), nil, func() { c.todo = append(c.todo, func() { c.call(op) }) })
	return nil
}

func opName(op zk.Op) string {
	switch op.Mode {
	case zk.Ephemeral:
		return "create-ephemeral " + op.Path
	case zk.PersistentSequential:
		return "create-seq " + op.Path
	}
	return op.Kind.String() + " " + op.Path
}

// call sends a request as Kafka does and keeps what a read says.
func (c *client) call(op zk.Op) {
	answers, err := c.zk.RetryRequestsUntilConnected([]zk.Op{op})
	if err != nil || answers[0].Err == zk.Closed || answers[0].Err == zk.SessionExpired {
		c.proc.Note(env.Note{Kind: env.CtxSet, Lane: c.proc.name, Entity: op.Path, Msg: "client.failed",
			Args: []env.Arg{c.proc.client, env.A("path", op.Path)}})
		return
	}
	if r := answers[0]; !op.Kind.IsWrite() && (r.Err == zk.OK || r.Err == zk.NoNode) {
		c.learn(op, r)
	}
}

// learn keeps what a read says of a znode.
func (c *client) learn(op zk.Op, r zk.Result) {
	name, knows := c.proc.name, c.sees[op.Path]
	n := env.Note{Kind: env.CtxSet, Lane: name, Entity: op.Path, Msg: "client.learns", Reads: []env.Path{env.P("zk", op.Path)},
		Args: []env.Arg{env.A("client", name), env.A("path", op.Path)}}
	knows.exists = true
	switch {
	case r.Err == zk.NoNode:
		n.Msg, knows = "client.absent", sight{}
	case op.Kind == zk.Get:
		if knows.data = nil; r.Data != nil {
			knows.data = string(r.Data)
		}
		n.Args = append(n.Args, env.A("value", knows.data))
	case op.Kind == zk.Children:
		knows.children = env.Strings(slices.Sorted(slices.Values(r.Children))) // a server lists them in no order
		n.Args = append(n.Args, env.A("value", knows.children))
	default:
		n.Msg = "client.exists"
	}
	c.sees[op.Path] = knows
	n.Changes = knows.leaves(name, op.Path)
	c.proc.Note(n)
}

// leaves is a sight in the document.
func (s sight) leaves(client, path string) []env.Change {
	leaf := func(name string, v any) env.Change {
		return env.Change{Path: env.P("client", client, "sees", path, name), After: v}
	}
	return []env.Change{leaf("exists", s.exists), leaf("data", s.data), leaf("children", s.children)}
}

// SilenceClient freezes a client: it sends no heartbeat any more, and its session lives until it expires.
func (w *World) SilenceClient(name string) error {
	c, err := w.clientNamed(name)
	if err == nil && c.proc.paused {
		err = fmt.Errorf("client %s is silent already", name)
	}
	if err != nil {
		return err
	}
	c.proc.paused = true
	w.clientOp(name, "silent", []env.Change{env.Set(true, "hold", name)}, func() {
		if s := c.proc.session(); s != nil && s.server == connected {
			s.mute()
		}
	})
	return nil
}

// WakeClient lets a silent client go on. If its session has expired meanwhile, it hears that now and opens the next one.
func (w *World) WakeClient(name string) error {
	c, err := w.clientNamed(name)
	if err == nil && !c.proc.paused {
		err = fmt.Errorf("client %s is not silent", name)
	}
	if err != nil {
		return err
	}
	c.proc.paused = false
	w.clientOp(name, "back", []env.Change{env.Unset("hold", name)}, func() {
		w.unblock()
		if s := c.proc.session(); s != nil {
			s.unmute()
		}
	})
	return nil
}

// CloseClient has a client close its session and end. What it was asked to do before is done first.
func (w *World) CloseClient(name string) error {
	c, err := w.clientNamed(name)
	if err == nil && c.proc.paused {
		err = fmt.Errorf("client %s is silent and closes nothing; write client back %s first", name, name)
	}
	if err != nil {
		return err
	}
	w.clientOp(name, "close", nil, func() {
		c.todo = append(c.todo, func() {
			c.zk.Close()
			c.ended, c.proc.dead = true, true
			delete(w.clients, name)
			delete(w.procs, name)
			c.proc.Note(env.Note{Kind: env.CtxSet, Lane: name, Entity: "client " + name, Msg: "client.ended",
				Args: []env.Arg{env.A("client", name)}, Changes: []env.Change{env.Unset("client", name)}})
		})
	})
	return nil
}

// Clients lists the open clients.
func (w *World) Clients() []string { return kafka.SortedKeys(w.clients) }

// dump sets what the notes of a client have written.
func (c *client) dump(d env.Dump) {
	name := c.proc.name
	d.Set(true, "client", name, "up")
	for _, path := range kafka.SortedKeys(c.heard) {
		d.Set(c.heard[path], "client", name, "heard", path)
	}
	for _, path := range kafka.SortedKeys(c.sees) {
		for _, x := range c.sees[path].leaves(name, path) {
			if x.After != nil {
				d.Set(x.After, x.Path...)
			}
		}
	}
	c.zk.Dump(d)
}

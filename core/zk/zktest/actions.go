package zktest

import (
	"cmp"
	"fmt"

	"controllerscope/core/zk"
)

const defaultTimeoutMS = 10_000

// Do carries out a step.
func (p *StorePlayer) Do(s *Step) (Result, error) {
	if s.Op == "open" {
		return p.open(s)
	}
	c := p.clients[s.Session]
	if c == nil {
		return nil, fmt.Errorf("session %s is not open", s.Session)
	}
	switch s.Op {
	case "state":
		return Result{}, nil
	case "close":
		return p.close(c)
	case "events":
		return c.look(), nil
	case "watch":
		return c.channel(s.Args.Watch), nil
	case "cut":
		return Result{}, p.cut(c)
	case "stall":
		c.stalled = true
		return Result{}, nil
	case "heal":
		return Result{}, p.heal(c)
	case "await":
		return p.await(c, s.Args.Handle)
	case "await_gone":
		return Result{}, p.awaitGone(p.names.Path(s.Args.Path))
	}
	if s.Async != "" {
		return Result{}, p.start(c, s)
	}
	return p.call(c, s)
}

func (p *StorePlayer) open(s *Step) (Result, error) {
	c := &client{name: s.Session, timeoutMS: cmp.Or(s.Args.TimeoutMS, defaultTimeoutMS), named: map[string]*channel{},
		calls: map[string]*Result{}}
	if old := p.clients[s.Session]; old != nil && !old.closed {
		return nil, fmt.Errorf("session %s is open already", s.Session)
	}
	p.clients[s.Session] = c
	c.forget()
	return Result{}, p.connect(c)
}

// connect opens a ZooKeeper session for a client.
func (p *StorePlayer) connect(c *client) error {
	id, _, fx, err := p.store.Open(p.tick(), c.timeoutMS)
	if err != nil {
		return err
	}
	c.id, c.zxid = id, fx.Zxid
	p.names.Owners[id] = c.name
	for _, a := range c.auth {
		if _, _, err := p.store.Apply(p.tick(), id, zk.Op{Kind: zk.AddAuth, Auth: a}); err != nil {
			return err
		}
	}
	return nil
}

func (p *StorePlayer) close(c *client) (Result, error) {
	if !c.cut {
		fx, err := p.store.Close(p.tick(), c.id)
		if err != nil {
			return nil, err
		}
		p.deliver(fx)
	}
	c.closed = true
	return c.look(), nil
}

// look takes the events since the last look.
func (c *client) look() Result {
	events := c.events
	c.events = nil
	return Result{"events": append([]any{}, events...)}
}

// channel shows a watch channel. One that was closed by the client itself, with its session, cannot be seen here.
func (c *client) channel(name string) Result {
	ch := c.named[name]
	if ch == nil {
		return Result{} // the call that was to set it failed
	}
	event := ch.event
	if event != nil {
		return Result{"event": event, "closed": true}
	}
	for _, set := range c.watches {
		for _, list := range set {
			for _, other := range list {
				if other == ch {
					return Result{"event": nil, "closed": false}
				}
			}
		}
	}
	return Result{}
}

// cut breaks the connection; what was on its way to the client is lost.
func (p *StorePlayer) cut(c *client) error {
	c.cut, c.stalled, c.unread = true, false, nil
	for _, r := range c.calls {
		if *r == nil {
			*r = Result{"error": ShowError(zk.ConnectionLoss)}
		}
	}
	return p.store.Cut(c.id)
}

// heal lets a stalled client read on, and a cut one reconnect: the same session with its credentials and watches set again,
// or a new one if it expired meanwhile.
func (p *StorePlayer) heal(c *client) error {
	c.stalled = false
	for _, what := range c.unread {
		what()
	}
	c.unread = nil
	if !c.cut {
		return nil
	}
	c.cut = false
	ok, fx, err := p.store.Heal(p.tick(), c.id, c.zxid, c.held())
	if err != nil {
		return err
	}
	if !ok {
		c.forget()
		if err := p.connect(c); err != nil {
			return err
		}
	}
	for _, a := range c.auth {
		if _, _, err := p.store.Apply(p.tick(), c.id, zk.Op{Kind: zk.AddAuth, Auth: a}); err != nil {
			return err
		}
	}
	p.deliver(fx)
	unsent := c.unsent
	c.unsent = nil
	for _, call := range unsent {
		if err := call(); err != nil {
			return err
		}
	}
	return nil
}

// start makes a call in the background: at once, or when the client's connection is back. Its result waits under the step's
// handle, unread while the client is stalled.
func (p *StorePlayer) start(c *client, s *Step) error {
	r := new(Result)
	c.calls[s.Async] = r
	run := func() error {
		stalled := c.stalled
		c.stalled = false // nobody waits for the answer
		got, err := p.call(c, s)
		c.stalled = stalled
		c.read(func() { *r = got })
		return err
	}
	if c.cut {
		c.unsent = append(c.unsent, run)
		return nil
	}
	return run()
}

func (p *StorePlayer) await(c *client, handle string) (Result, error) {
	r := c.calls[handle]
	if r == nil || *r == nil {
		return nil, fmt.Errorf("call %s of session %s never gets an answer: nothing healed its connection", handle, c.name)
	}
	return *r, nil
}

// awaitGone ends what keeps a node: the session that owns it expires, or the server removes a container or TTL node.
func (p *StorePlayer) awaitGone(path string) error {
	r, err := p.help(zk.Op{Kind: zk.Exists, Path: path})
	if err != nil || r.Err == zk.NoNode {
		return err
	}
	if owner := r.Stat.EphemeralOwner; owner != 0 {
		fx, err := p.store.Expire(p.tick(), owner)
		p.deliver(fx)
		return err
	}
	checker, can := p.store.(interface{ CheckContainers(now int64) []zk.Effects })
	const minute, longest = 60_000, 10
	for range longest {
		if !can {
			break
		}
		p.now += minute
		for _, fx := range checker.CheckContainers(p.now) {
			p.deliver(fx)
		}
		if r, err := p.help(zk.Op{Kind: zk.Exists, Path: path}); err != nil || r.Err == zk.NoNode {
			return err
		}
	}
	return fmt.Errorf("nothing will remove %s: it is neither ephemeral nor a container or TTL node due for removal", path)
}

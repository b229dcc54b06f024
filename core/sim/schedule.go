package sim

import (
	"container/heap"
	"fmt"

	"controllerscope/core/env"
	"controllerscope/core/request"
)

// What scripts do to the order of things: hold, release, deliver, drop, delay, duplicate.

// Hold keeps a thread ("0" is broker 0's controller thread, "0.startup" another), a connection ("net.0>2") or one choice
// ("net.0>2#3") back.
func (w *World) Hold(what string) error {
	name, err := w.holdName(what)
	if err != nil {
		return err
	}
	w.held[name] = true
	w.outside(env.Note{Kind: env.Hold, Entity: name, Msg: "admin.hold", Args: []env.Arg{env.A("what", name)},
		Changes: []env.Change{env.Set(true, "hold", name)}}, func() {})
	return nil
}

// Release lets what is held go on.
func (w *World) Release(what string) error {
	name, err := w.holdName(what)
	if err != nil {
		return err
	}
	if err := w.CanRelease(name); err != nil {
		return err
	}
	delete(w.held, name)
	w.outside(env.Note{Kind: env.Release, Entity: name, Msg: "admin.release", Args: []env.Arg{env.A("what", name)},
		Changes: []env.Change{env.Unset("hold", name)}}, w.unblock)
	return nil
}

// Deliver takes a named choice now, before all others.
func (w *World) Deliver(id string) error {
	c, err := w.find(id)
	if err != nil {
		return err
	}
	if c.pipe != nil && c.pipe.queue[0] != c {
		return fmt.Errorf("%s stands behind %s, which travels the same way; deliver that first", id, c.pipe.queue[0].ID())
	}
	if p := c.waitsFor(); p != nil && p.paused {
		return fmt.Errorf("%s waits for broker %s, which is paused; resume that first", id, p.name)
	}
	c.Due = w.now
	w.take(c)
	return w.failed
}

// DropChoice loses what is under way: an answer is lost with its connection, a request of the network with its connection.
func (w *World) DropChoice(id string) error {
	c, err := w.find(id)
	if err != nil {
		return err
	}
	if c.dropped == nil {
		return fmt.Errorf("%s cannot be lost: only answers of ZooKeeper and requests between processes can", id)
	}
	w.outside(env.Note{Kind: env.Fault, Entity: id, Msg: "admin.drop", Args: []env.Arg{env.A("what", c.What)}}, func() {
		c.gone = true
		if c.pipe != nil {
			c.pipe.pop()
		}
		c.dropped()
	})
	return nil
}

// DelayChoice makes what is under way arrive ms later.
func (w *World) DelayChoice(id string, ms int64) error {
	c, err := w.find(id)
	if err != nil {
		return err
	}
	if ms < 0 {
		return fmt.Errorf("%s cannot arrive earlier than sent; to have it now use deliver", id)
	}
	due := max(c.Due, w.now) + ms
	var shown []env.Change
	if c.leaf != nil {
		shown = append(shown, env.Set(due, c.leaf...))
	}
	c.Due = due
	heap.Init(&w.agenda)
	w.outside(env.Note{Kind: env.Fault, Entity: id, Msg: "admin.delay", Args: []env.Arg{env.A("what", c.What), env.A("ms", ms)}, Changes: shown}, func() {})
	return nil
}

// DuplicateChoice sends a request of the network a second time, behind what its connection carries; the second answer is lost.
func (w *World) DuplicateChoice(id string) error {
	c, err := w.find(id)
	if err != nil {
		return err
	}
	if c.wire == nil {
		return fmt.Errorf("%s cannot be duplicated: only requests between processes can", id)
	}
	w.outside(env.Note{Kind: env.Fault, Entity: id, Msg: "admin.duplicate", Args: []env.Arg{env.A("what", c.What)}}, func() {
		x, again := c.wire, c.wire.id+"'"
		for w.wires[x.lane+"/"+again] != nil {
			again += "'"
		}
		network{x.from}.Send(x.conn, again, x.req, func(request.Response, error) {})
	})
	return nil
}

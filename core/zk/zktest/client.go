package zktest

import (
	"fmt"
	"slices"

	"controllerscope/core/zk"
)

// StorePlayer plays cases on a Store through a thin model of go-zookeeper/zk v1.0.4: what the client refuses by itself, its
// watch channels, and that it sets its watches and credentials again after a reconnect. Session states belong to the real
// client; they are not modelled and count as skipped.
type StorePlayer struct {
	store   zk.Store
	names   Names
	clients map[string]*client
	helper  zk.SessionID
	now     int64
}

// client is one session of a case, which may be several ZooKeeper sessions one after the other.
type client struct {
	name      string
	id        zk.SessionID
	timeoutMS int32
	zxid      int64 // of the last answer it read
	auth      []zk.Auth
	watches   map[watchSet]map[string][]*channel
	named     map[string]*channel
	events    []any // since the last look
	closed    bool
	cut       bool
	stalled   bool
	unread    []func()       // what a stalled client will read
	unsent    []func() error // calls made in the background while cut
	calls     map[string]*Result
}

// watchSet is one of the tables in which the client keeps its watches.
type watchSet uint8

const (
	dataSet watchSet = iota
	existSet
	childSet
)

// channel is a watch channel: one event, then closed.
type channel struct{ event any }

const firstTime = 1_600_000_000_000 // ms; any will do

// NewStorePlayer prepares a case: a helper session and the base node, which must not exist yet.
func NewStorePlayer(store zk.Store, base string) (*StorePlayer, error) {
	p := &StorePlayer{store: store, clients: map[string]*client{}, now: firstTime,
		names: Names{Base: base, Owners: map[zk.SessionID]string{}}}
	id, _, _, err := store.Open(p.tick(), 40_000)
	if err != nil {
		return nil, err
	}
	p.helper = id
	r, err := p.help(zk.Op{Kind: zk.Create, Path: base})
	if err != nil {
		return nil, err
	}
	if r.Err != zk.OK {
		return nil, fmt.Errorf("the base node %s cannot be made: %w", base, r.Err)
	}
	p.names.BaseZxid = r.Zxid
	return p, nil
}

// tick is the time of the next request.
func (p *StorePlayer) tick() int64 {
	p.now++
	return p.now
}

// help executes a request of the helper session.
func (p *StorePlayer) help(op zk.Op) (zk.Result, error) {
	r, fx, err := p.store.Apply(p.tick(), p.helper, op)
	if err == nil {
		p.deliver(fx)
	}
	return r, err
}

// Finish ends all sessions and removes what is left under the base node.
func (p *StorePlayer) Finish() error {
	for _, id := range p.sessions() {
		if _, err := p.store.Close(p.tick(), id); err != nil {
			return err
		}
	}
	if err := p.clear(p.names.Base); err != nil {
		return err
	}
	_, err := p.store.Close(p.tick(), p.helper)
	return err
}

func (p *StorePlayer) sessions() []zk.SessionID {
	var ids []zk.SessionID
	for _, c := range p.clients {
		if !c.closed {
			ids = append(ids, c.id)
		}
	}
	slices.Sort(ids)
	return ids
}

// clear deletes a node and all below it; a node that may not be deleted stays.
func (p *StorePlayer) clear(path string) error {
	r, err := p.help(zk.Op{Kind: zk.Children, Path: path})
	if err != nil {
		return err
	}
	for _, name := range r.Children {
		if err := p.clear(path + "/" + name); err != nil {
			return err
		}
	}
	_, err = p.help(zk.Op{Kind: zk.Delete, Path: path, Version: zk.AnyVersion})
	return err
}

// deliver hands the events of a transaction to the clients.
func (p *StorePlayer) deliver(fx zk.Effects) {
	for _, f := range fx.Fired {
		for _, c := range p.clients {
			if c.id == f.Session && !c.closed {
				c.read(func() { c.hear(f.Event, p.names.showEvent(f.Event)) })
			}
		}
	}
}

// read does what a client does with something from the server, later if it is stalled.
func (c *client) read(what func()) {
	if c.stalled {
		c.unread = append(c.unread, what)
		return
	}
	what()
}

// hear serves the channels of an event (section 4.4 of the reference).
func (c *client) hear(e zk.Event, shown any) {
	c.events = append(c.events, shown)
	sets := map[zk.EventType][]watchSet{
		zk.NodeCreated:         {existSet},
		zk.NodeDataChanged:     {existSet, dataSet},
		zk.NodeDeleted:         {existSet, dataSet, childSet},
		zk.NodeChildrenChanged: {childSet},
	}[e.Type]
	for _, set := range sets {
		for _, ch := range c.watches[set][e.Path] {
			ch.event = shown
		}
		delete(c.watches[set], e.Path)
	}
}

// watch adds a channel; name may be empty.
func (c *client) watch(set watchSet, path, name string) {
	ch := &channel{}
	c.watches[set][path] = append(c.watches[set][path], ch)
	if name != "" {
		c.named[name] = ch
	}
}

// held lists the watches a client sends after a reconnect.
func (c *client) held() []zk.Watch {
	var out []zk.Watch
	for set, form := range map[watchSet]zk.Watch{dataSet: {Kind: zk.DataWatch},
		existSet: {Kind: zk.DataWatch, Exists: true}, childSet: {Kind: zk.ChildWatch}} {
		for path := range c.watches[set] {
			out = append(out, zk.Watch{Path: path, Kind: form.Kind, Exists: form.Exists})
		}
	}
	slices.SortFunc(out, compareWatches)
	return out
}

// forget empties the client's tables, as after an expiry.
func (c *client) forget() {
	c.watches = map[watchSet]map[string][]*channel{dataSet: {}, existSet: {}, childSet: {}}
}

// Visible leaves out what only a real client knows: session states and the end of watches with a session.
func (p *StorePlayer) Visible(s *Step, field string, want any) (any, int) {
	switch field {
	case "events":
		list, _ := want.([]any)
		seen := []any{}
		for _, e := range list {
			if !ofClient(e) {
				seen = append(seen, e)
			}
		}
		return seen, len(list) - len(seen)
	case "event":
		if ofClient(want) {
			return nil, 1
		}
	}
	return want, 0
}

// ofClient reports an expected event that a client makes by itself.
func ofClient(e any) bool {
	m, _ := e.(map[string]any)
	return m["type"] == "Session" || m["type"] == "NotWatching"
}

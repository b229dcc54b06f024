package zkmem

import (
	"maps"
	"slices"

	"controllerscope/core/zk"
)

// The plain model as a zk.Store: sessions, connections, watches, and each request on a state that can be gone back to.

// request runs what a session asks; of a refused write nothing is left but its zxid.
func (p *plain) request(now int64, id zk.SessionID, write bool, what func() zk.Result) (zk.Result, zk.Effects, error) {
	before := plainState{maps.Clone(p.nodes), maps.Clone(p.sets), maps.Clone(p.ids), slices.Clone(p.watches)}
	p.now, p.id, p.fx = now, id, zk.Effects{}
	if write {
		p.zxid++
		p.fx.Zxid = p.zxid
	}
	r := try(what)
	if r.Zxid = p.zxid; write && r.Err != zk.OK {
		p.plainState, p.fx = before, zk.Effects{Zxid: p.zxid}
	}
	for i, n := range p.fx.Nodes {
		_, there := p.nodes[n.Path]
		p.fx.Nodes[i] = zk.Node{Path: n.Path, Gone: !there, Data: p.nodes[n.Path].data, Stat: p.shown(n.Path)}
	}
	return r, p.fx, nil
}

func (p *plain) Open(now int64, ms int32) (zk.SessionID, int32, zk.Effects, error) {
	p.next++
	_, fx, err := p.request(now, p.next-1, true, func() zk.Result { p.ids[p.id] = nil; return zk.Result{} })
	return p.next - 1, min(max(ms, 4000), 40000), fx, err
}

func (p *plain) Apply(now int64, id zk.SessionID, op zk.Op) (zk.Result, zk.Effects, error) {
	_, lives := p.ids[id]
	return p.request(now, id, op.Kind.IsWrite() && lives && !p.cut[id], func() zk.Result {
		need(lives, zk.SessionExpired)
		need(!p.cut[id], zk.ConnectionLoss)
		return p.do(op)
	})
}

func (p *plain) Close(now int64, id zk.SessionID) (zk.Effects, error) {
	if _, lives := p.ids[id]; !lives {
		return zk.Effects{}, nil
	}
	_, fx, err := p.request(now, id, true, func() zk.Result {
		for _, path := range p.set(own(id)).clone().inOrder() {
			p.remove(path)
		}
		p.drop()
		delete(p.ids, id)
		return zk.Result{}
	})
	return fx, err
}

func (p *plain) Expire(now int64, id zk.SessionID) (zk.Effects, error) { return p.Close(now, id) }
func (p *plain) Shutdown() error                                       { return nil }

func (p *plain) Cut(id zk.SessionID) error {
	if _, lives := p.ids[id]; lives {
		_, _, _ = p.request(0, id, false, func() zk.Result { p.drop(); return zk.Result{} })
		p.ids[id], p.cut[id] = nil, true
	}
	return nil
}

func (p *plain) Heal(now int64, id zk.SessionID, rel int64, watches []zk.Watch) (bool, zk.Effects, error) {
	if _, lives := p.ids[id]; !lives {
		return false, zk.Effects{}, nil
	}
	delete(p.cut, id)
	_, fx, err := p.request(now, id, false, func() zk.Result {
		for _, group := range []zk.Watch{{Kind: zk.DataWatch}, {Kind: zk.DataWatch, Exists: true}, {Kind: zk.ChildWatch}} {
			for _, x := range watches {
				if (zk.Watch{Kind: x.Kind, Exists: x.Exists}) == group {
					p.reset(x, rel)
				}
			}
		}
		return zk.Result{}
	})
	return true, fx, err
}

// reset tells at once what a watch missed while its session was cut, or arms it again.
func (p *plain) reset(x zk.Watch, rel int64) {
	n, there := p.nodes[x.Path]
	for t, missed := range map[zk.EventType]bool{ // one of them at most
		zk.NodeCreated: x.Exists && there, zk.NodeDeleted: !x.Exists && !there,
		zk.NodeDataChanged:     !x.Exists && x.Kind == zk.DataWatch && n.stat.Mzxid > rel,
		zk.NodeChildrenChanged: x.Kind == zk.ChildWatch && n.stat.Pzxid > rel,
	} {
		if missed {
			p.fx.Fired = append(p.fx.Fired, zk.Fired{Session: p.id, Event: zk.Event{Type: t, Path: x.Path}, Kinds: []zk.WatchKind{x.Kind}})
			return
		}
	}
	p.arm(x.Path, x.Kind)
}

func (p *plain) arm(path string, kind zk.WatchKind) {
	if a := (zk.ArmedAt{Session: p.id, Path: path, Kind: kind}); !slices.Contains(p.watches, a) {
		p.watches, p.fx.Armed = append(p.watches, a), append(p.fx.Armed, a)
	}
}

// take takes watches away, by age.
func (p *plain) take(which func(zk.ArmedAt) bool) (taken []zk.ArmedAt) {
	for _, a := range p.watches {
		if which(a) {
			taken = append(taken, a)
		}
	}
	p.watches = slices.DeleteFunc(p.watches, which)
	return taken
}

// tell fires the watches of a path. A session hears of it once, whatever kinds of watch it holds, and not at all if it may
// not read the node.
func (p *plain) tell(path string, t zk.EventType, n plainNode, kinds ...zk.WatchKind) {
	for _, kind := range kinds {
		for {
			i := slices.IndexFunc(p.watches, func(a zk.ArmedAt) bool { return a.Path == path && a.Kind == kind })
			if i < 0 {
				break
			}
			id := p.watches[i].Session
			lost := p.take(func(a zk.ArmedAt) bool { return a.Session == id && a.Path == path && slices.Contains(kinds, a.Kind) })
			slices.SortFunc(lost, compareArmed)
			if !p.may(id, n, 1) {
				p.fx.Dropped = append(p.fx.Dropped, lost...)
				continue
			}
			f := zk.Fired{Session: id, Event: zk.Event{Type: t, Path: path}}
			for _, a := range lost {
				f.Kinds = append(f.Kinds, a.Kind)
			}
			p.fx.Fired = append(p.fx.Fired, f)
		}
	}
}

// drop forgets the session's watches, by path and kind.
func (p *plain) drop() {
	gone := p.take(func(a zk.ArmedAt) bool { return a.Session == p.id })
	slices.SortFunc(gone, compareArmed)
	p.fx.Dropped = append(p.fx.Dropped, gone...)
}

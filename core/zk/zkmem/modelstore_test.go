package zkmem

import (
	"cmp"
	"crypto/sha1"
	"encoding/base64"
	"maps"
	"slices"
	"strings"

	"controllerscope/core/zk"
)

// The plain model as a zk.Store: sessions, connections, and each write on a copy that is kept or forgotten.

func newPlain() *plain {
	node := func(aversion, perms int32, children ...string) plainNode {
		n := plainNode{data: []byte{}, acl: []zk.ACL{{Perms: perms, Scheme: "world", ID: "anyone"}}, children: plainSet{table: 8}}
		n.stat.Aversion = aversion
		for _, c := range children {
			n.children = n.children.with(c)
		}
		return n
	}
	return &plain{next: 1 << 56, plainState: plainState{sessions: map[zk.SessionID]plainSession{}, nodes: map[string]plainNode{
		"/": node(0, 31, "zookeeper"), "/zookeeper": node(0, 31, "quota", "config"),
		"/zookeeper/quota": node(0, 31), "/zookeeper/config": node(-1, 1)}}}
}

func (p *plain) begin(now int64, id zk.SessionID, write bool) *work {
	w := &work{plainState: p.plainState, now: now, id: id}
	w.nodes, w.sessions, w.watches = maps.Clone(p.nodes), maps.Clone(p.sessions), slices.Clone(p.watches)
	if write {
		p.zxid++
		w.zxid, w.fx.Zxid = p.zxid, p.zxid
	}
	return w
}

// keep makes the work's state the state.
func (p *plain) keep(w *work) zk.Effects {
	p.plainState = w.plainState
	for _, path := range w.touched {
		n, there := w.nodes[path]
		node := zk.Node{Path: path, Gone: !there}
		if there {
			node.Data, node.Stat = n.data, n.shown()
		}
		w.fx.Nodes = append(w.fx.Nodes, node)
	}
	return w.fx
}

func (p *plain) Open(_ int64, ms int32) (zk.SessionID, int32, zk.Effects, error) {
	p.zxid++
	p.next++
	p.sessions[p.next-1] = plainSession{up: true, owns: plainSet{table: 16}}
	return p.next - 1, min(max(ms, 4000), 40000), zk.Effects{Zxid: p.zxid}, nil
}

func (p *plain) Apply(now int64, id zk.SessionID, op zk.Op) (zk.Result, zk.Effects, error) {
	if s, lives := p.sessions[id]; !lives {
		return zk.Result{Err: zk.SessionExpired, Zxid: p.zxid}, zk.Effects{}, nil
	} else if !s.up {
		return zk.Result{Err: zk.ConnectionLoss, Zxid: p.zxid}, zk.Effects{}, nil
	}
	w := p.begin(now, id, op.Kind.IsWrite())
	r := w.try(op)
	r.Zxid = p.zxid
	if r.Err != zk.OK && op.Kind.IsWrite() {
		return r, zk.Effects{Zxid: p.zxid}, nil // the copy is forgotten
	}
	return r, p.keep(w), nil
}

func (p *plain) Close(now int64, id zk.SessionID) (zk.Effects, error) {
	if _, lives := p.sessions[id]; !lives {
		return zk.Effects{}, nil
	}
	w := p.begin(now, id, true)
	table := 1
	for table < len(w.sessions[id].owns.items)*4/3+1 {
		table *= 2
	}
	order := plainSet{table: table}
	for _, path := range w.sessions[id].owns.inOrder() {
		order = order.with(path)
	}
	for _, path := range order.inOrder() {
		w.remove(path)
	}
	w.drop(id)
	delete(w.sessions, id)
	return p.keep(w), nil
}

func (p *plain) Expire(now int64, id zk.SessionID) (zk.Effects, error) { return p.Close(now, id) }

func (p *plain) Cut(id zk.SessionID) error {
	if s, lives := p.sessions[id]; lives {
		w := p.begin(0, id, false)
		w.drop(id)
		s.up, s.ids = false, nil
		w.sessions[id] = s
		p.keep(w)
	}
	return nil
}

func (p *plain) Heal(now int64, id zk.SessionID, rel int64, watches []zk.Watch) (bool, zk.Effects, error) {
	s, lives := p.sessions[id]
	if !lives {
		return false, zk.Effects{}, nil
	}
	w := p.begin(now, id, false)
	s.up = true
	w.sessions[id] = s
	for _, group := range []zk.Watch{{Kind: zk.DataWatch}, {Kind: zk.DataWatch, Exists: true}, {Kind: zk.ChildWatch}} {
		for _, x := range watches {
			n, there := w.nodes[x.Path]
			var t zk.EventType
			switch {
			case x.Kind != group.Kind || x.Exists != group.Exists:
				continue
			case x.Exists && there:
				t = zk.NodeCreated
			case !x.Exists && !there:
				t = zk.NodeDeleted
			case !x.Exists && x.Kind == zk.DataWatch && n.stat.Mzxid > rel:
				t = zk.NodeDataChanged
			case x.Kind == zk.ChildWatch && n.stat.Pzxid > rel:
				t = zk.NodeChildrenChanged
			default:
				w.arm(x.Path, x.Kind)
				continue
			}
			w.fx.Fired = append(w.fx.Fired, zk.Fired{Session: id, Event: zk.Event{Type: t, Path: x.Path}, Kinds: []zk.WatchKind{x.Kind}})
		}
	}
	return true, p.keep(w), nil
}

func (p *plain) Shutdown() error { return nil }

// drop forgets a session's watches, by path and kind.
func (w *work) drop(id zk.SessionID) {
	var mine []zk.ArmedAt
	w.watches = slices.DeleteFunc(w.watches, func(a zk.ArmedAt) bool {
		if a.Session == id {
			mine = append(mine, a)
		}
		return a.Session == id
	})
	slices.SortFunc(mine, func(a, b zk.ArmedAt) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Kind, b.Kind))
	})
	w.fx.Dropped = append(w.fx.Dropped, mine...)
}

// addAuth adds a credential to the connection.
func (w *work) addAuth(op zk.Op) zk.Result {
	sum := sha1.Sum(op.Auth.Data)
	id := strings.Split(string(op.Auth.Data), ":")[0] + ":" + base64.StdEncoding.EncodeToString(sum[:])
	if mine := w.sessions[w.id]; !slices.Contains(mine.ids, id) {
		mine.ids = append(slices.Clone(mine.ids), id)
		w.sessions[w.id] = mine
	}
	return zk.Result{}
}

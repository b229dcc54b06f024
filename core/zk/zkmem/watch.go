package zkmem

import (
	"cmp"
	"sort"

	"controllerscope/core/zk"
)

// watchKey names one entry of a watch set.
type watchKey struct {
	path string
	kind zk.WatchKind
}

// watcher is one session's entry in the list of a key. Lists are linked so that a session leaves them at no cost.
type watcher struct {
	session    *session
	prev, next *watcher
}

// watchList holds the watchers of one key by age. Between sessions a server promises no order; this one fires by age.
type watchList struct{ first, last *watcher }

// arm sets a watch and notes it in fx unless the session holds it already.
func (s *Store) arm(ss *session, path string, kind zk.WatchKind, fx *zk.Effects) {
	key := watchKey{path, kind}
	if _, held := ss.watches[key]; held {
		return
	}
	list := s.watches[key]
	if list == nil {
		list = &watchList{}
		s.watches[key] = list
	}
	w := &watcher{session: ss, prev: list.last}
	if list.last == nil {
		list.first = w
	} else {
		list.last.next = w
	}
	list.last = w
	ss.watches[key] = w
	fx.Armed = append(fx.Armed, zk.ArmedAt{Session: ss.id, Path: path, Kind: kind})
}

// disarm takes a session's watch away; it reports whether there was one.
func (s *Store) disarm(ss *session, key watchKey) bool {
	w := ss.watches[key]
	if w == nil {
		return false
	}
	list := s.watches[key]
	if w.prev == nil {
		list.first = w.next
	} else {
		w.prev.next = w.next
	}
	if w.next == nil {
		list.last = w.prev
	} else {
		w.next.prev = w.prev
	}
	if list.first == nil {
		delete(s.watches, key)
	}
	delete(ss.watches, key)
	return true
}

// fire uses up every watch of a key (WatchManager.triggerWatch). With also, a session's watch of that kind on the same
// path is used up by the same event. A session that may not read the node by acl loses the watch and hears nothing.
func (s *Store) fire(path string, kind, also zk.WatchKind, t zk.EventType, acl *aclList, fx *zk.Effects) {
	if len(s.watches) == 0 {
		return
	}
	key := watchKey{path, kind}
	list := s.watches[key]
	if list == nil {
		return
	}
	for w := list.first; w != nil; w = w.next {
		ss := w.session
		s.disarm(ss, key)
		kinds := []zk.WatchKind{kind}
		if also != 0 && s.disarm(ss, watchKey{path, also}) {
			kinds = append(kinds, also)
		}
		if acl.allows(permRead, ss.auth) {
			fx.Fired = append(fx.Fired, zk.Fired{Session: ss.id, Event: zk.Event{Type: t, Path: path}, Kinds: kinds})
			continue
		}
		for _, k := range kinds {
			fx.Dropped = append(fx.Dropped, zk.ArmedAt{Session: ss.id, Path: path, Kind: k})
		}
	}
}

func (s *Store) fireCreated(n *node, fx *zk.Effects) {
	s.fire(n.path, zk.DataWatch, 0, zk.NodeCreated, n.acl, fx)
	s.fire(n.parent.path, zk.ChildWatch, 0, zk.NodeChildrenChanged, n.parent.acl, fx)
}

func (s *Store) fireDeleted(n *node, fx *zk.Effects) {
	s.fire(n.path, zk.DataWatch, zk.ChildWatch, zk.NodeDeleted, n.acl, fx)
	s.fire(n.path, zk.ChildWatch, 0, zk.NodeDeleted, n.acl, fx)
	s.fire(n.parent.path, zk.ChildWatch, 0, zk.NodeChildrenChanged, n.parent.acl, fx)
}

// dropWatches forgets all watches of a connection, in order of path and kind.
func (s *Store) dropWatches(ss *session, fx *zk.Effects) {
	for _, a := range ss.armed() {
		s.disarm(ss, watchKey{a.Path, a.Kind})
		fx.Dropped = append(fx.Dropped, a)
	}
}

// armed lists the session's watches by path and kind.
func (ss *session) armed() []zk.ArmedAt {
	out := make([]zk.ArmedAt, 0, len(ss.watches))
	for key := range ss.watches {
		out = append(out, zk.ArmedAt{Session: ss.id, Path: key.path, Kind: key.kind})
	}
	sort.Slice(out, func(i, j int) bool { return compareArmed(out[i], out[j]) < 0 })
	return out
}

func compareArmed(a, b zk.ArmedAt) int {
	return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Session, b.Session))
}

// resetWatches is the server's half of SetWatches: the watches a client held before it was cut, judged by the present tree
// (DataTree.setWatches: data watches first, then those on missing nodes, then child watches).
func (s *Store) resetWatches(ss *session, relZxid int64, watches []zk.Watch, fx *zk.Effects) {
	for _, w := range watches {
		if w.Kind == zk.DataWatch && !w.Exists {
			n := s.lookup(w.Path)
			s.reset(ss, w, n == nil, n != nil && n.mzxid > relZxid, zk.NodeDataChanged, fx)
		}
	}
	for _, w := range watches {
		if w.Kind == zk.DataWatch && w.Exists {
			s.reset(ss, w, false, s.lookup(w.Path) != nil, zk.NodeCreated, fx)
		}
	}
	for _, w := range watches {
		if w.Kind == zk.ChildWatch {
			n := s.lookup(w.Path)
			s.reset(ss, w, n == nil, n != nil && n.pzxid > relZxid, zk.NodeChildrenChanged, fx)
		}
	}
}

// reset answers one watch of SetWatches: the node is gone, or has changed as t says, or the watch is armed again.
func (s *Store) reset(ss *session, w zk.Watch, gone, changed bool, t zk.EventType, fx *zk.Effects) {
	if gone {
		t = zk.NodeDeleted
	}
	if !gone && !changed {
		s.arm(ss, w.Path, w.Kind, fx)
		return
	}
	fx.Fired = append(fx.Fired,
		zk.Fired{Session: ss.id, Event: zk.Event{Type: t, Path: w.Path}, Kinds: []zk.WatchKind{w.Kind}})
}

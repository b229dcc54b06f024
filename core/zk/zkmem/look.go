package zkmem

import (
	"maps"
	"slices"
	"sort"

	"controllerscope/core/zk"
)

// Zxid is the last transaction.
func (s *Store) Zxid() int64 { return s.zxid }

// Walk visits every node of the tree in the order of their paths.
func (s *Store) Walk(visit func(path string, data []byte, stat zk.Stat)) {
	for _, path := range slices.Sorted(maps.Keys(s.nodes)) {
		n := s.nodes[path]
		visit(path, n.data, n.stat())
	}
}

// Len is the number of nodes.
func (s *Store) Len() int { return len(s.nodes) }

// Node shows one node as it stands.
func (s *Store) Node(path string) (data []byte, stat zk.Stat, found bool) {
	n := s.lookup(path)
	if n == nil {
		return nil, zk.Stat{}, false
	}
	return n.data, n.stat(), true
}

// Watches lists every watch the server holds, by path, kind and session.
func (s *Store) Watches() []zk.ArmedAt {
	var out []zk.ArmedAt
	for _, ss := range s.sessions {
		out = append(out, ss.armed()...)
	}
	sort.Slice(out, func(i, j int) bool { return compareArmed(out[i], out[j]) < 0 })
	return out
}

// WatchesOf lists the watches of one session's connection, by path and kind.
func (s *Store) WatchesOf(id zk.SessionID) []zk.ArmedAt {
	if ss := s.sessions[id]; ss != nil {
		return ss.armed()
	}
	return nil
}

// Session describes a session that is neither closed nor expired.
type Session struct {
	ID        zk.SessionID
	TimeoutMS int32
	Connected bool
}

// Sessions lists the sessions by id.
func (s *Store) Sessions() []Session {
	out := make([]Session, 0, len(s.sessions))
	for _, ss := range s.sessions {
		out = append(out, Session{ss.id, ss.timeoutMS, ss.connected})
	}
	sort.Slice(out, func(i, j int) bool { return out[i].ID < out[j].ID })
	return out
}

// Ephemerals lists the paths a session owns in the order in which its end will delete them.
func (s *Store) Ephemerals(id zk.SessionID) []string {
	ss := s.sessions[id]
	if ss == nil {
		return nil
	}
	paths := make([]string, 0, ss.ephemerals.count)
	for n := range ss.ephemerals.clone().all() {
		paths = append(paths, n.path)
	}
	return paths
}

package zkmem

import "controllerscope/core/zk"

// Close ends a session by its client's wish: one transaction deletes its ephemerals and fires watches, its own too; then
// the watches it has left are dropped. Closing a session that is gone does nothing.
func (s *Store) Close(now int64, id zk.SessionID) (zk.Effects, error) { return s.end(id), nil }

// Expire ends a session by the server's wish; the transaction is that of Close.
func (s *Store) Expire(now int64, id zk.SessionID) (zk.Effects, error) { return s.end(id), nil }

// end is the closeSession transaction (DataTree.killSession). The ephemerals go in the order of a clone of their HashSet.
func (s *Store) end(id zk.SessionID) zk.Effects {
	ss := s.sessions[id]
	if ss == nil {
		return zk.Effects{}
	}
	t := transaction{store: s, session: ss, zxid: s.draw()}
	t.fx.Zxid = t.zxid
	for n := range ss.ephemerals.clone().all() {
		t.remove(n)
	}
	t.finish()
	s.dropWatches(ss, &t.fx)
	delete(s.sessions, id)
	return t.fx
}

// Cut breaks a session's connection: its watches and credentials are gone, the session stays. WatchesOf tells before it
// what will go.
func (s *Store) Cut(id zk.SessionID) error {
	if ss := s.sessions[id]; ss != nil {
		s.cut(ss, &zk.Effects{})
	}
	return nil
}

func (s *Store) cut(ss *session, fx *zk.Effects) {
	s.dropWatches(ss, fx)
	ss.connected = false
	ss.auth = newAuth()
}

// Heal resumes a session on a new connection and sets the client's watches again; on a connection that is up it only sets
// the watches. Each watch on something that changed after relZxid fires at once instead of being armed: it stands in
// Fired with its kind though the server did not hold it. It takes no zxid.
func (s *Store) Heal(now int64, id zk.SessionID, relZxid int64, watches []zk.Watch) (bool, zk.Effects, error) {
	var fx zk.Effects
	ss := s.sessions[id]
	if ss == nil {
		return false, fx, nil
	}
	ss.connected = true
	s.resetWatches(ss, relZxid, watches, &fx)
	return true, fx, nil
}

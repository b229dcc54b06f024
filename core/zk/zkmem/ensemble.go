package zkmem

import "controllerscope/core/zk"

// Ensemble is several servers over one history: a leader, which is the Store itself, and followers that apply its
// transactions, at once or, while they lag, later. It shows what a client can see of an ensemble: reads from a follower
// that is behind, sync, a move to another server. Elections and the network between servers are not modelled.
type Ensemble struct {
	*Store
	followers []*follower
	home      map[zk.SessionID]int // 0, the leader, is left out
}

// follower is a server with a copy of the tree. Its sessions are all sessions; watches are those of its own.
type follower struct {
	*Store
	lags    bool
	pending []func(*Store) zk.Effects // transactions it has not applied, in order
}

// Ensemble makes a server the leader of an ensemble of that many servers, in its first epoch; nil if it has transactions of
// its own already. A tree that was planted in it has grown at the followers too.
func (s *Store) Ensemble(servers int) zk.Ensemble {
	if s.zxid != s.planted.zxid {
		return nil
	}
	e := &Ensemble{Store: s, home: map[zk.SessionID]int{}}
	for range servers - 1 {
		f := &follower{Store: New(s.options)}
		_ = f.Plant(s.planted.now, s.planted.nodes) // the leader took them
		e.followers = append(e.followers, f)
	}
	s.planted = planting{}
	e.Elect()
	return e
}

// Elect implements zk.Ensemble. A follower that lags hears of it when it catches up.
func (e *Ensemble) Elect() {
	e.epoch()
	e.commit(0, &zk.Effects{}, func(s *Store) zk.Effects {
		s.epoch()
		return zk.Effects{} // it fires nothing
	})
}

// epoch begins the next one.
func (s *Store) epoch() {
	const counter = 32 // bits of a zxid below the epoch
	s.zxid = (s.zxid>>counter + 1) << counter
}

// Servers implements zk.Ensemble.
func (e *Ensemble) Servers() int { return 1 + len(e.followers) }

// Server implements zk.Ensemble.
func (e *Ensemble) Server(id zk.SessionID) int { return e.home[id] }

// server is the store of a server.
func (e *Ensemble) server(n int) *Store {
	if n == 0 {
		return e.Store
	}
	return e.followers[n-1].Store
}

// catchUp applies what a follower has not applied yet. Only the watches it fires are news: the leader has shown the rest.
func (f *follower) catchUp(fx *zk.Effects) {
	for _, apply := range f.pending {
		mine := apply(f.Store)
		fx.Fired, fx.Dropped = append(fx.Fired, mine.Fired...), append(fx.Dropped, mine.Dropped...)
	}
	f.pending = nil
}

// commit hands a transaction of the leader to the followers. The server that asked for it applies it before it answers.
func (e *Ensemble) commit(asking int, fx *zk.Effects, apply func(*Store) zk.Effects) {
	for i, f := range e.followers {
		f.pending = append(f.pending, apply)
		if !f.lags || asking == i+1 {
			f.catchUp(fx)
		}
	}
}

// Lag implements zk.Ensemble.
func (e *Ensemble) Lag(server int, lags bool) (fx zk.Effects) {
	f := e.followers[server-1]
	if f.lags = lags; !lags {
		f.catchUp(&fx)
	}
	return fx
}

// Open implements zk.Store.
func (e *Ensemble) Open(now int64, timeoutMS int32) (zk.SessionID, int32, zk.Effects, error) {
	id, negotiated, fx, err := e.Store.Open(now, timeoutMS)
	e.commit(0, &fx, func(s *Store) zk.Effects {
		_, _, mine, _ := s.Open(now, timeoutMS) // an emulator always opens
		return mine
	})
	return id, negotiated, fx, err
}

// Apply implements zk.Store.
func (e *Ensemble) Apply(now int64, id zk.SessionID, op zk.Op) (zk.Result, zk.Effects, error) {
	home := e.home[id]
	if !op.Kind.IsWrite() && op.Kind != zk.Check {
		return e.ask(now, id, op, home)
	}
	ss := e.sessions[id]
	r, fx, err := e.Store.Apply(now, id, op)
	if fx.Zxid == 0 {
		if r.Err == zk.ConnectionLoss { // too large a request: the server breaks the connection
			_ = e.Cut(id) // an emulator always can
		}
		return r, fx, err
	}
	auth := ss.auth
	e.commit(home, &fx, func(s *Store) zk.Effects {
		mine := zk.Effects{Zxid: s.draw()}
		as := *s.sessions[id] // its connection, and the credentials on it, are elsewhere
		as.auth = auth
		s.write(now, &as, &op, &mine)
		return mine
	})
	return r, fx, err
}

// ask has the session's own server answer. Credentials go to the leader as well, which judges writes.
func (e *Ensemble) ask(now int64, id zk.SessionID, op zk.Op, home int) (zk.Result, zk.Effects, error) {
	var fx zk.Effects
	if op.Kind == zk.Sync && home != 0 {
		e.followers[home-1].catchUp(&fx)
	}
	r, mine, err := e.server(home).Apply(now, id, op)
	if op.Kind == zk.AddAuth && home != 0 {
		_, _, _ = e.Store.Apply(now, id, op) // as on the server that answered
	}
	mine.Fired, mine.Dropped = append(fx.Fired, mine.Fired...), append(fx.Dropped, mine.Dropped...)
	return r, mine, err
}

// Close implements zk.Store.
func (e *Ensemble) Close(now int64, id zk.SessionID) (zk.Effects, error) {
	fx := e.end(id)
	if fx.Zxid != 0 {
		e.commit(e.home[id], &fx, func(s *Store) zk.Effects { return s.end(id) })
	}
	delete(e.home, id)
	return fx, nil
}

// Expire implements zk.Store.
func (e *Ensemble) Expire(now int64, id zk.SessionID) (zk.Effects, error) { return e.Close(now, id) }

// CheckContainers implements zk.ContainerChecker.
func (e *Ensemble) CheckContainers(now int64) []zk.Effects {
	all := e.Store.CheckContainers(now)
	for i := range all {
		path := all[i].Nodes[0].Path
		e.commit(0, &all[i], func(s *Store) zk.Effects {
			t := transaction{store: s, zxid: s.draw(), now: now}
			t.remove(s.nodes[path])
			return t.fx
		})
	}
	return all
}

// Cut implements zk.Store.
func (e *Ensemble) Cut(id zk.SessionID) error {
	if home := e.home[id]; home != 0 {
		_ = e.server(home).Cut(id) // an emulator always can
	}
	return e.Store.Cut(id)
}

// Move implements zk.Ensemble.
func (e *Ensemble) Move(id zk.SessionID, server int, seen int64) bool {
	if s := e.server(server); s.zxid < seen || s.sessions[id] == nil {
		return false
	}
	e.home[id] = server
	return true
}

// Heal implements zk.Store. A client whose server is behind what it has seen goes to the leader.
func (e *Ensemble) Heal(now int64, id zk.SessionID, relZxid int64, watches []zk.Watch) (bool, zk.Effects, error) {
	home := e.home[id]
	if home != 0 && !e.Move(id, home, relZxid) {
		home = 0
		delete(e.home, id)
	}
	if home == 0 {
		return e.Store.Heal(now, id, relZxid, watches)
	}
	if ok, _, _ := e.Store.Heal(now, id, relZxid, nil); !ok { // the leader knows whether the session lives
		return false, zk.Effects{}, nil
	}
	return e.server(home).Heal(now, id, relZxid, watches)
}

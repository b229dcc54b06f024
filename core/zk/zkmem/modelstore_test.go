package zkmem

import (
	"slices"

	"controllerscope/core/zk"
)

// plainStore makes a zk.Store of the plain model. It holds nothing and knows no rule of ZooKeeper: the effects of a request
// are the difference between the model after it and before it.
type plainStore struct{ *plain }

// effects has the model do something for a session and tells what that changed.
func (s plainStore) effects(now int64, id zk.SessionID, what func()) (fx zk.Effects) {
	zxid, before := s.zxid, slices.Clone(s.watches)
	s.now, s.id, s.touched, s.told = now, id, nil, nil
	what()
	if fx.Fired = s.told; s.zxid != zxid {
		fx.Zxid = s.zxid
	}
	for i, path := range s.touched {
		if !slices.Contains(s.touched[:i], path) {
			n, there := s.nodes[path]
			fx.Nodes = append(fx.Nodes, zk.Node{Path: path, Gone: !there, Data: n.data, Stat: n.shown()})
		}
	}
	fx.Armed = without(s.watches, before)
	fx.Dropped = without(before, s.watches)
	slices.SortFunc(fx.Dropped, compareArmed)
	for _, f := range fx.Fired {
		for _, kind := range f.Kinds {
			fx.Dropped = without(fx.Dropped, []zk.ArmedAt{{Session: f.Session, Path: f.Event.Path, Kind: kind}})
		}
	}
	return fx
}

// without is a list without what is in another.
func without(list, other []zk.ArmedAt) (rest []zk.ArmedAt) {
	for _, w := range list {
		if !slices.Contains(other, w) {
			rest = append(rest, w)
		}
	}
	return rest
}

func (s plainStore) Open(now int64, ms int32) (id zk.SessionID, negotiated int32, fx zk.Effects, err error) {
	fx = s.effects(now, 0, func() { id, negotiated = s.open(ms) })
	return id, negotiated, fx, nil
}

func (s plainStore) Apply(now int64, id zk.SessionID, op zk.Op) (r zk.Result, fx zk.Effects, err error) {
	fx = s.effects(now, id, func() { r = s.request(op) })
	r.Zxid = s.zxid
	for i := range r.Results {
		if r.Err == zk.OK {
			r.Results[i].Zxid = s.zxid
		}
	}
	return r, fx, nil
}

func (s plainStore) Close(now int64, id zk.SessionID) (fx zk.Effects, err error) {
	if _, lives := s.owned[id]; lives {
		fx = s.effects(now, id, s.close)
	}
	return fx, nil
}

func (s plainStore) Expire(now int64, id zk.SessionID) (zk.Effects, error) { return s.Close(now, id) }

func (s plainStore) Cut(id zk.SessionID) error {
	if _, lives := s.owned[id]; lives {
		s.effects(0, id, s.cut)
	}
	return nil
}

func (s plainStore) Heal(now int64, id zk.SessionID, seen int64, watches []zk.Watch) (ok bool, fx zk.Effects, err error) {
	if _, ok = s.owned[id]; ok {
		fx = s.effects(now, id, func() { s.heal(seen, watches) })
	}
	return ok, fx, nil
}

func (s plainStore) Shutdown() error { return nil }

// sorted is an emulator whose dropped watches come in one order: nobody is told of them, so a model has none.
type sorted struct{ *Store }

func (s sorted) Apply(now int64, id zk.SessionID, op zk.Op) (zk.Result, zk.Effects, error) {
	r, fx, err := s.Store.Apply(now, id, op)
	slices.SortFunc(fx.Dropped, compareArmed)
	return r, fx, err
}

func (s sorted) Close(now int64, id zk.SessionID) (zk.Effects, error) {
	fx, err := s.Store.Close(now, id)
	slices.SortFunc(fx.Dropped, compareArmed)
	return fx, err
}

func (s sorted) Expire(now int64, id zk.SessionID) (zk.Effects, error) { return s.Close(now, id) }

package zkreal

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"controllerscope/core/zk"
	"controllerscope/core/zk/jute"
)

// ask executes a request on the server and returns its answer with the paths of the world.
func (s *Store) ask(ss *session, op zk.Op, request string) (zk.Result, error) {
	real := s.inside(op)
	for again := true; ; again = false {
		if err := s.ready(ss, op); err != nil {
			return zk.Result{}, err
		}
		res, what := s.send(ss, real)
		if what != lost {
			s.saw(ss, res.Zxid)
			return s.outside(op, res)
		}
		switch {
		case len(wireRequest(real).Append(nil)) > jute.MaxFrame:
			return zk.Result{Err: zk.ConnectionLoss}, s.park(ss)
		case op.Kind.IsWrite():
			return zk.Result{}, fmt.Errorf("%w: %s went away during %s, which may have been carried out; run again",
				ErrServer, s.servers[ss.member], request)
		case !again:
			return zk.Result{}, fmt.Errorf("%w: %s went away twice during %s", ErrServer, s.servers[ss.member], request)
		}
	}
}

// ready makes sure of the connection, and before a read that its server is not behind. A write is checked against all
// writes before it wherever it is sent.
func (s *Store) ready(ss *session, op zk.Op) error {
	if err := s.ensure(ss); err != nil {
		return err
	}
	if op.Kind.IsWrite() || s.applied[ss.member] >= s.zxids.last() {
		return nil
	}
	return s.flush(ss, s.zxids.last())
}

// send uses the library where it can. It cannot read the answer to a multi that makes containers, and it refuses paths
// and flags that a server would refuse too, which then takes a zxid.
func (s *Store) send(ss *session, op zk.Op) (zk.Result, outcome) {
	for _, o := range op.Ops {
		if o.Mode >= zk.Container {
			return ss.link.raw(op, patience)
		}
	}
	res, what := ss.link.do(op, patience)
	if what == refused {
		return ss.link.raw(op, patience)
	}
	return res, what
}

// inside is the request with the paths of the server. The root can neither be created nor deleted, which the run's folder
// and the server's root show just as well.
func (s *Store) inside(op zk.Op) zk.Op {
	switch {
	case op.Kind == zk.Multi:
		ops := make([]zk.Op, len(op.Ops))
		for i, o := range op.Ops {
			ops[i] = s.inside(o)
		}
		op.Ops = ops
		return op
	case op.Kind == zk.Delete && op.Path == "/":
		return op
	}
	return rooted(s.root, op)
}

// outside is the answer with the paths of the world.
func (s *Store) outside(op zk.Op, res zk.Result) (zk.Result, error) {
	var err error
	if op.Kind == zk.Sync && res.Err == zk.OK {
		res.Path = op.Path
	} else if res.Path != "" {
		res.Path, err = outside(s.root, res.Path)
	}
	for i := range res.Results {
		if p := res.Results[i].Path; p != "" && err == nil {
			res.Results[i].Path, err = outside(s.root, p)
		}
	}
	return res, err
}

// serversOwn reports the part of the tree that belongs to the server and has no counterpart in the run's folder.
func serversOwn(path string) bool {
	return path == "/zookeeper" || strings.HasPrefix(path, "/zookeeper/")
}

// own reports a request about that part. A sequential create of /zookeeper makes another node beside it.
func own(op zk.Op) bool {
	return serversOwn(op.Path) && !(op.Kind == zk.Create && op.Path == "/zookeeper" && sequential(op.Mode))
}

// ours are the watches that the server can hold.
func ours(watches []zk.Watch) []zk.Watch {
	return slices.DeleteFunc(slices.Clone(watches), func(w zk.Watch) bool { return serversOwn(w.Path) })
}

// possible refuses what a stepped run cannot do.
func possible(op zk.Op) error {
	if op.Kind == zk.Check {
		return errors.New("a check stands inside a multi only")
	}
	for _, o := range op.Ops {
		if own(o) {
			return fmt.Errorf("%s cannot be part of a multi: it belongs to the server, and a run is its guest", o.Path)
		}
	}
	return nil
}

func sequential(m zk.Mode) bool {
	return m == zk.PersistentSequential || m == zk.EphemeralSequential || m == zk.TTLSequential
}

// onMissing reports whether an armed watch was set on a missing node.
func onMissing(watches []zk.Watch, a zk.ArmedAt) bool {
	for _, w := range watches {
		if w.Path == a.Path && w.Kind == a.Kind {
			return w.Exists
		}
	}
	return false
}

// settle waits for the events of a transaction, compares them with the mirror's, keeps account of zxids and watches and
// returns the effects in the server's words. zxid 0 is for what was no transaction. ordered tells whether a session's
// events must come in the mirror's order: the server deletes a session's ephemerals in an order that depends on their full
// paths, and the mirror does not know the run's folder.
func (s *Store) settle(request string, mine zk.Effects, zxid int64, ordered bool) (zk.Effects, error) {
	if mine.Zxid != 0 {
		if !s.zxids.add(mine.Zxid, zxid) {
			return zk.Effects{}, &Difference{request, "zxid", hex(zxid), "a new one after " + hex(s.zxids.last())}
		}
		if err := s.barrier(zxid); err != nil {
			return zk.Effects{}, err
		}
	}
	for _, ss := range s.order {
		if ss.gone || ss.link == nil {
			continue
		}
		got, err := s.heard(ss)
		if err == nil {
			err = sameEvents(request, ss, got, mine.Fired, ordered)
		}
		if err != nil {
			return zk.Effects{}, err
		}
	}
	s.forget(mine)
	s.settled = s.zxids.last()
	return s.effects(mine)
}

// barrier waits until the events of a transaction are in, on every session that had a watch, in parallel.
func (s *Store) barrier(zxid int64) error {
	var waiting []*session
	for _, ss := range s.order {
		if ss.link == nil || len(ss.watches) == 0 || ss.seen >= zxid {
			continue
		}
		if err := s.ensure(ss); err != nil {
			return err
		}
		waiting = append(waiting, ss)
	}
	s.counts.Barriers += len(waiting)
	shown, errs := make([]int64, len(waiting)), make([]error, len(waiting))
	var all sync.WaitGroup
	for i, ss := range waiting {
		all.Go(func() { shown[i], errs[i] = s.readUntil(ss, zxid) })
	}
	all.Wait()
	for i, ss := range waiting {
		if errs[i] != nil {
			return errs[i]
		}
		s.saw(ss, shown[i])
	}
	return nil
}

// heard takes the session's watch events, with the paths of the world.
func (s *Store) heard(ss *session) ([]zk.Event, error) {
	if ss.link == nil {
		return nil, nil
	}
	events := ss.link.take()
	for i := range events {
		var err error
		if events[i].Path, err = outside(s.root, events[i].Path); err != nil {
			return nil, err
		}
	}
	return events, nil
}

// forget strikes out the watches that a transaction used up.
func (s *Store) forget(mine zk.Effects) {
	for _, f := range mine.Fired {
		for _, kind := range f.Kinds {
			delete(s.byMirror[f.Session].watches, watchKey{f.Event.Path, kind})
		}
	}
	for _, d := range mine.Dropped {
		delete(s.byMirror[d.Session].watches, watchKey{d.Path, d.Kind})
	}
}

// Package zkmem is ZooKeeper 3.8 as a pure zk.Store: one server's tree, sessions and watches, without a clock, a network or
// a disk. It shows what a real server shows through a client, to the last field of a Stat, and is compared with one by
// package zktest and by the recorded cases.
//
// A write goes through the server's two stages. Its checks (prep.go, PrepRequestProcessor) look at the tree and, in a
// multi, at what the operations before it will have changed; they yield changes. Then the changes are carried out
// (apply.go, DataTree) and fire watches. A refused write has drawn its zxid all the same.
//
// Data slices are shared between requests, the tree and answers: nobody may change one after handing it over.
package zkmem

import (
	"strings"

	"controllerscope/core/zk"
)

// Options of a server; the zero value is a server's defaults.
type Options struct {
	TickMS        int32 // tickTime, 2000 if 0: session timeouts are kept within 2 to 20 ticks
	ExtendedTypes bool  // zookeeper.extendedTypesEnabled: TTL nodes are allowed
}

// Store is the server. The zero value is not usable; see New.
type Store struct {
	options   Options
	zxid      int64 // the last transaction
	root      *node
	nodes     map[string]*node
	removable map[string]*node // containers and TTL nodes
	sessions  map[zk.SessionID]*session
	nextID    zk.SessionID
	watches   map[watchKey]*watchList
	planted   planting
}

// session is a session that is neither closed nor expired.
type session struct {
	id         zk.SessionID
	timeoutMS  int32
	connected  bool
	ephemerals *hashSet
	watches    map[watchKey]*watcher // of the connection
	auth       []identity            // of the connection
}

const (
	defaultTickMS = 2000
	// firstSession is the id of a server's first session: the upper byte is the server's id. A real server puts its start
	// time below that.
	firstSession zk.SessionID = 0x0100000000000000
)

// New is a fresh server.
func New(o Options) *Store {
	if o.TickMS == 0 {
		o.TickMS = defaultTickMS
	}
	s := &Store{
		options: o, nextID: firstSession,
		nodes: map[string]*node{}, removable: map[string]*node{},
		sessions: map[zk.SessionID]*session{}, watches: map[watchKey]*watchList{},
	}
	s.plant()
	return s
}

// Open makes a session. The timeout is kept within 2 to 20 ticks. It takes a zxid.
func (s *Store) Open(now int64, timeoutMS int32) (zk.SessionID, int32, zk.Effects, error) {
	for s.sessions[s.nextID] != nil { // it came with a tree
		s.nextID++
	}
	s.planted.nodes = nil // needed no more
	ss := &session{
		id: s.nextID, timeoutMS: min(max(timeoutMS, 2*s.options.TickMS), 20*s.options.TickMS), connected: true,
		ephemerals: newHashSet(ephemeralsCapacity), watches: map[watchKey]*watcher{}, auth: newAuth(),
	}
	s.nextID++
	s.sessions[ss.id] = ss
	return ss.id, ss.timeoutMS, zk.Effects{Zxid: s.draw()}, nil
}

// draw takes the next zxid.
func (s *Store) draw() int64 {
	s.zxid++
	return s.zxid
}

// Apply executes one request. A session that is closed or expired is answered SessionExpired, one whose connection is cut
// ConnectionLoss; neither takes a zxid. A request above the size limit breaks the connection: ConnectionLoss, the watches
// dropped, nothing applied.
func (s *Store) Apply(now int64, id zk.SessionID, op zk.Op) (zk.Result, zk.Effects, error) {
	var fx zk.Effects
	ss := s.sessions[id]
	switch {
	case ss == nil:
		return zk.Result{Err: zk.SessionExpired, Zxid: s.zxid}, fx, nil
	case !ss.connected:
		return zk.Result{Err: zk.ConnectionLoss, Zxid: s.zxid}, fx, nil
	case requestSize(&op) > maxRequest:
		s.cut(ss, &fx)
		return zk.Result{Err: zk.ConnectionLoss, Zxid: s.zxid}, fx, nil
	}
	var r zk.Result
	if op.Kind.IsWrite() || op.Kind == zk.Check {
		fx.Zxid = s.draw()
		r = s.write(now, ss, &op, &fx)
	} else {
		r = s.read(ss, &op, &fx)
	}
	r.Zxid = s.zxid
	return r, fx, nil
}

// read answers a request that changes nothing but the connection. Paths are not checked, so a bad one is simply not there.
func (s *Store) read(ss *session, op *zk.Op, fx *zk.Effects) zk.Result {
	switch op.Kind {
	case zk.Sync:
		return zk.Result{Path: op.Path}
	case zk.AddAuth:
		return zk.Result{Err: ss.addAuth(op.Auth)}
	case zk.Exists:
		return s.exists(ss, op, fx)
	case zk.Get, zk.Children, zk.GetACL:
	default:
		return zk.Result{Err: zk.Unimplemented}
	}
	n := s.lookup(op.Path)
	if n == nil {
		return zk.Result{Err: zk.NoNode}
	}
	need := permRead
	if op.Kind == zk.GetACL {
		need |= permAdmin
	}
	if !n.acl.allows(need, ss.auth) {
		return zk.Result{Err: zk.NoAuth}
	}
	r := zk.Result{Stat: n.stat()}
	switch op.Kind {
	case zk.Get:
		r.Data = n.data
		if op.Watch {
			s.arm(ss, op.Path, zk.DataWatch, fx)
		}
	case zk.Children:
		r.Children = n.childNames()
		if op.Watch {
			s.arm(ss, op.Path, zk.ChildWatch, fx)
		}
	case zk.GetACL:
		r.ACL = n.acl.shown(ss.auth)
	}
	return r
}

// exists needs no permission, and sets its watch on a missing node too.
func (s *Store) exists(ss *session, op *zk.Op, fx *zk.Effects) zk.Result {
	if strings.IndexByte(op.Path, 0) >= 0 {
		return zk.Result{Err: zk.BadArguments}
	}
	if op.Watch {
		s.arm(ss, op.Path, zk.DataWatch, fx)
	}
	n := s.lookup(op.Path)
	if n == nil {
		return zk.Result{Err: zk.NoNode}
	}
	return zk.Result{Stat: n.stat()}
}

// Shutdown has nothing to release.
func (s *Store) Shutdown() error { return nil }

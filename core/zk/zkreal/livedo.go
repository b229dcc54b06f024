package zkreal

import (
	"slices"
	"sync"
	"time"

	gozk "github.com/go-zookeeper/zk"

	"controllerscope/core/zk"
)

// Do sends the requests over the one connection without waiting for answers, in their order, and waits for all answers.
// A request that cannot be sent because the session has no connection is answered ConnectionLoss.
func (s *liveSession) Do(ops ...zk.Op) []zk.Result {
	s.o.Unlock()
	defer s.o.Lock()
	results := make([]zk.Result, len(ops))
	var all sync.WaitGroup
	s.sending.Lock()
	for i, op := range ops {
		conn, code := s.ready()
		if code == zk.OK && s.room != nil {
			s.room <- struct{}{}
			if conn, code = s.ready(); code != zk.OK {
				<-s.room
			}
		}
		if code != zk.OK {
			results[i].Err = code
			continue
		}
		s.queue(conn, op, &results[i], &all)
	}
	s.sending.Unlock()
	s.await(&all)
	return results
}

// ready is the connection, or why there is none.
func (s *liveSession) ready() (*gozk.Conn, zk.Code) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.conn == nil || s.state != zk.Connected {
		return nil, s.lossCode()
	}
	return s.conn, zk.OK
}

// lossCode is the answer to a request that got none. The caller holds mu.
func (s *liveSession) lossCode() zk.Code {
	switch s.state {
	case zk.Expired:
		return zk.SessionExpired
	case zk.ClosedState:
		return zk.Closed
	}
	return zk.ConnectionLoss
}

// queue starts one request and returns when it has been written, or has its result already. The library's calls block
// until they are answered, so each runs in a goroutine of its own; waiting for the write is what keeps their order.
func (s *liveSession) queue(conn *gozk.Conn, op zk.Op, res *zk.Result, all *sync.WaitGroup) {
	t := &ticket{written: make(chan struct{})}
	s.mu.Lock()
	s.writing = t
	s.mu.Unlock()
	done := make(chan struct{})
	all.Go(func() {
		defer close(done)
		*res = s.call(conn, op, t)
		if s.room != nil {
			<-s.room
		}
	})
	select {
	case <-done:
	case <-t.written:
	}
	s.mu.Lock()
	s.writing = nil
	s.mu.Unlock()
}

// call executes one request and returns its result in the terms of the tree under the chroot.
func (s *liveSession) call(conn *gozk.Conn, op zk.Op, t *ticket) zk.Result {
	chroot := s.o.Address.Chroot
	res, what := do(conn, rooted(chroot, op))
	s.mu.Lock()
	defer s.mu.Unlock()
	res.Zxid = t.zxid
	if what == lost {
		return zk.Result{Err: s.lossCode()}
	}
	unroot(chroot, &res)
	for i := range res.Results {
		unroot(chroot, &res.Results[i])
		res.Results[i].Zxid = res.Zxid
	}
	if op.Path == "/" {
		res.Children = slices.DeleteFunc(res.Children, func(name string) bool { return name == MarkNode })
	}
	return res
}

// rooted is the request with the chroot before its paths.
func rooted(chroot string, op zk.Op) zk.Op {
	if op.Kind == zk.Create && op.Path == "/" && sequential(op.Mode) {
		op.Path = chroot + "/"
	} else {
		op.Path = inside(chroot, op.Path)
	}
	op.Ops = slices.Clone(op.Ops)
	for i := range op.Ops {
		op.Ops[i] = rooted(chroot, op.Ops[i])
	}
	return op
}

// unroot takes the chroot off an answer's path.
func unroot(chroot string, res *zk.Result) {
	if path, err := outside(chroot, res.Path); res.Path != "" && err == nil {
		res.Path = path
	}
}

// nudgeEvery is how often a ping is sent while answers are missing. A ZooKeeper 3.8 server of an ensemble that gets a read
// right behind a sync or a write now and then leaves it lying until the next packet of the session; the library's own
// pings come only every third of the timeout.
const nudgeEvery = 250 * time.Millisecond

// await waits for the answers of a batch.
func (s *liveSession) await(all *sync.WaitGroup) {
	done := make(chan struct{})
	go func() { all.Wait(); close(done) }()
	t := time.NewTicker(nudgeEvery)
	defer t.Stop()
	for {
		select {
		case <-done:
			return
		case <-t.C:
			s.mu.Lock()
			w, up := s.wire, s.state == zk.Connected
			s.mu.Unlock()
			if up {
				w.ping()
			}
		}
	}
}

// Close ends the session at the server. Requests in flight are answered Closed; the owner hears nothing more. While the
// session has no connection the server learns nothing of it and ends the session when it expires.
func (s *liveSession) Close() {
	s.mu.Lock()
	if s.over() {
		s.mu.Unlock()
		return
	}
	s.state = zk.ClosedState
	close(s.quit)
	conn := s.conn
	s.mu.Unlock()
	if conn == nil {
		return
	}
	s.o.Unlock()
	defer s.o.Lock()
	conn.Close()
}

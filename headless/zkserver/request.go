package zkserver

import (
	"bytes"
	"errors"
	"time"

	"controllerscope/core/zk"
	"controllerscope/core/zk/jute"
)

// The reasons for which a connection is refused after its connect request.
var (
	errBehind = errors.New("zkserver: the client has seen a later transaction than this server")
	errGone   = errors.New("zkserver: the session is gone or the password is wrong")
	errClosed = errors.New("zkserver: the server is closed")
)

// connect opens or resumes a session (ZooKeeperServer.processConnectRequest).
func (s *Server) connect(c *conn, r jute.ConnectRequest) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed || s.fault != nil {
		return errClosed
	}
	c.received()
	if r.LastZxidSeen > s.lastZxid {
		return errBehind
	}
	ses, err := s.open(c, r)
	if err != nil {
		return err
	}
	answer := jute.ConnectResponse{HasReadOnly: r.HasReadOnly, Password: make([]byte, jute.PasswordLength)}
	if ses != nil {
		answer.TimeoutMS, answer.SessionID, answer.Password = ses.timeoutMS, ses.id, s.password(ses.id)
	}
	c.send(answer.Append)
	if ses == nil {
		c.finish()
		return errGone
	}
	return nil
}

// open gives the connection its session; nil without an error means that there is none to resume. The lock is held.
func (s *Server) open(c *conn, r jute.ConnectRequest) (*session, error) {
	at, timeout := now(), s.negotiate(r.TimeoutMS)
	ses := s.sessions[r.SessionID]
	switch {
	case r.SessionID == 0:
		id, _, fx, err := s.store.Open(at, timeout)
		if err != nil {
			s.failed(err)
			return nil, err
		}
		ses = &session{id: id}
		s.sessions[id] = ses
		s.deliver(fx)
	case ses == nil:
		return nil, nil
	default:
		if err := s.detach(ses); err != nil {
			return nil, err
		}
		if !bytes.Equal(r.Password, s.password(ses.id)) {
			return nil, nil
		}
		ok, fx, err := s.store.Heal(at, ses.id, 0, nil)
		if err != nil {
			s.failed(err)
			return nil, err
		}
		s.deliver(fx)
		if !ok {
			s.forget(ses)
			return nil, nil
		}
	}
	ses.timeoutMS, ses.conn, c.session = timeout, c, ses
	s.touch(ses, at)
	return ses, nil
}

// detach takes a session's connection away, if it has one: its watches go, the session stays. The lock is held.
func (s *Server) detach(ses *session) error {
	if ses.conn == nil {
		return nil
	}
	ses.conn.session = nil
	ses.conn.abort()
	ses.conn = nil
	if err := s.store.Cut(ses.id); err != nil {
		s.failed(err)
		return err
	}
	return nil
}

// dropped is called when a connection's reader ends, whatever the reason.
func (s *Server) dropped(c *conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c.session != nil && s.fault == nil && !s.closed {
		_ = s.detach(c.session) // a failing store has been noted by detach
	}
	c.mu.Lock()
	finishing := c.finished
	c.mu.Unlock()
	if !finishing {
		c.abort()
	}
}

// ended is called when a connection's writer ends, which is when the connection is closed.
func (s *Server) ended(c *conn) {
	c.abort()
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.conns, c)
}

// request executes one packet of a connection and queues its answer; false ends the connection.
func (s *Server) request(c *conn, r jute.Request) bool {
	start := time.Now()
	s.mu.Lock()
	defer s.mu.Unlock()
	ses := c.session
	if ses == nil || s.fault != nil {
		return false
	}
	at := now()
	s.touch(ses, at)
	c.received()
	res := zk.Result{Err: zk.Unimplemented}
	var fx zk.Effects
	var err error
	switch {
	case r.Code == jute.OpPing:
		res.Err = zk.OK
	case r.Code == jute.OpClose:
		fx, err = s.store.Close(at, ses.id)
		res.Err = zk.OK
	case r.Code == jute.OpSetWatches, r.Code == jute.OpSetWatches2:
		if len(r.Watches.Persistent)+len(r.Watches.Recursive) == 0 {
			_, fx, err = s.store.Heal(at, ses.id, r.Watches.RelativeZxid, r.Watches.Watches())
			res.Err = zk.OK
		}
	case r.Op.Kind != 0:
		res, fx, err = s.store.Apply(at, ses.id, r.Op)
	}
	if err != nil {
		s.failed(err)
		return false
	}
	if res.Err == zk.ConnectionLoss {
		return false // the store refused the request as too large, as a server does by closing the connection
	}
	s.deliver(fx)
	s.saw(res.Zxid)
	c.send(func(b []byte) []byte { return jute.AppendReply(b, r, s.lastZxid, res) })
	s.waits.add(time.Since(start))
	if r.Code == jute.OpClose {
		s.forget(ses)
	} else if r.Code == jute.OpAuth && res.Err != zk.OK {
		c.finish() // a server drops the connection of refused credentials, not its session
	}
	return true
}

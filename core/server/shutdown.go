package server

import (
	"errors"
	"slices"

	"controllerscope/core/env"
	"controllerscope/core/kafka"
	"controllerscope/core/request"
)

var errSocketTimeout = errors.New("controller.socket.timeout.ms passed without an answer")

// shutdown stops what has been started. It runs on the thread "shutdown", or on "startup" when the start-up failed.
// Closing the ZooKeeper session takes the registration and /controller away together. Kafka: KafkaServer.shutdown.
func (s *Server) shutdown() {
	s.stopping = true
	if s.complete && s.set.controlledShutdown {
		s.controlledShutdown()
	}
	s.setState(ShuttingDown)
	if s.configUp {
		s.config.Shutdown()
		for _, c := range s.changes {
			c.Shutdown()
		}
	}
	s.processing, s.waiting = false, nil
	if s.brokerUp {
		s.broker.Shutdown()
	}
	if s.controllerUp {
		s.controller.Shutdown()
	}
	if s.featuresUp {
		s.features.close()
	}
	s.zk.Close()
	s.complete = false
}

// controlledShutdown asks the controller to move leaderships away, a few times if need be; then the shutdown goes on
// either way. Kafka: KafkaServer.controlledShutdown.
func (s *Server) controlledShutdown() {
	s.setState(PendingControlledShutdown)
	c := &shutdownConn{s: s}
	for left := s.set.shutdownRetries; left > 0; left-- {
		outcome := c.attempt()
		if s.e.Tracing() {
			s.e.Note(env.Note{Kind: env.BrokerState, Entity: "broker " + s.id, Msg: "server.shutdown.controlled",
				Args: []env.Arg{env.A("attempt", env.Int(s.set.shutdownRetries-left+1)), env.A("controller", env.Int(c.id())), env.A("outcome", outcome)}})
		}
		if outcome == kafka.NONE.Error() {
			break
		}
		if left > 1 {
			s.e.Sleep("shutdown-backoff", s.set.shutdownBackoffMS)
		}
	}
	c.close()
}

// shutdownConn is the connection to the controller over several attempts: it is made anew when the controller or its
// address changed, or after it broke.
type shutdownConn struct {
	s      *Server
	to     *kafka.Broker
	conn   request.Conn
	broken bool
}

func (c *shutdownConn) id() kafka.BrokerID {
	if c.to == nil {
		return kafka.NoBroker
	}
	return c.to.ID
}

// attempt makes one try and says how it went; NONE is success: no error and no partition left.
func (c *shutdownConn) attempt() string {
	if err := c.find(); err != nil {
		return err.Error()
	}
	if c.to == nil {
		return "no controller"
	}
	answer, err := c.ask()
	r, ok := answer.(request.ControlledShutdownResponse)
	switch {
	case err != nil:
		c.broken = true
		return err.Error()
	case answer.TopError() != kafka.NONE:
		return answer.TopError().Error()
	case ok && len(r.Remaining) > 0:
		return "partitions remain"
	}
	return kafka.NONE.Error()
}

// find reads who the controller is and where; without an answer to that it keeps the one it had.
func (c *shutdownConn) find() error {
	id, err := c.s.zk.GetControllerID()
	if err != nil || id == kafka.NoBroker {
		return err
	}
	info, found, err := c.s.zk.GetBroker(id)
	if err != nil || !found {
		return err
	}
	if c.broken || c.to == nil || c.to.ID != id || !slices.Equal(c.to.Endpoints, info.Endpoints) {
		c.close()
		to := info.Broker
		c.to, c.broken = &to, false
		c.conn = request.Conn{To: id, Address: c.address(to), Purpose: "shutdown", Ordinal: c.conn.Ordinal + 1}
	}
	return nil
}

func (c *shutdownConn) address(b kafka.Broker) kafka.Endpoint {
	for _, e := range b.Endpoints {
		if e.Listener == c.s.set.listener {
			return e
		}
	}
	if len(b.Endpoints) > 0 {
		return b.Endpoints[0]
	}
	return kafka.Endpoint{}
}

// ask sends the request and waits for its answer, at most controller.socket.timeout.ms.
func (c *shutdownConn) ask() (answer request.Response, err error) {
	done := false
	finish := func(r request.Response, e error) {
		if !done {
			answer, err, done = r, e, true
		}
	}
	cancel := c.s.e.After(env.Timer{Name: "controller-socket", MS: c.s.set.socketTimeoutMS, Quiet: true}, func() { finish(nil, errSocketTimeout) })
	c.s.requests++
	epoch := c.s.epoch
	if c.s.set.protocol < kafka.V2_2_IV0 { // version 1 of the request has no epoch
		epoch = kafka.UnknownBrokerEpoch
	}
	c.s.net.Send(c.conn, "s"+itoa(c.s.requests), request.ControlledShutdown{BrokerID: c.s.cfg.ID, BrokerEpoch: epoch}, finish)
	c.s.e.Wait("controlled-shutdown", func() bool { return done })
	cancel()
	return answer, err
}

func (c *shutdownConn) close() {
	if c.to != nil {
		c.s.net.Drop(c.conn)
	}
}

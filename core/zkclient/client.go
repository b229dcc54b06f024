// Package zkclient is Kafka's conversation with ZooKeeper: pipelined batches with retries, handlers of watch events, the
// life of a session, fencing by the controller epoch, and one method per thing that Kafka asks for. It mirrors
// kafka.zookeeper.ZooKeeperClient and kafka.zk.KafkaZkClient of Kafka 2.8.2.
package zkclient

import (
	"errors"
	"fmt"

	"controllerscope/core/env"
	"controllerscope/core/kafka"
	"controllerscope/core/zk"
)

// Options of a client. TimeoutMS is the session timeout asked for. ConnectionTimeoutMS bounds the wait for the first
// connection; 0 means TimeoutMS. MaxInFlight is zookeeper.max.in.flight.requests, 0 is no limit.
type Options struct {
	Client              string // its name in the world document: the broker id, or "admin"
	TimeoutMS           int32
	ConnectionTimeoutMS int64
	MaxInFlight         int
}

// Client is the ZooKeeper client of one process; all its threads share it. It implements zk.Owner. After an expiry it
// opens the next session by itself.
type Client struct {
	e    env.Env
	conn zk.Connector
	o    Options

	session        zk.Session
	state          zk.State
	reinitializing bool
	// registeredIn is the session in which this process last registered its broker, 0 before that.
	// Kafka: KafkaZkClient.currentZooKeeperSessionId.
	registeredIn zk.SessionID

	changeHandlers map[string]ZNodeChangeHandler
	childHandlers  map[string]func()
	stateHandlers  []StateChangeHandler
}

// StateChangeHandler hears of a session's end and of the next one's beginning. BeforeInitializingSession may block;
// AfterInitializingSession runs without waiting for the connection. Either may be nil. Kafka: StateChangeHandler.
type StateChangeHandler struct {
	Name                      string
	BeforeInitializingSession func()
	AfterInitializingSession  func()
}

// ErrClientExpired says that the session ended while a request waited for the connection; ErrClientTimeout, that the first
// connection did not come in time. Kafka: ZooKeeperClientExpiredException, ZooKeeperClientTimeoutException.
var (
	ErrClientExpired = errors.New("the ZooKeeper session expired while waiting for the connection")
	ErrClientTimeout = errors.New("timed out waiting for the connection to ZooKeeper")
)

// New makes a client that is not connected yet.
func New(e env.Env, conn zk.Connector, o Options) *Client {
	if o.ConnectionTimeoutMS == 0 {
		o.ConnectionTimeoutMS = int64(o.TimeoutMS)
	}
	return &Client{e: e, conn: conn, o: o, changeHandlers: map[string]ZNodeChangeHandler{}, childHandlers: map[string]func(){}}
}

// Connect opens the session and waits for the connection; without one in time it closes the session again and returns
// ErrClientTimeout. Kafka: the constructor of ZooKeeperClient.
func (c *Client) Connect() error {
	c.open()
	timedOut := false
	cancel := c.e.After(env.Timer{Name: "zk-connect", MS: c.o.ConnectionTimeoutMS, Quiet: true}, func() { timedOut = true })
	c.e.Wait("zk-connect", func() bool { return timedOut || c.state != zk.Connecting && c.state != zk.Disconnected })
	cancel()
	switch c.state {
	case zk.Connected:
		return nil
	case zk.Expired, zk.ClosedState:
		c.Close()
		return ErrClientExpired
	}
	c.Close()
	return ErrClientTimeout
}

func (c *Client) open() {
	c.state = zk.Connecting
	c.session = c.conn.Open(c, zk.Options{TimeoutMS: c.o.TimeoutMS, MaxInFlight: c.o.MaxInFlight})
}

// Close forgets all handlers and ends the session. Kafka: ZooKeeperClient.close.
func (c *Client) Close() {
	c.stateHandlers = nil
	if len(c.changeHandlers)+len(c.childHandlers) > 0 {
		clear(c.changeHandlers)
		clear(c.childHandlers)
		if c.e.Tracing() {
			c.e.Note(env.Note{Kind: env.CtxSet, Msg: "zkclient.handler.clear", Changes: []env.Change{env.Unset("handler", c.o.Client)}})
		}
	}
	c.state = zk.ClosedState // whoever waits for the connection gives up, and no expiry opens another session
	if c.session != nil {
		c.session.Close()
	}
}

// SessionID is the id of the current session, 0 before the first connection.
func (c *Client) SessionID() zk.SessionID {
	if c.session == nil {
		return 0
	}
	return c.session.ID()
}

// State is the state of the current session's connection.
func (c *Client) State() zk.State { return c.state }

// RegisterStateChangeHandler adds h, replacing one of the same name. Handlers run in the order of their registration.
func (c *Client) RegisterStateChangeHandler(h StateChangeHandler) {
	c.UnregisterStateChangeHandler(h.Name)
	c.stateHandlers = append(c.stateHandlers, h)
}

// UnregisterStateChangeHandler removes the handler of that name, if any.
func (c *Client) UnregisterStateChangeHandler(name string) {
	for i, h := range c.stateHandlers {
		if h.Name == name {
			c.stateHandlers = append(c.stateHandlers[:i:i], c.stateHandlers[i+1:]...)
			return
		}
	}
}

// StateChanged implements zk.Owner. An expiry starts the thread "zk-reinit"; a closed client hears nothing any more.
func (c *Client) StateChanged(s zk.State) {
	if c.state == zk.ClosedState {
		return
	}
	c.state = s
	c.noteSession(s)
	if s == zk.Expired && !c.reinitializing {
		c.reinitializing = true
		c.e.Go("zk-reinit", c.reinitialize)
	}
}

func (c *Client) noteSession(s zk.State) {
	keys := map[zk.State]string{zk.Connected: "zkclient.session.connected", zk.Disconnected: "zkclient.session.disconnected",
		zk.Expired: "zkclient.session.expired"}
	if key, known := keys[s]; known {
		c.note(key)
	}
}

func (c *Client) note(key string) {
	if c.e.Tracing() {
		c.e.Note(env.Note{Kind: env.SessionLearn, Entity: "session " + c.o.Client, Msg: key,
			Args: []env.Arg{env.A("client", c.o.Client)}, IDs: env.IDs{Session: env.Session(int64(c.SessionID()))}})
	}
}

// reinitialize runs after an expiry: the handlers' before-part, a new session, the handlers' after-part. So no new session
// exists before the work of the old one has ended. Should the new session expire before it is done, it runs again.
// Kafka: ZooKeeperClient.reinitialize.
func (c *Client) reinitialize() {
	for c.state == zk.Expired {
		for _, h := range c.copyOfStateHandlers() {
			if h.BeforeInitializingSession != nil {
				h.BeforeInitializingSession()
			}
		}
		if c.state == zk.ClosedState {
			break
		}
		c.note("zkclient.session.reinitialize")
		c.open()
		for _, h := range c.copyOfStateHandlers() {
			if h.AfterInitializingSession != nil {
				h.AfterInitializingSession()
			}
		}
	}
	c.reinitializing = false
}

func (c *Client) copyOfStateHandlers() []StateChangeHandler {
	return append([]StateChangeHandler(nil), c.stateHandlers...)
}

// waitUntilConnected blocks, without limit, until the connection is there. It fails once the session has expired or was
// closed and no next one exists. Kafka: ZooKeeperClient.waitUntilConnected.
func (c *Client) waitUntilConnected() error {
	if c.state != zk.Connected {
		c.note("zkclient.session.waiting")
	}
	c.e.Wait("zk-connected", func() bool { return c.state != zk.Connecting && c.state != zk.Disconnected })
	if c.state != zk.Connected {
		return fmt.Errorf("%w (state %s)", ErrClientExpired, c.state)
	}
	return nil
}

// Dump sets the leaves that the notes of this client have written: its handlers.
func (c *Client) Dump(d env.Dump) {
	for _, path := range kafka.SortedKeys(c.changeHandlers) {
		d.Set(true, c.handlerPath(zk.DataWatch, path)...)
	}
	for _, path := range kafka.SortedKeys(c.childHandlers) {
		d.Set(true, c.handlerPath(zk.ChildWatch, path)...)
	}
}

package live

import (
	"errors"
	"fmt"
	"net"
	"strconv"
	"sync"
	"time"

	"controllerscope/core/env"
	"controllerscope/core/kafka"
	"controllerscope/core/server"
	"controllerscope/core/zk/zkmem"
	"controllerscope/core/zk/zkreal"
	"controllerscope/headless/zkserver"
)

// ErrPort is wrapped by the error for a port that cannot be listened on.
var ErrPort = errors.New("cannot listen")

// Config is what a cluster is started with.
type Config struct {
	Brokers    []kafka.BrokerID
	ZK         string            // connection string; "" is the emulator in this process
	ListenBase int               // broker N listens on 127.0.0.1:ListenBase+N; 0 takes free ports
	Props      map[string]string // server.properties of all brokers
	// Record makes the recorder. It is called once the configuration, ZooKeeper and the ports are in order, so that a start
	// that fails writes nothing; nil records nothing.
	Record func() (*Recorder, error)
	// Hear hears the notes of all brokers, each broker's under its own lock, so several at a time; nil for nobody.
	Hear func(broker kafka.BrokerID, lane string, n env.Note)
}

// Cluster is the brokers of one operating-system process. Stop must be called.
type Cluster struct {
	Brokers  []*Broker
	Recorder *Recorder // nil without a recording
	emulator *zkserver.Server
}

// Start checks ZooKeeper, takes the ports and starts the brokers. Errors wrap zkreal.ErrServer or ErrPort when something
// outside is missing; any other is a fault of the configuration, also zkreal.ErrNotOurs.
func Start(c Config) (*Cluster, error) {
	if err := server.CheckProps(c.Props); err != nil {
		return nil, err
	}
	cluster := &Cluster{}
	address, dial, err := cluster.zookeeper(c.ZK)
	if err != nil {
		return nil, err
	}
	listeners, err := listen(c)
	if err == nil && c.Record != nil {
		if cluster.Recorder, err = c.Record(); err != nil {
			closeAll(listeners)
		}
	}
	if err != nil {
		return nil, errors.Join(err, cluster.closeEmulator())
	}
	for i, id := range c.Brokers {
		var hear Hear
		if c.Hear != nil {
			hear = func(lane string, n env.Note) { c.Hear(id, lane, n) }
		}
		cluster.Brokers = append(cluster.Brokers, StartBroker(BrokerConfig{ID: id, Listener: listeners[i], Props: c.Props,
			Address: address, Dial: dial, Recorder: cluster.Recorder, Hear: hear}))
	}
	return cluster, nil
}

// zookeeper is a real ensemble with our mark in its chroot, or the emulator over a pipe.
func (c *Cluster) zookeeper(connect string) (zkreal.Address, zkreal.Dialer, error) {
	if connect != "" {
		a, err := zkreal.ParseAddress(connect)
		if err == nil {
			err = zkreal.Prepare(a, nil)
		}
		return a, nil, err
	}
	c.emulator = zkserver.New(zkmem.New(zkmem.Options{}), zkserver.Options{})
	return zkreal.Address{Servers: []string{"127.0.0.1:2181"}},
		func(string, string, time.Duration) (net.Conn, error) { return c.emulator.Dial() }, nil
}

func (c *Cluster) closeEmulator() error {
	if c.emulator == nil {
		return nil
	}
	return c.emulator.Close()
}

// listen takes one port a broker, all of them or none.
func listen(c Config) ([]net.Listener, error) {
	var out []net.Listener
	for _, id := range c.Brokers {
		port := 0
		if c.ListenBase != 0 {
			port = c.ListenBase + int(id)
		}
		l, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
		if err != nil {
			closeAll(out)
			return nil, fmt.Errorf("broker %d: %w: %v; choose another --listen-base", id, ErrPort, err)
		}
		out = append(out, l)
	}
	return out, nil
}

func closeAll(listeners []net.Listener) {
	for _, l := range listeners {
		l.Close()
	}
}

// Controller is the broker of this cluster that takes itself for the controller, nil when none does.
func (c *Cluster) Controller() *Broker {
	for _, b := range c.Brokers {
		active := false
		b.See(func(s *server.Server) { active = s.Controller().IsActive() && s.State() == server.Running })
		if active && !b.over() {
			return b
		}
	}
	return nil
}

// over reports whether the process is no more.
func (b *Broker) over() bool {
	select {
	case <-b.ended:
		return true
	default:
		return false
	}
}

// How long a broker may take to stop: with a connection to ZooKeeper, and without one.
const (
	stopLimit = 2 * time.Minute
	cutLimit  = 5 * time.Second
)

// Stop shuts the brokers down as SIGTERM does, the controller last, so that it can relieve the others of their
// leaderships, and returns when all have ended. A broker that cannot end because ZooKeeper is gone is killed; the error
// names it and wraps zkreal.ErrServer.
func (c *Cluster) Stop() error {
	last := c.Controller()
	var all sync.WaitGroup
	errs := make([]error, len(c.Brokers)+1)
	for i, b := range c.Brokers {
		if b != last {
			all.Go(func() { errs[i] = b.stop() })
		}
	}
	all.Wait()
	if last != nil {
		errs[len(c.Brokers)] = last.stop()
	}
	return errors.Join(errors.Join(errs...), c.closeEmulator())
}

func (b *Broker) stop() error {
	b.Stop()
	begun := time.NewTimer(cutLimit)
	limit := time.NewTimer(stopLimit)
	defer begun.Stop()
	defer limit.Stop()
	for {
		select {
		case <-b.ended:
			return nil
		case <-begun.C:
			if b.zk.connected() {
				begun.Reset(cutLimit)
				continue
			}
		case <-limit.C:
		}
		b.Kill()
		return fmt.Errorf("%w: broker %s could not shut down and was killed; its session is left to expire", zkreal.ErrServer, b.name)
	}
}

// Package server is one Kafka process: a ZooKeeper session, a broker, a controller, the dynamic configuration and the
// handlers of API requests, with the start-up and the shutdown of Kafka 2.8.2. It is the same in the world and live.
//
// Threads: startup, shutdown, controller, config, feature, zk-reinit, and api-N for each request that may block.
package server

import (
	"errors"

	"controllerscope/core/admin"
	"controllerscope/core/broker"
	"controllerscope/core/controller"
	"controllerscope/core/dynconfig"
	"controllerscope/core/env"
	"controllerscope/core/kafka"
	"controllerscope/core/request"
	"controllerscope/core/zk"
	"controllerscope/core/zkclient"
	"controllerscope/core/zkdata"
)

// Config is what a process is started with.
type Config struct {
	ID        kafka.BrokerID
	Endpoints []kafka.Endpoint  // advertised listeners
	Rack      string            // broker.rack, "" for none
	Props     map[string]string // the rest of server.properties, under Kafka's names
	Disk      *broker.Disk      // survives the process
	// Registered hears of the broker epoch of each registration; nil for nobody.
	Registered func(epoch int64)
}

// State is a broker's state. Kafka: org.apache.kafka.metadata.BrokerState.
type State int8

const (
	NotRunning                State = 0
	Starting                  State = 1
	Recovery                  State = 2
	Running                   State = 3
	PendingControlledShutdown State = 6
	ShuttingDown              State = 7
)

var stateNames = map[State]string{NotRunning: "NOT_RUNNING", Starting: "STARTING", Recovery: "RECOVERY", Running: "RUNNING",
	PendingControlledShutdown: "PENDING_CONTROLLED_SHUTDOWN", ShuttingDown: "SHUTTING_DOWN"}

func (s State) String() string { return stateNames[s] }

// Server is one process. Kafka: KafkaServer.
type Server struct {
	cfg  Config
	set  settings
	bad  error // what is wrong with Props
	e    env.Env
	id   string
	info zkdata.BrokerInfo

	zk         *zkclient.Client
	broker     *broker.Broker
	controller *controller.Controller
	config     *dynconfig.Manager
	changes    []*dynconfig.Changes // of ACLs and tokens, where there are any
	features   *featureListener
	dynamic    dynamicConfig
	passwords  *dynconfig.PasswordEncoder
	clusterID  string
	admin      *admin.Manager
	net        request.Net

	state    State
	up       bool
	epoch    int64 // of the own registration, 0 before it. Kafka: KafkaController.brokerEpoch
	exited   bool
	exit     string // why the process ended by itself
	starting bool
	complete bool // startupComplete
	stopping bool

	// What has been started, in the order of start-up; shutdown stops only these.
	featuresUp, brokerUp, controllerUp, configUp bool

	processing bool            // requests are processed
	waiting    []received      // came before that
	handlers   map[string]bool // names of the running api threads
	requests   int64
}

// New makes a process that does nothing before Start.
func New(cfg Config, e env.Env, conn zk.Connector, net request.Net) *Server {
	set, err := parseSettings(cfg.Props)
	s := &Server{cfg: cfg, set: set, bad: err, e: e, id: cfg.ID.String(), net: net, handlers: map[string]bool{},
		info: zkdata.DefaultBrokerInfo(kafka.Broker{ID: cfg.ID, Endpoints: cfg.Endpoints, Rack: cfg.Rack})}
	if set.protocol < kafka.V2_7_IV0 {
		s.info.Version = 4
	}
	s.zk = zkclient.New(e, conn, zkclient.Options{Client: s.id, TimeoutMS: set.sessionTimeoutMS,
		ConnectionTimeoutMS: set.connectTimeoutMS, MaxInFlight: set.maxInFlight})
	s.features = &featureListener{e: e, zk: s.zk, version: -1, failed: s.fatal}
	var isrs broker.ISRStore
	if set.protocol < kafka.V2_7_IV2 {
		isrs = isrStore{s.zk, set.order}
	}
	s.broker = broker.New(broker.Config{ID: cfg.ID, Listener: set.listener, ReplicaLagTimeMaxMS: set.lagTimeMaxMS,
		FetchBackoffMS: set.fetchBackoffMS, SocketTimeoutMS: set.socketTimeoutMS, Fetching: set.autoAlterIsr, BrokerEpoch: func() int64 { return s.epoch },
		TopicConfig: s.readTopicConfig, ISRs: isrs, LogDirFailed: func() error { return s.zk.PropagateLogDirEvent(cfg.ID) }, Halt: s.end}, e, net, cfg.Disk)
	s.controller = controller.New(controller.Config{BrokerID: cfg.ID, Protocol: set.protocol, Listener: set.listener, AutoLeaderRebalance: set.autoRebalance,
		LeaderImbalancePercentage: set.imbalancePercent, LeaderImbalanceCheckIntervalSeconds: set.imbalanceSeconds,
		UncleanLeaderElection: set.unclean, DeleteTopic: set.deleteTopic, Order: set.order, RegisterBroker: s.register,
		FeatureVersion: func() int32 { return s.features.version }}, e, s.zk, net)
	s.passwords = s.passwordEncoder("password.encoder.secret")
	s.config = dynconfig.New(e, s.zk, cfg.ID, s.configHandlers())
	s.changes = dynconfig.InertChanges(e, s.zk, cfg.ID, cfg.Props)
	s.admin = admin.New(admin.Config{BrokerID: cfg.ID, NumPartitions: set.numPartitions, ReplicationFactor: set.replicationFactor,
		DeleteTopic: set.deleteTopic, TimeoutMS: set.requestTimeoutMS,
		TopicIDs: set.protocol >= kafka.V2_8_IV0, QueuedForDeletion: s.controller.IsQueuedUpForDeletion, ValidateBroker: s.validateBroker, Passwords: s.passwords}, e, s.zk, s.broker)
	return s
}

// Start begins the start-up on the thread "startup".
func (s *Server) Start() {
	s.up, s.starting = true, true
	s.setState(Starting, env.Set(true, "broker", s.id, "up"), env.Unset("broker", s.id, "exit"))
	s.e.Go("startup", s.startup)
}

// Stop begins the shutdown on the thread "shutdown". A process that is still starting up cannot be shut down: it ends as
// it stands, and its session lingers. Kafka: the shutdown hook with KafkaServer.shutdown.
func (s *Server) Stop() {
	if s.starting {
		s.end("Kafka server is still starting up, cannot shut down!")
		return
	}
	s.hook("")
}

// fatal ends the process as a thread with a fatal error does: the hook shuts it down, as SIGTERM would, if it had started.
// Kafka: FatalExitError in ShutdownableThread.run, Exit.exit.
func (s *Server) fatal(err error) {
	if s.starting {
		s.end(err.Error())
		return
	}
	s.hook(err.Error())
}

// hook shuts a started process down; why is "" after SIGTERM.
func (s *Server) hook(why string) {
	if !s.exited && !s.stopping {
		s.e.Go("shutdown", func() { s.shutdown(); s.end(why) })
	}
}

// Exited reports whether the process has ended by itself, and why; after a normal stop why is "".
func (s *Server) Exited() (done bool, why string) { return s.exited, s.exit }

// State is the broker's state.
func (s *Server) State() State { return s.state }

// Epoch is the broker epoch of the process's own registration, 0 before it.
func (s *Server) Epoch() int64 { return s.epoch }

// ControllerID is the controller that the process's metadata cache names: where an admin client is sent.
func (s *Server) ControllerID() kafka.BrokerID { return s.broker.ActiveController() }

// Controller, Broker and Config are the parts of the process.
func (s *Server) Controller() *controller.Controller { return s.controller }
func (s *Server) Broker() *broker.Broker             { return s.broker }
func (s *Server) Config() *dynconfig.Manager         { return s.config }

func (s *Server) setState(state State, changes ...env.Change) {
	s.state = state
	if s.e.Tracing() {
		s.e.Note(env.Note{Kind: env.BrokerState, Entity: "broker " + s.id, Msg: "server.state",
			Args:    []env.Arg{env.A("state", state.String()), env.A("value", env.Int(state))},
			Changes: append([]env.Change{env.Set(env.Int(state), "broker", s.id, "state")}, changes...)})
	}
}

// register writes the registration of this process and keeps its czxid as the broker epoch.
// Kafka: KafkaZkClient.registerBroker as KafkaServer.startup and processRegisterBrokerAndReelect call it.
func (s *Server) register() (int64, error) {
	epoch, err := s.zk.RegisterBroker(s.info)
	if err != nil {
		return 0, err
	}
	s.epoch = epoch
	if s.cfg.Registered != nil {
		s.cfg.Registered(epoch)
	}
	if s.e.Tracing() {
		s.e.Note(env.Note{Kind: env.BrokerState, Entity: "broker " + s.id, Msg: "server.registered",
			Args:    []env.Arg{env.A("epoch", env.Zxid(epoch))},
			Changes: []env.Change{env.Set(env.Zxid(epoch), "broker", s.id, "epoch")}})
	}
	return epoch, nil
}

// readTopicConfig reads the config that a log is created with. Where the session ends meanwhile Kafka gives up.
func (s *Server) readTopicConfig(topic string) error {
	for {
		_, err := s.zk.GetEntityConfigs(zkdata.ConfigTypeTopics, topic)
		ended := errors.Is(err, zkclient.ErrClientExpired) || errors.Is(err, zk.SessionExpired)
		if !ended || s.stopping || !s.e.Fix(env.FixLogConfig) {
			return err
		}
		s.e.Wait("connection", func() bool { return s.stopping || s.zk.State() == zk.Connected })
	}
}

// end says that the process is no more. Whoever runs it takes it away.
func (s *Server) end(why string) {
	if s.exited {
		return
	}
	s.exited, s.exit, s.processing, s.up = true, why, false, false
	changes := []env.Change{env.Set(false, "broker", s.id, "up")}
	if why != "" {
		changes = append(changes, env.Set(why, "broker", s.id, "exit"))
	}
	s.state = NotRunning
	if s.e.Tracing() {
		s.e.Note(env.Note{Kind: env.BrokerState, Entity: "broker " + s.id, Msg: "server.exit", Args: []env.Arg{env.A("why", why)},
			Changes: append(changes, env.Set(env.Int(NotRunning), "broker", s.id, "state"))})
	}
}

// Dump adds every leaf of the document that this process owns.
func (s *Server) Dump(d env.Dump) {
	d.Set(env.Int(s.state), "broker", s.id, "state")
	d.Set(s.up, "broker", s.id, "up")
	if s.epoch != 0 {
		d.Set(env.Zxid(s.epoch), "broker", s.id, "epoch")
	}
	if s.exit != "" {
		d.Set(s.exit, "broker", s.id, "exit")
	}
	s.broker.Dump(d)
	s.zk.Dump(d)
	s.controller.Dump(d)
	s.config.Dump(d)
	for _, c := range s.changes {
		c.Dump(d)
	}
	s.dumpLayers(d)
}

// Messages documents the keys of this package's notes.
var Messages = []env.Message{
	{Key: "server.state", Src: "server.(*Server).setState", Kafka: "BrokerState", Article: "S2", Args: []string{"state", "value"}},
	{Key: "server.registered", Src: "server.(*Server).register", Kafka: "KafkaZkClient.registerBroker", Article: "S2", Args: []string{"epoch"}},
	{Key: "server.config.dropped", Src: "server.(*Server).brokerConfigChanged", Kafka: "DynamicBrokerConfig.fromPersistentProps", Article: "S4", Args: []string{"entity", "keys"}},
	{Key: "server.config.layers", Src: "server.(*Server).noteLayers", Kafka: "DynamicBrokerConfig.updateCurrentConfig", Article: "S4", Args: []string{"keys"}},
	{Key: "server.exit", Src: "server.(*Server).end", Kafka: "KafkaServer.startup", Args: []string{"why"}},
	{Key: "server.shutdown.controlled", Src: "server.(*Server).controlledShutdown", Kafka: "KafkaServer.controlledShutdown", Article: "S2", Args: []string{"attempt", "controller", "outcome"}},
}

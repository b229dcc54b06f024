package controller

import (
	"errors"

	"controllerscope/core/env"
	"controllerscope/core/kafka"
	"controllerscope/core/request"
	"controllerscope/core/zkclient"
)

// Config is what the controller needs of its broker's configuration and of the rest of its process.
type Config struct {
	BrokerID kafka.BrokerID
	// Protocol is inter.broker.protocol.version; older ones change what is asked and written (kafka-controller.md, 0.7).
	Protocol kafka.APIVersion
	// Listener names the listener that control requests go to; "" is each broker's first.
	Listener string

	AutoLeaderRebalance                 bool  // auto.leader.rebalance.enable
	LeaderImbalancePercentage           int   // leader.imbalance.per.broker.percentage
	LeaderImbalanceCheckIntervalSeconds int64 // leader.imbalance.check.interval.seconds
	UncleanLeaderElection               bool  // unclean.leader.election.enable
	DeleteTopic                         bool  // delete.topic.enable

	Order kafka.Order // of what Kafka keeps in hash maps and sets

	// RegisterBroker registers the broker again after its session expired and returns the new broker epoch.
	RegisterBroker func() (int64, error)
	// FeatureVersion is the version of /feature that the process's feature cache has reached, -1 for none; nil means that
	// the process has no such cache.
	FeatureVersion func() int32
}

// Controller is the controller of one broker, in office or not. Kafka: KafkaController.
type Controller struct {
	cfg      Config
	e        env.Env
	zk       *zkclient.Client
	j        *journal
	queue    *queue
	ctx      *controllerContext
	channels *channelManager
	batch    *requestBatch // the controller's own
	psm      *partitionStateMachine
	rsm      *replicaStateMachine

	startedUp          bool
	running, stopping  bool // the controller thread
	state              State
	inProcess          string // id of the event in process
	activeControllerID kafka.BrokerID
	gauges             gauges
	gaugesShown        bool
	cancelRebalance    func() // the scheduled check of the leader balance
	scheduler          bool   // the controller's scheduler runs

	modifications set[kafka.BrokerID] // brokers whose registration has a handler
	topicHandlers set[string]         // topics whose znode has a handler
}

// New makes a controller that does nothing before Startup.
func New(cfg Config, e env.Env, zk *zkclient.Client, net request.Net) *Controller {
	j := newJournal(e, cfg.BrokerID.String())
	c := &Controller{cfg: cfg, e: e, zk: zk, j: j, queue: &queue{j: j}, ctx: newContext(j, cfg.Order),
		channels: newChannelManager(j, net, cfg.Listener), activeControllerID: kafka.NoBroker,
		modifications: set[kafka.BrokerID]{}, topicHandlers: set[string]{}}
	c.batch = newRequestBatch("controller", c)
	c.psm = &partitionStateMachine{c: c, batch: newRequestBatch("psm", c)}
	c.rsm = &replicaStateMachine{c: c, batch: newRequestBatch("rsm", c)}
	return c
}

// Startup registers for news of the session, puts the Startup event and starts the controller thread.
// Kafka: KafkaController.startup.
func (c *Controller) Startup() {
	c.zk.RegisterStateChangeHandler(zkclient.StateChangeHandler{
		Name:                      "controller-state-change-handler",
		BeforeInitializingSession: c.beforeInitializingSession,
		AfterInitializingSession:  func() { c.putEvent(registerBrokerAndReelectEvent) },
	})
	c.startedUp, c.running = true, true
	c.noteActive()
	c.noteState()
	c.queue.put(startupEvent)
	c.e.Go("controller", c.run)
}

// beforeInitializingSession runs on the thread that makes a new session: everything queued is preempted, and the new
// session waits until Expire begins to be processed (not until it is done).
func (c *Controller) beforeInitializingSession() {
	expire := c.queue.clearAndPut(expireEvent, c.preempt)
	c.e.Wait("expire", func() bool { return expire.started })
}

// Shutdown stops the controller thread, waits for its end and resigns; it does not delete /controller, which goes with
// the session. It blocks, so it runs on a thread of its own. Kafka: KafkaController.shutdown.
func (c *Controller) Shutdown() {
	if c.running {
		c.stopping = true
		c.queue.clearAndPut(shutdownEventThreadEvent, c.preempt)
		c.e.Wait("controller", func() bool { return !c.running })
	}
	c.onControllerResignation()
}

// run is the controller thread: one event after the other. Kafka: ControllerEventThread.doWork.
func (c *Controller) run() {
	for !c.stopping {
		c.e.Wait("queue", func() bool { return c.queue.len() > 0 })
		item := c.queue.take()
		if item.event == event(shutdownEventThreadEvent) {
			c.j.event(env.EventTake, item, "event.take")
			break
		}
		c.step(item)
	}
	c.running = false
}

// step processes one event: whatever it throws is noted, and it is lost; only the loss of the controllership has a
// consequence. Kafka: KafkaController.process.
func (c *Controller) step(item *queuedEvent) {
	c.state, c.inProcess = item.event.state(), item.id
	c.noteState()
	c.j.event(env.EventTake, item, "event.take")
	err := c.process(item.event)
	switch {
	case err == nil:
	case isMoved(err):
		c.j.event(env.EventFail, item, "controller.moved", env.A("error", err.Error()))
		if err := c.maybeResign(); err != nil {
			c.j.event(env.EventFail, item, "controller.failed", env.A("error", err.Error()))
		}
	default:
		c.j.event(env.EventFail, item, "controller.failed", env.A("error", err.Error()))
	}
	c.updateMetrics()
	c.state, c.inProcess = Idle, ""
	c.noteState()
	c.j.event(env.EventDone, item, "event.done")
}

func isMoved(err error) bool { return errors.Is(err, zkclient.ErrControllerMoved) }

// putEvent appends an event to the queue; it may be called from anywhere in the process.
func (c *Controller) putEvent(ev event) { c.queue.put(ev) }

// IsActive reports whether this broker takes itself for the controller. It is true before the context is loaded.
// Kafka: KafkaController.isActive.
func (c *Controller) IsActive() bool { return c.activeControllerID == c.cfg.BrokerID }

// ActiveControllerID is the controller as this broker last read it, kafka.NoBroker if none.
func (c *Controller) ActiveControllerID() kafka.BrokerID { return c.activeControllerID }

// Epoch is the controller epoch that this broker was elected with, 0 when it is not the controller.
func (c *Controller) Epoch() int32 { return c.ctx.epoch }

// AlterIsr queues a leader's proposal. If the controller's session expires first, reply never runs, as in 2.8.2.
// Kafka: KafkaController.alterIsrs.
func (c *Controller) AlterIsr(req request.AlterIsr, reply func(request.AlterIsrResponse)) {
	c.putEvent(alterIsrReceived{req, reply})
}

// ControlledShutdown queues a broker's request to be relieved of its leaderships. Kafka: controlledShutdown.
func (c *Controller) ControlledShutdown(req request.ControlledShutdown, reply func(request.ControlledShutdownResponse)) {
	c.putEvent(controlledShutdown{req, reply})
}

// fence is the version of /controller_epoch that writes are checked against (unless guard.controller-epoch is off: see
// zkclient). After a resignation it is 0, so a stray write is refused.
func (c *Controller) fence() int32 { return c.ctx.epochZkVersion }

func (c *Controller) setActive(id kafka.BrokerID) {
	c.activeControllerID = id
	c.noteActive()
	c.j.note(env.CtxSet, "", "controller.known", env.A("controller", env.Int(id)))
}

func (c *Controller) noteActive() {
	if c.j.on() {
		c.j.set(env.Int(c.activeControllerID), "ctl", c.j.id, "active")
		c.j.set(c.IsActive(), "ctl", c.j.id, "isActive")
		c.j.set(c.activeCount(), "metric", c.j.id, "ActiveControllerCount")
	}
}

// activeCount is the gauge ActiveControllerCount: 1 on the controller, 0 elsewhere.
func (c *Controller) activeCount() int64 {
	if c.IsActive() {
		return 1
	}
	return 0
}

func (c *Controller) noteState() {
	if !c.j.on() {
		return
	}
	c.j.set(env.Int(c.state), "ctl", c.j.id, "state")
	if c.inProcess == "" {
		c.j.unset("ctl", c.j.id, "event")
	} else {
		c.j.set(c.inProcess, "ctl", c.j.id, "event")
	}
}

// Dump sets every leaf of the document that the controller owns.
func (c *Controller) Dump(d env.Dump) {
	if !c.startedUp {
		return
	}
	d.Set(env.Int(c.activeControllerID), "ctl", c.j.id, "active")
	d.Set(c.IsActive(), "ctl", c.j.id, "isActive")
	d.Set(c.activeCount(), "metric", c.j.id, "ActiveControllerCount")
	d.Set(env.Int(c.state), "ctl", c.j.id, "state")
	if c.inProcess != "" {
		d.Set(c.inProcess, "ctl", c.j.id, "event")
	}
	c.queue.dump(d)
	c.ctx.dump(d)
	c.channels.dump(d)
	for _, b := range []*requestBatch{c.batch, c.psm.batch, c.rsm.batch} {
		b.dump(d)
	}
	if c.gaugesShown {
		for _, g := range c.gauges.list() {
			d.Set(env.Int(g.value), "metric", c.j.id, g.name)
		}
	}
}

// Package broker is what a broker keeps and does besides its ZooKeeper session: the replicas it hosts, the logs on its
// disk as numbers, its metadata cache, and a leader's care for the ISR. It obeys or refuses the requests of controllers.
// It never imports the controller: the two meet in package server and on the wire.
//
// Methods named Handle… answer requests. They run in a thread of the process and may block on ZooKeeper (a new log reads
// its topic's configuration), Fetch excepted, which is answered by callback.
package broker

import (
	"controllerscope/core/env"
	"controllerscope/core/kafka"
	"controllerscope/core/request"
)

// Config is what a broker is told at its start.
type Config struct {
	ID       kafka.BrokerID
	Listener string // inter-broker listener name, PLAINTEXT by default
	// ReplicaLagTimeMaxMS is replica.lag.time.max.ms: how long a follower may lag before the leader proposes to drop it.
	ReplicaLagTimeMaxMS int64
	// FetchBackoffMS is replica.fetch.backoff.ms: how long a follower waits after a failed fetch.
	FetchBackoffMS int64
	// SocketTimeoutMS is controller.socket.timeout.ms: how long the answer to a proposal may take.
	SocketTimeoutMS int64
	// Fetching is false when followers do not fetch and leaders propose no ISR by themselves: a replayer injects the
	// proposals of a recording with ProposeISR.
	Fetching bool
	// ISRs is where leaders write ISRs below protocol 2.7-IV2; nil means that they propose them to the controller.
	ISRs ISRStore
	// LogDirFailed tells the controller that a log directory has failed; Halt ends the process at once.
	LogDirFailed func() error
	Halt         func(why string)
	// BrokerEpoch is the epoch of the broker's own registration. Kafka: KafkaController.brokerEpoch.
	BrokerEpoch func() int64
	// TopicConfig reads the topic's configuration before a log is created; it blocks. An error leaves the log uncreated.
	TopicConfig func(topic string) error
}

// Broker is the state of one broker process. Kafka: ReplicaManager, MetadataCache, AlterIsrManager.
type Broker struct {
	journal
	cfg  Config
	net  request.Net
	disk *Disk

	controllerEpoch int32 // highest seen in a control request
	changing        bool  // replicaStateChangeLock
	stopped         bool  // ReplicaManager.isShuttingDown
	partitions      map[kafka.TopicPartition]*partition
	meta            metadataCache
	proposals       alterIsr
	zkIsr           zkIsr
	initializing    map[kafka.TopicPartition]bool // logs being created; true: the topic's config has changed since
	failing         map[int]bool                  // log directories whose failure is about to be handled
	fetchers        map[kafka.BrokerID]*fetcher
	sessions        map[kafka.BrokerID]*fetchSession
	lagging         map[kafka.TopicPartition]bool // partitions that a script holds back from fetching
	ordinals        int64
	requests        int64
}

// New makes the broker of a process that has just started; nothing is hosted before a controller says so.
func New(cfg Config, e env.Env, net request.Net, disk *Disk) *Broker {
	if cfg.Listener == "" {
		cfg.Listener = "PLAINTEXT"
	}
	disk.Restart()
	b := &Broker{journal: newJournal(e, cfg.ID.String()), cfg: cfg, net: net, disk: disk,
		partitions: map[kafka.TopicPartition]*partition{},
		fetchers:   map[kafka.BrokerID]*fetcher{}, sessions: map[kafka.BrokerID]*fetchSession{},
		lagging: map[kafka.TopicPartition]bool{}, failing: map[int]bool{}, initializing: map[kafka.TopicPartition]bool{}}
	b.zkIsr = zkIsr{changed: map[kafka.TopicPartition]bool{}, startedMS: e.Now(), lastChangeMS: e.Now(), lastSentMS: e.Now()}
	b.meta = metadataCache{controller: kafka.NoBroker, topics: map[string]map[int32]request.UpdateMetadataPartition{}}
	b.proposals.unsent = map[kafka.TopicPartition]*proposal{}
	return b
}

// Start begins the leader's periodic check of lagging followers. Kafka: ReplicaManager.startup.
func (b *Broker) Start() {
	if b.cfg.Fetching {
		b.scheduleIsrExpiration()
	}
}

// Shutdown stops fetching and proposing; what is hosted stays as it is. Kafka: ReplicaManager.shutdown.
func (b *Broker) Shutdown() {
	b.stopped = true
	for _, leader := range kafka.SortedKeys(b.fetchers) {
		b.dropFetcher(leader)
	}
	b.proposals.drop(b)
}

// stale applies the broker epoch check of KIP-380 to a control request and notes a refusal.
// Kafka: KafkaApis.isBrokerEpochStale.
func (b *Broker) stale(r request.ControlRequest) bool {
	own, asked := b.cfg.BrokerEpoch(), r.Header().BrokerEpoch
	if asked == kafka.UnknownBrokerEpoch || asked >= own || !b.e.Guard(env.GuardBrokerEpoch) {
		return false
	}
	if b.on() {
		b.because(env.ReqFenced, "broker "+b.id, "broker.fenced.brokerEpoch", []env.Path{env.P("broker", b.id, "epoch")},
			env.A("kind", r.Kind()), env.A("controller", env.Int(r.Header().ControllerID)),
			env.A("epoch", env.Zxid(asked)), env.A("own", env.Zxid(own)), env.A("error", kafka.STALE_BROKER_EPOCH.Error()))
	}
	return true
}

// fencedByController compares the controller epoch with the highest seen, and remembers a higher one.
// Kafka: the first lines of ReplicaManager.becomeLeaderOrFollower, stopReplicas, maybeUpdateMetadataCache.
func (b *Broker) fencedByController(r request.ControlRequest) bool {
	epoch := r.Header().ControllerEpoch
	if epoch < b.controllerEpoch {
		if b.on() {
			b.because(env.ReqFenced, "broker "+b.id, "broker.fenced.controllerEpoch",
				[]env.Path{env.P("broker", b.id, "controllerEpoch")}, env.A("kind", r.Kind()),
				env.A("controller", env.Int(r.Header().ControllerID)), env.A("epoch", env.Int(epoch)),
				env.A("own", env.Int(b.controllerEpoch)), env.A("error", kafka.STALE_CONTROLLER_EPOCH.Error()))
		}
		return true
	}
	if epoch > b.controllerEpoch {
		b.controllerEpoch = epoch
		b.set(env.Int(epoch), "broker", b.id, "controllerEpoch")
		if b.on() {
			b.note(env.BrokerState, "broker "+b.id, "broker.controllerEpoch", env.A("epoch", env.Int(epoch)),
				env.A("controller", env.Int(r.Header().ControllerID)))
		}
	}
	return false
}

// lock waits until no other request changes replicas. Kafka: ReplicaManager.replicaStateChangeLock.
func (b *Broker) lock() {
	for b.changing {
		b.e.Wait("replicas", func() bool { return !b.changing })
	}
	b.changing = true
}

func (b *Broker) unlock() { b.changing = false }

// nextID names a request of this broker: "a1" for AlterIsr, "f2" for Fetch.
func (b *Broker) nextID(prefix string) string {
	b.requests++
	return prefix + itoa(b.requests)
}

// conn names a new connection to a broker of the metadata cache.
func (b *Broker) conn(to kafka.Broker, purpose string) request.Conn {
	b.ordinals++
	return request.Conn{To: to.ID, Address: b.endpoint(to), Purpose: purpose, Ordinal: b.ordinals}
}

// endpoint is the broker's address on the inter-broker listener, or its first one.
func (b *Broker) endpoint(to kafka.Broker) kafka.Endpoint {
	for _, e := range to.Endpoints {
		if e.Listener == b.cfg.Listener {
			return e
		}
	}
	if len(to.Endpoints) > 0 {
		return to.Endpoints[0]
	}
	return kafka.Endpoint{}
}

// Dump adds everything below broker/B that this package writes.
func (b *Broker) Dump(d env.Dump) {
	if b.controllerEpoch != 0 {
		d.Set(env.Int(b.controllerEpoch), "broker", b.id, "controllerEpoch")
	}
	for tp, p := range b.partitions {
		p.values(func(after any, leaf string) { d.Set(after, "broker", b.id, "replica", tp.String(), leaf) })
	}
	b.meta.dump(b.id, d)
	b.disk.Dump(b.cfg.ID, d)
}

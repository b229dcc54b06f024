package broker

import (
	"slices"

	"controllerscope/core/env"
	"controllerscope/core/kafka"
)

// Roles of a hosted partition, as the document shows them. A partition is idle between its creation and the first
// leadership that names a live leader; it is offline when its log could not be created or its directory failed.
const (
	RoleIdle     = "idle"
	RoleLeader   = "leader"
	RoleFollower = "follower"
	RoleOffline  = "offline"
)

// partition is what the broker hosts of one partition. Kafka: HostedPartition and kafka.cluster.Partition.
type partition struct {
	tp          kafka.TopicPartition
	role        string
	log         *Log // nil until attached. Kafka: Partition.log
	leader      kafka.BrokerID
	leaderEpoch int32
	zkVersion   int32
	// controllerEpoch is that of the last accepted leadership, which a leader that writes ISRs itself writes with them.
	controllerEpoch int32
	isr             []kafka.BrokerID // committed; a follower's is empty
	proposal        *proposal        // proposed and not decided, nil for none. Kafka: PendingExpandIsr, PendingShrinkIsr
	assignment      kafka.ReplicaAssignment
	startOffset     int64 // leader: log end when its epoch began. Kafka: leaderEpochStartOffsetOpt
	followers       map[kafka.BrokerID]*followerState
	fetcher         *fetcher // follower: the fetcher it is assigned to
	shown           bool     // whether the document has it: from its first note on
}

// followerState is what a leader knows of a follower. Kafka: kafka.cluster.Replica.
type followerState struct {
	endOffset      int64 // -1 until it fetches
	lastCaughtUpMS int64
	lastFetchMS    int64
	lastFetchEnd   int64 // leader's log end at the last fetch
}

func newPartition(tp kafka.TopicPartition) *partition {
	return &partition{tp: tp, role: RoleIdle, leader: kafka.NoLeader, leaderEpoch: -1}
}

// State is a hosted partition as others may read it.
type State struct {
	Role        string
	Leader      kafka.BrokerID
	LeaderEpoch int32
	ZkVersion   int32
	ISR         []kafka.BrokerID
	Pending     []kafka.BrokerID // the ISR proposed to the controller, nil for none
	EndOffset   int64
	HW          int64
}

// Hosted is the state of a partition that this broker hosts.
func (b *Broker) Hosted(tp kafka.TopicPartition) (State, bool) {
	p := b.partitions[tp]
	if p == nil {
		return State{}, false
	}
	s := State{Role: p.role, Leader: p.leader, LeaderEpoch: p.leaderEpoch, ZkVersion: p.zkVersion,
		ISR: slices.Clone(p.isr)}
	if p.proposal != nil {
		s.Pending = slices.Clone(p.proposal.ISR)
	}
	if p.log != nil {
		s.EndOffset, s.HW = p.log.EndOffset, p.log.HighWatermark
	}
	return s, true
}

// HostedPartitions lists what this broker hosts, in order.
func (b *Broker) HostedPartitions() []kafka.TopicPartition {
	return kafka.SortedFunc(b.partitions, kafka.ComparePartitions)
}

// maximalISR is the committed ISR with those that a pending proposal adds. Kafka: IsrState.maximalIsr.
func (p *partition) maximalISR() []kafka.BrokerID {
	if p.proposal == nil {
		return p.isr
	}
	all := slices.Clone(p.isr)
	for _, r := range p.proposal.ISR {
		if !slices.Contains(all, r) {
			all = append(all, r)
		}
	}
	return all
}

// values calls f with each leaf of the partition in the document.
func (p *partition) values(f func(after any, leaf string)) {
	if !p.shown {
		return
	}
	f(p.role, "role")
	if p.role == RoleOffline {
		return
	}
	f(env.Int(p.leader), "leader")
	f(env.Int(p.leaderEpoch), "leaderEpoch")
	f(env.Int(p.zkVersion), "zkVersion")
	if p.role == RoleLeader {
		f(env.Ints(p.isr), "isr")
	}
	if p.log != nil {
		f(p.log.EndOffset, "leo")
		f(p.log.HighWatermark, "hw")
	}
}

// show collects the changes that bring the document up to the partition as it stands.
func (b *Broker) show(p *partition) {
	p.shown = true
	if !b.on() {
		return
	}
	name := p.tp.String()
	if p.role == RoleOffline {
		b.unset("broker", b.id, "replica", name)
	} else if p.role != RoleLeader {
		b.unset("broker", b.id, "replica", name, "isr")
	}
	p.values(func(after any, leaf string) { b.set(after, "broker", b.id, "replica", name, leaf) })
	if l := b.disk.Logs[p.tp]; l != nil {
		b.set(l.EndOffset, "broker", b.id, "log", name)
	}
}

// attach gives the partition its log, creating it where allowed. A log may be created while a directory is offline only
// if the controller says that the replica is new: else it would hide a lost one.
// Kafka: Partition.createLogIfNotExists, LogManager.getOrCreateLog.
func (b *Broker) attach(p *partition, isNew bool) kafka.Error {
	if p.log != nil {
		return kafka.NONE
	}
	l := b.disk.online(p.tp)
	if l == nil {
		if b.disk.anyOffline() && !isNew {
			return kafka.KAFKA_STORAGE_ERROR
		}
		b.initializing[p.tp] = false
		var err error
		l, err = b.createLog(p.tp)
		if err := b.finishInitializing(p.tp, l != nil); err != nil {
			return kafka.UNKNOWN_SERVER_ERROR
		}
		switch {
		case err != nil:
			return kafka.UNKNOWN_SERVER_ERROR
		case l == nil:
			return kafka.KAFKA_STORAGE_ERROR
		}
	}
	p.log = l
	return kafka.NONE
}

// checkOrSetTopicID reports whether the topic id of a request agrees with the log's. A log gets its id here, so not from the
// request that creates it but from the next one, accepted or not. Kafka: Partition.checkOrSetTopicId.
func (p *partition) checkOrSetTopicID(id kafka.UUID) bool {
	if id.IsZero() || p.log == nil {
		return true
	}
	if p.log.TopicID.IsZero() {
		p.log.TopicID = id
	}
	return p.log.TopicID == id
}

// TopicConfigUpdated hears of a new config of a topic: logs that are being created have read the old one.
// Kafka: LogManager.topicConfigUpdated.
func (b *Broker) TopicConfigUpdated(topic string) {
	for _, tp := range kafka.SortedFunc(b.initializing, kafka.ComparePartitions) {
		if tp.Topic == topic && !b.initializing[tp] {
			b.initializing[tp] = true
			if b.on() {
				b.note(env.BrokerState, tp.String(), "broker.log.marked")
			}
		}
	}
}

// finishInitializing reads the config of a new log once more if it changed meanwhile (KAFKA-8813).
// Kafka: LogManager.finishedInitializingLog.
func (b *Broker) finishInitializing(tp kafka.TopicPartition, created bool) error {
	changed := b.initializing[tp]
	delete(b.initializing, tp)
	if changed && created {
		b.set(b.disk.Logs[tp].EndOffset, "broker", b.id, "log", tp.String())
		b.note(env.BrokerState, tp.String(), "broker.log.reread")
		return b.cfg.TopicConfig(tp.Topic)
	}
	return nil
}

// markOffline makes the partition one that answers KAFKA_STORAGE_ERROR from now on. Kafka: ReplicaManager.markPartitionOffline.
func (b *Broker) markOffline(p *partition) {
	b.stopFetching(p)
	p.role, p.log, p.isr, p.proposal, p.followers = RoleOffline, nil, nil, nil, nil
	b.show(p)
	if b.on() {
		b.note(env.BrokerState, p.tp.String(), "broker.offline")
	}
}

package controller

import (
	"controllerscope/core/env"
	"controllerscope/core/kafka"
	"controllerscope/core/request"
)

// requestBatch collects what brokers must be told and sends one request of each kind per broker. There are three, as in
// Kafka: the controller's own and one per state machine. Entries are computed when they are added; the list of live
// brokers and the broker epochs when they are sent. A batch that was left filled by an error refuses the next one
// (illegal state) for as long as the process lives: 2.8.2 never clears it. Kafka: AbstractControllerBrokerRequestBatch.
type requestBatch struct {
	machine  string // "controller", "psm" or "rsm"
	order    kafka.Order
	self     kafka.BrokerID
	protocol kafka.APIVersion
	x        *controllerContext
	channels *channelManager
	respond  func(event)

	leaderAndIsr    map[kafka.BrokerID]*entries[request.LeaderAndIsrPartition]
	stopReplica     map[kafka.BrokerID]*entries[request.StopReplicaPartition]
	metadataBrokers set[kafka.BrokerID]
	metadata        *entries[request.UpdateMetadataPartition]

	table kafka.Table // of metadata: it is cleared, not made anew

	dirty set[trayKey] // lists that the document does not show yet
}

// trayKey names one list of the batch tray.
type trayKey struct {
	kind string
	to   kafka.BrokerID
}

const (
	leaderAndIsrKind   = "LeaderAndIsr"
	updateMetadataKind = "UpdateMetadata"
	stopReplicaKind    = "StopReplica"
)

func newRequestBatch(machine string, c *Controller) *requestBatch {
	b := &requestBatch{machine: machine, order: c.cfg.Order, self: c.cfg.BrokerID, protocol: c.cfg.Protocol, x: c.ctx, channels: c.channels, respond: c.putEvent}
	b.reset()
	return b
}

func (b *requestBatch) reset() {
	b.leaderAndIsr = map[kafka.BrokerID]*entries[request.LeaderAndIsrPartition]{}
	b.stopReplica = map[kafka.BrokerID]*entries[request.StopReplicaPartition]{}
	b.metadataBrokers = set[kafka.BrokerID]{}
	b.metadata = &entries[request.UpdateMetadataPartition]{}
	b.dirty = set[trayKey]{}
}

// newBatch begins a batch; it is an illegal state if the last one was not sent. Kafka: newBatch.
func (b *requestBatch) newBatch() error {
	switch {
	case len(b.leaderAndIsr) > 0:
		return illegalState("controller to broker state change requests batch is not empty while creating a new one: LeaderAndIsr requests might be lost")
	case len(b.stopReplica) > 0:
		return illegalState("controller to broker state change requests batch is not empty while creating a new one: StopReplica requests might be lost")
	case len(b.metadataBrokers) > 0:
		return illegalState("controller to broker state change requests batch is not empty while creating a new one: UpdateMetadata requests might be lost")
	}
	return nil
}

// clear empties the batch; only handleIllegalState does that, and only to the controller's own. Kafka: clear.
func (b *requestBatch) clear() {
	b.reset()
	b.x.j.unset("batch", b.x.j.id, b.machine)
}

// addLeaderAndIsr puts or replaces the entry of a partition for each broker; isNew stays once it was set in this batch.
// Every live or shutting-down broker gets the partition's metadata too. Kafka: addLeaderAndIsrRequestForBrokers.
func (b *requestBatch) addLeaderAndIsr(brokers []kafka.BrokerID, tp kafka.TopicPartition, info kafka.Leadership,
	a kafka.ReplicaAssignment, isNew bool) {
	for _, to := range brokers {
		if to < 0 {
			continue
		}
		e := entriesOf(b.leaderAndIsr, to).of(tp)
		*e = request.LeaderAndIsrPartition{TopicPartition: tp, ControllerEpoch: info.ControllerEpoch,
			LeaderAndIsr: info.LeaderAndIsr, Assignment: a, IsNew: isNew || e.IsNew}
		b.touch(leaderAndIsrKind, to)
	}
	b.addUpdateMetadata(b.x.liveOrShuttingDownBrokerIDs(), []kafka.TopicPartition{tp})
}

// addStopReplica puts or replaces the entry of a partition for each broker; delete stays once it was set in this batch.
// Kafka: addStopReplicaRequestForBrokers.
func (b *requestBatch) addStopReplica(brokers []kafka.BrokerID, tp kafka.TopicPartition, del bool) {
	epoch := kafka.NoEpoch
	if info, ok := b.x.leadership(tp); ok {
		epoch = info.LeaderEpoch
	}
	if b.x.isTopicQueuedUpForDeletion(tp.Topic) {
		epoch = kafka.EpochDuringDelete
	}
	for _, to := range brokers {
		if to < 0 {
			continue
		}
		e := entriesOf(b.stopReplica, to).of(tp)
		*e = request.StopReplicaPartition{TopicPartition: tp, LeaderEpoch: epoch, Delete: del || e.Delete}
		b.touch(stopReplicaKind, to)
	}
}

// addUpdateMetadata adds brokers to the recipients and partitions to what all of them get; a partition without
// leadership is left out. Kafka: addUpdateMetadataRequestForBrokers.
func (b *requestBatch) addUpdateMetadata(brokers []kafka.BrokerID, tps []kafka.TopicPartition) {
	for _, to := range brokers {
		if to >= 0 {
			b.metadataBrokers.add(to)
		}
	}
	for _, tp := range tps {
		info, ok := b.x.leadership(tp)
		if !ok {
			continue
		}
		l := info.LeaderAndIsr
		if b.x.isTopicQueuedUpForDeletion(tp.Topic) {
			l = kafka.LeaderAndIsr{Leader: kafka.LeaderDuringDelete, ISR: l.ISR}
		}
		replicas := b.x.assignment(tp).Replicas
		*b.metadata.of(tp) = request.UpdateMetadataPartition{TopicPartition: tp, ControllerEpoch: info.ControllerEpoch,
			LeaderAndIsr: l, Replicas: replicas,
			Offline: keep(replicas, func(r kafka.BrokerID) bool { return !b.x.isReplicaOnline(r, tp) })}
	}
	if !b.x.j.on() {
		return
	}
	for to := range b.metadataBrokers {
		b.touch(updateMetadataKind, to)
	}
}

// touch remembers that a list differs from what the document shows.
func (b *requestBatch) touch(kind string, to kafka.BrokerID) {
	if b.x.j.on() {
		b.dirty.add(trayKey{kind, to})
	}
}

// show brings the batch tray of the document up to date after a group of additions, with one note that also carries what
// else is pending.
func (b *requestBatch) show(key string) {
	if !b.x.j.on() {
		return
	}
	var metadata []any
	for _, k := range kafka.SortedFunc(b.dirty, compareTrayKeys) {
		if metadata == nil && k.kind == updateMetadataKind {
			metadata = partitionNames(b.metadata.sorted())
		}
		list := metadata
		switch k.kind {
		case leaderAndIsrKind:
			list = partitionNames(b.leaderAndIsr[k.to].sorted())
		case stopReplicaKind:
			list = partitionNames(b.stopReplica[k.to].sorted())
		}
		b.x.j.set(list, "batch", b.x.j.id, b.machine, k.kind, k.to.String())
	}
	clear(b.dirty)
	b.x.j.flush(b.machine, key, env.A("machine", b.machine))
}

func (b *requestBatch) dump(d env.Dump) {
	id := b.x.j.id
	for to, entries := range b.leaderAndIsr {
		d.Set(partitionNames(entries.sorted()), "batch", id, b.machine, leaderAndIsrKind, to.String())
	}
	for to, entries := range b.stopReplica {
		d.Set(partitionNames(entries.sorted()), "batch", id, b.machine, stopReplicaKind, to.String())
	}
	metadata := partitionNames(b.metadata.sorted())
	for to := range b.metadataBrokers {
		d.Set(metadata, "batch", id, b.machine, updateMetadataKind, to.String())
	}
}

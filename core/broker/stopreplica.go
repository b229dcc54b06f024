package broker

import (
	"controllerscope/core/env"
	"controllerscope/core/kafka"
	"controllerscope/core/request"
)

// HandleStopReplica stops replicas and deletes those that it says. An equal leader epoch is refused as an older one is.
// Kafka: KafkaApis.handleStopReplicaRequest, ReplicaManager.stopReplicas.
func (b *Broker) HandleStopReplica(r request.StopReplica) request.ControlResponse {
	answer := request.ControlResponse{Of: r.Kind()}
	if b.stale(r) {
		answer.Error = kafka.STALE_BROKER_EPOCH
		return answer
	}
	b.lock()
	defer b.unlock()
	if b.fencedByController(r) {
		answer.Error = kafka.STALE_CONTROLLER_EPOCH
		return answer
	}
	for _, x := range r.Partitions {
		answer.Errors = append(answer.Errors, request.PartitionError{TopicPartition: x.TopicPartition, Error: b.stopReplica(x)})
	}
	b.flushSessions()
	b.sendFetches()
	return answer
}

// stopReplica decides on one entry and carries it out. An unknown partition is accepted: its log, if any, goes.
func (b *Broker) stopReplica(x request.StopReplicaPartition) kafka.Error {
	p := b.partitions[x.TopicPartition]
	if err := refusal(x, p); err != kafka.NONE {
		if b.on() {
			b.because(env.BrokerState, x.TopicPartition.String(), "broker.stopRefused",
				[]env.Path{env.P("broker", b.id, "replica", x.TopicPartition.String(), "leaderEpoch")},
				env.A("leaderEpoch", env.Int(x.LeaderEpoch)), env.A("own", env.Int(p.leaderEpoch)), env.A("error", err.Error()))
		}
		return err
	}
	if p != nil {
		b.stopFetching(p)
	}
	if x.Delete {
		return b.deleteReplica(x, p)
	}
	if b.on() {
		b.note(env.BrokerState, x.TopicPartition.String(), "broker.stopped", env.A("leaderEpoch", env.Int(x.LeaderEpoch)))
	}
	return kafka.NONE
}

// refusal compares leader epochs; -1 and -2 are always accepted.
func refusal(x request.StopReplicaPartition, p *partition) kafka.Error {
	switch {
	case p == nil:
		return kafka.NONE
	case p.role == RoleOffline:
		return kafka.KAFKA_STORAGE_ERROR
	case x.LeaderEpoch == kafka.NoEpoch || x.LeaderEpoch == kafka.EpochDuringDelete || x.LeaderEpoch > p.leaderEpoch:
		return kafka.NONE
	}
	return kafka.FENCED_LEADER_EPOCH
}

// deleteReplica forgets the partition and deletes its log. A log on a failed directory cannot be deleted.
// Kafka: ReplicaManager.stopPartitions.
func (b *Broker) deleteReplica(x request.StopReplicaPartition, p *partition) kafka.Error {
	name := x.TopicPartition.String()
	if l := b.disk.Logs[x.TopicPartition]; l != nil {
		if b.disk.Dirs[l.Dir].Offline {
			return kafka.KAFKA_STORAGE_ERROR
		}
		b.disk.remove(x.TopicPartition)
		b.unset("broker", b.id, "log", name)
	}
	if p != nil {
		delete(b.partitions, x.TopicPartition)
		b.proposals.clear(x.TopicPartition)
		p.role = RoleIdle
		b.wakeFollowers(p)
		b.unset("broker", b.id, "replica", name)
	}
	if b.on() {
		b.note(env.BrokerState, name, "broker.deleted", env.A("leaderEpoch", env.Int(x.LeaderEpoch)))
	}
	return kafka.NONE
}

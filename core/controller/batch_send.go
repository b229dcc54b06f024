package controller

import (
	"cmp"

	"controllerscope/core/env"
	"controllerscope/core/kafka"
	"controllerscope/core/request"
)

func compareTrayKeys(a, b trayKey) int {
	return cmp.Or(cmp.Compare(a.kind, b.kind), cmp.Compare(a.to, b.to))
}

// sendRequestsToBrokers sends all LeaderAndIsr, then all UpdateMetadata, then all StopReplica requests; brokers that are
// neither live nor shutting down are left out. Kafka: sendRequestsToBrokers.
func (b *requestBatch) sendRequestsToBrokers(controllerEpoch int32) {
	b.show()
	for _, to := range kafka.SortedKeys(b.leaderAndIsr) {
		b.dispatch(to, leaderAndIsrKind, func(c request.Control) request.ControlRequest { return b.leaderAndIsrTo(to, c) }, controllerEpoch)
		delete(b.leaderAndIsr, to)
	}
	if len(b.metadataBrokers) > 0 {
		partitions := b.metadataPartitions()
		brokers := b.x.liveOrShuttingDownBrokers()
		for _, to := range kafka.SortedKeys(b.metadataBrokers) {
			b.dispatch(to, updateMetadataKind, func(c request.Control) request.ControlRequest {
				return request.UpdateMetadata{Control: c, LiveBrokers: brokers, Partitions: partitions}
			}, controllerEpoch)
			delete(b.metadataBrokers, to)
		}
	}
	b.metadata = map[kafka.TopicPartition]request.UpdateMetadataPartition{}
	for _, to := range kafka.SortedKeys(b.stopReplica) {
		b.dispatch(to, stopReplicaKind, func(c request.Control) request.ControlRequest { return b.stopReplicaTo(to, c) }, controllerEpoch)
		delete(b.stopReplica, to)
	}
}

// dispatch takes one list off the tray and hands the request made of it to the broker's channel.
func (b *requestBatch) dispatch(to kafka.BrokerID, kind string, make func(request.Control) request.ControlRequest, epoch int32) {
	j := b.x.j
	tray := env.P("batch", j.id, b.machine, kind, to.String())
	j.unset(tray...)
	brokerEpoch, live := b.x.liveBrokerEpochs[to]
	if !live || b.channels.channels[to] == nil {
		key := "batch.notLive"
		if live {
			key = "batch.noChannel"
		}
		j.because(env.ReqDrop, "broker "+to.String(), key, []env.Path{tray}, env.A("broker", env.Int(to)),
			env.A("request", kind), env.A("machine", b.machine))
		return
	}
	r := make(request.Control{ControllerID: b.self, ControllerEpoch: epoch, BrokerEpoch: brokerEpoch})
	id := b.channels.nextID()
	if j.on() {
		j.set(requestRecord(r), "lane", b.channels.lane(to), id)
		j.because(env.ReqBatch, "broker "+to.String(), "batch.send",
			[]env.Path{tray, env.P("ctx", j.id, "liveBrokerEpochs", to.String())},
			env.A("broker", env.Int(to)), env.A("request", kind), env.A("id", id), env.A("machine", b.machine))
	}
	b.channels.send(to, queuedRequest{id: id, request: r, answered: func(resp request.ControlResponse) { b.answered(to, id, r, resp) }})
}

// leaderAndIsrTo makes the request; liveLeaders are the leaders that it names and that are live or shutting down.
func (b *requestBatch) leaderAndIsrTo(to kafka.BrokerID, c request.Control) request.ControlRequest {
	r := request.LeaderAndIsr{Control: c}
	leaders := set[kafka.BrokerID]{}
	entries := b.leaderAndIsr[to]
	for _, tp := range kafka.SortedFunc(entries, kafka.ComparePartitions) {
		e := entries[tp]
		e.TopicID = b.x.topicIDs[tp.Topic]
		leaders.add(e.Leader)
		r.Partitions = append(r.Partitions, e)
	}
	for _, id := range kafka.SortedKeys(leaders) {
		if broker, ok := b.x.liveBrokers[id]; ok {
			r.LiveLeaders = append(r.LiveLeaders, broker)
		}
	}
	return r
}

func (b *requestBatch) metadataPartitions() []request.UpdateMetadataPartition {
	out := make([]request.UpdateMetadataPartition, 0, len(b.metadata))
	for _, tp := range kafka.SortedFunc(b.metadata, kafka.ComparePartitions) {
		e := b.metadata[tp]
		e.TopicID = b.x.topicIDs[tp.Topic]
		out = append(out, e)
	}
	return out
}

func (b *requestBatch) stopReplicaTo(to kafka.BrokerID, c request.Control) request.ControlRequest {
	r := request.StopReplica{Control: c}
	entries := b.stopReplica[to]
	for _, tp := range kafka.SortedFunc(entries, kafka.ComparePartitions) {
		r.Partitions = append(r.Partitions, entries[tp])
	}
	return r
}

// answered turns a broker's answer into an event. An answer to StopReplica becomes one only for replicas that were sent
// with delete and whose topic's deletion has started. Kafka: the callbacks in ControllerBrokerRequestBatch.
func (b *requestBatch) answered(from kafka.BrokerID, id string, r request.ControlRequest, resp request.ControlResponse) {
	switch r := r.(type) {
	case request.LeaderAndIsr:
		b.respond(controlResponse{"LeaderAndIsrResponseReceived", StateLeaderAndIsrResponseReceived, from, id, resp})
	case request.UpdateMetadata:
		b.respond(controlResponse{"UpdateMetadataResponseReceived", StateUpdateMetadataResponseReceived, from, id, resp})
	case request.StopReplica:
		deleted := set[kafka.TopicPartition]{}
		for _, p := range r.Partitions {
			if p.Delete && b.x.topicsWithDeletionStarted.has(p.Topic) {
				deleted.add(p.TopicPartition)
			}
		}
		resp.Errors = keep(resp.Errors, func(p request.PartitionError) bool { return deleted.has(p.TopicPartition) })
		if len(resp.Errors) > 0 {
			b.respond(controlResponse{"TopicDeletionStopReplicaResponseReceived", StateTopicDeletion, from, id, resp})
		}
	}
}

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
	b.show("batch.add")
	for _, to := range kafka.SortedKeys(b.leaderAndIsr) {
		list := b.leaderAndIsr[to]
		delete(b.leaderAndIsr, to)
		b.dispatch(to, leaderAndIsrKind, controllerEpoch, func(c request.Control) request.ControlRequest { return b.leaderAndIsrRequest(list, c) })
	}
	if len(b.metadataBrokers) > 0 {
		partitions := b.metadataPartitions()
		brokers := b.x.liveOrShuttingDownBrokers()
		for _, to := range kafka.SortedKeys(b.metadataBrokers) {
			delete(b.metadataBrokers, to)
			b.dispatch(to, updateMetadataKind, controllerEpoch, func(c request.Control) request.ControlRequest {
				return request.UpdateMetadata{Control: c, LiveBrokers: brokers, Partitions: partitions}
			})
		}
	}
	b.metadata = &entries[request.UpdateMetadataPartition]{}
	for _, to := range kafka.SortedKeys(b.stopReplica) {
		list := b.stopReplica[to]
		delete(b.stopReplica, to)
		for _, part := range b.splitStopReplica(list) {
			b.dispatch(to, stopReplicaKind, controllerEpoch, func(c request.Control) request.ControlRequest { return b.stopReplicaRequest(part, c) })
		}
	}
}

// dispatch takes one list off the tray and hands the request made of it to the broker's channel.
func (b *requestBatch) dispatch(to kafka.BrokerID, kind string, epoch int32, build func(request.Control) request.ControlRequest) {
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
	if b.protocol < kafka.V2_2_IV0 {
		brokerEpoch = kafka.UnknownBrokerEpoch
	}
	r := build(request.Control{ControllerID: b.self, ControllerEpoch: epoch, BrokerEpoch: brokerEpoch})
	id := b.channels.nextID()
	b.channels.enqueue(to, queuedRequest{id: id, request: r, answered: func(resp request.ControlResponse) { b.answered(to, id, r, resp) }})
	if j.on() {
		j.because(env.ReqBatch, "broker "+to.String(), "batch.send",
			[]env.Path{tray, env.P("ctx", j.id, "liveBrokerEpochs", to.String())},
			env.A("broker", env.Int(to)), env.A("request", kind), env.A("id", id), env.A("machine", b.machine))
	}
	b.channels.pump(to)
}

// leaderAndIsrRequest names as live leaders those of its leaders that are live or shutting down.
func (b *requestBatch) leaderAndIsrRequest(list *entries[request.LeaderAndIsrPartition], c request.Control) request.ControlRequest {
	tps := list.ordered(b.order, nil)
	r := request.LeaderAndIsr{Control: c, Partitions: make([]request.LeaderAndIsrPartition, 0, len(tps))}
	leaders := set[kafka.BrokerID]{}
	for _, tp := range tps {
		e := *list.of(tp)
		e.TopicID = b.topicID(tp.Topic)
		if b.protocol < kafka.V2_4_IV0 {
			e.Assignment.Adding, e.Assignment.Removing = nil, nil
		}
		e.IsNew = e.IsNew && b.protocol >= kafka.V1_0_IV0
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
	tps := b.metadata.ordered(b.order, &b.table)
	out := make([]request.UpdateMetadataPartition, 0, len(tps))
	for _, tp := range tps {
		e := *b.metadata.of(tp)
		e.TopicID = b.topicID(tp.Topic)
		if b.protocol < kafka.V1_0_IV0 {
			e.Offline = nil
		}
		out = append(out, e)
	}
	return out
}

// topicID is the id that requests carry: none below protocol 2.8-IV1.
func (b *requestBatch) topicID(topic string) kafka.UUID {
	if b.protocol < kafka.V2_8_IV1 {
		return kafka.UUID{}
	}
	return b.x.topicIDs[topic]
}

// splitStopReplica: below protocol 2.6-IV0 a request carries no leader epochs and deletes all of its partitions or none.
func (b *requestBatch) splitStopReplica(list *entries[request.StopReplicaPartition]) []*entries[request.StopReplicaPartition] {
	if b.protocol >= kafka.V2_6_IV0 {
		return []*entries[request.StopReplicaPartition]{list}
	}
	var del, stop entries[request.StopReplicaPartition]
	for _, tp := range list.tps {
		e := *list.of(tp)
		e.LeaderEpoch = kafka.NoEpoch
		part := &stop
		if e.Delete {
			part = &del
		}
		*part.of(tp) = e
	}
	return keep([]*entries[request.StopReplicaPartition]{&del, &stop},
		func(part *entries[request.StopReplicaPartition]) bool { return len(part.tps) > 0 })
}

func (b *requestBatch) stopReplicaRequest(list *entries[request.StopReplicaPartition], c request.Control) request.ControlRequest {
	tps := list.ordered(b.order, nil)
	r := request.StopReplica{Control: c, Partitions: make([]request.StopReplicaPartition, 0, len(tps))}
	for _, tp := range tps {
		r.Partitions = append(r.Partitions, *list.of(tp))
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

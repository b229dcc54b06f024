package controller

import (
	"slices"

	"controllerscope/core/env"
	"controllerscope/core/kafka"
)

// Three sets of brokers are told apart. Live or shutting down: has a registration, receives requests. Live: the same
// without those that asked for a controlled shutdown. Online is said of a replica: on a live broker, directory not failed.

func (x *controllerContext) liveOrShuttingDownBrokerIDs() []kafka.BrokerID {
	if x.liveIDs == nil {
		x.liveIDs = kafka.SortedKeys(x.liveBrokerEpochs)
	}
	return x.liveIDs
}

func (x *controllerContext) isLiveOrShuttingDown(b kafka.BrokerID) bool {
	_, ok := x.liveBrokerEpochs[b]
	return ok
}

func (x *controllerContext) isLive(b kafka.BrokerID) bool {
	return x.isLiveOrShuttingDown(b) && !x.shuttingDownBrokerIDs.has(b)
}

func (x *controllerContext) liveOrShuttingDownBrokers() []kafka.Broker {
	out := make([]kafka.Broker, 0, len(x.liveBrokers))
	for _, id := range kafka.SortedKeys(x.liveBrokers) {
		out = append(out, x.liveBrokers[id])
	}
	return out
}

// isReplicaOnline. Kafka: ControllerContext.isReplicaOnline.
func (x *controllerContext) isReplicaOnline(b kafka.BrokerID, tp kafka.TopicPartition) bool {
	return x.isLive(b) && !x.replicasOnOfflineDirs[b].has(tp)
}

// isReplicaOnlineOrShuttingDown is isReplicaOnline with includeShuttingDownBrokers.
func (x *controllerContext) isReplicaOnlineOrShuttingDown(b kafka.BrokerID, tp kafka.TopicPartition) bool {
	return x.isLiveOrShuttingDown(b) && !x.replicasOnOfflineDirs[b].has(tp)
}

// partitionsForTopic lists the assigned partitions of a topic. Kafka: ControllerContext.partitionsForTopic.
func (x *controllerContext) partitionsForTopic(topic string) []kafka.TopicPartition {
	return x.order.PartitionSet(x.order.Assigned(x.appendPartitions(nil, topic)))
}

// appendPartitions appends the assigned partitions of a topic.
func (x *controllerContext) appendPartitions(out []kafka.TopicPartition, topic string) []kafka.TopicPartition {
	of := x.partitions[topic]
	out = slices.Grow(out, len(of))
	for _, number := range kafka.SortedKeys(of) {
		if p := of[number]; p.assigned {
			out = append(out, p.TopicPartition)
		}
	}
	return out
}

// allPartitions lists every assigned partition. Kafka: ControllerContext.allPartitions.
func (x *controllerContext) allPartitions() []kafka.TopicPartition {
	n := 0
	for _, of := range x.partitions {
		n += len(of)
	}
	out := make([]kafka.TopicPartition, 0, n)
	for _, t := range kafka.SortedKeys(x.partitions) {
		out = x.appendPartitions(out, t)
	}
	return x.order.PartitionSet(x.order.Assigned(out))
}

// partitionsOnBroker lists the partitions whose full assignment holds the broker. Kafka: ControllerContext.partitionsOnBroker.
func (x *controllerContext) partitionsOnBroker(b kafka.BrokerID) []kafka.TopicPartition {
	return x.order.PartitionSet(x.order.Assigned(sorted(x.hosted[b])))
}

// replicasOnBrokers lists the replicas that full assignments place on the brokers, broker by broker.
func (x *controllerContext) replicasOnBrokers(ids []kafka.BrokerID) []kafka.PartitionReplica {
	var out []kafka.PartitionReplica
	for _, b := range ids {
		for _, tp := range x.order.Assigned(sorted(x.hosted[b])) {
			out = append(out, kafka.PartitionReplica{TopicPartition: tp, Replica: b})
		}
	}
	return x.order.ReplicaSet(out)
}

// replicasForPartitions lists the replicas of the partitions, each in assignment order.
func (x *controllerContext) replicasForPartitions(tps []kafka.TopicPartition) []kafka.PartitionReplica {
	out := make([]kafka.PartitionReplica, 0, len(tps))
	for _, tp := range tps {
		for _, b := range x.assignment(tp).Replicas {
			out = append(out, kafka.PartitionReplica{TopicPartition: tp, Replica: b})
		}
	}
	return x.order.ReplicaSet(out)
}

func (x *controllerContext) replicasForTopic(topic string) []kafka.PartitionReplica {
	return x.replicasForPartitions(x.partitionsForTopic(topic))
}

// replicasInState lists the replicas of a topic that are in a state. Kafka: ControllerContext.replicasInState.
func (x *controllerContext) replicasInState(topic string, s kafka.ReplicaState) []kafka.PartitionReplica {
	return keep(x.replicasForTopic(topic), func(r kafka.PartitionReplica) bool { return x.replicaState(r) == s })
}

// isAnyReplicaInState. Kafka: ControllerContext.isAnyReplicaInState.
func (x *controllerContext) isAnyReplicaInState(topic string, s kafka.ReplicaState) bool {
	return x.someReplica(topic, func(r kafka.PartitionReplica) bool { return x.replicaState(r) == s })
}

// areAllReplicasInState. Kafka: ControllerContext.areAllReplicasInState.
func (x *controllerContext) areAllReplicasInState(topic string, s kafka.ReplicaState) bool {
	return !x.someReplica(topic, func(r kafka.PartitionReplica) bool { return x.replicaState(r) != s })
}

// someReplica looks through the replicas of a topic, in no order, until one fits.
func (x *controllerContext) someReplica(topic string, fits func(kafka.PartitionReplica) bool) bool {
	for _, p := range x.partitions[topic] {
		for _, b := range p.assignment.Replicas {
			if fits(kafka.PartitionReplica{TopicPartition: p.TopicPartition, Replica: b}) {
				return true
			}
		}
	}
	return false
}

// deletionCount is how many replicas of a topic are not deleted yet, and how many of them cannot be.
type deletionCount struct{ left, stuck int }

// countDeletion counts them once for as long as no replica of the topic changes: it is asked after every event.
func (x *controllerContext) countDeletion(topic string) deletionCount {
	n, counted := x.deletionCounts[topic]
	if counted {
		return n
	}
	x.someReplica(topic, func(r kafka.PartitionReplica) bool {
		switch x.replicaState(r) {
		case kafka.ReplicaDeletionSuccessful:
			return false
		case kafka.ReplicaDeletionIneligible:
			n.stuck++
		}
		n.left++
		return false
	})
	x.deletionCounts[topic] = n
	return n
}

// partitionsWithLeaders lists the partitions with leadership info (leader -1 included) whose topic is not queued for
// deletion. Kafka: ControllerContext.partitionsWithLeaders.
func (x *controllerContext) partitionsWithLeaders() []kafka.TopicPartition {
	var all []kafka.TopicPartition
	for topic, of := range x.partitions {
		for _, p := range of {
			if p.led && !x.isTopicQueuedUpForDeletion(topic) {
				all = append(all, p.TopicPartition)
			}
		}
	}
	kafka.Sort(all, kafka.ComparePartitions)
	return all
}

// partitionsWithOfflineLeader lists, over the whole cluster, the partitions with leadership info whose leader is not
// online: dead, shutting down, none, or on a failed directory. Kafka: ControllerContext.partitionsWithOfflineLeader.
func (x *controllerContext) partitionsWithOfflineLeader() []kafka.TopicPartition {
	var offline []kafka.TopicPartition
	for leader, led := range x.led {
		if !x.isLive(leader) {
			for p := range led {
				offline = append(offline, p.TopicPartition)
			}
			continue
		}
		for tp := range x.replicasOnOfflineDirs[leader] {
			if led.has(x.partition(tp)) {
				offline = append(offline, tp)
			}
		}
	}
	offline = slices.DeleteFunc(offline, func(tp kafka.TopicPartition) bool { return x.isTopicQueuedUpForDeletion(tp.Topic) })
	kafka.Sort(offline, kafka.ComparePartitions)
	return kafka.PartitionOrder(x.order, offline, nil)
}

// partitionLeadersOnBroker lists what a broker leads with more than one replica, topics queued for deletion left out.
// Kafka: ControllerContext.partitionLeadersOnBroker.
func (x *controllerContext) partitionLeadersOnBroker(b kafka.BrokerID) []kafka.TopicPartition {
	return keep(sorted(x.led[b]), func(tp kafka.TopicPartition) bool {
		return !x.isTopicQueuedUpForDeletion(tp.Topic) && len(x.assignment(tp).Replicas) > 1
	})
}

// partitionsNewOrOffline lists the partitions in NewPartition or OfflinePartition. Kafka: partitionsInStates.
func (x *controllerContext) partitionsNewOrOffline() []kafka.TopicPartition {
	return x.order.FilteredSet(sorted(x.newOrOffline))
}

func (x *controllerContext) isTopicQueuedUpForDeletion(topic string) bool {
	return x.topicsToBeDeleted.has(topic)
}

// factsOf are the document paths that a decision about a partition's leader is made from.
func (x *controllerContext) factsOf(tp kafka.TopicPartition) []env.Path {
	b, name := x.j.id, tp.String()
	reads := []env.Path{env.P("ctx", b, "partitionAssignments", name)}
	for _, r := range x.assignment(tp).Replicas {
		reads = append(reads, env.P("ctx", b, "liveBrokerEpochs", r.String()))
	}
	return reads
}

func assignmentRecord(a kafka.ReplicaAssignment) env.Record {
	return env.R(env.A("adding", env.Ints(a.Adding)), env.A("removing", env.Ints(a.Removing)),
		env.A("replicas", env.Ints(a.Replicas)))
}

func leadershipRecord(l kafka.Leadership) env.Record {
	return env.R(env.A("controllerEpoch", env.Int(l.ControllerEpoch)), env.A("isr", env.Ints(l.ISR)),
		env.A("leader", env.Int(l.Leader)), env.A("leaderEpoch", env.Int(l.LeaderEpoch)),
		env.A("zkVersion", env.Int(l.ZkVersion)))
}

func brokerRecord(b kafka.Broker) env.Record {
	endpoints := make([]any, len(b.Endpoints))
	for i, e := range b.Endpoints {
		endpoints[i] = e.String()
	}
	return env.R(env.A("endpoints", endpoints), env.A("rack", b.Rack))
}

func contains[T comparable](list []T, x T) bool { return slices.Contains(list, x) }

// keep returns the members that pass, as a new slice in the same order.
func keep[T any](list []T, pass func(T) bool) []T {
	var out []T
	for _, v := range list {
		if pass(v) {
			out = append(out, v)
		}
	}
	return out
}

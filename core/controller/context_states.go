package controller

import (
	"controllerscope/core/env"
	"controllerscope/core/kafka"
)

// putPartitionState stores a state and keeps the count of offline partitions, which skips topics whose deletion has
// started. Kafka: ControllerContext.putPartitionState, updatePartitionStateMetrics.
func (x *controllerContext) putPartitionState(tp kafka.TopicPartition, target kafka.PartitionState) {
	current, p := x.partitionState(tp), x.partitionFor(tp)
	p.state, p.known = target, true
	if target == kafka.NewPartition || target == kafka.OfflinePartition {
		x.newOrOffline.add(p)
	} else {
		delete(x.newOrOffline, p)
	}
	if x.j.on() {
		x.j.set(target.String(), "ctx", x.j.id, "partitionStates", tp.String())
	}
	if x.topicsWithDeletionStarted.has(tp.Topic) || (current == kafka.OfflinePartition) == (target == kafka.OfflinePartition) {
		return
	}
	if target == kafka.OfflinePartition {
		x.offlinePartitionCount++
	} else {
		x.offlinePartitionCount--
	}
	x.noteCounts()
}

// putReplicaState stores a state. Kafka: ControllerContext.putReplicaState.
func (x *controllerContext) putReplicaState(r kafka.PartitionReplica, target kafka.ReplicaState) {
	p := x.partitionFor(r.TopicPartition)
	if i := p.placeOf(r.Replica); i >= 0 {
		p.replicas[i].state = target
	} else {
		p.replicas = append(p.replicas, replica{r.Replica, target})
	}
	delete(x.deletionCounts, r.Topic)
	if x.j.on() {
		x.j.set(target.String(), "ctx", x.j.id, "replicaStates", r.String())
	}
}

// removeReplicaState forgets a replica. Kafka: ControllerContext.removeReplicaState.
func (x *controllerContext) removeReplicaState(r kafka.PartitionReplica) {
	if p := x.partition(r.TopicPartition); p != nil {
		if i := p.placeOf(r.Replica); i >= 0 {
			p.replicas[i] = p.replicas[len(p.replicas)-1]
			p.replicas = p.replicas[:len(p.replicas)-1]
		}
	}
	delete(x.deletionCounts, r.Topic)
	if x.j.on() {
		x.j.unset("ctx", x.j.id, "replicaStates", r.String())
	}
}

// removeTopic forgets a topic, but not the states of its partitions and replicas, nor its ineligibility, nor that its
// partitions were being reassigned. Kafka: ControllerContext.removeTopic.
func (x *controllerContext) removeTopic(topic string) {
	if !x.topicsToBeDeleted.has(topic) {
		x.uncountImbalance(topic)
	}
	x.markToBeDeleted(topic, false)
	x.markDeletionStarted(topic, false)
	if x.allTopics.has(topic) {
		delete(x.allTopics, topic)
		x.j.unset("ctx", x.j.id, "allTopics", topic)
	}
	if id, ok := x.topicIDs[topic]; ok {
		delete(x.topicIDs, topic)
		delete(x.topicNames, id)
		x.j.unset("ctx", x.j.id, "topicIds", topic)
	}
	for _, tp := range x.partitionsForTopic(topic) {
		p := x.partition(tp)
		for _, b := range p.assignment.Replicas {
			x.hosted.remove(b, p)
		}
		if p.led {
			x.led.remove(p.leadership.Leader, p)
			x.partitionsLed--
		}
		p.assignment, p.assigned, p.leadership, p.led = kafka.ReplicaAssignment{}, false, kafka.Leadership{}, false
		if x.j.on() {
			x.j.unset("ctx", x.j.id, "partitionAssignments", tp.String())
			x.j.unset("ctx", x.j.id, "partitionLeadershipInfo", tp.String())
		}
	}
	delete(x.deletionCounts, topic)
}

// queueTopicDeletion marks topics for deletion. It takes their imbalanced partitions off the count each time, also of a
// topic that is queued already: 2.8.2's count drifts. Kafka: ControllerContext.queueTopicDeletion.
func (x *controllerContext) queueTopicDeletion(topics []string) {
	for _, t := range topics {
		x.markToBeDeleted(t, true)
	}
	for _, t := range topics {
		x.uncountImbalance(t)
	}
}

// uncountImbalance takes the imbalanced partitions of a topic off the count.
// Kafka: ControllerContext.cleanPreferredReplicaImbalanceMetric.
func (x *controllerContext) uncountImbalance(topic string) {
	before := x.preferredReplicaImbalanceCount
	for _, p := range x.partitions[topic] {
		if p.led && len(p.assignment.Replicas) > 0 && !hasPreferredLeader(p.assignment, p.leadership) {
			x.preferredReplicaImbalanceCount--
		}
	}
	if x.preferredReplicaImbalanceCount != before {
		x.noteCounts()
	}
}

func (x *controllerContext) markToBeDeleted(topic string, on bool) {
	x.mark(x.topicsToBeDeleted, "topicsToBeDeleted", topic, on)
}

func (x *controllerContext) markDeletionStarted(topic string, on bool) {
	x.mark(x.topicsWithDeletionStarted, "topicsWithDeletionStarted", topic, on)
}

func (x *controllerContext) markIneligible(topic string, on bool) {
	x.mark(x.topicsIneligibleForDeletion, "topicsIneligibleForDeletion", topic, on)
}

func (x *controllerContext) markReassigned(tp kafka.TopicPartition, on bool) {
	if x.partitionsReassigned.has(tp) == on {
		return
	}
	if on {
		x.partitionsReassigned.add(tp)
		x.j.set(true, "ctx", x.j.id, "partitionsBeingReassigned", tp.String())
		return
	}
	delete(x.partitionsReassigned, tp)
	x.j.unset("ctx", x.j.id, "partitionsBeingReassigned", tp.String())
}

// mark adds a topic to one of the three deletion sets, or takes it off.
func (x *controllerContext) mark(s set[string], name, topic string, on bool) {
	if s.has(topic) == on {
		return
	}
	if on {
		s.add(topic)
		x.j.set(true, "ctx", x.j.id, name, topic)
		return
	}
	delete(s, topic)
	x.j.unset("ctx", x.j.id, name, topic)
}

// dump sets every leaf of the context. See trace: ctx/B.
func (x *controllerContext) dump(d env.Dump) {
	b := x.j.id
	if x.epochSet {
		d.Set(env.Int(x.epoch), "ctx", b, "epoch")
		d.Set(env.Int(x.epochZkVersion), "ctx", b, "epochZkVersion")
	}
	if x.countsSet {
		d.Set(env.Int(x.offlinePartitionCount), "ctx", b, "offlinePartitionCount")
		d.Set(env.Int(x.preferredReplicaImbalanceCount), "ctx", b, "preferredReplicaImbalanceCount")
	}
	for id, br := range x.liveBrokers {
		d.Set(brokerRecord(br), "ctx", b, "liveBrokers", id.String())
	}
	for id, e := range x.liveBrokerEpochs {
		d.Set(env.Zxid(e), "ctx", b, "liveBrokerEpochs", id.String())
	}
	for id := range x.shuttingDownBrokerIDs {
		d.Set(true, "ctx", b, "shuttingDownBrokerIds", id.String())
	}
	for t, id := range x.topicIDs {
		d.Set(id.String(), "ctx", b, "topicIds", t)
	}
	for name, s := range map[string]set[string]{"allTopics": x.allTopics, "topicsToBeDeleted": x.topicsToBeDeleted,
		"topicsWithDeletionStarted": x.topicsWithDeletionStarted, "topicsIneligibleForDeletion": x.topicsIneligibleForDeletion} {
		for t := range s {
			d.Set(true, "ctx", b, name, t)
		}
	}
	x.dumpPartitions(d)
}

func (x *controllerContext) dumpPartitions(d env.Dump) {
	b := x.j.id
	for _, of := range x.partitions {
		for _, p := range of {
			x.dumpPartition(d, p)
		}
	}
	for tp := range x.partitionsReassigned {
		d.Set(true, "ctx", b, "partitionsBeingReassigned", tp.String())
	}
	for id, s := range x.replicasOnOfflineDirs {
		for tp := range s {
			d.Set(true, "ctx", b, "replicasOnOfflineDirs", id.String(), tp.String())
		}
	}
}

func (x *controllerContext) dumpPartition(d env.Dump, p *partition) {
	b, name := x.j.id, p.String()
	if p.assigned {
		d.Set(assignmentRecord(p.assignment), "ctx", b, "partitionAssignments", name)
	}
	if p.led {
		d.Set(leadershipRecord(p.leadership), "ctx", b, "partitionLeadershipInfo", name)
	}
	if p.known {
		d.Set(p.state.String(), "ctx", b, "partitionStates", name)
	}
	for _, r := range p.replicas {
		d.Set(r.state.String(), "ctx", b, "replicaStates", kafka.PartitionReplica{TopicPartition: p.TopicPartition, Replica: r.broker}.String())
	}
}

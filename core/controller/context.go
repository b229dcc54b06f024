package controller

import (
	"fmt"

	"controllerscope/core/env"
	"controllerscope/core/kafka"
)

// controllerContext is what the controller knows of the cluster: a cache of ZooKeeper, plus the two kinds of states that
// live nowhere else. Only the controller thread changes it. Kafka: ControllerContext.
type controllerContext struct {
	j     *journal
	order kafka.Order // in which its queries list what Kafka keeps in maps and sets

	epoch, epochZkVersion int32
	epochSet              bool // the two are known: this process was elected since the last reset

	liveBrokers           map[kafka.BrokerID]kafka.Broker // includes those that shut down
	liveBrokerEpochs      map[kafka.BrokerID]int64
	shuttingDownBrokerIDs set[kafka.BrokerID]
	liveIDs               []kafka.BrokerID // keys of liveBrokerEpochs, sorted; nil after a change

	allTopics  set[string]
	topicIDs   map[string]kafka.UUID
	topicNames map[kafka.UUID]string

	partitions            map[string]map[int32]*partition // by topic
	partitionsLed         int                             // how many have leadership
	partitionsReassigned  set[kafka.TopicPartition]       // Kafka: partitionsBeingReassigned
	replicasOnOfflineDirs map[kafka.BrokerID]set[kafka.TopicPartition]

	topicsToBeDeleted           set[string]
	topicsWithDeletionStarted   set[string]
	topicsIneligibleForDeletion set[string]

	offlinePartitionCount          int
	preferredReplicaImbalanceCount int
	countsSet                      bool // the two stand in the document

	// Indexes over the above, so that an event about one broker does not read every partition.
	hosted       index           // broker -> partitions whose full replica list holds it
	led          index           // leader (also -1) -> partitions
	newOrOffline set[*partition] // partitions in NewPartition and OfflinePartition
	// deletionCounts are counts over the replicas of topics to be deleted; a change of a replica of the topic voids its entry.
	deletionCounts map[string]deletionCount
}

func newContext(j *journal, order kafka.Order) *controllerContext {
	x := &controllerContext{j: j, order: order}
	x.clear()
	return x
}

func (x *controllerContext) clear() {
	*x = controllerContext{j: x.j, order: x.order,
		liveBrokers: map[kafka.BrokerID]kafka.Broker{}, liveBrokerEpochs: map[kafka.BrokerID]int64{},
		shuttingDownBrokerIDs: set[kafka.BrokerID]{}, allTopics: set[string]{}, topicIDs: map[string]kafka.UUID{},
		topicNames: map[kafka.UUID]string{}, partitions: map[string]map[int32]*partition{},
		partitionsReassigned: set[kafka.TopicPartition]{}, replicasOnOfflineDirs: map[kafka.BrokerID]set[kafka.TopicPartition]{},
		topicsToBeDeleted: set[string]{}, topicsWithDeletionStarted: set[string]{}, topicsIneligibleForDeletion: set[string]{},
		hosted: index{}, led: index{}, newOrOffline: set[*partition]{}, deletionCounts: map[string]deletionCount{},
	}
}

// resetContext forgets everything. Kafka: ControllerContext.resetContext.
func (x *controllerContext) resetContext() {
	x.clear()
	x.j.unset("ctx", x.j.id)
}

// setEpoch stores what the election gave.
func (x *controllerContext) setEpoch(epoch, zkVersion int32) {
	x.epoch, x.epochZkVersion, x.epochSet = epoch, zkVersion, true
	if x.j.on() {
		x.j.set(env.Int(epoch), "ctx", x.j.id, "epoch")
		x.j.set(env.Int(zkVersion), "ctx", x.j.id, "epochZkVersion")
	}
}

// liveBroker is a registered broker with the czxid of its registration.
type liveBroker struct {
	kafka.Broker
	epoch int64
}

// addLiveBrokers adds or replaces. Kafka: ControllerContext.addLiveBrokers; setLiveBrokers is the same after a reset.
func (x *controllerContext) addLiveBrokers(brokers []liveBroker) {
	for _, b := range brokers {
		x.liveBrokers[b.ID] = b.Broker
		x.liveBrokerEpochs[b.ID] = b.epoch
		x.liveIDs = nil
		if x.j.on() {
			x.j.set(brokerRecord(b.Broker), "ctx", x.j.id, "liveBrokers", b.ID.String())
			x.j.set(env.Zxid(b.epoch), "ctx", x.j.id, "liveBrokerEpochs", b.ID.String())
		}
	}
}

// setLiveBrokers replaces the whole set. Kafka: ControllerContext.setLiveBrokers.
func (x *controllerContext) setLiveBrokers(brokers []liveBroker) {
	x.removeLiveBrokers(x.liveOrShuttingDownBrokerIDs())
	x.addLiveBrokers(brokers)
}

// removeLiveBrokers. Kafka: ControllerContext.removeLiveBrokers.
func (x *controllerContext) removeLiveBrokers(ids []kafka.BrokerID) {
	for _, id := range ids {
		delete(x.liveBrokers, id)
		delete(x.liveBrokerEpochs, id)
		x.liveIDs = nil
		if x.j.on() {
			x.j.unset("ctx", x.j.id, "liveBrokers", id.String())
			x.j.unset("ctx", x.j.id, "liveBrokerEpochs", id.String())
		}
	}
}

// updateBrokerMetadata replaces what is known of a broker, not its epoch. Kafka: ControllerContext.updateBrokerMetadata.
func (x *controllerContext) updateBrokerMetadata(b kafka.Broker) {
	x.liveBrokers[b.ID] = b
	if x.j.on() {
		x.j.set(brokerRecord(b), "ctx", x.j.id, "liveBrokers", b.ID.String())
	}
}

func (x *controllerContext) setShuttingDown(id kafka.BrokerID) {
	x.shuttingDownBrokerIDs.add(id)
	if x.j.on() {
		x.j.set(true, "ctx", x.j.id, "shuttingDownBrokerIds", id.String())
	}
}

func (x *controllerContext) forgetShuttingDown(id kafka.BrokerID) bool {
	if !x.shuttingDownBrokerIDs.has(id) {
		return false
	}
	delete(x.shuttingDownBrokerIDs, id)
	x.j.unset("ctx", x.j.id, "shuttingDownBrokerIds", id.String())
	return true
}

// setReplicasOnOfflineDirs replaces what is known of a broker's failed directories.
func (x *controllerContext) setReplicasOnOfflineDirs(b kafka.BrokerID, offline set[kafka.TopicPartition]) {
	if x.j.on() {
		for _, tp := range sortedPartitions(x.replicasOnOfflineDirs[b]) {
			if !offline.has(tp) {
				x.j.unset("ctx", x.j.id, "replicasOnOfflineDirs", b.String(), tp.String())
			}
		}
		for _, tp := range sortedPartitions(offline) {
			if !x.replicasOnOfflineDirs[b].has(tp) {
				x.j.set(true, "ctx", x.j.id, "replicasOnOfflineDirs", b.String(), tp.String())
			}
		}
	}
	delete(x.replicasOnOfflineDirs, b)
	if len(offline) > 0 {
		x.replicasOnOfflineDirs[b] = offline
	}
}

// setAllTopics replaces the set of topic names. Kafka: ControllerContext.setAllTopics.
func (x *controllerContext) setAllTopics(topics set[string]) {
	if x.j.on() {
		for _, t := range kafka.SortedKeys(x.allTopics) {
			if !topics.has(t) {
				x.j.unset("ctx", x.j.id, "allTopics", t)
			}
		}
		for _, t := range kafka.SortedKeys(topics) {
			if !x.allTopics.has(t) {
				x.j.set(true, "ctx", x.j.id, "allTopics", t)
			}
		}
	}
	x.allTopics = topics
}

// addTopicID keeps the two id maps consistent; a conflict is an illegal state. Kafka: ControllerContext.addTopicId.
func (x *controllerContext) addTopicID(topic string, id kafka.UUID) error {
	if !x.allTopics.has(topic) {
		return illegalState(fmt.Sprintf("topic %s is not contained in all topics", topic))
	}
	if known, ok := x.topicIDs[topic]; ok && known != id {
		return illegalState(fmt.Sprintf("topic id map already contained id for topic %s and new id %s did not match existing id %s", topic, id, known))
	}
	if known, ok := x.topicNames[id]; ok && known != topic {
		return illegalState(fmt.Sprintf("topic name map already contained id %s and new name %s did not match existing name %s", id, topic, known))
	}
	if _, ok := x.topicIDs[topic]; !ok && x.j.on() {
		x.j.set(id.String(), "ctx", x.j.id, "topicIds", topic)
	}
	x.topicIDs[topic], x.topicNames[id] = id, topic
	return nil
}

// putAssignment stores the full assignment of a partition and keeps the imbalance count. Without replicas Kafka trips
// over the missing preferred replica, after it has stored the assignment.
// Kafka: ControllerContext.updatePartitionFullReplicaAssignment.
func (x *controllerContext) putAssignment(tp kafka.TopicPartition, a kafka.ReplicaAssignment) error {
	p := x.partitionFor(tp)
	old := *p
	p.assignment, p.assigned = a, true
	delete(x.deletionCounts, tp.Topic)
	for _, b := range old.assignment.Replicas {
		x.hosted.remove(b, p)
	}
	for _, b := range a.Replicas {
		x.hosted.add(b, p)
	}
	if x.j.on() {
		x.j.set(assignmentRecord(a), "ctx", x.j.id, "partitionAssignments", tp.String())
	}
	return x.recount(&old, p)
}

// putLeadership stores leadership and keeps the imbalance count. Kafka: ControllerContext.putPartitionLeadershipInfo.
func (x *controllerContext) putLeadership(tp kafka.TopicPartition, info kafka.Leadership) error {
	p := x.partitionFor(tp)
	old := *p
	p.leadership, p.led = info, true
	if !old.led {
		x.partitionsLed++
	}
	if !old.led || old.leadership.Leader != info.Leader {
		x.led.remove(old.leadership.Leader, p)
		x.led.add(info.Leader, p)
	}
	if x.j.on() {
		x.j.set(leadershipRecord(info), "ctx", x.j.id, "partitionLeadershipInfo", tp.String())
	}
	return x.recount(&old, p)
}

// recount moves the imbalance count from a partition as it was to the same as it is; without assignment or leadership it
// does not count. Kafka: ControllerContext.updatePreferredReplicaImbalanceMetric.
func (x *controllerContext) recount(old, now *partition) error {
	if x.isTopicQueuedUpForDeletion(now.Topic) {
		return nil
	}
	change := 0
	for i, p := range [...]*partition{old, now} {
		if !p.assigned || !p.led {
			continue
		}
		if len(p.assignment.Replicas) == 0 {
			return noPreferredReplica(p.TopicPartition)
		}
		if !hasPreferredLeader(p.assignment, p.leadership) {
			change += 2*i - 1 // off for what was, on for what is
		}
	}
	if change != 0 {
		x.preferredReplicaImbalanceCount += change
		x.noteCounts()
	}
	return nil
}

// hasPreferredLeader reports whether the first replica leads. While it is being added by a reassignment, the partition
// is balanced until it has joined the ISR. Kafka: ControllerContext.hasPreferredLeader.
func hasPreferredLeader(a kafka.ReplicaAssignment, l kafka.Leadership) bool {
	preferred := a.Replicas[0]
	if contains(a.Adding, preferred) {
		return !contains(l.ISR, preferred)
	}
	return l.Leader == preferred
}

func (x *controllerContext) noteCounts() {
	x.countsSet = true
	if x.j.on() {
		x.j.set(env.Int(x.offlinePartitionCount), "ctx", x.j.id, "offlinePartitionCount")
		x.j.set(env.Int(x.preferredReplicaImbalanceCount), "ctx", x.j.id, "preferredReplicaImbalanceCount")
	}
}

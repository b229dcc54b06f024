package controller

import (
	"slices"

	"controllerscope/core/env"
	"controllerscope/core/kafka"
)

// processBrokerChange compares the registered brokers with those that the controller knows. A broker that is in both
// lists but registered later than the controller knows has bounced: it is treated as failed, then as started. New brokers
// come first, then bounced, then dead ones: these count as live until their turn. Kafka: processBrokerChange.
func (c *Controller) processBrokerChange() error {
	if !c.IsActive() {
		return nil
	}
	current, err := c.readBrokers()
	if err != nil {
		return err
	}
	change := c.compareBrokers(current)
	c.noteBrokerChange(change, current)
	for _, id := range change.new {
		c.channels.addBroker(current[id].Broker)
	}
	for _, id := range change.bounced {
		if err := c.channels.removeBroker(id); err != nil {
			return err
		}
	}
	for _, id := range change.bounced {
		c.channels.addBroker(current[id].Broker)
	}
	for _, id := range change.dead {
		if err := c.channels.removeBroker(id); err != nil {
			return err
		}
	}
	if len(change.new) > 0 {
		c.addLive(change.new, current)
		if err := c.onBrokerStartup(change.new); err != nil {
			return err
		}
	}
	if len(change.bounced) > 0 {
		c.removeLive(change.bounced)
		if err := c.onBrokerFailure(change.bounced); err != nil {
			return err
		}
		c.addLive(change.bounced, current)
		if err := c.onBrokerStartup(change.bounced); err != nil {
			return err
		}
	}
	if len(change.dead) > 0 {
		c.removeLive(change.dead)
		return c.onBrokerFailure(change.dead)
	}
	return nil
}

// brokerChange holds three sorted lists of ids.
type brokerChange struct{ new, dead, bounced []kafka.BrokerID }

// compareBrokers tells which registrations are new, gone, or made anew. Without the broker-epoch guard nobody bounces.
func (c *Controller) compareBrokers(current map[kafka.BrokerID]liveBroker) (change brokerChange) {
	for _, id := range kafka.SortedKeys(current) {
		cached, known := c.ctx.liveBrokerEpochs[id]
		switch {
		case !known:
			change.new = append(change.new, id)
		case current[id].epoch > cached && c.e.Guard(env.GuardBrokerEpoch):
			change.bounced = append(change.bounced, id)
		}
	}
	for _, id := range c.ctx.liveOrShuttingDownBrokerIDs() {
		if _, ok := current[id]; !ok {
			change.dead = append(change.dead, id)
		}
	}
	return change
}

func (c *Controller) noteBrokerChange(change brokerChange, current map[kafka.BrokerID]liveBroker) {
	if !c.j.on() {
		return
	}
	var cached, read env.Record
	reads := []env.Path{}
	for _, id := range c.ctx.liveOrShuttingDownBrokerIDs() {
		cached = append(cached, env.A(id.String(), env.Zxid(c.ctx.liveBrokerEpochs[id])))
		reads = append(reads, env.P("ctx", c.j.id, "liveBrokerEpochs", id.String()))
	}
	for _, id := range kafka.SortedKeys(current) {
		read = append(read, env.A(id.String(), env.Zxid(current[id].epoch)))
		reads = append(reads, env.P("zk", brokerPath(id), "czxid"))
	}
	c.j.because(env.CtxSet, brokersPath, "brokers.changed", reads, brokerArg("new", change.new), brokerArg("dead", change.dead),
		brokerArg("bounced", change.bounced), env.A("cached", cached.Sorted()), env.A("read", read.Sorted()))
}

func (c *Controller) addLive(ids []kafka.BrokerID, current map[kafka.BrokerID]liveBroker) {
	var brokers []liveBroker
	for _, id := range ids {
		brokers = append(brokers, current[id])
	}
	c.ctx.addLiveBrokers(brokers)
	c.j.note(env.CtxSet, brokersPath, "brokers.addLive", brokerArg("brokers", ids))
}

func (c *Controller) removeLive(ids []kafka.BrokerID) {
	c.ctx.removeLiveBrokers(ids)
	c.j.note(env.CtxSet, brokersPath, "brokers.removeLive", brokerArg("brokers", ids))
}

// onBrokerStartup tells everybody, gives the new brokers their replicas and elects where that helps.
// Kafka: KafkaController.onBrokerStartup.
func (c *Controller) onBrokerStartup(ids []kafka.BrokerID) error {
	x := c.ctx
	c.forgetOfflineDirs(ids)
	if err := c.sendUpdateMetadata(kafka.Without(x.liveOrShuttingDownBrokerIDs(), ids), nil); err != nil {
		return err
	}
	if err := c.sendUpdateMetadata(ids, x.partitionsWithLeaders()); err != nil {
		return err
	}
	replicas := x.replicasOnBrokers(ids)
	if err := c.rsm.handleStateChanges(replicas, kafka.OnlineReplica); err != nil {
		return err
	}
	if err := c.psm.triggerOnlinePartitionStateChange(); err != nil {
		return err
	}
	if err := c.resumeReassignmentsTo(ids); err != nil {
		return err
	}
	if err := c.resumeDeletionsOn(replicas); err != nil {
		return err
	}
	return c.registerBrokerModificationsHandlers(ids)
}

// onBrokerFailure. Kafka: KafkaController.onBrokerFailure.
func (c *Controller) onBrokerFailure(ids []kafka.BrokerID) error {
	c.forgetOfflineDirs(ids)
	var left []kafka.BrokerID
	for _, id := range ids {
		if c.ctx.forgetShuttingDown(id) {
			left = append(left, id)
		}
	}
	if len(left) > 0 {
		c.j.note(env.CtxSet, brokersPath, "brokers.shutDown", brokerArg("brokers", left))
	}
	if err := c.onReplicasBecomeOffline(c.ctx.replicasOnBrokers(ids)); err != nil {
		return err
	}
	c.unregisterBrokerModificationsHandlers(ids)
	return nil
}

func (c *Controller) forgetOfflineDirs(ids []kafka.BrokerID) {
	for _, id := range ids {
		c.ctx.setReplicasOnOfflineDirs(id, nil)
	}
	c.j.flush(brokersPath, "brokers.forgetOfflineDirs", brokerArg("brokers", ids))
}

// onReplicasBecomeOffline elects new leaders first and takes the replicas out of the ISRs afterwards. Brokers that lost
// no leader, nowhere in the cluster, learn by an UpdateMetadata without partitions; with the fix metadata-new-offline a
// partition that was without leader before does not count. Kafka: onReplicasBecomeOffline.
func (c *Controller) onReplicasBecomeOffline(replicas []kafka.PartitionReplica) error {
	x := c.ctx
	queued := func(r kafka.PartitionReplica) bool { return c.isQueuedUpForDeletion(r.Topic) }
	leaderless := x.partitionsWithOfflineLeader()
	if c.j.on() {
		c.j.note(env.CtxSet, brokersPath, "replicas.offline", replicaArg("replicas", replicas), c.j.partitionArg("leaderless", leaderless))
	}
	lost := leaderless
	if c.e.Fix(env.FixMetadataNewOffline) {
		lost = keep(leaderless, func(tp kafka.TopicPartition) bool { return x.partitionState(tp) != kafka.OfflinePartition })
	}
	if _, err := c.psm.handleStateChanges(leaderless, kafka.OfflinePartition, nil); err != nil {
		return err
	}
	if err := c.psm.triggerOnlinePartitionStateChange(); err != nil {
		return err
	}
	stay := x.order.ReplicaSubset(len(replicas), slices.DeleteFunc(slices.Clone(replicas), queued))
	if err := c.rsm.handleStateChanges(stay, kafka.OfflineReplica); err != nil {
		return err
	}
	if doomed := keep(replicas, queued); len(doomed) > 0 {
		if err := c.failReplicaDeletion(doomed); err != nil {
			return err
		}
	}
	if len(lost) == 0 {
		return c.sendUpdateMetadata(x.liveOrShuttingDownBrokerIDs(), nil)
	}
	return nil
}

// processBrokerModification: a registration's data changed. Only the endpoints matter, in their order; a changed rack
// alone is ignored. Kafka: KafkaController.processBrokerModification, onBrokerUpdate.
func (c *Controller) processBrokerModification(id kafka.BrokerID) error {
	if !c.IsActive() {
		return nil
	}
	now, exists, err := c.readBroker(id)
	if err != nil {
		return err
	}
	old, known := c.ctx.liveBrokers[id]
	if !exists || !known || slices.Equal(now.Endpoints, old.Endpoints) {
		return nil
	}
	c.ctx.updateBrokerMetadata(now)
	c.j.because(env.CtxSet, brokerPath(id), "brokers.modified", []env.Path{env.P("zk", brokerPath(id), "data")},
		env.A("broker", env.Int(id)))
	return c.sendUpdateMetadata(c.ctx.liveOrShuttingDownBrokerIDs(), nil)
}

// sendUpdateMetadata sends one batch of the controller's own. Kafka: KafkaController.sendUpdateMetadataRequest.
func (c *Controller) sendUpdateMetadata(brokers []kafka.BrokerID, tps []kafka.TopicPartition) error {
	if err := c.batch.newBatch(); err != nil {
		return c.handleIllegalState(err)
	}
	c.batch.addUpdateMetadata(brokers, tps)
	c.batch.sendRequestsToBrokers(c.ctx.epoch)
	return nil
}

package controller

import (
	"errors"
	"slices"

	"controllerscope/core/env"
	"controllerscope/core/kafka"
	"controllerscope/core/zkclient"
	"controllerscope/core/zkdata"
)

const (
	controllerPath = zkdata.ControllerPath
	brokersPath    = zkdata.BrokerIDsPath
	topicsPath     = zkdata.TopicsPath
)

func brokerPath(id kafka.BrokerID) string { return zkdata.BrokerIDPath(id) }

// firstRebalanceMS is when a new controller first checks the leader balance. Kafka: onControllerFailover.
const firstRebalanceMS = 5000

// onControllerFailover does what a new controller must do, in Kafka's order: watch, load, announce the live brokers (a
// broker cannot follow a leader that it does not know to be alive), start the replica machine, then the partition
// machine, then resume what the last controller left. Kafka: KafkaController.onControllerFailover.
func (c *Controller) onControllerFailover() error {
	steps := []func() error{
		c.maybeSetupFeatureVersioning,
		c.registerFailoverHandlers,
		func() error { return c.zk.DeleteAllLogDirEventNotifications(c.fence()) },
		func() error { return c.zk.DeleteAllIsrChangeNotifications(c.fence()) },
		c.initializeControllerContext,
		c.initDeletions,
		func() error { return c.sendUpdateMetadata(c.ctx.liveOrShuttingDownBrokerIDs(), nil) },
		c.rsm.startup,
		c.psm.startup,
		c.ready,
		c.initializePartitionReassignments,
		c.tryTopicDeletion,
		c.electPendingPreferred,
		c.startScheduler,
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

func (c *Controller) ready() error {
	c.j.note(env.CtxSet, "", "failover.ready", env.A("epoch", env.Int(c.ctx.epoch)))
	return nil
}

// registerFailoverHandlers: the child handlers cost nothing yet; the two of /admin arm their watches at once.
func (c *Controller) registerFailoverHandlers() error {
	put := func(ev event) func() { return func() { c.putEvent(ev) } }
	c.zk.RegisterZNodeChildChangeHandler(brokersPath, put(brokerChangeEvent))
	c.zk.RegisterZNodeChildChangeHandler(topicsPath, put(topicChangeEvent))
	c.zk.RegisterZNodeChildChangeHandler(zkdata.DeleteTopicsPath, put(topicDeletionEvent))
	c.zk.RegisterZNodeChildChangeHandler(zkdata.LogDirEventNotificationPath, put(logDirEventNotificationEvent))
	c.zk.RegisterZNodeChildChangeHandler(zkdata.IsrChangeNotificationPath, put(isrChangeNotificationEvent))
	if _, err := c.registerPreferredElectionHandler(); err != nil {
		return err
	}
	_, err := c.registerReassignmentHandler()
	return err
}

// registerPreferredElectionHandler and registerReassignmentHandler hear of the creation only, and report existence.
func (c *Controller) registerPreferredElectionHandler() (bool, error) {
	return c.zk.RegisterZNodeChangeHandlerAndCheckExistence(zkdata.PreferredReplicaElectionPath, zkclient.ZNodeChangeHandler{
		Created: func() { c.putEvent(replicaLeaderElection{election: preferredElection, trigger: zkTriggered}) }})
}

func (c *Controller) registerReassignmentHandler() (bool, error) {
	return c.zk.RegisterZNodeChangeHandlerAndCheckExistence(zkdata.ReassignPartitionsPath, zkclient.ZNodeChangeHandler{
		Created: func() { c.putEvent(zkPartitionReassignmentEvent) }})
}

// initializeControllerContext reads the whole cluster. Kafka: KafkaController.initializeControllerContext.
func (c *Controller) initializeControllerContext() error {
	x := c.ctx
	current, err := c.readBrokers()
	if err != nil {
		return err
	}
	var brokers []liveBroker
	for _, id := range kafka.SortedKeys(current) {
		brokers = append(brokers, current[id])
	}
	x.setLiveBrokers(brokers)
	c.j.note(env.CtxSet, brokersPath, "failover.brokers", brokerArg("brokers", x.liveOrShuttingDownBrokerIDs()))
	names, err := c.zk.GetAllTopicsInCluster(true)
	if err != nil {
		return err
	}
	x.setAllTopics(setOf(names...))
	c.j.note(env.CtxSet, topicsPath, "failover.topics", env.A("topics", env.Strings(kafka.SortedKeys(x.allTopics))))
	if err := c.loadTopics(x.order.TopicReads(x.order.NameTable(names))); err != nil {
		return err
	}
	if err := c.registerBrokerModificationsHandlers(x.liveOrShuttingDownBrokerIDs()); err != nil {
		return err
	}
	if err := c.updateLeaderAndIsrCache(x.allPartitions()); err != nil {
		return err
	}
	c.channels.startup(x.liveOrShuttingDownBrokers())
	c.j.note(env.CtxSet, "", "failover.context", brokerArg("brokers", x.liveOrShuttingDownBrokerIDs()),
		env.A("topics", env.Int(len(x.allTopics))))
	return nil
}

// loadTopics reads assignments and ids; a partition that is being reassigned is remembered as such.
func (c *Controller) loadTopics(names []string) error {
	c.registerPartitionModificationsHandlers(names)
	topics, err := c.zk.GetReplicaAssignmentAndTopicIDs(names)
	if err != nil {
		return err
	}
	if err := c.processTopicIDs(topics); err != nil {
		return err
	}
	for _, t := range topics {
		for _, p := range kafka.SortedKeys(t.Partitions) {
			tp := kafka.TopicPartition{Topic: t.Topic, Partition: p}
			if err := c.ctx.putAssignment(tp, t.Partitions[p]); err != nil {
				return err
			}
			if t.Partitions[p].IsReassigning() {
				c.ctx.markReassigned(tp, true)
			}
		}
	}
	c.j.flush(topicsPath, "failover.assignments")
	return nil
}

// updateLeaderAndIsrCache reads states into the context; what is missing or not JSON leaves the context as it is.
// Kafka: KafkaController.updateLeaderAndIsrCache.
func (c *Controller) updateLeaderAndIsrCache(tps []kafka.TopicPartition) error {
	states, err := c.zk.GetTopicPartitionStates(tps)
	if err != nil {
		return err
	}
	for _, s := range states {
		if err := c.ctx.putLeadership(s.TopicPartition, s.Leadership); err != nil {
			return err
		}
	}
	c.j.flush("", "context.leadership", c.j.partitionArg("partitions", tps))
	return nil
}

func (c *Controller) registerBrokerModificationsHandlers(ids []kafka.BrokerID) error {
	for _, id := range ids {
		if _, err := c.zk.RegisterZNodeChangeHandlerAndCheckExistence(brokerPath(id), zkclient.ZNodeChangeHandler{
			DataChanged: func() { c.putEvent(brokerModifications{id}) }}); err != nil {
			return err
		}
		c.modifications.add(id)
	}
	return nil
}

func (c *Controller) unregisterBrokerModificationsHandlers(ids []kafka.BrokerID) {
	for _, id := range ids {
		delete(c.modifications, id)
		c.zk.UnregisterZNodeChangeHandler(brokerPath(id))
	}
}

func (c *Controller) registerPartitionModificationsHandlers(topics []string) {
	for _, t := range slices.Sorted(slices.Values(topics)) {
		c.zk.RegisterZNodeChangeHandler(zkdata.TopicPath(t), zkclient.ZNodeChangeHandler{
			DataChanged: func() { c.putEvent(partitionModifications{t}) }})
		c.topicHandlers.add(t)
	}
}

// readBrokers reads the registrations, which watches the list. Kafka: getAllBrokerAndEpochsInCluster.
func (c *Controller) readBrokers() (map[kafka.BrokerID]liveBroker, error) {
	list, err := c.zk.GetAllBrokerAndEpochsInCluster()
	if err != nil {
		return nil, err
	}
	out := make(map[kafka.BrokerID]liveBroker, len(list))
	for _, b := range list {
		out[b.ID] = liveBroker{b.Broker, b.Epoch}
	}
	return out, nil
}

func (c *Controller) readBroker(id kafka.BrokerID) (kafka.Broker, bool, error) {
	info, found, err := c.zk.GetBroker(id)
	return info.Broker, found, err
}

// startScheduler lets timed work begin: the check of the leader balance. Kafka: onControllerFailover, its last steps.
func (c *Controller) startScheduler() error {
	c.scheduler = true
	if c.cfg.AutoLeaderRebalance {
		c.scheduleRebalance(firstRebalanceMS)
	}
	return nil
}

var errFeatureTimeout = errors.New("the feature cache did not reach the version of /feature in time")

// featureTimeoutMS is how long a new controller waits for its own feature cache: zookeeper.connection.timeout.ms, which
// defaults to the session timeout.
const featureTimeoutMS = 18000

// maybeSetupFeatureVersioning makes sure that /feature exists and is enabled, and waits until this process has seen what
// it wrote; below protocol 2.7-IV0 it makes sure that it is disabled. These writes are not fenced.
// Kafka: KafkaController.enableFeatureVersioning, disableFeatureVersioning.
func (c *Controller) maybeSetupFeatureVersioning() error {
	if c.cfg.Protocol < kafka.V2_7_IV0 {
		return c.disableFeatureVersioning()
	}
	data, version, err := c.zk.GetDataAndVersion(zkdata.FeaturePath)
	if err != nil {
		return err
	}
	wanted := zkdata.FeatureZNode{Status: zkdata.FeatureEnabled, Features: zkdata.Features{}}
	if version == zkclient.UnknownVersion {
		if err := c.zk.CreateFeatureZNode(wanted); err != nil {
			return err
		}
		if _, version, err = c.zk.GetDataAndVersion(zkdata.FeaturePath); err != nil {
			return err
		}
		return c.waitForFeatures(version)
	}
	found, err := zkdata.DecodeFeature(data)
	if err != nil || found.Status == zkdata.FeatureEnabled {
		return err
	}
	if version, err = c.zk.UpdateFeatureZNode(wanted); err != nil {
		return err
	}
	return c.waitForFeatures(version)
}

func (c *Controller) disableFeatureVersioning() error {
	data, version, err := c.zk.GetDataAndVersion(zkdata.FeaturePath)
	if err != nil {
		return err
	}
	wanted := zkdata.FeatureZNode{Status: zkdata.FeatureDisabled, Features: zkdata.Features{}}
	if version == zkclient.UnknownVersion {
		if err := c.zk.CreateFeatureZNode(wanted); err != nil {
			return err
		}
		_, _, err = c.zk.GetDataAndVersion(zkdata.FeaturePath)
		return err
	}
	found, err := zkdata.DecodeFeature(data)
	if err != nil || found.Status == zkdata.FeatureDisabled && len(found.Features) == 0 {
		return err
	}
	_, err = c.zk.UpdateFeatureZNode(wanted)
	return err
}

func (c *Controller) waitForFeatures(version int32) error {
	if c.cfg.FeatureVersion == nil {
		return nil
	}
	timedOut := false
	cancel := c.e.After(env.Timer{Name: "features", MS: featureTimeoutMS, Quiet: true}, func() { timedOut = true })
	c.e.Wait("features", func() bool { return timedOut || c.cfg.FeatureVersion() >= version })
	cancel()
	if c.cfg.FeatureVersion() < version {
		return errFeatureTimeout
	}
	return nil
}

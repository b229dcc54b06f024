package admin

import (
	"fmt"
	"slices"

	"controllerscope/core/kafka"
	"controllerscope/core/zkdata"
)

// The tool with --zookeeper, which is deprecated: it writes /admin/reassign_partitions and knows of no other reassignment.

func (t *ReassignPartitions) withZooKeeper() error {
	switch t.options.action {
	case "verify":
		return t.verifyZooKeeper()
	case "generate":
		return t.generate(t.stored, t.registered)
	}
	return t.executeZooKeeper()
}

// stored are the replicas of all partitions of topics; a topic that is not there has none.
// Kafka: KafkaZkClient.getReplicaAssignmentForTopics.
func (t *ReassignPartitions) stored(topics []string) (map[kafka.TopicPartition][]kafka.BrokerID, error) {
	full, err := t.manager.zk.GetFullReplicaAssignment(topics)
	out := make(map[kafka.TopicPartition][]kafka.BrokerID, len(full))
	for tp, a := range full {
		out[tp] = a.Replicas
	}
	return out, err
}

// registered are the brokers that have a znode.
func (t *ReassignPartitions) registered() (out []kafka.Broker, err error) {
	infos, err := t.manager.zk.GetAllBrokersInCluster()
	for _, info := range infos {
		out = append(out, info.Broker)
	}
	return out, err
}

// executeZooKeeper checks partitions and brokers, limits the traffic if that is asked for, and creates the znode.
// Kafka: ReassignPartitionsCommand.executeAssignment.
func (t *ReassignPartitions) executeZooKeeper() error {
	targets, err := executable(t.options.values["reassignment-json-file"])
	if err != nil {
		return err
	}
	if len(logDirs(targets)) > 0 {
		return fmt.Errorf("%s", needsBootstrap)
	}
	current, err := t.stored(topicsOf(targets))
	if err != nil {
		return err
	}
	if err := t.knownInZooKeeper(targets, current); err != nil {
		return err
	}
	switch busy, err := t.manager.zk.ReassignPartitionsInProgress(); {
	case err != nil:
		return err
	case busy:
		return cannotExecute
	}
	t.sayCurrent(targets, current)
	if rate := t.options.numbers["throttle"]; rate >= 0 {
		t.say("%s", runVerify)
		moves, err := proposedMoves(nil, targets, current)
		if err != nil {
			return err
		}
		topics, brokers := throttle(moves, rate)
		if err := t.manager.alterInZooKeeper(slices.Concat(topics, brokers)); err != nil {
			return err
		}
		t.say("The inter-broker throttle limit was set to %d B/s", rate)
	}
	var entries []zkdata.PartitionReplicas
	for _, x := range targets {
		entries = append(entries, zkdata.PartitionReplicas{TopicPartition: x.TopicPartition, Replicas: x.Replicas})
	}
	if err := t.manager.zk.CreatePartitionReassignment(entries); err != nil {
		return err
	}
	t.started(targets)
	return nil
}

// knownInZooKeeper refuses partitions and brokers that are not there: the controller will not ask.
// Kafka: ReassignPartitionsCommand.verifyReplicasAndBrokersInAssignment.
func (t *ReassignPartitions) knownInZooKeeper(targets []Target, current map[kafka.TopicPartition][]kafka.BrokerID) error {
	var missing []kafka.TopicPartition
	for _, tp := range partitionsOf(targets) {
		if _, found := current[tp]; !found {
			missing = append(missing, tp)
		}
	}
	if len(missing) > 0 {
		words := ""
		for i, tp := range missing {
			if i > 0 {
				words += ", "
			}
			words += tp.String()
		}
		return fmt.Errorf("The proposed assignment contains non-existent partitions: List(%s)", words)
	}
	live, err := t.manager.zk.GetSortedBrokerList()
	if err != nil {
		return err
	}
	if unknown := without(brokersOf(targets, nil), live); len(unknown) > 0 {
		return fmt.Errorf("The proposed assignment contains non-existent brokerIDs: %s", join(unknown))
	}
	return nil
}

// verifyZooKeeper says how far the targets are by the znode alone. Kafka: ReassignPartitionsCommand.verifyAssignment.
func (t *ReassignPartitions) verifyZooKeeper() error {
	targets, err := parseTargets(t.options.values["reassignment-json-file"])
	if err != nil {
		return err
	}
	if len(logDirs(targets)) > 0 {
		return fmt.Errorf("%s", needsBootstrap)
	}
	t.say("Warning: because you are using the deprecated --zookeeper option, the results may be incomplete.  Use --bootstrap-server instead for more accurate results.")
	entries, err := t.manager.zk.GetPartitionReassignment()
	if err != nil {
		return err
	}
	current, err := t.stored(topicsOf(targets))
	if err != nil {
		return err
	}
	states := map[kafka.TopicPartition]status{}
	for _, x := range targets {
		moving := slices.ContainsFunc(entries, func(e zkdata.PartitionReplicas) bool { return e.TopicPartition == x.TopicPartition })
		states[x.TopicPartition] = status{current[x.TopicPartition], x.Replicas, !moving}
	}
	t.sayStatus(states)
	if len(entries) > 0 || t.options.has("preserve-throttles") {
		return nil
	}
	live, err := t.registered()
	if err != nil {
		return err
	}
	return t.clear(targets, live, t.manager.alterInZooKeeper)
}

package admin

import (
	"fmt"

	"controllerscope/core/kafka"
	"controllerscope/core/request"
	"controllerscope/core/zkdata"
)

// The tool with --bootstrap-server.

func (t *ReassignPartitions) withClient() error {
	switch t.options.action {
	case "verify":
		return t.verify()
	case "generate":
		return t.generate(t.assignments, t.Client.DescribeCluster)
	case "execute":
		return t.execute()
	case "cancel":
		return t.cancel()
	}
	return t.list()
}

// assignments are the replicas of all partitions of topics, as a broker's metadata cache has them; a topic that it does not
// know is an error. Kafka: ReassignPartitionsCommand.getReplicaAssignmentForTopics.
func (t *ReassignPartitions) assignments(topics []string) (map[kafka.TopicPartition][]kafka.BrokerID, error) {
	described, err := t.Client.DescribeTopics(topics)
	if err != nil {
		return nil, err
	}
	out := map[kafka.TopicPartition][]kafka.BrokerID{}
	for _, topic := range topics {
		if err := thrown(described[topic].Error, ""); err != nil {
			return nil, err
		}
		for _, p := range described[topic].Partitions {
			out[kafka.TopicPartition{Topic: topic, Partition: p.Partition}] = p.Replicas
		}
	}
	return out, nil
}

// execute checks brokers and topics, limits the traffic if that is asked for, and begins. Kafka:
// ReassignPartitionsCommand.executeAssignment.
func (t *ReassignPartitions) execute() error {
	targets, err := executable(t.options.values["reassignment-json-file"])
	if err != nil {
		return err
	}
	underWay, err := t.Client.ListPartitionReassignments(nil)
	switch {
	case err != nil:
		return err
	case !t.options.has("additional") && len(underWay) > 0:
		return cannotExecute
	}
	if err := t.knownBrokers(targets); err != nil {
		return err
	}
	current, err := t.assignments(topicsOf(targets))
	if err != nil {
		return err
	}
	t.sayCurrent(targets, current)
	if err := t.limit(underWay, targets, current); err != nil {
		return err
	}
	var moves []request.PartitionReassignment
	for _, x := range targets {
		moves = append(moves, request.PartitionReassignment{TopicPartition: x.TopicPartition, Replicas: x.Replicas})
	}
	refused, err := t.Client.AlterPartitionReassignments(moves)
	switch {
	case err != nil:
		return err
	case len(refused) > 0:
		return terse("Error reassigning partition(s):\n" + refusals(refused))
	}
	t.started(targets)
	return t.startLogDirMoves(logDirs(targets))
}

// knownBrokers refuses a broker that does not live. Kafka: ReassignPartitionsCommand.verifyBrokerIds.
func (t *ReassignPartitions) knownBrokers(targets []Target) error {
	all, err := t.Client.DescribeCluster()
	if err != nil {
		return err
	}
	live := map[kafka.BrokerID]bool{}
	for _, b := range all {
		live[b.ID] = true
	}
	for _, id := range brokersOf(targets, nil) {
		if !live[id] {
			return fmt.Errorf("Unknown broker id %s", id)
		}
	}
	return nil
}

// limit sets the throttles that are asked for, those of what is under way anew.
func (t *ReassignPartitions) limit(underWay map[kafka.TopicPartition]kafka.ReplicaAssignment, targets []Target, current map[kafka.TopicPartition][]kafka.BrokerID) error {
	interBroker, logDir := t.options.numbers["throttle"], t.options.numbers["replica-alter-log-dirs-throttle"]
	if interBroker < 0 && logDir < 0 {
		return nil
	}
	t.say("%s", runVerify)
	if interBroker >= 0 {
		moves, err := proposedMoves(underWay, targets, current)
		if err != nil {
			return err
		}
		topics, brokers := throttle(moves, interBroker)
		if err := t.Client.IncrementalAlterConfigs(topics); err != nil {
			return err
		}
		if err := t.Client.IncrementalAlterConfigs(brokers); err != nil {
			return err
		}
		t.say("The inter-broker throttle limit was set to %d B/s", interBroker)
	}
	if logDir >= 0 {
		if err := t.Client.IncrementalAlterConfigs(setThrottles(logDirBrokers(targets), brokerThrottles[2:], logDir)); err != nil {
			return err
		}
		t.say("The replica-alter-dir throttle limit was set to %d B/s", logDir)
	}
	return nil
}

// verify says how far the targets are and, when nothing at all is under way any more, takes the throttles away.
// Kafka: ReassignPartitionsCommand.verifyAssignment.
func (t *ReassignPartitions) verify() error {
	targets, err := parseTargets(t.options.values["reassignment-json-file"])
	if err != nil {
		return err
	}
	underWay, err := t.Client.ListPartitionReassignments(nil)
	if err != nil {
		return err
	}
	states, err := t.states(targets, underWay)
	if err != nil {
		return err
	}
	t.sayStatus(states)
	moving, err := t.sayLogDirMoves(logDirs(targets))
	if err != nil || moving || len(underWay) > 0 || t.options.has("preserve-throttles") {
		return err
	}
	return t.clearThrottles(targets)
}

// states asks for what is not under way any more what it has come to.
// Kafka: ReassignPartitionsCommand.findPartitionReassignmentStates.
func (t *ReassignPartitions) states(targets []Target, underWay map[kafka.TopicPartition]kafka.ReplicaAssignment) (map[kafka.TopicPartition]status, error) {
	states := map[kafka.TopicPartition]status{}
	var rest []Target
	for _, x := range targets {
		if a, moving := underWay[x.TopicPartition]; moving {
			states[x.TopicPartition] = status{a.Replicas, x.Replicas, false}
		} else {
			rest = append(rest, x)
		}
	}
	described, err := t.Client.DescribeTopics(topicsOf(rest))
	if err != nil {
		return nil, err
	}
	for _, x := range rest {
		current, err := replicasOf(described[x.Topic], x.Partition)
		if err != nil {
			return nil, err
		}
		states[x.TopicPartition] = status{current, x.Replicas, true}
	}
	return states, nil
}

// replicasOf finds a partition by its place; an unknown topic has none. A partition one beyond the last slips through
// Kafka's own check. Kafka: ReassignPartitionsCommand.topicDescriptionFutureToState.
func replicasOf(t request.MetadataTopic, partition int32) ([]kafka.BrokerID, error) {
	n := int32(len(t.Partitions))
	switch {
	case t.Error == kafka.UNKNOWN_TOPIC_OR_PARTITION || n < partition:
		return nil, nil
	case t.Error != kafka.NONE:
		return nil, thrown(t.Error, "")
	case n == partition || partition < 0:
		return nil, fmt.Errorf("Index %d out of bounds for length %d", partition, n)
	}
	return t.Partitions[partition].Replicas, nil
}

// clearThrottles takes all throttles of all live brokers, of the targets' brokers and of the targets' topics away: which
// brokers the traffic came from is not known any more. Kafka: ReassignPartitionsCommand.clearAllThrottles.
func (t *ReassignPartitions) clearThrottles(targets []Target) error {
	all, err := t.Client.DescribeCluster()
	if err != nil {
		return err
	}
	return t.clear(targets, all, t.Client.IncrementalAlterConfigs)
}

func (t *ReassignPartitions) clear(targets []Target, live []kafka.Broker, alter func([]request.AlterConfigs) error) error {
	brokers, topics := idWords(brokersOf(targets, live)), topicsOf(targets)
	t.sayClearing("broker", "broker", brokers)
	if err := alter(unthrottle(zkdata.ConfigTypeBrokers, brokers, brokerThrottles)); err != nil {
		return err
	}
	t.sayClearing("topic", "topic", topics)
	return alter(unthrottle(zkdata.ConfigTypeTopics, topics, topicThrottles))
}

// cancel takes back those of the targets that are under way. Kafka: ReassignPartitionsCommand.cancelAssignment.
func (t *ReassignPartitions) cancel() error {
	targets, err := parseTargets(t.options.values["reassignment-json-file"])
	if err != nil {
		return err
	}
	underWay, err := t.Client.ListPartitionReassignments(partitionsOf(targets))
	if err != nil {
		return err
	}
	var back []request.PartitionReassignment
	tps := kafka.SortedFunc(underWay, kafka.ComparePartitions)
	for _, tp := range tps {
		back = append(back, request.PartitionReassignment{TopicPartition: tp})
	}
	if len(back) == 0 {
		t.say("None of the specified partition reassignments are active.")
	} else {
		refused, err := t.Client.AlterPartitionReassignments(back)
		switch {
		case err != nil:
			return err
		case len(refused) > 0:
			return terse(fmt.Sprintf("Error cancelling partition reassignment%s for:\n%s", plural(len(refused)), refusals(refused)))
		}
		t.say("Successfully cancelled partition reassignment%s for: %s", plural(len(tps)), join(tps))
	}
	if err := t.cancelLogDirMoves(logDirs(targets)); err != nil || t.options.has("preserve-throttles") {
		return err
	}
	return t.clearThrottles(targets)
}

// list prints what is under way. Kafka: ReassignPartitionsCommand.curReassignmentsToString.
func (t *ReassignPartitions) list() error {
	underWay, err := t.Client.ListPartitionReassignments(nil)
	if err != nil {
		return err
	}
	if len(underWay) == 0 {
		t.say("No partition reassignments found.")
		return nil
	}
	t.say("Current partition reassignments:")
	for _, tp := range kafka.SortedFunc(underWay, kafka.ComparePartitions) {
		a := underWay[tp]
		line := fmt.Sprintf("%s: replicas: %s.", tp, join(a.Replicas))
		if len(a.Adding) > 0 {
			line += fmt.Sprintf(" adding: %s.", join(a.Adding))
		}
		if len(a.Removing) > 0 {
			line += fmt.Sprintf(" removing: %s.", join(a.Removing))
		}
		t.say("%s", line)
	}
	return nil
}

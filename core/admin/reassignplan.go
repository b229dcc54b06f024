package admin

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"controllerscope/core/kafka"
)

// What both forms of the tool have in common: checks, plans, texts.

// duplicates are the elements that a list has more than once, in the order in which they come a first time.
// Kafka: CoreUtils.duplicates.
func duplicates[T comparable](list []T) (out []T) {
	count := map[T]int{}
	for _, x := range list {
		count[x]++
	}
	for _, x := range list {
		if count[x] > 1 {
			out = append(out, x)
			count[x] = 0
		}
	}
	return out
}

// executable reads the file of --execute and refuses what is empty or stands twice.
// Kafka: ReassignPartitionsCommand.parseExecuteAssignmentArgs.
func executable(text string) ([]Target, error) {
	targets, err := parseTargets(text)
	if err != nil {
		return nil, err
	}
	if len(targets) == 0 {
		return nil, fmt.Errorf("Partition reassignment list cannot be empty")
	}
	var tps []kafka.TopicPartition
	var twice []string
	for _, t := range targets {
		if len(t.Replicas) == 0 {
			return nil, fmt.Errorf("Partition replica list cannot be empty")
		}
		tps = append(tps, t.TopicPartition)
		if ids := duplicates(t.Replicas); len(ids) > 0 {
			twice = append(twice, fmt.Sprintf("%s contains multiple entries for %s", t.TopicPartition, join(ids)))
		}
	}
	if tps := duplicates(tps); len(tps) > 0 {
		return nil, fmt.Errorf("Partition reassignment contains duplicate topic partitions: %s", join(tps))
	}
	if len(twice) > 0 {
		return nil, fmt.Errorf("Partition replica lists may not contain duplicate entries: %s", strings.Join(twice, ". "))
	}
	return targets, nil
}

// generateArguments reads what --generate is given. Kafka: ReassignPartitionsCommand.parseGenerateAssignmentArgs.
func generateArguments(file, list string) (brokers []kafka.BrokerID, topics []string, err error) {
	words := strings.Split(strings.TrimRight(list, ","), ",") // Java's split leaves empty words at the end out
	for _, word := range words {
		id, err := strconv.ParseInt(word, 10, 32)
		if err != nil {
			return nil, nil, fmt.Errorf("For input string: %q", word)
		}
		brokers = append(brokers, kafka.BrokerID(id))
	}
	if twice := duplicates(brokers); len(twice) > 0 {
		return nil, nil, fmt.Errorf("Broker list contains duplicate entries: %s", join(twice))
	}
	if topics, err = parseTopics(file); err != nil {
		return nil, nil, err
	}
	if twice := duplicates(topics); len(twice) > 0 {
		return nil, nil, fmt.Errorf("List of topics to reassign contains duplicate entries: %s", strings.Join(twice, ","))
	}
	return brokers, topics, nil
}

// chosen are those of the brokers that the list names, without their racks if they do not count; some racks only are refused.
// Kafka: ReassignPartitionsCommand.getBrokerMetadata, AdminZkClient.getBrokerMetadatas.
func chosen(all []kafka.Broker, list []kafka.BrokerID, rackAware bool) ([]kafka.Broker, error) {
	var out []kafka.Broker
	racked := 0
	for _, b := range all {
		if !slices.Contains(list, b.ID) {
			continue
		}
		if !rackAware {
			b.Rack = ""
		}
		if b.Rack != "" {
			racked++
		}
		out = append(out, b)
	}
	if racked > 0 && racked < len(out) {
		return nil, fmt.Errorf("%s", rackless)
	}
	kafka.Sort(out, func(a, b kafka.Broker) int { return int(a.ID) - int(b.ID) })
	return out, nil
}

// generate prints the present replicas of the topics and a proposal, from whichever source knows replicas and brokers.
// Kafka: ReassignPartitionsCommand.generateAssignment.
func (t *ReassignPartitions) generate(replicas func(topics []string) (map[kafka.TopicPartition][]kafka.BrokerID, error),
	known func() ([]kafka.Broker, error)) error {
	ids, topics, err := generateArguments(t.options.values["topics-to-move-json-file"], t.options.values["broker-list"])
	if err != nil {
		return err
	}
	current, err := replicas(topics)
	if err != nil {
		return err
	}
	all, err := known()
	if err != nil {
		return err
	}
	brokers, err := chosen(all, ids, !t.options.has("disable-rack-aware"))
	if err != nil {
		return err
	}
	return t.propose(current, brokers)
}

// propose places all partitions of each topic anew, with as many replicas as the topic's first partition has, and prints
// both assignments. Kafka: ReassignPartitionsCommand.calculateAssignment.
func (t *ReassignPartitions) propose(current map[kafka.TopicPartition][]kafka.BrokerID, brokers []kafka.Broker) error {
	partitions, first := map[string]int{}, map[string]kafka.TopicPartition{}
	for _, tp := range kafka.SortedFunc(current, kafka.ComparePartitions) {
		if partitions[tp.Topic]++; partitions[tp.Topic] == 1 {
			first[tp.Topic] = tp
		}
	}
	draw := t.Draw
	if draw == nil {
		draw = New(Config{}, t.Env, nil, nil).draw
	}
	proposed := map[kafka.TopicPartition][]kafka.BrokerID{}
	for _, topic := range kafka.SortedKeys(partitions) {
		lists, err := AssignReplicas(brokers, partitions[topic], len(current[first[topic]]), 0, draw(len(brokers)))
		if err != nil {
			return err
		}
		for p, replicas := range lists {
			proposed[kafka.TopicPartition{Topic: topic, Partition: int32(p)}] = replicas
		}
	}
	t.say("Current partition replica assignment\n%s\n", formatReassignment(current))
	t.say("Proposed partition reassignment configuration\n%s", formatReassignment(proposed))
	return nil
}

// sayCurrent prints the assignment that the targets take the place of, so that it can be gone back to.
// Kafka: ReassignPartitionsCommand.currentPartitionReplicaAssignmentToString.
func (t *ReassignPartitions) sayCurrent(targets []Target, current map[kafka.TopicPartition][]kafka.BrokerID) {
	those := map[kafka.TopicPartition][]kafka.BrokerID{}
	for _, x := range targets {
		if replicas, found := current[x.TopicPartition]; found {
			those[x.TopicPartition] = replicas
		}
	}
	t.say("Current partition replica assignment\n\n%s\n\nSave this to use as the --reassignment-json-file option during rollback", formatReassignment(those))
}

// started prints which partitions are being moved from now on.
func (t *ReassignPartitions) started(targets []Target) {
	tps := partitionsOf(targets)
	t.say("Successfully started partition reassignment%s for %s", plural(len(tps)), join(tps))
}

// status is what became of one target. Kafka: ReassignPartitionsCommand.PartitionReassignmentState.
type status struct {
	current, target []kafka.BrokerID
	done            bool
}

// sayStatus prints what became of the targets. Kafka: ReassignPartitionsCommand.partitionReassignmentStatesToString.
func (t *ReassignPartitions) sayStatus(states map[kafka.TopicPartition]status) {
	t.say("Status of partition reassignment:")
	for _, tp := range kafka.SortedFunc(states, kafka.ComparePartitions) {
		switch s := states[tp]; {
		case !s.done:
			t.say("Reassignment of partition %s is still in progress.", tp)
		case slices.Equal(s.current, s.target):
			t.say("Reassignment of partition %s is complete.", tp)
		default:
			t.say("There is no active reassignment of partition %s, but replica set is %s rather than %s.", tp, join(s.current), join(s.target))
		}
	}
}

// partitionsOf are the partitions of targets, in order, each once.
func partitionsOf(targets []Target) []kafka.TopicPartition {
	seen := map[kafka.TopicPartition]bool{}
	for _, t := range targets {
		seen[t.TopicPartition] = true
	}
	return kafka.SortedFunc(seen, kafka.ComparePartitions)
}

// topicsOf are their topics, in order, each once.
func topicsOf(targets []Target) []string {
	seen := map[string]bool{}
	for _, t := range targets {
		seen[t.Topic] = true
	}
	return kafka.SortedKeys(seen)
}

// brokersOf are their brokers and those given, in order, each once.
func brokersOf(targets []Target, also []kafka.Broker) []kafka.BrokerID {
	seen := map[kafka.BrokerID]bool{}
	for _, b := range also {
		seen[b.ID] = true
	}
	for _, t := range targets {
		for _, id := range t.Replicas {
			seen[id] = true
		}
	}
	return kafka.SortedKeys(seen)
}

// sayClearing prints whose throttles are taken away.
func (t *ReassignPartitions) sayClearing(level, what string, names []string) {
	t.say("Clearing %s-level throttles on %s%s %s", level, what, plural(len(names)), strings.Join(names, ","))
}

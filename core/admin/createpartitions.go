package admin

import (
	"fmt"
	"slices"
	"strings"

	"controllerscope/core/kafka"
	"controllerscope/core/request"
)

// CreatePartitions gives topics more partitions and answers as CreateTopics does. The new assignment is written unfenced
// and at any version. A topic that is queued for deletion is refused. Kafka: KafkaApis.handleCreatePartitionsRequest, ZkAdminManager.createPartitions.
func (m *Manager) CreatePartitions(active bool, r request.CreatePartitions) request.TopicResponse {
	names := make([]string, len(r.Topics))
	for i, t := range r.Topics {
		names[i] = t.Name
	}
	if !active {
		return refuseAll(r.Kind(), names, kafka.NOT_CONTROLLER, "")
	}
	infos, err := m.zk.GetAllBrokersInCluster()
	if err != nil {
		return refuseAll(r.Kind(), names, kafka.UNKNOWN_SERVER_ERROR, err.Error())
	}
	brokers := make([]kafka.Broker, len(infos))
	for i, b := range infos {
		brokers[i] = b.Broker
	}
	answer := request.TopicResponse{Of: r.Kind()}
	grown := map[string]int{}
	for i, t := range r.Topics {
		if duplicated(names, i) {
			answer.Topics = append(answer.Topics, result(t.Name, fail(kafka.INVALID_REQUEST, "Duplicate topic in request.")))
			continue
		}
		if m.cfg.QueuedForDeletion != nil && m.cfg.QueuedForDeletion(t.Name) {
			answer.Topics = append(answer.Topics, result(t.Name, fail(kafka.INVALID_TOPIC_EXCEPTION, "The topic is queued for deletion.")))
			continue
		}
		err := m.createPartitions(t, brokers)
		if err == nil {
			grown[t.Name] = int(t.Count)
		}
		answer.Topics = append(answer.Topics, result(t.Name, err))
	}
	m.awaitLeaders(&answer, grown)
	return answer
}

func (m *Manager) createPartitions(t request.NewPartitions, brokers []kafka.Broker) error {
	read, err := m.zk.GetReplicaAssignmentAndTopicIDs([]string{t.Name})
	if err != nil {
		return err
	}
	existing := read[0].Partitions
	added, err := newAssignment(t, existing, brokers)
	if err != nil {
		return err
	}
	old := len(existing)
	for i, replicas := range added {
		existing[int32(old+i)] = kafka.ReplicaAssignment{Replicas: replicas}
	}
	ids, err := m.zk.GetTopicIDs([]string{t.Name})
	if err != nil {
		return err
	}
	return m.zk.SetTopicAssignment(t.Name, ids[t.Name], existing, kafka.MatchAnyVersion)
}

// newAssignment is the given one for the new partitions, or one that goes on where the old partitions end: it begins at
// the first broker at or after partition 0's first replica. Kafka: AdminZkClient.createNewPartitionsAssignment.
func newAssignment(t request.NewPartitions, existing map[int32]kafka.ReplicaAssignment, brokers []kafka.Broker) ([][]kafka.BrokerID, error) {
	for _, a := range existing {
		if a.IsReassigning() {
			return nil, fail(kafka.REASSIGNMENT_IN_PROGRESS, "A partition reassignment is in progress for the topic '%s'.", t.Name)
		}
	}
	increment := int(t.Count) - len(existing)
	switch {
	case len(existing) == 0:
		return nil, fail(kafka.UNKNOWN_TOPIC_OR_PARTITION, "The topic '%s' does not exist.", t.Name)
	case increment < 0:
		return nil, fail(kafka.INVALID_PARTITIONS, "Topic currently has %d partitions, which is higher than the requested %d.", len(existing), t.Count)
	case increment == 0:
		return nil, fail(kafka.INVALID_PARTITIONS, "Topic already has %d partitions.", len(existing))
	}
	first, found := existing[0]
	if !found || len(first.Replicas) == 0 {
		return nil, fmt.Errorf("unexpected existing replica assignment for topic '%s', partition id 0 is missing", t.Name)
	}
	if len(t.Assignment) > 0 {
		return t.Assignment, checkNewAssignment(t, increment, len(existing), len(first.Replicas), brokers)
	}
	start := max(0, slices.IndexFunc(brokers, func(b kafka.Broker) bool { return b.ID >= first.Replicas[0] }))
	return AssignReplicas(brokers, increment, len(first.Replicas), len(existing), Placement{start, start})
}

// checkNewAssignment refuses unknown brokers, a wrong number of lists, and lists that do not fit partition 0's.
func checkNewAssignment(t request.NewPartitions, increment, first, replication int, brokers []kafka.Broker) error {
	var unknown []string
	for _, replicas := range t.Assignment {
		for _, id := range replicas {
			known := slices.ContainsFunc(brokers, func(b kafka.Broker) bool { return b.ID == id })
			if !known && !slices.Contains(unknown, id.String()) {
				unknown = append(unknown, id.String())
			}
		}
	}
	if len(unknown) > 0 {
		return fail(kafka.INVALID_REPLICA_ASSIGNMENT, "Unknown broker(s) in replica assignment: %s.", strings.Join(unknown, ", "))
	}
	if len(t.Assignment) != increment {
		return fail(kafka.INVALID_REPLICA_ASSIGNMENT, "Increasing the number of partitions by %d but %d assignments provided.", increment, len(t.Assignment))
	}
	var bad, factors []string
	for i, replicas := range t.Assignment {
		switch {
		case len(replicas) == 0:
			return fail(kafka.INVALID_REPLICA_ASSIGNMENT, "Cannot have replication factor of 0 for partition id %d.", first+i)
		case hasDuplicates(replicas):
			return fail(kafka.INVALID_REPLICA_ASSIGNMENT, "Duplicate brokers not allowed in replica assignment: %s for partition id %d.", commas(replicas), first+i)
		case len(replicas) != replication:
			bad, factors = append(bad, fmt.Sprint(first+i)), append(factors, fmt.Sprint(len(replicas)))
		}
	}
	if len(bad) > 0 {
		return fail(kafka.INVALID_REPLICA_ASSIGNMENT, "Inconsistent replication factor between partitions, partition 0 has %d while partitions [%s] have replication factors [%s], respectively.",
			replication, strings.Join(bad, ", "), strings.Join(factors, ", "))
	}
	return nil
}

func hasDuplicates(replicas []kafka.BrokerID) bool {
	return len(slices.Compact(slices.Sorted(slices.Values(replicas)))) != len(replicas)
}

func commas(replicas []kafka.BrokerID) string {
	words := make([]string, len(replicas))
	for i, r := range replicas {
		words[i] = r.String()
	}
	return strings.Join(words, ", ")
}

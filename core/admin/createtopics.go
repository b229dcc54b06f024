package admin

import (
	"encoding/binary"
	"errors"
	"slices"
	"strings"

	"controllerscope/core/dynconfig"
	"controllerscope/core/kafka"
	"controllerscope/core/request"
	"controllerscope/core/zk"
	"controllerscope/core/zkdata"
)

// CreateTopics creates topics one after the other and answers when the metadata cache shows a leader for every partition,
// or after the timeout. active says whether this broker is the controller: another refuses everything.
// Kafka: KafkaApis.handleCreateTopicsRequest, ZkAdminManager.createTopics.
func (m *Manager) CreateTopics(active bool, r request.CreateTopics) request.TopicResponse {
	answer := request.TopicResponse{Of: r.Kind()}
	names := make([]string, len(r.Topics))
	for i, t := range r.Topics {
		names[i] = t.Name
	}
	if !active {
		return refuseAll(r.Kind(), names, kafka.NOT_CONTROLLER, "")
	}
	created := map[string]int{} // topic -> number of partitions
	for i, t := range r.Topics {
		if duplicated(names, i) {
			answer.Topics = append(answer.Topics, result(t.Name, fail(kafka.INVALID_REQUEST, "Found multiple entries for this topic.")))
			continue
		}
		partitions, err := m.createTopic(t)
		if err == nil {
			created[t.Name] = partitions
		}
		answer.Topics = append(answer.Topics, result(t.Name, err))
	}
	m.awaitLeaders(&answer, created)
	return answer
}

// createTopic validates one topic and writes it: first its config, also an empty one, then its assignment; the two are
// not one transaction.
func (m *Manager) createTopic(t request.NewTopic) (partitions int, err error) {
	if m.cache.HasTopic(t.Name) {
		return 0, exists(t.Name)
	}
	replicas, err := m.assignment(t)
	if err != nil {
		return 0, err
	}
	config := map[string]string{}
	for _, entry := range t.Config {
		config[entry.Key] = entry.Value
	}
	if err := m.validate(t.Name, replicas, config); err != nil {
		return 0, err
	}
	if err := m.zk.SetOrCreateEntityConfigs(zkdata.ConfigTypeTopics, t.Name, config); err != nil {
		return 0, err
	}
	assignment := make(map[int32]kafka.ReplicaAssignment, len(replicas))
	for p, list := range replicas {
		assignment[int32(p)] = kafka.ReplicaAssignment{Replicas: list}
	}
	var id kafka.UUID
	if m.cfg.TopicIDs {
		id = m.e.NewUUID()
	}
	err = m.zk.CreateTopicAssignment(t.Name, id, assignment)
	if errors.Is(err, zk.NodeExists) {
		return 0, exists(t.Name)
	}
	if err != nil {
		return 0, err
	}
	_, err = m.zk.GetTopicIDs([]string{t.Name}) // for the answer
	return len(replicas), err
}

func exists(topic string) error {
	return fail(kafka.TOPIC_ALREADY_EXISTS, "Topic '%s' already exists.", topic)
}

// assignment is the given one, or one over the live brokers. Whether the brokers of a given one exist is not asked.
func (m *Manager) assignment(t request.NewTopic) ([][]kafka.BrokerID, error) {
	if len(t.Assignment) > 0 {
		if t.NumPartitions > 0 || t.ReplicationFactor > 0 {
			return nil, fail(kafka.INVALID_REQUEST, "Both numPartitions or replicationFactor and replicasAssignments were set. "+
				"Both cannot be used at the same time.")
		}
		return t.Assignment, nil
	}
	partitions, replication := t.NumPartitions, t.ReplicationFactor
	if partitions == unset {
		partitions = m.cfg.NumPartitions
	}
	if replication == unset {
		replication = m.cfg.ReplicationFactor
	}
	brokers := m.cache.AliveBrokers()
	return AssignReplicas(brokers, int(partitions), int(replication), 0, m.draw(len(brokers)))
}

// unset as a number of partitions or replicas asks for the broker's default. Kafka: CreateTopicsRequest.NO_NUM_PARTITIONS.
const unset = -1

// draw makes the placement of a new topic from two independent draws.
func (m *Manager) draw(brokers int) Placement {
	if brokers == 0 {
		return Placement{}
	}
	dice, n := m.e.NewUUID(), uint64(brokers)
	return Placement{int(binary.BigEndian.Uint64(dice[:8]) % n), int(binary.BigEndian.Uint64(dice[8:]) % n)}
}

// validate checks what Kafka checks before it writes. Kafka: AdminZkClient.validateTopicCreate.
func (m *Manager) validate(topic string, replicas [][]kafka.BrokerID, config map[string]string) error {
	if sentence := validTopicName(topic); sentence != "" {
		return fail(kafka.INVALID_TOPIC_EXCEPTION, "%s", sentence)
	}
	switch found, err := m.zk.TopicExists(topic); {
	case err != nil:
		return err
	case found:
		return exists(topic)
	}
	if hasCollisionChars(topic) {
		if err := m.checkCollisions(topic); err != nil {
			return err
		}
	}
	for _, list := range replicas {
		if len(list) != len(replicas[0]) {
			return fail(kafka.INVALID_REPLICA_ASSIGNMENT, "All partitions should have the same number of replicas")
		}
		if hasDuplicates(list) {
			return fail(kafka.INVALID_REPLICA_ASSIGNMENT, "Duplicate replica assignment found: %s", commas(list))
		}
	}
	if err := dynconfig.CheckTopic(config); err != nil {
		return fail(kafka.INVALID_CONFIG, "%s", err)
	}
	return nil
}

// checkCollisions looks for topics whose metric names would be the same.
func (m *Manager) checkCollisions(topic string) error {
	all, err := m.zk.GetAllTopicsInCluster(false)
	if err != nil {
		return err
	}
	if slices.Contains(all, topic) {
		return exists(topic)
	}
	all = slices.DeleteFunc(slices.Clone(all), func(other string) bool { return !collides(topic, other) })
	if len(all) > 0 {
		return fail(kafka.INVALID_TOPIC_EXCEPTION, "Topic '%s' collides with existing topics: %s", topic, strings.Join(all, ", "))
	}
	return nil
}

package zkclient

import (
	"fmt"
	"slices"
	"strconv"

	"controllerscope/core/kafka"
	"controllerscope/core/zk"
	"controllerscope/core/zkdata"
)

// GetAllTopicsInCluster lists the topics in the server's order; registerWatch asks for a watch if there is a child handler.
// Kafka: KafkaZkClient.getAllTopicsInCluster.
func (c *Client) GetAllTopicsInCluster(registerWatch bool) ([]string, error) {
	return c.getChildren(zkdata.TopicsPath, registerWatch)
}

// TopicExists asks for the topic's znode. Kafka: KafkaZkClient.topicExists.
func (c *Client) TopicExists(topic string) (bool, error) {
	return c.PathExists(zkdata.TopicPath(topic))
}

// GetReplicaAssignmentAndTopicIDs reads the znodes of topics in one batch and returns one entry per topic, in the same
// order; a topic that is not there has no partitions and no id.
// Kafka: KafkaZkClient.getReplicaAssignmentAndTopicIdForTopics.
func (c *Client) GetReplicaAssignmentAndTopicIDs(topics []string) ([]zkdata.TopicAssignment, error) {
	assignments := make([]zkdata.TopicAssignment, len(topics))
	paths := make([]string, len(topics))
	for i, topic := range topics {
		assignments[i] = zkdata.TopicAssignment{Topic: topic, Partitions: map[int32]kafka.ReplicaAssignment{}}
		paths[i] = zkdata.TopicPath(topic)
	}
	err := c.getMany(paths, func(i int, r zk.Result) (err error) {
		assignments[i], err = zkdata.DecodeTopic(topics[i], r.Data)
		return err
	})
	if err != nil {
		return nil, err
	}
	return assignments, nil
}

// GetFullReplicaAssignment is the same conversation as one map over all partitions.
// Kafka: KafkaZkClient.getFullReplicaAssignmentForTopics.
func (c *Client) GetFullReplicaAssignment(topics []string) (map[kafka.TopicPartition]kafka.ReplicaAssignment, error) {
	assignments, err := c.GetReplicaAssignmentAndTopicIDs(topics)
	if err != nil {
		return nil, err
	}
	full := map[kafka.TopicPartition]kafka.ReplicaAssignment{}
	for _, t := range assignments {
		for p, a := range t.Partitions {
			full[kafka.TopicPartition{Topic: t.Topic, Partition: p}] = a
		}
	}
	return full, nil
}

// GetTopicIDs reads the ids of topics; those without one are left out. Kafka: KafkaZkClient.getTopicIdsForTopics.
func (c *Client) GetTopicIDs(topics []string) (map[string]kafka.UUID, error) {
	assignments, err := c.GetReplicaAssignmentAndTopicIDs(topics)
	if err != nil {
		return nil, err
	}
	ids := map[string]kafka.UUID{}
	for _, t := range assignments {
		if !t.ID.IsZero() {
			ids[t.Topic] = t.ID
		}
	}
	return ids, nil
}

// GetTopicPartitionCount is the number of partitions of a topic; found is false for none.
// Kafka: KafkaZkClient.getTopicPartitionCount.
func (c *Client) GetTopicPartitionCount(topic string) (n int, found bool, err error) {
	assignments, err := c.GetReplicaAssignmentAndTopicIDs([]string{topic})
	if err != nil {
		return 0, false, err
	}
	n = len(assignments[0].Partitions)
	return n, n > 0, nil
}

// GetAllPartitions lists partitions from the tree of partition znodes, not from the assignments, sorted.
// Kafka: KafkaZkClient.getAllPartitions.
func (c *Client) GetAllPartitions() ([]kafka.TopicPartition, error) {
	topics, err := c.GetAllTopicsInCluster(false)
	if err != nil {
		return nil, err
	}
	ops := make([]zk.Op, len(topics))
	for i, topic := range topics {
		ops[i] = zk.Op{Kind: zk.Children, Path: zkdata.TopicPartitionsPath(topic)}
	}
	answers, err := c.RetryRequestsUntilConnected(ops)
	if err != nil {
		return nil, err
	}
	var partitions []kafka.TopicPartition
	for i, r := range answers {
		if r.Err == zk.NoNode {
			continue
		}
		if err := throw(ops[i].Path, r.Err); err != nil {
			return nil, err
		}
		for _, child := range r.Children {
			n, err := strconv.ParseInt(child, 10, 32)
			if err != nil {
				return nil, fmt.Errorf("%s/%s: %q is not a partition number", ops[i].Path, child, child)
			}
			partitions = append(partitions, kafka.TopicPartition{Topic: topics[i], Partition: int32(n)})
		}
	}
	kafka.Sort(partitions, kafka.ComparePartitions)
	return partitions, nil
}

// CreateTopicAssignment creates the znode of a new topic, unfenced. Kafka: KafkaZkClient.createTopicAssignment.
func (c *Client) CreateTopicAssignment(topic string, id kafka.UUID, partitions map[int32]kafka.ReplicaAssignment) error {
	return c.CreateRecursive(zkdata.TopicPath(topic), zkdata.EncodeTopic(id, partitions), true)
}

// SetTopicAssignmentRaw rewrites the znode of a topic at any version, fenced, and returns the answer.
// Kafka: KafkaZkClient.setTopicAssignmentRaw.
func (c *Client) SetTopicAssignmentRaw(topic string, id kafka.UUID, partitions map[int32]kafka.ReplicaAssignment,
	expectedZkVersion int32) (zk.Result, error) {
	return c.retryFenced(setOp(zkdata.TopicPath(topic), zkdata.EncodeTopic(id, partitions), zk.AnyVersion), expectedZkVersion)
}

// SetTopicAssignment is SetTopicAssignmentRaw where any code but OK is an error. kafka.MatchAnyVersion writes unfenced, as
// adding partitions does. Kafka: KafkaZkClient.setTopicAssignment.
func (c *Client) SetTopicAssignment(topic string, id kafka.UUID, partitions map[int32]kafka.ReplicaAssignment,
	expectedZkVersion int32) error {
	r, err := c.SetTopicAssignmentRaw(topic, id, partitions, expectedZkVersion)
	if err != nil {
		return err
	}
	return throw(zkdata.TopicPath(topic), r.Err)
}

// SetTopicIDs gives each of the topics, which must have none, a new random id, writes all of them in one fenced batch and
// returns them as if every write had succeeded. Kafka: KafkaZkClient.setTopicIds.
func (c *Client) SetTopicIDs(topics []zkdata.TopicAssignment, expectedZkVersion int32) ([]zkdata.TopicAssignment, error) {
	named := slices.Clone(topics)
	ops := make([]zk.Op, len(named))
	for i, t := range named {
		if !t.ID.IsZero() {
			return nil, fmt.Errorf("the topic %s has the id %s already: it must not get another", t.Topic, t.ID)
		}
		named[i].ID = c.e.NewUUID()
		ops[i] = setOp(zkdata.TopicPath(t.Topic), zkdata.EncodeTopic(named[i].ID, t.Partitions), zk.AnyVersion)
	}
	if _, err := c.RetryFenced(ops, expectedZkVersion); err != nil {
		return nil, err
	}
	return named, nil
}

// DeleteTopicZNode deletes the znode of a topic with everything below it; a missing one is fine.
// Kafka: KafkaZkClient.deleteTopicZNode.
func (c *Client) DeleteTopicZNode(topic string, expectedZkVersion int32) error {
	_, err := c.DeleteRecursive(zkdata.TopicPath(topic), expectedZkVersion)
	return err
}

// CreateDeleteTopicPath marks a topic for deletion; an existing marker is the error zk.NodeExists.
// Kafka: KafkaZkClient.createDeleteTopicPath.
func (c *Client) CreateDeleteTopicPath(topic string) error {
	return c.CreateRecursive(zkdata.DeleteTopicPath(topic), nil, true)
}

// IsTopicMarkedForDeletion asks for the marker. Kafka: KafkaZkClient.isTopicMarkedForDeletion.
func (c *Client) IsTopicMarkedForDeletion(topic string) (bool, error) {
	return c.PathExists(zkdata.DeleteTopicPath(topic))
}

// GetTopicDeletions lists the topics marked for deletion, in the server's order. Kafka: KafkaZkClient.getTopicDeletions.
func (c *Client) GetTopicDeletions() ([]string, error) { return c.GetChildren(zkdata.DeleteTopicsPath) }

// DeleteTopicDeletions removes markers in one fenced batch; single codes are ignored. Kafka: deleteTopicDeletions.
func (c *Client) DeleteTopicDeletions(topics []string, expectedZkVersion int32) error {
	paths := make([]string, len(topics))
	for i, topic := range topics {
		paths[i] = zkdata.DeleteTopicPath(topic)
	}
	return c.deleteMany(paths, expectedZkVersion)
}

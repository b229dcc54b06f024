package zkclient

import (
	"controllerscope/core/env"
	"controllerscope/core/kafka"
	"controllerscope/core/zk"
	"controllerscope/core/zkdata"
)

// ReassignPartitionsInProgress asks whether /admin/reassign_partitions exists. Kafka: KafkaZkClient.reassignPartitionsInProgress.
func (c *Client) ReassignPartitionsInProgress() (bool, error) {
	return c.PathExists(zkdata.ReassignPartitionsPath)
}

// GetPartitionReassignment reads /admin/reassign_partitions in the order of its text. Text that does not bind to the
// expected shape is told in the trace and is no reassignment. Kafka: KafkaZkClient.getPartitionReassignment.
func (c *Client) GetPartitionReassignment() ([]zkdata.PartitionReplicas, error) {
	data, _, found, err := c.GetDataAndStat(zkdata.ReassignPartitionsPath)
	if err != nil || !found {
		return nil, err
	}
	entries, err := zkdata.DecodePartitionReassignment(data)
	if err == nil {
		return entries, nil
	}
	if c.e.Tracing() {
		c.e.Note(env.Note{Kind: env.ZkError, Entity: zkdata.ReassignPartitionsPath, Msg: "zkclient.reassignment.malformed",
			Args: []env.Arg{env.A("error", err.Error())}})
	}
	return nil, nil
}

// SetOrCreatePartitionReassignment rewrites /admin/reassign_partitions, or creates it, both fenced.
// Kafka: KafkaZkClient.setOrCreatePartitionReassignment.
func (c *Client) SetOrCreatePartitionReassignment(entries []zkdata.PartitionReplicas, expectedZkVersion int32) error {
	path, data := zkdata.ReassignPartitionsPath, zkdata.EncodePartitionReassignment(entries)
	r, err := c.retryFenced(setOp(path, data, zk.AnyVersion), expectedZkVersion)
	if err == nil && r.Err == zk.NoNode {
		r, err = c.retryFenced(createOp(path, data), expectedZkVersion)
	}
	if err != nil {
		return err
	}
	return throw(path, r.Err)
}

// CreatePartitionReassignment creates it, unfenced; an existing one is the error zk.NodeExists.
// Kafka: KafkaZkClient.createPartitionReassignment.
func (c *Client) CreatePartitionReassignment(entries []zkdata.PartitionReplicas) error {
	return c.CreateRecursive(zkdata.ReassignPartitionsPath, zkdata.EncodePartitionReassignment(entries), true)
}

// DeletePartitionReassignment deletes it with anything below it, fenced; a missing one is fine.
// Kafka: KafkaZkClient.deletePartitionReassignment.
func (c *Client) DeletePartitionReassignment(expectedZkVersion int32) error {
	_, err := c.DeleteRecursive(zkdata.ReassignPartitionsPath, expectedZkVersion)
	return err
}

// CreatePreferredReplicaElection creates /admin/preferred_replica_election; an existing one is the error zk.NodeExists.
// Kafka: KafkaZkClient.createPreferredReplicaElection.
func (c *Client) CreatePreferredReplicaElection(partitions []kafka.TopicPartition) error {
	return c.CreateRecursive(zkdata.PreferredReplicaElectionPath, zkdata.EncodePreferredReplicaElection(partitions), true)
}

// GetPreferredReplicaElection reads it as a set, in the order of its text; a missing one is empty.
// Kafka: KafkaZkClient.getPreferredReplicaElection.
func (c *Client) GetPreferredReplicaElection() ([]kafka.TopicPartition, error) {
	data, _, found, err := c.GetDataAndStat(zkdata.PreferredReplicaElectionPath)
	if err != nil || !found {
		return nil, err
	}
	return zkdata.DecodePreferredReplicaElection(data)
}

// DeletePreferredReplicaElection deletes it, fenced; the code of the delete itself is ignored.
// Kafka: KafkaZkClient.deletePreferredReplicaElection.
func (c *Client) DeletePreferredReplicaElection(expectedZkVersion int32) error {
	return c.deleteMany([]string{zkdata.PreferredReplicaElectionPath}, expectedZkVersion)
}

package zkclient

import (
	"bytes"
	"errors"

	"controllerscope/core/env"
	"controllerscope/core/kafka"
	"controllerscope/core/zk"
	"controllerscope/core/zkdata"
)

// PartitionLeadership is what a partition's state znode shall say. The order of a list of them is the order of sending.
type PartitionLeadership struct {
	kafka.TopicPartition
	kafka.Leadership
}

// PartitionLeaderAndIsr is the same without the controller epoch.
type PartitionLeaderAndIsr struct {
	kafka.TopicPartition
	kafka.LeaderAndIsr
}

// GetTopicPartitionStatesRaw reads the state znodes in one batch and returns the answers at the index of their partition.
// Kafka: KafkaZkClient.getTopicPartitionStatesRaw.
func (c *Client) GetTopicPartitionStatesRaw(partitions []kafka.TopicPartition) ([]zk.Result, error) {
	ops := make([]zk.Op, len(partitions))
	for i, p := range partitions {
		ops[i] = getOp(zkdata.TopicPartitionStatePath(p))
	}
	return c.RetryRequestsUntilConnected(ops)
}

// GetTopicPartitionStates reads them, in the same order, and leaves out what is missing or not JSON. Kafka: KafkaZkClient.getTopicPartitionStates.
func (c *Client) GetTopicPartitionStates(partitions []kafka.TopicPartition) ([]PartitionLeadership, error) {
	answers, err := c.GetTopicPartitionStatesRaw(partitions)
	if err != nil {
		return nil, err
	}
	states := make([]PartitionLeadership, 0, len(partitions))
	for i, r := range answers {
		p := partitions[i]
		switch r.Err {
		case zk.OK:
		case zk.NoNode:
			continue
		default:
			return nil, throw(zkdata.TopicPartitionStatePath(p), r.Err)
		}
		l, ok, err := zkdata.DecodeTopicPartitionState(p, r.Data, r.Stat.Version)
		if err != nil {
			return nil, err
		}
		if ok {
			states = append(states, PartitionLeadership{p, l})
		}
	}
	return states, nil
}

// GetTopicPartitionState reads one. Kafka: KafkaZkClient.getTopicPartitionState.
func (c *Client) GetTopicPartitionState(p kafka.TopicPartition) (l kafka.Leadership, found bool, err error) {
	states, err := c.GetTopicPartitionStates([]kafka.TopicPartition{p})
	if len(states) == 0 {
		return l, false, err
	}
	return states[0].Leadership, true, nil
}

// CreateTopicPartitionStatesRaw creates the state znodes of new partitions in three fenced batches: /partitions of each
// topic, the znode of each partition, the state. It returns the answers of the third; those of the others are ignored.
// Kafka: KafkaZkClient.createTopicPartitionStatesRaw.
func (c *Client) CreateTopicPartitionStatesRaw(states []PartitionLeadership, expectedZkVersion int32) ([]zk.Result, error) {
	var ofTopics, ofPartitions, ofStates []zk.Op
	seen := map[string]bool{}
	for _, s := range states {
		if !seen[s.Topic] {
			seen[s.Topic] = true
			ofTopics = append(ofTopics, createOp(zkdata.TopicPartitionsPath(s.Topic), nil))
		}
		ofPartitions = append(ofPartitions, createOp(zkdata.TopicPartitionPath(s.TopicPartition), nil))
		ofStates = append(ofStates, createOp(zkdata.TopicPartitionStatePath(s.TopicPartition), zkdata.EncodeTopicPartitionState(s.Leadership)))
	}
	for _, ops := range [][]zk.Op{ofTopics, ofPartitions} {
		if _, err := c.RetryFenced(ops, expectedZkVersion); err != nil {
			return nil, err
		}
	}
	answers, err := c.RetryFenced(ofStates, expectedZkVersion)
	if err != nil {
		return nil, err
	}
	return answers, c.ownWrites(ofStates, answers, zk.NodeExists, 0)
}

// SetTopicPartitionStatesRaw writes the states in one fenced batch, each only if its znode still has ZkVersion.
// Kafka: KafkaZkClient.setTopicPartitionStatesRaw.
func (c *Client) SetTopicPartitionStatesRaw(states []PartitionLeadership, expectedZkVersion int32) ([]zk.Result, error) {
	ops := make([]zk.Op, len(states))
	for i, s := range states {
		ops[i] = setOp(zkdata.TopicPartitionStatePath(s.TopicPartition), zkdata.EncodeTopicPartitionState(s.Leadership), s.ZkVersion)
	}
	answers, err := c.RetryFenced(ops, expectedZkVersion)
	if err != nil {
		return nil, err
	}
	return answers, c.ownWrites(ops, answers, zk.BadVersion, 1)
}

// ownWrites is the fix own-write. A write whose reply was lost was repeated and is refused, because the first attempt has
// been applied: where the znode holds exactly what was to be written, at the version of that one write (ahead of the
// expected one), the refusal becomes the success that it was. Without the fix nothing is read and nothing changes.
func (c *Client) ownWrites(ops []zk.Op, answers []zk.Result, refusal zk.Code, ahead int32) error {
	if !c.e.Fix(env.FixOwnWrite) {
		return nil
	}
	var at []int
	var reads []zk.Op
	for i, r := range answers {
		if r.Err == refusal {
			at, reads = append(at, i), append(reads, getOp(ops[i].Path))
		}
	}
	now, err := c.RetryRequestsUntilConnected(reads)
	if err != nil {
		return err
	}
	for i, r := range now {
		op := ops[at[i]]
		if r.Err == zk.OK && r.Stat.Version == op.Version+ahead && bytes.Equal(r.Data, op.Data) {
			answers[at[i]] = zk.Result{Err: zk.OK, Stat: r.Stat, Path: op.Path}
		}
	}
	return nil
}

// UpdateLeaderAndIsrResult says what became of each partition, in the order asked. Kafka: UpdateLeaderAndIsrResult.
type UpdateLeaderAndIsrResult struct {
	Finished          []FinishedUpdate
	PartitionsToRetry []kafka.TopicPartition // the znode had another version (BADVERSION)
}

// FinishedUpdate is the new state with its new ZkVersion, or the error that ends the attempt for this partition.
type FinishedUpdate struct {
	kafka.TopicPartition
	kafka.LeaderAndIsr
	Err error
}

// UpdateLeaderAndIsr writes new states at their expected versions, stamped with controllerEpoch, in one fenced batch. Its
// error is ErrControllerMoved and nothing else: any other failure of the whole call finishes every partition with it.
// Kafka: KafkaZkClient.updateLeaderAndIsr.
func (c *Client) UpdateLeaderAndIsr(updates []PartitionLeaderAndIsr, controllerEpoch, expectedZkVersion int32) (UpdateLeaderAndIsrResult, error) {
	states := make([]PartitionLeadership, len(updates))
	for i, u := range updates {
		states[i] = PartitionLeadership{u.TopicPartition, kafka.Leadership{LeaderAndIsr: u.LeaderAndIsr, ControllerEpoch: controllerEpoch}}
	}
	var result UpdateLeaderAndIsrResult
	answers, err := c.SetTopicPartitionStatesRaw(states, expectedZkVersion)
	if errors.Is(err, ErrControllerMoved) {
		return result, err
	}
	for i, u := range updates {
		done := FinishedUpdate{TopicPartition: u.TopicPartition, LeaderAndIsr: u.LeaderAndIsr, Err: err}
		if err == nil {
			if answers[i].Err == zk.BadVersion {
				result.PartitionsToRetry = append(result.PartitionsToRetry, u.TopicPartition)
				continue
			}
			done.Err = throw(zkdata.TopicPartitionStatePath(u.TopicPartition), answers[i].Err)
			done.ZkVersion = answers[i].Stat.Version
		}
		result.Finished = append(result.Finished, done)
	}
	return result, nil
}

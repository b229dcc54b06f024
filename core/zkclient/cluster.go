package zkclient

import (
	"errors"
	"fmt"
	"math"

	"controllerscope/core/kafka"
	"controllerscope/core/zk"
	"controllerscope/core/zkdata"
)

// GetClusterID reads /cluster/id. Kafka: KafkaZkClient.getClusterId.
func (c *Client) GetClusterID() (id string, found bool, err error) {
	data, _, found, err := c.GetDataAndStat(zkdata.ClusterIDPath)
	if err != nil || !found {
		return "", false, err
	}
	id, err = zkdata.DecodeClusterID(data)
	return id, err == nil, err
}

// CreateOrGetClusterID creates /cluster/id with the proposed id, or returns the one that is there.
// Kafka: KafkaZkClient.createOrGetClusterId.
func (c *Client) CreateOrGetClusterID(proposed string) (string, error) {
	err := c.CreateRecursive(zkdata.ClusterIDPath, zkdata.EncodeClusterID(proposed), true)
	if err == nil {
		return proposed, nil
	}
	if !errors.Is(err, zk.NodeExists) {
		return "", err
	}
	id, found, err := c.GetClusterID()
	if err == nil && !found {
		err = fmt.Errorf("%s existed before but went away while trying to read it", zkdata.ClusterIDPath)
	}
	return id, err
}

// CreateFeatureZNode creates /feature, unfenced. Kafka: KafkaZkClient.createFeatureZNode.
func (c *Client) CreateFeatureZNode(f zkdata.FeatureZNode) error {
	r, err := c.retry(createOp(zkdata.FeaturePath, zkdata.EncodeFeature(f)))
	if err != nil {
		return err
	}
	return throw(zkdata.FeaturePath, r.Err)
}

// UpdateFeatureZNode rewrites /feature at any version, unfenced, and returns the new version.
// Kafka: KafkaZkClient.updateFeatureZNode.
func (c *Client) UpdateFeatureZNode(f zkdata.FeatureZNode) (int32, error) {
	r, err := c.retry(setOp(zkdata.FeaturePath, zkdata.EncodeFeature(f), zk.AnyVersion))
	if err != nil {
		return UnknownVersion, err
	}
	return r.Stat.Version, throw(zkdata.FeaturePath, r.Err)
}

// producerIDBlockSize is how many ids a block holds. Kafka: ProducerIdManager.PidBlockSize.
const producerIDBlockSize = 1000

// NewProducerIDBlock claims the next block of producer ids for broker id: it reads the last block and sets the next one at
// the version read, again and again until that succeeds. Kafka: ProducerIdManager.getNewProducerIdBlock.
func (c *Client) NewProducerIDBlock(id kafka.BrokerID) (zkdata.ProducerIDBlock, error) {
	for {
		data, version, err := c.GetDataAndVersion(zkdata.ProducerIDBlockPath)
		if err != nil {
			return zkdata.ProducerIDBlock{}, err
		}
		next := zkdata.ProducerIDBlock{Broker: id, Start: 0, End: producerIDBlockSize - 1}
		if data != nil {
			last, err := zkdata.DecodeProducerIDBlock(data)
			if err != nil {
				return last, err
			}
			if last.End > math.MaxInt64-producerIDBlockSize {
				return last, errors.New("all producer ids are used up: the last block ends at " + fmt.Sprint(last.End))
			}
			next.Start, next.End = last.End+1, last.End+producerIDBlockSize
		}
		updated, _, err := c.ConditionalUpdatePath(zkdata.ProducerIDBlockPath, zkdata.EncodeProducerIDBlock(next), version,
			func() (bool, int32, error) { return c.checkProducerIDBlock(next) })
		if err != nil || updated {
			return next, err
		}
	}
}

// checkProducerIDBlock tells whether the stored block is the one that this broker tried to write.
// Kafka: ProducerIdManager.checkProducerIdBlockZkData.
func (c *Client) checkProducerIDBlock(expected zkdata.ProducerIDBlock) (bool, int32, error) {
	data, version, err := c.GetDataAndVersion(zkdata.ProducerIDBlockPath)
	if err != nil || data == nil {
		return false, UnknownVersion, err
	}
	stored, err := zkdata.DecodeProducerIDBlock(data)
	if err != nil || stored != expected {
		return false, UnknownVersion, err
	}
	return true, version, nil
}

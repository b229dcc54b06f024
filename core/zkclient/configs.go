package zkclient

import (
	"errors"

	"controllerscope/core/zk"
	"controllerscope/core/zkdata"
)

// GetEntityConfigs reads the config of one entity; a missing znode is an empty map. name is sanitised.
// Kafka: KafkaZkClient.getEntityConfigs.
func (c *Client) GetEntityConfigs(entityType, name string) (map[string]string, error) {
	path := zkdata.ConfigEntityPath(entityType, name)
	data, _, found, err := c.GetDataAndStat(path)
	if err != nil {
		return nil, err
	}
	if !found {
		return map[string]string{}, nil
	}
	return zkdata.DecodeConfig(path, data)
}

// GetLogConfigs reads the overrides of topics in one batch. A topic without a znode has none; one whose read or decoding
// failed is in failed instead. Kafka: KafkaZkClient.getLogConfigs, where the caller's defaults are merged in already.
func (c *Client) GetLogConfigs(topics []string) (configs map[string]map[string]string, failed map[string]error, err error) {
	ops := make([]zk.Op, len(topics))
	for i, topic := range topics {
		ops[i] = getOp(zkdata.ConfigEntityPath(zkdata.ConfigTypeTopics, topic))
	}
	answers, err := c.RetryRequestsUntilConnected(ops)
	if err != nil {
		return nil, nil, err
	}
	configs, failed = map[string]map[string]string{}, map[string]error{}
	for i, topic := range topics {
		switch path, r := ops[i].Path, answers[i]; r.Err {
		case zk.OK:
			overrides, err := zkdata.DecodeConfig(path, r.Data)
			if err != nil {
				return nil, nil, err
			}
			configs[topic] = overrides
		case zk.NoNode:
			configs[topic] = map[string]string{}
		default:
			failed[topic] = throw(path, r.Err)
		}
	}
	return configs, failed, nil
}

// GetAllEntitiesWithConfig lists the entities of a type in the server's order. Kafka: KafkaZkClient.getAllEntitiesWithConfig.
func (c *Client) GetAllEntitiesWithConfig(entityType string) ([]string, error) {
	return c.GetChildren(zkdata.ConfigEntityTypePath(entityType))
}

// SetOrCreateEntityConfigs replaces the config of an entity, creating its znode and parents where needed, unfenced.
// Kafka: KafkaZkClient.setOrCreateEntityConfigs.
func (c *Client) SetOrCreateEntityConfigs(entityType, name string, config map[string]string) error {
	path, data := zkdata.ConfigEntityPath(entityType, name), zkdata.EncodeConfig(config)
	set := func() (zk.Result, error) { return c.retry(setOp(path, data, zk.AnyVersion)) }
	r, err := set()
	if err == nil && r.Err == zk.NoNode {
		if err = c.CreateRecursive(path, data, true); !errors.Is(err, zk.NodeExists) {
			return err
		}
		r, err = set()
	}
	if err != nil {
		return err
	}
	return throw(path, r.Err)
}

// CreateConfigChangeNotification announces a change of an entity path such as "topics/orders".
// Kafka: KafkaZkClient.createConfigChangeNotification.
func (c *Client) CreateConfigChangeNotification(entityPath string) error {
	if err := c.MakeSurePersistentPathExists(zkdata.ConfigChangesPath); err != nil {
		return err
	}
	_, err := c.CreateSequentialPersistentPath(zkdata.ConfigChangeSequencePath, zkdata.EncodeConfigChange(entityPath))
	return err
}

// DeleteTopicConfigs deletes the configs of topics in one fenced batch; single codes are ignored.
// Kafka: KafkaZkClient.deleteTopicConfigs.
func (c *Client) DeleteTopicConfigs(topics []string, expectedZkVersion int32) error {
	paths := make([]string, len(topics))
	for i, topic := range topics {
		paths[i] = zkdata.ConfigEntityPath(zkdata.ConfigTypeTopics, topic)
	}
	return c.deleteMany(paths, expectedZkVersion)
}

package zkclient

import (
	"controllerscope/core/kafka"
	"controllerscope/core/zk"
	"controllerscope/core/zkdata"
)

// GetAllIsrChangeNotifications lists the sequence numbers of the ISR change notifications, in the server's order.
// Kafka: KafkaZkClient.getAllIsrChangeNotifications.
func (c *Client) GetAllIsrChangeNotifications() ([]string, error) {
	return c.sequences(zkdata.IsrChangeNotificationPath, zkdata.IsrChangeSequence)
}

// GetPartitionsFromIsrChangeNotifications reads notifications in one batch and returns the partitions of each; missing ones are left
// out.
// Kafka: KafkaZkClient.getPartitionsFromIsrChangeNotifications.
func (c *Client) GetPartitionsFromIsrChangeNotifications(sequences []string) ([][]kafka.TopicPartition, error) {
	var all [][]kafka.TopicPartition
	err := c.getMany(pathsOf(sequences, zkdata.IsrChangePath), func(i int, r zk.Result) error {
		partitions, err := zkdata.DecodeIsrChange(sequences[i], r.Data)
		all = append(all, partitions)
		return err
	})
	if err != nil {
		return nil, err
	}
	return all, nil
}

// DeleteIsrChangeNotifications deletes the numbered ones in one fenced batch; single codes are ignored.
func (c *Client) DeleteIsrChangeNotifications(sequences []string, expectedZkVersion int32) error {
	return c.deleteMany(pathsOf(sequences, zkdata.IsrChangePath), expectedZkVersion)
}

// DeleteAllIsrChangeNotifications lists, with a watch, and deletes all. Kafka: KafkaZkClient.deleteIsrChangeNotifications.
func (c *Client) DeleteAllIsrChangeNotifications(expectedZkVersion int32) error {
	sequences, err := c.GetAllIsrChangeNotifications()
	if err != nil {
		return err
	}
	return c.DeleteIsrChangeNotifications(sequences, expectedZkVersion)
}

// PropagateIsrChanges writes one notification. Kafka: KafkaZkClient.propagateIsrChanges.
func (c *Client) PropagateIsrChanges(partitions []kafka.TopicPartition) error {
	_, err := c.CreateSequentialPersistentPath(zkdata.IsrChangeSequencePath, zkdata.EncodeIsrChange(partitions))
	return err
}

// GetAllLogDirEventNotifications lists the sequence numbers of the log-dir notifications, in the server's order.
// Kafka: KafkaZkClient.getAllLogDirEventNotifications.
func (c *Client) GetAllLogDirEventNotifications() ([]string, error) {
	return c.sequences(zkdata.LogDirEventNotificationPath, zkdata.LogDirEventSequence)
}

// GetBrokerIDsFromLogDirEvents reads notifications in one batch and keeps duplicates; missing ones are left out.
// Kafka: KafkaZkClient.getBrokerIdsFromLogDirEvents.
func (c *Client) GetBrokerIDsFromLogDirEvents(sequences []string) ([]kafka.BrokerID, error) {
	var ids []kafka.BrokerID
	err := c.getMany(pathsOf(sequences, zkdata.LogDirEventPath), func(i int, r zk.Result) error {
		id, ok, err := zkdata.DecodeLogDirEvent(sequences[i], r.Data)
		if ok {
			ids = append(ids, id)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return ids, nil
}

// DeleteLogDirEventNotifications deletes the numbered ones in one fenced batch; single codes are ignored.
func (c *Client) DeleteLogDirEventNotifications(sequences []string, expectedZkVersion int32) error {
	return c.deleteMany(pathsOf(sequences, zkdata.LogDirEventPath), expectedZkVersion)
}

// DeleteAllLogDirEventNotifications lists, with a watch, and deletes all. Kafka: KafkaZkClient.deleteLogDirEventNotifications.
func (c *Client) DeleteAllLogDirEventNotifications(expectedZkVersion int32) error {
	sequences, err := c.GetAllLogDirEventNotifications()
	if err != nil {
		return err
	}
	return c.DeleteLogDirEventNotifications(sequences, expectedZkVersion)
}

// PropagateLogDirEvent tells the controller that a log directory of broker id failed. Kafka: KafkaZkClient.propagateLogDirEvent.
func (c *Client) PropagateLogDirEvent(id kafka.BrokerID) error {
	_, err := c.CreateSequentialPersistentPath(zkdata.LogDirEventSequencePath, zkdata.EncodeLogDirEvent(id))
	return err
}

// sequences lists a parent of numbered znodes and keeps what follows their prefix.
func (c *Client) sequences(parent string, sequence func(name string) string) ([]string, error) {
	children, err := c.GetChildren(parent)
	if err != nil {
		return nil, err
	}
	return pathsOf(children, sequence), nil
}

func pathsOf(names []string, path func(string) string) []string {
	paths := make([]string, len(names))
	for i, name := range names {
		paths[i] = path(name)
	}
	return paths
}

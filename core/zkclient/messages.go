package zkclient

import "controllerscope/core/env"

// Messages documents the keys of this package's notes.
var Messages = []env.Message{
	{Key: "zkclient.handler.register", Src: "zkclient.(*Client).RegisterZNodeChangeHandler", Kafka: "ZooKeeperClient.registerZNodeChangeHandler", Args: []string{"path", "watch"}},
	{Key: "zkclient.handler.unregister", Src: "zkclient.(*Client).UnregisterZNodeChangeHandler", Kafka: "ZooKeeperClient.unregisterZNodeChangeHandler", Args: []string{"path", "watch"}},
	{Key: "zkclient.handler.clear", Src: "zkclient.(*Client).Close", Kafka: "ZooKeeperClient.close"},
	{Key: "zkclient.session.connected", Src: "zkclient.(*Client).StateChanged", Kafka: "ZooKeeperClient.ZooKeeperClientWatcher.process", Args: []string{"client"}},
	{Key: "zkclient.session.disconnected", Src: "zkclient.(*Client).StateChanged", Kafka: "ZooKeeperClient.ZooKeeperClientWatcher.process", Args: []string{"client"}},
	{Key: "zkclient.session.expired", Src: "zkclient.(*Client).StateChanged", Kafka: "ZooKeeperClient.ZooKeeperClientWatcher.process", Args: []string{"client"}},
	{Key: "zkclient.session.reinitialize", Src: "zkclient.(*Client).reinitialize", Kafka: "ZooKeeperClient.reinitialize", Args: []string{"client"}},
	{Key: "zkclient.session.waiting", Src: "zkclient.(*Client).waitUntilConnected", Kafka: "ZooKeeperClient.waitUntilConnected", Args: []string{"client"}},
	{Key: "zkclient.reassignment.malformed", Src: "zkclient.(*Client).GetPartitionReassignment", Kafka: "KafkaZkClient.getPartitionReassignment", Args: []string{"error"}},
}

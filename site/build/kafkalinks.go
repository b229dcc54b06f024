package main

import "strings"

// kafkaAddress is where a class of Kafka 2.8.2 stands.
type kafkaAddress struct {
	Path string `json:"path"`
	URL  string `json:"url"`
}

const kafkaTree = "https://github.com/apache/kafka/blob/2.8.2/"

// kafkaFiles are the files below core/src/main/scala/kafka of Kafka 2.8.2 that mirrored classes stand in.
var kafkaFiles = map[string]string{
	"KafkaController": "controller/KafkaController", "ControllerContext": "controller/ControllerContext",
	"ControllerEventManager": "controller/ControllerEventManager", "ControllerEventThread": "controller/ControllerEventManager",
	"ControllerChannelManager": "controller/ControllerChannelManager", "RequestSendThread": "controller/ControllerChannelManager",
	"AbstractControllerBrokerRequestBatch": "controller/ControllerChannelManager",
	"PartitionStateMachine":                "controller/PartitionStateMachine", "ZkPartitionStateMachine": "controller/PartitionStateMachine",
	"ReplicaStateMachine": "controller/ReplicaStateMachine", "ZkReplicaStateMachine": "controller/ReplicaStateMachine",
	"TopicDeletionManager": "controller/TopicDeletionManager", "Election": "controller/Election",
	"ZooKeeperClient": "zookeeper/ZooKeeperClient", "ZooKeeperClientWatcher": "zookeeper/ZooKeeperClient",
	"KafkaZkClient": "zk/KafkaZkClient", "AdminZkClient": "zk/AdminZkClient",
	"KafkaApis": "server/KafkaApis", "KafkaServer": "server/KafkaServer", "ReplicaManager": "server/ReplicaManager",
	"MetadataCache": "server/MetadataCache", "ConfigHandler": "server/ConfigHandler", "DynamicConfigManager": "server/DynamicConfigManager",
	"DynamicBrokerConfig": "server/DynamicBrokerConfig", "ReplicaFetcherThread": "server/ReplicaFetcherThread",
	"ZkNodeChangeNotificationListener": "common/ZkNodeChangeNotificationListener", "Partition": "cluster/Partition",
	"LogManager": "log/LogManager", "KafkaScheduler": "utils/KafkaScheduler",
}

// kafkaOthers are those outside core/src/main/scala/kafka.
var kafkaOthers = map[string]string{
	"ControllerIntegrationTest": "core/src/test/scala/unit/kafka/controller/ControllerIntegrationTest.scala",
	"BrokerState":               "metadata/src/main/java/org/apache/kafka/metadata/BrokerState.java",
	"NetworkClient":             "clients/src/main/java/org/apache/kafka/clients/NetworkClient.java",
	"KafkaAdminClient":          "clients/src/main/java/org/apache/kafka/clients/admin/KafkaAdminClient.java",
}

// addressOf finds the file of "KafkaController.elect"; false when there is no class of Kafka's in the name.
func addressOf(kafka string) (kafkaAddress, bool) {
	class, _, _ := strings.Cut(kafka, ".")
	path := kafkaOthers[class]
	if short := kafkaFiles[class]; short != "" {
		path = "core/src/main/scala/kafka/" + short + ".scala"
	}
	return kafkaAddress{path, kafkaTree + path}, path != ""
}

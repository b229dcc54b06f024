package zkdata

import (
	"strconv"
	"strings"

	"controllerscope/core/kafka"
)

// Paths of single znodes and of the parents of the numbered ones.
const (
	ConsumersPath                = "/consumers"
	ControllerPath               = "/controller"
	ControllerEpochPath          = "/controller_epoch"
	BrokersPath                  = "/brokers"
	BrokerIDsPath                = "/brokers/ids"
	TopicsPath                   = "/brokers/topics"
	BrokerSequenceIDPath         = "/brokers/seqid"
	ConfigPath                   = "/config"
	ConfigChangesPath            = "/config/changes"
	AdminPath                    = "/admin"
	DeleteTopicsPath             = "/admin/delete_topics"
	ReassignPartitionsPath       = "/admin/reassign_partitions"
	PreferredReplicaElectionPath = "/admin/preferred_replica_election"
	IsrChangeNotificationPath    = "/isr_change_notification"
	LogDirEventNotificationPath  = "/log_dir_event_notification"
	ProducerIDBlockPath          = "/latest_producer_id_block"
	ClusterPath                  = "/cluster"
	ClusterIDPath                = "/cluster/id"
	FeaturePath                  = "/feature"
	configChangePrefix           = "config_change_"
	ACLChangesPath               = "/kafka-acl-changes"
	ExtendedACLChangesPath       = "/kafka-acl-extended-changes"
	TokenChangesPath             = "/delegation_token/token_changes"
	aclChangePrefix              = "acl_changes_"
	tokenChangePrefix            = "token_change_"
	ACLChangeSequencePath        = ACLChangesPath + "/" + aclChangePrefix
	ExtendedACLSequencePath      = ExtendedACLChangesPath + "/" + aclChangePrefix
	TokenChangeSequencePath      = TokenChangesPath + "/" + tokenChangePrefix
	isrChangePrefix              = "isr_change_"
	logDirEventPrefix            = "log_dir_event_"
	ConfigChangeSequencePath     = ConfigChangesPath + "/" + configChangePrefix
	IsrChangeSequencePath        = IsrChangeNotificationPath + "/" + isrChangePrefix
	LogDirEventSequencePath      = LogDirEventNotificationPath + "/" + logDirEventPrefix
	ConfigTypeTopics             = "topics"
	ConfigTypeClients            = "clients"
	ConfigTypeUsers              = "users"
	ConfigTypeBrokers            = "brokers"
	ConfigTypeIPs                = "ips"
	DefaultEntity                = "<default>" // name of an entity that stands for all without their own. Kafka: ConfigEntityName.Default
)

// ConfigTypes lists the entity types in Kafka's order. Kafka: ConfigType.all.
func ConfigTypes() []string {
	return []string{ConfigTypeTopics, ConfigTypeClients, ConfigTypeUsers, ConfigTypeBrokers, ConfigTypeIPs}
}

// PersistentPaths lists what every broker makes sure of at its start, in order. Kafka: ZkData.PersistentZkPaths.
func PersistentPaths() []string {
	paths := []string{ConsumersPath, BrokerIDsPath, TopicsPath, ConfigChangesPath, DeleteTopicsPath, BrokerSequenceIDPath,
		IsrChangeNotificationPath, ProducerIDBlockPath, LogDirEventNotificationPath}
	for _, t := range ConfigTypes() {
		paths = append(paths, ConfigEntityTypePath(t))
	}
	return paths
}

// BrokerIDPath is the registration of a broker.
func BrokerIDPath(id kafka.BrokerID) string { return BrokerIDsPath + "/" + id.String() }

// TopicPath holds the assignment of a topic.
func TopicPath(topic string) string { return TopicsPath + "/" + topic }

// TopicPartitionsPath is the parent of a topic's partitions.
func TopicPartitionsPath(topic string) string { return TopicPath(topic) + "/partitions" }

// TopicPartitionPath is the parent of a partition's state.
func TopicPartitionPath(p kafka.TopicPartition) string { return partitionPath(p, "") }

// partitionPath is a path of a partition in one piece: a failover needs one for each.
func partitionPath(p kafka.TopicPartition, below string) string {
	return TopicsPath + "/" + p.Topic + "/partitions/" + strconv.Itoa(int(p.Partition)) + below
}

// TopicPartitionStatePath holds a partition's leadership.
func TopicPartitionStatePath(p kafka.TopicPartition) string { return partitionPath(p, "/state") }

// StatePathParts takes a path apart as TopicPartitionStatePath makes it; partition is text, which nobody has read yet.
func StatePathParts(path string) (topic, partition string, ok bool) {
	rest, below := strings.CutPrefix(path, TopicsPath+"/")
	topic, rest, has := strings.Cut(rest, "/partitions/")
	partition, state := strings.CutSuffix(rest, "/state")
	if !below || !has || !state || strings.Contains(topic, "/") || strings.Contains(partition, "/") {
		return "", "", false
	}
	return topic, partition, true
}

// ConfigEntityTypePath is the parent of the entities of one type.
func ConfigEntityTypePath(entityType string) string { return ConfigPath + "/" + entityType }

// ConfigEntityPath holds the config of one entity. name is sanitised; a client of a user is "alice/clients/app-1".
func ConfigEntityPath(entityType, name string) string {
	return ConfigEntityTypePath(entityType) + "/" + name
}

// DeleteTopicPath is the marker that asks for the deletion of a topic.
func DeleteTopicPath(topic string) string { return DeleteTopicsPath + "/" + topic }

// IsrChangePath and LogDirEventPath name one notification by the digits after its prefix.
func IsrChangePath(sequence string) string   { return IsrChangeSequencePath + sequence }
func LogDirEventPath(sequence string) string { return LogDirEventSequencePath + sequence }

// IsrChangeSequence and LogDirEventSequence return the digits of a notification's node name.
func IsrChangeSequence(name string) string   { return strings.TrimPrefix(name, isrChangePrefix) }
func LogDirEventSequence(name string) string { return strings.TrimPrefix(name, logDirEventPrefix) }

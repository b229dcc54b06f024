package broker

import "controllerscope/core/env"

// Messages documents the keys of this package's notes.
var Messages = []env.Message{
	{Key: "broker.fenced.brokerEpoch", Src: "broker.(*Broker).stale", Kafka: "KafkaApis.isBrokerEpochStale", Article: "S0", Args: []string{"kind", "controller", "epoch", "own", "error"}},
	{Key: "broker.fenced.controllerEpoch", Src: "broker.(*Broker).fencedByController", Kafka: "ReplicaManager.becomeLeaderOrFollower", Args: []string{"kind", "controller", "epoch", "own", "error"}},
	{Key: "broker.controllerEpoch", Src: "broker.(*Broker).fencedByController", Kafka: "ReplicaManager.controllerEpoch", Args: []string{"epoch", "controller"}},
	{Key: "broker.metadata", Src: "broker.(*Broker).HandleUpdateMetadata", Kafka: "MetadataCache.updateMetadata", Args: []string{"controller", "brokers", "partitions"}},
	{Key: "broker.leader", Src: "broker.(*Broker).makeLeader", Kafka: "Partition.makeLeader", Args: []string{"leaderEpoch", "isr", "zkVersion"}},
	{Key: "broker.follower", Src: "broker.(*Broker).makeFollower", Kafka: "Partition.makeFollower", Args: []string{"leader", "leaderEpoch", "zkVersion"}},
	{Key: "broker.leaderNotAlive", Src: "broker.(*Broker).makeFollower", Kafka: "ReplicaManager.makeFollowers", Args: []string{"leader", "leaderEpoch"}},
	{Key: "broker.refuse", Src: "broker.(*Broker).check", Kafka: "ReplicaManager.becomeLeaderOrFollower", Args: []string{"leaderEpoch", "own", "error"}},
	{Key: "broker.offline", Src: "broker.(*Broker).markOffline", Kafka: "ReplicaManager.markPartitionOffline"},
	{Key: "broker.log.marked", Src: "broker.(*Broker).TopicConfigUpdated", Kafka: "LogManager.topicConfigUpdated", Article: "S4"},
	{Key: "broker.log.reread", Src: "broker.(*Broker).finishInitializing", Kafka: "LogManager.finishedInitializingLog", Article: "S4"},
	{Key: "broker.stopped", Src: "broker.(*Broker).stopReplica", Kafka: "ReplicaManager.stopReplicas", Args: []string{"leaderEpoch"}},
	{Key: "broker.stopRefused", Src: "broker.(*Broker).stopReplica", Kafka: "ReplicaManager.stopReplicas", Args: []string{"leaderEpoch", "own", "error"}},
	{Key: "broker.deleted", Src: "broker.(*Broker).deleteReplica", Kafka: "ReplicaManager.stopPartitions", Args: []string{"leaderEpoch"}},
	{Key: "broker.isr.expand", Src: "broker.(*Broker).maybeExpandISR", Kafka: "Partition.maybeExpandIsr", Args: []string{"isr", "proposed", "zkVersion"}},
	{Key: "broker.isr.shrink", Src: "broker.(*Broker).maybeShrinkISR", Kafka: "Partition.maybeShrinkIsr", Args: []string{"isr", "proposed", "zkVersion"}},
	{Key: "broker.isr.updated", Src: "broker.(*Broker).isrAnswered", Kafka: "Partition.handleAlterIsrResponse", Args: []string{"isr", "zkVersion"}},
	{Key: "broker.isr.giveUp", Src: "broker.(*Broker).isrAnswered", Kafka: "Partition.handleAlterIsrResponse", Args: []string{"error"}},
	{Key: "broker.isr.ignored", Src: "broker.(*Broker).isrAnswered", Kafka: "Partition.handleAlterIsrResponse", Args: []string{"zkVersion"}},
	{Key: "broker.isr.announced", Src: "broker.(*Broker).PropagateISRChanges", Kafka: "ZkIsrManager.maybePropagateIsrChanges", Article: "S3", Args: []string{"partitions"}},
	{Key: "broker.logDir.failed", Src: "broker.(*Broker).FailLogDir", Kafka: "ReplicaManager.handleLogDirFailure", Args: []string{"dir"}},
	{Key: "broker.append", Src: "broker.(*Broker).Append", Kafka: "Partition.appendRecordsToLeader", Args: []string{"records", "leo"}},
	{Key: "broker.hw", Src: "broker.(*Broker).recordFetch", Kafka: "Partition.maybeIncrementLeaderHW", Args: []string{"hw", "follower"}},
	{Key: "broker.fetched", Src: "broker.(*Broker).follow", Kafka: "ReplicaFetcherThread.processPartitionData", Args: []string{"from", "leo", "hw"}},
	{Key: "broker.truncated", Src: "broker.(*Broker).follow", Kafka: "ReplicaFetcherThread.truncate", Args: []string{"from", "leo", "hw"}},
	{Key: "broker.lagging", Src: "broker.(*Broker).Lag", Args: []string{"on"}},
}

package kafka

// exception is the class that Kafka's clients throw for a code, and what it says when the broker gives no words of its own.
type exception struct{ class, message string }

var exceptions = map[Error]exception{
	UNKNOWN_SERVER_ERROR:           {"UnknownServerException", "The server experienced an unexpected error when processing the request."},
	UNKNOWN_TOPIC_OR_PARTITION:     {"UnknownTopicOrPartitionException", "This server does not host this topic-partition."},
	LEADER_NOT_AVAILABLE:           {"LeaderNotAvailableException", "There is no leader for this topic-partition as we are in the middle of a leadership election."},
	NOT_LEADER_OR_FOLLOWER:         {"NotLeaderOrFollowerException", "For requests intended only for the leader, this error indicates that the broker is not the current leader. For requests intended for any replica, this error indicates that the broker is not a replica of the topic partition."},
	REQUEST_TIMED_OUT:              {"TimeoutException", "The request timed out."},
	BROKER_NOT_AVAILABLE:           {"BrokerNotAvailableException", "The broker is not available."},
	STALE_CONTROLLER_EPOCH:         {"ControllerMovedException", "The controller moved to another broker."},
	INVALID_TOPIC_EXCEPTION:        {"InvalidTopicException", "The request attempted to perform an operation on an invalid topic."},
	TOPIC_ALREADY_EXISTS:           {"TopicExistsException", "Topic with this name already exists."},
	INVALID_PARTITIONS:             {"InvalidPartitionsException", "Number of partitions is below 1."},
	INVALID_REPLICATION_FACTOR:     {"InvalidReplicationFactorException", "Replication factor is below 1 or larger than the number of available brokers."},
	INVALID_REPLICA_ASSIGNMENT:     {"InvalidReplicaAssignmentException", "Replica assignment is invalid."},
	INVALID_CONFIG:                 {"InvalidConfigurationException", "Configuration is invalid."},
	NOT_CONTROLLER:                 {"NotControllerException", "This is not the correct controller for this cluster."},
	INVALID_REQUEST:                {"InvalidRequestException", "This most likely occurs because of a request being malformed by the client library or the message was sent to an incompatible broker. See the broker logs for more details."},
	KAFKA_STORAGE_ERROR:            {"KafkaStorageException", "Disk error when trying to access log file on the disk."},
	REASSIGNMENT_IN_PROGRESS:       {"ReassignmentInProgressException", "A partition reassignment is in progress."},
	TOPIC_DELETION_DISABLED:        {"TopicDeletionDisabledException", "Topic deletion is disabled."},
	FENCED_LEADER_EPOCH:            {"FencedLeaderEpochException", "The leader epoch in the request is older than the epoch on the broker."},
	UNKNOWN_LEADER_EPOCH:           {"UnknownLeaderEpochException", "The leader epoch in the request is newer than the epoch on the broker."},
	STALE_BROKER_EPOCH:             {"StaleBrokerEpochException", "Broker epoch has changed."},
	PREFERRED_LEADER_NOT_AVAILABLE: {"PreferredLeaderNotAvailableException", "The preferred leader was not available."},
	ELIGIBLE_LEADERS_NOT_AVAILABLE: {"EligibleLeadersNotAvailableException", "Eligible topic partition leaders are not available."},
	ELECTION_NOT_NEEDED:            {"ElectionNotNeededException", "Leader election not needed for topic partition."},
	NO_REASSIGNMENT_IN_PROGRESS:    {"NoReassignmentInProgressException", "No partition reassignment is in progress."},
	INVALID_UPDATE_VERSION:         {"InvalidUpdateVersionException", "The given update version was invalid."},
	FEATURE_UPDATE_FAILED:          {"FeatureUpdateFailedException", "Unable to update finalized features due to an unexpected server error."},
	INCONSISTENT_TOPIC_ID:          {"InconsistentTopicIdException", "The log's topic ID did not match the topic ID in the request"},
}

// Exception is the full name of the class that stands for the code. Kafka: Errors.exception.
func (e Error) Exception() string {
	if x, ok := exceptions[e]; ok {
		return "org.apache.kafka.common.errors." + x.class
	}
	return e.Error()
}

// Message is what Kafka says for the code. Kafka: Errors.message.
func (e Error) Message() string { return exceptions[e].message }

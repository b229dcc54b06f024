package dynconfig

import (
	"fmt"
	"strconv"
	"strings"

	"controllerscope/core/kafka"
)

// Names of topic configs that this project acts on. Kafka: LogConfig.
const (
	UncleanLeaderElection     = "unclean.leader.election.enable"
	LeaderThrottledReplicas   = "leader.replication.throttled.replicas"
	FollowerThrottledReplicas = "follower.replication.throttled.replicas"
)

// topicConfigs are the configs that a topic can have. Kafka: LogConfig.configDef.
var topicConfigs = definitions{
	"segment.bytes": integer(14), "segment.ms": long(1), "segment.jitter.ms": long(0), "segment.index.bytes": integer(0),
	"flush.messages": long(0), "flush.ms": long(0), "retention.bytes": long(anyInt), "retention.ms": long(-1),
	"max.message.bytes": integer(0), "index.interval.bytes": integer(0), "delete.retention.ms": long(0),
	"min.compaction.lag.ms": long(0), "max.compaction.lag.ms": long(1), "file.delete.delay.ms": long(0),
	"min.cleanable.dirty.ratio": double(0, 1), "cleanup.policy": listOf("compact", "delete"), UncleanLeaderElection: boolean,
	"min.insync.replicas": integer(1), "compression.type": oneOf("uncompressed", "zstd", "lz4", "snappy", "gzip", "producer"),
	"preallocate": boolean, "message.format.version": apiVersion, "message.timestamp.type": oneOf("CreateTime", "LogAppendTime"),
	"message.timestamp.difference.max.ms": long(0), "message.downconversion.enable": boolean,
	LeaderThrottledReplicas: throttledReplicas, FollowerThrottledReplicas: throttledReplicas,
}

// InvalidConfiguration is Kafka's InvalidConfigurationException; any other error of a check is its ConfigException.
type InvalidConfiguration string

func (e InvalidConfiguration) Error() string { return string(e) }

// CheckTopic says what is wrong with the whole config of a topic: an unknown name and limits that contradict each other
// are InvalidConfiguration. Kafka: LogConfig.validate.
func CheckTopic(config map[string]string) error {
	for _, key := range kafka.SortedKeys(config) {
		if _, known := topicConfigs[key]; !known {
			return InvalidConfiguration("Unknown topic config name: " + key)
		}
	}
	if err := topicConfigs.check(config); err != nil {
		return err
	}
	least, most := lag(config, "min.compaction.lag.ms", 0), lag(config, "max.compaction.lag.ms", maxInt)
	if least > most {
		return InvalidConfiguration(fmt.Sprintf("conflict topic config setting min.compaction.lag.ms (%d) > max.compaction.lag.ms (%d)", least, most))
	}
	return nil
}

func lag(config map[string]string, key string, otherwise int64) int64 {
	if n, err := strconv.ParseInt(strings.TrimSpace(config[key]), 10, 64); err == nil {
		return n
	}
	return otherwise
}

// throttledReplicas takes *, nothing, or pairs partition:broker. Items are trimmed and may be empty, which the broker that
// reads them later does not forgive. Kafka: ThrottledReplicaListValidator.
var throttledReplicas = definition{func(key, value string) error {
	if strings.TrimSpace(value) == "*" {
		return nil
	}
	for _, item := range strings.Split(value, ",") {
		if item = strings.TrimSpace(item); item == "" {
			continue
		}
		p, b, found := strings.Cut(item, ":")
		if !found || !digits(p) || !digits(b) {
			return invalid(key, value, key+" must be the literal '*' or a list of replicas in the following format: [partitionId]:[brokerId],[partitionId]:[brokerId],...")
		}
	}
	return nil
}}

func digits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

// Throttle is the replicas of a topic whose replication is throttled on one broker: all of them, or those of Partitions.
type Throttle struct {
	All        bool
	Partitions []int32
}

// ThrottleOf reads what a topic's config says about broker id; marked is false when nothing is throttled.
// Kafka: TopicConfigHandler.parseThrottledPartitions, updateThrottledList.
func ThrottleOf(config map[string]string, key string, id kafka.BrokerID) (t Throttle, marked bool, err error) {
	value, found := config[key]
	switch {
	case !found || value == "":
		return t, false, nil
	case strings.TrimSpace(value) == "*":
		return Throttle{All: true}, true, nil
	}
	for _, item := range strings.Split(strings.TrimSpace(value), ",") {
		p, b, _ := strings.Cut(item, ":")
		if b != id.String() {
			if _, err := strconv.ParseInt(b, 10, 32); err != nil {
				return t, false, fmt.Errorf("%s: %q names no replica", key, item)
			}
			continue
		}
		n, err := strconv.ParseInt(p, 10, 32)
		if err != nil {
			return t, false, fmt.Errorf("%s: %q is not the number of a partition", key, p)
		}
		t.Partitions = append(t.Partitions, int32(n))
	}
	return t, true, nil
}

// CheckThrottles reads both lists as the broker does that takes a topic's config over.
func CheckThrottles(config map[string]string, id kafka.BrokerID) error {
	for _, key := range []string{LeaderThrottledReplicas, FollowerThrottledReplicas} {
		if _, _, err := ThrottleOf(config, key, id); err != nil {
			return err
		}
	}
	return nil
}

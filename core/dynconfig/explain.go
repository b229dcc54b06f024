package dynconfig

import (
	"fmt"
	"slices"
	"strings"

	"controllerscope/core/kafka"
	"controllerscope/core/zkdata"
)

// Layer is one value that a setting could have, and where it comes from. Kafka: DescribeConfigsResponse.ConfigSynonym.
type Layer struct {
	Source string // DYNAMIC_TOPIC_CONFIG, DYNAMIC_BROKER_CONFIG, DYNAMIC_DEFAULT_BROKER_CONFIG, STATIC_BROKER_CONFIG, DEFAULT_CONFIG
	Key    string // the setting itself or another name of it
	Value  string
}

// secrets are the configs of type PASSWORD that are not dynamic.
var secrets = []string{"password.encoder.secret", "password.encoder.old.secret", "delegation.token.master.key", "delegation.token.secret.key"}

// Shown is the value as it may be shown: that of a password is hidden, and that of a broker config which Kafka does not know,
// for it may be one. Kafka: KafkaConfig.maybeSensitive.
func (l Layer) Shown() string {
	if IsPassword(l.Key) || slices.Contains(secrets, l.Key) || strings.HasSuffix(l.Source, "BROKER_CONFIG") && !isBrokerConfig(l.Key) {
		return hidden
	}
	return l.Value
}

// isBrokerConfig tells whether Kafka has a broker config of this name; behind listener.name.LISTENER. a SASL mechanism may
// stand too. Kafka: KafkaConfig.configType.
func isBrokerConfig(key string) bool {
	bare, prefixed := unprefixed(key)
	_, rest, _ := strings.Cut(bare, ".")
	for _, defined := range []definitions{throttleRates, clusterConfigs, perBrokerConfigs, prefixedConfigs, staticConfigs} {
		if defined[bare].parse != nil || prefixed && defined[rest].parse != nil {
			return true
		}
	}
	return false
}

// String is SOURCE:KEY=VALUE, as kafka-configs --describe --all prints synonyms.
func (l Layer) String() string { return l.Source + ":" + l.Key + "=" + l.Shown() }

// Levels are the values of one broker, the weakest first; Kafka's own defaults lie below them.
type Levels struct {
	Static, All, Own map[string]string
}

// builtIn are Kafka's defaults of the broker configs that can change while a broker runs. Kafka: kafka.server.Defaults.
var builtIn = map[string]string{
	"log.cleaner.threads": "1", "log.cleaner.dedupe.buffer.size": "134217728", "log.cleaner.io.buffer.load.factor": "0.9",
	"log.cleaner.io.buffer.size": "524288", "log.cleaner.io.max.bytes.per.second": "1.7976931348623157E308", "log.cleaner.backoff.ms": "15000",
	"message.max.bytes": "1048588", "log.segment.bytes": "1073741824", "log.roll.hours": "168", "log.roll.jitter.hours": "0",
	"log.index.size.max.bytes": "10485760", "log.flush.interval.messages": "9223372036854775807",
	"log.flush.scheduler.interval.ms": "9223372036854775807", "log.retention.bytes": "-1", "log.retention.hours": "168",
	"log.index.interval.bytes": "4096", "log.cleaner.delete.retention.ms": "86400000", "log.cleaner.min.compaction.lag.ms": "0",
	"log.cleaner.max.compaction.lag.ms": "9223372036854775807", "log.cleaner.min.cleanable.ratio": "0.5",
	"log.segment.delete.delay.ms": "60000", "log.cleanup.policy": "delete", UncleanLeaderElection: "false", "min.insync.replicas": "1",
	"compression.type": "producer", "log.preallocate": "false", "log.message.timestamp.type": "CreateTime",
	"log.message.timestamp.difference.max.ms": "9223372036854775807", "log.message.downconversion.enable": "true",
	"log.message.format.version": "2.8-IV1", "num.io.threads": "8", "num.network.threads": "3", "num.replica.fetchers": "1",
	"num.recovery.threads.per.data.dir": "1", "background.threads": "10", "metric.reporters": "", "max.connections.per.ip": "2147483647",
	"max.connections.per.ip.overrides": "", "max.connections": "2147483647", "max.connection.creation.rate": "2147483647",
}

// ofTopics are the broker configs that topics inherit, where the name is not the same. Kafka: LogConfig.TopicConfigSynonyms.
var ofTopics = map[string]string{
	"segment.bytes": "log.segment.bytes", "segment.ms": "log.roll.ms", "segment.jitter.ms": "log.roll.jitter.ms",
	"segment.index.bytes": "log.index.size.max.bytes", "flush.messages": "log.flush.interval.messages", "flush.ms": "log.flush.interval.ms",
	"retention.bytes": "log.retention.bytes", "retention.ms": "log.retention.ms", "max.message.bytes": "message.max.bytes",
	"index.interval.bytes": "log.index.interval.bytes", "delete.retention.ms": "log.cleaner.delete.retention.ms",
	"min.compaction.lag.ms": "log.cleaner.min.compaction.lag.ms", "max.compaction.lag.ms": "log.cleaner.max.compaction.lag.ms",
	"file.delete.delay.ms": "log.segment.delete.delay.ms", "min.cleanable.dirty.ratio": "log.cleaner.min.cleanable.ratio",
	"cleanup.policy": "log.cleanup.policy", UncleanLeaderElection: UncleanLeaderElection, "min.insync.replicas": "min.insync.replicas",
	"compression.type": "compression.type", "preallocate": "log.preallocate", "message.format.version": "log.message.format.version",
	"message.timestamp.type": "log.message.timestamp.type", "message.timestamp.difference.max.ms": "log.message.timestamp.difference.max.ms",
	"message.downconversion.enable": "log.message.downconversion.enable",
}

// namesOf are the names under which a broker config can stand, the strongest first.
// Kafka: DynamicBrokerConfig.brokerConfigSynonyms.
func namesOf(key string) []string {
	for _, group := range synonyms {
		if slices.Contains(group, key) {
			return group
		}
	}
	if bare, prefixed := unprefixed(key); prefixed {
		return []string{key, bare}
	}
	return []string{key}
}

// ExplainBroker lists every value that a broker config could have on this broker, the one in effect first. A throttle rate
// counts in the broker's own config only; without one it is unlimited, and there is no layer.
// Kafka: ConfigHelper.configSynonyms.
func ExplainBroker(key string, levels Levels) (layers []Layer) {
	_, rate := throttleRates[key]
	for _, level := range []struct {
		source string
		config map[string]string
	}{{"DYNAMIC_BROKER_CONFIG", levels.Own}, {"DYNAMIC_DEFAULT_BROKER_CONFIG", levels.All}, {"STATIC_BROKER_CONFIG", levels.Static}, {"DEFAULT_CONFIG", builtIn}} {
		for _, name := range namesOf(key) {
			if value, found := level.config[name]; found && (!rate || level.source == "DYNAMIC_BROKER_CONFIG") {
				layers = append(layers, Layer{level.source, name, value})
			}
		}
	}
	return layers
}

// ExplainTopic lists every value that a config of a topic could have on a broker, the one in effect first.
// Kafka: ConfigHelper.createTopicConfigEntry.
func ExplainTopic(key string, topic map[string]string, levels Levels) (layers []Layer) {
	if value, found := topic[key]; found {
		layers = append(layers, Layer{"DYNAMIC_TOPIC_CONFIG", key, value})
	}
	if inherited := ofTopics[key]; inherited != "" {
		layers = append(layers, ExplainBroker(inherited, levels)...)
	}
	return layers
}

// quotaEntities are the eight forms of an entity that can limit a client of a user, the most specific first.
// Kafka: ClientQuotaManager.DefaultQuotaCallback.
func quotaEntities(user, clientID string) []string {
	const d = zkdata.DefaultEntity
	pair := func(u, c string) string { return "users/" + u + "/" + zkdata.ConfigTypeClients + "/" + c }
	return []string{pair(user, clientID), pair(user, d), "users/" + user, pair(d, clientID), pair(d, d), "users/" + d, "clients/" + clientID, "clients/" + d}
}

// ExplainQuota lists every entity that limits a client of a user, the one in effect first. config reads the config of an
// entity such as users/alice. user and clientID are sanitised.
func ExplainQuota(key, user, clientID string, config func(entity string) map[string]string) (layers []Layer) {
	for _, entity := range quotaEntities(user, clientID) {
		if value, found := config(entity)[key]; found {
			layers = append(layers, Layer{entity, key, value})
		}
	}
	return layers
}

// Mode says how a broker config can be changed, as Kafka's documentation lists it: cluster-wide, per-broker, read-only; or
// that no config is called so, which a plug-in may change. Kafka: DynamicBrokerConfig.dynamicConfigUpdateModes.
func Mode(key string) string {
	_, rate := throttleRates[key]
	switch {
	case rate:
		return "per-broker"
	case brokerRefusal(key, false) == "":
		bare, _ := unprefixed(key)
		if _, known := clusterConfigs[bare]; !known {
			return "not a config of Kafka"
		}
		return "cluster-wide"
	case brokerRefusal(key, true) == "":
		return "per-broker"
	}
	if bare, _ := unprefixed(key); prefixedConfigs[bare].parse != nil {
		return "per-broker, behind listener.name.LISTENER."
	}
	return "read-only"
}

// CheckExplainable says why a key of an entity type has nothing to explain.
func CheckExplainable(entityType, key string) error {
	known := map[string]definitions{zkdata.ConfigTypeTopics: topicConfigs, zkdata.ConfigTypeUsers: quotaConfigs,
		zkdata.ConfigTypeClients: quotaConfigs, zkdata.ConfigTypeIPs: ipConfigs}[entityType]
	if _, found := known[key]; known != nil && !found {
		return fmt.Errorf("%s have no config %q; there are %s", entityType, key, strings.Join(kafka.SortedKeys(known), ", "))
	}
	return nil
}

package dynconfig

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// texts are layers as kafka-configs prints them.
func texts(layers []Layer) (out []string) {
	for _, l := range layers {
		out = append(out, l.String())
	}
	return out
}

// 4.6 and 4.3: the priority of levels, synonyms within a level, and what a topic inherits.
func TestExplain(t *testing.T) {
	levels := Levels{Static: config{"log.retention.hours": "2"}, All: config{"log.retention.ms": "7", "log.cleaner.threads": "2", "leader.replication.throttled.rate": "5"},
		Own: config{"log.cleaner.threads": "3"}}
	require.Equal(t, []string{"DYNAMIC_BROKER_CONFIG:log.cleaner.threads=3", "DYNAMIC_DEFAULT_BROKER_CONFIG:log.cleaner.threads=2", "DEFAULT_CONFIG:log.cleaner.threads=1"},
		texts(ExplainBroker("log.cleaner.threads", levels)))
	require.Equal(t, []string{"DYNAMIC_DEFAULT_BROKER_CONFIG:log.retention.ms=7", "STATIC_BROKER_CONFIG:log.retention.hours=2", "DEFAULT_CONFIG:log.retention.hours=168"},
		texts(ExplainBroker("log.retention.minutes", levels)))
	require.Empty(t, ExplainBroker("leader.replication.throttled.rate", levels), "counts in the broker's own config only")
	require.Equal(t, []string{"DYNAMIC_TOPIC_CONFIG:retention.ms=1", "DYNAMIC_DEFAULT_BROKER_CONFIG:log.retention.ms=7", "STATIC_BROKER_CONFIG:log.retention.hours=2",
		"DEFAULT_CONFIG:log.retention.hours=168"}, texts(ExplainTopic("retention.ms", config{"retention.ms": "1"}, levels)))
	require.Empty(t, ExplainTopic(LeaderThrottledReplicas, nil, levels))
	// The first layer is what EffectiveBroker says.
	for key, value := range EffectiveBroker(levels.Static, levels.All, levels.Own) {
		if key != "leader.replication.throttled.rate" {
			require.Equal(t, value, ExplainBroker(key, levels)[0].Value, key)
		}
	}
	entities := map[string]config{"users/alice": {"producer_byte_rate": "3"}, "users/<default>/clients/app": {"producer_byte_rate": "4"}, "clients/app": {"producer_byte_rate": "7"}}
	require.Equal(t, []string{"users/alice:producer_byte_rate=3", "users/<default>/clients/app:producer_byte_rate=4", "clients/app:producer_byte_rate=7"},
		texts(ExplainQuota("producer_byte_rate", "alice", "app", func(entity string) map[string]string { return entities[entity] })))
	require.EqualError(t, CheckExplainable("ips", "x"), `ips have no config "x"; there are connection_creation_rate`)
}

func TestMode(t *testing.T) {
	for key, want := range map[string]string{"log.cleaner.threads": "cluster-wide", "listeners": "per-broker", "broker.id": "read-only", "log.retention.hours": "read-only",
		"leader.replication.throttled.rate": "per-broker", "ssl.keystore.type": "per-broker, behind listener.name.LISTENER.", "plugin.x": "not a config of Kafka"} {
		require.Equal(t, want, Mode(key), key)
	}
}

// TestShown hides what may be a password: what Kafka 2.8.2's KafkaConfig.maybeSensitive says of the same names.
func TestShown(t *testing.T) {
	for key, shown := range map[string]bool{"custom.plugin.key": false, "listener.name.sasl_ssl.plain.sasl.login.callback.handler.class": true,
		"listener.name.external.ssl.key.password": false, "listener.name.external.foo": false, "listener.name.external.message.max.bytes": true,
		"leader.replication.throttled.rate": true, "listener.name.x.plain.foo": false, "zookeeper.ssl.protocol": true, "password.encoder.secret": false} {
		for _, source := range []string{"DYNAMIC_BROKER_CONFIG", "DYNAMIC_DEFAULT_BROKER_CONFIG", "STATIC_BROKER_CONFIG"} {
			require.Equal(t, map[bool]string{true: "v", false: "[hidden]"}[shown], Layer{source, key, "v"}.Shown(), "%s %s", source, key)
		}
	}
	require.Equal(t, "v", Layer{"users/alice", "producer_byte_rate", "v"}.Shown(), "a quota is no broker config")
}

// TestEveryBrokerConfigIsKnown: Kafka 2.8.2's KafkaConfig.configNames has 233, each in one table here; DynamicConfig.Broker has
// three more.
func TestEveryBrokerConfigIsKnown(t *testing.T) {
	known := map[string]bool{}
	n := 0
	for _, d := range []definitions{throttleRates, clusterConfigs, perBrokerConfigs, prefixedConfigs, staticConfigs} {
		for key := range d {
			known[key] = true
			n++
		}
	}
	require.Equal(t, 236, len(known))
	require.Equal(t, 236, n)
	require.EqualError(t, CheckBroker(config{"sasl.server.callback.handler.class": "x"}, true), "Cannot update these configs dynamically: Set(sasl.server.callback.handler.class)")
}

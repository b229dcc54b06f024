package dynconfig

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"controllerscope/core/kafka"
	"controllerscope/core/zkdata"
)

type config = map[string]string

func TestCheckTopic(t *testing.T) {
	for _, c := range []struct {
		config  config
		want    string
		invalid bool // an InvalidConfigurationException
	}{
		{config{"retention.ms": "-1", "cleanup.policy": "compact,delete", "preallocate": "TRUE", "message.format.version": "2.8"}, "", false},
		{config{"x": "1"}, "Unknown topic config name: x", true},
		{config{"retention.ms": "-2"}, "Invalid value -2 for configuration retention.ms: Value must be at least -1", false},
		{config{"segment.bytes": "3000000000"}, "Invalid value 3000000000 for configuration segment.bytes: Not a number of type INT", false},
		{config{"cleanup.policy": "compact,lost"}, "Invalid value compact,lost for configuration cleanup.policy: String must be one of: compact, delete", false},
		{config{"min.cleanable.dirty.ratio": "1.5"}, "Invalid value 1.5 for configuration min.cleanable.dirty.ratio: Value must be between 0 and 1", false},
		{config{"unclean.leader.election.enable": "yes"}, "Invalid value yes for configuration unclean.leader.election.enable: Expected value to be either true or false", false},
		{config{"message.format.version": "9"}, "Invalid value 9 for configuration message.format.version: version `9` is not a valid version", false},
		{config{"min.compaction.lag.ms": "9", "max.compaction.lag.ms": "8"}, "conflict topic config setting min.compaction.lag.ms (9) > max.compaction.lag.ms (8)", true},
	} {
		err := CheckTopic(c.config)
		if c.want == "" {
			require.NoError(t, err)
			continue
		}
		require.EqualError(t, err, c.want)
		require.Equal(t, c.invalid, errors.As(err, new(InvalidConfiguration)))
	}
}

// kafka-znodes-and-config.md 4.3, the table of throttle values.
func TestThrottles(t *testing.T) {
	key := LeaderThrottledReplicas
	for value, ok := range map[string]bool{"*": true, "": true, "0:101,1:102": true, "0:101, 1:102": true, "0:1,,1:2": true, "0": false, "a:b": false, "0:-1": false} {
		require.Equal(t, ok, CheckTopic(config{key: value}) == nil, "%q", value)
	}
	of := func(value string, id kafka.BrokerID) (Throttle, bool) {
		throttle, marked, err := ThrottleOf(config{key: value}, key, id)
		require.NoError(t, err)
		return throttle, marked
	}
	throttle, marked := of("*", 5)
	require.True(t, marked && throttle.All)
	throttle, marked = of("0:101,1:102,2:101", 101)
	require.True(t, marked)
	require.Equal(t, []int32{0, 2}, throttle.Partitions)
	throttle, marked = of("0:101", 7)
	require.True(t, marked, "marked, with nothing of its own")
	require.Empty(t, throttle.Partitions)
	_, marked = of("", 101)
	require.False(t, marked)
	require.NoError(t, CheckThrottles(config{key: "0:101, 1:102"}, 101))
	require.EqualError(t, CheckThrottles(config{key: "0:101, 1:102"}, 102), `leader.replication.throttled.replicas: " 1" is not the number of a partition`)
	require.Error(t, CheckThrottles(config{key: "0:1,,1:2"}, 1))
	require.Error(t, CheckThrottles(config{key: "0:1,,1:2"}, 2), "on every broker")
}

func TestQuotaValues(t *testing.T) {
	for value, want := range map[float64]string{50: "50.0", 0.5: "0.5", 1e7: "1.0E7", 12345678.5: "1.23456785E7", 0.0001: "1.0E-4", -2: "-2.0", 0: "0.0"} {
		text, known, err := QuotaValue(zkdata.ConfigTypeClients, "request_percentage", value)
		require.NoError(t, err)
		require.True(t, known)
		require.Equal(t, want, text)
	}
	text, _, err := QuotaValue(zkdata.ConfigTypeUsers, "producer_byte_rate", 8.9999999)
	require.NoError(t, err)
	require.Equal(t, "9", text, "whole within 1e-6")
	_, _, err = QuotaValue(zkdata.ConfigTypeUsers, "producer_byte_rate", 8.5)
	require.EqualError(t, err, "Configuration producer_byte_rate must be a Long value")
	_, known, _ := QuotaValue(zkdata.ConfigTypeIPs, "producer_byte_rate", 1)
	require.False(t, known)
	require.EqualError(t, CheckQuotas(zkdata.ConfigTypeIPs, "127.0.0.1", config{ConnectionRate: "-1"}), "Invalid value -1 for configuration connection_creation_rate: Value must be at least 0")
	require.NoError(t, CheckQuotas(zkdata.ConfigTypeUsers, "alice", config{"SCRAM-SHA-256": "x"}))
	require.Error(t, CheckQuotas(zkdata.ConfigTypeUsers, zkdata.DefaultEntity, config{"SCRAM-SHA-256": "x"}))
	require.Error(t, CheckQuotas(zkdata.ConfigTypeUsers, "alice/clients/a", config{"SCRAM-SHA-256": "x"}))
	require.Error(t, CheckQuotas(zkdata.ConfigTypeIPs, "no.such.host", config{}))
}

// 4.4: the most specific entity with the quota wins.
func TestQuotaPrecedence(t *testing.T) {
	const key, d = "producer_byte_rate", zkdata.DefaultEntity
	order := []struct{ entityType, entity string }{{"users", "u/clients/c"}, {"users", "u/clients/" + d}, {"users", "u"},
		{"users", d + "/clients/c"}, {"users", d + "/clients/" + d}, {"users", d}, {"clients", "c"}, {"clients", d}}
	m := &Manager{applied: map[string]map[string]map[string]string{"users": {}, "clients": {}}}
	for i, x := range order {
		m.applied[x.entityType][x.entity] = config{key: string(rune('1' + i))}
	}
	for i, x := range order {
		value, entity, found := m.Quota("u", "c", key)
		require.True(t, found)
		require.Equal(t, float64(i+1), value)
		require.Equal(t, x.entityType+"/"+x.entity, entity)
		delete(m.applied[x.entityType], x.entity)
	}
	_, _, found := m.Quota("u", "c", key)
	require.False(t, found)
}

// 4.6: the throttle rates count in a broker's own config only.
func TestReplicationRate(t *testing.T) {
	const key = "leader.replication.throttled.rate"
	m := &Manager{id: 2, applied: map[string]map[string]map[string]string{"brokers": {zkdata.DefaultEntity: {key: "5"}}}}
	_, found := m.ReplicationRate(key)
	require.False(t, found)
	m.applied["brokers"]["2"] = config{key: "7"}
	rate, found := m.ReplicationRate(key)
	require.True(t, found)
	require.Equal(t, int64(7), rate)
}

// 4.6: levels, synonyms, and what is dropped where an alteration would be refused.
func TestBrokerLevels(t *testing.T) {
	static := config{"log.retention.hours": "2", "num.io.threads": "8", "broker.id": "1"}
	require.Equal(t, config{"log.retention.ms": "5", "num.io.threads": "6", "broker.id": "1"},
		EffectiveBroker(static, config{"log.retention.ms": "7", "num.io.threads": "6"}, config{"log.retention.ms": "5"}))
	require.Equal(t, config{"log.retention.hours": "2", "num.io.threads": "8", "broker.id": "1"}, static)
	usable, dropped := UsableBroker(config{"listeners": "x", "broker.id": "2", "message.max.bytes": "many", "plugin": "1", "num.io.threads": "9",
		"ssl.keystore.type": "JKS", "listener.name.ext.max.connections": "5"}, false, nil)
	require.Equal(t, config{"plugin": "1", "num.io.threads": "9", "listener.name.ext.max.connections": "5"}, usable)
	require.Equal(t, []string{"broker.id", "listeners", "message.max.bytes", "ssl.keystore.type"}, dropped)
	require.EqualError(t, CheckBroker(config{"broker.id": "2"}, true), "Cannot update these configs dynamically: Set(broker.id)")
	require.EqualError(t, CheckBroker(config{"ssl.keystore.type": "JKS"}, true),
		"These security configs can be dynamically updated only per-listener using the listener prefix: Set(ssl.keystore.type)")
	require.NoError(t, CheckBroker(config{"listener.name.ext.ssl.keystore.type": "JKS"}, true))
	require.Error(t, CheckBroker(config{"listener.name.ext.ssl.keystore.type": "JKS"}, false))
	require.Error(t, CheckBroker(config{"leader.replication.throttled.rate": "-1"}, true))
	require.EqualError(t, CheckThreads(config{}, config{"num.io.threads": "17"}),
		"Dynamic thread count update validation failed for num.io.threads=17, value should not be greater than double the current value 8")
	require.EqualError(t, CheckThreads(config{}, config{"num.io.threads": "3"}),
		"Dynamic thread count update validation failed for num.io.threads=3, value should be at least half the current value 8")
	require.NoError(t, CheckThreads(config{}, config{"num.io.threads": "16"}))
}

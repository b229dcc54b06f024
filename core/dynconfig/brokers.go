package dynconfig

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"controllerscope/core/kafka"
)

// throttleRates are the broker configs that live outside KafkaConfig; they count in a broker's own config only.
// Kafka: DynamicConfig.Broker.
var throttleRates = definitions{"leader.replication.throttled.rate": long(0), "follower.replication.throttled.rate": long(0),
	"replica.alter.log.dirs.io.max.bytes.per.second": long(0)}

// clusterConfigs can be set for all brokers and for one. Kafka: DynamicBrokerConfig.AllDynamicConfigs without PerBrokerConfigs.
var clusterConfigs = definitions{
	"log.cleaner.threads": integer(0), "log.cleaner.dedupe.buffer.size": long(anyInt), "log.cleaner.io.buffer.load.factor": double(-1e308, 1e308),
	"log.cleaner.io.buffer.size": integer(0), "log.cleaner.io.max.bytes.per.second": double(-1e308, 1e308), "log.cleaner.backoff.ms": long(0),
	"message.max.bytes": integer(0), "log.segment.bytes": integer(14), "log.roll.ms": long(anyInt), "log.roll.jitter.ms": long(anyInt),
	"log.index.size.max.bytes": integer(4), "log.flush.interval.messages": long(1), "log.flush.interval.ms": long(anyInt),
	"log.retention.bytes": long(anyInt), "log.retention.ms": long(anyInt), "log.index.interval.bytes": integer(0),
	"log.cleaner.delete.retention.ms": long(anyInt), "log.cleaner.min.compaction.lag.ms": long(anyInt), "log.cleaner.max.compaction.lag.ms": long(anyInt),
	"log.cleaner.min.cleanable.ratio": double(-1e308, 1e308), "log.segment.delete.delay.ms": long(0), "log.cleanup.policy": listOf("compact", "delete"),
	UncleanLeaderElection: boolean, "min.insync.replicas": integer(1),
	"compression.type": oneOf("uncompressed", "zstd", "lz4", "snappy", "gzip", "producer"), "log.preallocate": boolean,
	"log.message.timestamp.type": oneOf("CreateTime", "LogAppendTime"), "log.message.timestamp.difference.max.ms": long(0),
	"log.message.downconversion.enable": boolean, "num.io.threads": integer(1), "num.network.threads": integer(1),
	"num.replica.fetchers": integer(anyInt), "num.recovery.threads.per.data.dir": integer(1), "background.threads": integer(1),
	"metric.reporters": text, "max.connections.per.ip": integer(0), "max.connections.per.ip.overrides": text, "max.connections": integer(0),
	"max.connection.creation.rate": integer(0),
}

// Names of the listener configs. Kafka: DynamicListenerConfig.ReconfigurableConfigs.
const (
	Listeners           = "listeners"
	AdvertisedListeners = "advertised.listeners"
	ProtocolMap         = "listener.security.protocol.map"
)

// perBrokerConfigs can be set for one broker only. Kafka: DynamicBrokerConfig.PerBrokerConfigs.
var perBrokerConfigs = textsOf(Listeners, AdvertisedListeners, ProtocolMap, "principal.builder.class", "ssl.protocol", "ssl.provider",
	"ssl.cipher.suites", "ssl.enabled.protocols", "ssl.keymanager.algorithm", "ssl.trustmanager.algorithm",
	"ssl.endpoint.identification.algorithm", "ssl.secure.random.implementation", "ssl.client.auth", "ssl.engine.factory.class",
	"sasl.mechanism.inter.broker.protocol", "sasl.jaas.config", "sasl.enabled.mechanisms", "sasl.kerberos.service.name",
	"sasl.kerberos.kinit.cmd", "sasl.kerberos.ticket.renew.window.factor", "sasl.kerberos.ticket.renew.jitter",
	"sasl.kerberos.min.time.before.relogin", "sasl.kerberos.principal.to.local.rules", "sasl.login.refresh.window.factor",
	"sasl.login.refresh.window.jitter", "sasl.login.refresh.min.period.seconds", "sasl.login.refresh.buffer.seconds")

// prefixedConfigs can be set per listener only, behind listener.name.LISTENER. Kafka: DynamicSecurityConfigs.
var prefixedConfigs = textsOf("ssl.keystore.type", "ssl.keystore.location", "ssl.keystore.password", "ssl.keystore.certificate.chain",
	"ssl.keystore.key", "ssl.key.password", "ssl.truststore.type", "ssl.truststore.location", "ssl.truststore.password",
	"ssl.truststore.certificates")

// staticConfigs are known and cannot change while a broker runs. Kafka: KafkaConfig.configNames without the dynamic ones.
var staticConfigs = textsOf(strings.Fields(`advertised.host.name advertised.port alter.config.policy.class.name
alter.log.dirs.replication.quota.window.num alter.log.dirs.replication.quota.window.size.seconds authorizer.class.name
auto.create.topics.enable auto.leader.rebalance.enable broker.heartbeat.interval.ms broker.id broker.id.generation.enable broker.rack
broker.session.timeout.ms client.quota.callback.class connection.failed.authentication.delay.ms connections.max.idle.ms
connections.max.reauth.ms control.plane.listener.name controlled.shutdown.enable controlled.shutdown.max.retries
controlled.shutdown.retry.backoff.ms controller.listener.names controller.quorum.append.linger.ms
controller.quorum.election.backoff.max.ms controller.quorum.election.timeout.ms controller.quorum.fetch.timeout.ms
controller.quorum.request.timeout.ms controller.quorum.retry.backoff.ms controller.quorum.voters controller.quota.window.num
controller.quota.window.size.seconds controller.socket.timeout.ms create.topic.policy.class.name default.replication.factor
delegation.token.expiry.check.interval.ms delegation.token.expiry.time.ms delegation.token.master.key delegation.token.max.lifetime.ms
delegation.token.secret.key delete.records.purgatory.purge.interval.requests delete.topic.enable fetch.max.bytes
fetch.purgatory.purge.interval.requests group.initial.rebalance.delay.ms group.max.session.timeout.ms group.max.size
group.min.session.timeout.ms host.name initial.broker.registration.timeout.ms inter.broker.listener.name inter.broker.protocol.version
kafka.metrics.polling.interval.secs kafka.metrics.reporters leader.imbalance.check.interval.seconds leader.imbalance.per.broker.percentage
log.cleaner.enable log.dir log.dirs log.flush.offset.checkpoint.interval.ms log.flush.scheduler.interval.ms
log.flush.start.offset.checkpoint.interval.ms log.message.format.version log.retention.check.interval.ms log.retention.hours
log.retention.minutes log.roll.hours log.roll.jitter.hours max.incremental.fetch.session.cache.slots metadata.log.dir metrics.num.samples
metrics.recording.level metrics.sample.window.ms node.id num.partitions num.replica.alter.log.dirs.threads
offset.metadata.max.bytes offsets.commit.required.acks offsets.commit.timeout.ms offsets.load.buffer.size
offsets.retention.check.interval.ms offsets.retention.minutes offsets.topic.compression.codec offsets.topic.num.partitions
offsets.topic.replication.factor offsets.topic.segment.bytes password.encoder.cipher.algorithm password.encoder.iterations
password.encoder.key.length password.encoder.keyfactory.algorithm password.encoder.old.secret password.encoder.secret port process.roles
producer.purgatory.purge.interval.requests queued.max.request.bytes queued.max.requests quota.consumer.default quota.producer.default
quota.window.num quota.window.size.seconds replica.fetch.backoff.ms replica.fetch.max.bytes replica.fetch.min.bytes
replica.fetch.response.max.bytes replica.fetch.wait.max.ms replica.high.watermark.checkpoint.interval.ms replica.lag.time.max.ms
replica.selector.class replica.socket.receive.buffer.bytes replica.socket.timeout.ms replication.quota.window.num
replication.quota.window.size.seconds request.timeout.ms reserved.broker.max.id sasl.client.callback.handler.class
sasl.login.callback.handler.class sasl.login.class sasl.mechanism.controller.protocol sasl.server.callback.handler.class
sasl.server.max.receive.size security.inter.broker.protocol security.providers socket.connection.setup.timeout.max.ms
socket.connection.setup.timeout.ms socket.receive.buffer.bytes socket.request.max.bytes socket.send.buffer.bytes
ssl.principal.mapping.rules transaction.abort.timed.out.transaction.cleanup.interval.ms transaction.max.timeout.ms
transaction.remove.expired.transaction.cleanup.interval.ms transaction.state.log.load.buffer.size transaction.state.log.min.isr
transaction.state.log.num.partitions transaction.state.log.replication.factor transaction.state.log.segment.bytes
transactional.id.expiration.ms zookeeper.clientCnxnSocket zookeeper.connect zookeeper.connection.timeout.ms
zookeeper.max.in.flight.requests zookeeper.session.timeout.ms zookeeper.set.acl zookeeper.ssl.cipher.suites zookeeper.ssl.client.enable
zookeeper.ssl.crl.enable zookeeper.ssl.enabled.protocols zookeeper.ssl.endpoint.identification.algorithm zookeeper.ssl.keystore.location
zookeeper.ssl.keystore.password zookeeper.ssl.keystore.type zookeeper.ssl.ocsp.enable zookeeper.ssl.protocol
zookeeper.ssl.truststore.location zookeeper.ssl.truststore.password zookeeper.ssl.truststore.type zookeeper.sync.time.ms`)...)

func textsOf(keys ...string) definitions {
	d := definitions{}
	for _, key := range keys {
		d[key] = text
	}
	return d
}

// synonyms are the other names of one setting: overlaying one removes the rest. Kafka: DynamicBrokerConfig.brokerConfigSynonyms.
var synonyms = [][]string{{"log.roll.ms", "log.roll.hours"}, {"log.roll.jitter.ms", "log.roll.jitter.hours"},
	{"log.retention.ms", "log.retention.minutes", "log.retention.hours"}, {"log.flush.interval.ms", "log.flush.scheduler.interval.ms"}}

// unprefixed takes listener.name.LISTENER. off a key.
func unprefixed(key string) (bare string, prefixed bool) {
	rest, found := strings.CutPrefix(key, "listener.name.")
	_, bare, dotted := strings.Cut(rest, ".")
	if !found || !dotted {
		return key, false
	}
	return bare, true
}

// brokerRefusal says why a key cannot be set at this level, "" if it can. An unknown key can: a plug-in may know it.
func brokerRefusal(key string, perBroker bool) string {
	bare, prefixed := unprefixed(key)
	_, static := staticConfigs[key]
	_, store := prefixedConfigs[bare]
	_, own := perBrokerConfigs[key]
	limit := bare == "max.connections" || bare == "max.connection.creation.rate"
	switch {
	case static:
		return "Cannot update these configs dynamically"
	case store && !prefixed:
		return "These security configs can be dynamically updated only per-listener using the listener prefix"
	case !perBroker && (own || prefixed && !limit):
		return "Cannot update these configs at default cluster level, broker id must be specified"
	}
	return ""
}

// CheckBrokerValue holds the value of one broker config to its definition, with Kafka's words; unknown keys take everything.
// Kafka: ConfigDef.parseValue.
func CheckBrokerValue(key, value string) error {
	bare, _ := unprefixed(key)
	for _, defined := range []definitions{throttleRates, clusterConfigs} {
		if def, found := defined[bare]; found {
			return def.parse(key, value)
		}
	}
	return nil
}

// CheckBroker says what is wrong with the whole dynamic config of one broker, or of all. Kafka: DynamicBrokerConfig.validate.
func CheckBroker(config map[string]string, perBroker bool) error {
	for _, key := range kafka.SortedKeys(config) {
		if why := brokerRefusal(key, perBroker); why != "" {
			return fmt.Errorf("%s: Set(%s)", why, key)
		}
	}
	for _, key := range kafka.SortedKeys(config) {
		if err := CheckBrokerValue(key, config[key]); err != nil {
			return err
		}
	}
	return nil
}

// UsableBroker is the part of a stored config that a broker takes over, passwords decoded: what CheckBroker would refuse,
// and passwords that cannot be decoded, are left out and named. Kafka: DynamicBrokerConfig.fromPersistentProps.
func UsableBroker(config map[string]string, perBroker bool, passwords *PasswordEncoder) (usable map[string]string, dropped []string) {
	usable = map[string]string{}
	for _, key := range kafka.SortedKeys(config) {
		value, err := config[key], CheckBrokerValue(key, config[key])
		if IsPassword(key) {
			value, err = passwords.Decode(value)
		}
		if brokerRefusal(key, perBroker) != "" || err != nil {
			dropped = append(dropped, key)
			continue
		}
		usable[key] = value
	}
	return usable, dropped
}

// EffectiveBroker lays the dynamic levels over server.properties: that of all brokers, then the broker's own.
// Kafka: DynamicBrokerConfig.updateCurrentConfig, overrideProps.
func EffectiveBroker(static, all, own map[string]string) map[string]string {
	out := maps.Clone(static)
	if out == nil {
		out = map[string]string{}
	}
	for _, level := range []map[string]string{all, own} {
		for _, key := range kafka.SortedKeys(level) {
			for _, group := range synonyms {
				if slices.Contains(group, key) {
					for _, other := range group {
						delete(out, other)
					}
				}
			}
			out[key] = level[key]
		}
	}
	return out
}

// CheckThreads refuses a change of a thread pool by more than a factor of two. Kafka: DynamicThreadPool.validateReconfiguration.
func CheckThreads(now, then map[string]string) error {
	defaults := map[string]int64{"num.io.threads": 8, "num.network.threads": 3, "num.replica.fetchers": 1,
		"num.recovery.threads.per.data.dir": 1, "background.threads": 10}
	for _, key := range kafka.SortedKeys(defaults) {
		old, next := number(now, key, defaults[key]), number(then, key, defaults[key])
		why := ""
		switch {
		case next == old:
		case next <= 0:
			why = "value should be at least 1"
		case next < old/2:
			why = fmt.Sprintf("value should be at least half the current value %d", old)
		case next > old*2:
			why = fmt.Sprintf("value should not be greater than double the current value %d", old)
		}
		if why != "" {
			return fmt.Errorf("Dynamic thread count update validation failed for %s=%d, %s", key, next, why)
		}
	}
	return nil
}

func number(config map[string]string, key string, otherwise int64) int64 {
	if n, err := strconv.ParseInt(strings.TrimSpace(config[key]), 10, 64); err == nil {
		return n
	}
	return otherwise
}

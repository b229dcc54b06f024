package broker

import (
	"slices"

	"controllerscope/core/env"
	"controllerscope/core/kafka"
	"controllerscope/core/request"
)

// metadataCache is what the broker was told of the cluster. Kafka: kafka.server.MetadataCache.
type metadataCache struct {
	controller kafka.BrokerID
	brokers    []kafka.Broker // alive, ascending by id
	topics     map[string]map[int32]request.UpdateMetadataPartition
}

// HandleUpdateMetadata replaces the live brokers and merges the partitions. Kafka: KafkaApis.handleUpdateMetadataRequest.
func (b *Broker) HandleUpdateMetadata(r request.UpdateMetadata) request.ControlResponse {
	answer := request.ControlResponse{Of: r.Kind()}
	switch {
	case b.stale(r):
		answer.Error = kafka.STALE_BROKER_EPOCH
	case b.fencedByController(r):
		answer.Error = kafka.STALE_CONTROLLER_EPOCH
	default:
		b.updateCache(r)
	}
	return answer
}

// updateCache takes the request as it is: no leader epoch is compared, the last write wins. Kafka: MetadataCache.updateMetadata.
func (b *Broker) updateCache(r request.UpdateMetadata) {
	m := &b.meta
	m.controller = r.ControllerID
	b.set(env.Int(m.controller), "broker", b.id, "meta", "controller")
	before := m.brokers
	m.brokers = slices.Clone(r.LiveBrokers)
	kafka.Sort(m.brokers, func(x, y kafka.Broker) int { return int(x.ID) - int(y.ID) })
	if b.on() && (before == nil || !slices.EqualFunc(before, m.brokers, sameEndpoints)) {
		b.set(brokersValue(m.brokers), "broker", b.id, "meta", "brokers")
	}
	for _, p := range r.Partitions {
		b.mergePartition(p)
	}
	if b.on() {
		ids := make([]kafka.BrokerID, len(m.brokers))
		for i, x := range m.brokers {
			ids[i] = x.ID
		}
		b.note(env.BrokerState, "broker "+b.id, "broker.metadata", env.A("controller", env.Int(m.controller)),
			env.A("brokers", env.Ints(ids)), env.A("partitions", env.Int(len(r.Partitions))))
	}
	b.proposals.metadataChanged(b)
}

func (b *Broker) mergePartition(p request.UpdateMetadataPartition) {
	topic := b.meta.topics[p.Topic]
	if p.Leader == kafka.LeaderDuringDelete {
		if _, known := topic[p.Partition]; known {
			delete(topic, p.Partition)
			b.unset("broker", b.id, "meta", "partition", p.TopicPartition.String())
		}
		if len(topic) == 0 {
			delete(b.meta.topics, p.Topic)
		}
		return
	}
	if topic == nil {
		topic = map[int32]request.UpdateMetadataPartition{}
		b.meta.topics[p.Topic] = topic
	}
	was, known := topic[p.Partition]
	topic[p.Partition] = p
	if b.on() && !(known && sameValue(was, p)) {
		b.set(partitionValue(p), "broker", b.id, "meta", "partition", p.TopicPartition.String())
	}
}

// alive finds a live broker of the cache.
func (m *metadataCache) alive(id kafka.BrokerID) (kafka.Broker, bool) {
	i, ok := slices.BinarySearchFunc(m.brokers, id, func(b kafka.Broker, id kafka.BrokerID) int { return int(b.ID) - int(id) })
	if !ok {
		return kafka.Broker{}, false
	}
	return m.brokers[i], true
}

// ActiveController is the controller that the cache names, kafka.NoBroker before the first UpdateMetadata.
func (b *Broker) ActiveController() kafka.BrokerID { return b.meta.controller }

// AliveBrokers lists the live brokers of the cache, ascending by id. Kafka: MetadataCache.getAliveBrokers.
func (b *Broker) AliveBrokers() []kafka.Broker { return b.meta.brokers }

// HasTopic reports whether the cache knows the topic. Kafka: MetadataCache.contains.
func (b *Broker) HasTopic(topic string) bool { return b.meta.topics[topic] != nil }

// CachedPartitions lists the partitions of the cache, in order. Kafka: MetadataCache.getAllPartitions.
func (b *Broker) CachedPartitions() []kafka.TopicPartition {
	all := []kafka.TopicPartition{}
	for topic, partitions := range b.meta.topics {
		for p := range partitions {
			all = append(all, kafka.TopicPartition{Topic: topic, Partition: p})
		}
	}
	kafka.Sort(all, kafka.ComparePartitions)
	return all
}

// CachedTopic lists what the cache knows of a topic's partitions, by number. Kafka: MetadataCache.getTopicMetadata.
func (b *Broker) CachedTopic(topic string) []request.UpdateMetadataPartition {
	var out []request.UpdateMetadataPartition
	for _, p := range kafka.SortedKeys(b.meta.topics[topic]) {
		out = append(out, b.meta.topics[topic][p])
	}
	return out
}

// CachedPartition is the state of a partition in the cache. Kafka: MetadataCache.getPartitionInfo.
func (b *Broker) CachedPartition(tp kafka.TopicPartition) (request.UpdateMetadataPartition, bool) {
	p, ok := b.meta.topics[tp.Topic][tp.Partition]
	return p, ok
}

func (m *metadataCache) dump(id string, d env.Dump) {
	if m.controller == kafka.NoBroker && m.brokers == nil {
		return
	}
	d.Set(env.Int(m.controller), "broker", id, "meta", "controller")
	d.Set(brokersValue(m.brokers), "broker", id, "meta", "brokers")
	for _, topic := range m.topics {
		for _, p := range topic {
			d.Set(partitionValue(p), "broker", id, "meta", "partition", p.TopicPartition.String())
		}
	}
}

// brokersValue is the record of live brokers: id to the list of endpoints.
func brokersValue(brokers []kafka.Broker) env.Record {
	record := make(env.Record, 0, len(brokers))
	for _, b := range brokers {
		addresses := make([]any, len(b.Endpoints))
		for i, e := range b.Endpoints {
			addresses[i] = e.String()
		}
		record = append(record, env.A(b.ID.String(), addresses))
	}
	return record.Sorted()
}

// sameEndpoints reports whether brokersValue says the same of both.
func sameEndpoints(a, b kafka.Broker) bool {
	return a.ID == b.ID && slices.Equal(a.Endpoints, b.Endpoints)
}

// sameValue reports whether partitionValue says the same of both.
func sameValue(a, b request.UpdateMetadataPartition) bool {
	return a.Leader == b.Leader && a.LeaderEpoch == b.LeaderEpoch && slices.Equal(a.ISR, b.ISR) && a.ZkVersion == b.ZkVersion &&
		a.ControllerEpoch == b.ControllerEpoch && slices.Equal(a.Replicas, b.Replicas) && slices.Equal(a.Offline, b.Offline)
}

func partitionValue(p request.UpdateMetadataPartition) env.Record {
	return env.R(env.A("controllerEpoch", env.Int(p.ControllerEpoch)), env.A("isr", env.Ints(p.ISR)),
		env.A("leader", env.Int(p.Leader)), env.A("leaderEpoch", env.Int(p.LeaderEpoch)),
		env.A("offline", env.Ints(p.Offline)), env.A("replicas", env.Ints(p.Replicas)),
		env.A("zkVersion", env.Int(p.ZkVersion)))
}

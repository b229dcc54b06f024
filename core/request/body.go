package request

import (
	"controllerscope/core/env"
	"controllerscope/core/kafka"
)

// Body is a request as a document value: the fields under Kafka's names, broker epochs tagged, partitions in wire order. The
// epochs of a control request stand beside the body (Leaves).
func Body(r Request) env.Record {
	switch r := r.(type) {
	case LeaderAndIsr:
		return r.body(LeaderAndIsrPartition.record)
	case UpdateMetadata:
		return env.R(env.A("controllerId", env.Int(r.ControllerID)), env.A("liveBrokers", ids(r.LiveBrokers)),
			env.A("partitions", list(r.Partitions, func(p UpdateMetadataPartition) env.Record {
				return env.R(env.A("controllerEpoch", env.Int(p.ControllerEpoch)), env.A("isr", env.Ints(p.ISR)),
					env.A("leader", env.Int(p.Leader)), env.A("leaderEpoch", env.Int(p.LeaderEpoch)),
					env.A("offline", env.Ints(p.Offline)), env.A("partition", p.TopicPartition.String()),
					env.A("replicas", env.Ints(p.Replicas)), env.A("topicId", p.TopicID.String()), env.A("zkVersion", env.Int(p.ZkVersion)))
			})))
	case StopReplica:
		return env.R(env.A("controllerId", env.Int(r.ControllerID)),
			env.A("partitions", list(r.Partitions, func(p StopReplicaPartition) env.Record {
				return env.R(env.A("delete", p.Delete), env.A("leaderEpoch", env.Int(p.LeaderEpoch)),
					env.A("partition", p.TopicPartition.String()))
			})))
	case AlterIsr:
		return env.R(env.A("broker", env.Int(r.BrokerID)), env.A("brokerEpoch", env.Zxid(r.BrokerEpoch)),
			env.A("partitions", list(r.Partitions, func(p AlterIsrPartition) env.Record {
				return env.R(env.A("isr", env.Ints(p.ISR)), env.A("leaderEpoch", env.Int(p.LeaderEpoch)),
					env.A("partition", p.TopicPartition.String()), env.A("zkVersion", env.Int(p.ZkVersion)))
			})))
	case ControlledShutdown:
		return env.R(env.A("broker", env.Int(r.BrokerID)), env.A("brokerEpoch", env.Zxid(r.BrokerEpoch)))
	case Fetch:
		return env.R(env.A("broker", env.Int(r.ReplicaID)), env.A("full", r.Full),
			env.A("partitions", list(r.Partitions, func(p FetchPartition) env.Record {
				return env.R(env.A("leaderEpoch", env.Int(p.LeaderEpoch)), env.A("offset", p.Offset),
					env.A("partition", p.TopicPartition.String()))
			})))
	case CreateTopics:
		return env.R(env.A("topics", list(r.Topics, func(t NewTopic) env.Record { return env.R(env.A("name", t.Name)) })))
	case DeleteTopics:
		return env.R(env.A("topics", env.Strings(r.Topics)))
	case CreatePartitions:
		return env.R(env.A("topics", list(r.Topics, func(t NewPartitions) env.Record {
			return env.R(env.A("count", env.Int(t.Count)), env.A("name", t.Name))
		})))
	}
	return adminBody(r)
}

// adminBody is Body for the requests of tools about partitions and configs.
func adminBody(r Request) env.Record {
	switch r := r.(type) {
	case ElectLeaders:
		return env.R(env.A("all", r.Partitions == nil), env.A("partitions", names(r.Partitions)),
			env.A("unclean", r.Unclean))
	case AlterPartitionReassignments:
		return env.R(env.A("partitions", list(r.Partitions, func(p PartitionReassignment) env.Record {
			return env.R(env.A("cancel", p.Replicas == nil), env.A("partition", p.String()),
				env.A("replicas", env.Ints(p.Replicas)))
		})))
	case ListPartitionReassignments:
		return env.R(env.A("all", r.Partitions == nil), env.A("partitions", names(r.Partitions)))
	case Metadata:
		return env.R(env.A("topics", env.Strings(r.Topics)))
	case Produce:
		return env.R(env.A("partition", r.String()), env.A("records", r.Records))
	case IncrementalAlterConfigs:
		return env.R(env.A("resources", list(r.Resources, func(x AlterConfigs) env.Record {
			return env.R(env.A("keys", words(x.Ops, func(o ConfigOp) string { return o.Key })), env.A("name", x.Name),
				env.A("type", x.Type))
		})))
	case AlterClientQuotas:
		return env.R(env.A("entries", list(r.Entries, func(x AlterQuotas) env.Record {
			return env.R(env.A("entity", words(x.Entity, func(e QuotaEntity) string { return e.Type + "=" + e.Name })),
				env.A("keys", words(x.Ops, func(o QuotaOp) string { return o.Key })))
		})))
	}
	return env.Record{}
}

// Leaves are what the document says of a request under lane/FROM>TO/ID; the body stands there once, only the state moves.
func Leaves(r Request, state, lane, id string) []env.Change {
	var out env.Changes
	leaves(&out, r, Body(r), state, lane, id)
	return out.List
}

// body is Body, with a record for each partition.
func (r LeaderAndIsr) body(record func(LeaderAndIsrPartition) env.Record) env.Record {
	return env.R(env.A("controllerId", env.Int(r.ControllerID)), env.A("liveLeaders", ids(r.LiveLeaders)),
		env.A("partitions", list(r.Partitions, record)))
}

func (p LeaderAndIsrPartition) record() env.Record {
	return env.R(env.A("adding", env.Ints(p.Assignment.Adding)), env.A("controllerEpoch", env.Int(p.ControllerEpoch)),
		env.A("isNew", p.IsNew), env.A("isr", env.Ints(p.ISR)), env.A("leader", env.Int(p.Leader)),
		env.A("leaderEpoch", env.Int(p.LeaderEpoch)), env.A("partition", p.TopicPartition.String()),
		env.A("removing", env.Ints(p.Assignment.Removing)), env.A("replicas", env.Ints(p.Assignment.Replicas)),
		env.A("topicId", p.TopicID.String()), env.A("zkVersion", env.Int(p.ZkVersion)))
}

// Bodies makes the leaves of requests that one sender queues. It remembers the last UpdateMetadata, since the same
// partitions mostly go to all brokers, and what a LeaderAndIsr said of each partition last, since all its replicas are told
// the same: that is then one value.
type Bodies struct {
	last   UpdateMetadata
	body   env.Record
	orders map[kafka.TopicPartition]order
}

// order is what a LeaderAndIsr says of a partition, and its record.
type order struct {
	said   LeaderAndIsrPartition
	record env.Record
}

func (b *Bodies) order(p LeaderAndIsrPartition) env.Record {
	o, known := b.orders[p.TopicPartition]
	if !known || o.said.TopicID != p.TopicID || o.said.ControllerEpoch != p.ControllerEpoch || o.said.IsNew != p.IsNew ||
		!o.said.LeaderAndIsr.Equal(p.LeaderAndIsr) || !o.said.Assignment.Equal(p.Assignment) {
		if b.orders == nil {
			b.orders = map[kafka.TopicPartition]order{}
		}
		o = order{p, p.record()}
		b.orders[p.TopicPartition] = o
	}
	return o.record
}

// Leaves adds those of the function Leaves to out.
func (b *Bodies) Leaves(out *env.Changes, r Request, state, lane, id string) {
	switch r := r.(type) {
	case LeaderAndIsr:
		leaves(out, r, r.body(b.order), state, lane, id)
	case UpdateMetadata:
		if b.body == nil || r.ControllerID != b.last.ControllerID || !one(r.Partitions, b.last.Partitions) || !one(r.LiveBrokers, b.last.LiveBrokers) {
			b.last, b.body = r, Body(r)
		}
		leaves(out, r, b.body, state, lane, id)
	default:
		leaves(out, r, Body(r), state, lane, id)
	}
}

// one reports whether two lists are the same one.
func one[T any](a, b []T) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}

func leaves(out *env.Changes, r Request, body env.Record, state, lane, id string) {
	out.Set(r.Kind(), "lane", lane, id, "kind")
	out.Set(state, "lane", lane, id, "state")
	if c, ok := r.(ControlRequest); ok {
		h := c.Header()
		out.Set(env.Int(h.ControllerEpoch), "lane", lane, id, "controllerEpoch")
		out.Set(env.Zxid(h.BrokerEpoch), "lane", lane, id, "brokerEpoch")
	}
	out.Set(body, "lane", lane, id, "body")
}

func ids(brokers []kafka.Broker) []any {
	out := make([]any, len(brokers))
	for i, b := range brokers {
		out[i] = env.Int(b.ID)
	}
	return out
}

func names(tps []kafka.TopicPartition) []any { return words(tps, kafka.TopicPartition.String) }

func words[T any](items []T, f func(T) string) []any {
	out := make([]any, len(items))
	for i, x := range items {
		out[i] = f(x)
	}
	return out
}

func list[T any](items []T, f func(T) env.Record) []any {
	out := make([]any, len(items))
	for i, x := range items {
		out[i] = f(x)
	}
	return out
}

package request

import (
	"controllerscope/core/env"
	"controllerscope/core/kafka"
)

// Body is a request as a document value: the fields under Kafka's names, broker epochs tagged, partitions in wire order. The
// epochs of a control request stand beside the body (Leaves).
func Body(r Request) map[string]any {
	switch r := r.(type) {
	case LeaderAndIsr:
		b := map[string]any{"controllerId": env.Int(r.ControllerID)}
		b["liveLeaders"] = ids(r.LiveLeaders)
		b["partitions"] = list(r.Partitions, func(p LeaderAndIsrPartition) map[string]any {
			m := leadership(p.TopicPartition, p.ControllerEpoch, p.LeaderAndIsr)
			m["replicas"], m["adding"], m["removing"] = env.Ints(p.Assignment.Replicas), env.Ints(p.Assignment.Adding), env.Ints(p.Assignment.Removing)
			m["isNew"], m["topicId"] = p.IsNew, p.TopicID.String()
			return m
		})
		return b
	case UpdateMetadata:
		b := map[string]any{"controllerId": env.Int(r.ControllerID)}
		b["liveBrokers"] = ids(r.LiveBrokers)
		b["partitions"] = list(r.Partitions, func(p UpdateMetadataPartition) map[string]any {
			m := leadership(p.TopicPartition, p.ControllerEpoch, p.LeaderAndIsr)
			m["replicas"], m["offline"], m["topicId"] = env.Ints(p.Replicas), env.Ints(p.Offline), p.TopicID.String()
			return m
		})
		return b
	case StopReplica:
		b := map[string]any{"controllerId": env.Int(r.ControllerID)}
		b["partitions"] = list(r.Partitions, func(p StopReplicaPartition) map[string]any {
			return map[string]any{"partition": p.TopicPartition.String(), "leaderEpoch": env.Int(p.LeaderEpoch), "delete": p.Delete}
		})
		return b
	case AlterIsr:
		return map[string]any{"broker": env.Int(r.BrokerID), "brokerEpoch": env.Zxid(r.BrokerEpoch),
			"partitions": list(r.Partitions, func(p AlterIsrPartition) map[string]any {
				return map[string]any{"partition": p.TopicPartition.String(), "leaderEpoch": env.Int(p.LeaderEpoch),
					"isr": env.Ints(p.ISR), "zkVersion": env.Int(p.ZkVersion)}
			})}
	case ControlledShutdown:
		return map[string]any{"broker": env.Int(r.BrokerID), "brokerEpoch": env.Zxid(r.BrokerEpoch)}
	case Fetch:
		return map[string]any{"broker": env.Int(r.ReplicaID), "full": r.Full,
			"partitions": list(r.Partitions, func(p FetchPartition) map[string]any {
				return map[string]any{"partition": p.TopicPartition.String(), "leaderEpoch": env.Int(p.LeaderEpoch), "offset": p.Offset}
			})}
	case CreateTopics:
		return map[string]any{"topics": list(r.Topics, func(t NewTopic) map[string]any { return map[string]any{"name": t.Name} })}
	case DeleteTopics:
		return map[string]any{"topics": env.Strings(r.Topics)}
	case CreatePartitions:
		return map[string]any{"topics": list(r.Topics, func(t NewPartitions) map[string]any {
			return map[string]any{"name": t.Name, "count": env.Int(t.Count)}
		})}
	}
	return adminBody(r)
}

// adminBody is Body for the requests of tools about partitions and configs.
func adminBody(r Request) map[string]any {
	switch r := r.(type) {
	case ElectLeaders:
		return map[string]any{"unclean": r.Unclean, "all": r.Partitions == nil, "partitions": names(r.Partitions)}
	case AlterPartitionReassignments:
		return map[string]any{"partitions": list(r.Partitions, func(p PartitionReassignment) map[string]any {
			return map[string]any{"partition": p.String(), "replicas": env.Ints(p.Replicas), "cancel": p.Replicas == nil}
		})}
	case ListPartitionReassignments:
		return map[string]any{"all": r.Partitions == nil, "partitions": names(r.Partitions)}
	case Metadata:
		return map[string]any{"topics": env.Strings(r.Topics)}
	case Produce:
		return map[string]any{"partition": r.String(), "records": r.Records}
	case IncrementalAlterConfigs:
		return map[string]any{"resources": list(r.Resources, func(x AlterConfigs) map[string]any {
			return map[string]any{"type": x.Type, "name": x.Name, "keys": words(x.Ops, func(o ConfigOp) string { return o.Key })}
		})}
	case AlterClientQuotas:
		return map[string]any{"entries": list(r.Entries, func(x AlterQuotas) map[string]any {
			return map[string]any{"entity": words(x.Entity, func(e QuotaEntity) string { return e.Type + "=" + e.Name }),
				"keys": words(x.Ops, func(o QuotaOp) string { return o.Key })}
		})}
	}
	return map[string]any{}
}

// Leaves are what the document says of a request under lane/FROM>TO/ID; the body stands there once, only the state moves.
func Leaves(r Request, state, lane, id string) []env.Change {
	var out env.Changes
	leaves(&out, r, Body(r), state, lane, id)
	return out.List
}

// Bodies makes the leaves of requests that one sender queues. It remembers the last UpdateMetadata: the same partitions
// mostly go to all brokers, and their body is then one value.
type Bodies struct {
	last UpdateMetadata
	body map[string]any
}

// Leaves adds those of the function Leaves to out.
func (b *Bodies) Leaves(out *env.Changes, r Request, state, lane, id string) {
	u, ok := r.(UpdateMetadata)
	if !ok {
		leaves(out, r, Body(r), state, lane, id)
		return
	}
	if b.body == nil || u.ControllerID != b.last.ControllerID || !one(u.Partitions, b.last.Partitions) || !one(u.LiveBrokers, b.last.LiveBrokers) {
		b.last, b.body = u, Body(u)
	}
	leaves(out, r, b.body, state, lane, id)
}

// one reports whether two lists are the same one.
func one[T any](a, b []T) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}

func leaves(out *env.Changes, r Request, body map[string]any, state, lane, id string) {
	out.Set(r.Kind(), "lane", lane, id, "kind")
	out.Set(state, "lane", lane, id, "state")
	if c, ok := r.(ControlRequest); ok {
		h := c.Header()
		out.Set(env.Int(h.ControllerEpoch), "lane", lane, id, "controllerEpoch")
		out.Set(env.Zxid(h.BrokerEpoch), "lane", lane, id, "brokerEpoch")
	}
	out.Set(body, "lane", lane, id, "body")
}

// leadership begins the record of a partition, with room for what else its request says.
func leadership(p kafka.TopicPartition, controllerEpoch int32, l kafka.LeaderAndIsr) map[string]any {
	m := make(map[string]any, 11)
	m["partition"], m["controllerEpoch"], m["leader"] = p.String(), env.Int(controllerEpoch), env.Int(l.Leader)
	m["leaderEpoch"], m["isr"], m["zkVersion"] = env.Int(l.LeaderEpoch), env.Ints(l.ISR), env.Int(l.ZkVersion)
	return m
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

func list[T any](items []T, f func(T) map[string]any) []any {
	out := make([]any, len(items))
	for i, x := range items {
		out[i] = f(x)
	}
	return out
}

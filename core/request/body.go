package request

import (
	"controllerscope/core/env"
	"controllerscope/core/kafka"
)

// Body is a request as a document value: the fields under Kafka's names, broker epochs tagged, partitions in wire order.
func Body(r Request) map[string]any {
	switch r := r.(type) {
	case LeaderAndIsr:
		b := header(r.Control)
		b["liveLeaders"] = ids(r.LiveLeaders)
		b["partitions"] = list(r.Partitions, func(p LeaderAndIsrPartition) map[string]any {
			m := leadership(p.TopicPartition, p.ControllerEpoch, p.LeaderAndIsr)
			m["replicas"], m["adding"], m["removing"] = env.Ints(p.Assignment.Replicas), env.Ints(p.Assignment.Adding), env.Ints(p.Assignment.Removing)
			m["isNew"], m["topicId"] = p.IsNew, p.TopicID.String()
			return m
		})
		return b
	case UpdateMetadata:
		b := header(r.Control)
		b["liveBrokers"] = ids(r.LiveBrokers)
		b["partitions"] = list(r.Partitions, func(p UpdateMetadataPartition) map[string]any {
			m := leadership(p.TopicPartition, p.ControllerEpoch, p.LeaderAndIsr)
			m["replicas"], m["offline"], m["topicId"] = env.Ints(p.Replicas), env.Ints(p.Offline), p.TopicID.String()
			return m
		})
		return b
	case StopReplica:
		b := header(r.Control)
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
	return map[string]any{}
}

func header(c Control) map[string]any {
	return map[string]any{"controllerId": env.Int(c.ControllerID), "controllerEpoch": env.Int(c.ControllerEpoch),
		"brokerEpoch": env.Zxid(c.BrokerEpoch)}
}

func leadership(p kafka.TopicPartition, controllerEpoch int32, l kafka.LeaderAndIsr) map[string]any {
	return map[string]any{"partition": p.String(), "controllerEpoch": env.Int(controllerEpoch), "leader": env.Int(l.Leader),
		"leaderEpoch": env.Int(l.LeaderEpoch), "isr": env.Ints(l.ISR), "zkVersion": env.Int(l.ZkVersion)}
}

func ids(brokers []kafka.Broker) []any {
	out := make([]any, len(brokers))
	for i, b := range brokers {
		out[i] = env.Int(b.ID)
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

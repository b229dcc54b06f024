package kafkaplay

import (
	"strings"

	"controllerscope/core/kafka"
	"controllerscope/core/request"
)

// showRequest is a control request in the words of a recording.
func (n *names) showRequest(r request.ControlRequest) object {
	o := object{"kind": r.Kind(), "epoch": r.Header().ControllerEpoch, "brokerEpoch": n.epoch(r.Header().BrokerEpoch)}
	partitions := []any{}
	switch r := r.(type) {
	case request.LeaderAndIsr:
		for _, p := range r.Partitions {
			x := n.leadership(p.TopicPartition, p.TopicID, p.ControllerEpoch, p.LeaderAndIsr)
			x["replicas"], x["adding"], x["removing"] = ids(p.Assignment.Replicas), ids(p.Assignment.Adding), ids(p.Assignment.Removing)
			x["isNew"] = p.IsNew
			partitions = append(partitions, x)
		}
		o["liveLeaders"] = brokerIDs(r.LiveLeaders)
		o["type"] = 0
	case request.UpdateMetadata:
		for _, p := range r.Partitions {
			x := n.leadership(p.TopicPartition, p.TopicID, p.ControllerEpoch, p.LeaderAndIsr)
			x["replicas"], x["offline"] = ids(p.Replicas), ids(p.Offline)
			partitions = append(partitions, x)
		}
		o["liveBrokers"] = liveBrokers(r.LiveBrokers)
	case request.StopReplica:
		for _, p := range r.Partitions {
			partitions = append(partitions, object{"topic": p.Topic, "partition": p.Partition, "leaderEpoch": p.LeaderEpoch, "delete": p.Delete})
		}
	}
	o["partitions"] = partitions
	return o
}

// leadership is what two kinds of request say of a partition. Metadata of recordings has no topic id below its version 7,
// and shows no zero id for a partition that is gone.
func (n *names) leadership(tp kafka.TopicPartition, id kafka.UUID, epoch int32, l kafka.LeaderAndIsr) object {
	return object{"topic": tp.Topic, "partition": tp.Partition, "topicId": n.topicID("", id.String()), "controllerEpoch": epoch,
		"leader": l.Leader, "leaderEpoch": l.LeaderEpoch, "isr": ids(l.ISR), "zkVersion": l.ZkVersion}
}

// showAlterIsr is a leader's proposal.
func (n *names) showAlterIsr(r request.AlterIsr) object {
	partitions := []any{}
	for _, p := range r.Partitions {
		partitions = append(partitions, object{"topic": p.Topic, "partition": p.Partition, "leaderEpoch": p.LeaderEpoch,
			"newIsr": ids(p.ISR), "zkVersion": p.ZkVersion})
	}
	return object{"kind": r.Kind(), "brokerEpoch": n.epoch(r.BrokerEpoch), "partitions": partitions}
}

// showAnswer is an answer: its top-level error, of the partitions those with an error, accepted ISRs, remaining leaderships.
func (n *names) showAnswer(r request.Request, answer request.Response) object {
	o := object{"response": answer.TopError().Error()}
	partitions := []any{}
	switch a := answer.(type) {
	case request.ControlResponse:
		for _, p := range a.Errors {
			if p.Error != kafka.NONE {
				partitions = append(partitions, object{"topic": n.answered(r, p.Topic), "partition": p.Partition, "error": p.Error.Error()})
			}
		}
	case request.AlterIsrResponse:
		for _, p := range a.Partitions {
			x := object{"topic": p.Topic, "partition": p.Partition}
			if p.Error != kafka.NONE {
				x["error"] = p.Error.Error()
			} else {
				x["leader"], x["leaderEpoch"], x["isr"], x["zkVersion"] = p.Leader, p.LeaderEpoch, ids(p.ISR), p.ZkVersion
			}
			partitions = append(partitions, x)
		}
	case request.ControlledShutdownResponse:
		remaining := []any{}
		for _, tp := range a.Remaining {
			remaining = append(remaining, object{"topic": tp.Topic, "partition": tp.Partition})
		}
		o["remaining"] = remaining
	}
	if len(partitions) > 0 {
		o["partitionResponses"] = partitions
	}
	return o
}

// answered is the topic in an answer to LeaderAndIsr: it carries the topic's id, which recordings show without "id:". The
// recorder decodes answers as they come and names topic ids when the step has ended, so it shows nothing for an id that
// is new in the step.
func (n *names) answered(r request.Request, topic string) string {
	if r, ok := r.(request.LeaderAndIsr); ok {
		for _, p := range r.Partitions {
			if p.Topic == topic && n.fresh[p.TopicID.String()] {
				return ""
			}
			if p.Topic == topic && !p.TopicID.IsZero() {
				return strings.TrimPrefix(n.topicID("", p.TopicID.String()), "id:")
			}
		}
	}
	return topic
}

func ids(list []kafka.BrokerID) []any {
	out := make([]any, len(list))
	for i, b := range list {
		out[i] = b
	}
	return out
}

func brokerIDs(list []kafka.Broker) []any {
	out := make([]any, len(list))
	for i, b := range list {
		out[i] = b.ID
	}
	return out
}

// liveBrokers shows id and rack, and the endpoints unless there is just the usual one.
func liveBrokers(list []kafka.Broker) []any {
	out := make([]any, len(list))
	for i, b := range list {
		o := object{"id": b.ID}
		if b.Rack != "" {
			o["rack"] = b.Rack
		}
		if len(b.Endpoints) != 1 {
			var endpoints []any
			for _, e := range b.Endpoints {
				endpoints = append(endpoints, addresses(e.String()))
			}
			o["endpoints"] = endpoints
		}
		out[i] = o
	}
	return out
}

package controller

import (
	"maps"

	"controllerscope/core/env"
	"controllerscope/core/kafka"
)

// processControlResponse takes in what a broker answered to a control request.
func (c *Controller) processControlResponse(ev controlResponse) error {
	if !c.IsActive() {
		return nil
	}
	switch ev.doing {
	case StateLeaderAndIsrResponseReceived:
		return c.processLeaderAndIsrResponse(ev)
	case StateUpdateMetadataResponseReceived:
		if ev.resp.Error != kafka.NONE {
			c.noteResponseError(ev)
		}
		return nil
	default:
		return c.processTopicDeletionStopReplicaResponse(ev)
	}
}

// processLeaderAndIsrResponse learns which replicas are on failed directories: KAFKA_STORAGE_ERROR says that one is, NONE
// that it is not, any other error nothing. Replicas that became offline are treated like those of a dead broker.
// Kafka: KafkaController.processLeaderAndIsrResponseReceived.
func (c *Controller) processLeaderAndIsrResponse(ev controlResponse) error {
	if ev.resp.Error != kafka.NONE {
		c.noteResponseError(ev)
		return nil
	}
	previous := c.ctx.replicasOnOfflineDirs[ev.broker]
	current := maps.Clone(previous)
	var newly []kafka.PartitionReplica
	for _, p := range ev.resp.Errors {
		if _, known := c.ctx.topicIDs[p.Topic]; !known && c.cfg.Protocol >= kafka.V2_8_IV1 {
			continue // the answer names topics by id
		}
		switch {
		case p.Error == kafka.NONE:
			delete(current, p.TopicPartition)
		case p.Error == kafka.KAFKA_STORAGE_ERROR && !previous.has(p.TopicPartition):
			if current == nil {
				current = set[kafka.TopicPartition]{}
			}
			current.add(p.TopicPartition)
			newly = append(newly, kafka.PartitionReplica{TopicPartition: p.TopicPartition, Replica: ev.broker})
		}
	}
	c.ctx.setReplicasOnOfflineDirs(ev.broker, current)
	c.j.flush("broker "+ev.broker.String(), "response.offlineDirs", env.A("broker", env.Int(ev.broker)))
	if len(newly) == 0 {
		return nil
	}
	return c.onReplicasBecomeOffline(newly)
}

func (c *Controller) noteResponseError(ev controlResponse) {
	c.j.note(env.CtxSet, "broker "+ev.broker.String(), "response.error", env.A("broker", env.Int(ev.broker)),
		env.A("request", ev.request), env.A("error", ev.resp.Error.Error()))
}

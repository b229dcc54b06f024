package controller

import (
	"fmt"

	"controllerscope/core/env"
	"controllerscope/core/kafka"
	"controllerscope/core/request"
)

// processControlledShutdown takes the leaderships off a broker that wants to stop and answers with those that it still
// has. Every error, even the loss of the controllership, goes to the caller only.
// Kafka: KafkaController.processControlledShutdown.
func (c *Controller) processControlledShutdown(ev controlledShutdown) error {
	remaining, err := c.doControlledShutdown(ev.req)
	resp := request.ControlledShutdownResponse{Remaining: remaining}
	if err != nil {
		resp = request.ControlledShutdownResponse{Error: errorFor(err)}
	}
	text := ""
	if err != nil {
		text = err.Error()
	}
	c.j.note(env.CtxSet, "broker "+ev.req.BrokerID.String(), "shutdown.reply", env.A("broker", env.Int(ev.req.BrokerID)),
		env.A("error", resp.Error.Error()), env.A("reason", text), c.j.partitionArg("remaining", remaining))
	ev.reply(resp)
	return nil
}

// doControlledShutdown. A broker that the controller does not know is a generic error when the request carries an epoch.
// Kafka: KafkaController.doControlledShutdown.
func (c *Controller) doControlledShutdown(req request.ControlledShutdown) ([]kafka.TopicPartition, error) {
	x, id := c.ctx, req.BrokerID
	if !c.IsActive() {
		return nil, kafka.STALE_CONTROLLER_EPOCH
	}
	if req.BrokerEpoch != kafka.UnknownBrokerEpoch {
		cached, known := x.liveBrokerEpochs[id]
		if !known {
			return nil, fmt.Errorf("broker %d is not registered", id)
		}
		if req.BrokerEpoch < cached && c.e.Guard(env.GuardBrokerEpoch) {
			return nil, kafka.STALE_BROKER_EPOCH
		}
	}
	if !x.isLiveOrShuttingDown(id) {
		return nil, kafka.BROKER_NOT_AVAILABLE
	}
	x.setShuttingDown(id)
	var led, followed []kafka.TopicPartition
	hosted := x.partitionsOnBroker(id)
	for _, tp := range hosted {
		info, ok := x.leadership(tp)
		switch {
		case !ok || len(x.assignment(tp).Replicas) < 2 || c.isQueuedUpForDeletion(tp.Topic):
		case info.Leader == id:
			led = append(led, tp)
		default:
			followed = append(followed, tp)
		}
	}
	led, followed = x.order.PartitionSubset(len(hosted), led), x.order.PartitionSubset(len(hosted), followed)
	c.j.note(env.CtxSet, "broker "+id.String(), "shutdown.begin", env.A("broker", env.Int(id)), c.j.partitionArg("led", led), c.j.partitionArg("followed", followed))
	if _, err := c.psm.handleStateChanges(led, kafka.OnlinePartition, &strategy{kind: controlledShutdownElection}); err != nil {
		return nil, err
	}
	if err := c.stopFollowers(id, followed, len(hosted)); err != nil {
		return nil, err
	}
	return x.partitionLeadersOnBroker(id), nil
}

// stopFollowers tells the broker to stop its followers, which a current follower refuses (its epoch is not greater), and
// takes them out of the ISRs, which works. It hosts so many replicas.
func (c *Controller) stopFollowers(id kafka.BrokerID, followed []kafka.TopicPartition, hosted int) error {
	if err := c.batch.newBatch(); err != nil {
		return c.handleIllegalState(err)
	}
	var replicas []kafka.PartitionReplica
	for _, tp := range followed {
		c.batch.addStopReplica([]kafka.BrokerID{id}, tp, false)
		replicas = append(replicas, kafka.PartitionReplica{TopicPartition: tp, Replica: id})
	}
	c.batch.sendRequestsToBrokers(c.ctx.epoch)
	return c.rsm.handleStateChanges(c.ctx.order.ReplicaSubset(hosted, replicas), kafka.OfflineReplica)
}

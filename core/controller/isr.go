package controller

import (
	"errors"
	"slices"

	"controllerscope/core/env"
	"controllerscope/core/kafka"
	"controllerscope/core/request"
	"controllerscope/core/zkclient"
)

// processAlterIsr stores the ISRs that a leader proposes. The leader epoch stays and no LeaderAndIsr goes out; metadata of
// all named partitions goes to everybody, also of those that were refused. An error, even the loss of the controllership,
// is only told to the caller. Kafka: KafkaController.processAlterIsr.
func (c *Controller) processAlterIsr(ev alterIsrReceived) error {
	x := c.ctx
	if !c.IsActive() {
		c.replyAlterIsr(ev, request.AlterIsrResponse{Error: kafka.NOT_CONTROLLER})
		return nil
	}
	epoch, live := x.liveBrokerEpochs[ev.req.BrokerID]
	if !live || epoch != ev.req.BrokerEpoch && c.e.Guard(env.GuardBrokerEpoch) {
		c.replyAlterIsr(ev, request.AlterIsrResponse{Error: kafka.STALE_BROKER_EPOCH})
		return nil
	}
	results, err := c.alterIsrs(ev.req)
	if err != nil {
		c.j.note(env.CtxSet, "", "alterIsr.failed", env.A("broker", env.Int(ev.req.BrokerID)), env.A("error", err.Error()))
		c.replyAlterIsr(ev, request.AlterIsrResponse{Error: kafka.UNKNOWN_SERVER_ERROR})
		return nil
	}
	resp := request.AlterIsrResponse{}
	for _, p := range ev.req.Partitions {
		resp.Partitions = append(resp.Partitions, results[p.TopicPartition])
	}
	c.replyAlterIsr(ev, resp)
	for _, r := range resp.Partitions {
		if r.Error == kafka.NONE && x.partitionsReassigned.has(r.TopicPartition) {
			if err := c.maybeCompleteReassignment(r.TopicPartition); err != nil {
				return err
			}
		}
	}
	return nil
}

// alterIsrs decides per partition, writes, refreshes the context and sends metadata.
func (c *Controller) alterIsrs(req request.AlterIsr) (map[kafka.TopicPartition]request.AlterIsrResult, error) {
	x := c.ctx
	results := map[kafka.TopicPartition]request.AlterIsrResult{}
	var updates []zkclient.PartitionLeaderAndIsr
	var named []kafka.TopicPartition
	for _, p := range req.Partitions {
		tp := p.TopicPartition
		named = append(named, tp)
		proposed := kafka.LeaderAndIsr{Leader: req.BrokerID, LeaderEpoch: p.LeaderEpoch, ISR: p.ISR, ZkVersion: p.ZkVersion}
		info, known := x.leadership(tp)
		verdict := "write"
		switch {
		case !known:
			results[tp] = refusedIsr(tp, kafka.UNKNOWN_TOPIC_OR_PARTITION)
			verdict = kafka.UNKNOWN_TOPIC_OR_PARTITION.Error()
		case p.LeaderEpoch < info.LeaderEpoch:
			results[tp] = refusedIsr(tp, kafka.FENCED_LEADER_EPOCH)
			verdict = kafka.FENCED_LEADER_EPOCH.Error()
		case proposed.Leader == info.Leader && proposed.LeaderEpoch == info.LeaderEpoch && slices.Equal(proposed.ISR, info.ISR):
			results[tp] = request.AlterIsrResult{TopicPartition: tp, LeaderAndIsr: info.LeaderAndIsr}
			verdict = "unchanged"
		default:
			updates = append(updates, zkclient.PartitionLeaderAndIsr{TopicPartition: tp, LeaderAndIsr: proposed})
		}
		if c.j.on() {
			c.j.because(env.CtxSet, tp.String(), "alterIsr.decide", []env.Path{env.P("ctx", c.j.id, "partitionLeadershipInfo", tp.String())},
				env.A("broker", env.Int(req.BrokerID)), env.A("isr", env.Ints(p.ISR)), env.A("leaderEpoch", env.Int(p.LeaderEpoch)),
				env.A("zkVersion", env.Int(p.ZkVersion)), env.A("verdict", verdict))
		}
	}
	written, err := c.zk.UpdateLeaderAndIsr(c.inMapOrder(updates, func(tps []kafka.TopicPartition) []kafka.TopicPartition {
		return kafka.PartitionOrder(c.cfg.Order, tps, nil)
	}), x.epoch, c.fence())
	if err != nil {
		return nil, err
	}
	var stored []kafka.TopicPartition
	for _, f := range written.Finished {
		if f.Err != nil {
			results[f.TopicPartition] = refusedIsr(f.TopicPartition, errorFor(f.Err))
			continue
		}
		results[f.TopicPartition] = request.AlterIsrResult{TopicPartition: f.TopicPartition, LeaderAndIsr: f.LeaderAndIsr}
		stored = append(stored, f.TopicPartition)
	}
	for _, tp := range written.PartitionsToRetry {
		results[tp] = refusedIsr(tp, kafka.INVALID_UPDATE_VERSION)
	}
	if err := c.updateLeaderAndIsrCache(c.cfg.Order.PartitionSet(stored)); err != nil {
		return nil, err
	}
	return results, c.sendUpdateMetadata(x.liveOrShuttingDownBrokerIDs(), named)
}

func refusedIsr(tp kafka.TopicPartition, e kafka.Error) request.AlterIsrResult {
	return request.AlterIsrResult{TopicPartition: tp, Error: e}
}

func (c *Controller) replyAlterIsr(ev alterIsrReceived, resp request.AlterIsrResponse) {
	if c.j.on() {
		var verdicts env.Record
		for _, p := range resp.Partitions {
			verdicts = append(verdicts, env.A(p.TopicPartition.String(), p.Error.Error()))
		}
		c.j.note(env.CtxSet, "broker "+ev.req.BrokerID.String(), "alterIsr.reply", env.A("broker", env.Int(ev.req.BrokerID)),
			env.A("error", resp.Error.Error()), env.A("partitions", verdicts.Sorted()))
	}
	ev.reply(resp)
}

// errorFor is the protocol's code for an error of ours. Kafka: Errors.forException.
func errorFor(err error) kafka.Error {
	var code kafka.Error
	switch {
	case errors.As(err, &code):
		return code
	case isMoved(err):
		return kafka.STALE_CONTROLLER_EPOCH
	}
	return kafka.UNKNOWN_SERVER_ERROR
}

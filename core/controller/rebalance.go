package controller

import (
	"controllerscope/core/env"
	"controllerscope/core/kafka"
)

// scheduleRebalance queues a check of the leader balance in ms; the next one is scheduled when that one has been made.
func (c *Controller) scheduleRebalance(ms int64) {
	c.cancelRebalance = c.e.After(env.Timer{Name: "auto-leader-rebalance-task", MS: ms, Periodic: true}, func() {
		c.cancelRebalance = nil
		c.putEvent(autoLeaderRebalanceEvent)
	})
}

// processAutoPreferredReplicaLeaderElection checks the balance, and schedules the next check whatever came of this one. A
// broker that is not the controller schedules nothing. Kafka: processAutoPreferredReplicaLeaderElection.
func (c *Controller) processAutoPreferredReplicaLeaderElection() error {
	if !c.IsActive() {
		return nil
	}
	err := c.checkAndTriggerAutoLeaderRebalance()
	if c.scheduler {
		c.scheduleRebalance(c.cfg.LeaderImbalanceCheckIntervalSeconds * 1000)
	}
	return err
}

// checkAndTriggerAutoLeaderRebalance gives brokers back what they should lead, where too much of it is led by others: the
// share among the partitions that prefer the broker must be above the configured percentage. Any reassignment in the
// cluster holds all of it back; with the fix rebalance-foreign only that of its own partition.
// Kafka: checkAndTriggerAutoLeaderRebalance.
func (c *Controller) checkAndTriggerAutoLeaderRebalance() error {
	x := c.ctx
	preferring := map[kafka.BrokerID][]kafka.TopicPartition{}
	for _, tp := range x.allPartitions() {
		if a := x.assignment(tp); !c.isQueuedUpForDeletion(tp.Topic) && len(a.Replicas) > 0 {
			preferring[a.Replicas[0]] = append(preferring[a.Replicas[0]], tp)
		}
	}
	for _, b := range x.order.Grouped(kafka.SortedKeys(preferring)) {
		misplaced := keep(preferring[b], func(tp kafka.TopicPartition) bool {
			info, ok := x.leadership(tp)
			return ok && info.Leader != b
		})
		due := len(misplaced)*100 > c.cfg.LeaderImbalancePercentage*len(preferring[b])
		c.j.note(env.CtxSet, "broker "+b.String(), "rebalance.check", env.A("broker", env.Int(b)), env.A("misplaced", env.Int(len(misplaced))),
			env.A("of", env.Int(len(preferring[b]))), env.A("percentage", env.Int(c.cfg.LeaderImbalancePercentage)), env.A("due", due))
		if !due {
			continue
		}
		candidates := keep(misplaced, func(tp kafka.TopicPartition) bool {
			info, _ := x.leadership(tp)
			return !c.heldBack(tp) && x.allTopics.has(tp.Topic) && x.isReplicaOnline(b, tp) && contains(info.ISR, b)
		})
		if _, err := c.onReplicaElection(candidates, preferredElection, autoTriggered); err != nil {
			return err
		}
	}
	return nil
}

// heldBack reports whether a reassignment keeps the rebalance from electing for tp.
func (c *Controller) heldBack(tp kafka.TopicPartition) bool {
	if c.e.Fix(env.FixRebalanceForeign) {
		return c.ctx.partitionsReassigned.has(tp)
	}
	return len(c.ctx.partitionsReassigned) > 0
}

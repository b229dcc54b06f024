package broker

import (
	"slices"

	"controllerscope/core/env"
	"controllerscope/core/kafka"
)

// A leader's care for the ISR and the high watermark. Kafka: Partition.maybeExpandIsr, maybeShrinkIsr, maybeIncrementLeaderHW.

// maybeExpandISR proposes to take a follower in that has reached the high watermark and the start of the leader's epoch.
func (b *Broker) maybeExpandISR(p *partition, follower kafka.BrokerID) {
	f := p.followers[follower]
	if p.proposal != nil || slices.Contains(p.isr, follower) || f.endOffset < p.log.HighWatermark || f.endOffset < p.startOffset {
		return
	}
	b.propose(p, append(slices.Clone(p.isr), follower), "broker.isr.expand")
}

// maybeShrinkISR proposes to drop followers that lag. A follower whose log ends where the leader's ends never lags,
// however long it has been silent.
func (b *Broker) maybeShrinkISR(p *partition, now int64) {
	if p.role != RoleLeader || p.proposal != nil {
		return
	}
	kept := slices.DeleteFunc(slices.Clone(p.isr), func(r kafka.BrokerID) bool {
		f := p.followers[r]
		return f != nil && f.endOffset != p.log.EndOffset && now-f.lastCaughtUpMS > b.cfg.ReplicaLagTimeMaxMS
	})
	if len(kept) < len(p.isr) {
		b.propose(p, kept, "broker.isr.shrink")
	}
}

// scheduleIsrExpiration checks all partitions every half of replica.lag.time.max.ms. Kafka: ReplicaManager.startup, maybeShrinkIsr.
func (b *Broker) scheduleIsrExpiration() {
	b.e.After(env.Timer{Name: "isr-expiration", MS: max(1, b.cfg.ReplicaLagTimeMaxMS/2), Periodic: true, Quiet: true}, func() {
		if b.stopped {
			return
		}
		now := b.e.Now()
		for _, tp := range b.HostedPartitions() {
			b.maybeShrinkISR(b.partitions[tp], now)
		}
		b.proposals.send(b)
		b.scheduleIsrExpiration()
	})
}

// raiseHW moves the high watermark to the smallest log end among the leader, the maximal ISR and those that were caught
// up within replica.lag.time.max.ms; it never falls. It reports whether it moved.
func (b *Broker) raiseHW(p *partition) bool {
	hw, isr, now := p.log.EndOffset, p.maximalISR(), b.e.Now()
	for r, f := range p.followers {
		if f.endOffset < hw && (slices.Contains(isr, r) || now-f.lastCaughtUpMS <= b.cfg.ReplicaLagTimeMaxMS) {
			hw = f.endOffset
		}
	}
	if hw <= p.log.HighWatermark {
		return false
	}
	p.log.HighWatermark = hw
	return true
}

// Append adds n records to the log of a partition that this broker leads: what a producer does.
// Kafka: Partition.appendRecordsToLeader.
func (b *Broker) Append(tp kafka.TopicPartition, n int64) kafka.Error {
	p := b.partitions[tp]
	switch {
	case p == nil:
		return kafka.UNKNOWN_TOPIC_OR_PARTITION
	case p.role == RoleOffline:
		return kafka.KAFKA_STORAGE_ERROR
	case p.role != RoleLeader:
		return kafka.NOT_LEADER_OR_FOLLOWER
	}
	p.log.EndOffset += n
	b.raiseHW(p)
	b.show(p)
	if b.on() {
		b.note(env.BrokerState, tp.String(), "broker.append", env.A("records", n), env.A("leo", p.log.EndOffset))
	}
	b.wakeFollowers(p)
	b.flushSessions()
	return kafka.NONE
}

// Lag holds the fetching of a partition back, or lets it go on; it says false for a partition that is not followed here.
func (b *Broker) Lag(tp kafka.TopicPartition, on bool) bool {
	p := b.partitions[tp]
	if p == nil || p.role != RoleFollower {
		return false
	}
	if on {
		b.lagging[tp] = true
		b.stopFetching(p)
	} else {
		delete(b.lagging, tp)
		b.fetchFrom(p)
	}
	if b.on() {
		b.note(env.BrokerState, tp.String(), "broker.lagging", env.A("on", on))
	}
	b.sendFetches()
	return true
}

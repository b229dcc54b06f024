package broker

import (
	"controllerscope/core/env"
	"controllerscope/core/kafka"
	"controllerscope/core/request"
)

// ISRStore is where leaders write ISRs themselves, as they do below inter.broker.protocol.version 2.7-IV2.
type ISRStore interface {
	// UpdateISR writes the state of a partition if its znode still has ZkVersion; a znode that says the same already is as
	// good. Kafka: ReplicationUtils.updateLeaderAndIsr.
	UpdateISR(tp kafka.TopicPartition, l kafka.Leadership) (version int32, updated bool, err error)
	// PropagateIsrChanges tells the controller which partitions have changed.
	PropagateIsrChanges([]kafka.TopicPartition) error
}

// When changes are announced, in ms: looked at every checkMS, once nothing changed for lingerMS or the last announcement
// is older than maxDelayMS. Kafka: IsrChangePropagationConfig.
const (
	isrCheckMS    = 2500
	isrLingerMS   = 5000
	isrMaxDelayMS = 60000
)

// zkIsr writes ISRs to ZooKeeper, one after the other, and announces them now and then. Kafka: ZkIsrManager.
type zkIsr struct {
	writing      bool // the thread "isr" runs
	changed      map[kafka.TopicPartition]bool
	startedMS    int64
	lastChangeMS int64
	lastSentMS   int64
	cancel       func() // the next look, nil when nothing is to be announced
}

// writeISRs writes the unsent proposals. Kafka: ZkIsrManager.submit, on the thread that found the change.
func (b *Broker) writeISRs() {
	if b.zkIsr.writing || len(b.proposals.unsent) == 0 {
		return
	}
	b.zkIsr.writing = true
	b.e.Go("isr", func() {
		for len(b.proposals.unsent) > 0 {
			b.writeISR(b.proposals.unsent[kafka.SortedFunc(b.proposals.unsent, kafka.ComparePartitions)[0]])
		}
		b.zkIsr.writing = false
		b.flushSessions()
	})
}

// writeISR writes one, with the controller epoch of the leadership that this broker was given. Without success nothing is
// proposed for the partition before its next LeaderAndIsr.
func (b *Broker) writeISR(it *proposal) {
	tp := it.TopicPartition
	delete(b.proposals.unsent, tp)
	p := b.partitions[tp]
	if p == nil || p.proposal != it {
		return
	}
	next := kafka.LeaderAndIsr{Leader: b.cfg.ID, LeaderEpoch: it.LeaderEpoch, ISR: it.ISR, ZkVersion: it.ZkVersion}
	version, updated, err := b.cfg.ISRs.UpdateISR(tp, kafka.Leadership{LeaderAndIsr: next, ControllerEpoch: p.controllerEpoch})
	result := request.AlterIsrResult{TopicPartition: tp, LeaderAndIsr: next}
	result.ZkVersion = version
	if err != nil || !updated {
		result.Error = kafka.INVALID_UPDATE_VERSION
	} else {
		b.zkIsr.changed[tp] = true
		b.zkIsr.lastChangeMS = b.e.Now()
		b.scheduleISRPropagation()
	}
	b.isrAnswered(it, result)
}

// scheduleISRPropagation looks at the changes at the next multiple of checkMS since the start. A replayer that decides on
// ISRs also decides when they are announced.
func (b *Broker) scheduleISRPropagation() {
	z := &b.zkIsr
	if z.cancel != nil || len(z.changed) == 0 || b.stopped || !b.cfg.Fetching {
		return
	}
	ms := isrCheckMS - (b.e.Now()-z.startedMS)%isrCheckMS
	z.cancel = b.e.After(env.Timer{Name: "isr-change-propagation", MS: ms}, func() {
		z.cancel = nil
		now := b.e.Now()
		if !b.stopped && (z.lastChangeMS+isrLingerMS < now || z.lastSentMS+isrMaxDelayMS < now) {
			b.AnnounceISRs()
		} else {
			b.scheduleISRPropagation()
		}
	})
}

// AnnounceISRs announces changes now, whatever the time.
func (b *Broker) AnnounceISRs() { b.e.Go("isr-change-propagation", b.PropagateISRChanges) }

// PropagateISRChanges announces what has changed since the last time; without success it is announced again later. It
// runs on a thread. Kafka: ZkIsrManager.maybePropagateIsrChanges.
func (b *Broker) PropagateISRChanges() {
	z := &b.zkIsr
	tps := kafka.SortedFunc(z.changed, kafka.ComparePartitions)
	clear(z.changed)
	if err := b.cfg.ISRs.PropagateIsrChanges(tps); err != nil {
		for _, tp := range tps {
			z.changed[tp] = true
		}
	} else {
		z.lastSentMS = b.e.Now()
		if b.on() {
			b.note(env.BrokerState, "broker "+b.id, "broker.isr.announced", env.A("partitions", partitionNames(tps)))
		}
	}
	b.scheduleISRPropagation()
}

func (z *zkIsr) stop() {
	if z.cancel != nil {
		z.cancel()
		z.cancel = nil
	}
}

func partitionNames(tps []kafka.TopicPartition) []any {
	names := make([]string, len(tps))
	for i, tp := range tps {
		names[i] = tp.String()
	}
	return env.Strings(names)
}

package broker

import (
	"slices"

	"controllerscope/core/env"
	"controllerscope/core/kafka"
	"controllerscope/core/request"
)

// Waiting times of the sender in ms, and how many failures in a row count as a state to live with: from then on the
// retry timer no longer keeps a world from being idle.
const (
	alterIsrRetryMS  = 50
	controllerPollMS = 100
	steadyFailures   = 20
)

// alterIsr sends ISR proposals to the controller, all unsent ones in one request, one request at a time.
// Kafka: DefaultAlterIsrManager and BrokerToControllerChannelManager.
type alterIsr struct {
	unsent   map[kafka.TopicPartition]*proposal // an item leaves when its answer has been dealt with
	inFlight bool
	conn     request.Conn
	open     bool
	failures int
	cancel   func() // the retry timer, nil when none runs
}

// proposal is one item. Kafka: AlterIsrItem.
type proposal struct{ request.AlterIsrPartition }

// ProposeISR submits proposals that somebody else decided on, as the recordings of real followers give them.
func (b *Broker) ProposeISR(items []request.AlterIsrPartition) {
	for _, x := range items {
		it := &proposal{x}
		if p := b.partitions[x.TopicPartition]; p != nil && p.role == RoleLeader {
			p.proposal = it
		}
		b.proposals.unsent[x.TopicPartition] = it
	}
	b.proposals.send(b)
}

// propose submits a new ISR of a partition that this broker leads; one proposal per partition at a time.
func (b *Broker) propose(p *partition, isr []kafka.BrokerID, key string) {
	if b.stopped || b.proposals.unsent[p.tp] != nil {
		return
	}
	p.proposal = &proposal{request.AlterIsrPartition{TopicPartition: p.tp, LeaderEpoch: p.leaderEpoch, ISR: isr, ZkVersion: p.zkVersion}}
	b.proposals.unsent[p.tp] = p.proposal
	if b.on() {
		b.note(env.BrokerState, p.tp.String(), key, env.A("isr", env.Ints(p.isr)), env.A("proposed", env.Ints(isr)),
			env.A("zkVersion", env.Int(p.zkVersion)))
	}
}

// clear forgets an item: a new leadership made it void. One that is in flight is ignored when its answer comes.
func (a *alterIsr) clear(tp kafka.TopicPartition) { delete(a.unsent, tp) }

// drop ends the sender.
func (a *alterIsr) drop(b *Broker) {
	clear(a.unsent)
	a.stopTimer()
	b.zkIsr.stop()
	if a.open {
		a.open = false
		b.net.Drop(a.conn)
	}
}

// send sends all unsent items unless a request is in flight. Kafka: maybePropagateIsrChanges.
func (a *alterIsr) send(b *Broker) {
	if b.cfg.ISRs != nil && !b.stopped {
		b.writeISRs()
		return
	}
	if a.inFlight || a.cancel != nil || len(a.unsent) == 0 || b.stopped {
		return
	}
	if !a.connect(b) {
		a.retry(b, controllerPollMS)
		return
	}
	items := make([]*proposal, 0, len(a.unsent))
	r := request.AlterIsr{BrokerID: b.cfg.ID, BrokerEpoch: b.cfg.BrokerEpoch()}
	for _, tp := range kafka.SortedFunc(a.unsent, kafka.ComparePartitions) {
		items = append(items, a.unsent[tp])
		r.Partitions = append(r.Partitions, a.unsent[tp].AlterIsrPartition)
	}
	a.inFlight = true
	giveUp := a.timeout(b)
	b.net.Send(a.conn, b.nextID("a"), r, func(answer request.Response, err error) {
		giveUp()
		a.inFlight = false
		a.answered(b, items, answer, err)
	})
}

// timeout breaks the connection when an answer does not come, as that of a frozen controller, or one whose session
// expired with the proposal in its queue. The proposals stay unsent.
func (a *alterIsr) timeout(b *Broker) (cancel func()) {
	t := env.Timer{Name: "alter-isr-timeout", MS: b.cfg.SocketTimeoutMS, Periodic: a.failures > steadyFailures, Quiet: true}
	return b.e.After(t, func() {
		a.inFlight = false
		a.disconnect(b)
		a.retry(b, controllerPollMS)
	})
}

// connect makes sure that there is a connection to the controller of the metadata cache.
func (a *alterIsr) connect(b *Broker) bool {
	if a.open {
		return true
	}
	to, ok := b.meta.alive(b.meta.controller)
	if !ok {
		return false
	}
	a.conn, a.open = b.conn(to, "alterisr"), true
	return true
}

// disconnect gives the connection up, so that the next request goes to the controller that the cache names then.
func (a *alterIsr) disconnect(b *Broker) {
	if a.open {
		a.open = false
		b.net.Drop(a.conn)
	}
}

// answered deals with an answer. Kafka: handleAlterIsrResponse; NOT_CONTROLLER in BrokerToControllerRequestThread.
func (a *alterIsr) answered(b *Broker, items []*proposal, answer request.Response, err error) {
	if err != nil || answer.TopError() == kafka.NOT_CONTROLLER {
		a.disconnect(b)
		a.retry(b, controllerPollMS)
		return
	}
	if answer.TopError() != kafka.NONE {
		a.retry(b, alterIsrRetryMS)
		return
	}
	a.failures = 0
	results := map[kafka.TopicPartition]request.AlterIsrResult{}
	if r, ok := answer.(request.AlterIsrResponse); ok {
		for _, x := range r.Partitions {
			results[x.TopicPartition] = x
		}
	}
	for _, it := range items {
		x, ok := results[it.TopicPartition]
		if !ok {
			continue // it stays unsent and travels again
		}
		if a.unsent[it.TopicPartition] == it {
			delete(a.unsent, it.TopicPartition)
		}
		b.isrAnswered(it, x)
	}
	b.flushSessions()
	a.send(b)
}

// retry sends again after a while, or as soon as the metadata cache names another controller.
func (a *alterIsr) retry(b *Broker, ms int64) {
	a.failures++
	a.cancel = b.e.After(env.Timer{Name: "send-alter-isr", MS: ms, Periodic: a.failures > steadyFailures, Quiet: true}, func() {
		a.cancel = nil
		a.send(b)
	})
}

func (a *alterIsr) stopTimer() {
	if a.cancel != nil {
		a.cancel()
		a.cancel = nil
	}
}

// metadataChanged sends at once what waited for a controller.
func (a *alterIsr) metadataChanged(b *Broker) {
	if a.open && a.conn.To != b.meta.controller && !a.inFlight {
		a.disconnect(b)
	}
	if !a.open && a.cancel != nil {
		a.stopTimer()
		a.send(b)
	}
}

// isrAnswered applies the outcome for one partition, unless a new leadership came in between. After 3, 74 and 95 the
// proposal stays pending, so that nothing is proposed before a new LeaderAndIsr. Kafka: Partition.handleAlterIsrResponse.
func (b *Broker) isrAnswered(it *proposal, x request.AlterIsrResult) {
	p := b.partitions[it.TopicPartition]
	if p == nil || p.proposal != it || p.role != RoleLeader {
		return
	}
	switch {
	case x.Error == kafka.UNKNOWN_TOPIC_OR_PARTITION || x.Error == kafka.FENCED_LEADER_EPOCH || x.Error == kafka.INVALID_UPDATE_VERSION:
		if b.on() {
			b.note(env.BrokerState, p.tp.String(), "broker.isr.giveUp", env.A("error", x.Error.Error()))
		}
	case x.Error != kafka.NONE:
		b.proposals.unsent[p.tp] = it
	case x.LeaderEpoch != p.leaderEpoch || x.ZkVersion < p.zkVersion:
		if b.on() {
			b.note(env.BrokerState, p.tp.String(), "broker.isr.ignored", env.A("zkVersion", env.Int(x.ZkVersion)))
		}
	default:
		p.isr, p.zkVersion, p.proposal = slices.Clone(x.ISR), x.ZkVersion, nil
		if b.raiseHW(p) {
			b.wakeFollowers(p)
		}
		b.show(p)
		if b.on() {
			b.note(env.BrokerState, p.tp.String(), "broker.isr.updated", env.A("isr", env.Ints(p.isr)),
				env.A("zkVersion", env.Int(p.zkVersion)))
		}
		b.expandWaiting(p)
	}
}

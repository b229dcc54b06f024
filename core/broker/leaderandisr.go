package broker

import (
	"slices"

	"controllerscope/core/env"
	"controllerscope/core/kafka"
	"controllerscope/core/request"
)

// HandleLeaderAndIsr makes this broker leader or follower of partitions, each at most once per leader epoch.
// Kafka: KafkaApis.handleLeaderAndIsrRequest, ReplicaManager.becomeLeaderOrFollower.
func (b *Broker) HandleLeaderAndIsr(r request.LeaderAndIsr) request.ControlResponse {
	if b.stale(r) {
		return refuseAll(r, kafka.STALE_BROKER_EPOCH)
	}
	b.lock()
	defer b.unlock()
	if b.fencedByController(r) {
		return refuseAll(r, kafka.STALE_CONTROLLER_EPOCH)
	}
	errors := make([]kafka.Error, len(r.Partitions))
	var leaders, followers []int
	for i, x := range r.Partitions {
		errors[i] = b.check(x)
		switch {
		case errors[i] != kafka.NONE:
		case x.Leader == b.cfg.ID:
			leaders = append(leaders, i)
		default:
			followers = append(followers, i)
		}
	}
	for _, i := range leaders {
		errors[i] = b.makeLeader(r.Partitions[i])
	}
	for _, i := range followers {
		errors[i] = b.makeFollower(r.Partitions[i])
	}
	b.afterLeaderAndIsr(r)
	answer := request.ControlResponse{Of: r.Kind(), Errors: make([]request.PartitionError, len(r.Partitions))}
	for i, x := range r.Partitions {
		answer.Errors[i] = request.PartitionError{TopicPartition: x.TopicPartition, Error: errors[i]}
	}
	return answer
}

func refuseAll(r request.LeaderAndIsr, err kafka.Error) request.ControlResponse {
	answer := request.ControlResponse{Of: r.Kind(), Error: err}
	for _, x := range r.Partitions {
		answer.Errors = append(answer.Errors, request.PartitionError{TopicPartition: x.TopicPartition, Error: err})
	}
	return answer
}

// check decides whether an entry is accepted; it creates the partition if it is unknown, accepted or not.
func (b *Broker) check(x request.LeaderAndIsrPartition) kafka.Error {
	p := b.partitions[x.TopicPartition]
	if p == nil {
		p = newPartition(x.TopicPartition)
		b.partitions[x.TopicPartition] = p
	}
	switch {
	case p.role == RoleOffline:
		return b.refuse(x, p, kafka.KAFKA_STORAGE_ERROR)
	case !p.checkOrSetTopicID(x.TopicID):
		return b.refuse(x, p, kafka.INCONSISTENT_TOPIC_ID)
	case x.LeaderEpoch <= p.leaderEpoch:
		return b.refuse(x, p, kafka.STALE_CONTROLLER_EPOCH)
	case !slices.Contains(x.Assignment.Replicas, b.cfg.ID):
		return b.refuse(x, p, kafka.UNKNOWN_TOPIC_OR_PARTITION)
	}
	return kafka.NONE
}

func (b *Broker) refuse(x request.LeaderAndIsrPartition, p *partition, err kafka.Error) kafka.Error {
	if b.on() {
		b.because(env.BrokerState, x.TopicPartition.String(), "broker.refuse",
			[]env.Path{env.P("broker", b.id, "replica", x.TopicPartition.String(), "leaderEpoch")},
			env.A("leaderEpoch", env.Int(x.LeaderEpoch)), env.A("own", env.Int(p.leaderEpoch)), env.A("error", err.Error()))
	}
	return err
}

// makeLeader takes the leadership over. A topic configuration that cannot be read leaves the partition as it was, and
// the answer is NONE all the same. Kafka: Partition.makeLeader.
func (b *Broker) makeLeader(x request.LeaderAndIsrPartition) kafka.Error {
	p := b.partitions[x.TopicPartition]
	b.stopFetching(p)
	p.assignment, p.isr, p.proposal = x.Assignment, slices.Clone(x.ISR), nil
	if err := b.attach(p, x.IsNew); err != kafka.NONE {
		return b.notAttached(p, err)
	}
	p.startOffset = p.log.EndOffset
	p.leaderEpoch, p.zkVersion, p.controllerEpoch = x.LeaderEpoch, x.ZkVersion, x.ControllerEpoch
	b.proposals.clear(p.tp)
	p.log.assign(p.leaderEpoch)
	b.resetFollowers(p)
	p.role, p.leader = RoleLeader, b.cfg.ID
	b.raiseHW(p)
	b.show(p)
	if b.on() {
		b.note(env.BrokerState, p.tp.String(), "broker.leader", env.A("leaderEpoch", env.Int(p.leaderEpoch)),
			env.A("isr", env.Ints(p.isr)), env.A("zkVersion", env.Int(p.zkVersion)))
	}
	b.wakeFollowers(p)
	return kafka.NONE
}

// resetFollowers starts the leader's book about its followers anew; ISR members count as caught up now.
func (b *Broker) resetFollowers(p *partition) {
	wasLeader, old := p.role == RoleLeader, p.followers
	p.followers = map[kafka.BrokerID]*followerState{}
	for _, r := range kafka.Without(p.assignment.Replicas, []kafka.BrokerID{b.cfg.ID}) {
		f := &followerState{endOffset: -1}
		if wasLeader && old[r] != nil {
			f = old[r]
		}
		f.lastFetchEnd, f.lastFetchMS, f.lastCaughtUpMS = p.startOffset, b.e.Now(), 0
		if slices.Contains(p.isr, r) {
			f.lastCaughtUpMS = b.e.Now()
		}
		p.followers[r] = f
	}
}

// makeFollower follows a live leader. A leader that the metadata cache does not know as alive (or none) is not followed:
// the log is created, the local leader epoch stays, the answer is NONE. Kafka: ReplicaManager.makeFollowers.
func (b *Broker) makeFollower(x request.LeaderAndIsrPartition) kafka.Error {
	p := b.partitions[x.TopicPartition]
	if _, alive := b.meta.alive(x.Leader); !alive {
		if err := b.attach(p, x.IsNew); err != kafka.NONE {
			return b.notAttached(p, err)
		}
		b.show(p)
		if b.on() {
			b.because(env.BrokerState, p.tp.String(), "broker.leaderNotAlive", []env.Path{env.P("broker", b.id, "meta", "brokers")},
				env.A("leader", env.Int(x.Leader)), env.A("leaderEpoch", env.Int(x.LeaderEpoch)))
		}
		return kafka.NONE
	}
	p.assignment, p.isr, p.proposal = x.Assignment, nil, nil
	if err := b.attach(p, x.IsNew); err != kafka.NONE {
		return b.notAttached(p, err)
	}
	p.leaderEpoch, p.zkVersion = x.LeaderEpoch, x.ZkVersion
	b.proposals.clear(p.tp)
	p.role, p.leader, p.followers = RoleFollower, x.Leader, nil
	b.show(p)
	if b.on() {
		b.note(env.BrokerState, p.tp.String(), "broker.follower", env.A("leader", env.Int(p.leader)),
			env.A("leaderEpoch", env.Int(p.leaderEpoch)), env.A("zkVersion", env.Int(p.zkVersion)))
	}
	b.wakeFollowers(p)
	b.fetchFrom(p)
	return kafka.NONE
}

// notAttached is the answer when a partition got no log: an unreadable configuration is not the controller's to know.
func (b *Broker) notAttached(p *partition, err kafka.Error) kafka.Error {
	if err == kafka.KAFKA_STORAGE_ERROR {
		return err
	}
	return kafka.NONE
}

// afterLeaderAndIsr marks every partition of the request offline that has no local log, accepted or not, and sends the
// fetches that the request gave cause for.
func (b *Broker) afterLeaderAndIsr(r request.LeaderAndIsr) {
	for _, x := range r.Partitions {
		if p := b.partitions[x.TopicPartition]; p != nil && p.log == nil && p.role != RoleOffline {
			b.markOffline(p)
		}
	}
	b.flushSessions()
	b.sendFetches()
}

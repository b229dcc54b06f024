package broker

import (
	"slices"

	"controllerscope/core/env"
	"controllerscope/core/kafka"
	"controllerscope/core/request"
)

// fetchSession is what a leader keeps of one follower's fetches: what it asked last per partition, which of these have
// news, and the request that waits for an answer. Kafka: FetchSession and the fetch purgatory.
type fetchSession struct {
	asked map[kafka.TopicPartition]request.FetchPartition
	news  map[kafka.TopicPartition]bool
	reply func(request.Response)
}

// HandleFetch records how far a follower has come and answers when there is news for it. It does not block.
// Kafka: KafkaApis.handleFetchRequest, ReplicaManager.fetchMessages.
func (b *Broker) HandleFetch(r request.Fetch, reply func(request.Response)) {
	s := b.sessions[r.ReplicaID]
	if s == nil || r.Full {
		s = &fetchSession{asked: map[kafka.TopicPartition]request.FetchPartition{}, news: map[kafka.TopicPartition]bool{}}
		b.sessions[r.ReplicaID] = s
	}
	if s.reply != nil {
		s.reply(request.FetchResponse{}) // a newer request takes the place of the one that waits
	}
	s.reply = reply
	for _, x := range r.Partitions {
		s.asked[x.TopicPartition] = x
		delete(s.news, x.TopicPartition)
		if b.recordFetch(r.ReplicaID, x) {
			s.news[x.TopicPartition] = true
		}
	}
	b.flushSessions()
	b.proposals.send(b)
}

// recordFetch updates the leader's book and reports whether there is something to tell the follower at once.
// Kafka: Partition.updateFollowerFetchState.
func (b *Broker) recordFetch(follower kafka.BrokerID, x request.FetchPartition) bool {
	p, err := b.fetchable(x)
	if err != kafka.NONE {
		return true
	}
	if end := p.log.endOffsetFor(x.LastEpoch); diverges(x, end) {
		return true
	}
	f := p.followers[follower]
	if f == nil {
		return true
	}
	now := b.e.Now()
	if x.Offset >= p.log.EndOffset {
		f.lastCaughtUpMS = max(f.lastCaughtUpMS, now)
	} else if x.Offset >= f.lastFetchEnd {
		f.lastCaughtUpMS = max(f.lastCaughtUpMS, f.lastFetchMS)
	}
	f.endOffset, f.lastFetchEnd, f.lastFetchMS = x.Offset, p.log.EndOffset, now
	b.maybeExpandISR(p, follower)
	if b.raiseHW(p) {
		b.show(p)
		if b.on() {
			b.note(env.BrokerState, p.tp.String(), "broker.hw", env.A("hw", p.log.HighWatermark), env.A("follower", env.Int(follower)))
		}
		b.wakeFollowers(p)
	}
	return x.Offset < p.log.EndOffset || x.HighWatermark < p.log.HighWatermark
}

// fetchable finds the partition that a follower asks for, or says why it cannot be served.
func (b *Broker) fetchable(x request.FetchPartition) (*partition, kafka.Error) {
	p := b.partitions[x.TopicPartition]
	switch {
	case p == nil:
		return nil, kafka.UNKNOWN_TOPIC_OR_PARTITION
	case p.role == RoleOffline:
		return nil, kafka.KAFKA_STORAGE_ERROR
	case x.LeaderEpoch < p.leaderEpoch:
		return nil, kafka.FENCED_LEADER_EPOCH
	case x.LeaderEpoch > p.leaderEpoch:
		return nil, kafka.UNKNOWN_LEADER_EPOCH
	case p.role != RoleLeader:
		return nil, kafka.NOT_LEADER_OR_FOLLOWER
	}
	return p, kafka.NONE
}

// diverges reports whether the follower holds records that the leader does not: end is how far the leader's log goes
// in the epoch of the follower's last record.
func diverges(x request.FetchPartition, end EpochStart) bool {
	return x.LastEpoch != kafka.NoEpoch && (end.Epoch < x.LastEpoch || end.Offset < x.Offset)
}

// wakeFollowers says that those who wait for this partition have news.
func (b *Broker) wakeFollowers(p *partition) {
	for _, s := range b.sessions {
		if _, asked := s.asked[p.tp]; asked {
			s.news[p.tp] = true
		}
	}
}

// expandWaiting looks at the followers whose fetches came while a proposal was pending: a real follower asks again after
// replica.fetch.wait.max.ms, these wait for news.
func (b *Broker) expandWaiting(p *partition) {
	for _, follower := range kafka.SortedKeys(b.sessions) {
		s := b.sessions[follower]
		if x, asked := s.asked[p.tp]; asked && s.reply != nil && p.followers[follower] != nil {
			if _, err := b.fetchable(x); err == kafka.NONE {
				b.maybeExpandISR(p, follower)
			}
		}
	}
}

// flushSessions answers each waiting fetch that has news.
func (b *Broker) flushSessions() {
	for _, follower := range kafka.SortedKeys(b.sessions) {
		s := b.sessions[follower]
		if s.reply == nil || len(s.news) == 0 {
			continue
		}
		answer := request.FetchResponse{}
		for _, tp := range kafka.SortedFunc(s.news, kafka.ComparePartitions) {
			answer.Partitions = append(answer.Partitions, b.fetchResult(follower, s.asked[tp]))
			delete(s.asked, tp)
		}
		clear(s.news)
		reply := s.reply
		s.reply = nil
		reply(answer)
	}
}

func (b *Broker) fetchResult(follower kafka.BrokerID, x request.FetchPartition) request.FetchResult {
	result := request.FetchResult{TopicPartition: x.TopicPartition, LeaderEpoch: x.LeaderEpoch}
	p, err := b.fetchable(x)
	if err == kafka.NONE && p.followers[follower] == nil {
		err = kafka.UNKNOWN_LEADER_EPOCH
	}
	if err != kafka.NONE {
		result.Error = err
		return result
	}
	if end := p.log.endOffsetFor(x.LastEpoch); diverges(x, end) {
		result.Diverging, result.DivergingEpoch, result.DivergingEnd = true, end.Epoch, end.Offset
		return result
	}
	result.EndOffset, result.HighWatermark = p.log.EndOffset, p.log.HighWatermark
	from := max(0, slices.IndexFunc(p.log.Epochs, func(e EpochStart) bool { return e.Offset >= x.Offset }))
	for _, e := range p.log.Epochs[from:] {
		result.Epochs = append(result.Epochs, request.EpochStart(e))
	}
	return result
}

package broker

import (
	"controllerscope/core/env"
	"controllerscope/core/kafka"
	"controllerscope/core/request"
)

// fetcher fetches from one leader. A fetch names the partitions whose state changed since the one before; the leader
// answers when it has news about any of the partitions it was ever asked for, so that a cluster in which nothing happens
// exchanges nothing. Kafka: ReplicaFetcherThread with a fetch session (KIP-227).
type fetcher struct {
	conn        request.Conn
	assigned    map[kafka.TopicPartition]*partition
	want        map[kafka.TopicPartition]bool // go into the next fetch
	delayed     map[kafka.TopicPartition]bool // wait for replica.fetch.backoff.ms
	outstanding int
	started     bool // the leader knows the session
	broken      bool // the connection is lost; a new one is made after the back-off
	failures    int  // in a row
	cancel      func()
}

// fetchFrom begins to fetch a partition from its leader; the request leaves with sendFetches.
func (b *Broker) fetchFrom(p *partition) {
	b.stopFetching(p)
	if b.stopped || !b.cfg.Fetching || b.lagging[p.tp] {
		return
	}
	leader, ok := b.meta.alive(p.leader)
	if !ok {
		return
	}
	f := b.fetchers[p.leader]
	if f == nil {
		f = &fetcher{conn: b.conn(leader, "fetch"), assigned: map[kafka.TopicPartition]*partition{},
			want: map[kafka.TopicPartition]bool{}, delayed: map[kafka.TopicPartition]bool{}}
		b.fetchers[p.leader] = f
	}
	p.fetcher = f
	f.assigned[p.tp], f.want[p.tp] = p, true
}

// stopFetching takes the partition from its fetcher. A fetcher without partitions ends with the next sendFetches.
func (b *Broker) stopFetching(p *partition) {
	if f := p.fetcher; f != nil {
		delete(f.assigned, p.tp)
		delete(f.want, p.tp)
		delete(f.delayed, p.tp)
		p.fetcher = nil
	}
}

func (b *Broker) dropFetcher(leader kafka.BrokerID) {
	f := b.fetchers[leader]
	if f.cancel != nil {
		f.cancel()
	}
	delete(b.fetchers, leader)
	b.net.Drop(f.conn)
}

// sendFetches sends what the fetchers have to ask.
func (b *Broker) sendFetches() {
	for _, leader := range kafka.SortedKeys(b.fetchers) {
		f := b.fetchers[leader]
		switch {
		case len(f.assigned) == 0:
			b.dropFetcher(leader)
		case !f.broken && (len(f.want) > 0 || f.outstanding == 0 && len(f.assigned) > len(f.delayed)):
			b.sendFetch(leader, f)
		}
	}
}

func (b *Broker) sendFetch(leader kafka.BrokerID, f *fetcher) {
	r := request.Fetch{ReplicaID: b.cfg.ID, Full: !f.started}
	for _, tp := range kafka.SortedFunc(f.want, kafka.ComparePartitions) {
		p := f.assigned[tp]
		r.Partitions = append(r.Partitions, request.FetchPartition{TopicPartition: tp, LeaderEpoch: p.leaderEpoch,
			Offset: p.log.EndOffset, LastEpoch: p.log.lastEpoch(), HighWatermark: p.log.HighWatermark})
	}
	clear(f.want)
	f.started = true
	f.outstanding++
	b.net.Send(f.conn, b.nextID("f"), r, func(answer request.Response, err error) {
		f.outstanding--
		if b.fetchers[leader] != f {
			return
		}
		if x, ok := answer.(request.FetchResponse); err == nil && ok && x.Error == kafka.NONE {
			b.fetched(f, x)
		} else {
			b.fetchFailed(leader, f)
		}
	})
}

// fetched applies an answer and asks on.
func (b *Broker) fetched(f *fetcher, x request.FetchResponse) {
	late := false
	for _, result := range x.Partitions {
		p := f.assigned[result.TopicPartition]
		switch {
		case p == nil || p.leaderEpoch != result.LeaderEpoch:
			// A new leadership came while the answer was under way; it has its own fetch.
		case result.Error == kafka.NONE:
			b.follow(p, result)
			f.want[p.tp] = true
		case result.Error == kafka.FENCED_LEADER_EPOCH:
			b.stopFetching(p) // until the next LeaderAndIsr. Kafka: AbstractFetcherThread.onPartitionFenced
		default:
			f.delayed[p.tp], late = true, true
		}
	}
	switch {
	case len(x.Partitions) == 0: // no news: an older fetch made way for a newer one
	case !late:
		f.failures = 0
	default:
		f.failures++
		b.backOff(f, func() {
			for tp := range f.delayed {
				f.want[tp] = true
			}
			clear(f.delayed)
		})
	}
	b.sendFetches()
}

// follow makes the follower's log what the answer says: truncate where the logs part, or append.
func (b *Broker) follow(p *partition, x request.FetchResult) {
	l, before := p.log, *p.log
	if x.Diverging {
		end := l.endOffsetFor(x.DivergingEpoch)
		l.truncate(min(x.DivergingEnd, end.Offset))
	} else {
		l.follow(x.EndOffset, epochStarts(x.Epochs))
		l.HighWatermark = min(x.HighWatermark, l.EndOffset)
	}
	if l.EndOffset == before.EndOffset && l.HighWatermark == before.HighWatermark {
		return
	}
	key := "broker.fetched"
	if l.EndOffset < before.EndOffset {
		key = "broker.truncated"
	}
	b.show(p)
	if b.on() {
		b.note(env.BrokerState, p.tp.String(), key, env.A("from", before.EndOffset), env.A("leo", l.EndOffset), env.A("hw", l.HighWatermark))
	}
}

func epochStarts(list []request.EpochStart) []EpochStart {
	out := make([]EpochStart, len(list))
	for i, e := range list {
		out[i] = EpochStart(e)
	}
	return out
}

// fetchFailed begins a new session after a while, at the address that the metadata cache has then.
func (b *Broker) fetchFailed(leader kafka.BrokerID, f *fetcher) {
	if f.broken {
		return
	}
	b.net.Drop(f.conn)
	f.broken, f.started, f.outstanding = true, false, 0
	f.failures++
	b.backOff(f, func() {
		to, ok := b.meta.alive(leader)
		if !ok {
			to = kafka.Broker{ID: leader, Endpoints: []kafka.Endpoint{f.conn.Address}}
		}
		f.conn, f.broken = b.conn(to, "fetch"), false
		clear(f.delayed)
		for tp := range f.assigned {
			f.want[tp] = true
		}
	})
}

// steadyFetchFailures in a row are a state to live with: from then on fetching again does not keep a world from being idle.
const steadyFetchFailures = 2

// backOff does something after replica.fetch.backoff.ms and sends fetches.
func (b *Broker) backOff(f *fetcher, then func()) {
	if f.cancel != nil {
		f.cancel()
	}
	f.cancel = b.e.After(env.Timer{Name: "fetch-backoff", MS: b.cfg.FetchBackoffMS, Periodic: f.failures > steadyFetchFailures, Quiet: true}, func() {
		f.cancel = nil
		then()
		b.sendFetches()
	})
}

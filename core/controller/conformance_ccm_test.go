package controller

import (
	"testing"

	"github.com/stretchr/testify/require"

	"controllerscope/core/kafka"
	"controllerscope/core/request"
)

// The cases of Kafka's ControllerChannelManagerTest, by id. The number of a request's version is no part of what a
// controller here decides: package kafkawire speaks the versions of 2.8-IV1 (its tests of the same ids), and what an older
// protocol leaves out of a request is checked here.

// channelFixture is F-CCM: the batch of controller 1, epoch 1, brokers 1, 2, 3 live with broker epoch 1, topics foo and bar
// of 2 partitions with known ids. There is no controller thread: what answers raise stays in the queue.
type channelFixture struct {
	*testing.T
	w     *world
	p     *proc
	to    map[kafka.BrokerID][]request.ControlRequest
	reply func(request.Request) request.ControlResponse
}

func channels(t *testing.T, protocol kafka.APIVersion, dead ...kafka.BrokerID) *channelFixture {
	w, p := fixture(t, 1, 2, 3)
	f := &channelFixture{T: t, w: w, p: p, to: map[kafka.BrokerID][]request.ControlRequest{}, reply: allNone}
	w.answer = func(to kafka.BrokerID, r request.Request) (request.ControlResponse, error) {
		f.to[to] = append(f.to[to], r.(request.ControlRequest))
		return f.reply(r), nil
	}
	p.ctl.cfg.Protocol = protocol
	p.ctl.batch.self, p.ctl.batch.protocol = 1, protocol
	x := p.ctl.ctx
	x.setEpoch(1, 0)
	x.setAllTopics(setOf("foo", "bar"))
	for i, topic := range []string{"foo", "bar"} {
		require.NoError(t, x.addTopicID(topic, kafka.UUID{byte(i + 1)}))
		for n, list := range [][]kafka.BrokerID{ids(1, 2, 3), ids(2, 3, 1)} {
			require.NoError(t, x.putAssignment(tpOf(topic, int32(n)), replicas(list...)))
		}
	}
	x.removeLiveBrokers(dead)
	return f
}

// lead caches leaderships under controller epoch 1, leader epoch 0.
func (f *channelFixture) lead(tp kafka.TopicPartition, leader kafka.BrokerID, isr ...kafka.BrokerID) {
	require.NoError(f, f.p.ctl.ctx.putLeadership(tp, kafka.Leadership{ControllerEpoch: 1, LeaderAndIsr: kafka.LeaderAndIsr{Leader: leader, ISR: isr}}))
}

var threePartitions = []kafka.TopicPartition{tpOf("foo", 0), tpOf("foo", 1), tpOf("bar", 1)}

// leadThree caches the leaderships of foo-0, foo-1 and bar-1 on brokers 1, 2 and 3.
func (f *channelFixture) leadThree(isrs ...[]kafka.BrokerID) {
	for i, tp := range threePartitions {
		var isr []kafka.BrokerID
		if len(isrs) > 0 {
			isr = isrs[i]
		}
		f.lead(tp, kafka.BrokerID(i+1), isr...)
	}
}

// send opens a batch, lets add fill it, sends it under controller epoch 1 and has it answered.
func (f *channelFixture) send(add func(b *requestBatch)) {
	f.p.within(func() {
		require.NoError(f, f.p.ctl.batch.newBatch())
		add(f.p.ctl.batch)
		f.p.ctl.batch.sendRequestsToBrokers(1)
	})
}

// events are the names and senders of the events that answers raised.
func (f *channelFixture) events() (out []controlResponse) {
	q := f.p.ctl.queue
	for _, item := range q.events[q.head:] {
		out = append(out, item.event.(controlResponse))
	}
	return out
}

func (f *channelFixture) addLeaderAndIsr(to []kafka.BrokerID, tps ...kafka.TopicPartition) {
	f.send(func(b *requestBatch) {
		for _, tp := range tps {
			b.addLeaderAndIsr(to, tp, leadershipOf(b.x, tp), replicas(1, 2, 3), false)
		}
	})
}

func (f *channelFixture) addStopReplica(to []kafka.BrokerID, tps ...kafka.TopicPartition) {
	f.send(func(b *requestBatch) {
		for _, tp := range tps {
			b.addStopReplica(to, tp, false)
		}
	})
}

func brokersOf(to map[kafka.BrokerID][]request.ControlRequest) []kafka.BrokerID {
	return kafka.SortedKeys(to)
}

// CCM-01: several partitions for one broker become one LeaderAndIsr and one UpdateMetadata.
func TestCCM_01(t *testing.T) {
	f := channels(t, kafka.LatestAPIVersion())
	f.leadThree(ids(1, 2), ids(2, 3), ids(1, 3))
	f.addLeaderAndIsr(ids(2), threePartitions...)
	require.Len(t, f.to[2], 2)
	l := f.to[2][0].(request.LeaderAndIsr)
	require.IsType(t, request.UpdateMetadata{}, f.to[2][1])
	require.Equal(t, request.Control{ControllerID: 1, ControllerEpoch: 1, BrokerEpoch: 1}, l.Control)
	got := map[kafka.TopicPartition]kafka.LeaderAndIsr{}
	for _, p := range l.Partitions {
		got[p.TopicPartition] = p.LeaderAndIsr
		require.Equal(t, f.p.ctl.ctx.topicIDs[p.Topic], p.TopicID)
		require.NotEqual(t, kafka.UUID{}, p.TopicID)
	}
	require.Equal(t, map[kafka.TopicPartition]kafka.LeaderAndIsr{tpOf("foo", 0): {Leader: 1, ISR: ids(1, 2)},
		tpOf("foo", 1): {Leader: 2, ISR: ids(2, 3)}, tpOf("bar", 1): {Leader: 3, ISR: ids(1, 3)}}, got)
	answers := keep(f.events(), func(ev controlResponse) bool { return ev.name() == "LeaderAndIsrResponseReceived" })
	require.Len(t, answers, 1)
	require.Equal(t, kafka.BrokerID(2), answers[0].broker)
	require.Equal(t, allNone(l), answers[0].resp, "it covers the three partitions")
	for _, other := range ids(1, 3) {
		require.Len(t, f.to[other], 1)
		require.IsType(t, request.UpdateMetadata{}, f.to[other][0])
	}
}

// CCM-03: LeaderAndIsr reaches live and shutting-down brokers, not dead ones.
func TestCCM_03(t *testing.T) {
	f := channels(t, kafka.LatestAPIVersion(), 3)
	f.p.ctl.ctx.setShuttingDown(2)
	f.lead(tpOf("foo", 0), 1, 1, 2)
	var before int
	f.send(func(b *requestBatch) {
		b.addLeaderAndIsr(ids(1, 2, 3), tpOf("foo", 0), leadershipOf(b.x, tpOf("foo", 0)), replicas(1, 2, 3), false)
		before = f.p.ctl.queue.len()
	})
	require.Zero(t, before, "sending raises no event")
	require.Equal(t, ids(1, 2), brokersOf(f.to))
	for _, id := range ids(1, 2) {
		require.Len(t, f.to[id], 2)
		l := f.to[id][0].(request.LeaderAndIsr)
		require.Len(t, l.Partitions, 1)
		require.Equal(t, tpOf("foo", 0), l.Partitions[0].TopicPartition)
		require.IsType(t, request.UpdateMetadata{}, f.to[id][1])
	}
}

// everyProtocol runs f for each inter.broker.protocol.version that 2.8.2 knows.
func everyProtocol(t *testing.T, f func(t *testing.T, v kafka.APIVersion)) {
	for v := kafka.APIVersion(0); v <= kafka.LatestAPIVersion(); v++ {
		t.Run(v.String(), func(t *testing.T) { f(t, v) })
	}
}

// header is what a request to broker 2 says under a protocol: below 2.2-IV0 it carries no broker epoch.
func header(v kafka.APIVersion) request.Control {
	h := request.Control{ControllerID: 1, ControllerEpoch: 1, BrokerEpoch: 1}
	if v < kafka.V2_2_IV0 {
		h.BrokerEpoch = -1
	}
	return h
}

// CCM-04: what LeaderAndIsr says follows the protocol: the topic's id from version 5 (2.8-IV1) on.
func TestCCM_04(t *testing.T) {
	everyProtocol(t, func(t *testing.T, v kafka.APIVersion) {
		f := channels(t, v)
		f.lead(tpOf("foo", 0), 1, 1, 2)
		f.addLeaderAndIsr(ids(2), tpOf("foo", 0))
		l := f.to[2][0].(request.LeaderAndIsr)
		require.Equal(t, header(v), l.Control)
		require.Equal(t, v >= kafka.V2_8_IV1, l.Partitions[0].TopicID == kafka.UUID{1})
		require.Equal(t, v < kafka.V2_8_IV1, l.Partitions[0].TopicID == kafka.UUID{})
	})
}

// CCM-05: the contents of an UpdateMetadata; an answer with an error becomes an event.
func TestCCM_05(t *testing.T) {
	f := channels(t, kafka.LatestAPIVersion())
	f.leadThree(ids(1, 2), ids(2, 3), ids(1, 3))
	f.reply = func(r request.Request) request.ControlResponse {
		return request.ControlResponse{Of: r.Kind(), Error: kafka.STALE_BROKER_EPOCH}
	}
	f.send(func(b *requestBatch) { b.addUpdateMetadata(ids(2), threePartitions) })
	require.Equal(t, ids(2), brokersOf(f.to))
	require.Len(t, f.to[2], 1)
	u := f.to[2][0].(request.UpdateMetadata)
	require.Equal(t, header(kafka.LatestAPIVersion()), u.Control)
	got := map[kafka.TopicPartition]kafka.LeaderAndIsr{}
	topics := map[string]kafka.UUID{}
	for _, p := range u.Partitions {
		got[p.TopicPartition], topics[p.Topic] = p.LeaderAndIsr, p.TopicID
	}
	require.Equal(t, map[kafka.TopicPartition]kafka.LeaderAndIsr{tpOf("foo", 0): {Leader: 1, ISR: ids(1, 2)},
		tpOf("foo", 1): {Leader: 2, ISR: ids(2, 3)}, tpOf("bar", 1): {Leader: 3, ISR: ids(1, 3)}}, got)
	require.Equal(t, map[string]kafka.UUID{"foo": {1}, "bar": {2}}, topics)
	require.Equal(t, []kafka.Broker{{ID: 1}, {ID: 2}, {ID: 3}}, u.LiveBrokers)
	require.Len(t, f.events(), 1)
	ev := f.events()[0]
	require.Equal(t, "UpdateMetadataResponseReceived", ev.name())
	require.Equal(t, kafka.BrokerID(2), ev.broker)
	require.Equal(t, kafka.STALE_BROKER_EPOCH, ev.resp.Error)
}

// CCM-08: UpdateMetadata lists and reaches live and shutting-down brokers.
func TestCCM_08(t *testing.T) {
	f := channels(t, kafka.LatestAPIVersion(), 3)
	f.p.ctl.ctx.setShuttingDown(2)
	f.send(func(b *requestBatch) { b.addUpdateMetadata(ids(1, 2, 3), nil) })
	require.Equal(t, ids(1, 2), brokersOf(f.to))
	for _, id := range ids(1, 2) {
		require.Len(t, f.to[id], 1)
		u := f.to[id][0].(request.UpdateMetadata)
		require.Empty(t, u.Partitions)
		require.Equal(t, []kafka.Broker{{ID: 1}, {ID: 2}}, u.LiveBrokers)
	}
}

// CCM-09: under every protocol UpdateMetadata reaches its broker only and raises no event by being sent.
func TestCCM_09(t *testing.T) {
	everyProtocol(t, func(t *testing.T, v kafka.APIVersion) {
		f := channels(t, v)
		var before int
		f.send(func(b *requestBatch) {
			b.addUpdateMetadata(ids(2), nil)
			before = f.p.ctl.queue.len()
		})
		require.Zero(t, before)
		require.Equal(t, ids(2), brokersOf(f.to))
		require.Equal(t, header(v), f.to[2][0].(request.UpdateMetadata).Control)
	})
}

// stopsThree holds that a request is the StopReplica of the three partitions, leader epoch 0, without deletion.
func stopsThree(t *testing.T, r request.ControlRequest) {
	got := map[kafka.TopicPartition]request.StopReplicaPartition{}
	for _, p := range r.(request.StopReplica).Partitions {
		got[p.TopicPartition] = p
	}
	want := map[kafka.TopicPartition]request.StopReplicaPartition{}
	for _, tp := range threePartitions {
		want[tp] = request.StopReplicaPartition{TopicPartition: tp}
	}
	require.Equal(t, want, got)
}

// CCM-10: StopReplica without deletion is one request, and its answer raises no event.
func TestCCM_10(t *testing.T) {
	f := channels(t, kafka.LatestAPIVersion())
	f.leadThree()
	f.addStopReplica(ids(2), threePartitions...)
	require.Equal(t, ids(2), brokersOf(f.to))
	require.Len(t, f.to[2], 1)
	stopsThree(t, f.to[2][0])
	require.Empty(t, f.events())
}

// CCM-16: StopReplica entries are grouped per broker.
func TestCCM_16(t *testing.T) {
	f := channels(t, kafka.LatestAPIVersion())
	f.leadThree()
	f.addStopReplica(ids(2, 3), threePartitions...)
	require.Equal(t, ids(2, 3), brokersOf(f.to))
	for _, id := range ids(2, 3) {
		require.Len(t, f.to[id], 1)
		stopsThree(t, f.to[id][0])
	}
	require.Empty(t, f.events())
}

// CCM-17: StopReplica reaches a shutting-down broker, not a dead one.
func TestCCM_17(t *testing.T) {
	f := channels(t, kafka.LatestAPIVersion(), 3)
	f.p.ctl.ctx.setShuttingDown(2)
	f.leadThree()
	f.addStopReplica(ids(2, 3), threePartitions...)
	require.Equal(t, ids(2), brokersOf(f.to))
	require.Len(t, f.to[2], 1)
	stopsThree(t, f.to[2][0])
	require.Empty(t, f.events())
}

// CCM-18: what StopReplica says follows the protocol: leader epochs from version 3 (2.6-IV0) on.
func TestCCM_18(t *testing.T) {
	everyProtocol(t, func(t *testing.T, v kafka.APIVersion) {
		f := channels(t, v)
		f.lead(tpOf("foo", 0), 1, 1, 2)
		f.addStopReplica(ids(2), tpOf("foo", 0))
		require.Equal(t, ids(2), brokersOf(f.to))
		s := f.to[2][0].(request.StopReplica)
		require.Equal(t, header(v), s.Control)
		epoch := int32(-1)
		if v >= kafka.V2_6_IV0 {
			epoch = 0
		}
		require.Equal(t, []request.StopReplicaPartition{{TopicPartition: tpOf("foo", 0), LeaderEpoch: epoch}}, s.Partitions)
		require.Empty(t, f.events())
	})
}

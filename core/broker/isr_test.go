package broker

import (
	"testing"

	"github.com/stretchr/testify/require"

	"controllerscope/core/kafka"
	"controllerscope/core/request"
)

// accept is a controller that accepts every proposal.
func accept(r request.AlterIsr) request.AlterIsrResponse {
	answer := request.AlterIsrResponse{}
	for _, p := range r.Partitions {
		answer.Partitions = append(answer.Partitions, request.AlterIsrResult{TopicPartition: p.TopicPartition,
			LeaderAndIsr: kafka.LeaderAndIsr{Leader: r.BrokerID, LeaderEpoch: p.LeaderEpoch, ISR: p.ISR, ZkVersion: p.ZkVersion + 1}})
	}
	return answer
}

// pair makes two brokers, 2 leads and 3 follows; 3 is not in the ISR yet.
func pair(t *testing.T, tps ...kafka.TopicPartition) (w *world, leader, follower *node) {
	w = newWorld(t)
	w.alter = accept
	leader, follower = w.start(2, NewDisk(1)), w.start(3, NewDisk(1))
	for _, n := range []*node{leader, follower} {
		n.HandleUpdateMetadata(um(1, 1, 2, 3))
	}
	w.lead(0, leader, follower, tps...)
	return w, leader, follower
}

// lead tells both brokers of a leadership with an ISR of the leader alone.
func (w *world) lead(epoch int32, leader, follower *node, tps ...kafka.TopicPartition) {
	for _, n := range []*node{leader, follower} {
		r := lai(1)
		for _, tp := range tps {
			e := entry(tp, leader.cfg.ID, epoch, 2, 3)
			e.ISR = []kafka.BrokerID{leader.cfg.ID}
			r.Partitions = append(r.Partitions, e)
		}
		require.Equal(w.t, kafka.NONE, n.HandleLeaderAndIsr(r).Error)
	}
}

func (w *world) proposals() (list []request.AlterIsr) {
	for _, r := range w.sent {
		if a, ok := r.(request.AlterIsr); ok {
			list = append(list, a)
		}
	}
	return list
}

func TestFollowerThatCatchesUpJoins(t *testing.T) {
	w, leader, follower := pair(t, t0)
	w.settle()
	require.Equal(t, []request.AlterIsr{{BrokerID: 2, BrokerEpoch: 50, Partitions: []request.AlterIsrPartition{
		{TopicPartition: t0, ISR: []kafka.BrokerID{2, 3}}}}}, w.proposals())
	s, _ := leader.Hosted(t0)
	require.Equal(t, State{Role: RoleLeader, Leader: 2, ZkVersion: 1, ISR: []kafka.BrokerID{2, 3}}, s)

	require.Equal(t, kafka.NONE, leader.Append(t0, 2))
	w.settle()
	s, _ = leader.Hosted(t0)
	require.Equal(t, State{Role: RoleLeader, Leader: 2, ZkVersion: 1, ISR: []kafka.BrokerID{2, 3}, EndOffset: 2, HW: 2}, s)
	s, _ = follower.Hosted(t0)
	require.Equal(t, State{Role: RoleFollower, Leader: 2, EndOffset: 2, HW: 2}, s)
	require.Equal(t, kafka.NOT_LEADER_OR_FOLLOWER, follower.Append(t0, 1))

	sent := len(w.sent)
	w.pass(3_600_000)
	require.Len(t, w.sent, sent, "where nothing happens nothing is exchanged")
	require.Len(t, w.proposals(), 1)
}

// The high watermark waits for a member of the ISR that lags; the leader proposes to drop it at the first check after
// more than replica.lag.time.max.ms, and takes it in again when it has caught up.
func TestShrinkAndExpand(t *testing.T) {
	w, leader, follower := pair(t, t0)
	w.settle()
	require.True(t, follower.Lag(t0, true))
	leader.Append(t0, 3)
	w.pass(44_999)
	require.Len(t, w.proposals(), 1)
	s, _ := leader.Hosted(t0)
	require.Equal(t, int64(0), s.HW)
	w.pass(1)
	w.settle()
	require.Equal(t, []request.AlterIsrPartition{{TopicPartition: t0, ISR: []kafka.BrokerID{2}, ZkVersion: 1}}, w.proposals()[1].Partitions)
	s, _ = leader.Hosted(t0)
	require.Equal(t, State{Role: RoleLeader, Leader: 2, ZkVersion: 2, ISR: []kafka.BrokerID{2}, EndOffset: 3, HW: 3}, s)
	require.True(t, follower.Lag(t0, false))
	w.settle()
	require.Equal(t, []request.AlterIsrPartition{{TopicPartition: t0, ISR: []kafka.BrokerID{2, 3}, ZkVersion: 2}}, w.proposals()[2].Partitions)
	s, _ = follower.Hosted(t0)
	require.Equal(t, int64(3), s.EndOffset)
	require.False(t, leader.Lag(t0, true), "a leader does not fetch")
}

// A silent follower whose log ends where the leader's ends is never dropped by the leader.
func TestSilentFollowerWithoutLagStays(t *testing.T) {
	w, _, _ := pair(t, t0)
	w.settle()
	w.down[2] = true
	w.pass(600_000)
	require.Len(t, w.proposals(), 1)
}

// An unclean election loses records: the old leader cuts its log back to where the logs part.
func TestTruncationAfterUncleanElection(t *testing.T) {
	w, old, young := pair(t, t0)
	old.Append(t0, 3)
	w.settle()
	young.Lag(t0, true)
	old.Append(t0, 2)
	w.settle()
	delete(young.lagging, t0)
	for _, n := range []*node{young, old} {
		e := entry(t0, 3, 1, 2, 3)
		e.ISR = []kafka.BrokerID{3}
		n.HandleLeaderAndIsr(lai(1, e))
	}
	young.Append(t0, 1)
	require.Equal(t, []EpochStart{{0, 0}, {1, 3}}, young.disk.Logs[t0].Epochs)
	require.Equal(t, int64(5), old.disk.Logs[t0].EndOffset)
	w.settle()
	require.Equal(t, int64(4), old.disk.Logs[t0].EndOffset)
	require.Equal(t, []EpochStart{{0, 0}, {1, 3}}, old.disk.Logs[t0].Epochs)
	require.Contains(t, old.keys(), "broker.truncated")
	require.Equal(t, int64(4), old.disk.Logs[t0].HighWatermark)
}

func TestAlterIsrOneRequestInFlight(t *testing.T) {
	w, _, _ := pair(t, t0, t1)
	w.settle()
	var sizes []int
	for _, r := range w.proposals() {
		sizes = append(sizes, len(r.Partitions))
	}
	// The fetch that names both partitions expands both before anything is sent.
	require.Equal(t, []int{2}, sizes)

	w, leader, _ := pair(t)
	for _, tp := range []kafka.TopicPartition{t0, t1} {
		w.lead(0, leader, w.brokers[3], tp)
	}
	w.settle()
	require.Len(t, w.proposals(), 2, "the second partition waits for the answer about the first")
	require.Equal(t, t1, w.proposals()[1].Partitions[0].TopicPartition)
}

func TestAlterIsrTopLevelErrorsAreRetried(t *testing.T) {
	w, leader, _ := pair(t, t0)
	refused := 0
	w.alter = func(r request.AlterIsr) request.AlterIsrResponse {
		if refused++; refused <= 2 {
			return request.AlterIsrResponse{Error: kafka.STALE_BROKER_EPOCH}
		}
		return accept(r)
	}
	w.settle()
	require.Equal(t, 1, refused)
	w.pass(49)
	require.Equal(t, 1, refused)
	w.pass(1)
	w.settle()
	require.Equal(t, 2, refused)
	w.pass(50)
	w.settle()
	s, _ := leader.Hosted(t0)
	require.Equal(t, []kafka.BrokerID{2, 3}, s.ISR)
	require.Nil(t, s.Pending)
}

// NOT_CONTROLLER makes the sender ask the controller that the next UpdateMetadata names.
func TestAlterIsrFollowsTheController(t *testing.T) {
	w, leader, _ := pair(t, t0)
	w.alter = func(request.AlterIsr) request.AlterIsrResponse {
		return request.AlterIsrResponse{Error: kafka.NOT_CONTROLLER}
	}
	w.settle()
	require.Equal(t, kafka.BrokerID(1), leader.ActiveController())
	w.alter = accept
	r := um(2, 1, 2, 3)
	r.ControllerID = 3
	leader.HandleUpdateMetadata(r)
	w.settle()
	require.Equal(t, kafka.BrokerID(3), leader.proposals.conn.To)
	s, _ := leader.Hosted(t0)
	require.Equal(t, []kafka.BrokerID{2, 3}, s.ISR)
}

// After 3, 74 and 95 the proposal stays pending and nothing more is proposed before a new LeaderAndIsr; others are retried.
func TestAlterIsrPartitionErrors(t *testing.T) {
	for _, code := range []kafka.Error{kafka.UNKNOWN_TOPIC_OR_PARTITION, kafka.FENCED_LEADER_EPOCH, kafka.INVALID_UPDATE_VERSION, kafka.UNKNOWN_SERVER_ERROR} {
		w, leader, follower := pair(t, t0)
		times := 0
		w.alter = func(r request.AlterIsr) request.AlterIsrResponse {
			if times++; times > 1 {
				return accept(r)
			}
			return request.AlterIsrResponse{Partitions: []request.AlterIsrResult{{TopicPartition: t0, Error: code}}}
		}
		w.settle()
		leader.Append(t0, 1)
		w.settle()
		s, _ := leader.Hosted(t0)
		if code == kafka.UNKNOWN_SERVER_ERROR {
			require.Equal(t, []kafka.BrokerID{2, 3}, s.ISR, code)
			continue
		}
		require.Equal(t, 1, times, code)
		require.Equal(t, []kafka.BrokerID{2}, s.ISR, code)
		require.Equal(t, []kafka.BrokerID{2, 3}, s.Pending, code)
		w.lead(1, leader, follower, t0)
		w.settle()
		s, _ = leader.Hosted(t0)
		require.Equal(t, []kafka.BrokerID{2, 3}, s.ISR, code)
		require.Nil(t, s.Pending)
	}
}

func TestAlterIsrOldAnswersAreIgnored(t *testing.T) {
	for _, change := range []func(*request.AlterIsrResult){
		func(x *request.AlterIsrResult) { x.LeaderEpoch = 1 }, func(x *request.AlterIsrResult) { x.ZkVersion = -1 }} {
		w, leader, _ := pair(t, t0)
		w.alter = func(r request.AlterIsr) request.AlterIsrResponse {
			a := accept(r)
			change(&a.Partitions[0])
			return a
		}
		w.settle()
		s, _ := leader.Hosted(t0)
		require.Equal(t, []kafka.BrokerID{2}, s.ISR)
		require.Equal(t, int32(0), s.ZkVersion)
	}
}

// With fetching off nothing is proposed but what a replayer says.
func TestProposalsOfARecording(t *testing.T) {
	w := newWorld(t)
	w.alter = accept
	manual := func(c *Config) { c.Fetching = false }
	leader, follower := w.start(2, NewDisk(1), manual), w.start(3, NewDisk(1), manual)
	for _, n := range []*node{leader, follower} {
		n.HandleUpdateMetadata(um(1, 1, 2, 3))
	}
	w.lead(0, leader, follower, t0)
	w.pass(100_000)
	require.Empty(t, w.sent)
	leader.ProposeISR([]request.AlterIsrPartition{{TopicPartition: t0, ISR: []kafka.BrokerID{2, 3}}})
	w.settle()
	s, _ := leader.Hosted(t0)
	require.Equal(t, State{Role: RoleLeader, Leader: 2, ZkVersion: 1, ISR: []kafka.BrokerID{2, 3}}, s)
}

// A follower that hears of the new epoch before its leader does tries again after replica.fetch.backoff.ms, also when
// the leader cannot be reached.
func TestFetchBackOff(t *testing.T) {
	w, leader, follower := pair(t)
	e := entry(t0, 2, 0, 2, 3)
	e.ISR = []kafka.BrokerID{2}
	follower.HandleLeaderAndIsr(lai(1, e))
	w.settle()
	w.down[2] = true
	leader.HandleLeaderAndIsr(lai(1, e))
	w.pass(999)
	require.Empty(t, w.proposals())
	w.pass(1) // refused: the leader is down
	w.settle()
	w.down[2] = false
	w.pass(999)
	require.Empty(t, w.proposals())
	w.pass(1)
	w.settle()
	require.Len(t, w.proposals(), 1)
}

// A follower that was not told of a new epoch is fenced and stays out, as after a controlled shutdown.
func TestFencedFollowerStopsFetching(t *testing.T) {
	w, leader, follower := pair(t, t0)
	w.settle()
	e := entry(t0, 2, 1, 2, 3)
	e.ISR = []kafka.BrokerID{2}
	leader.HandleLeaderAndIsr(lai(1, e))
	w.pass(100_000)
	require.Len(t, w.proposals(), 1)
	require.Empty(t, follower.fetchers)
}

// A controller that does not answer is given up after controller.socket.timeout.ms, and asked again 100 ms later.
func TestAlterIsrWithoutAnswer(t *testing.T) {
	w, leader, _ := pair(t, t0)
	w.silent = true
	w.pass(30_099)
	require.Len(t, w.proposals(), 1)
	w.silent = false
	w.pass(1)
	w.settle()
	require.Len(t, w.proposals(), 2)
	s, _ := leader.Hosted(t0)
	require.Equal(t, []kafka.BrokerID{2, 3}, s.ISR)
	w.pass(100_000)
	require.Len(t, w.proposals(), 2)
}

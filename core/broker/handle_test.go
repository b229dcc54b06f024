package broker

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"controllerscope/core/env"
	"controllerscope/core/kafka"
	"controllerscope/core/request"
)

func stop(controllerEpoch int32, del bool, epochs ...int32) request.StopReplica {
	r := request.StopReplica{Control: control(controllerEpoch)}
	for _, e := range epochs {
		r.Partitions = append(r.Partitions, request.StopReplicaPartition{TopicPartition: t0, LeaderEpoch: e, Delete: del})
	}
	return r
}

// Chapter 15.1: an older broker epoch is refused, -1 is not checked, a greater one is accepted; the three answers differ in shape.
func TestBrokerEpochCheck(t *testing.T) {
	for _, c := range []struct {
		asked int64
		top   kafka.Error
	}{{kafka.UnknownBrokerEpoch, kafka.NONE}, {49, kafka.STALE_BROKER_EPOCH}, {50, kafka.NONE}, {51, kafka.NONE}} {
		n := newWorld(t).start(2, NewDisk(1))
		l := lai(1, entry(t0, 2, 0, 2))
		l.BrokerEpoch = c.asked
		a := n.HandleLeaderAndIsr(l)
		require.Equal(t, c.top, a.Error)
		require.Equal(t, []kafka.Error{c.top}, answers(a), "LeaderAndIsr repeats it per partition")
		s := stop(1, false, 1)
		s.BrokerEpoch = c.asked
		b := n.HandleStopReplica(s)
		require.Equal(t, c.top, b.Error)
		require.Equal(t, c.top == kafka.NONE, len(b.Errors) == 1, "StopReplica has no entries when refused")
		u := um(1, 1, 2)
		u.BrokerEpoch = c.asked
		require.Equal(t, request.ControlResponse{Of: "UpdateMetadata", Error: c.top}, n.HandleUpdateMetadata(u))
	}
}

func TestBrokerEpochGuardOff(t *testing.T) {
	w := newWorld(t)
	w.off[env.GuardBrokerEpoch] = true
	n := w.start(2, NewDisk(1))
	r := lai(1, entry(t0, 2, 0, 2))
	r.BrokerEpoch = 3
	require.Equal(t, kafka.NONE, n.HandleLeaderAndIsr(r).Error)
	s, _ := n.Hosted(t0)
	require.Equal(t, RoleLeader, s.Role)
}

func TestFencedNoteNamesBothEpochs(t *testing.T) {
	n := newWorld(t).start(2, NewDisk(1))
	r := lai(1, entry(t0, 2, 0, 2))
	r.BrokerEpoch = 49
	n.HandleLeaderAndIsr(r)
	require.Len(t, n.notes, 1)
	require.Equal(t, env.ReqFenced, n.notes[0].Kind)
	require.Equal(t, []env.Arg{env.A("kind", "LeaderAndIsr"), env.A("controller", int64(1)), env.A("epoch", "zxid:0x31"),
		env.A("own", "zxid:0x32"), env.A("error", "STALE_BROKER_EPOCH")}, n.notes[0].Args)
}

// Chapter 15.2, step 1; 15.3, step 1; 15.4: the highest controller epoch seen in any of the three fences older ones.
func TestControllerEpochCheck(t *testing.T) {
	n := newWorld(t).start(2, NewDisk(1))
	require.Equal(t, kafka.NONE, n.HandleUpdateMetadata(um(5, 1, 2)).Error)
	a := n.HandleLeaderAndIsr(lai(4, entry(t0, 2, 0, 2), entry(t1, 2, 0, 2)))
	require.Equal(t, kafka.STALE_CONTROLLER_EPOCH, a.Error)
	require.Equal(t, []kafka.Error{kafka.STALE_CONTROLLER_EPOCH, kafka.STALE_CONTROLLER_EPOCH}, answers(a))
	b := n.HandleStopReplica(stop(4, true, 1))
	require.Equal(t, kafka.STALE_CONTROLLER_EPOCH, b.Error)
	require.Empty(t, b.Errors)
	require.Equal(t, kafka.STALE_CONTROLLER_EPOCH, n.HandleUpdateMetadata(um(4, 2)).Error)
	require.Len(t, n.AliveBrokers(), 2, "a fenced UpdateMetadata changes nothing")
	require.Equal(t, kafka.NONE, n.HandleLeaderAndIsr(lai(5, entry(t0, 2, 0, 2))).Error)
	require.Equal(t, kafka.NONE, n.HandleLeaderAndIsr(lai(6, entry(t1, 2, 0, 2))).Error)
	require.Equal(t, kafka.STALE_CONTROLLER_EPOCH, n.HandleUpdateMetadata(um(5, 2)).Error)
	require.Equal(t, int64(6), n.w.doc["broker|2|controllerEpoch"])
}

// Chapter 15.2, the table of step 2, in its order.
func TestLeaderAndIsrChecks(t *testing.T) {
	other := func(e request.LeaderAndIsrPartition) request.LeaderAndIsrPartition {
		e.TopicID = kafka.UUID{8}
		return e
	}
	noID := func(e request.LeaderAndIsrPartition) request.LeaderAndIsrPartition {
		e.TopicID = kafka.UUID{}
		return e
	}
	for _, c := range []struct {
		name string
		e    request.LeaderAndIsrPartition
		want kafka.Error
	}{
		{"newer leader epoch", entry(t0, 2, 5, 2, 3), kafka.NONE},
		{"equal leader epoch", entry(t0, 2, 4, 2, 3), kafka.STALE_CONTROLLER_EPOCH},
		{"older leader epoch", entry(t0, 2, 3, 2, 3), kafka.STALE_CONTROLLER_EPOCH},
		{"not in replicas", entry(t0, 3, 5, 3), kafka.UNKNOWN_TOPIC_OR_PARTITION},
		{"not in replicas and equal epoch", entry(t0, 3, 4, 3), kafka.STALE_CONTROLLER_EPOCH},
		{"another topic id", other(entry(t0, 2, 5, 2, 3)), kafka.INCONSISTENT_TOPIC_ID},
		{"another topic id and older epoch", other(entry(t0, 2, 3, 2, 3)), kafka.INCONSISTENT_TOPIC_ID},
		{"another topic id, the log's first", other(entry(t0, 2, 4, 2, 3)), kafka.STALE_CONTROLLER_EPOCH},
		{"no topic id", noID(entry(t0, 2, 5, 2, 3)), kafka.NONE},
	} {
		n := newWorld(t).start(2, NewDisk(1))
		require.Equal(t, []kafka.Error{kafka.NONE}, answers(n.HandleLeaderAndIsr(lai(1, entry(t0, 2, 4, 2, 3)))))
		if c.want == kafka.INCONSISTENT_TOPIC_ID { // the log gets its id from the second request that names one
			require.Equal(t, []kafka.Error{kafka.STALE_CONTROLLER_EPOCH}, answers(n.HandleLeaderAndIsr(lai(1, entry(t0, 2, 4, 2, 3)))), c.name)
		}
		a := n.HandleLeaderAndIsr(lai(1, c.e))
		require.Equal(t, kafka.NONE, a.Error, c.name)
		require.Equal(t, []kafka.Error{c.want}, answers(a), c.name)
		s, _ := n.Hosted(t0)
		require.Equal(t, RoleLeader, s.Role, c.name)
		if c.want != kafka.NONE {
			require.Equal(t, int32(4), s.LeaderEpoch, c.name)
		}
	}
}

// 15.2, step 5: a partition that this broker is not assigned to answers KAFKA_STORAGE_ERROR from then on.
func TestWrongLeaderAndIsrMarksOffline(t *testing.T) {
	n := newWorld(t).start(2, NewDisk(1))
	require.Equal(t, []kafka.Error{kafka.UNKNOWN_TOPIC_OR_PARTITION}, answers(n.HandleLeaderAndIsr(lai(1, entry(t0, 3, 0, 3)))))
	require.Equal(t, []kafka.Error{kafka.KAFKA_STORAGE_ERROR}, answers(n.HandleLeaderAndIsr(lai(1, entry(t0, 2, 1, 2)))))
	require.Equal(t, []kafka.Error{kafka.KAFKA_STORAGE_ERROR}, answers(n.HandleStopReplica(stop(1, true, -2))))
	require.Equal(t, "offline", n.w.doc["broker|2|replica|t-0|role"])
}

func TestBecomeLeader(t *testing.T) {
	n := newWorld(t).start(2, NewDisk(1))
	e := entry(t0, 2, 3, 2, 3)
	e.ZkVersion = 9
	require.Equal(t, []kafka.Error{kafka.NONE}, answers(n.HandleLeaderAndIsr(lai(1, e))))
	require.Equal(t, map[string]any{"broker|2|controllerEpoch": int64(1), "broker|2|log|t-0": int64(0),
		"broker|2|replica|t-0|role": "leader", "broker|2|replica|t-0|leader": int64(2), "broker|2|replica|t-0|leaderEpoch": int64(3),
		"broker|2|replica|t-0|zkVersion": int64(9), "broker|2|replica|t-0|isr": []any{int64(2), int64(3)},
		"broker|2|replica|t-0|leo": int64(0), "broker|2|replica|t-0|hw": int64(0)}, n.w.doc)
	require.Equal(t, []string{"t"}, n.topics, "a new log reads its topic's configuration")
	require.Equal(t, []string{"broker.controllerEpoch", "broker.leader"}, n.keys())
	require.Equal(t, []kafka.Error{kafka.NONE}, answers(n.HandleLeaderAndIsr(lai(1, entry(t0, 2, 4, 2, 3)))))
	require.Equal(t, []string{"t"}, n.topics, "an existing log does not")
}

// 15.2, step 4: a follower whose leader is not among the alive brokers of its cache gets its log and keeps its epoch.
func TestFollowerOfUnknownLeader(t *testing.T) {
	n := newWorld(t).start(2, NewDisk(1))
	n.HandleUpdateMetadata(um(1, 1, 2))
	require.Equal(t, []kafka.Error{kafka.NONE}, answers(n.HandleLeaderAndIsr(lai(1, entry(t0, 3, 2, 3, 2)))))
	s, _ := n.Hosted(t0)
	require.Equal(t, State{Role: RoleIdle, Leader: -1, LeaderEpoch: -1}, s)
	require.Contains(t, n.disk.Logs, t0)
	n.HandleUpdateMetadata(um(1, 1, 2, 3))
	require.Equal(t, []kafka.Error{kafka.NONE}, answers(n.HandleLeaderAndIsr(lai(1, entry(t0, 3, 2, 3, 2)))), "the same epoch is accepted: it was not taken")
	s, _ = n.Hosted(t0)
	require.Equal(t, State{Role: RoleFollower, Leader: 3, LeaderEpoch: 2}, s)
	// A leader that hears of "no leader" goes on as it was.
	require.Equal(t, []kafka.Error{kafka.NONE}, answers(n.HandleLeaderAndIsr(lai(1, entry(t1, 2, 0, 2)))))
	require.Equal(t, []kafka.Error{kafka.NONE}, answers(n.HandleLeaderAndIsr(lai(1, entry(t1, kafka.NoLeader, 1, 2)))))
	s, _ = n.Hosted(t1)
	require.Equal(t, State{Role: RoleLeader, Leader: 2, ISR: []kafka.BrokerID{2}}, s)
}

// 15.2, step 6: with a failed log directory only a new replica gets a log.
func TestIsNewRule(t *testing.T) {
	n := newWorld(t).start(2, NewDisk(2))
	n.disk.Dirs[1].Offline = true
	old := entry(t0, 2, 0, 2)
	old.IsNew = false
	require.Equal(t, []kafka.Error{kafka.KAFKA_STORAGE_ERROR, kafka.NONE}, answers(n.HandleLeaderAndIsr(lai(1, old, entry(t1, 2, 0, 2)))))
	require.Equal(t, []string{"t"}, n.topics, "the refused one read nothing")
	// Without a failed directory a missing log is created whatever isNew says.
	n = newWorld(t).start(2, NewDisk(2))
	require.Equal(t, []kafka.Error{kafka.NONE}, answers(n.HandleLeaderAndIsr(lai(1, old))))
}

func TestUnreadableTopicConfig(t *testing.T) {
	n := newWorld(t).start(2, NewDisk(1))
	n.failing = errors.New("session expired")
	require.Equal(t, []kafka.Error{kafka.NONE}, answers(n.HandleLeaderAndIsr(lai(1, entry(t0, 2, 0, 2)))))
	s, _ := n.Hosted(t0)
	require.Equal(t, RoleOffline, s.Role)
}

// Chapter 15.3, step 2.
func TestStopReplicaEpochs(t *testing.T) {
	for _, c := range []struct {
		epoch int32
		want  kafka.Error
	}{{kafka.EpochDuringDelete, kafka.NONE}, {kafka.NoEpoch, kafka.NONE}, {3, kafka.FENCED_LEADER_EPOCH}, {4, kafka.FENCED_LEADER_EPOCH}, {5, kafka.NONE}} {
		for _, del := range []bool{false, true} {
			n := newWorld(t).start(2, NewDisk(1))
			n.HandleLeaderAndIsr(lai(1, entry(t0, 2, 4, 2)))
			require.Equal(t, []kafka.Error{c.want}, answers(n.HandleStopReplica(stop(1, del, c.epoch))))
			s, hosted := n.Hosted(t0)
			require.Equal(t, !del || c.want != kafka.NONE, hosted)
			if hosted {
				require.Equal(t, int32(4), s.LeaderEpoch, "delete=false leaves the partition and its epoch")
			}
			require.Equal(t, hosted, n.disk.Logs[t0] != nil)
		}
	}
}

func TestStopReplicaOfUnknownPartitionDeletesItsLog(t *testing.T) {
	disk := NewDisk(1)
	n := newWorld(t).start(2, disk)
	n.HandleLeaderAndIsr(lai(1, entry(t0, 2, 0, 2)))
	w := newWorld(t) // the next process with the same disk
	w.doc["broker|2|log|t-0"] = int64(0)
	n = w.start(2, disk)
	require.Equal(t, []kafka.Error{kafka.NONE}, answers(n.HandleStopReplica(stop(1, false, 0))))
	require.Contains(t, disk.Logs, t0)
	require.Equal(t, []kafka.Error{kafka.NONE}, answers(n.HandleStopReplica(stop(1, true, 0))))
	require.NotContains(t, disk.Logs, t0)
}

// Chapter 15.4.
func TestUpdateMetadata(t *testing.T) {
	n := newWorld(t).start(2, NewDisk(1))
	with := func(r request.UpdateMetadata, tp kafka.TopicPartition, leader kafka.BrokerID, epoch int32) request.UpdateMetadata {
		r.Partitions = append(r.Partitions, request.UpdateMetadataPartition{TopicPartition: tp, ControllerEpoch: 1,
			LeaderAndIsr: kafka.LeaderAndIsr{Leader: leader, LeaderEpoch: epoch, ISR: []kafka.BrokerID{2}}, Replicas: []kafka.BrokerID{2, 3}})
		return r
	}
	n.HandleUpdateMetadata(with(with(um(1, 3, 2, 1), t0, 2, 7), t1, 3, 7))
	require.Equal(t, kafka.BrokerID(1), n.ActiveController())
	require.Equal(t, []kafka.BrokerID{1, 2, 3}, ids(n.AliveBrokers()))
	n.HandleUpdateMetadata(with(um(1, 2), t0, 3, 6)) // an older leader epoch: the last write wins
	p, _ := n.CachedPartition(t0)
	require.Equal(t, int32(6), p.LeaderEpoch)
	require.Equal(t, []kafka.BrokerID{2}, ids(n.AliveBrokers()), "the list is replaced")
	_, known := n.CachedPartition(t1)
	require.True(t, known, "what is not named stays")
	n.HandleUpdateMetadata(with(um(1, 2), t0, kafka.LeaderDuringDelete, 0))
	require.True(t, n.HasTopic("t"))
	n.HandleUpdateMetadata(with(um(1, 2), t1, kafka.LeaderDuringDelete, 0))
	require.False(t, n.HasTopic("t"), "the topic goes with its last partition")
}

func ids(brokers []kafka.Broker) (list []kafka.BrokerID) {
	for _, b := range brokers {
		list = append(list, b.ID)
	}
	return list
}

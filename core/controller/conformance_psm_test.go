package controller

import (
	"testing"

	"github.com/stretchr/testify/require"

	"controllerscope/core/env"
	"controllerscope/core/kafka"
	"controllerscope/core/zk"
	"controllerscope/core/zkclient"
	"controllerscope/core/zkdata"
)

// The cases of Kafka's PartitionStateMachineTest, by id.

// fixture is F-PSM and F-RSM: the machines of controller 5 on a fresh context, epoch 50, version of /controller_epoch 0,
// partition t-0 (nothing is known of it), the given brokers live with broker epoch 1. Every request to ZooKeeper and to
// brokers is recorded; ZooKeeper has the topic's znode only.
func fixture(t *testing.T, alive ...kafka.BrokerID) (*world, *proc) {
	w := newWorld(t)
	w.blind = true
	for _, path := range []string{"/brokers", "/brokers/topics", "/brokers/topics/t"} {
		w.doQuietly(zk.Op{Kind: zk.Create, Path: path})
	}
	w.doQuietly(zk.Op{Kind: zk.Create, Path: zkdata.ControllerEpochPath, Data: []byte("50")})
	p := &proc{w: w, id: 5, guards: map[string]bool{}}
	p.zk = zkclient.New(p, p, zkclient.Options{Client: "5", TimeoutMS: 18_000})
	p.ctl = New(Config{BrokerID: 5, Protocol: kafka.LatestAPIVersion()}, p, p.zk, p)
	w.procs = append(w.procs, p)
	p.within(func() { require.NoError(t, p.zk.Connect()) })
	x := p.ctl.ctx
	x.setEpoch(50, 0)
	for _, id := range alive {
		x.addLiveBrokers([]liveBroker{{kafka.Broker{ID: id}, 1}})
	}
	p.ctl.channels.startup(x.liveOrShuttingDownBrokers())
	w.forgetLog()
	return w, p
}

var t0 = tpOf("t", 0)

// storeState stores a state of t-0 in ZooKeeper at version 0, written under controller epoch 50, and caches it.
func storeState(t *testing.T, w *world, p *proc, l kafka.LeaderAndIsr) {
	for _, path := range []string{"/brokers/topics/t/partitions", "/brokers/topics/t/partitions/0"} {
		w.doQuietly(zk.Op{Kind: zk.Create, Path: path})
	}
	info := kafka.Leadership{LeaderAndIsr: l, ControllerEpoch: 50}
	w.doQuietly(zk.Op{Kind: zk.Create, Path: zkdata.TopicPartitionStatePath(t0), Data: zkdata.EncodeTopicPartitionState(info)})
	require.NoError(t, p.ctl.ctx.putLeadership(t0, info))
}

// newVersion lets the next fenced write of a state succeed and report that version, as Kafka's mock does.
func newVersion(w *world, version int32) {
	w.fake = func(op zk.Op) (zk.Result, bool) {
		if !isStateWrite(op) {
			return zk.Result{}, false
		}
		return zk.Result{Results: []zk.Result{{}, {Stat: zk.Stat{Version: version}}}}, true
	}
}

// movePartition moves t-0 and returns what it is then; the call itself must not fail.
func movePartition(t *testing.T, p *proc, to kafka.PartitionState, s *strategy) kafka.PartitionState {
	p.within(func() {
		_, err := p.ctl.psm.handleStateChanges([]kafka.TopicPartition{t0}, to, s)
		require.NoError(t, err)
	})
	return p.ctl.ctx.partitionState(t0)
}

// lastLeaderAndIsr is the only LeaderAndIsr request that was sent: one, to broker 5, with one partition.
func lastLeaderAndIsr(t *testing.T, p *proc) request0 {
	require.Len(t, p.leaderAndIsr, 1)
	require.Len(t, p.leaderAndIsr[0].Partitions, 1)
	return request0{p.leaderAndIsr[0].ControllerEpoch, p.leaderAndIsr[0].Partitions[0].LeaderAndIsr, p.leaderAndIsr[0].Partitions[0].ControllerEpoch,
		p.leaderAndIsr[0].Partitions[0].Assignment, p.leaderAndIsr[0].Partitions[0].IsNew}
}

// request0 is what the cases say of a LeaderAndIsr request.
type request0 struct {
	sentUnder       int32
	state           kafka.LeaderAndIsr
	controllerEpoch int32
	assignment      kafka.ReplicaAssignment
	isNew           bool
}

// PSM-01: NonExistent to New is legal.
func TestPSM_01(t *testing.T) {
	_, p := fixture(t)
	require.Equal(t, kafka.NewPartition, movePartition(t, p, kafka.NewPartition, nil))
}

// PSM-02: NonExistent to Online is refused.
func TestPSM_02(t *testing.T) {
	_, p := fixture(t)
	require.Equal(t, kafka.NonExistentPartition, movePartition(t, p, kafka.OnlinePartition, offlineStrategy(false)))
}

// PSM-04: New to Online creates the state znode and sends a LeaderAndIsr that says new.
func TestPSM_04(t *testing.T) {
	w, p := fixture(t, 5)
	require.NoError(t, p.ctl.ctx.putAssignment(t0, replicas(5)))
	p.ctl.ctx.putPartitionState(t0, kafka.NewPartition)
	w.forgetLog()
	require.Equal(t, kafka.OnlinePartition, movePartition(t, p, kafka.OnlinePartition, offlineStrategy(false)))
	require.Equal(t, []string{
		"5: multi(check /controller_epoch, create /brokers/topics/t/partitions)",
		"5: multi(check /controller_epoch, create /brokers/topics/t/partitions/0)",
		"5: multi(check /controller_epoch, create /brokers/topics/t/partitions/0/state 5/[5]/0)",
	}, w.asked)
	require.Equal(t, []string{"LeaderAndIsr>5 t-0 5/[5]/0 new=true", "UpdateMetadata>5 live=[5]; t-0 5/[5]/0 offline=[]"}, w.sent)
	data, stat, _ := w.store.Node(zkdata.TopicPartitionStatePath(t0))
	stored, ok, err := zkdata.DecodeTopicPartitionState(t0, data, stat.Version)
	require.NoError(t, err)
	require.True(t, ok)
	want := kafka.LeaderAndIsr{Leader: 5, ISR: ids(5)}
	require.Equal(t, kafka.Leadership{LeaderAndIsr: want, ControllerEpoch: 50}, stored)
	require.Equal(t, request0{50, want, 50, replicas(5), true}, lastLeaderAndIsr(t, p))
}

// PSM-07: New to Offline is legal.
func TestPSM_07(t *testing.T) {
	_, p := fixture(t)
	p.ctl.ctx.putPartitionState(t0, kafka.NewPartition)
	require.Equal(t, kafka.OfflinePartition, movePartition(t, p, kafka.OfflinePartition, nil))
}

// PSM-09: Online to Online with the preferred strategy elects again, one leader epoch higher.
func TestPSM_09(t *testing.T) {
	w, p := fixture(t, 5)
	require.NoError(t, p.ctl.ctx.putAssignment(t0, replicas(5)))
	storeState(t, w, p, kafka.LeaderAndIsr{Leader: 5, ISR: ids(5)})
	p.ctl.ctx.putPartitionState(t0, kafka.OnlinePartition)
	var written zk.Op
	newVersion(w, 2)
	answer := w.fake
	w.fake = func(op zk.Op) (zk.Result, bool) {
		if isStateWrite(op) {
			written = op
		}
		return answer(op)
	}
	w.forgetLog()
	require.Equal(t, kafka.OnlinePartition, movePartition(t, p, kafka.OnlinePartition, &strategy{kind: preferredReplicaElection}))
	require.Equal(t, []string{
		"5: get /brokers/topics/t/partitions/0/state",
		"5: multi(check /controller_epoch, set /brokers/topics/t/partitions/0/state 5/[5]/1)",
	}, w.asked)
	require.Equal(t, zk.Op{Kind: zk.Check, Path: "/controller_epoch", Version: 0}, written.Ops[0])
	require.EqualValues(t, 0, written.Ops[1].Version)
	next := kafka.LeaderAndIsr{Leader: 5, LeaderEpoch: 1, ISR: ids(5)}
	require.Equal(t, string(zkdata.EncodeTopicPartitionState(kafka.Leadership{LeaderAndIsr: next, ControllerEpoch: 50})), string(written.Ops[1].Data))
	next.ZkVersion = 2
	require.Equal(t, request0{50, next, 50, replicas(5), false}, lastLeaderAndIsr(t, p))
}

// PSM-11: Online to Offline is legal and only marks the state.
func TestPSM_11(t *testing.T) {
	w, p := fixture(t)
	p.ctl.ctx.putPartitionState(t0, kafka.OnlinePartition)
	require.Equal(t, kafka.OfflinePartition, movePartition(t, p, kafka.OfflinePartition, nil))
	require.Empty(t, w.asked)
	require.Empty(t, w.sent)
}

// PSM-12: Online to NonExistent is refused.
func TestPSM_12(t *testing.T) {
	_, p := fixture(t)
	p.ctl.ctx.putPartitionState(t0, kafka.OnlinePartition)
	require.Equal(t, kafka.OnlinePartition, movePartition(t, p, kafka.NonExistentPartition, nil))
}

// PSM-14: Offline to Online elects a live member of the ISR; no topic's configuration is asked for.
func TestPSM_14(t *testing.T) {
	w, p := fixture(t, 5)
	require.NoError(t, p.ctl.ctx.putAssignment(t0, replicas(5)))
	storeState(t, w, p, kafka.LeaderAndIsr{Leader: kafka.NoLeader, ISR: ids(5)})
	p.ctl.ctx.putPartitionState(t0, kafka.OfflinePartition)
	newVersion(w, 2)
	w.forgetLog()
	require.Equal(t, kafka.OnlinePartition, movePartition(t, p, kafka.OnlinePartition, offlineStrategy(false)))
	require.Equal(t, []string{
		"5: get /brokers/topics/t/partitions/0/state",
		"5: multi(check /controller_epoch, set /brokers/topics/t/partitions/0/state 5/[5]/1)",
	}, w.asked)
	require.Equal(t, request0{50, kafka.LeaderAndIsr{Leader: 5, LeaderEpoch: 1, ISR: ids(5), ZkVersion: 2}, 50, replicas(5), false}, lastLeaderAndIsr(t, p))
}

// PSM-16: a failure of the ZooKeeper client while the state is read leaves the partition Offline.
func TestPSM_16(t *testing.T) {
	w, p := fixture(t, 5)
	require.NoError(t, p.ctl.ctx.putAssignment(t0, replicas(5)))
	storeState(t, w, p, kafka.LeaderAndIsr{Leader: kafka.NoLeader, ISR: ids(5)})
	p.ctl.ctx.putPartitionState(t0, kafka.OfflinePartition)
	p.session.state = zk.Expired
	p.zk.StateChanged(zk.Expired)
	w.forgetLog()
	require.Equal(t, kafka.OfflinePartition, movePartition(t, p, kafka.OnlinePartition, offlineStrategy(false)))
	require.Empty(t, w.stateWrites())
	require.Empty(t, w.sent, "the batch that is sent is empty")
	require.Contains(t, w.keys(env.SmRefuse), "psm.failed")
	require.NoError(t, p.ctl.psm.batch.newBatch(), "and nothing is left in it")
}

// PSM-18: Offline to NonExistent is legal.
func TestPSM_18(t *testing.T) {
	_, p := fixture(t)
	p.ctl.ctx.putPartitionState(t0, kafka.OfflinePartition)
	require.Equal(t, kafka.NonExistentPartition, movePartition(t, p, kafka.NonExistentPartition, nil))
}

// PSM-19: Offline to New is refused.
func TestPSM_19(t *testing.T) {
	_, p := fixture(t)
	p.ctl.ctx.putPartitionState(t0, kafka.OfflinePartition)
	require.Equal(t, kafka.OfflinePartition, movePartition(t, p, kafka.NewPartition, nil))
}

// PSM-20: the count of offline partitions goes up with Offline and down with Online.
func TestPSM_20(t *testing.T) {
	w, p := fixture(t, 5)
	w.doQuietly(zk.Op{Kind: zk.Create, Path: "/brokers/topics/test"})
	w.doQuietly(zk.Op{Kind: zk.Create, Path: "/brokers/topics/test/partitions"})
	var tps []kafka.TopicPartition
	for i := range int32(4) {
		tp := tpOf("test", i)
		tps = append(tps, tp)
		require.NoError(t, p.ctl.ctx.putAssignment(tp, replicas(5)))
		w.doQuietly(zk.Op{Kind: zk.Create, Path: zkdata.TopicPartitionPath(tp)})
		w.doQuietly(zk.Op{Kind: zk.Create, Path: zkdata.TopicPartitionStatePath(tp), Data: zkdata.EncodeTopicPartitionState(
			kafka.Leadership{LeaderAndIsr: kafka.LeaderAndIsr{Leader: 5, ISR: ids(5)}, ControllerEpoch: 50})})
	}
	move := func(to kafka.PartitionState) int {
		p.within(func() {
			_, err := p.ctl.psm.handleStateChanges(tps, to, offlineStrategy(false))
			require.NoError(t, err)
		})
		return p.ctl.ctx.offlinePartitionCount
	}
	require.Equal(t, 0, move(kafka.NewPartition))
	require.Equal(t, 4, move(kafka.OfflinePartition))
	require.Equal(t, 0, move(kafka.OnlinePartition))
}

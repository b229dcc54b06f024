package controller

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"controllerscope/core/env"
	"controllerscope/core/kafka"
	"controllerscope/core/request"
	"controllerscope/core/zk"
	"controllerscope/core/zkdata"
)

func deleteOf(path string) zk.Op { return zk.Op{Kind: zk.Delete, Path: path, Version: zk.AnyVersion} }

// A broker registers again before the controller looks: the ids are the same, the czxid is greater.
func bounce(w *world, p *proc) {
	data, _, _ := w.store.Node(zkdata.BrokerIDPath(p.id))
	w.doQuietly(deleteOf(zkdata.BrokerIDPath(p.id)))
	r, fx, err := w.store.Apply(w.now, p.session.id, zk.Op{Kind: zk.Create, Path: zkdata.BrokerIDPath(p.id), Data: data, Mode: zk.Ephemeral})
	require.NoError(w.t, err)
	require.Equal(w.t, zk.OK, r.Err)
	w.deliver(fx)
	w.run()
}

func TestBounce(t *testing.T) {
	w := newWorld(t)
	one := w.start(1)
	two := w.start(2)
	w.start(3)
	w.topic("a", ids(2, 3), ids(3, 2))
	cached := one.ctl.ctx.liveBrokerEpochs[2]
	w.forgetLog()
	bounce(w, two)
	read := one.ctl.ctx.liveBrokerEpochs[2]
	require.Greater(t, read, cached)

	diff := w.find("brokers.changed")
	require.Equal(t, []any{}, arg(diff, "new"))
	require.Equal(t, []any{}, arg(diff, "dead"))
	require.Equal(t, []any{int64(2)}, arg(diff, "bounced"))
	require.Equal(t, env.Zxid(cached), arg(diff, "cached").(env.Record).Get("2"))
	require.Equal(t, env.Zxid(read), arg(diff, "read").(env.Record).Get("2"))

	require.Equal(t, "3/[3]/1", w.state("a-0"))
	require.Equal(t, "3/[3]/1", w.state("a-1"))
	require.Equal(t, []string{
		"UpdateMetadata>2 live=[1 2 3]; a-0 3/[3]/1 offline=[]; a-1 3/[3]/1 offline=[]",
		"LeaderAndIsr>2 a-0 3/[3]/1 new=false; a-1 3/[3]/1 new=false",
		"UpdateMetadata>2 live=[1 2 3]; a-0 3/[3]/1 offline=[]; a-1 3/[3]/1 offline=[]",
	}, w.to(2), "the bounced broker is told everything, after it was treated as failed")
	require.Equal(t, []string{
		"LeaderAndIsr>3 a-0 3/[3]/1 new=false",
		"UpdateMetadata>3 live=[1 3]; a-0 3/[3]/1 offline=[2]",
		"LeaderAndIsr>3 a-0 3/[3]/1 new=false; a-1 3/[3]/1 new=false",
		"UpdateMetadata>3 live=[1 3]; a-0 3/[3]/1 offline=[2]; a-1 3/[3]/1 offline=[2]",
		"UpdateMetadata>3 live=[1 2 3]",
		"UpdateMetadata>3 live=[1 2 3]; a-0 3/[3]/1 offline=[]; a-1 3/[3]/1 offline=[]",
	}, w.to(3))
	require.Equal(t, []string{
		"1: get /brokers/topics/a/partitions/0/state",
		"1: multi(check /controller_epoch, set /brokers/topics/a/partitions/0/state 3/[3]/1)",
		"1: get /brokers/topics/a/partitions/0/state",
		"1: get /brokers/topics/a/partitions/1/state",
		"1: multi(check /controller_epoch, set /brokers/topics/a/partitions/1/state 3/[3]/1)",
		"1: exists /brokers/ids/2 watch",
	}, w.asked[4:])
}

func TestBounceWithoutTheGuard(t *testing.T) {
	w := newWorld(t)
	one := w.start(1)
	two := w.start(2)
	w.topic("a", ids(2, 1))
	one.guards[env.GuardBrokerEpoch] = true
	w.forgetLog()
	bounce(w, two)
	require.Equal(t, []any{}, arg(w.find("brokers.changed"), "bounced"))
	require.Equal(t, "2/[2 1]/0", w.state("a-0"), "nobody noticed")
	require.Empty(t, w.sent)
}

// The three deaths and births of one event are handled in Kafka's order: new, bounced, dead.
func TestNewBouncedDeadInOneEvent(t *testing.T) {
	w := newWorld(t)
	one := w.start(1)
	two, three := w.start(2), w.start(3)
	w.topic("a", ids(2, 3, 1), ids(3, 2, 1))
	w.forgetLog()
	first := true
	w.hold = func(p *proc, ops []zk.Op) { // before the controller lists the brokers, more happens
		if p == one && first && ops[0].Kind == zk.Children && ops[0].Path == zkdata.BrokerIDsPath {
			first = false
			w.doQuietly(deleteOf(zkdata.BrokerIDPath(3)))
			w.doQuietly(zk.Op{Kind: zk.Create, Path: zkdata.BrokerIDPath(4), Mode: zk.Ephemeral, Data: zkdata.EncodeBroker(zkdata.DefaultBrokerInfo(
				kafka.Broker{ID: 4, Endpoints: []kafka.Endpoint{{Listener: "PLAINTEXT", Protocol: "PLAINTEXT", Host: "b4", Port: 9092}}}), 0)})
		}
	}
	bounce(w, two)
	_ = three
	diff := w.find("brokers.changed")
	require.Equal(t, []any{int64(4)}, arg(diff, "new"))
	require.Equal(t, []any{int64(3)}, arg(diff, "dead"))
	require.Equal(t, []any{int64(2)}, arg(diff, "bounced"))
	// 2 counts as failed first: 3, dead already, is still taken for live and chosen; then 3's own turn comes.
	require.Equal(t, []string{
		"set /brokers/topics/a/partitions/0/state 3/[3 1]/1",
		"set /brokers/topics/a/partitions/1/state 3/[3 1]/1",
		"set /brokers/topics/a/partitions/0/state 1/[1]/2",
		"set /brokers/topics/a/partitions/1/state 1/[1]/2",
	}, w.stateWrites())
}

func TestRaceForTheOffice(t *testing.T) {
	w := newWorld(t)
	one, two, three := w.start(1), w.start(2), w.start(3)
	require.True(t, one.ctl.IsActive())
	w.forgetLog()
	// Between 2's last look and its multi, 3 wins.
	raced := false
	w.hold = func(p *proc, ops []zk.Op) {
		if p == two && ops[0].Kind == zk.Multi && ops[0].Ops[0].Path == "/controller" && !raced {
			raced = true
			r, fx, err := w.store.Apply(w.now, three.session.id, zk.Op{Kind: zk.Multi, Ops: []zk.Op{
				{Kind: zk.Create, Path: "/controller", Data: zkdata.EncodeController(3, 0), Mode: zk.Ephemeral},
				{Kind: zk.Set, Path: "/controller_epoch", Data: []byte("2"), Version: 1}}})
			require.NoError(t, err)
			require.Equal(t, zk.OK, r.Err)
			w.deliver(fx)
		}
	}
	w.kill(one)
	require.True(t, raced)
	require.False(t, two.ctl.IsActive())
	require.Equal(t, kafka.BrokerID(3), two.ctl.ActiveControllerID())
	require.Contains(t, w.keys(env.CtxSet), "elect.lost")
	data, _, _ := w.store.Node("/controller_epoch")
	require.Equal(t, "2", string(data), "the loser's multi was undone as a whole")
}

func TestFailover(t *testing.T) {
	w, one, two, _ := onThree(t, "a", ids(1, 2, 3), ids(2, 3, 1))
	w.kill(one)
	require.True(t, two.ctl.IsActive())
	require.Equal(t, int32(2), two.ctl.Epoch())
	require.Equal(t, "2/[2 3]/2", w.state("a-0"), "the replica machine leaves it without a leader, the partition machine elects")
	require.Equal(t, "2/[2 3]/1", w.state("a-1"))
	require.Equal(t, []string{
		"set /brokers/topics/a/partitions/0/state -1/[2 3]/1",
		"set /brokers/topics/a/partitions/1/state 2/[2 3]/1",
		"set /brokers/topics/a/partitions/0/state 2/[2 3]/2",
	}, w.stateWrites())
	require.Equal(t, []string{
		"UpdateMetadata>3 live=[2 3]",
		"LeaderAndIsr>3 a-0 1/[1 2 3]/0 new=false; a-1 2/[2 3 1]/0 new=false",
		"UpdateMetadata>3 live=[2 3]; a-0 1/[1 2 3]/0 offline=[1]; a-1 2/[2 3 1]/0 offline=[1]",
		"LeaderAndIsr>3 a-0 -1/[2 3]/1 new=false; a-1 2/[2 3]/1 new=false",
		"UpdateMetadata>3 live=[2 3]; a-0 -1/[2 3]/1 offline=[1]; a-1 2/[2 3]/1 offline=[1]",
		"LeaderAndIsr>3 a-0 2/[2 3]/2 new=false",
		"UpdateMetadata>3 live=[2 3]; a-0 2/[2 3]/2 offline=[1]",
	}, w.to(3))
}

// A deposed controller learns of it at its first fenced write; what it did before stays in its memory only.
func TestZombieIsFencedInTheMiddleOfABrokerChange(t *testing.T) {
	w, one, two, three := onThree(t, "a", ids(3, 2), ids(2, 3))
	done := false
	w.hold = func(p *proc, ops []zk.Op) {
		if p == one && !done && ops[0].Kind == zk.Multi && strings.HasSuffix(ops[0].Ops[1].Path, "/0/state") {
			done = true
			w.doQuietly(deleteOf("/controller"))
			r, fx, err := w.store.Apply(w.now, two.session.id, zk.Op{Kind: zk.Multi, Ops: []zk.Op{
				{Kind: zk.Create, Path: "/controller", Data: zkdata.EncodeController(2, 0), Mode: zk.Ephemeral},
				{Kind: zk.Set, Path: "/controller_epoch", Data: []byte("2"), Version: 1}}})
			require.NoError(t, err)
			require.Equal(t, zk.OK, r.Err)
			w.deliver(fx)
		}
	}
	w.kill(three)
	require.True(t, done)
	require.False(t, one.ctl.IsActive())
	require.Equal(t, int32(0), one.ctl.Epoch())
	require.Equal(t, "3/[3 2]/0", w.state("a-0"), "the write was refused")
	require.Equal(t, []string{"controller.moved"}, w.keys(env.EventFail))
	require.Contains(t, w.keys(env.SmRefuse), "psm.moved")
}

// Without the fence the same zombie overwrites the state.
func TestZombieWithoutTheFence(t *testing.T) {
	w, one, _, three := onThree(t, "a", ids(3, 2))
	one.guards[env.GuardControllerEpoch] = true
	w.hold = func(p *proc, ops []zk.Op) {
		if p == one && ops[0].Kind == zk.Set && strings.HasSuffix(ops[0].Path, "/state") {
			w.doQuietly(zk.Op{Kind: zk.Set, Path: "/controller_epoch", Data: []byte("7"), Version: zk.AnyVersion})
		}
	}
	w.kill(three)
	require.Equal(t, "2/[2]/1", w.state("a-0"))
}

// After a fenced ISR change the replica machine's batch stays filled and refuses everything, for good.
func TestPoisonedBatch(t *testing.T) {
	w, one, _, three := onThree(t, "a", ids(1, 3))
	w.hold = func(p *proc, ops []zk.Op) {
		if p == one && ops[0].Kind == zk.Multi && strings.HasSuffix(ops[0].Ops[1].Path, "/state") {
			w.hold = nil
			w.doQuietly(zk.Op{Kind: zk.Set, Path: "/controller_epoch", Data: []byte("9"), Version: zk.AnyVersion})
		}
	}
	w.kill(three)
	require.Equal(t, "1/[1 3]/0", w.state("a-0"))
	require.True(t, one.ctl.IsActive(), "/controller still names it")
	require.Contains(t, w.keys(env.SmRefuse), "rsm.moved")
	require.ErrorContains(t, one.ctl.rsm.batch.newBatch(), "StopReplica")
	w.forgetLog()
	w.do(zk.Op{Kind: zk.Delete, Path: "/controller", Version: zk.AnyVersion})
	require.True(t, one.ctl.IsActive(), "it is elected again")
	require.Contains(t, w.keys(env.SmRefuse), "rsm.error")
	require.Equal(t, "1/[1 3]/0", w.state("a-0"), "and the dead broker stays in the ISR")
}

func TestSessionExpiryOfTheController(t *testing.T) {
	w, one, two, _ := onThree(t, "a", ids(1, 2))
	var reply *request.ControlledShutdownResponse
	one.ctl.ControlledShutdown(request.ControlledShutdown{BrokerID: 2}, func(r request.ControlledShutdownResponse) { reply = &r })
	w.end(one.session, true)
	w.run()
	require.NotNil(t, reply)
	require.Equal(t, kafka.STALE_CONTROLLER_EPOCH, reply.Error, "preempted")
	require.False(t, one.ctl.IsActive())
	require.True(t, two.ctl.IsActive())
	require.Equal(t, kafka.BrokerID(2), one.ctl.ActiveControllerID())
	require.Equal(t, int32(0), one.ctl.Epoch())
	require.True(t, two.ctl.ctx.isLive(1), "registered again")
	require.Equal(t, []string{"event.preempt"}, w.keys(env.EventPreempt))
}

func TestOperatorDeletesTheController(t *testing.T) {
	w, one, _, _ := onThree(t, "a", ids(1, 2))
	w.do(deleteOf("/controller"))
	require.True(t, one.ctl.IsActive(), "the first to look wins")
	require.Equal(t, int32(2), one.ctl.Epoch())
	require.Equal(t, "1/[1 2]/0", w.state("a-0"))
}

// An error after winning that is not the loss of the office makes the broker give it up; here the cause goes away before
// it runs again.
func TestFailedFailoverDeletesController(t *testing.T) {
	w := newWorld(t)
	w.doQuietly(zk.Op{Kind: zk.Create, Path: "/feature", Data: []byte("not JSON")})
	w.hold = func(p *proc, ops []zk.Op) {
		if ops[0].Kind == zk.Multi && len(ops[0].Ops) == 2 && ops[0].Ops[1].Path == "/controller" {
			w.doQuietly(deleteOf("/feature"))
		}
	}
	one := w.start(1)
	require.Equal(t, []string{"elect.failed"}, keep(w.keys(env.CtxSet), func(k string) bool { return k == "elect.failed" }))
	require.True(t, one.ctl.IsActive())
	require.Equal(t, int32(2), one.ctl.Epoch())
}

func TestHandleIllegalState(t *testing.T) {
	w := newWorld(t)
	one := w.start(1)
	one.ctl.batch.addUpdateMetadata(ids(1), nil)
	w.forgetLog()
	var err error
	one.Go("test", func() { err = one.ctl.sendUpdateMetadata(ids(1), nil) })
	w.run()
	require.ErrorContains(t, err, "illegal state")
	require.Contains(t, w.asked, "1: multi(check /controller_epoch, delete /controller)")
	require.True(t, one.ctl.IsActive(), "and Reelect makes it the controller again")
	require.Equal(t, int32(2), one.ctl.Epoch())
}

func TestShutdownResignsAndKeepsTheZNode(t *testing.T) {
	w, one, _, _ := onThree(t, "a", ids(1, 2))
	one.Go("shutdown", one.ctl.Shutdown)
	w.run()
	require.False(t, one.ctl.running)
	require.Equal(t, int32(0), one.ctl.Epoch())
	_, _, found := w.store.Node("/controller")
	require.True(t, found)
	require.Empty(t, w.doc.Names("ctx", "1"))
	require.Empty(t, w.doc.Names("channel", "1"))
}

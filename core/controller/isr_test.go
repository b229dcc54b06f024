package controller

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"controllerscope/core/env"
	"controllerscope/core/kafka"
	"controllerscope/core/request"
)

func TestAlterIsr(t *testing.T) {
	w, one, two, _ := onThree(t, "a", ids(1, 2, 3))
	_ = two
	resp := w.alterIsr(one, 1, "a-0", 0, ids(1, 3), 0)
	require.Equal(t, kafka.NONE, resp.Error)
	require.Equal(t, []request.AlterIsrResult{{TopicPartition: tpOf("a", 0),
		LeaderAndIsr: kafka.LeaderAndIsr{Leader: 1, ISR: ids(1, 3), ZkVersion: 1}}}, resp.Partitions)
	require.Equal(t, "1/[1 3]/0", w.state("a-0"), "the leader epoch stays")
	require.Equal(t, []string{
		"1: multi(check /controller_epoch, set /brokers/topics/a/partitions/0/state 1/[1 3]/0)",
		"1: get /brokers/topics/a/partitions/0/state",
	}, w.asked)
	require.Equal(t, []string{
		"UpdateMetadata>1 live=[1 2 3]; a-0 1/[1 3]/0 offline=[]",
		"UpdateMetadata>2 live=[1 2 3]; a-0 1/[1 3]/0 offline=[]",
		"UpdateMetadata>3 live=[1 2 3]; a-0 1/[1 3]/0 offline=[]",
	}, w.sent, "no LeaderAndIsr")
}

// Kafka: ControllerIntegrationTest.testIdempotentAlterIsr and its neighbours.
func TestAlterIsrIsRefused(t *testing.T) {
	w, one, two, three := onThree(t, "a", ids(1, 2))
	for _, c := range []struct {
		name  string
		ask   func() request.AlterIsrResponse
		top   kafka.Error
		first kafka.Error
	}{
		{"unchanged", func() request.AlterIsrResponse { return w.alterIsr(one, 1, "a-0", 0, ids(1, 2), 99) }, kafka.NONE, kafka.NONE},
		{"unknown", func() request.AlterIsrResponse { return w.alterIsr(one, 1, "b-0", 0, ids(1), 0) }, kafka.NONE, kafka.UNKNOWN_TOPIC_OR_PARTITION},
		{"version", func() request.AlterIsrResponse { return w.alterIsr(one, 1, "a-0", 0, ids(1), 7) }, kafka.NONE, kafka.INVALID_UPDATE_VERSION},
		{"not the controller", func() request.AlterIsrResponse { return w.alterIsr(two, 1, "a-0", 0, ids(1), 0) }, kafka.NOT_CONTROLLER, kafka.NONE},
		{"unknown broker", func() request.AlterIsrResponse { return w.alterIsr(one, 9, "a-0", 0, ids(1), 0) }, kafka.STALE_BROKER_EPOCH, kafka.NONE},
	} {
		resp := c.ask()
		require.Equal(t, c.top, resp.Error, c.name)
		if len(resp.Partitions) > 0 {
			require.Equal(t, c.first, resp.Partitions[0].Error, c.name)
		}
	}
	require.Equal(t, "1/[1 2]/0", w.state("a-0"))
	w.kill(three)
	w.kill(two)
	require.Equal(t, "1/[1]/1", w.state("a-0"))
	require.Equal(t, kafka.FENCED_LEADER_EPOCH, w.alterIsr(one, 1, "a-0", 0, ids(1, 2), 1).Partitions[0].Error)
	require.Equal(t, kafka.NONE, w.alterIsr(one, 1, "a-0", 1, ids(1, 2), 1).Partitions[0].Error, "nobody checks that the members live")
}

// The loss of the controllership is only told to the caller. Kafka: trap TR-12.
func TestAlterIsrSwallowsTheMove(t *testing.T) {
	w, one, _, _ := onThree(t, "a", ids(1, 2))
	w.doQuietly(zkOp{Kind: zkSet, Path: "/controller_epoch", Data: []byte("5"), Version: -1})
	require.Equal(t, kafka.UNKNOWN_SERVER_ERROR, w.alterIsr(one, 1, "a-0", 0, ids(1), 0).Error)
	require.True(t, one.ctl.IsActive())
	require.Empty(t, w.keys(env.EventFail))
}

// A channel sends one request at a time, and the same one again after a failure.
func TestChannelRetriesTheSameRequest(t *testing.T) {
	w, one, _, _ := onThree(t, "a", ids(2, 1))
	fail := true
	w.answer = func(to kafka.BrokerID, r request.Request) (request.ControlResponse, error) {
		if to == 2 && fail {
			return request.ControlResponse{}, errors.New("the connection broke")
		}
		return allNone(r), nil
	}
	w.topic("b", ids(2))
	require.Equal(t, []string{"LeaderAndIsr>2 b-0 2/[2]/0 new=true"}, w.to(2), "the UpdateMetadata waits behind it")
	require.Len(t, w.doc.Names("lane", "1>2"), 2, "the failed one stands in the lane again")
	one.fire("retry 2")
	require.Len(t, w.to(2), 2)
	fail = false
	one.fire("retry 2")
	require.Equal(t, []string{
		"LeaderAndIsr>2 b-0 2/[2]/0 new=true",
		"LeaderAndIsr>2 b-0 2/[2]/0 new=true",
		"LeaderAndIsr>2 b-0 2/[2]/0 new=true",
		"UpdateMetadata>2 live=[1 2 3]; b-0 2/[2]/0 offline=[]",
	}, w.to(2))
	require.Empty(t, w.doc.Names("lane", "1>2"))
	require.Len(t, w.to(3), 1, "other brokers are not held back")
}

func TestRemoveBrokerDropsWhatWaits(t *testing.T) {
	w, one, two, _ := onThree(t, "a", ids(2, 1))
	w.answer = func(to kafka.BrokerID, r request.Request) (request.ControlResponse, error) {
		if to == 2 {
			return request.ControlResponse{}, errors.New("the connection broke")
		}
		return allNone(r), nil
	}
	w.topic("b", ids(2, 1))
	w.kill(two)
	require.Empty(t, one.timers, "nobody tries again")
	require.Empty(t, w.doc.Names("lane", "1>2"))
	require.False(t, w.doc.Has("channel", "1", "2"))
	require.Equal(t, []any{"r13", "r15"}, arg(w.find("channel.close"), "dropped"))
}

// KAFKA_STORAGE_ERROR in an answer marks a replica offline, and its partition is elected anew.
func TestLeaderAndIsrResponseTellsOfAFailedDirectory(t *testing.T) {
	w, one, _, _ := onThree(t, "x", ids(3))
	w.answer = func(to kafka.BrokerID, r request.Request) (request.ControlResponse, error) {
		resp := allNone(r)
		if to == 2 && len(resp.Errors) > 0 {
			resp.Errors[0].Error = kafka.KAFKA_STORAGE_ERROR
		}
		return resp, nil
	}
	w.topic("a", ids(2, 1))
	require.Equal(t, "1/[1]/1", w.state("a-0"))
	require.True(t, one.ctl.ctx.replicasOnOfflineDirs[2].has(tpOf("a", 0)))
	require.Equal(t, kafka.OfflineReplica, one.ctl.ctx.replicaState(kafka.PartitionReplica{TopicPartition: tpOf("a", 0), Replica: 2}))
}

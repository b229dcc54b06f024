package controller

import (
	"testing"

	"github.com/stretchr/testify/require"

	"controllerscope/core/env"
	"controllerscope/core/kafka"
	"controllerscope/core/zk"
	"controllerscope/core/zkdata"
)

// The worked traces of the reference, appendix A, with every request to ZooKeeper and to brokers.

func TestA1FirstBoot(t *testing.T) {
	w := newWorld(t)
	w.start(1)
	at := 0
	for i, a := range w.asked {
		if a == "1: exists /controller watch NONODE" {
			at = i
			break
		}
	}
	require.Equal(t, []string{
		"1: exists /controller watch NONODE",
		"1: get /controller watch NONODE",
		"1: get /controller_epoch NONODE",
		"1: create /controller_epoch",
		"1: multi(create /controller, set /controller_epoch)",
		"1: get /feature NONODE",
		"1: create /feature",
		"1: get /feature",
		"1: exists /admin/preferred_replica_election watch NONODE",
		"1: exists /admin/reassign_partitions watch NONODE",
		"1: children /log_dir_event_notification watch",
		"1: children /isr_change_notification watch",
		"1: children /brokers/ids watch",
		"1: get /brokers/ids/1",
		"1: children /brokers/topics watch",
		"1: exists /brokers/ids/1 watch",
		"1: children /admin/delete_topics watch",
		"1: exists /admin/reassign_partitions watch NONODE",
		"1: get /admin/preferred_replica_election watch NONODE",
		"1: multi(check /controller_epoch, delete /admin/preferred_replica_election NONODE)",
		"1: exists /controller watch",
		"1: get /controller watch",
		"1: exists /admin/preferred_replica_election watch NONODE",
	}, w.asked[at:])
	require.Equal(t, []string{"UpdateMetadata>1 live=[1]"}, w.sent)
}

func TestA2CreateTopic(t *testing.T) {
	w := newWorld(t)
	w.start(1)
	w.start(2)
	three := w.start(3)
	w.forgetLog()
	w.topic("a", ids(1, 2, 3))
	require.Equal(t, []string{
		"1: children /brokers/topics watch",
		"1: get /brokers/topics/a watch",
		"1: multi(check /controller_epoch, create /brokers/topics/a/partitions)",
		"1: multi(check /controller_epoch, create /brokers/topics/a/partitions/0)",
		"1: multi(check /controller_epoch, create /brokers/topics/a/partitions/0/state 1/[1 2 3]/0)",
	}, w.asked)
	require.Equal(t, []string{
		"LeaderAndIsr>1 a-0 1/[1 2 3]/0 new=true",
		"LeaderAndIsr>2 a-0 1/[1 2 3]/0 new=true",
		"LeaderAndIsr>3 a-0 1/[1 2 3]/0 new=true",
		"UpdateMetadata>1 live=[1 2 3]; a-0 1/[1 2 3]/0 offline=[]",
		"UpdateMetadata>2 live=[1 2 3]; a-0 1/[1 2 3]/0 offline=[]",
		"UpdateMetadata>3 live=[1 2 3]; a-0 1/[1 2 3]/0 offline=[]",
	}, w.sent)

	w.kill(three)
	w.forgetLog()
	w.topic("b", ids(3, 1, 2))
	require.Equal(t, "1/[1 2]/0", w.state("b-0"))
	require.Equal(t, []string{
		"LeaderAndIsr>1 b-0 1/[1 2]/0 new=true",
		"LeaderAndIsr>2 b-0 1/[1 2]/0 new=true",
		"UpdateMetadata>1 live=[1 2]; b-0 1/[1 2]/0 offline=[3]",
		"UpdateMetadata>2 live=[1 2]; b-0 1/[1 2]/0 offline=[3]",
	}, w.sent)
}

// onThree starts brokers 1 (the controller), 2 and 3 with one topic.
func onThree(t *testing.T, topic string, assignment ...[]kafka.BrokerID) (w *world, one, two, three *proc) {
	w = newWorld(t)
	one, two, three = w.start(1), w.start(2), w.start(3)
	w.topic(topic, assignment...)
	w.forgetLog()
	return w, one, two, three
}

func TestA3FollowerDies(t *testing.T) {
	w, _, _, three := onThree(t, "a", ids(1, 2, 3))
	w.kill(three)
	require.Equal(t, "1/[1 2]/1", w.state("a-0"))
	require.Equal(t, []string{
		"1: children /brokers/ids watch",
		"1: get /brokers/ids/1 watch",
		"1: get /brokers/ids/2 watch",
		"1: get /brokers/topics/a/partitions/0/state",
		"1: multi(check /controller_epoch, set /brokers/topics/a/partitions/0/state 1/[1 2]/1)",
	}, w.asked)
	require.ElementsMatch(t, []string{
		"LeaderAndIsr>1 a-0 1/[1 2]/1 new=false",
		"LeaderAndIsr>2 a-0 1/[1 2]/1 new=false",
		"UpdateMetadata>1 live=[1 2]; a-0 1/[1 2]/1 offline=[3]",
		"UpdateMetadata>2 live=[1 2]; a-0 1/[1 2]/1 offline=[3]",
		"UpdateMetadata>1 live=[1 2]",
		"UpdateMetadata>2 live=[1 2]",
	}, w.sent)
	require.Equal(t, []string{"batch.notLive"}, w.keys(env.ReqDrop), "the StopReplica to 3 is dropped at sending")
}

func TestA4LeaderDiesAndReturns(t *testing.T) {
	w, _, two, _ := onThree(t, "a", ids(2, 1, 3))
	w.kill(two)
	require.Equal(t, "1/[1 3]/1", w.state("a-0"))
	require.Equal(t, []string{
		"1: children /brokers/ids watch",
		"1: get /brokers/ids/1 watch",
		"1: get /brokers/ids/3 watch",
		"1: get /brokers/topics/a/partitions/0/state",
		"1: multi(check /controller_epoch, set /brokers/topics/a/partitions/0/state 1/[1 3]/1)",
		"1: get /brokers/topics/a/partitions/0/state",
	}, w.asked)
	require.Equal(t, []string{
		"LeaderAndIsr>1 a-0 1/[1 3]/1 new=false",
		"UpdateMetadata>1 live=[1 3]; a-0 1/[1 3]/1 offline=[2]",
		"LeaderAndIsr>1 a-0 1/[1 3]/1 new=false",
		"UpdateMetadata>1 live=[1 3]; a-0 1/[1 3]/1 offline=[2]",
	}, w.to(1), "twice the same epoch, and no UpdateMetadata without partitions")
	require.Equal(t, []string{"psm.move", "psm.move", "rsm.move"}, w.keys(env.SmMove))
	lost := w.find("replicas.offline")
	require.Equal(t, []any{"a-0·2"}, arg(lost, "replicas"))
	require.Equal(t, []any{"a-0"}, arg(lost, "leaderless"))

	w.forgetLog()
	w.start(2)
	require.Equal(t, []string{
		"UpdateMetadata>1 live=[1 2 3]",
		"UpdateMetadata>1 live=[1 2 3]; a-0 1/[1 3]/1 offline=[]",
	}, w.to(1))
	require.Equal(t, []string{
		"UpdateMetadata>2 live=[1 2 3]; a-0 1/[1 3]/1 offline=[]",
		"LeaderAndIsr>2 a-0 1/[1 3]/1 new=false",
		"UpdateMetadata>2 live=[1 2 3]; a-0 1/[1 3]/1 offline=[]",
	}, w.to(2))
	require.Equal(t, "1/[1 3]/1", w.state("a-0"))
}

func TestA5SoleReplicaDiesAndReturns(t *testing.T) {
	w, _, two, _ := onThree(t, "s", ids(2))
	w.kill(two)
	require.Equal(t, "-1/[2]/1", w.state("s-0"))
	require.Equal(t, []string{"UpdateMetadata>1 live=[1 3]; s-0 -1/[2]/1 offline=[2]"}, w.to(1))
	w.forgetLog()
	w.start(2)
	require.Equal(t, "2/[2]/2", w.state("s-0"))
	require.Equal(t, []string{
		"UpdateMetadata>2 live=[1 2 3]; s-0 -1/[2]/1 offline=[]",
		"LeaderAndIsr>2 s-0 -1/[2]/1 new=false",
		"UpdateMetadata>2 live=[1 2 3]; s-0 -1/[2]/1 offline=[]",
		"LeaderAndIsr>2 s-0 2/[2]/2 new=false",
		"UpdateMetadata>2 live=[1 2 3]; s-0 2/[2]/2 offline=[]",
	}, w.to(2))
}

func TestA5UncleanElection(t *testing.T) {
	for _, from := range []string{"broker", "topic"} {
		t.Run(from, func(t *testing.T) {
			w := newWorld(t)
			w.start(1, func(c *Config) { c.UncleanLeaderElection = from == "broker" })
			two := w.start(2)
			w.topic("a", ids(2, 3))
			w.start(3)
			require.Equal(t, "2/[2]/0", w.state("a-0"))
			if from == "topic" {
				w.do(zk.Op{Kind: zk.Create, Path: "/config/topics/a", Data: zkdata.EncodeConfig(map[string]string{"unclean.leader.election.enable": "true"})})
			}
			w.forgetLog()
			w.kill(two)
			require.Equal(t, "3/[3]/1", w.state("a-0"))
			require.Contains(t, w.keys(env.CtxSet), "election.unclean")
		})
	}
}

func TestA6PreferredElectionByZNode(t *testing.T) {
	w, one, two, _ := onThree(t, "a", ids(2, 1))
	w.kill(two)
	two = w.start(2)
	require.Equal(t, "1/[1]/1", w.state("a-0"))
	w.alterIsr(one, 1, "a-0", 1, ids(1, 2), 1)
	require.Equal(t, "1/[1 2]/1", w.state("a-0"))
	w.forgetLog()
	w.do(zk.Op{Kind: zk.Create, Path: zkdata.PreferredReplicaElectionPath,
		Data: zkdata.EncodePreferredReplicaElection([]kafka.TopicPartition{{Topic: "a", Partition: 0}})})
	require.Equal(t, "2/[1 2]/2", w.state("a-0"))
	require.Equal(t, []string{
		"1: exists /admin/preferred_replica_election watch",
		"1: get /admin/preferred_replica_election watch",
		"1: get /brokers/topics/a/partitions/0/state",
		"1: multi(check /controller_epoch, set /brokers/topics/a/partitions/0/state 2/[1 2]/2)",
		"1: multi(check /controller_epoch, delete /admin/preferred_replica_election)",
		"1: exists /admin/preferred_replica_election watch NONODE",
	}, w.asked)
}

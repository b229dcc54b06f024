package controller

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"controllerscope/core/env"
	"controllerscope/core/kafka"
	"controllerscope/core/zk"
)

// The cases of Kafka's TopicDeletionManagerTest, by id.

// deletionFixture is F-TDM: brokers 1, 2, 3 live, each topic with 2 partitions on all three; started says whether the
// machines are: then partitions and replicas are Online. There is no leadership.
func deletionFixture(t *testing.T, started bool, topics ...string) (*world, *proc) {
	w, p := fixture(t, 1, 2, 3)
	p.ctl.cfg.DeleteTopic = true
	p.ctl.activeControllerID = 5
	x := p.ctl.ctx
	x.setAllTopics(setOf(topics...))
	for _, topic := range topics {
		w.doQuietly(zk.Op{Kind: zk.Create, Path: "/brokers/topics/" + topic})
		for i, list := range [][]kafka.BrokerID{ids(1, 2, 3), ids(2, 3, 1)} {
			tp := tpOf(topic, int32(i))
			require.NoError(t, x.putAssignment(tp, replicas(list...)))
			if !started {
				continue
			}
			x.putPartitionState(tp, kafka.OnlinePartition)
			for _, b := range list {
				x.putReplicaState(kafka.PartitionReplica{TopicPartition: tp, Replica: b}, kafka.OnlineReplica)
			}
		}
	}
	w.forgetLog()
	return w, p
}

// TDM-01: of the topics that are ineligible at first, those that are not queued for deletion are left out.
func TestTDM_01(t *testing.T) {
	w, p := deletionFixture(t, true, "foo", "bar", "baz")
	for _, path := range []string{"/admin", "/admin/delete_topics", "/admin/delete_topics/foo", "/admin/delete_topics/bar"} {
		w.doQuietly(zk.Op{Kind: zk.Create, Path: path})
	}
	p.ctl.ctx.markReassigned(tpOf("bar", 0), true) // what makes a topic ineligible when a controller takes office
	p.ctl.ctx.markReassigned(tpOf("baz", 1), true)
	p.within(func() { require.NoError(t, p.ctl.initDeletions()) })
	require.Equal(t, setOf("foo", "bar"), p.ctl.ctx.topicsToBeDeleted)
	require.Equal(t, setOf("bar"), p.ctl.ctx.topicsIneligibleForDeletion)
}

// moveRuns are the moves of a machine to a target, in the order of the notes, moves that follow each other counted as one.
func (w *world) moveRuns(key string) []string {
	var out []string
	for _, n := range w.notes {
		if n.Msg == key {
			out = append(out, arg(n, "to").(string))
		}
	}
	return slices.Compact(out)
}

// TDM-02: two topics, all brokers alive: both are deleted as one batch, and nothing is left of them.
func TestTDM_02(t *testing.T) {
	w, p := deletionFixture(t, true, "foo", "bar")
	x := p.ctl.ctx
	p.within(func() {
		x.queueTopicDeletion([]string{"foo", "bar"})
		require.NoError(t, p.ctl.resumeDeletions())
	})
	var all []kafka.PartitionReplica
	for _, topic := range []string{"foo", "bar"} {
		for _, tp := range x.partitionsForTopic(topic) {
			require.Equal(t, kafka.NonExistentPartition, x.partitionState(tp))
		}
		all = append(all, x.replicasForTopic(topic)...)
	}
	require.Len(t, all, 12)
	for _, r := range all {
		require.Equal(t, kafka.ReplicaDeletionStarted, x.replicaState(r))
	}
	require.Equal(t, setOf("foo", "bar"), x.topicsToBeDeleted)
	require.Equal(t, setOf("foo", "bar"), x.topicsWithDeletionStarted)
	require.Empty(t, x.topicsIneligibleForDeletion)
	for _, id := range ids(1, 2, 3) {
		stop := func(end string) string {
			return "StopReplica>" + id.String() + " " + strings.Join([]string{"bar-0" + end, "bar-1" + end, "foo-0" + end, "foo-1" + end}, "; ")
		}
		stops := keep(w.to(id), func(s string) bool { return strings.HasPrefix(s, "StopReplica") })
		require.Equal(t, []string{stop(" epoch=-2 delete=false"), stop(" epoch=-2 delete=true")}, stops)
	}
	metadata := keep(w.notes, func(n env.Note) bool { return n.Msg == "batch.send" && arg(n, "machine") == "controller" })
	require.Len(t, metadata, 3, "metadata is sent once, one request per broker")

	p.within(func() {
		require.NoError(t, p.ctl.rsm.handleStateChanges(all, kafka.ReplicaDeletionSuccessful))
		require.NoError(t, p.ctl.resumeDeletions())
	})
	require.Empty(t, x.allPartitions())
	for _, r := range all {
		require.Zero(t, x.replicaState(r), "%s has a state", r)
	}
	for _, s := range []set[string]{x.topicsToBeDeleted, x.topicsWithDeletionStarted, x.topicsIneligibleForDeletion} {
		require.Empty(t, s)
	}
	require.Equal(t, []string{"OfflinePartition", "NonExistentPartition"}, w.moveRuns("psm.move"))
	require.Equal(t, []string{"OfflineReplica", "ReplicaDeletionStarted", "ReplicaDeletionSuccessful", "NonExistentReplica"}, w.moveRuns("rsm.move"),
		"no replica becomes ReplicaDeletionIneligible")
}

// TDM-02, the metadata: partitions that have a leader are all in the one UpdateMetadata, as being deleted.
func TestTDM_02_metadata(t *testing.T) {
	w := newWorld(t)
	w.start(1)
	w.topic("foo", ids(1), ids(1))
	w.topic("bar", ids(1), ids(1))
	w.forgetLog()
	w.doQuietly(zk.Op{Kind: zk.Create, Path: "/admin/delete_topics/foo"})
	w.doQuietly(zk.Op{Kind: zk.Create, Path: "/admin/delete_topics/bar"})
	w.run()
	require.Equal(t, "UpdateMetadata>1 live=[1]; bar-0 -2/[1]/0 offline=[]; bar-1 -2/[1]/0 offline=[]; foo-0 -2/[1]/0 offline=[]; foo-1 -2/[1]/0 offline=[]", w.sent[0])
}

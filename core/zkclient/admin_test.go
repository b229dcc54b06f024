package zkclient

import (
	"testing"

	"github.com/stretchr/testify/require"

	"controllerscope/core/kafka"
	"controllerscope/core/zk"
	"controllerscope/core/zkdata"
)

func TestPreferredReplicaElection(t *testing.T) { // ZKC-47
	w, c := clusterFixture(t)
	got, err := c.GetPreferredReplicaElection()
	require.NoError(t, err)
	require.Empty(t, got)
	e := []kafka.TopicPartition{tp("topic1", 0), tp("topic1", 1)}
	require.NoError(t, c.CreatePreferredReplicaElection(e))
	require.ErrorIs(t, c.CreatePreferredReplicaElection(e), zk.NodeExists)
	require.ErrorIs(t, c.DeletePreferredReplicaElection(1), ErrControllerMoved)
	got, err = c.GetPreferredReplicaElection()
	require.NoError(t, err)
	require.Equal(t, e, got)
	w.take()
	require.NoError(t, c.DeletePreferredReplicaElection(0))
	require.NoError(t, c.DeletePreferredReplicaElection(0), "the code of the delete is ignored")
	require.Equal(t, []string{"1 multi[check /controller_epoch v0, delete /admin/preferred_replica_election v-1] OK",
		"1 multi[check /controller_epoch v0, delete /admin/preferred_replica_election v-1] OK NONODE"}, w.take())
}

func TestPartitionReassignment(t *testing.T) { // ZKC-39; conversation as in recording 28-reassign-znode
	w, c := clusterFixture(t)
	busy, err := c.ReassignPartitionsInProgress()
	require.NoError(t, err)
	require.False(t, busy)
	two := []zkdata.PartitionReplicas{{TopicPartition: tp("t", 0), Replicas: ids(3, 4)}, {TopicPartition: tp("ghost", 0), Replicas: ids(1, 2)}}
	require.NoError(t, c.CreatePartitionReassignment(two))
	require.ErrorIs(t, c.CreatePartitionReassignment(two), zk.NodeExists)
	busy, err = c.ReassignPartitionsInProgress()
	require.NoError(t, err)
	require.True(t, busy)
	got, err := c.GetPartitionReassignment()
	require.NoError(t, err)
	require.Equal(t, two, got)
	w.take()
	require.NoError(t, c.SetOrCreatePartitionReassignment(two[:1], 0))
	require.NoError(t, c.DeletePartitionReassignment(0))
	require.NoError(t, c.SetOrCreatePartitionReassignment(two[:1], 0))
	fence := "1 multi[check /controller_epoch v0, "
	require.Equal(t, []string{fence + "set /admin/reassign_partitions v-1] OK",
		"1 children /admin/reassign_partitions OK", fence + "delete /admin/reassign_partitions v-1] OK",
		fence + "set /admin/reassign_partitions v-1] OK NONODE", fence + "create /admin/reassign_partitions] OK"}, w.take())
	require.ErrorIs(t, c.SetOrCreatePartitionReassignment(two, 1), ErrControllerMoved)
	require.ErrorIs(t, c.DeletePartitionReassignment(1), ErrControllerMoved)
	data, _, _ := w.store.Node("/admin/reassign_partitions")
	require.Equal(t, `{"version":1,"partitions":[{"topic":"t","partition":0,"replicas":[3,4]}]}`, string(data))
}

func TestMalformedReassignmentIsNone(t *testing.T) {
	w, c := clusterFixture(t)
	w.put("/admin/reassign_partitions", "not json")
	notes := len(w.notes)
	got, err := c.GetPartitionReassignment()
	require.NoError(t, err)
	require.Empty(t, got)
	require.Equal(t, "zkclient.reassignment.malformed", w.notes[notes].Msg)
	require.Equal(t, "/admin/reassign_partitions: the text is not JSON", w.notes[notes].Args[0].Value)
}

func TestIsrChangeNotifications(t *testing.T) { // ZKC-13
	w, c := fixture(t)
	require.ErrorIs(t, c.PropagateIsrChanges(nil), zk.NoNode)
	require.NoError(t, c.CreateTopLevelPaths())
	require.NoError(t, c.PropagateIsrChanges([]kafka.TopicPartition{tp("topic-a", 0), tp("topic-b", 0)}))
	require.NoError(t, c.PropagateIsrChanges([]kafka.TopicPartition{tp("topic-b", 0)}))
	data, _, _ := w.store.Node("/isr_change_notification/isr_change_0000000000")
	require.Equal(t, `{"version":1,"partitions":[{"topic":"topic-a","partition":0},{"topic":"topic-b","partition":0}]}`, string(data))
	sequences, err := c.GetAllIsrChangeNotifications()
	require.NoError(t, err)
	require.ElementsMatch(t, []string{"0000000000", "0000000001"}, sequences)
	w.take()
	partitions, err := c.GetPartitionsFromIsrChangeNotifications([]string{"0000000000", "0000000009", "0000000001"})
	require.NoError(t, err)
	require.Equal(t, [][]kafka.TopicPartition{{tp("topic-a", 0), tp("topic-b", 0)}, {tp("topic-b", 0)}}, partitions)
	require.Len(t, w.take(), 3)
	require.ErrorIs(t, c.DeleteIsrChangeNotifications([]string{"0000000000"}, 1), ErrControllerMoved)
	c.RegisterZNodeChildChangeHandler("/isr_change_notification", func() {})
	require.NoError(t, c.DeleteAllIsrChangeNotifications(0))
	require.Equal(t, "1 children /isr_change_notification watch OK", w.take()[1])
	sequences, err = c.GetAllIsrChangeNotifications()
	require.NoError(t, err)
	require.Empty(t, sequences)
}

func TestLogDirEventNotifications(t *testing.T) { // ZKC-16, ZKC-17, ZKC-18
	w, c := fixture(t)
	sequences, err := c.GetAllLogDirEventNotifications()
	require.NoError(t, err)
	require.Empty(t, sequences)
	brokers, err := c.GetBrokerIDsFromLogDirEvents([]string{"0000000000"})
	require.NoError(t, err)
	require.Empty(t, brokers)
	require.NoError(t, c.DeleteLogDirEventNotifications([]string{"0000000000", "0000000002"}, 0))
	w.put("/log_dir_event_notification", "")
	for _, id := range ids(3, 3, 4) {
		require.NoError(t, c.PropagateLogDirEvent(id))
	}
	brokers, err = c.GetBrokerIDsFromLogDirEvents([]string{"0000000000", "0000000001", "0000000002"})
	require.NoError(t, err)
	require.Equal(t, ids(3, 3, 4), brokers)
	drop := []string{"0000000000", "0000000002"}
	require.ErrorIs(t, c.DeleteLogDirEventNotifications(drop, 1), ErrControllerMoved)
	sequences, err = c.GetAllLogDirEventNotifications()
	require.NoError(t, err)
	require.Len(t, sequences, 3)
	require.NoError(t, c.DeleteLogDirEventNotifications(drop, 0))
	sequences, err = c.GetAllLogDirEventNotifications()
	require.NoError(t, err)
	require.Equal(t, []string{"0000000001"}, sequences)
	require.NoError(t, c.PropagateLogDirEvent(4))
	require.NoError(t, c.DeleteAllLogDirEventNotifications(0))
	sequences, err = c.GetAllLogDirEventNotifications()
	require.NoError(t, err)
	require.Empty(t, sequences)
}

func TestEntityConfigs(t *testing.T) { // ZKC-27
	w, c := fixture(t)
	config, err := c.GetEntityConfigs("topics", "t")
	require.NoError(t, err)
	require.Equal(t, map[string]string{}, config)
	full := map[string]string{"retention.ms": "1000", "cleanup.policy": "compact"}
	require.NoError(t, c.SetOrCreateEntityConfigs("topics", "t", full))
	require.Equal(t, []string{"1 get /config/topics/t NONODE", "1 set /config/topics/t v-1 NONODE", "1 create /config/topics/t NONODE",
		"1 create /config/topics NONODE", "1 create /config OK", "1 create /config/topics OK", "1 create /config/topics/t OK"}, w.take())
	config, err = c.GetEntityConfigs("topics", "t")
	require.NoError(t, err)
	require.Equal(t, full, config)
	reduced := map[string]string{"retention.ms": "1000"}
	require.NoError(t, c.SetOrCreateEntityConfigs("topics", "t", reduced))
	require.NoError(t, c.SetOrCreateEntityConfigs("topics", "u", reduced))
	require.NoError(t, c.SetOrCreateEntityConfigs("users", "<default>/clients/<default>", reduced))
	names, err := c.GetAllEntitiesWithConfig("topics")
	require.NoError(t, err)
	require.ElementsMatch(t, []string{"t", "u"}, names)
	w.take()
	configs, failed, err := c.GetLogConfigs([]string{"t", "none"})
	require.NoError(t, err)
	require.Empty(t, failed)
	require.Equal(t, map[string]map[string]string{"t": reduced, "none": {}}, configs)
	require.Equal(t, []string{"2 get /config/topics/t OK", "2 get /config/topics/none NONODE"}, w.take())

	require.NoError(t, c.DeleteTopicConfigs([]string{"t", "u"}, 0))
	config, err = c.GetEntityConfigs("topics", "t")
	require.NoError(t, err)
	require.Empty(t, config)
	w.put("/config/topics/bad", `{"config":{"retention.ms":1000}}`)
	_, _, err = c.GetLogConfigs([]string{"bad"})
	require.EqualError(t, err, `/config/topics/bad: the value of the config "retention.ms": expected a string`)
	c.current().expire()
	_, failed, err = c.GetLogConfigs([]string{"t"})
	require.NoError(t, err)
	require.ErrorIs(t, failed["t"], zk.SessionExpired)
}

func TestConfigCreatedMeanwhileIsSet(t *testing.T) {
	w, c := fixture(t)
	w.put("/config", "")
	w.put("/config/ips", "")
	c.current().faults = []fault{none, lostRequest}
	w.events = append(w.events, func() { w.put("/config/ips/1.2.3.4", "x") })
	require.NoError(t, c.SetOrCreateEntityConfigs("ips", "1.2.3.4", map[string]string{}))
	require.Equal(t, []string{"1 set /config/ips/1.2.3.4 v-1 NONODE", "Disconnected", "Connected",
		"1 create /config/ips/1.2.3.4 NODEEXISTS", "1 set /config/ips/1.2.3.4 v-1 OK"}, w.take())
}

func TestConfigChangeNotification(t *testing.T) { // ZKC-28
	w, c := fixture(t)
	require.NoError(t, c.CreateConfigChangeNotification("topics/topic1"))
	require.NoError(t, c.CreateConfigChangeNotification("topics/topic2"))
	require.Equal(t, []string{"1 create /config/changes NONODE", "1 create /config OK", "1 create /config/changes OK",
		"1 create /config/changes/config_change_ sequential OK",
		"1 create /config/changes NODEEXISTS", "1 create /config/changes/config_change_ sequential OK"}, w.take())
	data, _, _ := w.store.Node("/config/changes/config_change_0000000001")
	require.Equal(t, `{"version":2,"entity_path":"topics/topic2"}`, string(data))
}

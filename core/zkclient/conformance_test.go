package zkclient

import (
	"maps"
	"testing"

	"github.com/stretchr/testify/require"

	"controllerscope/core/kafka"
	"controllerscope/core/zk"
	"controllerscope/core/zkdata"
)

// The cases of Kafka's KafkaZkClientTest that are about what a controller reads and writes, by id, and those of other
// classes that are about the form of a znode. Fixture F-ZKC: nothing but /controller_epoch = 1 at version 0.

// must is the value of a call that shall not fail.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func (w *world) node(path string) string {
	data, _, found := w.store.Node(path)
	if !found {
		return "none"
	}
	return string(data)
}

// ZKC-04: recursive delete without fencing.
func TestZKC_04(t *testing.T) {
	_, c := fixture(t)
	require.False(t, must(c.DeleteRecursive("/delete/does-not-exist", kafka.MatchAnyVersion)))
	require.NoError(t, c.CreateRecursive("/delete/some/random/path", nil, true))
	require.True(t, must(c.DeleteRecursive("/delete", kafka.MatchAnyVersion)))
	require.False(t, must(c.PathExists("/delete")))
	_, err := c.DeleteRecursive("delete-invalid-path", kafka.MatchAnyVersion)
	require.EqualError(t, err, `the path "delete-invalid-path" must begin with a slash`)
}

// ZKC-06: recursive create.
func TestZKC_06(t *testing.T) {
	_, c := fixture(t)
	require.NoError(t, c.CreateRecursive("/create-newrootpath", nil, true))
	require.NoError(t, c.CreateRecursive("/create/some/random/long/path", nil, true))
	require.NoError(t, c.CreateRecursive("/create/some/random/long/path", nil, false))
	require.True(t, must(c.PathExists("/create-newrootpath")))
	require.True(t, must(c.PathExists("/create/some/random/long/path")))
	require.EqualError(t, c.CreateRecursive("create-invalid-path", nil, true), `the path "create-invalid-path" must begin with a slash`)
}

// ZKC-07: a topic's znode: created, read back in all views, overwritten.
func TestZKC_07(t *testing.T) {
	_, c := clusterFixture(t)
	one := []string{"topic1"}
	require.False(t, must(c.TopicExists("topic1")))
	_, counted, err := c.GetTopicPartitionCount("topic1")
	require.NoError(t, err)
	require.False(t, counted)
	require.Empty(t, must(c.GetFullReplicaAssignment(one)))
	require.Empty(t, must(c.GetFullReplicaAssignment(one))[tp("topic1", 2)].Replicas)
	three := plain(ids(0, 1), ids(0, 1), ids(1, 2, 3))
	require.NoError(t, c.CreateTopicAssignment("topic1", kafka.UUID{}, three))
	require.True(t, must(c.TopicExists("topic1")))
	n, _, _ := c.GetTopicPartitionCount("topic1")
	require.Equal(t, 3, n)
	require.Equal(t, map[kafka.TopicPartition]kafka.ReplicaAssignment{tp("topic1", 0): {Replicas: ids(0, 1)}, tp("topic1", 1): {Replicas: ids(0, 1)},
		tp("topic1", 2): {Replicas: ids(1, 2, 3)}}, must(c.GetFullReplicaAssignment(one)), "nothing adding or removing")
	require.Equal(t, three, must(c.GetReplicaAssignmentAndTopicIDs(one))[0].Partitions)
	two := plain(ids(0, 1), ids(0, 1))
	require.NoError(t, c.SetTopicAssignment("topic1", kafka.UUID{}, two, kafka.MatchAnyVersion))
	n, _, _ = c.GetTopicPartitionCount("topic1")
	require.Equal(t, 2, n)
	require.NoError(t, c.CreateTopicAssignment("topic2", kafka.UUID{}, two))
	require.ElementsMatch(t, []string{"topic1", "topic2"}, must(c.GetAllTopicsInCluster(false)))
}

// ZKC-08: listing topics with a watch arms the child watch; listing without one does not disarm it.
func TestZKC_08(t *testing.T) {
	_, c := clusterFixture(t)
	fired := 0
	c.RegisterZNodeChildChangeHandler("/brokers/topics", func() { fired++ })
	require.Empty(t, must(c.GetAllTopicsInCluster(true)))
	require.Empty(t, must(c.GetAllTopicsInCluster(false)))
	require.NoError(t, c.CreateTopicAssignment("topic1", kafka.UUID{}, plain()))
	require.Equal(t, 1, fired)
	require.True(t, must(c.TopicExists("topic1")))
}

// ZKC-10: data and version of a znode.
func TestZKC_10(t *testing.T) {
	_, c := fixture(t)
	data, version, err := c.GetDataAndVersion("/testpath")
	require.NoError(t, err)
	require.Nil(t, data)
	require.EqualValues(t, -2, version)
	require.NoError(t, c.CreateRecursive("/testpath", nil, true))
	for i, text := range []string{"version1", "version2"} {
		done, v, err := c.ConditionalUpdatePath("/testpath", []byte(text), int32(i), nil)
		require.NoError(t, err)
		require.True(t, done)
		require.EqualValues(t, i+1, v)
		data, version, err = c.GetDataAndVersion("/testpath")
		require.NoError(t, err)
		require.Equal(t, text, string(data))
		require.EqualValues(t, i+1, version)
	}
}

// ZKC-12: sequential znodes are numbered with ten digits.
func TestZKC_12(t *testing.T) {
	w, c := fixture(t)
	require.NoError(t, c.CreateRecursive("/testpath", nil, true))
	require.Equal(t, "/testpath/sequence_0000000000", must(c.CreateSequentialPersistentPath("/testpath/sequence_", nil)))
	require.Equal(t, "/testpath/sequence_0000000001", must(c.CreateSequentialPersistentPath("/testpath/sequence_", []byte("some value"))))
	data, _, found := w.store.Node("/testpath/sequence_0000000000")
	require.True(t, found)
	require.Nil(t, data)
	require.Equal(t, "some value", w.node("/testpath/sequence_0000000001"))
}

// ZKC-13: the form of ISR-change notifications.
func TestZKC_13(t *testing.T) {
	w, c := clusterFixture(t)
	require.NoError(t, c.PropagateIsrChanges([]kafka.TopicPartition{tp("topic-a", 0), tp("topic-b", 0)}))
	require.NoError(t, c.PropagateIsrChanges([]kafka.TopicPartition{tp("topic-b", 0)}))
	require.Equal(t, `{"version":1,"partitions":[{"topic":"topic-a","partition":0},{"topic":"topic-b","partition":0}]}`,
		w.node("/isr_change_notification/isr_change_0000000000"))
	require.Equal(t, `{"version":1,"partitions":[{"topic":"topic-b","partition":0}]}`, w.node("/isr_change_notification/isr_change_0000000001"))
}

// ZKC-16: the form of log-directory event notifications.
func TestZKC_16(t *testing.T) {
	w, c := clusterFixture(t)
	for _, id := range ids(3, 3, 4) {
		require.NoError(t, c.PropagateLogDirEvent(id))
	}
	for n, want := range []string{`{"version":1,"broker":3,"event":1}`, `{"version":1,"broker":3,"event":1}`, `{"version":1,"broker":4,"event":1}`} {
		require.Equal(t, want, w.node("/log_dir_event_notification/log_dir_event_000000000"+string(rune('0'+n))))
	}
}

// logDirEvents creates the parent and one notification per broker.
func logDirEvents(t *testing.T, c *Client, from ...kafka.BrokerID) {
	for _, id := range from {
		require.NoError(t, c.PropagateLogDirEvent(id))
	}
}

// ZKC-17: reading log-directory events keeps duplicates.
func TestZKC_17(t *testing.T) {
	_, c := fixture(t)
	first := []string{"0000000000"}
	require.Empty(t, must(c.GetAllLogDirEventNotifications()))
	require.Empty(t, must(c.GetBrokerIDsFromLogDirEvents(first)))
	require.NoError(t, c.CreateRecursive("/log_dir_event_notification", nil, true))
	logDirEvents(t, c, 3)
	require.Equal(t, ids(3), must(c.GetBrokerIDsFromLogDirEvents(first)))
	logDirEvents(t, c, 3, 4)
	all := []string{"0000000000", "0000000001", "0000000002"}
	require.ElementsMatch(t, all, must(c.GetAllLogDirEventNotifications()))
	require.Equal(t, ids(3, 3, 4), must(c.GetBrokerIDsFromLogDirEvents(all)))
}

// ZKC-18: deleting log-directory events is fenced.
func TestZKC_18(t *testing.T) {
	_, c := fixture(t)
	two := []string{"0000000000", "0000000002"}
	require.NoError(t, c.DeleteLogDirEventNotifications(two, 0))
	require.NoError(t, c.CreateRecursive("/log_dir_event_notification", nil, true))
	logDirEvents(t, c, 3, 3, 4)
	require.ErrorIs(t, c.DeleteLogDirEventNotifications(two, 1), ErrControllerMoved)
	require.Len(t, must(c.GetAllLogDirEventNotifications()), 3)
	require.NoError(t, c.DeleteLogDirEventNotifications(two, 0))
	require.Equal(t, []string{"0000000001"}, must(c.GetAllLogDirEventNotifications()))
	logDirEvents(t, c, 4)
	require.NoError(t, c.DeleteAllLogDirEventNotifications(0))
	require.Empty(t, must(c.GetAllLogDirEventNotifications()))
}

// ZKC-21: the children of a znode.
func TestZKC_21(t *testing.T) {
	_, c := fixture(t)
	require.Empty(t, must(c.GetChildren("/testpath")))
	for _, child := range []string{"child1", "child2", "child3"} {
		require.NoError(t, c.CreateRecursive("/testpath/"+child, nil, true))
	}
	require.ElementsMatch(t, []string{"child1", "child2", "child3"}, must(c.GetChildren("/testpath")))
}

// ZKC-24: deleting a topic's znode, also if it is missing.
func TestZKC_24(t *testing.T) {
	_, c := clusterFixture(t)
	require.NoError(t, c.DeleteTopicZNode("topic1", 0))
	require.NoError(t, c.CreateTopicAssignment("topic1", kafka.UUID{}, plain(ids(0))))
	require.NoError(t, c.DeleteTopicZNode("topic1", 0))
	require.False(t, must(c.TopicExists("topic1")))
}

// ZKC-27: a topic's configs: set, overwritten, listed, deleted.
func TestZKC_27(t *testing.T) {
	_, c := clusterFixture(t)
	full := map[string]string{"cleanup.policy": "compact", "retention.ms": "1000", "segment.bytes": "2048"}
	reduced := maps.Clone(full)
	delete(reduced, "cleanup.policy")
	require.Empty(t, must(c.GetEntityConfigs("topics", "topic1")))
	require.NoError(t, c.SetOrCreateEntityConfigs("topics", "topic1", full))
	require.Equal(t, full, must(c.GetEntityConfigs("topics", "topic1")))
	require.NoError(t, c.SetOrCreateEntityConfigs("topics", "topic1", reduced))
	require.Equal(t, reduced, must(c.GetEntityConfigs("topics", "topic1")), "overwritten, not merged")
	require.NoError(t, c.SetOrCreateEntityConfigs("topics", "topic2", reduced))
	require.ElementsMatch(t, []string{"topic1", "topic2"}, must(c.GetAllEntitiesWithConfig("topics")))
	require.NoError(t, c.DeleteTopicConfigs([]string{"topic1", "topic2"}, 0))
	require.Empty(t, must(c.GetEntityConfigs("topics", "topic1")))
	require.Empty(t, must(c.GetAllEntitiesWithConfig("topics")))
}

// ZKC-28: the form of config-change notifications; the text that is handed in is stored as it is.
func TestZKC_28(t *testing.T) {
	w, c := fixture(t)
	require.NoError(t, c.CreateConfigChangeNotification("/config/topics/topic1"))
	require.NoError(t, c.CreateConfigChangeNotification("/config/topics/topic2"))
	require.Equal(t, `{"version":2,"entity_path":"/config/topics/topic1"}`, w.node("/config/changes/config_change_0000000000"))
	require.Equal(t, `{"version":2,"entity_path":"/config/topics/topic2"}`, w.node("/config/changes/config_change_0000000001"))
}

// ZKC-30: the registration of a broker, and two with one id.
func TestZKC_30(t *testing.T) {
	w, c := clusterFixture(t)
	other := w.second()
	must(c.RegisterBroker(broker(1, "a")))
	same := func() {
		for _, reader := range []*Client{c, other} {
			info, found, err := reader.GetBroker(1)
			require.NoError(t, err)
			require.True(t, found)
			require.Equal(t, broker(1, "a").Endpoints, info.Endpoints)
		}
	}
	same()
	must(c.RegisterBroker(broker(1, "b")))
	same()
	_, err := other.RegisterBroker(broker(1, "b"))
	require.ErrorIs(t, err, zk.NodeExists)
	same()
}

// ZKC-32: reading the registrations of brokers.
func TestZKC_32(t *testing.T) {
	w, c := clusterFixture(t)
	other := w.second()
	require.Empty(t, must(c.GetAllBrokersInCluster()))
	require.Empty(t, must(c.GetSortedBrokerList()))
	_, found, err := c.GetBroker(0)
	require.NoError(t, err)
	require.False(t, found)
	must(c.RegisterBroker(broker(1, "one")))
	must(other.RegisterBroker(broker(0, "zero")))
	require.Equal(t, ids(0, 1), must(c.GetSortedBrokerList()))
	all := must(c.GetAllBrokersInCluster())
	require.Len(t, all, 2)
	require.Equal(t, broker(0, "zero").Broker, all[0].Broker)
	require.Equal(t, broker(1, "one").Broker, all[1].Broker)
	zero, found, err := c.GetBroker(0)
	require.NoError(t, err)
	require.True(t, found)
	require.Equal(t, broker(0, "zero").Broker, zero.Broker)
}

// stateOf makes the state znode of a partition, with its parents.
func stateOf(t *testing.T, c *Client, p kafka.TopicPartition, l kafka.Leadership) {
	require.NoError(t, c.CreateRecursive(zkdata.TopicPartitionStatePath(p), zkdata.EncodeTopicPartitionState(l), true))
}

// ZKC-36: all partitions are listed from the tree, not from the assignments.
func TestZKC_36(t *testing.T) {
	_, c := fixture(t)
	require.Empty(t, must(c.GetAllTopicsInCluster(false)))
	require.Empty(t, must(c.GetAllPartitions()))
	require.NoError(t, c.CreateRecursive("/brokers/topics/topic1", nil, true))
	require.NoError(t, c.CreateRecursive("/brokers/topics/topic2", nil, true))
	require.ElementsMatch(t, []string{"topic1", "topic2"}, must(c.GetAllTopicsInCluster(false)))
	require.Empty(t, must(c.GetAllPartitions()))
	for p := range int32(2) {
		stateOf(t, c, tp("topic1", p), kafka.Leadership{LeaderAndIsr: kafka.LeaderAndIsr{Leader: 1, ISR: ids(1)}, ControllerEpoch: 4})
	}
	require.ElementsMatch(t, []kafka.TopicPartition{tp("topic1", 0), tp("topic1", 1)}, must(c.GetAllPartitions()))
}

// ZKC-39: "reassignment in progress" means that the znode exists.
func TestZKC_39(t *testing.T) {
	_, c := fixture(t)
	require.False(t, must(c.ReassignPartitionsInProgress()))
	require.NoError(t, c.CreateRecursive("/admin/reassign_partitions", nil, true))
	require.True(t, must(c.ReassignPartitionsInProgress()))
}

// ZKC-40: reading states skips partitions that have none.
func TestZKC_40(t *testing.T) {
	_, c := fixture(t)
	none := func(p kafka.TopicPartition) {
		_, found, err := c.GetTopicPartitionState(p)
		require.NoError(t, err)
		require.False(t, found)
	}
	none(tp("topic1", 0))
	first := kafka.Leadership{LeaderAndIsr: kafka.LeaderAndIsr{Leader: 1, LeaderEpoch: 10, ISR: ids(1)}, ControllerEpoch: 4}
	second := kafka.Leadership{LeaderAndIsr: kafka.LeaderAndIsr{Leader: 0, LeaderEpoch: 10, ISR: ids(0, 1)}, ControllerEpoch: 4}
	stateOf(t, c, tp("topic1", 0), first)
	stateOf(t, c, tp("topic1", 1), second)
	require.Equal(t, []PartitionLeadership{{tp("topic1", 0), first}, {tp("topic1", 1), second}},
		must(c.GetTopicPartitionStates([]kafka.TopicPartition{tp("topic1", 0), tp("topic1", 1)})))
	got, found, err := c.GetTopicPartitionState(tp("topic1", 0))
	require.NoError(t, err)
	require.True(t, found)
	require.Equal(t, first, got)
	require.Empty(t, must(c.GetTopicPartitionStates([]kafka.TopicPartition{tp("topic1", 2)})))
	require.Equal(t, []PartitionLeadership{{tp("topic1", 0), first}},
		must(c.GetTopicPartitionStates([]kafka.TopicPartition{tp("topic1", 2), tp("topic1", 0)})))
	none(tp("topic1", 2))
}

// ZKC-41: the znode of the controller epoch: created, set, conflicts.
func TestZKC_41(t *testing.T) {
	_, c := fixture(t)
	require.NoError(t, c.DeletePath(zkdata.ControllerEpochPath, kafka.MatchAnyVersion))
	_, _, found, err := c.GetControllerEpoch()
	require.NoError(t, err)
	require.False(t, found)
	create := func() zk.Code {
		return must(c.retry(createOp(zkdata.ControllerEpochPath, zkdata.EncodeControllerEpoch(0)))).Err
	}
	set := func() zk.Result {
		return must(c.retry(setOp(zkdata.ControllerEpochPath, zkdata.EncodeControllerEpoch(1), 0)))
	}
	require.Equal(t, zk.NoNode, set().Err)
	require.Equal(t, zk.OK, create())
	epoch, _, found, err := c.GetControllerEpoch()
	require.NoError(t, err)
	require.True(t, found)
	require.EqualValues(t, 0, epoch)
	require.Equal(t, zk.NodeExists, create())
	r := set()
	require.Equal(t, zk.OK, r.Err)
	require.EqualValues(t, 1, r.Stat.Version)
	epoch, _, _, err = c.GetControllerEpoch()
	require.NoError(t, err)
	require.EqualValues(t, 1, epoch)
	require.Equal(t, zk.BadVersion, set().Err)
}

// ZKC-42: registering and removing a controller.
func TestZKC_42(t *testing.T) {
	_, c := fixture(t)
	require.Equal(t, kafka.NoBroker, must(c.GetControllerID()))
	epoch, version, err := c.RegisterControllerAndIncrementControllerEpoch(1)
	require.NoError(t, err)
	require.EqualValues(t, 2, epoch)
	require.EqualValues(t, 1, version)
	require.EqualValues(t, 1, must(c.GetControllerID()))
	require.NoError(t, c.DeleteController(version))
	require.Equal(t, kafka.NoBroker, must(c.GetControllerID()))
}

// ZKC-43: a change handler sees the creation of a znode that did not exist.
func TestZKC_43(t *testing.T) {
	_, c := fixture(t)
	created := 0
	require.False(t, must(c.RegisterZNodeChangeHandlerAndCheckExistence("/foo", ZNodeChangeHandler{Created: func() { created++ }})))
	require.NoError(t, c.CreateRecursive("/foo", nil, true))
	require.Equal(t, 1, created)
}

// ZKC-44: the cluster's id.
func TestZKC_44(t *testing.T) {
	_, c := fixture(t)
	require.Equal(t, "proposed", must(c.CreateOrGetClusterID("proposed")))
	id, found, err := c.GetClusterID()
	require.NoError(t, err)
	require.True(t, found)
	require.Equal(t, "proposed", id)
}

// ZKC-46: the top-level paths.
func TestZKC_46(t *testing.T) {
	_, c := fixture(t)
	require.NoError(t, c.CreateTopLevelPaths())
	for _, path := range []string{"/consumers", "/brokers/ids", "/brokers/topics", "/config/changes", "/admin/delete_topics", "/brokers/seqid",
		"/isr_change_notification", "/latest_producer_id_block", "/log_dir_event_notification",
		"/config/topics", "/config/clients", "/config/users", "/config/brokers", "/config/ips"} {
		require.True(t, must(c.PathExists(path)), path)
	}
}

// ZKC-47: the znode of preferred elections: created once, its delete is fenced.
func TestZKC_47(t *testing.T) {
	_, c := clusterFixture(t)
	both := []kafka.TopicPartition{tp("topic1", 0), tp("topic1", 1)}
	require.Empty(t, must(c.GetPreferredReplicaElection()))
	require.NoError(t, c.CreatePreferredReplicaElection(both))
	require.ElementsMatch(t, both, must(c.GetPreferredReplicaElection()))
	require.ErrorIs(t, c.CreatePreferredReplicaElection(both), zk.NodeExists)
	require.ErrorIs(t, c.DeletePreferredReplicaElection(1), ErrControllerMoved)
	require.ElementsMatch(t, both, must(c.GetPreferredReplicaElection()))
	require.NoError(t, c.DeletePreferredReplicaElection(0))
	require.Empty(t, must(c.GetPreferredReplicaElection()))
}

// LEC-11: the election znode round-trips: version 1 and the list of partitions.
func TestLEC_11(t *testing.T) {
	w, c := clusterFixture(t)
	both := []kafka.TopicPartition{tp("test", 1), tp("test2", 1)}
	require.NoError(t, c.CreatePreferredReplicaElection(both))
	require.ElementsMatch(t, both, must(c.GetPreferredReplicaElection()))
	require.JSONEq(t, `{"version":1,"partitions":[{"topic":"test","partition":1},{"topic":"test2","partition":1}]}`, w.node("/admin/preferred_replica_election"))
}

const legacyReassignment = `{"version":1,"partitions":[{"topic":"foo","partition":0,"replicas":[1,2]}]}`

// RSN-12: the encoding of the legacy reassignment znode.
func TestRSN_12(t *testing.T) {
	require.Equal(t, legacyReassignment, string(zkdata.EncodePartitionReassignment([]zkdata.PartitionReplicas{{TopicPartition: tp("foo", 0), Replicas: ids(1, 2)}})))
}

// RSN-14: the decoding of the legacy reassignment znode.
func TestRSN_14(t *testing.T) {
	require.Equal(t, []zkdata.PartitionReplicas{{TopicPartition: tp("foo", 0), Replicas: ids(1, 2)}},
		must(zkdata.DecodePartitionReassignment([]byte(legacyReassignment))))
}

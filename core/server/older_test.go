package server_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"controllerscope/core/kafka"
	"controllerscope/core/request"
	"controllerscope/core/sim"
	"controllerscope/core/zk"
)

// Recording 33-isr-ibp26: registrations of version 4, a disabled /feature, no topic ids, and a leader that writes the ISR
// and announces it later.
func TestISRThroughZooKeeper(t *testing.T) {
	w, store := custom(t, map[string]string{"inter.broker.protocol.version": "2.6", "replica.lag.time.max.ms": "3000"}, ids(1, 2, 3)...)
	start(t, w, 1, 2, 3)
	require.Equal(t, `{"features":{},"version":1,"status":0}`, data(t, store, "/feature"))
	require.Contains(t, data(t, store, "/brokers/ids/2"), `"version":4`)
	require.NotContains(t, data(t, store, "/brokers/ids/2"), "features")
	require.Equal(t, []string{"get /feature NONODE", "create /feature", "get /feature"}, store.asked(store.order[0], 0, "/feature"))
	require.Empty(t, store.asked(store.order[1], 0, "/feature"), "no feature cache below 2.7-IV0")
	create(t, w, request.NewTopic{Name: "t", Assignment: [][]kafka.BrokerID{{2, 3}, {3, 2}}})
	require.Equal(t, `{"partitions":{"0":[2,3],"1":[3,2]},"adding_replicas":{},"removing_replicas":{},"version":3}`, data(t, store, "/brokers/topics/t"))

	n, m := len(store.said[store.order[1]]), len(store.said[store.order[0]])
	require.NoError(t, w.Lag(3, tp("t", 0), true))
	require.Empty(t, settled(t, w, w.AskBroker(2, request.Produce{TopicPartition: tp("t", 0), Records: 5}, "t-0")))
	require.NoError(t, w.Warp(5000, 0, nil))
	state := "/brokers/topics/t/partitions/0/state"
	require.Equal(t, `{"controller_epoch":1,"leader":2,"version":1,"leader_epoch":0,"isr":[2]}`, data(t, store, state))
	require.Equal(t, []string{"set " + state}, store.asked(store.order[1], n, ""), "not announced yet")
	require.Empty(t, store.asked(store.order[0], m, ""))
	require.NoError(t, w.Warp(8000, 0, nil))
	require.Equal(t, []string{"set " + state, "create /isr_change_notification/isr_change_"}, store.asked(store.order[1], n, ""))
	require.Equal(t, []string{"children /isr_change_notification", "get /isr_change_notification/isr_change_0000000000", "get " + state,
		"multi check /controller_epoch + delete /isr_change_notification/isr_change_0000000000", "children /isr_change_notification"},
		store.asked(store.order[0], m, ""))
	known, _ := w.Server(1).Broker().CachedPartition(tp("t", 0))
	require.Equal(t, []kafka.BrokerID{2}, known.ISR)

	require.NoError(t, w.Lag(3, tp("t", 0), false))
	require.NoError(t, w.RunToIdle(100_000, nil))
	require.Equal(t, `{"controller_epoch":1,"leader":2,"version":1,"leader_epoch":0,"isr":[2,3]}`, data(t, store, state))
	known, _ = w.Server(1).Broker().CachedPartition(tp("t", 0))
	require.Equal(t, []kafka.BrokerID{2, 3}, known.ISR, "idle only after the announcement")
}

// The leader's write meets a state that somebody else has written: it gives up until its next LeaderAndIsr.
func TestISRThroughZooKeeperGivesUp(t *testing.T) {
	w, store := custom(t, map[string]string{"inter.broker.protocol.version": "2.6", "replica.lag.time.max.ms": "3000"}, ids(1, 2, 3)...)
	start(t, w, 1, 2, 3)
	create(t, w, request.NewTopic{Name: "t", Assignment: [][]kafka.BrokerID{{2, 3}}})
	state := "/brokers/topics/t/partitions/0/state"
	write(t, w, zk.Set, zk.Persistent, state, `{"controller_epoch":1,"leader":2,"version":1,"leader_epoch":0,"isr":[2,3]}`)
	n := len(store.said[store.order[1]])
	require.NoError(t, w.Lag(3, tp("t", 0), true))
	require.Empty(t, settled(t, w, w.AskBroker(2, request.Produce{TopicPartition: tp("t", 0), Records: 1}, "t-0")))
	require.NoError(t, w.Warp(20_000, 0, nil))
	require.Equal(t, []string{"set " + state + " BADVERSION", "get " + state}, store.asked(store.order[1], n, ""))
	s, _ := w.Server(2).Broker().Hosted(tp("t", 0))
	require.Equal(t, []kafka.BrokerID{2, 3}, s.ISR)
	require.Equal(t, []kafka.BrokerID{2}, s.Pending)
}

// Recording 34-reassign-ibp26: the controller watches the state of the partition.
func TestReassignThroughZooKeeper(t *testing.T) {
	w, store := custom(t, map[string]string{"inter.broker.protocol.version": "2.6"}, ids(1, 2, 3, 4)...)
	start(t, w, 1, 2, 3, 4)
	create(t, w, request.NewTopic{Name: "t", Assignment: [][]kafka.BrokerID{{2, 1}}})
	n := len(store.said[store.order[0]])
	out := w.Ask(request.AlterPartitionReassignments{Partitions: []request.PartitionReassignment{{TopicPartition: tp("t", 0), Replicas: []kafka.BrokerID{3, 4}}}}, "t-0")
	require.Empty(t, settled(t, w, out))
	require.Equal(t, `{"partitions":{"0":[3,4]},"adding_replicas":{},"removing_replicas":{},"version":3}`, data(t, store, "/brokers/topics/t"))
	require.Equal(t, `{"controller_epoch":1,"leader":3,"version":1,"leader_epoch":4,"isr":[3,4]}`, data(t, store, "/brokers/topics/t/partitions/0/state"))
	require.Equal(t, []string{"get", "multi", "get", "multi", "get", "multi", "get", "multi", "get"},
		slices.Compact(words(store.asked(store.order[0], n, "/partitions/0/state"))),
		"epoch; progress as often as the watch told of it, election; two replicas leave; the announcement")
	require.True(t, store.watched(store.order[0], n, "/brokers/topics/t/partitions/0/state"))
}

func words(list []string) (out []string) {
	for _, x := range list {
		word, _, _ := strings.Cut(x, " ")
		out = append(out, word)
	}
	return out
}

// watched reports whether a session asked for a watch of a path.
func (t *tap) watched(id zk.SessionID, n int, path string) bool {
	for _, x := range t.said[id][n:] {
		if x.path == path && x.watch {
			return true
		}
	}
	return false
}

// Recording 42-upgrade-ibp: a controller at 2.8 enables /feature and gives topics their ids.
func TestUpgrade(t *testing.T) {
	w, store := custom(t, map[string]string{"inter.broker.protocol.version": "2.6"}, ids(1, 2)...)
	start(t, w, 1, 2)
	create(t, w, request.NewTopic{Name: "t", Assignment: [][]kafka.BrokerID{{1, 2}, {2, 1}}})
	stop := func(id kafka.BrokerID) {
		require.NoError(t, w.StopBroker(id))
		require.NoError(t, w.RunToIdle(100_000, nil))
		require.False(t, w.Running(id))
	}
	stop(1)
	require.NoError(t, w.SetBrokerProps(1, map[string]string{"inter.broker.protocol.version": "2.8"}))
	start(t, w, 1)
	require.Contains(t, data(t, store, "/brokers/ids/1"), `"version":5`)
	require.Equal(t, `{"features":{},"version":1,"status":0}`, data(t, store, "/feature"))
	require.Contains(t, data(t, store, "/brokers/topics/t/partitions/0/state"), `"isr":[2,1]`, "written by the leader at 2.6")
	stop(2)
	require.True(t, w.Server(1).Controller().IsActive())
	require.Equal(t, `{"features":{},"version":1,"status":1}`, data(t, store, "/feature"))
	require.Contains(t, data(t, store, "/brokers/topics/t"), `"topic_id":"`)
}

// Recording 35-logdir-failure: d-0 does not fit into the second directory, which fails with b-0 in it.
func TestLogDirFailure(t *testing.T) {
	w, store := custom(t, nil, sim.BrokerSetup{ID: 1}, sim.BrokerSetup{ID: 2, LogDirs: 2}, sim.BrokerSetup{ID: 3})
	start(t, w, 1, 2, 3)
	for _, x := range []struct {
		name     string
		replicas []kafka.BrokerID
	}{{"a", []kafka.BrokerID{2, 1}}, {"b", []kafka.BrokerID{2, 3}}, {"c", []kafka.BrokerID{2}}} {
		create(t, w, request.NewTopic{Name: x.name, Assignment: [][]kafka.BrokerID{x.replicas}})
	}
	require.NoError(t, w.BlockLog(2, 1, "d-0", true))
	n, m := len(store.said[store.order[0]]), len(store.said[store.order[1]])
	create(t, w, request.NewTopic{Name: "d", Assignment: [][]kafka.BrokerID{{2, 1}}})
	require.Equal(t, []string{"create /log_dir_event_notification/log_dir_event_"}, store.asked(store.order[1], m, "log_dir_event"))
	require.Equal(t, []string{"children /log_dir_event_notification", "get /log_dir_event_notification/log_dir_event_0000000000",
		"multi check /controller_epoch + delete /log_dir_event_notification/log_dir_event_0000000000", "children /log_dir_event_notification"},
		store.asked(store.order[0], n, "log_dir_event"))
	for topic, want := range map[string]string{"a": `"leader":2,"version":1,"leader_epoch":0,"isr":[2,1]`, "b": `"leader":3,"version":1,"leader_epoch":1,"isr":[3]`,
		"c": `"leader":2,"version":1,"leader_epoch":0,"isr":[2]`, "d": `"leader":2,"version":1,"leader_epoch":0,"isr":[2,1]`} {
		require.Equal(t, `{"controller_epoch":1,`+want+"}", data(t, store, "/brokers/topics/"+topic+"/partitions/0/state"), topic)
	}
	require.Equal(t, "KAFKA_STORAGE_ERROR", settled(t, w, w.AskBroker(2, request.Produce{TopicPartition: tp("b", 0), Records: 1}, "b-0")))
	require.NoError(t, w.StopBroker(2))
	require.NoError(t, w.RunToIdle(100_000, nil))
	require.NoError(t, w.BlockLog(2, 1, "d-0", false))
	start(t, w, 2)
	require.Contains(t, data(t, store, "/brokers/topics/b/partitions/0/state"), `"isr":[3,2]`)

	require.NoError(t, w.FailLogDir(2, 0))
	require.NoError(t, w.RunToIdle(100_000, nil))
	require.EqualError(t, w.FailLogDir(2, 0), "log directory 0 of broker 2 has failed already")
	require.NoError(t, w.FailLogDir(2, 1))
	require.NoError(t, w.RunToIdle(1_000_000, nil))
	require.False(t, w.Running(2), "a broker without a live directory ends")
}

// Recording 41-listener-change: broker 2 rewrites its registration on its configuration thread and back.
func TestListenerChange(t *testing.T) {
	w, store := custom(t, nil, ids(1, 2, 3)...)
	start(t, w, 1, 2, 3)
	n := len(store.said[store.order[1]])
	require.Empty(t, settled(t, w, w.AskBroker(2, set("brokers", "2", "listener.security.protocol.map", "PLAINTEXT:PLAINTEXT,EXTRA:PLAINTEXT",
		"listeners", "PLAINTEXT://broker2:9092,EXTRA://broker2:9093", "advertised.listeners", "PLAINTEXT://broker2:9092,EXTRA://broker2:9093"), "brokers/2")))
	require.Equal(t, []string{"children /brokers/ids", "get /brokers/ids/1", "get /brokers/ids/2", "get /brokers/ids/3", "set /brokers/ids/2"},
		store.asked(store.order[1], n, "/brokers/ids"))
	require.Contains(t, data(t, store, "/brokers/ids/2"), `"endpoints":["PLAINTEXT://broker2:9092","EXTRA://broker2:9093"]`)
	extra := kafka.Endpoint{Listener: "EXTRA", Protocol: "PLAINTEXT", Host: "broker2", Port: 9093}
	require.Contains(t, w.Server(3).Broker().AliveBrokers()[1].Endpoints, extra, "everybody was told")
	require.Empty(t, settled(t, w, w.AskBroker(2, unset("brokers", "2", "listener.security.protocol.map", "listeners", "advertised.listeners"), "brokers/2")))
	require.Contains(t, data(t, store, "/brokers/ids/2"), `"endpoints":["PLAINTEXT://broker2:9092"]`)
	require.NotContains(t, w.Server(3).Broker().AliveBrokers()[1].Endpoints, extra)
	require.NoError(t, w.StopBroker(2))
	require.NoError(t, w.RunToIdle(100_000, nil))
	require.False(t, w.Running(2))
}

// Recording 10-unclean-live-topic, and the same for all topics by the default of all brokers (kafka-controller.md 14.4).
func TestUncleanElectionSwitchedOn(t *testing.T) {
	w, store := custom(t, nil, ids(1, 2, 3)...)
	start(t, w, 1, 2, 3)
	for _, topic := range []string{"a", "b"} {
		create(t, w, request.NewTopic{Name: topic, Assignment: [][]kafka.BrokerID{{2, 3}}})
	}
	for _, id := range []kafka.BrokerID{3, 2} {
		require.NoError(t, w.KillBroker(id))
		require.NoError(t, w.RunToIdle(100_000, nil))
	}
	start(t, w, 3)
	leader := func(topic string) string { return data(t, store, "/brokers/topics/"+topic+"/partitions/0/state") }
	require.Contains(t, leader("a"), `"leader":-1`)
	require.Empty(t, settled(t, w, w.Ask(set("topics", "a", "unclean.leader.election.enable", "true"), "a")))
	require.Contains(t, leader("a"), `"leader":3,"version":1,"leader_epoch":3,"isr":[3]`)
	require.Contains(t, leader("b"), `"leader":-1`)
	require.Empty(t, settled(t, w, w.Ask(set("brokers", "", "unclean.leader.election.enable", "true"), "brokers")))
	require.Contains(t, leader("b"), `"leader":3`)
}

// 4.3: a list that the validation lets pass and the broker cannot read hides the permission behind it.
func TestUnreadableThrottle(t *testing.T) {
	w, _ := custom(t, nil, ids(1)...)
	start(t, w, 1)
	create(t, w, request.NewTopic{Name: "t", Assignment: [][]kafka.BrokerID{{1}}})
	require.Empty(t, settled(t, w, w.Ask(set("topics", "t", "leader.replication.throttled.replicas", "0:1,,1:1", "unclean.leader.election.enable", "true"), "t")))
	require.Equal(t, "0:1,,1:1", w.Server(1).Config().Config("topics", "t")["leader.replication.throttled.replicas"])
	require.Equal(t, "INVALID_REQUEST", settled(t, w, w.Ask(set("topics", "t", "leader.replication.throttled.replicas", "0"), "t")))
}

// kafka-znodes-and-config.md 6.4: after ZooKeeper's tree was wiped a broker finds another cluster than its disk's.
func TestAnotherClustersDisk(t *testing.T) {
	w, _ := custom(t, nil, ids(1)...)
	start(t, w, 1)
	require.NoError(t, w.StopBroker(1))
	require.NoError(t, w.RunToIdle(100_000, nil))
	write(t, w, zk.Set, zk.Persistent, "/cluster/id", `{"version":"1","id":"another"}`)
	require.NoError(t, w.StartBroker(1))
	s := w.Server(1)
	require.NoError(t, w.RunToIdle(100_000, nil))
	exited, why := s.Exited()
	require.True(t, exited)
	require.Contains(t, why, "the cluster id another doesn't match the stored cluster id ")
}

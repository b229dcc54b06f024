package server_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"controllerscope/core/kafka"
	"controllerscope/core/request"
	"controllerscope/core/sim"
	"controllerscope/core/zk"
	"controllerscope/core/zk/zkmem"
)

// custom is world with more server.properties.
func custom(t *testing.T, props map[string]string, brokers ...sim.BrokerSetup) (*sim.World, *tap) {
	setup := sim.Setup{Props: map[string]string{"zookeeper.session.timeout.ms": "60000", "auto.leader.rebalance.enable": "false"}, Brokers: brokers}
	for k, v := range props {
		setup.Props[k] = v
	}
	store := newTap()
	w := sim.New(sim.Config{Setup: setup, Seed: 1, Store: store})
	t.Cleanup(func() { require.NoError(t, w.Close()) })
	return w, store
}

func ids(list ...kafka.BrokerID) (out []sim.BrokerSetup) {
	for _, id := range list {
		out = append(out, sim.BrokerSetup{ID: id})
	}
	return out
}

// settled lets an operation end and returns its error name.
func settled(t *testing.T, w *sim.World, out *sim.Outcome) string {
	t.Helper()
	require.NoError(t, w.RunToIdle(1_000_000, nil))
	require.True(t, out.Done)
	return out.Error
}

// asked is what a session has said since its n-th request, children and watches of the notices left out.
func (t *tap) asked(id zk.SessionID, n int, part string) (list []string) {
	for _, x := range t.said[id][n:] {
		if strings.Contains(x.path, part) {
			list = append(list, x.text)
		}
	}
	return list
}

func data(t *testing.T, store *tap, path string) string {
	t.Helper()
	bytes, _, found := store.Store.(*zkmem.Store).Node(path)
	require.True(t, found, path)
	return string(bytes)
}

func tp(topic string, p int32) kafka.TopicPartition {
	return kafka.TopicPartition{Topic: topic, Partition: p}
}

func set(entityType, name string, keyValues ...string) request.IncrementalAlterConfigs {
	x := request.AlterConfigs{Type: entityType, Name: name}
	for i := 0; i < len(keyValues); i += 2 {
		x.Ops = append(x.Ops, request.ConfigOp{Key: keyValues[i], Value: keyValues[i+1]})
	}
	return request.IncrementalAlterConfigs{Resources: []request.AlterConfigs{x}}
}

func unset(entityType, name string, keys ...string) request.IncrementalAlterConfigs {
	x := request.AlterConfigs{Type: entityType, Name: name}
	for _, k := range keys {
		x.Ops = append(x.Ops, request.ConfigOp{Key: k, Delete: true})
	}
	return request.IncrementalAlterConfigs{Resources: []request.AlterConfigs{x}}
}

func quota(key string, value float64, entity ...request.QuotaEntity) request.AlterClientQuotas {
	return request.AlterClientQuotas{Entries: []request.AlterQuotas{{Entity: entity, Ops: []request.QuotaOp{{Key: key, Value: value}}}}}
}

// Recording 36-config-entities: the conversation of each change, and what it leaves behind, byte for byte.
func TestConfigEntities(t *testing.T) {
	w, store := custom(t, map[string]string{"background.threads": "4"}, ids(1, 2)...)
	start(t, w, 1, 2)
	require.Empty(t, settled(t, w, w.Ask(request.CreateTopics{Topics: []request.NewTopic{{Name: "t", Assignment: [][]kafka.BrokerID{{1, 2}}}}}, "t")))
	one := store.order[0]
	n := len(store.said[one])
	require.Empty(t, settled(t, w, w.Ask(set("topics", "t", "retention.ms", "1000", "max.message.bytes", "2000"), "t")))
	require.Equal(t, []string{"get /config/topics/t", "exists /brokers/topics/t", "exists /brokers/topics/t", "set /config/topics/t",
		"create /config/changes NODEEXISTS", "create /config/changes/config_change_"}, store.asked(one, n, "")[:6])
	require.Equal(t, `{"version":1,"config":{"max.message.bytes":"2000","retention.ms":"1000"}}`, data(t, store, "/config/topics/t"))
	require.Equal(t, `{"version":2,"entity_path":"topics/t"}`, data(t, store, "/config/changes/config_change_0000000000"))

	require.Empty(t, settled(t, w, w.AskBroker(2, set("brokers", "2", "log.cleaner.threads", "2"), "brokers/2")))
	n = len(store.said[one])
	require.Empty(t, settled(t, w, w.Ask(set("brokers", "", "background.threads", "5"), "brokers")))
	require.Equal(t, []string{"get /config/brokers/<default> NONODE", "set /config/brokers/<default> NONODE", "create /config/brokers/<default>"},
		store.asked(one, n, "/config/brokers/<default>")[:3])
	user := request.QuotaEntity{Type: "user", Name: "alice"}
	client := request.QuotaEntity{Type: "client-id", Name: "app-1"}
	for _, r := range []request.Request{quota("producer_byte_rate", 1000, user),
		quota("consumer_byte_rate", 500, request.QuotaEntity{Type: "user", Default: true}), quota("request_percentage", 50, client)} {
		require.Empty(t, settled(t, w, w.Ask(r, "quota")))
	}
	n = len(store.said[one])
	require.Empty(t, settled(t, w, w.Ask(quota("producer_byte_rate", 10, user, client), "quota")))
	require.Equal(t, []string{"get /config/users/alice/clients/app-1 NONODE", "set /config/users/alice/clients/app-1 NONODE",
		"create /config/users/alice/clients/app-1 NONODE", "create /config/users/alice/clients", "create /config/users/alice/clients/app-1"},
		store.asked(one, n, "/config/users/alice/clients")[:5])
	require.Empty(t, settled(t, w, w.Ask(quota("connection_creation_rate", 100, request.QuotaEntity{Type: "ip", Name: "127.0.0.1"}), "quota")))
	require.Empty(t, settled(t, w, w.Ask(unset("topics", "t", "retention.ms"), "t")))
	removal := quota("producer_byte_rate", 0, user)
	removal.Entries[0].Ops[0].Remove = true
	require.Empty(t, settled(t, w, w.Ask(removal, "quota")))
	for path, want := range map[string]string{
		"topics/t": `{"version":1,"config":{"max.message.bytes":"2000"}}`, "brokers/2": `{"version":1,"config":{"log.cleaner.threads":"2"}}`,
		"brokers/<default>": `{"version":1,"config":{"background.threads":"5"}}`, "users/alice": `{"version":1,"config":{}}`,
		"users/<default>": `{"version":1,"config":{"consumer_byte_rate":"500"}}`, "clients/app-1": `{"version":1,"config":{"request_percentage":"50.0"}}`,
		"users/alice/clients/app-1": `{"version":1,"config":{"producer_byte_rate":"10"}}`, "ips/127.0.0.1": `{"version":1,"config":{"connection_creation_rate":"100"}}`,
	} {
		require.Equal(t, want, data(t, store, "/config/"+path), path)
	}
	c := w.Server(2).Config()
	for _, x := range []struct {
		user, client, key string
		want              float64
		from              string
	}{{"alice", "app-1", "producer_byte_rate", 10, "users/alice/clients/app-1"}, {"alice", "x", "consumer_byte_rate", 500, "users/<default>"},
		{"bob", "app-1", "request_percentage", 50, "clients/app-1"}} {
		value, from, found := c.Quota(x.user, x.client, x.key)
		require.True(t, found)
		require.Equal(t, x.want, value)
		require.Equal(t, x.from, from)
	}
	_, _, found := c.Quota("alice", "x", "producer_byte_rate")
	require.False(t, found)
	rate, found := c.ConnectionRateOf("127.0.0.1")
	require.True(t, found)
	require.Equal(t, int64(100), rate)
}

// Recording 43-invalid-requests and kafka-znodes-and-config.md 4.2: refused without a write.
func TestInvalidRequests(t *testing.T) {
	w, store := custom(t, nil, ids(1, 2)...)
	start(t, w, 1, 2)
	create(t, w, request.NewTopic{Name: "t", Assignment: [][]kafka.BrokerID{{1, 2}}})
	writes := func() (n int) {
		for _, x := range store.said[store.order[0]] {
			if word, _, _ := strings.Cut(x.text, " "); word == "set" || word == "create" || word == "delete" || word == "multi" {
				n++
			}
		}
		return n
	}
	before := writes()
	move := func(p kafka.TopicPartition, to []kafka.BrokerID) request.Request {
		return request.AlterPartitionReassignments{Partitions: []request.PartitionReassignment{{TopicPartition: p, Replicas: to}}}
	}
	for _, c := range []struct {
		ask  request.Request
		want string
	}{
		{request.CreateTopics{Topics: []request.NewTopic{{Name: "t", Assignment: [][]kafka.BrokerID{{1}}}}}, "TOPIC_ALREADY_EXISTS"},
		{request.CreateTopics{Topics: []request.NewTopic{{Name: "..", Assignment: [][]kafka.BrokerID{{1}}}}}, "INVALID_TOPIC_EXCEPTION"},
		{request.CreateTopics{Topics: []request.NewTopic{{Name: "c", Assignment: [][]kafka.BrokerID{{1}}, Config: []request.ConfigEntry{{Key: "x", Value: "1"}}}}}, "INVALID_CONFIG"},
		{move(tp("t", 0), []kafka.BrokerID{1, 9}), "INVALID_REPLICA_ASSIGNMENT"},
		{move(tp("t", 5), []kafka.BrokerID{1, 2}), "UNKNOWN_TOPIC_OR_PARTITION"},
		{move(tp("t", 0), []kafka.BrokerID{1, 1}), "INVALID_REPLICA_ASSIGNMENT"},
		{move(tp("t", 0), nil), "NO_REASSIGNMENT_IN_PROGRESS"},
		{request.CreatePartitions{Topics: []request.NewPartitions{{Name: "t", Count: 2, Assignment: [][]kafka.BrokerID{{1, 2, 3}}}}}, "INVALID_REPLICA_ASSIGNMENT"},
		{set("topics", "t", "retention.ms", "abc"), "INVALID_REQUEST"},
		{set("topics", "t", "retention.weeks", "1"), "INVALID_CONFIG"},
		{set("topics", "ghost", "retention.ms", "1"), "UNKNOWN_TOPIC_OR_PARTITION"},
		{set("topics", "", "retention.ms", "1"), "INVALID_REQUEST"},
		{set("topics", "t", "retention.ms", "1", "retention.ms", "2"), "INVALID_REQUEST"},
		{set("topics", "t", "min.compaction.lag.ms", "9", "max.compaction.lag.ms", "8"), "INVALID_CONFIG"},
		{set("brokers", "2", "log.cleaner.threads", "2"), "INVALID_REQUEST"}, // asked of broker 1
		{set("brokers", "one", "log.cleaner.threads", "2"), "INVALID_REQUEST"},
		{set("brokers", "", "listeners", "PLAINTEXT://x:1"), "INVALID_REQUEST"},
		{set("brokers", "1", "zookeeper.connect", "x"), "INVALID_REQUEST"},
		{set("brokers", "1", "num.io.threads", "17"), "INVALID_REQUEST"},
		{set("brokers", "1", "advertised.listeners", "EXTRA://x:1"), "INVALID_REQUEST"},
		{quota("producer_byte_rate", 1.5, request.QuotaEntity{Type: "user", Name: "a"}), "INVALID_REQUEST"},
		{quota("bytes", 1, request.QuotaEntity{Type: "user", Name: "a"}), "INVALID_REQUEST"},
		{quota("connection_creation_rate", 1, request.QuotaEntity{Type: "ip", Name: "1.2.3"}), "INVALID_REQUEST"},
		{quota("producer_byte_rate", 1, request.QuotaEntity{Type: "ip", Name: "1.2.3.4"}, request.QuotaEntity{Type: "user", Name: "a"}), "INVALID_REQUEST"},
		{quota("producer_byte_rate", 1), "INVALID_REQUEST"},
		{request.DeleteTopics{Topics: []string{"ghost"}}, "UNKNOWN_TOPIC_OR_PARTITION"},
		{request.ElectLeaders{Partitions: []kafka.TopicPartition{tp("t", 0)}}, "ELECTION_NOT_NEEDED"},
		{request.ElectLeaders{Partitions: []kafka.TopicPartition{tp("g", 0)}}, "UNKNOWN_TOPIC_OR_PARTITION"},
	} {
		require.Equal(t, c.want, settled(t, w, w.Ask(c.ask, "x")), "%+v", c.ask)
	}
	require.Equal(t, before, writes())
}

// Recordings 20-elect-preferred-api and 44-elect-unclean-api.
func TestElectLeaders(t *testing.T) {
	w, store := custom(t, nil, ids(1, 2, 3)...)
	start(t, w, 1, 2, 3)
	create(t, w, request.NewTopic{Name: "t", Assignment: [][]kafka.BrokerID{{2, 3, 1}, {3, 2, 1}, {2, 1, 3}}})
	require.NoError(t, w.KillBroker(2))
	require.NoError(t, w.RunToIdle(100_000, nil))
	preferred := func(tps ...kafka.TopicPartition) string {
		return settled(t, w, w.Ask(request.ElectLeaders{Partitions: tps}, "elect"))
	}
	require.Equal(t, "PREFERRED_LEADER_NOT_AVAILABLE", preferred(tp("t", 0)))
	start(t, w, 2)
	require.Empty(t, preferred(tp("t", 0)))
	require.Equal(t, "ELECTION_NOT_NEEDED", preferred(tp("t", 0)))
	out := w.Ask(request.ElectLeaders{}, "*")
	require.Empty(t, settled(t, w, out))
	require.Equal(t, []request.PartitionResult{{TopicPartition: tp("t", 2)}}, out.Answer.(request.PartitionResponse).Partitions,
		"those that need no election are left out")
	require.Contains(t, data(t, store, "/brokers/topics/t/partitions/2/state"), `"leader":2`)

	create(t, w, request.NewTopic{Name: "u", Assignment: [][]kafka.BrokerID{{2, 3}}})
	unclean := func() string {
		return settled(t, w, w.Ask(request.ElectLeaders{Unclean: true, Partitions: []kafka.TopicPartition{tp("u", 0)}}, "elect"))
	}
	require.Equal(t, "ELECTION_NOT_NEEDED", unclean())
	require.NoError(t, w.KillBroker(3))
	require.NoError(t, w.RunToIdle(100_000, nil))
	require.NoError(t, w.KillBroker(2))
	require.NoError(t, w.RunToIdle(100_000, nil))
	require.Equal(t, "ELIGIBLE_LEADERS_NOT_AVAILABLE", unclean())
	start(t, w, 3)
	require.Empty(t, unclean())
	require.Contains(t, data(t, store, "/brokers/topics/u/partitions/0/state"), `"leader":3`)
}

// Recording 23-reassign-full: accepted at once, listed while it runs, finished by the leader's AlterIsr.
func TestReassign(t *testing.T) {
	w, store := custom(t, nil, ids(1, 2, 3, 4, 5)...)
	start(t, w, 1, 2, 3, 4, 5)
	create(t, w, request.NewTopic{Name: "t", Assignment: [][]kafka.BrokerID{{2, 3}}})
	require.NoError(t, w.PauseBroker(5))
	out := w.Ask(request.AlterPartitionReassignments{Partitions: []request.PartitionReassignment{{TopicPartition: tp("t", 0), Replicas: []kafka.BrokerID{4, 5}}}}, "t-0")
	require.NoError(t, w.RunToIdle(1_000_000, func() bool { return out.Done }))
	require.Empty(t, out.Error)
	listed := w.Ask(request.ListPartitionReassignments{}, "*")
	require.NoError(t, w.RunToIdle(1_000_000, func() bool { return listed.Done }))
	require.Equal(t, []request.OngoingReassignment{{TopicPartition: tp("t", 0), ReplicaAssignment: kafka.ReplicaAssignment{
		Replicas: []kafka.BrokerID{4, 5, 2, 3}, Adding: []kafka.BrokerID{4, 5}, Removing: []kafka.BrokerID{2, 3}}}},
		listed.Answer.(request.ListPartitionReassignmentsResponse).Partitions)
	require.NoError(t, w.ResumeBroker(5))
	require.NoError(t, w.RunToIdle(1_000_000, nil))
	require.Contains(t, data(t, store, "/brokers/topics/t"), `"partitions":{"0":[4,5]}`)
	require.Contains(t, data(t, store, "/brokers/topics/t/partitions/0/state"), `"leader":4`)
}

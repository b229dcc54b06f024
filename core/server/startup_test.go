package server_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"controllerscope/core/kafka"
	"controllerscope/core/request"
	"controllerscope/core/server"
	"controllerscope/core/zk"
)

// pathsMade are the creates of a later start: every path is there already.
func pathsMade() (list []string) {
	for _, p := range []string{"/consumers", "/brokers/ids", "/brokers/topics", "/config/changes", "/admin/delete_topics", "/brokers/seqid",
		"/isr_change_notification", "/latest_producer_id_block", "/log_dir_event_notification", "/config/topics", "/config/clients",
		"/config/users", "/config/brokers", "/config/ips"} {
		list = append(list, "create "+p+" NODEEXISTS")
	}
	return list
}

// Recording 06-controller-dies, step "start 1": the first broker of an empty ensemble.
func TestFirstStart(t *testing.T) {
	w, store := world(t, 1)
	start(t, w, 1)
	lanes := store.lanes(store.order[0])
	require.Equal(t, []string{
		"create /consumers", "create /brokers/ids NONODE", "create /brokers", "create /brokers/ids", "create /brokers/topics",
		"create /config/changes NONODE", "create /config", "create /config/changes",
		"create /admin/delete_topics NONODE", "create /admin", "create /admin/delete_topics",
		"create /brokers/seqid", "create /isr_change_notification", "create /latest_producer_id_block", "create /log_dir_event_notification",
		"create /config/topics", "create /config/clients", "create /config/users", "create /config/brokers", "create /config/ips",
		"get /cluster/id NONODE", "create /cluster/id NONODE", "create /cluster", "create /cluster/id",
		"get /config/brokers/<default> NONODE", "get /config/brokers/1 NONODE",
		"children /brokers/topics", "children /brokers/ids", "create /brokers/ids/1 + set /brokers/ids/1",
		"get /brokers/topics/__consumer_offsets NONODE", "get /latest_producer_id_block", "set /latest_producer_id_block",
		"get /brokers/topics/__transaction_state NONODE",
		"children /config/topics", "children /config/clients", "children /config/users", "children /config/users",
		"children /config/ips", "children /config/brokers"}, withoutMulti(lanes["startup"]))
	require.Equal(t, []string{"children /config/changes"}, lanes["config"])
	require.Equal(t, []string{"exists /feature NONODE", "get /feature NONODE", "get /feature NONODE", "create /feature",
		"get /feature", "get /feature"}, lanes["feature"])
	s := w.Server(1)
	require.Equal(t, server.Running, s.State())
	require.True(t, s.Controller().IsActive())
	require.Equal(t, kafka.BrokerID(1), s.ControllerID(), "the controller told its own broker")
}

// withoutMulti writes the registration's multi as one word list.
func withoutMulti(list []string) (out []string) {
	for _, x := range list {
		out = append(out, strings.TrimPrefix(x, "multi "))
	}
	return out
}

// The same recording, step "start 2", and "broker start 1" once a topic exists.
func TestLaterStarts(t *testing.T) {
	w, store := world(t, 1, 2, 3)
	start(t, w, 1, 2)
	lanes := store.lanes(store.order[1])
	later := func(id string, reads ...string) []string {
		list := append(pathsMade(), "get /cluster/id", "get /config/brokers/<default> NONODE", "get /config/brokers/"+id+" NONODE")
		list = append(list, reads...)
		return append(list, "create /brokers/ids/"+id+" + set /brokers/ids/"+id,
			"get /brokers/topics/__consumer_offsets NONODE", "get /latest_producer_id_block", "set /latest_producer_id_block",
			"get /brokers/topics/__transaction_state NONODE",
			"children /config/topics", "children /config/clients", "children /config/users", "children /config/users",
			"children /config/ips", "children /config/brokers")
	}
	require.Equal(t, later("2", "children /brokers/topics", "children /brokers/ids", "get /brokers/ids/1"), withoutMulti(lanes["startup"]))
	require.Equal(t, []string{"children /config/changes"}, lanes["config"])
	require.Equal(t, []string{"exists /feature", "get /feature"}, lanes["feature"])

	start(t, w, 3)
	create(t, w, request.NewTopic{Name: "t", Assignment: [][]kafka.BrokerID{{2, 3}, {3, 2}}})
	for i := range 2 {
		require.Equal(t, []string{"children /config/changes", "get /config/topics/t", "get /config/topics/t"},
			store.lanes(store.order[1+i])["config"], "each new log reads its topic's config")
	}
	require.NoError(t, w.KillBroker(1))
	require.NoError(t, w.RunToIdle(100_000, nil))
	start(t, w, 1)
	lanes = store.lanes(lastSession(store))
	require.Equal(t, later("1", "children /brokers/topics", "get /config/topics/t", "children /brokers/ids", "get /brokers/ids/2",
		"get /brokers/ids/3"), withoutMulti(lanes["startup"]))
	require.Equal(t, []string{"children /config/changes", "get /config/topics/t"}, lanes["config"])
	require.Equal(t, []string{"exists /feature", "get /feature"}, lanes["feature"])
}

// Recording 40-stale-ephemeral: the registration of the crashed predecessor is still there.
func TestStaleEphemeralRefusesTheStart(t *testing.T) {
	w, store := world(t, 1, 2)
	start(t, w, 1, 2)
	require.NoError(t, w.CrashBroker(2))
	require.NoError(t, w.StartBroker(2))
	second := w.Server(2)
	require.NoError(t, w.RunToIdle(100_000, func() bool { done, _ := second.Exited(); return done }))
	done, why := second.Exited()
	require.True(t, done)
	require.Equal(t, "ZooKeeper answered NODEEXISTS for /brokers/ids/2", why)
	talk := store.said[lastSession(store)]
	require.Equal(t, "multi create /brokers/ids/2 + set /brokers/ids/2 NODEEXISTS", talk[len(talk)-2].text)
	require.Equal(t, "get /brokers/ids/2", talk[len(talk)-1].text)
	require.NoError(t, w.RunToIdle(100_000, nil)) // the old session expires
	start(t, w, 2)
	require.Equal(t, server.Running, w.Server(2).State())
}

func TestProps(t *testing.T) {
	require.EqualError(t, server.CheckProps(map[string]string{"num.partitions": "0"}),
		"invalid value 0 for configuration num.partitions: value must be at least 1")
	require.EqualError(t, server.CheckProps(map[string]string{"default.replication.factor": "70000"}),
		"invalid value 70000 for configuration default.replication.factor: not a number of this type")
	require.EqualError(t, server.CheckProps(map[string]string{"controlled.shutdown.enable": "yes"}),
		"invalid value yes for configuration controlled.shutdown.enable: expected value to be either true or false")
	require.EqualError(t, server.CheckProps(map[string]string{"num.io.threads": "abc"}),
		"Invalid value abc for configuration num.io.threads: Not a number of type INT", "a setting that can also be changed while the broker runs")
	require.NoError(t, server.CheckProps(map[string]string{"log.dirs": "/x", "num.partitions": "3"}))

	w, _ := world(t, 1)
	require.NoError(t, w.SetBrokerProps(1, map[string]string{"num.partitions": "many"}))
	require.NoError(t, w.StartBroker(1))
	s := w.Server(1)
	require.NoError(t, w.RunToIdle(100_000, nil))
	done, why := s.Exited()
	require.True(t, done)
	require.Equal(t, "invalid value many for configuration num.partitions: not a number of this type", why)
}

// 6.4: an address that another registered broker advertises.
func TestEndpointOfAnotherBrokerRefusesTheStart(t *testing.T) {
	w, _ := world(t, 1)
	for _, path := range []string{"/brokers", "/brokers/ids"} {
		w.Zk(zk.Op{Kind: zk.Create, Path: path})
	}
	w.Zk(zk.Op{Kind: zk.Create, Path: "/brokers/ids/9", Data: []byte(
		`{"version":5,"endpoints":["X://other:1","PLAINTEXT://broker1:9092"],"listener_security_protocol_map":{"X":"PLAINTEXT","PLAINTEXT":"PLAINTEXT"},"host":"broker1","port":9092,"jmx_port":-1,"timestamp":"0","features":{}}`)})
	require.NoError(t, w.RunToIdle(100_000, nil))
	require.NoError(t, w.StartBroker(1))
	s := w.Server(1)
	require.NoError(t, w.RunToIdle(100_000, nil))
	_, why := s.Exited()
	require.Equal(t, "configured end points broker1:9092 in advertised listeners are already registered by broker 9", why)
}

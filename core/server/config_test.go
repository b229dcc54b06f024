package server_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"controllerscope/core/kafka"
	"controllerscope/core/sim"
	"controllerscope/core/zk"
)

// write makes the operator write to ZooKeeper and lets the world come to rest.
func write(t *testing.T, w *sim.World, kind zk.Kind, mode zk.Mode, path, data string) {
	out := w.Zk(zk.Op{Kind: kind, Path: path, Data: []byte(data), Version: zk.AnyVersion, Mode: mode})
	require.NoError(t, w.RunToIdle(100_000, nil))
	require.Equal(t, "", out.Error)
}

func notify(t *testing.T, w *sim.World, entityPath string) {
	write(t, w, zk.Create, zk.PersistentSequential, "/config/changes/config_change_", `{"version":2,"entity_path":"`+entityPath+`"}`)
}

// since lists what a session has said of the config lane from its n-th request on.
func (t *tap) since(id zk.SessionID, n int) (list []string) {
	for _, x := range t.said[id][n:] {
		if strings.Contains(x.path, "/config/") {
			list = append(list, x.text)
		}
	}
	return list
}

func notice(n string) string { return "/config/changes/config_change_000000000" + n }

// Recording 36-config-entities, steps "config set topics/t" and "config set brokers/2": read by every broker, applied by
// those whom it concerns; then each notice is looked at once more for the purge.
func TestConfigChange(t *testing.T) {
	w, store := world(t, 1, 2)
	start(t, w, 1, 2)
	write(t, w, zk.Create, zk.Persistent, "/config/topics/t", `{"version":1,"config":{"retention.ms":"1000"}}`)
	write(t, w, zk.Create, zk.Persistent, "/config/brokers/2", `{"version":1,"config":{"log.cleaner.threads":"2"}}`)
	n := len(store.said[store.order[1]])
	notify(t, w, "topics/t")
	require.Equal(t, []string{"children /config/changes", "get " + notice("0"), "get /config/topics/t", "get " + notice("0")}, store.since(store.order[1], n))
	n = len(store.said[store.order[1]])
	notify(t, w, "brokers/2")
	require.Equal(t, []string{"children /config/changes", "get " + notice("1"), "get /config/brokers/2", "get " + notice("0"), "get " + notice("1")},
		store.since(store.order[1], n))
	for _, id := range []int32{1, 2} {
		c := w.Server(kafka.BrokerID(id)).Config()
		require.Equal(t, map[string]string{"retention.ms": "1000"}, c.Config("topics", "t"))
		require.Equal(t, id == 2, c.Config("brokers", "2") != nil)
	}
}

// Recording 39-config-purge: broker 2's clock is 20 minutes ahead, so that it finds each notice older than 15 minutes.
func TestConfigPurgeByABrokersOwnClock(t *testing.T) {
	w, store := world(t, 1, 2)
	require.NoError(t, w.Skew(2, 20*60*1000))
	start(t, w, 1, 2)
	write(t, w, zk.Create, zk.Persistent, "/config/topics/t", `{"version":1,"config":{}}`)
	n := len(store.said[store.order[1]])
	notify(t, w, "topics/t")
	require.Equal(t, []string{"children /config/changes", "get " + notice("0"), "get /config/topics/t", "get " + notice("0"),
		"children " + notice("0"), "delete " + notice("0"), "children /config/changes"}, store.since(store.order[1], n))
}

// Without a pass nothing is purged: the notice of a quiet cluster goes with the next change. The age must be above 15 min.
func TestConfigPurgeNeedsAPass(t *testing.T) {
	w, store := world(t, 1)
	start(t, w, 1)
	notify(t, w, "topics/none")
	require.NoError(t, w.Advance(3_600_000))
	require.NoError(t, w.RunToIdle(100_000, nil))
	n := len(store.said[store.order[0]])
	notify(t, w, "topics/none")
	require.Equal(t, []string{"children /config/changes", "get " + notice("1"), "get /config/topics/none NONODE", "get " + notice("0"),
		"children " + notice("0"), "delete " + notice("0"), "get " + notice("1"), "children /config/changes", "get " + notice("1")}, store.since(store.order[0], n))
}

// Recording 38-config-notices-by-hand: a bad notice is skipped for good; a name without a number ends every pass there.
func TestConfigNoticesByHand(t *testing.T) {
	w, store := world(t, 1)
	start(t, w, 1)
	write(t, w, zk.Create, zk.Persistent, "/config/topics/t", `{"version":1,"config":{"retention.ms":"1"}}`)
	write(t, w, zk.Create, zk.PersistentSequential, "/config/changes/config_change_", `{"version":9}`)
	notify(t, w, "topics/t")
	require.Equal(t, map[string]string{"retention.ms": "1"}, w.Server(1).Config().Config("topics", "t"))
	write(t, w, zk.Create, zk.Persistent, "/config/changes/foo", "x")
	write(t, w, zk.Set, 0, "/config/topics/t", `{"version":1,"config":{"retention.ms":"2"}}`)
	n := len(store.said[store.order[0]])
	notify(t, w, "topics/t")
	require.Equal(t, map[string]string{"retention.ms": "2"}, w.Server(1).Config().Config("topics", "t"))
	// foo takes a number too: the directory counts all creates.
	require.Equal(t, []string{"children /config/changes", "get " + notice("3"), "get /config/topics/t"}, store.since(store.order[0], n), "no purge")
	// The new process starts at -1 and carries out what is left; config znodes without overrides are none.
	write(t, w, zk.Delete, 0, "/config/changes/foo", "")
	write(t, w, zk.Delete, 0, "/config/topics/t", "")
	require.NoError(t, w.StopBroker(1))
	require.NoError(t, w.RunToIdle(100_000, nil))
	start(t, w, 1)
	require.Nil(t, w.Server(1).Config().Config("topics", "t"))
}

// 3.5: the walk at start reads every entity of every type, the clients of users too.
func TestConfigWalkAtStart(t *testing.T) {
	w, store := world(t, 1)
	for _, path := range []string{"/config", "/config/topics", "/config/clients", "/config/users", "/config/users/alice", "/config/users/alice/clients"} {
		write(t, w, zk.Create, zk.Persistent, path, "")
	}
	write(t, w, zk.Create, zk.Persistent, "/config/clients/app-1", `{"version":1,"config":{"request_percentage":"50.0"}}`)
	write(t, w, zk.Create, zk.Persistent, "/config/users/alice/clients/app-1", `{"version":1,"config":{"producer_byte_rate":"9"}}`)
	start(t, w, 1)
	talk := store.since(lastSession(store), 0)
	var walk []string
	for _, x := range talk {
		if strings.HasPrefix(x, "children /config/") || strings.HasPrefix(x, "get /config/clients") || strings.HasPrefix(x, "get /config/users") {
			walk = append(walk, x)
		}
	}
	require.ElementsMatch(t, []string{"children /config/changes", "children /config/topics", "children /config/clients", "get /config/clients/app-1",
		"children /config/users", "get /config/users/alice", "children /config/users", "children /config/users/alice/clients",
		"get /config/users/alice/clients/app-1", "children /config/ips", "children /config/brokers"}, walk)
	require.Equal(t, map[string]string{"producer_byte_rate": "9"}, w.Server(1).Config().Config("users", "alice/clients/app-1"))
}

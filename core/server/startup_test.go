package server_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"controllerscope/core/env"
	"controllerscope/core/kafka"
	"controllerscope/core/request"
	"controllerscope/core/server"
	"controllerscope/core/sim"
	"controllerscope/core/trace"
	"controllerscope/core/zk"
	"controllerscope/core/zk/zkmem"
)

// tap is a store that writes down the conversation of each session.
type tap struct {
	zk.Store
	order []zk.SessionID
	said  map[zk.SessionID][]said
}

type said struct {
	text  string // "get /cluster/id NONODE", with " w" when it asked for a watch
	path  string
	watch bool
}

func (t *tap) Open(now int64, timeoutMS int32) (zk.SessionID, int32, zk.Effects, error) {
	id, ms, fx, err := t.Store.Open(now, timeoutMS)
	t.order = append(t.order, id)
	return id, ms, fx, err
}

func (t *tap) Apply(now int64, id zk.SessionID, op zk.Op) (zk.Result, zk.Effects, error) {
	r, fx, err := t.Store.Apply(now, id, op)
	path := op.Path
	if op.Kind == zk.Multi {
		var paths []string
		for _, o := range op.Ops {
			paths = append(paths, o.Kind.String()+" "+o.Path)
		}
		path = strings.Join(paths, " + ")
	}
	text := op.Kind.String() + " " + path
	if r.Err != zk.OK {
		text += " " + r.Err.Error()
	}
	t.said[id] = append(t.said[id], said{text, path, op.Watch})
	return r, fx, err
}

func newTap() *tap { return &tap{Store: zkmem.New(zkmem.Options{}), said: map[zk.SessionID][]said{}} }

// lanes takes the conversation of a session apart as the recorder does (FORMAT.md, lane): start-up, config, feature, and the
// rest, which is the controller's.
func (t *tap) lanes(id zk.SessionID) map[string][]string {
	out := map[string][]string{}
	registered := false
	for _, x := range t.said[id] {
		lane := "main"
		switch {
		case x.path == "/feature":
			lane = "feature"
		case x.watch && x.path == "/config/changes", strings.HasPrefix(x.text, "get /config/topics/") && registered:
			lane = "config"
		case x.watch || strings.HasPrefix(x.path, "/controller") || strings.Contains(x.path, "/controller_epoch"),
			registered && strings.HasPrefix(x.path, "/brokers/ids"), strings.HasPrefix(x.text, "exists "):
		default:
			lane = "startup"
		}
		if strings.HasPrefix(x.path, "create /brokers/ids/") {
			registered = true
		}
		out[lane] = append(out[lane], x.text)
	}
	return out
}

func world(t *testing.T, brokers ...kafka.BrokerID) (*sim.World, *tap) {
	setup := sim.Setup{Props: map[string]string{"controlled.shutdown.enable": "false", "zookeeper.session.timeout.ms": "60000",
		"auto.leader.rebalance.enable": "false"}}
	for _, id := range brokers {
		setup.Brokers = append(setup.Brokers, sim.BrokerSetup{ID: id})
	}
	store := newTap()
	w := sim.New(sim.Config{Setup: setup, Seed: 1, Store: store})
	t.Cleanup(func() { require.NoError(t, w.Close()) })
	return w, store
}

func start(t *testing.T, w *sim.World, ids ...kafka.BrokerID) {
	for _, id := range ids {
		require.NoError(t, w.StartBroker(id))
		require.NoError(t, w.RunToIdle(100_000, nil))
	}
}

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

func lastSession(store *tap) zk.SessionID {
	for i := len(store.order) - 1; ; i-- {
		if slices.ContainsFunc(store.said[store.order[i]], func(x said) bool { return x.path == "/consumers" }) {
			return store.order[i]
		}
	}
}

func create(t *testing.T, w *sim.World, topics ...request.NewTopic) request.TopicResponse {
	out := w.Ask(request.CreateTopics{Topics: topics}, topics[0].Name)
	require.NoError(t, w.RunToIdle(100_000, nil))
	require.True(t, out.Done)
	return out.Answer.(request.TopicResponse)
}

// The api lane of step "topic create t" in the same recording, and the answer.
func TestCreateTopic(t *testing.T) {
	w, store := world(t, 1, 2, 3)
	start(t, w, 1, 2, 3)
	before := len(store.said[store.order[0]])
	answer := create(t, w, request.NewTopic{Name: "t", Assignment: [][]kafka.BrokerID{{2, 3}, {3, 2}}})
	require.Equal(t, request.TopicResponse{Of: "CreateTopics", Topics: []request.TopicResult{{Name: "t"}}}, answer)
	var api []string
	for _, x := range store.said[store.order[0]][before:] {
		if !x.watch && !strings.HasPrefix(x.text, "multi ") {
			api = append(api, x.text)
		}
	}
	require.Equal(t, []string{"exists /brokers/topics/t NONODE", "set /config/topics/t NONODE", "create /config/topics/t",
		"create /brokers/topics/t", "get /brokers/topics/t"}, api)
	s, hosted := w.Server(2).Broker().Hosted(kafka.TopicPartition{Topic: "t"})
	require.True(t, hosted)
	require.Equal(t, []kafka.BrokerID{2, 3}, s.ISR)
}

// Recording 43-invalid-requests: what is refused, and with what.
func TestCreateTopicRefusals(t *testing.T) {
	w, store := world(t, 1, 2)
	start(t, w, 1, 2)
	create(t, w, request.NewTopic{Name: "t", Assignment: [][]kafka.BrokerID{{1, 2}}})
	before := len(store.said[store.order[0]])
	for _, c := range []struct {
		topic request.NewTopic
		want  request.TopicResult
	}{
		{request.NewTopic{Name: "t", Assignment: [][]kafka.BrokerID{{1}}}, request.TopicResult{Name: "t", Error: kafka.TOPIC_ALREADY_EXISTS, Message: "Topic 't' already exists."}},
		{request.NewTopic{Name: "..", Assignment: [][]kafka.BrokerID{{1}}}, request.TopicResult{Name: "..", Error: kafka.INVALID_TOPIC_EXCEPTION, Message: `Topic name cannot be "." or ".."`}},
		{request.NewTopic{Name: "u", NumPartitions: 0, ReplicationFactor: 1}, request.TopicResult{Name: "u", Error: kafka.INVALID_PARTITIONS, Message: "Number of partitions must be larger than 0."}},
		{request.NewTopic{Name: "u", NumPartitions: 1, ReplicationFactor: 3}, request.TopicResult{Name: "u", Error: kafka.INVALID_REPLICATION_FACTOR, Message: "Replication factor: 3 larger than available brokers: 2."}},
	} {
		require.Equal(t, []request.TopicResult{c.want}, create(t, w, c.topic).Topics)
	}
	require.Len(t, store.said[store.order[0]], before, "none of these asked ZooKeeper anything")
	answer := create(t, w, request.NewTopic{Name: "v", Assignment: [][]kafka.BrokerID{{1, 2}, {1}}})
	require.Equal(t, kafka.INVALID_REPLICA_ASSIGNMENT, answer.Topics[0].Error)
	create(t, w, request.NewTopic{Name: "a.b", Assignment: [][]kafka.BrokerID{{1}}})
	answer = create(t, w, request.NewTopic{Name: "a_b", Assignment: [][]kafka.BrokerID{{1}}})
	require.Equal(t, request.TopicResult{Name: "a_b", Error: kafka.INVALID_TOPIC_EXCEPTION, Message: "Topic 'a_b' collides with existing topics: a.b"}, answer.Topics[0])
	answer = create(t, w, request.NewTopic{Name: "w", NumPartitions: 4, ReplicationFactor: 2})
	require.Equal(t, kafka.NONE, answer.Topics[0].Error)
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

// A normal stop without controlled shutdown closes the session: registration and /controller vanish together.
func TestStop(t *testing.T) {
	w, _ := world(t, 1, 2)
	start(t, w, 1, 2)
	s := w.Server(1)
	require.NoError(t, w.StopBroker(1))
	require.NoError(t, w.RunToIdle(100_000, nil))
	done, why := s.Exited()
	require.True(t, done)
	require.Equal(t, "", why)
	require.Equal(t, server.NotRunning, s.State())
	require.True(t, w.Server(2).Controller().IsActive())
}

// 1.7: after an expiry the process registers again under a new broker epoch and its listeners read again.
func TestSessionExpiry(t *testing.T) {
	w, store := world(t, 1, 2)
	start(t, w, 1, 2)
	before := w.Server(2).Epoch()
	require.NoError(t, w.ExpireSession(2))
	require.NoError(t, w.RunToIdle(100_000, nil))
	require.Greater(t, w.Server(2).Epoch(), before)
	lanes := store.lanes(store.order[len(store.order)-1])
	require.Equal(t, []string{"children /config/changes"}, lanes["config"])
	require.Equal(t, []string{"get /feature"}, lanes["feature"])
	require.Equal(t, server.Running, w.Server(2).State())
}

// 13.1: three attempts, controlled.shutdown.retry.backoff.ms apart, then the shutdown goes on. The controller is frozen, so
// each attempt ends with controller.socket.timeout.ms.
func TestControlledShutdownGivesUp(t *testing.T) {
	w, _ := world(t, 1, 2)
	require.NoError(t, w.SetBrokerProps(2, map[string]string{"controlled.shutdown.enable": "true", "controller.socket.timeout.ms": "1000"}))
	start(t, w, 1, 2)
	s := w.Server(2)
	require.NoError(t, w.PauseBroker(1))
	require.NoError(t, w.StopBroker(2))
	at := w.Now()
	var states []server.State
	require.NoError(t, w.RunToIdle(100_000, func() bool {
		if n := len(states); n == 0 || states[n-1] != s.State() {
			states = append(states, s.State())
		}
		done, _ := s.Exited()
		return done
	}))
	require.InDelta(t, 3*1000+2*5000, w.Now()-at, 100)
	require.Equal(t, []server.State{server.Running, server.PendingControlledShutdown, server.ShuttingDown, server.NotRunning}, states)
}

// A process that is still starting cannot be shut down: it ends, and its registration stays until the session expires.
func TestStopWhileStarting(t *testing.T) {
	w, _ := world(t, 1)
	require.NoError(t, w.StartBroker(1))
	s := w.Server(1)
	require.NoError(t, w.RunToIdle(100_000, func() bool { return s.Epoch() != 0 }))
	require.NoError(t, w.StopBroker(1))
	done, why := s.Exited()
	require.True(t, done)
	require.Equal(t, "Kafka server is still starting up, cannot shut down!", why)
}

// Every note tells exactly what the dump shows, also when a process ends by itself and starts again.
func TestDocumentOfAProcessThatEnds(t *testing.T) {
	r := trace.NewRecorder()
	w := sim.New(sim.Config{Setup: sim.Setup{Brokers: []sim.BrokerSetup{{ID: 1}, {ID: 2}}}, Seed: 1,
		Store: zkmem.New(zkmem.Options{}), Recorder: r})
	r.Sink = func(s *trace.Step) {
		if s.Msg == "world.process-ended" || s.Kind == env.SessionCut || s.Kind == env.WatchLost || s.Kind == env.ReqDrop {
			return // the world's own steps while it takes a process away
		}
		full := trace.NewDocument()
		w.Dump(full)
		if d, differs := r.Doc().FirstDifference(full); differs {
			require.Fail(t, "document and dump differ", "after %d %s\n%s", s.I, s.Msg, d.Text())
		}
	}
	defer func() { require.NoError(t, w.Close()) }()
	start(t, w, 1, 2)
	create(t, w, request.NewTopic{Name: "t", Assignment: [][]kafka.BrokerID{{2, 1}}})
	require.NoError(t, w.CrashBroker(2))
	require.NoError(t, w.StartBroker(2))
	require.NoError(t, w.RunToIdle(100_000, nil))
	require.Equal(t, "ZooKeeper answered NODEEXISTS for /brokers/ids/2", r.Doc().Get("broker", "2", "exit"))
	require.Equal(t, int64(0), r.Doc().Get("broker", "2", "log", "t-0"))
	start(t, w, 2)
	require.Nil(t, r.Doc().Get("broker", "2", "exit"))
	require.Equal(t, "follower", r.Doc().Get("broker", "2", "replica", "t-0", "role"))
	require.Equal(t, []any{int64(1), int64(2)}, r.Doc().Get("broker", "1", "replica", "t-0", "isr"))
}

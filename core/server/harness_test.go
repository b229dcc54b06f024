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

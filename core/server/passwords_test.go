package server_test

import (
	"maps"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"controllerscope/core/request"
	"controllerscope/core/sim"
	"controllerscope/core/zk"
)

const keystore = "listener.name.ext.ssl.keystore.password"

// secretWorld is a world over a store with broker 1 started, and these properties besides the usual ones.
func secretWorld(t *testing.T, store zk.Store, props map[string]string) *sim.World {
	setup := sim.Setup{Props: map[string]string{"controlled.shutdown.enable": "false", "auto.leader.rebalance.enable": "false",
		"password.encoder.iterations": "1024"}, Brokers: []sim.BrokerSetup{{ID: 1}}}
	maps.Copy(setup.Props, props)
	w := sim.New(sim.Config{Setup: setup, Seed: 1, Store: store})
	t.Cleanup(func() { require.NoError(t, w.Close()) })
	start(t, w, 1)
	return w
}

func setPassword(t *testing.T, w *sim.World, value string) request.EntityResult {
	out := w.Ask(request.IncrementalAlterConfigs{Resources: []request.AlterConfigs{{Type: "brokers", Name: "1",
		Ops: []request.ConfigOp{{Key: keystore, Value: value}}}}}, "brokers/1")
	require.NoError(t, w.RunToIdle(100_000, nil))
	return out.Answer.(request.EntityResponse).Entities[0]
}

// storedConfig is the text of broker 1's config znode.
func storedConfig(t *testing.T, store *tap) string {
	id, _, _, err := store.Store.Open(0, 30_000)
	require.NoError(t, err)
	result, _, err := store.Store.Apply(0, id, zk.Op{Kind: zk.Get, Path: "/config/brokers/1"})
	require.NoError(t, err)
	return string(result.Data)
}

func restart(t *testing.T, w *sim.World, store *tap, props map[string]string) *sim.World {
	require.NoError(t, w.StopBroker(1))
	require.NoError(t, w.RunToIdle(100_000, nil))
	return secretWorld(t, store, props)
}

// 4.7: a password needs password.encoder.secret, is stored encrypted, and is encrypted anew at start-up when the secret has
// changed and the old one is still given; without the old one it is dropped.
func TestPasswords(t *testing.T) {
	store := newTap()
	w := secretWorld(t, store, nil)
	refused := setPassword(t, w, "hush")
	require.Equal(t, "INVALID_REQUEST", refused.Error.Error())
	require.Equal(t, "Invalid config value for resource ConfigResource(type=BROKER, name='1'): Password encoder secret not configured", refused.Message)

	w = restart(t, w, store, map[string]string{"password.encoder.secret": "first"})
	require.Equal(t, "NONE", setPassword(t, w, "hush").Error.Error())
	first := storedConfig(t, store)
	require.Contains(t, first, `"`+keystore+`":"encryptedPassword:`)
	require.NotContains(t, first, "hush")
	require.Equal(t, "hush", w.Server(1).Levels().Own[keystore])

	w = restart(t, w, store, map[string]string{"password.encoder.secret": "second", "password.encoder.old.secret": "first"})
	second := storedConfig(t, store)
	require.NotEqual(t, first, second)
	require.Equal(t, "hush", w.Server(1).Levels().Own[keystore])
	said := strings.Join(store.since(lastSession(store), 0), "\n")
	require.Contains(t, said, "set /config/brokers/1\ncreate /config/changes NODEEXISTS\ncreate /config/changes/config_change_", "and everybody is told")

	w = restart(t, w, store, map[string]string{"password.encoder.secret": "second"})
	require.Equal(t, "hush", w.Server(1).Levels().Own[keystore])
	w = restart(t, w, store, map[string]string{"password.encoder.secret": "third"})
	require.NotContains(t, w.Server(1).Levels().Own, keystore)
	require.Equal(t, second, storedConfig(t, store), "dropped here, not there")
}

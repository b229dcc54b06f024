package run_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"controllerscope/core/env"
	"controllerscope/core/run"
	"controllerscope/core/trace"
	"controllerscope/core/zk"
	"controllerscope/core/zk/zkmem"
)

// TestContainers: ZooKeeper removes a container at the full minute after its last child has gone, and no other; the removal
// is a transaction that fires watches. A container that never had a child stays.
func TestContainers(t *testing.T) {
	for name, cluster := range map[string]string{"one server": "cluster brokers=0", "three servers": "cluster brokers=0 servers=3"} {
		t.Run(name, func(t *testing.T) {
			r := onEnsemble(t, cluster+`
zk create-container /had
zk create-container /never
until idle
zk create /had/a
until idle
clock +1m
zk delete /had/a
until idle
clock +50s
expect zk[/had].version = 0
clock +10s
`)
			removed := stepsOf(r, "zk.container.removed")
			require.Len(t, removed, 1)
			assert.Equal(t, []any{"/had", int64(120_000), env.ZkDelete}, []any{removed[0].Entity, removed[0].VTimeMS, removed[0].Kind})
			assert.False(t, r.Doc().Has("zk", "/had"))
			assert.True(t, r.Doc().Has("zk", "/never"))
			assert.Equal(t, removed[0].IDs.Zxid, r.Doc().Get("zxid"))
			_, err := trace.Read("container", r.Trace().JSON())
			require.NoError(t, err)
		})
	}
}

func TestContainersNeedTheEmulator(t *testing.T) {
	r, err := run.Start(run.Inputs{Name: "e", Script: "cluster brokers=0\nzk create-container /c"}, run.Options{Store: struct{ zk.Store }{zkmem.New(zkmem.Options{})}})
	require.NoError(t, err)
	assert.EqualError(t, r.Finish(), "e:2: zk create-container /c: a container needs the emulator: a real ZooKeeper removes it when its own clock says so, not the world's")
}

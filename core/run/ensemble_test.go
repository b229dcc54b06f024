package run_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"controllerscope/core/run"
	"controllerscope/core/trace"
	"controllerscope/core/zk"
	"controllerscope/core/zk/zkmem"
)

// steps finds the steps with a message key.
func stepsOf(r *run.Run, key string) (out []*trace.Step) {
	for _, s := range r.Trace().Steps {
		if s.Msg == key {
			out = append(out, s)
		}
	}
	return out
}

func arg(s *trace.Step, name string) any {
	for _, a := range s.Args {
		if a.Name == name {
			return a.Value
		}
	}
	return nil
}

// onEnsemble plays a script on an ensemble and holds the dump of the world against the document after every operation.
func onEnsemble(t *testing.T, script string) *run.Run {
	r := start(t, run.Inputs{Name: "ensemble", Script: script, Seed: 1}, run.Options{})
	for more := true; more; {
		var err error
		more, err = r.Advance()
		require.NoError(t, err)
		want := trace.NewDocument()
		r.World().Dump(setter(func(v any, path ...string) { want.Set(v, path...) }))
		for _, root := range []string{"session", "hold", "zk", "watch", "zxid"} {
			require.Equal(t, want.Get(root), r.Doc().Get(root), root)
		}
	}
	return r
}

type setter func(any, ...string)

func (f setter) Set(v any, path ...string) { f(v, path...) }

// TestStaleRead: the operator's shell is connected to a follower that lags and reads what is no more; a sync before the
// read is the cure.
func TestStaleRead(t *testing.T) {
	r := onEnsemble(t, `cluster brokers=0,1 servers=3
broker start 0
until idle
zk create /x old
until idle
zk move admin 1
until idle
zk lag 1
broker start 1
until idle
zk get /brokers/ids/1
until idle
zk sync /brokers/ids/1
until idle
zk get /brokers/ids/1
until idle
`)
	var codes []any
	for _, s := range stepsOf(r, "zk.get") {
		if arg(s, "client") == "admin" {
			codes = append(codes, arg(s, "code"))
		}
	}
	assert.Equal(t, []any{"NONODE", "OK"}, codes)
	assert.Equal(t, true, r.Doc().Get("hold", "zk.server.1"))
	assert.Equal(t, true, r.Doc().Has("zk", "/brokers/ids/1"), "the picture shows the leader's tree")
}

// TestLateWatchEvent: the controller is connected to a follower that lags; a broker that joins is news to it only when the
// follower has caught up.
func TestLateWatchEvent(t *testing.T) {
	const before = `cluster brokers=0,1 servers=3
broker start 0
until idle
zk move 0 2
until idle
zk lag 2
broker start 1
clock +5s
`
	r := onEnsemble(t, before)
	assert.Equal(t, int64(2), r.Doc().Get("session", stepsOf(r, "zk.session.open")[0].IDs.Session, "server"))
	assert.Nil(t, r.Doc().Get("ctx", "0", "liveBrokerEpochs", "1"))
	r = onEnsemble(t, before+"zk catch-up 2\nuntil idle\n")
	assert.NotNil(t, r.Doc().Get("ctx", "0", "liveBrokerEpochs", "1"))
	caught := stepsOf(r, "admin.zk.catch-up")[0]
	fired := slices.IndexFunc(stepsOf(r, "zk.watch.fire"), func(s *trace.Step) bool { return s.I > caught.I && s.Entity == "/brokers/ids" })
	assert.GreaterOrEqual(t, fired, 0)
}

// TestLostQuorum: without a quorum nobody is answered and no session expires, however long it lasts; then the clients come
// back with the sessions they had and their brokers are still registered.
func TestLostQuorum(t *testing.T) {
	r := onEnsemble(t, `cluster brokers=0,1 servers=3
broker start 0
broker start 1
until idle
zk lose-quorum
clock +10m
zk create /x
clock +10m
zk regain-quorum
until idle
clock +1m
`)
	assert.Empty(t, stepsOf(r, "zk.session.expire"))
	assert.Len(t, stepsOf(r, "zk.session.open"), 3, "two brokers, and the operator once there is a quorum")
	assert.Len(t, stepsOf(r, "zk.session.heal"), 2)
	create := stepsOf(r, "zk.create")
	assert.Equal(t, "/x", create[len(create)-1].Entity)
	assert.GreaterOrEqual(t, create[len(create)-1].VTimeMS, int64(20*60_000))
	assert.True(t, r.Doc().Has("zk", "/brokers/ids/1"))
	assert.False(t, r.Doc().Has("hold"))
	first := stepsOf(r, "zk.session.open")
	assert.Equal(t, "zxid:0x100000001", first[0].IDs.Zxid, "an ensemble's first leader has epoch 1")
	assert.Equal(t, "zxid:0x200000001", first[2].IDs.Zxid, "the next leader begins the next epoch")

	// A process that dies meanwhile cannot come back: its session expires a whole timeout after the quorum is back.
	r = onEnsemble(t, "cluster brokers=0,1 servers=3\nbroker start 0\nbroker start 1\nuntil idle\nbroker crash 1\nzk lose-quorum\nclock +10m\nzk regain-quorum\nuntil idle\n")
	back, expired := stepsOf(r, "admin.quorum.back"), stepsOf(r, "zk.session.expire")
	require.Len(t, expired, 1)
	assert.Equal(t, back[0].VTimeMS+18_000, expired[0].VTimeMS)
	assert.Len(t, stepsOf(r, "zk.session.kept"), 1)
}

func TestEnsembleErrors(t *testing.T) {
	for script, want := range map[string]string{
		"zk lag 1":                       "e:1: zk lag 1: ZooKeeper is one server in this world; write servers=3 into the cluster line",
		"zk move 0 1":                    "e:1: zk move 0 1: ZooKeeper is one server in this world; write servers=3 into the cluster line",
		"cluster servers=4":              "e:1: cluster servers=4: servers=4 is no size of a ZooKeeper ensemble; 1, 3, 5 and 7 are",
		"cluster servers=3\nzk lag 3":    "e:2: zk lag 3: no follower 3; server 0 leads, the followers are 1 to 2",
		"cluster servers=3\nzk move 0 1": "e:2: zk move 0 1: 0 is not connected to ZooKeeper; clients are processes, such as 0 for broker 0, and admin",
		"zk regain-quorum":               "e:1: zk regain-quorum: the quorum is not lost",
		"cluster servers=3\nbroker start 0\nuntil idle\nzk lag 1\nbroker start 1\nuntil idle\nzk move 1 1": "e:7: zk move 1 1: server 1 refuses client 1: it is behind what that client has seen; let it catch up first",
	} {
		r, err := run.Start(run.Inputs{Name: "e", Script: script}, run.Options{Store: zkmem.New(zkmem.Options{}), Record: true})
		require.NoError(t, err)
		assert.EqualError(t, r.Finish(), want)
		require.NoError(t, r.Close())
	}
	r, err := run.Start(run.Inputs{Name: "e", Script: "cluster servers=3"}, run.Options{Store: struct{ zk.Store }{zkmem.New(zkmem.Options{})}})
	require.NoError(t, err)
	assert.EqualError(t, r.Finish(), "e:1: cluster servers=3: servers=3 needs the emulator; a real ZooKeeper has the servers it has")
}

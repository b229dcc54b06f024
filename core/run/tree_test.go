package run

import (
	_ "embed"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"controllerscope/core/env"
	"controllerscope/core/kafka"
	"controllerscope/core/sim"
	"controllerscope/core/trace"
	"controllerscope/core/zk"
	"controllerscope/core/zk/zkmem"
	"controllerscope/core/zk/zktree"
)

//go:embed testdata/kafka-2.8.2-tree.txt
var kafkaTree string

// takeOver starts the brokers of a real Kafka's tree again.
func takeOver(t *testing.T, script string) *Run {
	tree, err := zktree.Read("kafka", kafkaTree)
	require.NoError(t, err)
	if script == "" {
		script, err = TakeOver(tree)
		require.NoError(t, err)
	}
	var r *Run
	r, err = Start(Inputs{Name: "take over", Tree: kafkaTree, Script: script, Seed: 1}, Options{Store: zkmem.New(zkmem.Options{}), Record: true,
		OnStep: func(s *trace.Step, doc *trace.Document) { assert.Empty(t, s.Invariants, "step %d", s.I) }})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, r.Close()) })
	return r
}

// TestTakeOver: a new controller takes office over the tree of a real Kafka. The old sessions, 1's and 2's, expire as after a
// crash; then broker 1 is elected with the next epoch and finds topic t with the leader it had; 2 leaves the
// ISR, which takes a leader epoch, and comes back, which takes none.
func TestTakeOver(t *testing.T) {
	r := takeOver(t, "")
	assert.Equal(t, "cluster brokers=1,2\nuntil idle\nbroker start 1\nuntil idle\nbroker start 2\nuntil idle\n", r.Inputs().Script)
	require.NoError(t, r.Finish())
	steps := r.Trace().Steps
	for i, client := range []string{"1", "2"} {
		assert.Equal(t, env.SessionExpire, steps[i].Kind)
		assert.Equal(t, "session "+client, steps[i].Entity)
		assert.EqualValues(t, 18_000, steps[i].VTimeMS)
	}
	assert.Equal(t, kafka.BrokerID(1), r.World().ControllerInOffice())
	doc := r.Doc()
	assert.Equal(t, "2", doc.Get("zk", "/controller_epoch", "data"))
	assert.Equal(t, int64(2), doc.Get("ctx", "1", "epoch"))
	assert.Equal(t, true, doc.Get("ctx", "1", "allTopics", "t"))
	assert.Equal(t, `{"controller_epoch":2,"leader":1,"version":1,"leader_epoch":1,"isr":[1,2]}`, doc.Get("zk", "/brokers/topics/t/partitions/0/state", "data"))
	assert.Equal(t, "leader", doc.Get("broker", "1", "replica", "t-0", "role"))
	assert.Equal(t, "follower", doc.Get("broker", "2", "replica", "t-0", "role"))
	assert.Empty(t, sim.CheckSettled(doc))
}

// TestTreeShows: the trace begins with the tree, and at every step the world dumps what the diffs have built.
func TestTreeShows(t *testing.T) {
	r := takeOver(t, "cluster brokers=1,2,3\nbroker start 3\nzk expire 1\nuntil idle\n")
	for {
		more, err := r.Advance()
		require.NoError(t, err)
		if !more {
			break
		}
		if r.World() == nil {
			continue
		}
		var want []env.Change
		r.World().Dump(collect(func(v any, path ...string) { want = append(want, env.Change{Path: path, After: v}) }))
		for _, c := range want {
			require.Equal(t, c.After, r.Doc().Get(c.Path...), "%v", c.Path)
		}
	}
	first := trace.NewCursor(r.Trace())
	assert.Equal(t, `{"version":1,"config":{"producer_byte_rate":"1000"}}`, first.Doc().Get("zk", "/config/users/alice", "data"))
	assert.Equal(t, "1", first.Doc().Get("session", env.Session(0x100004609bb0001), "client"))
	assert.Equal(t, kafka.BrokerID(3), r.World().ControllerInOffice(), "once 1's session has ended")
}

type collect func(any, ...string)

func (f collect) Set(v any, path ...string) { f(v, path...) }

// TestTreeOnAnEnsemble: servers=3 goes with a tree. Broker 3, which is connected to a follower that lags, takes office over
// the tree all the same: its own writes make its server catch up.
func TestTreeOnAnEnsemble(t *testing.T) {
	r := takeOver(t, "cluster brokers=1,2,3 servers=3\nzk expire 1\nzk expire 2\nbroker start 3\nuntil idle\nzk move 3 1\nuntil idle\nzk lag 1\nbroker start 1\nuntil idle\nzk catch-up 1\nuntil idle\n")
	require.NoError(t, r.Finish())
	doc := r.Doc()
	assert.Equal(t, kafka.BrokerID(3), r.World().ControllerInOffice())
	assert.Equal(t, true, doc.Get("ctx", "3", "allTopics", "t"))
	ended := slices.IndexFunc(r.Trace().Steps, func(s *trace.Step) bool { return s.Kind == env.SessionExpire })
	assert.Equal(t, "zxid:0x100000001", r.Trace().Steps[ended].IDs.Zxid, "the first transaction of the first epoch ends a session of the tree")
	assert.NotNil(t, doc.Get("ctx", "3", "liveBrokerEpochs", "1"))
}

// TestTreeForks: the tree is part of the inputs, so a run that is carried out again goes the same way.
func TestTreeForks(t *testing.T) {
	r := takeOver(t, "")
	require.NoError(t, r.Finish())
	in, err := r.At(50)
	require.NoError(t, err)
	again, err := Start(in, Options{Store: zkmem.New(zkmem.Options{}), Record: true})
	require.NoError(t, err)
	defer again.Close()
	require.NoError(t, again.Finish())
	assert.Equal(t, r.Trace().Steps[50].Hash, again.Trace().Steps[50].Hash)
}

func TestTreeErrors(t *testing.T) {
	_, err := Start(Inputs{Name: "x", Tree: "zktree/1\n/a version=0 creates=0 data\n"}, Options{Store: zkmem.New(zkmem.Options{})})
	assert.EqualError(t, err, `x tree:2: "data" is not known here; a node has version=, creates=, owner= and last data= or quoted=`)
	_, err = Start(Inputs{Name: "x", Tree: kafkaTree}, Options{Store: struct{ zk.Store }{zkmem.New(zkmem.Options{})}})
	assert.EqualError(t, err, "a tree can be loaded into the emulator only: a real ZooKeeper makes its own versions and sessions")
	_, err = TakeOver(zktree.Tree{{Path: "/a"}})
	assert.EqualError(t, err, "the tree knows no broker: nothing is under /brokers/ids and no replica is assigned; is it a Kafka's?")
	script, err := TakeOver(zktree.Tree{{Path: "/brokers/topics/t", Data: []byte(`{"version":2,"partitions":{"0":[7,5]},"adding_replicas":{},"removing_replicas":{}}`)}})
	require.NoError(t, err)
	assert.Equal(t, "cluster brokers=5,7\nuntil idle\nbroker start 5\nuntil idle\nbroker start 7\nuntil idle\n", script)
}

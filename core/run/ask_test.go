package run_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"controllerscope/core/run"
	"controllerscope/core/trace"
	"controllerscope/core/zk/zkmem"
)

// play runs a script to its end and checks, after every step, that the dump equals the document.
func play(t *testing.T, script string) *run.Run {
	t.Helper()
	r, err := run.Start(run.Inputs{Name: t.Name(), Script: script}, run.Options{Store: zkmem.New(zkmem.Options{}), Record: true})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, r.Close()) })
	require.NoError(t, r.Finish())
	doc := trace.NewDocument()
	r.World().Dump(doc)
	return r
}

// results are what the operator's requests came to, in order.
func results(r *run.Run) (out []string) {
	for _, s := range r.Recorder().Steps() {
		if s.Msg.Key == "admin.answer" {
			out = append(out, s.Msg.Args["entity"].(string)+": "+s.Msg.Args["result"].(string))
		}
	}
	return out
}

func TestToolsOnTopics(t *testing.T) {
	r := play(t, `cluster brokers=1,2,3 auto.leader.rebalance.enable=false
start 1
until idle
start 2
start 3
until idle
topic create t [1,2] [2,3]
until idle
topic add-partitions t [3,1]
until idle
expect zk['/brokers/topics/t/partitions/2/state'].data.leader == 3
topic delete t
until idle
`)
	require.Equal(t, []string{"t: NONE", "t: NONE", "t: NONE"}, results(r))
}

package run_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"controllerscope/core/run"
	"controllerscope/core/trace"
	"controllerscope/core/zk/zkmem"
)

// played runs a script to its end; after every tenth step, and each that ends an operation, the document and the dump of
// the world are the same.
func played(t *testing.T, script string) *run.Run {
	t.Helper()
	var r *run.Run
	r = start(t, run.Inputs{Name: t.Name(), Script: script}, run.Options{OnStep: func(s *trace.Step, doc *trace.Document) {
		if s.I%10 == 0 || s.Msg == "admin.answer" {
			dumped(t, r, s, doc)
		}
	}})
	require.NoError(t, r.Finish())
	return r
}

// outcomes are what the operator's requests came to, in order.
func outcomes(r *run.Run) (out []string) {
	for _, s := range r.Trace().Steps {
		if s.Msg == "admin.answer" {
			out = append(out, s.Arg("entity").(string)+": "+s.Arg("result").(string))
		}
	}
	return out
}

const three = "cluster brokers=1,2,3 logdirs=1,2,1 auto.leader.rebalance.enable=false\nstart 1\nuntil idle\nstart 2\nstart 3\nuntil idle\n"

func TestTopicsByScript(t *testing.T) {
	r := played(t, three+`topic create t [1,2] [2,3]
until idle
topic add-partitions t [3,1] [1,3]
until idle
expect zk[/brokers/topics/t/partitions/2/state].data.leader = 3
topic create u 2x2
until idle
topic delete t ghost
until idle
expect not zk[/brokers/topics/t] and zk[/brokers/topics/u]
`)
	require.Equal(t, []string{"t: NONE", "t: NONE", "u: NONE", "t ghost: UNKNOWN_TOPIC_OR_PARTITION"}, outcomes(r))
}

func TestReassignmentsAndElectionsByScript(t *testing.T) {
	r := played(t, three+`topic create t [1,2] [2,1]
until idle
broker pause 3
reassign t-0 [1,3] t-1 [3,2]
wait 2s
expect zk[/brokers/topics/t].data.adding_replicas.0 = [3]
reassign cancel t-0
wait 2s
broker resume 3
until idle
expect zk[/brokers/topics/t].data.partitions.0 = [1,2] and zk[/brokers/topics/t].data.partitions.1 = [3,2]
broker stop 3
until idle
expect not broker[3].up
expect zk[/brokers/topics/t/partitions/1/state].data.leader = 2
broker start 3
until idle
elect preferred t-0 t-1
until idle
expect zk[/brokers/topics/t/partitions/1/state].data.leader = 3
elect unclean *
until idle
request shutdown 3 E3.1
until idle
request shutdown 3
until idle
`)
	require.Equal(t, []string{"t: NONE", "t-0 t-1: NONE", "t-0: NONE", "t-0 t-1: ELECTION_NOT_NEEDED", "*: NONE",
		"broker 3: STALE_BROKER_EPOCH", "broker 3: NONE"}, outcomes(r))
}

func TestConfigsAndFaultsByScript(t *testing.T) {
	r := played(t, three+`topic create t [2,3]
until idle
config set topics/t retention.ms=1000
config set brokers/2 log.cleaner.threads=2
config set brokers/<default> background.threads=5
config set users/alice/clients/app-1 producer_byte_rate=10
until idle
config delete topics/t retention.ms
until idle
expect config[1].users[alice/clients/app-1].producer_byte_rate = 10 and not config[1].topics.t
notice write {"version":2,"entity_path":"topics/t"}
until idle
produce t-0 3
until idle
lag 3 t-0
produce t-0
clock +2m
expect zk[/brokers/topics/t/partitions/0/state].data.isr = [2]
catch-up 3 t-0
until idle
expect zk[/brokers/topics/t/partitions/0/state].data.isr = [2,3]
expect broker[3].replica[t-0].leo = 4
broker set-listener 2 elsewhere:9999
until idle
expect zk[/brokers/ids/2].data.host = elsewhere
logdir block 2 1 d-0
topic create d [2,1]
until idle
logdir unblock 2 1 d-0
logdir fail 2 0
until idle
expect not broker[2].up
`)
	require.Equal(t, "all log directories have failed", r.Doc().Get("broker", "2", "exit"))
}

func TestLinesThatCannotBeCarriedOut(t *testing.T) {
	for line, want := range map[string]string{
		"elect preferred t-0 *":       "* stands for all partitions; give it alone",
		"produce x-0":                 "x-0 has no leader to produce to",
		"config set users/a x=y":      "the quota x=y is not a number",
		"config set brokers/one a=b":  `"one" is not a broker id; write brokers/1 or brokers/<default>`,
		"request shutdown 3 E3.2":     "broker 3 has registered 1 times; there is no registration 2",
		"lag 3 x-0":                   "broker 3 does not follow x-0; only a follower can lag",
		"logdir fail 2 2":             "broker 2 has no log directory 2; they are 0 to 1",
		"logdir block 9 0 x-0":        "no broker 9; the cluster has [1 2 3]",
		"cluster brokers=1 logdirs=x": "the cluster is there already; cluster is the first operation of a script",
	} {
		r, err := run.Start(run.Inputs{Script: three + line + "\n"}, run.Options{Store: zkmem.New(zkmem.Options{})})
		require.NoError(t, err)
		require.ErrorContains(t, r.Finish(), want)
		require.NoError(t, r.Close())
	}
}

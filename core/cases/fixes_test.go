package cases

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"controllerscope/core/kafka"
	"controllerscope/core/zkdata"
)

// The later fixes of known defects of 2.8.2: each case is the field case with the switch on, and what is different then.

// fixed begins a field case with a fix on and plays its first n steps.
func fixed(t *testing.T, id, fix string, n int) *fieldRun {
	c := readField(t, id)
	first, rest, _ := strings.Cut(c.Setup, "\n")
	f := &fieldRun{story: tell(t, first+"\nfix."+fix+" on\n"+rest)}
	for _, step := range c.Steps[:n] {
		f.seen = len(f.Trace().Steps)
		f.doLines(step.Script)
	}
	return f
}

// F03 with own-write: a committed write whose reply was lost is a success, so nothing is elected twice, and the ISR that a
// leader proposed is what controller and leader hold. No invariant breaks.
func TestF03Fixed(t *testing.T) {
	f := fixed(t, "F03", "own-write", 1)
	f.state("t-0", "leader=2 leader_epoch=1 isr=[2, 3] controller_epoch=1 version=1")
	f.state("t-1", "leader=2 leader_epoch=1 isr=[2, 3] controller_epoch=1 version=1")
	f.doLines("zk lose-reply 4 /brokers/topics/t/partitions/0/state\nalterisr 4 2 t-0 1 1 [2]")
	f.state("t-0", "leader=2 leader_epoch=1 isr=[2] controller_epoch=1 version=2")
	require.Equal(t, "t-0: leader=2 leader_epoch=1 isr=[2] version=2", f.reply[0].text())
}

// F09 with rebalance-foreign: the reassignment of b-0 holds back b-0 only, so the tick of step 5 does what that of step 7
// does without it.
func TestF09Fixed(t *testing.T) {
	f := fixed(t, "F09", "rebalance-foreign", 5)
	f.state("a-0", "leader=1 leader_epoch=4 isr=[2, 1] controller_epoch=1 version=6")
	f.state("a-9", "leader=1 leader_epoch=3 isr=[2, 1] controller_epoch=1 version=5")
	f.play("expect metric[3].PreferredReplicaImbalanceCount = 0")
}

// F12 with metadata-new-offline: everybody learns at once that the broker without replicas is gone.
func TestF12Fixed(t *testing.T) {
	f := fixed(t, "F12", "metadata-new-offline", 2)
	require.ElementsMatch(t, []string{"UpdateMetadata from 4 (epoch 1) to 2, live brokers [2, 4]: no partitions",
		"UpdateMetadata from 4 (epoch 1) to 4, live brokers [2, 4]: no partitions"}, requests(f.Trace().Steps[f.seen:]))
}

// The poisoned batch (recording 45): a controller is fenced while it takes a dead replica out of an ISR. Elected again, it
// cannot take broker 3 out of any ISR; with batch-after-move it can.
func TestPoisonedBatchFixed(t *testing.T) {
	const script = `cluster brokers=1,2,3 auto.leader.rebalance.enable=false
%s
broker start 1
until idle
broker start 2
until idle
broker start 3
until idle
topic create t [1,3] [2,3]
until idle
zk set /controller_epoch 7
broker kill 3
until idle
hold 2.controller
zk delete /controller
until ctl[1].isActive
release 2.controller
until idle`
	for fix, isr := range map[string]string{"off": "[1, 3]", "on": "[1]"} {
		s := tell(t, fmt.Sprintf(script, "fix.batch-after-move "+fix))
		data, _ := s.node("/brokers/topics/t/partitions/0/state")
		l, ok, err := zkdata.DecodeTopicPartitionState(kafka.TopicPartition{}, []byte(data), 0)
		require.NoError(t, err)
		require.True(t, ok)
		require.Equal(t, isr, brokerList(l.ISR), fix)
	}
}

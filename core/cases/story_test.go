package cases

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"controllerscope/core/kafka"
	"controllerscope/core/request"
	"controllerscope/core/run"
	"controllerscope/core/script"
	"controllerscope/core/trace"
	"controllerscope/core/zk/zkmem"
	"controllerscope/core/zkdata"
)

// story is a run that a test goes on with: lines of a script, and requests whose answers the test looks at.
type story struct {
	*testing.T
	*run.Run
	broken []string // invariants that may break, since 2.8.2 breaks them
}

// tell begins a story and plays a script; every expectation in it must hold.
func tell(t *testing.T, script string) *story {
	t.Helper()
	r, err := run.Start(run.Inputs{Name: t.Name()}, run.Options{Store: zkmem.New(zkmem.Options{}), Record: true})
	require.NoError(t, err)
	s := &story{T: t, Run: r}
	t.Cleanup(func() {
		for _, step := range r.Trace().Steps {
			require.Subset(t, s.broken, step.Invariants, "step %d %s", step.I, step.Msg)
		}
		require.NoError(t, r.Close())
	})
	s.play(script)
	return s
}

// play plays more lines.
func (s *story) play(script string) {
	s.Helper()
	for _, line := range strings.Split(script, "\n") {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			require.NoError(s, s.Append(line))
		}
	}
}

// ask sends a request to the controller, as an admin client does, and returns the answer once the world is at rest.
func ask[R request.Response](s *story, r request.Request) R {
	s.Helper()
	out := s.World().Ask(r, r.Kind())
	s.play("until idle")
	require.True(s, out.Done, "%s was not answered", r.Kind())
	answer, ok := out.Answer.(R)
	require.True(s, ok, "%s was answered by %s %q", r.Kind(), out.Answer, out.Error)
	return answer
}

// cluster begins a story with running brokers (F-CLU): 0 is the controller, epoch 1, no automatic rebalance unless asked for.
func cluster(t *testing.T, brokers int, options ...string) *story {
	t.Helper()
	ids := make([]string, brokers)
	for i := range ids {
		ids[i] = fmt.Sprint(i)
	}
	text := "cluster brokers=" + strings.Join(ids, ",")
	if all := strings.Join(options, " "); strings.Contains(all, "auto.leader.rebalance.enable") {
		text += " " + all
	} else {
		text += " auto.leader.rebalance.enable=false " + all
	}
	for _, id := range ids {
		text += "\nbroker start " + id + "\nuntil idle"
	}
	return tell(t, text)
}

// node is the data of a znode as text; there is none when found is false.
func (s *story) node(path string) (data string, found bool) {
	found = s.Doc().Has("zk", path)
	data, _ = s.Doc().Get("zk", path, "data").(string)
	return data, found
}

// state holds that the state znode of a partition says: leader=1 leader_epoch=0 isr=[1, 2] controller_epoch=1 version=0.
func (s *story) state(tp, want string) {
	s.Helper()
	p, err := kafka.ParseTopicPartition(tp)
	require.NoError(s, err)
	path := zkdata.TopicPartitionStatePath(p)
	require.Equal(s, want, stateText(s, s.Doc(), path), tp)
}

func stateText(t require.TestingT, doc *trace.Document, path string) string {
	data, _ := doc.Get("zk", path, "data").(string)
	version, _ := doc.Get("zk", path, "version").(int64)
	l, ok, err := zkdata.DecodeTopicPartitionState(kafka.TopicPartition{}, []byte(data), int32(version))
	require.NoError(t, err)
	if !ok {
		return "none"
	}
	return fmt.Sprintf("%s controller_epoch=%d version=%d", leadership(l.LeaderAndIsr), l.ControllerEpoch, version)
}

func leadership(l kafka.LeaderAndIsr) string {
	return fmt.Sprintf("leader=%d leader_epoch=%d isr=%s", l.Leader, l.LeaderEpoch, brokerList(l.ISR))
}

// brokerList prints [1, 2].
func brokerList(ids []kafka.BrokerID) string {
	return "[" + strings.Join(strings.Fields(strings.Trim(fmt.Sprint(ids), "[]")), ", ") + "]"
}

// count is how many steps so far an expression holds for.
func (s *story) count(text string) (n int) {
	s.Helper()
	line, err := script.ParseLine("count", 1, "expect "+text)
	require.NoError(s, err)
	for _, step := range s.Trace().Steps {
		if line.Expr.True(&script.Moment{Now: s.Doc(), Before: trace.Past{Doc: s.Doc(), Step: step}, Step: step}) {
			n++
		}
	}
	return n
}

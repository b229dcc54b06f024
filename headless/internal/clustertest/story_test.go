package clustertest

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"controllerscope/core/kafka"
	"controllerscope/core/request"
	"controllerscope/core/zk"
	"controllerscope/core/zkdata"
	"controllerscope/headless/internal/zkensemble"
	"controllerscope/headless/kafkawire"
)

// Three processes on a three-server ensemble go through kills, a pause past the session, a deletion with a dead replica
// and reassignments. What is left in ZooKeeper then holds every invariant that can be read from it.
func TestStoryOnAnEnsemble(t *testing.T) {
	e := zkensemble.ForTest(t, zkensemble.Options{Servers: 3, TickMS: tickMS})
	at := e.Connect() + "/story"
	o := observe(t, at)
	processes := map[kafka.BrokerID]*process{}
	start := func(id kafka.BrokerID) {
		p := cluster(t, at, id, timeoutMS)
		processes[id] = p
		eventually(t, fmt.Sprintf("broker %d runs", id), func() bool { return strings.Contains(p.stdout(), "state RUNNING") })
	}
	for _, id := range []kafka.BrokerID{1, 2, 3} {
		start(id)
	}
	create(t, o, "t", []kafka.BrokerID{1, 2}, []kafka.BrokerID{2, 3}, []kafka.BrokerID{3, 1})
	create(t, o, "d", []kafka.BrokerID{1, 2, 3}, []kafka.BrokerID{3, 2, 1})

	reassign(t, o, "t", 0, 3, 2)
	eventually(t, "t-0 has moved", func() bool {
		return slices.Equal(o.topic("t").Partitions["0"], []kafka.BrokerID{3, 2}) && !o.topic("t").moving()
	})

	first := o.controller()
	processes[first].signal(syscall.SIGKILL)
	<-processes[first].ended
	eventually(t, "another is in office and the dead one is gone", func() bool {
		c := o.controller()
		return c != first && c != kafka.NoBroker && o.brokers() == 2
	})
	ask(t, o, request.DeleteTopics{Topics: []string{"d"}})
	_, marked := o.get(zkdata.DeleteTopicsPath + "/d")
	require.True(t, marked, "a replica of d is on the dead broker %d", first)
	start(first)
	eventually(t, "d is deleted", func() bool {
		_, topic := o.get(zkdata.TopicPath("d"))
		_, marker := o.get(zkdata.DeleteTopicsPath + "/d")
		return !topic && !marker
	})

	second := o.controller()
	paused := kafka.BrokerID(1)
	for paused == second {
		paused++
	}
	processes[paused].signal(syscall.SIGSTOP)
	eventually(t, "the session of the paused one has ended", func() bool { return o.brokers() == 2 })
	processes[paused].signal(syscall.SIGCONT)
	eventually(t, "it is back", func() bool { return o.brokers() == 3 })
	eventually(t, "every replica is in its ISR", func() bool { return o.inSync("t") })

	reassign(t, o, "t", 1, 1, 3)
	eventually(t, "t-1 has moved", func() bool {
		return slices.Equal(o.topic("t").Partitions["1"], []kafka.BrokerID{1, 3}) && !o.topic("t").moving()
	})
	eventually(t, "every replica is in its ISR again", func() bool { return o.inSync("t") })
	require.Equal(t, int32(2), o.epoch())
	require.Equal(t, second, o.controller())
	require.Empty(t, o.inconsistencies())
	stopAll(t, processes, second, second)
}

// ask sends a request to the controller over the wire and returns the answer.
func ask(t *testing.T, o *observer, r request.Request) request.Response {
	t.Helper()
	c := kafkawire.Dial(o.address(o.controller()), kafkawire.Options{ClientID: "admin", AskVersions: true})
	defer c.Close()
	type answer struct {
		request.Response
		error
	}
	answers := make(chan answer, 1)
	c.Send(1, r, func(a request.Response, err error) { answers <- answer{a, err} })
	a := <-answers
	require.NoError(t, a.error)
	return a.Response
}

func create(t *testing.T, o *observer, topic string, replicas ...[]kafka.BrokerID) {
	t.Helper()
	require.Equal(t, request.TopicResponse{Of: "CreateTopics", Topics: []request.TopicResult{{Name: topic}}}, ask(t, o, request.CreateTopics{
		Topics: []request.NewTopic{{Name: topic, NumPartitions: -1, ReplicationFactor: -1, Assignment: replicas}}}))
}

func reassign(t *testing.T, o *observer, topic string, partition int32, replicas ...kafka.BrokerID) {
	t.Helper()
	tp := kafka.TopicPartition{Topic: topic, Partition: partition}
	a, ok := ask(t, o, request.AlterPartitionReassignments{Partitions: []request.PartitionReassignment{{TopicPartition: tp, Replicas: replicas}}}).(request.PartitionResponse)
	require.True(t, ok)
	require.Equal(t, kafka.NONE, a.Error)
	require.Len(t, a.Partitions, 1)
	require.Equal(t, kafka.NONE, a.Partitions[0].Error)
}

// topicNode is what a topic znode says, by partition.
type topicNode struct {
	Partitions map[string][]kafka.BrokerID `json:"partitions"`
	Adding     map[string][]kafka.BrokerID `json:"adding_replicas"`
	Removing   map[string][]kafka.BrokerID `json:"removing_replicas"`
}

func (n topicNode) moving() bool { return len(n.Adding)+len(n.Removing) > 0 }

func (o *observer) topic(name string) (n topicNode) {
	if r, ok := o.get(zkdata.TopicPath(name)); ok {
		require.NoError(o.t, json.Unmarshal(r.Data, &n))
	}
	return n
}

func (o *observer) children(path string) []string {
	o.Lock()
	defer o.Unlock()
	return o.session.Do(zk.Op{Kind: zk.Children, Path: path})[0].Children
}

// inSync reports whether every replica of a topic is in its ISR.
func (o *observer) inSync(topic string) bool {
	for p, replicas := range o.topic(topic).Partitions {
		n, _ := strconv.Atoi(p)
		if len(o.state(kafka.TopicPartition{Topic: topic, Partition: int32(n)}).ISR) != len(replicas) {
			return false
		}
	}
	return true
}

// inconsistencies are the invariants that ZooKeeper, at rest and with all brokers up, does not hold.
func (o *observer) inconsistencies() (broken []string) {
	o.t.Helper()
	live := o.children(zkdata.BrokerIDsPath)
	wrong := func(format string, args ...any) { broken = append(broken, fmt.Sprintf(format, args...)) }
	if !slices.Contains(live, o.controller().String()) {
		wrong("the controller %d is not registered", o.controller())
	}
	if marked := o.children(zkdata.DeleteTopicsPath); len(marked) > 0 {
		wrong("deletions do not finish: %v", marked)
	}
	for _, topic := range o.children(zkdata.TopicsPath) {
		node := o.topic(topic)
		if node.moving() {
			wrong("a reassignment of %s does not finish", topic)
		}
		for p, replicas := range node.Partitions {
			n, err := strconv.Atoi(p)
			require.NoError(o.t, err)
			s := o.state(kafka.TopicPartition{Topic: topic, Partition: int32(n)})
			outside := slices.DeleteFunc(slices.Clone(s.ISR), func(b kafka.BrokerID) bool { return slices.Contains(replicas, b) })
			switch {
			case len(s.ISR) == 0:
				wrong("the ISR of %s-%s is empty", topic, p)
			case !slices.Contains(s.ISR, s.Leader):
				wrong("the leader %d of %s-%s is not in its ISR %v", s.Leader, topic, p, s.ISR)
			case !slices.Contains(live, s.Leader.String()):
				wrong("the leader %d of %s-%s is dead", s.Leader, topic, p)
			case len(outside) > 0:
				wrong("the ISR of %s-%s has %v, which are not assigned", topic, p, outside)
			case s.ControllerEpoch > o.epoch():
				wrong("the state of %s-%s is of controller epoch %d, /controller_epoch is %d", topic, p, s.ControllerEpoch, o.epoch())
			}
		}
	}
	return broken
}

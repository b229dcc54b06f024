package live

import (
	"bytes"
	"net"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"controllerscope/core/broker"
	"controllerscope/core/env"
	"controllerscope/core/kafka"
	"controllerscope/core/request"
	"controllerscope/core/server"
	"controllerscope/core/trace"
	"controllerscope/core/view"
	"controllerscope/core/zk/zkreal"
	"controllerscope/headless/kafkawire"
)

// patience bounds every wait for a condition.
const patience = 30 * time.Second

func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	require.Eventually(t, holds, patience, 5*time.Millisecond, what)
}

// file is what a recording is written to.
type file struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (f *file) Write(p []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.b.Write(p)
}

// start runs a cluster on the emulator and records it.
func start(t *testing.T, ids ...kafka.BrokerID) (*Cluster, *file) {
	t.Helper()
	f := &file{}
	c, err := Start(Config{Brokers: ids, Record: func() (*Recorder, error) { return NewRecorder(f, "test") }, Props: map[string]string{"controlled.shutdown.retry.backoff.ms": "10",
		"replica.fetch.backoff.ms": "20", "zookeeper.session.timeout.ms": "4000"}})
	require.NoError(t, err)
	t.Cleanup(func() { _ = c.Stop() })
	eventually(t, "all run", func() bool {
		for _, b := range c.Brokers {
			if !running(b) {
				return false
			}
		}
		return c.Controller() != nil
	})
	return c, f
}

func running(b *Broker) (yes bool) {
	b.See(func(s *server.Server) { yes = s.State() == server.Running })
	return yes
}

// actives counts the brokers that take themselves for the controller.
func actives(c *Cluster) (n int) {
	for _, b := range c.Brokers {
		b.See(func(s *server.Server) {
			if !b.over() && s.Controller().IsActive() {
				n++
			}
		})
	}
	return n
}

// ask sends a request to a broker over the wire, as an admin client does.
func ask(t *testing.T, b *Broker, r request.Request) request.Response {
	t.Helper()
	at := b.wire.Addr().(*net.TCPAddr)
	c := kafkawire.Dial(net.JoinHostPort("127.0.0.1", strconv.Itoa(at.Port)), kafkawire.Options{ClientID: "admin", AskVersions: true})
	defer c.Close()
	answers := make(chan request.Response, 1)
	c.Send(1, r, func(answer request.Response, err error) {
		assert.NoError(t, err)
		answers <- answer
	})
	select {
	case answer := <-answers:
		return answer
	case <-time.After(patience):
		require.Fail(t, "no answer to "+r.Kind())
		return nil
	}
}

// hosts reports whether a broker has a replica in a role.
func hosts(b *Broker, tp kafka.TopicPartition, role string, leader kafka.BrokerID) (yes bool) {
	b.See(func(s *server.Server) {
		state, hosted := s.Broker().Hosted(tp)
		yes = hosted && state.Role == role && state.Leader == leader
	})
	return yes
}

var t0, t1 = kafka.TopicPartition{Topic: "t"}, kafka.TopicPartition{Topic: "t", Partition: 1}

func createTopic(t *testing.T, c *Cluster) {
	t.Helper()
	answer := ask(t, c.Controller(), request.CreateTopics{Topics: []request.NewTopic{{Name: "t", NumPartitions: -1, ReplicationFactor: -1,
		Assignment: [][]kafka.BrokerID{{1, 2, 3}, {2, 3, 1}}}}})
	require.Equal(t, request.TopicResponse{Of: "CreateTopics", Topics: []request.TopicResult{{Name: "t"}}}, answer)
	eventually(t, "every replica is hosted", func() bool {
		for i, b := range c.Brokers {
			id := kafka.BrokerID(i + 1)
			for tp, leader := range map[kafka.TopicPartition]kafka.BrokerID{t0: 1, t1: 2} {
				role := broker.RoleFollower
				if id == leader {
					role = broker.RoleLeader
				}
				if !hosts(b, tp, role, leader) {
					return false
				}
			}
		}
		return true
	})
}

// read stops the cluster and returns its recording.
func read(t *testing.T, c *Cluster, f *file) *trace.Trace {
	t.Helper()
	require.NoError(t, c.Stop())
	for _, b := range c.Brokers {
		assert.Empty(t, b.Why())
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	tr, err := trace.Read("recording", f.b.Bytes())
	require.NoError(t, err)
	assert.False(t, tr.Torn)
	return tr
}

// Three brokers elect exactly one controller; a topic is created over the wire; all its replicas are online, in the
// brokers, in the controller's context and in the recording. Every step but the first of a process, what an outside
// client asks for and what other clients wrote has a cause before it.
func TestThreeBrokers(t *testing.T) {
	c, f := start(t, 1, 2, 3)
	require.Equal(t, 1, actives(c))
	createTopic(t, c)
	controller := c.Controller().name
	other := c.Brokers[0]
	if other == c.Controller() {
		other = c.Brokers[1]
	}
	refused := ask(t, other, request.CreateTopics{Topics: []request.NewTopic{{Name: "u", NumPartitions: 1, ReplicationFactor: 1}}})
	require.Equal(t, kafka.NOT_CONTROLLER, refused.(request.TopicResponse).Topics[0].Error)

	tr := read(t, c, f)
	require.Equal(t, 1, count(tr, "elect.won"), "one election")
	at := trace.NewCursor(tr)
	online := -1
	for i, s := range tr.Steps {
		for _, cause := range s.Causes {
			require.Less(t, cause, i)
		}
		at.Seek(i)
		if online < 0 && allOnline(at.Doc(), controller) {
			online = i
		}
	}
	require.Positive(t, online, "the context shows all six replicas online")
	at.Seek(online)
	require.Equal(t, `{"partitions":{"0":[1,2,3],"1":[2,3,1]},"adding_replicas":{},"removing_replicas":{},"version":3}`,
		withoutTopicID(at.Doc().Get("zk", "/brokers/topics/t", "data").(string)))
	require.Equal(t, "connected", at.Doc().Get("session", sessionOf(at.Doc(), controller), "state"))
	fromScratch := trace.NewDocument()
	at.Doc().Walk(func(path env.Path, value any) bool {
		if path[0] != "view" {
			fromScratch.Set(value, path...)
		}
		return true
	})
	for _, change := range view.Full(fromScratch) {
		fromScratch.Change(change, nil)
	}
	diff, differs := at.Doc().FirstDifference(fromScratch)
	require.False(t, differs, "the recorded views are those of the document: %v", diff)
}

func count(tr *trace.Trace, msg string) (n int) {
	for _, s := range tr.Steps {
		if s.Msg == msg {
			n++
		}
	}
	return n
}

func allOnline(d *trace.Document, controller string) bool {
	for _, replica := range []string{"t-0·1", "t-0·2", "t-0·3", "t-1·1", "t-1·2", "t-1·3"} {
		if d.Get("ctx", controller, "replicaStates", replica) != "OnlineReplica" {
			return false
		}
	}
	return true
}

// sessionOf is the session of a client in the document.
func sessionOf(d *trace.Document, client string) string {
	for _, id := range d.Names("session") {
		if d.Get("session", id, "client") == client {
			return id
		}
	}
	return ""
}

// withoutTopicID takes the random topic id out of a topic znode.
func withoutTopicID(data string) string {
	i := bytes.Index([]byte(data), []byte(`"topic_id":"`))
	return data[:i] + data[i+len(`"topic_id":"`)+22+len(`",`):]
}

// A controller that dies without a word is followed by another when its session expires; what it led moves.
func TestControllerDies(t *testing.T) {
	c, f := start(t, 1, 2, 3)
	createTopic(t, c)
	dead := c.Controller()
	dead.Kill()
	<-dead.Ended()
	eventually(t, "another is in office", func() bool { return c.Controller() != nil })
	next := c.Controller()
	require.NotEqual(t, dead.name, next.name)
	var epoch int32
	next.See(func(s *server.Server) { epoch = s.Controller().Epoch() })
	require.Equal(t, int32(2), epoch)
	eventually(t, "no partition is led by the dead", func() bool {
		for _, b := range c.Brokers {
			for _, tp := range []kafka.TopicPartition{t0, t1} {
				if id, _ := strconv.Atoi(dead.name); b != dead && (hosts(b, tp, broker.RoleFollower, kafka.BrokerID(id))) {
					return false
				}
			}
		}
		return true
	})
	require.Equal(t, "killed", dead.Why())
	require.NoError(t, c.Stop())
	f.mu.Lock()
	defer f.mu.Unlock()
	tr, err := trace.Read("recording", f.b.Bytes())
	require.NoError(t, err)
	require.Equal(t, 2, count(tr, "elect.won"))
}

// A killed process leaves nothing running: its threads and timers end, its port is free.
func TestKillLeavesNothing(t *testing.T) {
	c, _ := start(t, 1)
	b := c.Brokers[0]
	addr := b.wire.Addr().String()
	b.Kill()
	l, err := net.Listen("tcp", addr)
	require.NoError(t, err)
	require.NoError(t, l.Close())
	b.lock()
	require.Empty(t, b.timers)
	b.unlock()
	eventually(t, "all threads are gone", func() bool { b.mu.Lock(); defer b.mu.Unlock(); return b.threads == 0 })
}

func TestStartRefuses(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer l.Close()
	port := l.Addr().(*net.TCPAddr).Port
	untouched := func() (*Recorder, error) { require.Fail(t, "nothing is recorded"); return nil, nil }
	_, err = Start(Config{Brokers: []kafka.BrokerID{1}, ListenBase: port - 1, Record: untouched})
	require.ErrorIs(t, err, ErrPort)
	require.ErrorContains(t, err, "broker 1: cannot listen: ")
	_, err = Start(Config{Brokers: []kafka.BrokerID{1}, Props: map[string]string{"num.partitions": "many"}, Record: untouched})
	require.EqualError(t, err, "invalid value many for configuration num.partitions: not a number of this type")
	_, err = Start(Config{Brokers: []kafka.BrokerID{1}, ZK: "127.0.0.1:" + strconv.Itoa(port-1) + "/x/"})
	require.ErrorContains(t, err, "the chroot /x/ is not a path")
	free, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	require.NoError(t, free.Close())
	_, err = Start(Config{Brokers: []kafka.BrokerID{1}, ZK: free.Addr().String() + "/x", Record: untouched})
	require.ErrorIs(t, err, zkreal.ErrServer)
}

package clustertest

import (
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"controllerscope/core/kafka"
	"controllerscope/core/request"
	"controllerscope/core/trace"
	"controllerscope/core/zk"
	"controllerscope/core/zkdata"
	"controllerscope/headless/internal/zkensemble"
	"controllerscope/headless/kafkawire"
)

const (
	tickMS     = 500
	timeoutMS  = 3000
	electionMS = 2000 // on a machine that does much else
)

// createTopic asks the controller over the wire for one partition on all three brokers, led by leader.
func createTopic(t *testing.T, o *observer, leader kafka.BrokerID) {
	t.Helper()
	replicas := []kafka.BrokerID{leader}
	for _, id := range []kafka.BrokerID{1, 2, 3} {
		if id != leader {
			replicas = append(replicas, id)
		}
	}
	c := kafkawire.Dial(o.address(o.controller()), kafkawire.Options{ClientID: "admin", AskVersions: true})
	defer c.Close()
	answers := make(chan request.Response, 1)
	c.Send(1, request.CreateTopics{Topics: []request.NewTopic{{Name: "t", NumPartitions: -1, ReplicationFactor: -1, Assignment: [][]kafka.BrokerID{replicas}}}},
		func(answer request.Response, err error) { assert.NoError(t, err); answers <- answer })
	require.Equal(t, request.TopicResponse{Of: "CreateTopics", Topics: []request.TopicResult{{Name: "t"}}}, <-answers)
}

// Three processes compete; the one in office is killed without a word; within the session timeout another is in office,
// leads what the dead one led, and shrinks its ISR. Those that are left stop cleanly, and all three traces can be read.
func TestKillTheController(t *testing.T) {
	e := zkensemble.ForTest(t, zkensemble.Options{TickMS: tickMS})
	at := e.Connect() + "/live/kafka"
	o := observe(t, at)
	processes := map[kafka.BrokerID]*process{}
	for _, id := range []kafka.BrokerID{1, 2, 3} {
		processes[id] = cluster(t, at, id, timeoutMS)
	}
	eventually(t, "three are registered and one is controller", func() bool { return o.brokers() == 3 && o.controller() != kafka.NoBroker })
	first := o.controller()
	require.Equal(t, int32(1), o.epoch())
	eventually(t, "all run", func() bool {
		for _, p := range processes {
			if !strings.Contains(p.stdout(), "state RUNNING") {
				return false
			}
		}
		return true
	})
	tp := kafka.TopicPartition{Topic: "t"}
	createTopic(t, o, first)
	require.Equal(t, first, o.state(tp).Leader)

	killed := time.Now()
	processes[first].signal(syscall.SIGKILL)
	<-processes[first].ended
	eventually(t, "another is in office", func() bool { c := o.controller(); return c != first && c != kafka.NoBroker })
	// A session ends at the first tick after its timeout, and was last heard of before the kill; the rest is the election.
	assert.Less(t, time.Since(killed), (timeoutMS+tickMS+electionMS)*time.Millisecond)
	second := o.controller()
	require.Equal(t, int32(2), o.epoch())
	eventually(t, "the partition has a living leader and no dead one in its ISR", func() bool {
		s := o.state(tp)
		return s.Leader != first && s.Leader > 0 && s.ControllerEpoch == 2 && !slices.Contains(s.ISR, first)
	})
	eventually(t, "it says so", func() bool { return strings.Contains(processes[second].stdout(), "elected controller with epoch 2") })
	stopAll(t, processes, first, second)
	checkTraces(t, processes, first, second)
}

// A controller that is frozen loses its session and its office; when it goes on, it learns so, is fenced, registers again
// under a new broker epoch and follows the new one.
func TestFrozenController(t *testing.T) {
	e := zkensemble.ForTest(t, zkensemble.Options{TickMS: tickMS})
	at := e.Connect() + "/frozen"
	o := observe(t, at)
	processes := map[kafka.BrokerID]*process{1: cluster(t, at, 1, timeoutMS), 2: cluster(t, at, 2, timeoutMS)}
	eventually(t, "both are registered and one is controller", func() bool { return o.brokers() == 2 && o.controller() != kafka.NoBroker })
	first := o.controller()
	before, _ := o.get(zkdata.BrokerIDPath(first))
	frozen := processes[first]
	eventually(t, "it runs", func() bool { return strings.Contains(frozen.stdout(), "state RUNNING") })
	frozen.signal(syscall.SIGSTOP)
	eventually(t, "the other is in office", func() bool { return o.controller() == 3-first && o.brokers() == 1 })
	frozen.signal(syscall.SIGCONT)
	eventually(t, "the frozen one is back", func() bool { return o.brokers() == 2 })
	after, _ := o.get(zkdata.BrokerIDPath(first))
	require.Greater(t, after.Stat.Czxid, before.Stat.Czxid)
	require.Equal(t, 3-first, o.controller())
	require.Equal(t, int32(2), o.epoch())
	eventually(t, "it says so", func() bool {
		return strings.Contains(frozen.stdout(), "ZooKeeper session expired") && strings.Contains(frozen.stdout(), "RegisterBrokerAndReelect")
	})
	for _, id := range []kafka.BrokerID{first, 3 - first} {
		processes[id].signal(syscall.SIGINT)
		code, stderr := processes[id].wait()
		require.Equal(t, 0, code, stderr)
	}
}

// stopAll interrupts those that are left, the controller last.
func stopAll(t *testing.T, processes map[kafka.BrokerID]*process, first, second kafka.BrokerID) {
	t.Helper()
	for id, p := range processes {
		if id != first && id != second {
			p.signal(syscall.SIGINT)
			code, stderr := p.wait()
			require.Equal(t, 0, code, stderr)
		}
	}
	processes[second].signal(syscall.SIGINT)
	code, stderr := processes[second].wait()
	require.Equal(t, 0, code, stderr)
}

func checkTraces(t *testing.T, processes map[kafka.BrokerID]*process, first, second kafka.BrokerID) {
	t.Helper()
	for id, p := range processes {
		told := run(t, "run", "--trace", p.trace)
		code, stderr := told.wait()
		require.Equal(t, 0, code, stderr)
		data, err := os.ReadFile(p.trace)
		require.NoError(t, err)
		tr, err := trace.Read(p.trace, data)
		require.NoError(t, err)
		require.Equal(t, len(tr.Steps), strings.Count(told.stdout(), "\n"))
		won := 0
		for _, s := range tr.Steps {
			if s.Msg == "elect.won" {
				won++
			}
		}
		require.Equal(t, id == first || id == second, won == 1, "broker %d won %d times", id, won)
	}
}

// A chroot that holds somebody else's data is refused, and stays as it is.
func TestSomebodyElsesChroot(t *testing.T) {
	e := zkensemble.ForTest(t, zkensemble.Options{TickMS: tickMS})
	o := observe(t, e.Connect()+"/guest")
	o.Lock()
	o.session.Do(zk.Op{Kind: zk.Create, Path: "/theirs"}, zk.Op{Kind: zk.Create, Path: "/theirs/brokers"})
	o.Unlock()
	code, stderr := run(t, "cluster", "--brokers", "1", "--zk", e.Connect()+"/guest/theirs").wait()
	require.Equal(t, 2, code, stderr)
	oneSentence(t, stderr, "not a chroot of controllerscope", "/guest/theirs")
}

// A broker whose ZooKeeper goes away says so and goes on trying; an interrupt then ends it with one sentence.
func TestZooKeeperGoesAway(t *testing.T) {
	e := zkensemble.ForTest(t, zkensemble.Options{TickMS: tickMS})
	p := cluster(t, e.Connect()+"/away", 1, timeoutMS)
	eventually(t, "it runs", func() bool { return strings.Contains(p.stdout(), "state RUNNING") })
	require.NoError(t, e.Kill(0))
	eventually(t, "it says that the connection is lost", func() bool { return strings.Contains(p.stdout(), "connection to ZooKeeper lost") })
	p.signal(syscall.SIGINT)
	code, stderr := p.wait()
	require.Equal(t, 3, code, stderr)
	oneSentence(t, stderr, "broker 1 could not shut down", "ZooKeeper is not available")
}

// Two processes with one broker id: the second is refused by the registration of the first, as Kafka is.
func TestOneBrokerTwice(t *testing.T) {
	e := zkensemble.ForTest(t, zkensemble.Options{TickMS: tickMS})
	at := e.Connect() + "/twice"
	p := cluster(t, at, 1, timeoutMS)
	eventually(t, "it runs", func() bool { return strings.Contains(p.stdout(), "state RUNNING") })
	code, stderr := cluster(t, at, 1, timeoutMS).wait()
	require.Equal(t, 3, code)
	oneSentence(t, stderr, "broker 1 ended: ZooKeeper answered NODEEXISTS for /brokers/ids/1")
	p.signal(syscall.SIGTERM)
	code, stderr = p.wait()
	require.Equal(t, 0, code, stderr)
}

// The emulator in the process: three brokers in two languages, an event a line, stopped by ctrl-C.
func TestEmbedded(t *testing.T) {
	for lang, words := range map[string][]string{"en": {"state RUNNING", "process ended"}, "zh": {"状态 RUNNING", "进程已结束"}} {
		t.Run(lang, func(t *testing.T) {
			p := run(t, "cluster", "--brokers", "1,2,3", "--lang", lang)
			eventually(t, "three run", func() bool { return strings.Count(p.stdout(), words[0]) == 3 })
			p.signal(syscall.SIGINT)
			code, stderr := p.wait()
			require.Equal(t, 0, code, stderr)
			require.Empty(t, stderr)
			require.Equal(t, 3, strings.Count(p.stdout(), words[1]))
			for _, line := range strings.Split(strings.TrimSpace(p.stdout()), "\n") {
				require.Regexp(t, `^\d\d:\d\d:\d\d\.\d{3}  broker [123]  \S`, line)
			}
		})
	}
}

// Bad input is one sentence and exit code 2, what is missing outside one sentence and 3.
func TestBadInput(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer taken.Close()
	port := taken.Addr().(*net.TCPAddr).Port
	free, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	require.NoError(t, free.Close())
	base := strconv.Itoa(port - 1)
	for name, c := range map[string]struct {
		args []string
		code int
		says string
	}{
		"no brokers":    {nil, 2, "--brokers is missing; write for example --brokers 1,2,3"},
		"no id":         {[]string{"--brokers", "1,x"}, 2, `--brokers 1,x: "x" is no broker id; 0 to 1000 are`},
		"id too high":   {[]string{"--brokers", "1001"}, 2, `"1001" is no broker id`},
		"twice":         {[]string{"--brokers", "1,2,1"}, 2, "--brokers 1,2,1: broker 1 stands twice"},
		"no property":   {[]string{"--brokers", "1", "num.partitions"}, 2, `"num.partitions" is no entry of server.properties; write --props KEY=VALUE`},
		"bad property":  {[]string{"--brokers", "1", "--props", "num.partitions=0"}, 2, "invalid value 0 for configuration num.partitions: value must be at least 1"},
		"bad language":  {[]string{"--brokers", "1", "--lang", "fr"}, 2, `no messages in language "fr"`},
		"bad address":   {[]string{"--brokers", "1", "--zk", "h:99999/x"}, 2, `"99999" is not a port`},
		"bad base":      {[]string{"--brokers", "1", "--listen-base", "65000"}, 2, "--listen-base is 0, or 1 to 64535"},
		"bad file":      {[]string{"--brokers", "1", "--record", filepath.Join(t.TempDir(), "no", "file")}, 2, "no such file or directory"},
		"port taken":    {[]string{"--brokers", "1", "--listen-base", base}, 3, "broker 1: cannot listen: listen tcp 127.0.0.1:" + strconv.Itoa(port)},
		"no ZooKeeper":  {[]string{"--brokers", "1", "--zk", free.Addr().String() + "/x"}, 3, "ZooKeeper is not available at " + free.Addr().String()},
		"taken by base": {[]string{"--brokers", "0,1", "--listen-base", base}, 3, "cannot listen"},
	} {
		t.Run(name, func(t *testing.T) {
			if port-1+1000 > 65535 && c.code == 3 && slices.Contains(c.args, base) {
				t.Skip("skipped 1: the port that the system chose is too high for --listen-base")
			}
			record := filepath.Join(t.TempDir(), "trace")
			code, stderr := run(t, append([]string{"cluster", "--record", record}, c.args...)...).wait()
			require.Equal(t, c.code, code, stderr)
			oneSentence(t, stderr, "headless: ", c.says)
			require.NoFileExists(t, record)
		})
	}
}

package kafkatest

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	gozk "github.com/go-zookeeper/zk"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"controllerscope/core/zk/zkmem"
	"controllerscope/headless/zkserver"
)

// cluster is three real brokers over the emulator in this process, and a client of it that looks on.
type cluster struct {
	t       *testing.T
	libs    string
	dir     string
	zk      string
	ports   map[int]int
	running map[int]*exec.Cmd
	conn    *gozk.Conn
}

// patience is how long anything may take on a busy machine.
const patience = 2 * time.Minute

func newCluster(t *testing.T, libs string) *cluster {
	s := zkserver.New(zkmem.New(zkmem.Options{}), zkserver.Options{})
	t.Cleanup(func() { assert.NoError(t, s.Close()) })
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	go func() { _ = s.Serve(l) }() // ends with the server
	conn, _, err := gozk.Connect([]string{l.Addr().String()}, 10*time.Second, gozk.WithLogInfo(false))
	require.NoError(t, err)
	t.Cleanup(conn.Close)
	c := &cluster{t: t, libs: libs, dir: t.TempDir(), zk: l.Addr().String(), ports: map[int]int{}, running: map[int]*exec.Cmd{}, conn: conn}
	for id := 1; id <= 3; id++ {
		free, err := net.Listen("tcp", "127.0.0.1:0")
		require.NoError(t, err)
		defer free.Close()
		c.ports[id] = free.Addr().(*net.TCPAddr).Port
	}
	t.Cleanup(func() {
		for id := range c.running {
			c.kill(id)
		}
	})
	return c
}

// java runs a class of Kafka's.
func (c *cluster) java(ctx context.Context, args ...string) *exec.Cmd {
	return exec.CommandContext(ctx, "java", append([]string{"-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp", c.libs + "/*"}, args...)...)
}

// start starts a broker and waits for its registration.
func (c *cluster) start(id int) {
	props := fmt.Sprintf("broker.id=%d\nlisteners=PLAINTEXT://127.0.0.1:%d\nzookeeper.connect=%s/kafka\nzookeeper.session.timeout.ms=6000\nlog.dirs=%s\n"+
		"offsets.topic.replication.factor=2\noffsets.topic.num.partitions=3\nlog.cleaner.enable=false\ncontroller.socket.timeout.ms=10000\n",
		id, c.ports[id], c.zk, filepath.Join(c.dir, strconv.Itoa(id)))
	file := filepath.Join(c.dir, fmt.Sprintf("%d.properties", id))
	require.NoError(c.t, os.WriteFile(file, []byte(props), 0o644))
	cmd := c.java(context.Background(), "kafka.Kafka", file)
	require.NoError(c.t, cmd.Start())
	c.running[id] = cmd
	c.await(fmt.Sprintf("broker %d registers", id), func() bool { return c.text(fmt.Sprintf("/brokers/ids/%d", id)) != "" })
}

// kill ends a broker at once; its session lives until it expires.
func (c *cluster) kill(id int) {
	cmd := c.running[id]
	delete(c.running, id)
	_ = cmd.Process.Kill() // it may be gone
	_ = cmd.Wait()         // it was killed
}

// tool runs one of Kafka's command line tools, and gives it lines to read.
func (c *cluster) tool(lines []string, class string, args ...string) string {
	var servers []string
	for id := range c.running {
		servers = append(servers, fmt.Sprintf("127.0.0.1:%d", c.ports[id]))
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	cmd := c.java(ctx, append([]string{class, "--bootstrap-server", strings.Join(servers, ",")}, args...)...)
	cmd.Stdin = strings.NewReader(strings.Join(lines, "\n") + "\n")
	var errs strings.Builder
	cmd.Stderr = &errs
	out, err := cmd.Output()
	require.NoError(c.t, err, "%s %v: %s", class, args, errs.String())
	return string(out)
}

// text is a znode's data, "" without one.
func (c *cluster) text(path string) string {
	data, _, err := c.conn.Get("/kafka" + path)
	if err != nil {
		return ""
	}
	return string(data)
}

// field is a field of a znode's JSON.
func (c *cluster) field(path, name string) any {
	var o map[string]any
	_ = json.Unmarshal([]byte(c.text(path)), &o) // nothing is nil
	return o[name]
}

func (c *cluster) await(what string, ready func() bool) {
	c.t.Helper()
	require.Eventually(c.t, ready, patience, 100*time.Millisecond, what)
}

// TestRealClients: three real brokers on the emulator create a topic, take records and give them back while a leader and
// the controller are killed and restarted, and delete the topic.
func TestRealClients(t *testing.T) {
	oracle(t, 1)
	libs := os.Getenv("ORACLE_LIBS")
	if libs == "" {
		cache, err := os.UserCacheDir()
		require.NoError(t, err)
		libs = filepath.Join(cache, "kafka-oracle", "libs")
	}
	if found, _ := filepath.Glob(filepath.Join(libs, "kafka_2.13-2.8.2.jar")); len(found) == 0 {
		t.Skipf("skipped 1: there is no Kafka 2.8.2 in %s; the recorder fetches it when it runs first", libs)
	}
	c := newCluster(t, libs)
	_, err := c.conn.Create("/kafka", nil, 0, gozk.WorldACL(gozk.PermAll))
	require.NoError(t, err)
	for id := range c.ports {
		c.start(id)
	}
	c.tool(nil, "kafka.admin.TopicCommand", "--create", "--topic", "orders", "--partitions", "2", "--replication-factor", "3")
	const state = "/brokers/topics/orders/partitions/0/state"
	inSync := func() int { isr, _ := c.field(state, "isr").([]any); return len(isr) }
	c.await("the topic has its ISR", func() bool { return inSync() == 3 })
	var sent []string
	produce := func() {
		lines := []string{}
		for range 100 {
			lines = append(lines, fmt.Sprintf("record %d", len(sent)+len(lines)))
		}
		c.tool(lines, "kafka.tools.ConsoleProducer", "--topic", "orders", "--request-required-acks", "-1")
		sent = append(sent, lines...)
	}
	produce()

	leader := int(c.field(state, "leader").(float64))
	c.kill(leader)
	c.await("another leader", func() bool { return c.field(state, "leader") != float64(leader) && inSync() == 2 })
	c.start(leader)
	c.await("the old leader is back in the ISR", func() bool { return inSync() == 3 })

	controller, epoch := int(c.field("/controller", "brokerid").(float64)), c.text("/controller_epoch")
	c.kill(controller)
	c.await("another controller", func() bool {
		now := c.field("/controller", "brokerid")
		return now != nil && now != float64(controller) && c.text("/controller_epoch") != epoch
	})
	c.await("its leaderships have moved", func() bool { return inSync() == 2 && c.field(state, "leader") != float64(controller) })
	produce()
	got := strings.Split(strings.TrimSpace(c.tool(nil, "kafka.tools.ConsoleConsumer", "--topic", "orders", "--from-beginning",
		"--max-messages", strconv.Itoa(len(sent)), "--timeout-ms", "60000")), "\n")
	slices.Sort(got)
	slices.Sort(sent)
	assert.Equal(t, sent, got, "every record that was acknowledged comes back once")

	c.start(controller)
	c.tool(nil, "kafka.admin.TopicCommand", "--delete", "--topic", "orders")
	c.await("the topic is deleted", func() bool {
		marks, _, err := c.conn.Children("/kafka/admin/delete_topics")
		return err == nil && len(marks) == 0 && c.text("/brokers/topics/orders") == ""
	})
}

package clustertest

import (
	"bytes"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"controllerscope/core/kafka"
	"controllerscope/core/zk"
	"controllerscope/core/zk/zkreal"
	"controllerscope/core/zkdata"
)

// headless is the binary under test.
var headless string

func TestMain(m *testing.M) { os.Exit(testMain(m)) }

func testMain(m *testing.M) int {
	dir, err := os.MkdirTemp("", "headless-")
	if err == nil {
		defer os.RemoveAll(dir)
		headless = filepath.Join(dir, "headless")
		var out []byte
		if out, err = exec.Command("go", "build", "-o", headless, "controllerscope/headless").CombinedOutput(); err != nil {
			err = fmt.Errorf("%w: %s", err, out)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "clustertest: cannot build headless:", err)
		return 1
	}
	return m.Run()
}

// patience bounds every wait for a condition.
const patience = 60 * time.Second

func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	require.Eventually(t, holds, patience, 10*time.Millisecond, what)
}

// process is a running headless.
type process struct {
	t     *testing.T
	cmd   *exec.Cmd
	trace string
	ended chan struct{}

	mu       sync.Mutex
	out, err bytes.Buffer
}

// writer is one of a process's outputs.
type writer struct {
	p *process
	b *bytes.Buffer
}

func (w writer) Write(data []byte) (int, error) {
	w.p.mu.Lock()
	defer w.p.mu.Unlock()
	return w.b.Write(data)
}

func (p *process) stdout() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.out.String()
}

// run starts headless; the test's end kills it if it still runs.
func run(t *testing.T, args ...string) *process {
	t.Helper()
	p := &process{t: t, cmd: exec.Command(headless, args...), ended: make(chan struct{})}
	p.cmd.Stdout, p.cmd.Stderr = writer{p, &p.out}, writer{p, &p.err}
	require.NoError(t, p.cmd.Start())
	go func() {
		_ = p.cmd.Wait() // how it ended is in the process's state
		close(p.ended)
	}()
	t.Cleanup(func() { p.signal(syscall.SIGKILL) })
	return p
}

// cluster starts one broker in a process of its own and records it.
func cluster(t *testing.T, zookeeper string, id kafka.BrokerID, timeoutMS int) *process {
	t.Helper()
	trace := filepath.Join(t.TempDir(), "trace.jsonl")
	p := run(t, "cluster", "--brokers", id.String(), "--zk", zookeeper, "--record", trace,
		"--props", "zookeeper.session.timeout.ms="+strconv.Itoa(timeoutMS), "replica.fetch.backoff.ms=50")
	p.trace = trace
	return p
}

func (p *process) signal(s syscall.Signal) {
	if err := p.cmd.Process.Signal(s); err != nil && !errors.Is(err, os.ErrProcessDone) {
		p.t.Error(err)
	}
}

// wait waits for the end and returns the exit code and what was said on standard error.
func (p *process) wait() (code int, stderr string) {
	p.t.Helper()
	select {
	case <-p.ended:
	case <-time.After(patience):
		require.Fail(p.t, "it does not end", p.stdout())
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.cmd.ProcessState.ExitCode(), p.err.String()
}

// observer is a ZooKeeper client of the test's own.
type observer struct {
	t *testing.T
	sync.Mutex
	session   zk.Session
	connected bool
}

func (o *observer) WatchEvent(zk.Event)                  {}
func (o *observer) StateChanged(s zk.State)              { o.connected = s == zk.Connected }
func (o *observer) Interested(string, zk.WatchKind) bool { return false }

func observe(t *testing.T, zookeeper string) *observer {
	t.Helper()
	a, err := zkreal.ParseAddress(zookeeper)
	require.NoError(t, err)
	require.NoError(t, zkreal.Prepare(a, nil))
	o := &observer{t: t}
	o.Lock()
	o.session = zkreal.NewConnector(zkreal.LiveOptions{Address: a, Lock: o.Lock, Unlock: o.Unlock}).Open(o, zk.Options{TimeoutMS: 10_000})
	o.Unlock()
	eventually(t, "the observer is connected", func() bool { o.Lock(); defer o.Unlock(); return o.connected })
	t.Cleanup(func() { o.Lock(); o.session.Close(); o.Unlock() })
	return o
}

// get reads a node; ok is false if there is none.
func (o *observer) get(path string) (r zk.Result, ok bool) {
	o.Lock()
	defer o.Unlock()
	r = o.session.Do(zk.Op{Kind: zk.Get, Path: path})[0]
	return r, r.Err == zk.OK
}

// controller is who holds /controller, kafka.NoBroker if nobody does.
func (o *observer) controller() kafka.BrokerID {
	r, ok := o.get(zkdata.ControllerPath)
	if !ok {
		return kafka.NoBroker
	}
	id, _, err := zkdata.DecodeController(r.Data)
	require.NoError(o.t, err)
	return id
}

func (o *observer) epoch() int32 {
	r, _ := o.get(zkdata.ControllerEpochPath)
	epoch, err := zkdata.DecodeControllerEpoch(r.Data)
	require.NoError(o.t, err)
	return epoch
}

// brokers counts the registered brokers.
func (o *observer) brokers() int {
	o.Lock()
	defer o.Unlock()
	return len(o.session.Do(zk.Op{Kind: zk.Children, Path: zkdata.BrokerIDsPath})[0].Children)
}

// state is the stored state of a partition.
func (o *observer) state(tp kafka.TopicPartition) (l kafka.Leadership) {
	if r, ok := o.get(zkdata.TopicPartitionStatePath(tp)); ok {
		var err error
		l, _, err = zkdata.DecodeTopicPartitionState(tp, r.Data, r.Stat.Version)
		require.NoError(o.t, err)
	}
	return l
}

// address is where a broker is registered.
func (o *observer) address(id kafka.BrokerID) string {
	r, ok := o.get(zkdata.BrokerIDPath(id))
	require.True(o.t, ok)
	b, err := zkdata.DecodeBroker(id, r.Data)
	require.NoError(o.t, err)
	return net.JoinHostPort(b.Endpoints[0].Host, strconv.Itoa(int(b.Endpoints[0].Port)))
}

// oneSentence checks that standard error is one line that says all of these.
func oneSentence(t *testing.T, stderr string, parts ...string) {
	t.Helper()
	require.Equal(t, 1, strings.Count(stderr, "\n"), stderr)
	for _, part := range parts {
		require.Contains(t, stderr, part)
	}
}

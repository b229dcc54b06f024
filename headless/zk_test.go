package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/go-zookeeper/zk"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"controllerscope/headless/internal/zkensemble"
)

// oneSentence requires one line on standard error.
func oneSentence(t *testing.T, errs string) {
	t.Helper()
	assert.Equal(t, 1, strings.Count(errs, "\n"), errs)
	assert.True(t, strings.HasPrefix(errs, "headless: "), errs)
}

// children lists a node of a server, nil when it does not exist.
func children(t *testing.T, server, path string) []string {
	t.Helper()
	c, _, err := zk.Connect([]string{server}, 5*time.Second, zk.WithLogInfo(false), zk.WithLogger(silent{}))
	require.NoError(t, err)
	defer c.Close()
	names, _, err := c.Children(path)
	if err == zk.ErrNoNode {
		return nil
	}
	require.NoError(t, err)
	return names
}

type silent struct{}

func (silent) Printf(string, ...any) {}

func TestRunOnARealServer(t *testing.T) {
	server := zkensemble.ForTest(t, zkensemble.Options{}).Connect()
	folder := t.TempDir()
	real, emulated := filepath.Join(folder, "real"), filepath.Join(folder, "emulated")
	code, _, errs := headless("run", "lessons/03-election", "--zk", server+"/mine", "--record", real)
	require.Equal(t, exitOK, code, errs)
	code, _, errs = headless("run", "lessons/03-election", "--record", emulated)
	require.Equal(t, exitOK, code, errs)
	code, out, errs := headless("diff", real, emulated)
	require.Equal(t, exitOK, code, out+errs)
	require.Len(t, children(t, server, "/mine"), 1, "only the mark is left")

	code, out, _ = headless("clean", "--zk", server+"/mine")
	require.Equal(t, exitOK, code)
	require.Equal(t, "2 nodes removed from "+server+"/mine\n", out)
	require.Nil(t, children(t, server, "/mine"))
	code, out, _ = headless("doctor", "--zk", server+"/mine")
	require.Equal(t, exitOK, code, out)
	require.Nil(t, children(t, server, "/mine"), "doctor only looks")
}

func TestSomebodyElsesChroot(t *testing.T) {
	server := zkensemble.ForTest(t, zkensemble.Options{}).Connect()
	c, _, err := zk.Connect([]string{server}, 5*time.Second, zk.WithLogInfo(false), zk.WithLogger(silent{}))
	require.NoError(t, err)
	defer c.Close()
	for _, path := range []string{"/theirs", "/theirs/brokers"} {
		_, err := c.Create(path, nil, 0, zk.WorldACL(zk.PermAll))
		require.NoError(t, err)
	}
	record := filepath.Join(t.TempDir(), "trace")
	for _, args := range [][]string{{"run", "lessons/03-election", "--record", record}, {"clean"}} {
		code, _, errs := headless(append(args, "--zk", server+"/theirs")...)
		assert.Equal(t, exitUsage, code, errs)
		oneSentence(t, errs)
		assert.Contains(t, errs, "/theirs")
	}
	code, out, _ := headless("doctor", "--zk", server+"/theirs")
	assert.Equal(t, exitEnvironment, code)
	assert.Contains(t, out, "holds somebody else's data (brokers)")
	assert.NoFileExists(t, record)
	assert.Equal(t, []string{"brokers"}, children(t, server, "/theirs"))
}

// TestServerThatIsNotThere also is one that goes away in the middle.
func TestServerThatIsNotThere(t *testing.T) {
	record := filepath.Join(t.TempDir(), "trace")
	for _, args := range [][]string{{"run", "lessons/03-election", "--record", record}, {"clean"}} {
		code, _, errs := headless(append(args, "--zk", "127.0.0.1:1/x")...)
		assert.Equal(t, exitEnvironment, code, errs)
		oneSentence(t, errs)
		assert.Contains(t, errs, "127.0.0.1:1")
	}
	for _, bad := range []string{"", ":", "h:1/a//b", "h:99999/x"} {
		code, _, errs := headless("clean", "--zk", bad)
		assert.Equal(t, exitUsage, code, bad)
		oneSentence(t, errs)
	}
	assert.NoFileExists(t, record)

	e := zkensemble.ForTest(t, zkensemble.Options{})
	var script strings.Builder
	fmt.Fprintln(&script, "broker start 0\nuntil idle")
	for range 3000 {
		fmt.Fprintln(&script, "zk set /controller_epoch 1\nuntil idle")
	}
	long := file(t, "long", script.String())
	killed := make(chan error, 1)
	go func() {
		for {
			time.Sleep(20 * time.Millisecond)
			if c, _, err := zk.Connect([]string{e.Connect()}, 5*time.Second, zk.WithLogInfo(false), zk.WithLogger(silent{})); err == nil {
				_, _, err := c.Get("/x/run-0000000001/controller_epoch")
				c.Close()
				if err == nil {
					killed <- e.Kill(0)
					return
				}
			}
		}
	}()
	code, out, errs := headless("run", "-f", long, "--zk", e.Connect()+"/x", "--record", record)
	require.NoError(t, <-killed)
	assert.Equal(t, exitEnvironment, code, errs)
	oneSentence(t, errs)
	assert.Contains(t, errs, "ZooKeeper is not available")
	assert.Empty(t, out)
	assert.NoFileExists(t, record)
}

// A run that is interrupted says nothing, writes nothing and leaves nothing on the server: no session, no folder.
func TestAnInterruptedRunLeavesNothing(t *testing.T) {
	server := zkensemble.ForTest(t, zkensemble.Options{}).Connect()
	dir := t.TempDir()
	long := file(t, "long", "cluster brokers=0\nbroker start 0\nuntil idle\n"+strings.Repeat("zk set /controller_epoch 1\nuntil idle\n", 20_000))
	go func() {
		for !slices.Contains(children(t, server, "/i/run-0000000001"), "controller") {
			time.Sleep(5 * time.Millisecond)
		}
		assert.NoError(t, syscall.Kill(os.Getpid(), syscall.SIGINT))
	}()
	code, out, errs := headless("run", "-f", long, "--zk", server+"/i", "--record", filepath.Join(dir, "t.json"))
	assert.Equal(t, exitInterrupted, code)
	assert.Empty(t, out)
	assert.Empty(t, errs)
	assert.Equal(t, []string{"controllerscope-mark"}, children(t, server, "/i"))
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Empty(t, left)
}

func TestDoctor(t *testing.T) {
	code, out, _ := headless("doctor")
	assert.Equal(t, exitOK, code, out)
	assert.Contains(t, out, "ok       go         go version go")
	for _, line := range strings.Split(strings.TrimSpace(out), "\n") {
		assert.Regexp(t, `^(ok|missing)  +(go|java|zookeeper|node|chromium) +\S`, line)
	}
}

func TestSwarmCommand(t *testing.T) {
	code, out, errs := headless("swarm", "--seed", "1016", "--runs", "2")
	assert.Equal(t, exitOK, code, errs)
	assert.Contains(t, out, "known in 2.8.2: lost-reply-of-partition-state")
	assert.Contains(t, out, "\nbroker start 0\nbroker start 2\ntopic create t0 3x3\nzk lose-reply 0 /brokers/topics/t0/partitions/0/state\nuntil idle\n")
	assert.Contains(t, out, "# 2 scripts from seed 1016 on, 0 findings\n")
	for _, args := range [][]string{{"swarm", "--runs", "0"}, {"swarm", "x"}} {
		code, _, errs := headless(args...)
		assert.Equal(t, exitUsage, code)
		oneSentence(t, errs)
	}
}

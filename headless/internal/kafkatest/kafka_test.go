package kafkatest

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"controllerscope/headless/conform/kafkaplay"
)

// scenarios are recorded again on the emulator. Of all recorded ones they are those without a race in their outcome.
var scenarios = []string{"01-start-racks", "02-topic-create-delete", "03-add-partitions", "04-follower-dies", "05-leader-dies",
	"06-controller-dies", "11-controlled-shutdown", "14-bounce", "15-session-expiry-broker", "16-session-expiry-controller",
	"17-controller-znode-deleted", "20-elect-preferred-api", "23-reassign-full", "29-delete-dead-replica", "36-config-entities"}

// oracle is the recorder's folder, and that of its recordings. Without one, or without what it needs, the test is skipped.
func oracle(t *testing.T, tests int) (folder, goldens string) {
	t.Helper()
	folder = os.Getenv("ORACLE")
	switch {
	case folder == "":
		t.Skipf("skipped %d: ORACLE is not set to the folder of the recorder of real Kafka clusters", tests)
	case testing.Short():
		t.Skipf("skipped %d: -short leaves out what needs a real Kafka", tests)
	}
	for _, tool := range []string{"java", "javac", "mvn"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("skipped %d: there is no %s on the PATH, which a real Kafka needs", tests, tool)
		}
	}
	for _, goldens = range []string{os.Getenv("GOLDENS"), filepath.Join(folder, "goldens"), filepath.Join(folder, "..", "reference", "kafka-goldens")} {
		if found, _ := filepath.Glob(filepath.Join(goldens, "01-*.json")); len(found) > 0 {
			return folder, goldens
		}
	}
	t.Skipf("skipped %d: there are no recordings in %s; set GOLDENS to their folder", tests, filepath.Join(folder, "goldens"))
	return "", ""
}

// TestRealKafka records scenarios again with real Kafka 2.8.2 brokers whose ZooKeeper is the emulator: topics are created
// and deleted, brokers and controllers die and come back. The result must equal the recording that was made on a real
// ZooKeeper, and the deterministic world must explain it to the last request.
func TestRealKafka(t *testing.T) {
	folder, goldens := oracle(t, len(scenarios))
	java, err := exec.LookPath("java")
	require.NoError(t, err)
	bin := t.TempDir()
	recorder := build(t, folder, filepath.Join(bin, "oracle"), ".")
	slot := freeSlot(t)
	emulator := build(t, "", filepath.Join(bin, "headless"), "controllerscope/headless")
	// The recorder starts everything with the java of the PATH. This one starts the emulator where ZooKeeper is meant.
	wrapper := fmt.Sprintf("#!/bin/sh\ncase \"$*\" in\n*QuorumPeerMain*) exec %s zookeeper --listen 127.0.0.1:%d --max-session 60000;;\nesac\nexec %s \"$@\"\n",
		emulator, 22810+slot, java)
	require.NoError(t, os.WriteFile(filepath.Join(bin, "java"), []byte(wrapper), 0o755))
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	work := t.TempDir()
	for _, name := range scenarios {
		t.Run(name, func(t *testing.T) { record(t, recorder, folder, work, goldens, name, slot) })
	}
}

// freeSlot finds ports of the recorder that no other one uses.
func freeSlot(t *testing.T) int {
	t.Helper()
	for slot := 9; slot >= 0; slot-- {
		server, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", 22810+slot))
		if err != nil {
			continue
		}
		require.NoError(t, server.Close())
		proxy, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", 23801+20*slot))
		if err != nil {
			continue
		}
		require.NoError(t, proxy.Close())
		return slot
	}
	require.Fail(t, "all ten slots of the recorder are taken")
	return -1
}

// build builds a command.
func build(t *testing.T, folder, out, pkg string) string {
	t.Helper()
	cmd := exec.Command("go", "build", "-o", out, pkg)
	cmd.Dir = folder
	text, err := cmd.CombinedOutput()
	require.NoError(t, err, string(text))
	return out
}

// attempts is how often a scenario is recorded until it equals: on a busy machine brokers miss deadlines of Kafka's own,
// whatever their ZooKeeper is.
const attempts = 2

// record records one scenario, each time on a fresh emulator, and compares.
func record(t *testing.T, recorder, folder, work, goldens, name string, slot int) {
	want := readRecording(t, filepath.Join(goldens, name+".json"))
	var differ, unexplained []string
	for range attempts {
		dir := t.TempDir()
		cmd := exec.Command(recorder, "-slot", strconv.Itoa(slot), "-work", work, "-o", dir, filepath.Join(goldens, name+".yaml"))
		cmd.Dir = folder
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, string(out))
		got := readRecording(t, filepath.Join(dir, name+".json"))
		differ, unexplained = differences(want, got), replayed(t, got)
		if len(differ)+len(unexplained) == 0 {
			return
		}
		t.Logf("%d differences, %d lines that the world does not explain", len(differ), len(unexplained))
	}
	assert.Empty(t, differ)
	assert.Empty(t, unexplained)
}

func readRecording(t *testing.T, file string) *kafkaplay.Recording {
	t.Helper()
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	r, err := kafkaplay.Read(file, data)
	require.NoError(t, err)
	return r
}

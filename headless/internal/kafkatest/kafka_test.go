package kafkatest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// slot moves the recorder's ports away from those of a recorder that somebody runs by hand.
const slot = 7

// scenarios are recorded again on the emulator. Of all recorded ones they are those without a race in their outcome.
var scenarios = []string{"01-start-racks", "02-topic-create-delete", "03-add-partitions", "04-follower-dies", "05-leader-dies",
	"06-controller-dies", "11-controlled-shutdown", "15-session-expiry-broker", "16-session-expiry-controller", "20-elect-preferred-api"}

// TestRealKafka records scenarios again with three real Kafka 2.8.2 brokers whose ZooKeeper is the emulator: topics are
// created and deleted, brokers and controllers die and come back. The result must equal the recording that was made on a
// real ZooKeeper, as far as two recordings of one scenario on a real ZooKeeper do.
func TestRealKafka(t *testing.T) {
	oracle, goldens := os.Getenv("ORACLE"), os.Getenv("GOLDENS")
	if oracle == "" || goldens == "" {
		t.Skipf("skipped %d: ORACLE (the folder of the recorder) and GOLDENS (that of its recordings) are not set", len(scenarios))
	}
	java, err := exec.LookPath("java")
	require.NoError(t, err)
	bin := t.TempDir()
	recorder := filepath.Join(bin, "oracle")
	build := exec.Command("go", "build", "-o", recorder, ".")
	build.Dir = oracle
	out, err := build.CombinedOutput()
	require.NoError(t, err, string(out))
	emulator := filepath.Join(bin, "headless")
	out, err = exec.Command("go", "build", "-o", emulator, "controllerscope/headless").CombinedOutput()
	require.NoError(t, err, string(out))
	// The recorder starts everything with the java of the PATH. This one starts the emulator where ZooKeeper is meant.
	wrapper := fmt.Sprintf("#!/bin/sh\ncase \"$*\" in\n*QuorumPeerMain*) exec %s zookeeper --listen 127.0.0.1:%d --max-session 60000;;\nesac\nexec %s \"$@\"\n",
		emulator, 22810+slot, java)
	require.NoError(t, os.WriteFile(filepath.Join(bin, "java"), []byte(wrapper), 0o755))
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	work := t.TempDir()
	for _, name := range scenarios {
		t.Run(name, func(t *testing.T) { record(t, recorder, oracle, work, goldens, name) })
	}
}

// attempts is how often a scenario is recorded until it equals: of two recordings on a real ZooKeeper, too, about one step
// in ten has requests batched otherwise (FORMAT.md of the recorder, Stability).
const attempts = 3

// record records one scenario, each time on a fresh emulator, and compares.
func record(t *testing.T, recorder, oracle, work, goldens, name string) {
	run := func(args ...string) string {
		cmd := exec.Command(recorder, args...)
		cmd.Dir = oracle
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, string(out))
		return string(out)
	}
	var different comparison
	for range attempts {
		dir := t.TempDir()
		run("-slot", strconv.Itoa(slot), "-work", work, "-o", dir, filepath.Join(goldens, name+".yaml"))
		different = differing(run("-v", "compare", filepath.Join(goldens, name+".json"), filepath.Join(dir, name+".json")))
		if len(different.names) == 0 {
			return
		}
		t.Logf("differs in %v", different.names)
	}
	assert.Empty(t, different.names, different.report)
}

// row is one line of the recorder's comparison: what, and in how many steps it is the same, in another order, different.
var row = regexp.MustCompile(`(?m)^(\S.*?)\s+same (\d+)\s+order (\d+)\s+DIFFERS (\d+)$`)

// free are the rows that depend on which of two threads was faster, so that two recordings on a real ZooKeeper differ too:
// ranks of writes across brokers, and requests in flight together. What is left without the latter has a row of its own.
const free = "zk w (write ranks)"

// comparison is what differs, with the whole report.
type comparison struct {
	names  []string
	report string
}

func differing(report string) comparison {
	c := comparison{report: report}
	counts := map[string]string{}
	for _, m := range row.FindAllStringSubmatch(report, -1) {
		counts[m[1]] = m[4]
	}
	for name, n := range counts {
		without, has := counts[name+" without batch/pending"]
		if n == "0" || name == free || has && without == "0" {
			continue
		}
		c.names = append(c.names, strings.TrimSpace(name))
	}
	if len(counts) < 10 {
		c.names = append(c.names, "the report has too few rows")
	}
	return c
}

// TestDiffering reads a report with every kind of row.
func TestDiffering(t *testing.T) {
	report := "a.json\n  zk lane main   DIFFERS  start 1\n"
	for i := range 9 {
		report += fmt.Sprintf("row %d           same 6     order 1    DIFFERS 0\n", i)
	}
	report += "zk w (write ranks)    same 1  order 0    DIFFERS 3\n" +
		"zk lane main      same 8     order 0    DIFFERS 2\n" +
		"zk lane main without batch/pending     same 2     order 0    DIFFERS 0\n"
	assert.Empty(t, differing(report).names)
	assert.Equal(t, []string{"znodes"}, differing(report+"znodes   same 1     order 0    DIFFERS 1\n").names)
	assert.Equal(t, []string{"the report has too few rows"}, differing("").names)
}

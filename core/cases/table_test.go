package cases

import (
	_ "embed"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"controllerscope/core/kafka"
)

// conformanceCases are the 207 restated tests of Kafka: id, relevance (core, cluster, admin, peripheral), Kafka's test.
//
//go:embed testdata/conformance-cases.txt
var conformanceCases string

// notModelled are the cases that cannot be put to this model, each with the reason.
var notModelled = map[string]string{
	"ADM-06": "there are no quota managers for the replicas of topics; the lists are checked and read (DYN-16, DYN-17)",
	"DYN-02": "logs have no segments",
	"EVM-01": "gauges are part of the trace; there is no registry that they could be left behind in",
	"SHU-01": "brokers hold numbers, not records and checkpoint files",
	"SHU-02": "processes are coroutines; that none is left is proved of every run in package sim",
	"SHU-03": "a name that cannot be resolved: the world has no name service (a first connection that times out is a test of zkclient)",
	"SHU-04": "logs have no files that could be damaged",
	"DEL-10": "there is no log cleaner",
	"RSN-10": "a replica is not moved between the log directories of one broker (AlterReplicaLogDirs)",
	"RSN-11": "a replica is not moved between the log directories of one broker (AlterReplicaLogDirs)",
	"ZKC-01": "the client's socket class is not Kafka's protocol",
	"ZKC-02": "consumer offsets in ZooKeeper are those of consumers before 0.9; no broker or controller reads them",
	"ZKC-03": "consumer offsets in ZooKeeper are those of consumers before 0.9; no broker or controller reads them",
	"ZKC-22": "there is no ACL store",
	"ZKC-26": "there are no delegation tokens",
	"ZKC-48": "there are no delegation tokens",
	"ZKC-49": "consumer offsets in ZooKeeper are those of consumers before 0.9; no broker or controller reads them",
	"ZKC-50": "Kafka sets ACLs on znodes only with a secured ZooKeeper, which is not modelled",
}

// open are the cases that could be put to this model and are not.
var open = map[string]string{}

// written lists the ids that have a test, in any package.
func written(t *testing.T) map[string]string {
	ids := map[string]string{}
	name := regexp.MustCompile(`(?m)^func Test([A-Z]{3})_(\d\d)\(t \*testing\.T\)`)
	for _, root := range []string{"..", "../../headless"} {
		require.NoError(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") {
				return err
			}
			data, err := os.ReadFile(path)
			for _, m := range name.FindAllSubmatch(data, -1) {
				ids[string(m[1])+"-"+string(m[2])] = path
			}
			return err
		}))
	}
	return ids
}

// fieldCaseIDs lists the cases from the field that have a test.
func fieldCaseIDs(t *testing.T) []string {
	ids := map[string]bool{}
	for _, file := range []string{"fieldcases_test.go", "fieldconfig_test.go"} {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, m := range regexp.MustCompile(`(?m)^func Test(F\d\d)[ab]?\(`).FindAllSubmatch(data, -1) {
			ids[string(m[1])] = true
		}
	}
	return kafka.SortedKeys(ids)
}

// TestTable holds that every case is tested or, if it is peripheral, has a reason, and prints how many there are of each, chapter by chapter.
func TestTable(t *testing.T) {
	type row struct{ tested, notModelled, open int }
	tests, chapters := written(t), map[string]row{}
	var total row
	var missing []string
	for _, line := range strings.Split(strings.TrimSpace(conformanceCases), "\n") {
		id, rest, _ := strings.Cut(line, " ")
		relevance, _, _ := strings.Cut(rest, " ")
		r := chapters[id[:3]]
		_, tested := tests[id]
		switch {
		case tested:
			require.NotContains(t, notModelled, id)
			require.NotContains(t, open, id)
			r.tested++
			total.tested++
		case notModelled[id] != "":
			require.Equal(t, "peripheral", relevance, "%s must be a test", id)
			r.notModelled++
			total.notModelled++
		case open[id] != "":
			r.open++
			total.open++
		default:
			missing = append(missing, id)
		}
		chapters[id[:3]] = r
		delete(tests, id)
	}
	require.Empty(t, missing, "neither a test nor a reason")
	require.Empty(t, tests, "tests named like cases that there are not")
	t.Log("chapter  tested  not modelled  open")
	for _, c := range kafka.SortedKeys(chapters) {
		r := chapters[c]
		t.Logf("%-7s %7d %13d %5d", c, r.tested, r.notModelled, r.open)
	}
	t.Logf("%-7s %7d %13d %5d", "total", total.tested, total.notModelled, total.open)
	require.Equal(t, strings.Fields("F01 F02 F03 F04 F05 F06 F07 F08 F09 F10 F11 F12"), fieldCaseIDs(t))
	t.Logf("%-7s %7d %13d %5d", "field", 12, 0, 0)
	require.Equal(t, 207, total.tested+total.notModelled+total.open)
}

// TestNotModelled counts what is left out as skipped, with the reason.
func TestNotModelled(t *testing.T) {
	for _, id := range kafka.SortedKeys(notModelled) {
		t.Run(id, func(t *testing.T) { t.Skip("not modelled: " + notModelled[id]) })
	}
	for _, id := range kafka.SortedKeys(open) {
		t.Run(id, func(t *testing.T) { t.Skip("open: " + open[id]) })
	}
}

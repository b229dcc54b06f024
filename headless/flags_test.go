package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestWhoAsksForHelpGetsIt(t *testing.T) {
	for _, c := range []string{"run", "diff", "cluster", "swarm", "zookeeper", "dump", "serve", "conform", "oracle", "grade", "config", "bench", "clean", "doctor"} {
		code, out, errw := headless(c, "-h")
		assert.Equal(t, exitOK, code, c)
		assert.NotEmpty(t, out+errw, c)
		code, _, _ = headless(c, "--no-such-flag")
		assert.Equal(t, exitUsage, code, c)
	}
}

func TestHelpListsTheOperationsOfScripts(t *testing.T) {
	code, out, errw := headless("help", "script")
	assert.Equal(t, exitOK, code, errw)
	assert.Contains(t, out, "topic create T PxR|[ids]... [config K=V...]\n    ")
	assert.Contains(t, out, "client register NAME children|node PATH\n    ")
	code, _, errw = headless("help", "serve")
	assert.Equal(t, exitOK, code)
	assert.Contains(t, errw, "-lan")
	code, _, errw = headless("help", "nosuch")
	assert.Equal(t, exitUsage, code)
	oneSentence(t, errw)
}

func TestAScriptInWhichNothingHappensIsToldOf(t *testing.T) {
	for _, text := range []string{"", "# nothing\n", "cluster brokers=0\nuntil idle\n"} {
		code, out, errw := headless("run", "-f", file(t, "still.txt", text))
		assert.Equal(t, exitOK, code)
		assert.Empty(t, out)
		assert.Equal(t, "headless: still.txt came to no step: no operation in it makes anybody do anything\n", errw)
	}
}

func TestFlagsThatWouldCountForNothingAreRefused(t *testing.T) {
	for _, args := range [][]string{{"lessons/10-bounce", "--load", "tree.txt"}, {"--trace", "t.json", "--load", "tree.txt"}, {"--trace", "t.json", "--zk", "127.0.0.1:1/x"}} {
		code, out, errw := headless(append([]string{"run"}, args...)...)
		assert.Equal(t, exitUsage, code, args)
		assert.Empty(t, out, args)
		oneSentence(t, errw)
		assert.Contains(t, errw, "--load goes with -f or alone, --zk not with --trace", args)
	}
}

func TestAnEmptyAddressIsRefused(t *testing.T) {
	for _, args := range [][]string{{"run", "lessons/10-bounce", "--zk", ""}, {"run", "--zk=", "-f", "x"}, {"cluster", "--brokers", "1", "--zk="},
		{"dump", "--zk="}, {"clean", "--zk", ""}, {"doctor", "--zk="}, {"config", "--zk=", "1"}, {"conform", "zookeeper", "f.json", "--zk="}} {
		code, out, errw := headless(args...)
		assert.Equal(t, exitUsage, code, args)
		assert.Empty(t, out, args)
		assert.Equal(t, 1, strings.Count(errw, "\n"), errw)
		assert.Contains(t, errw, "--zk has an empty address; write HOST:PORT/CHROOT, or leave --zk out\n", args)
	}
}

func TestACheckedClusterPropertyIsRefusedBeforeAnythingStarts(t *testing.T) {
	for entry, why := range map[string]string{
		"broker.id=7":        "headless: cluster: broker.id is one broker's own; write --brokers 1,2,3\n",
		"num.io.threads=abc": "headless: Invalid value abc for configuration num.io.threads: Not a number of type INT\n",
		"num.partitions=0":   "headless: invalid value 0 for configuration num.partitions: value must be at least 1\n",
	} {
		code, out, errw := headless("cluster", "--brokers", "1", "--props", entry)
		assert.Equal(t, exitUsage, code, entry)
		assert.Empty(t, out, entry)
		assert.Equal(t, why, errw)
	}
}

func TestOneWhyIsOneAnswer(t *testing.T) {
	// The lesson's other runs begin after what the path is about.
	code, out, errw := headless("run", "--why", "ctx[0].liveBrokerEpochs[2]", "lessons/10-bounce")
	require.Equal(t, exitOK, code, errw)
	assert.Contains(t, out, "ctx[0].liveBrokerEpochs[2]")
	assert.NotContains(t, out, "Everyone agrees on a leader that hosts nothing")
}

func TestALessonThatCannotBePlayedIsNotIntroduced(t *testing.T) {
	code, out, errw := headless("run", "--zk", "127.0.0.1:1/x", "lessons/03-election")
	assert.Equal(t, exitEnvironment, code)
	assert.Empty(t, out)
	assert.Contains(t, errw, "ZooKeeper is not available at 127.0.0.1:1")
}

// A registration that cannot be read makes every broker that wins give the office up again, in Kafka as here.
func TestAWorldThatNeverRestsEndsAndIsTold(t *testing.T) {
	f := file(t, "storm.txt", "cluster brokers=0,1\nbroker start 0\nbroker start 1\nuntil idle\nzk set /brokers/ids/1 {\nuntil idle\nbroker kill 0\nuntil idle\n")
	code, out, errw := headless("run", "--limit", "5000", "-f", f)
	assert.Equal(t, exitFailed, code)
	assert.Equal(t, "headless: storm.txt:8: until idle: the world did not come to rest within 5000 choices: "+
		"something goes round in circles, or there is more to do than the limit allows\n", errw)
	assert.Greater(t, strings.Count(out, "This broker cannot take the office and gives it up"), 10)
	f = file(t, "long.txt", start+"clock 1000h\n")
	code, _, errw = headless("run", "--limit", "1000", "-f", f)
	assert.Equal(t, exitFailed, code)
	assert.Contains(t, errw, "long.txt:4: clock 1000h: the world did not come to rest within 1000 choices")
	for _, limit := range []string{"-1", "0"} {
		code, _, errw = headless("run", "--limit", limit, "-f", f)
		assert.Equal(t, exitUsage, code)
		assert.Equal(t, "headless: --limit is a number of choices, 1 or more\n", errw)
	}
	code, _, errw = headless("run", "--seed", "9223372036854775808", "-f", f)
	assert.Equal(t, exitUsage, code)
	assert.Equal(t, "headless: --seed is a whole number from 0 to 9223372036854775807, the most that a trace can keep\n", errw)
}

func TestRecordPutsNoFileInThePlaceOfALinkOrAPipe(t *testing.T) {
	dir := t.TempDir()
	target, link, pipe := filepath.Join(dir, "target"), filepath.Join(dir, "link"), filepath.Join(dir, "pipe")
	require.NoError(t, os.WriteFile(target, []byte("old"), 0o644))
	require.NoError(t, os.Symlink(target, link))
	code, _, errw := headless("run", "--record", link, "lessons/03-election")
	require.Equal(t, exitOK, code, errw)
	info, err := os.Lstat(link)
	require.NoError(t, err)
	assert.Equal(t, os.ModeSymlink, info.Mode().Type())
	want, err := os.ReadFile(target)
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(string(want), `{"schema":1`))

	require.NoError(t, syscall.Mkfifo(pipe, 0o644))
	got := make(chan []byte)
	go func() {
		f, err := os.Open(pipe)
		if err != nil {
			close(got)
			return
		}
		data, _ := io.ReadAll(f)
		got <- data
	}()
	code, _, errw = headless("run", "--record", pipe, "lessons/03-election")
	require.Equal(t, exitOK, code, errw)
	assert.Equal(t, string(want), string(<-got))
}

func TestAnAnchorThatCannotBeReadIsBadInput(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "03-election")
	require.NoError(t, os.CopyFS(dir, os.DirFS("../lessons/03-election")))
	text, err := os.ReadFile(filepath.Join(dir, "lesson.yaml"))
	require.NoError(t, err)
	for want, expr := range map[int]string{exitUsage: "(((", exitFailed: "step.kind = nonsense"} {
		first := strings.Index(string(text), "at: ")
		end := first + strings.IndexByte(string(text[first:]), '\n')
		damaged := string(text[:first]) + "at: " + expr + string(text[end:])
		require.NoError(t, os.WriteFile(filepath.Join(dir, "lesson.yaml"), []byte(damaged), 0o644))
		code, _, errw := headless("run", dir)
		assert.Equal(t, want, code, errw)
		assert.Contains(t, errw, "03-election/lesson.yaml", expr)
	}
}

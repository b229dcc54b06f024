package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"unicode"

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

func TestFlagsThatChangeNothingAreRefused(t *testing.T) {
	f := file(t, "s.txt", start)
	trace, _ := record(t, start)
	for want, args := range map[string][]string{
		"--seed goes with -f or --load; each run of a lesson has a seed of its own, with which its stops were checked": {"--seed", "2", "lessons/10-bounce"},
		"--seed goes with what is played; a trace is only told":                                                        {"--seed", "2", "--trace", trace},
		"--limit goes with what is played; a trace is only told":                                                       {"--limit", "2", "--trace", trace},
		"--stops goes with a lesson":                                                                                   {"--stops", "-f", f},
		"--only goes with a lesson":                                                                                    {"--only", "main", "--trace", trace},
		"--record is empty; give FILE, or leave --record out":                                                          {"--record", "", "-f", f},
		"--upto is empty; give EXPR, or leave --upto out":                                                              {"--upto", "", "-f", f},
		"--why is empty; give PATH[@EXPR], or leave --why out":                                                         {"--why=", "-f", f},
		"-f is empty; give FILE, or leave -f out":                                                                      {"-f", ""},
		"--lang is empty; give en|zh, or leave --lang out":                                                             {"--lang=", "-f", f},
	} {
		code, out, errw := headless(append([]string{"run"}, args...)...)
		assert.Equal(t, exitUsage, code, args)
		assert.Empty(t, out, args)
		assert.Equal(t, "headless: "+want+"\n", errw)
	}
}

// A file that cannot be written is told of before anything is played, and nothing stays behind.
func TestAFileThatCannotBeWrittenIsToldOfBefore(t *testing.T) {
	dir := t.TempDir()
	script := filepath.Join(dir, "s.txt")
	require.NoError(t, os.WriteFile(script, []byte(start+"expect zk[/nothing]\n"), 0o644))
	for flag, args := range map[string][]string{"--record": {"run", "-f", script, "--record"}, "--csv": {"grade", "testdata/handins", "--csv"},
		"-o": {"dump", "--zk", "127.0.0.1:1/x", "-o"}, "--record ": {"cluster", "--brokers", "1", "--zk", "127.0.0.1:1/x", "--record"}} {
		flag = strings.TrimSpace(flag)
		for path, why := range map[string]string{filepath.Join(dir, "no", "t.json"): "no such file or directory", dir: "that is a folder; name a file in it",
			filepath.Join(script, "t.json"): "not a directory"} {
			code, out, errw := headless(append(args, path)...)
			assert.Equal(t, exitUsage, code, args)
			assert.Empty(t, out, args)
			assert.True(t, strings.HasSuffix(errw, flag+" "+path+": "+why+"\n"), errw)
			oneSentence(t, errw)
		}
	}
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Len(t, entries, 1)

	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("no /dev/full here")
	}
	good := file(t, "s.txt", start)
	for _, args := range [][]string{{"run", "-f", good, "--record"}, {"grade", "testdata/handins", "--csv"}, {"cluster", "--brokers", "1", "--record"}} {
		code, _, errw := headless(append(args, "/dev/full")...)
		assert.Equal(t, exitEnvironment, code, args)
		assert.Contains(t, errw, "/dev/full: no space left on device\n")
	}
}

func TestAnEmptyAddressIsRefused(t *testing.T) {
	for _, args := range [][]string{{"run", "lessons/10-bounce", "--zk", ""}, {"run", "--zk=", "-f", "x"}, {"cluster", "--brokers", "1", "--zk="},
		{"dump", "--zk="}, {"clean", "--zk", ""}, {"doctor", "--zk="}, {"config", "--zk=", "1"}, {"conform", "zookeeper", "f.json", "--zk="}} {
		code, out, errw := headless(args...)
		assert.Equal(t, exitUsage, code, args)
		assert.Empty(t, out, args)
		assert.Equal(t, 1, strings.Count(errw, "\n"), errw)
		assert.Regexp(t, `--zk is empty; give HOST:PORT\S*, or leave --zk out\n$`, errw, args)
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

// What goes wrong while a lesson is played has its line in lesson.yaml.
func TestALessonThatFailsSaysInWhichLine(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "10-bounce")
	require.NoError(t, os.CopyFS(dir, os.DirFS("../lessons/10-bounce")))
	text, err := os.ReadFile(filepath.Join(dir, "lesson.yaml"))
	require.NoError(t, err)
	for new, want := range map[string]string{
		"until broker[1].up = nobody": "headless: 10-bounce/lesson.yaml:35: until broker[1].up = nobody: it never held;",
		"broker start 9":              "headless: 10-bounce/lesson.yaml:35: broker start 9: no broker 9; the cluster has [0 1 2]\n",
	} {
		damaged := strings.Replace(string(text), "until broker[2].up = false", new, 1)
		require.Equal(t, 35, strings.Count(damaged[:strings.Index(damaged, new)], "\n")+1)
		require.NoError(t, os.WriteFile(filepath.Join(dir, "lesson.yaml"), []byte(damaged), 0o644))
		code, _, errw := headless("run", "--stops", dir)
		assert.NotEqual(t, exitOK, code)
		assert.True(t, strings.HasPrefix(errw, want), errw)
	}
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

// What is no text of anybody is written out in messages, wherever it comes from.
func TestMessagesQuoteWhatIsNoText(t *testing.T) {
	for want, args := range map[string][]string{
		`\x1b[31mred`:                                    {"run", "-f", "\x1b[31mred"},
		`there is no subcommand "\x00"`:                  {"\x00"},
		`there is no flag -\x07; run -h lists the flags`: {"run", "--\x07"},
		`broker[\x00]`:                                   {"run", "-f", file(t, "s.txt", start), "--why", "broker[\x00]"},
	} {
		var out, errw bytes.Buffer
		assert.Equal(t, exitUsage, told(args, &out, &errw), args)
		assert.Contains(t, errw.String(), want)
		assert.Equal(t, -1, strings.IndexFunc(errw.String()+out.String(), func(r rune) bool { return r != '\n' && r != '\t' && unicode.IsControl(r) }), "%q", errw.String())
	}
	var out, errw bytes.Buffer
	script := file(t, "s.txt", start+"zk create /a \x1b[2J\x00\nuntil idle\n")
	assert.Equal(t, exitOK, told([]string{"run", "-f", script, "--upto", "zk[/a]"}, &out, &errw))
	assert.Contains(t, out.String(), `zk[/a].data = "\u001b[2J\u0000"`)
	assert.NotContains(t, out.String(), "\x1b")
}

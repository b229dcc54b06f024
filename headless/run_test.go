package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// headless runs the command line in this process.
func headless(args ...string) (code int, out, errw string) {
	var o, e bytes.Buffer
	code = dispatch(args, &o, &e)
	return code, o.String(), e.String()
}

// file writes a file of the test's own and returns its path.
func file(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	return path
}

// lines splits output into its lines, the last line break aside.
func lines(text string) []string { return strings.Split(strings.TrimSuffix(text, "\n"), "\n") }

const start = "cluster brokers=0,1\nbroker start 0\nuntil idle\n"

func TestALessonIsToldStopByStop(t *testing.T) {
	for _, lang := range []string{"en", "zh"} {
		want, err := os.ReadFile("testdata/bounce-stops-" + lang + ".txt")
		require.NoError(t, err)
		code, out, errw := headless("run", "lessons/10-bounce", "--stops", "--lang", lang)
		assert.Equal(t, exitOK, code)
		assert.Equal(t, string(want), out)
		assert.Empty(t, errw)
	}
}

// full takes so many bytes and no more, as a full disk does.
type full int

func (f *full) Write(p []byte) (int, error) {
	n := min(len(p), int(*f))
	*f -= full(n)
	if n < len(p) {
		return n, errors.New("no space left on device")
	}
	return n, nil
}

// What is told half is no success, whatever the run came to.
func TestOutputThatDoesNotArriveIsToldOf(t *testing.T) {
	for room, want := range map[full]int{100: exitEnvironment, 1 << 20: exitOK} {
		var errw bytes.Buffer
		assert.Equal(t, want, told([]string{"run", "lessons/10-bounce"}, &room, &errw))
		if want == exitOK {
			assert.Empty(t, errw.String())
		} else {
			assert.Equal(t, "headless: what is printed could not be written whole: no space left on device\n", errw.String())
		}
	}
}

func TestALessonIsToldStepByStep(t *testing.T) {
	code, out, errw := headless("run", "--only", "museum", "10-bounce")
	require.Equal(t, exitOK, code, errw)
	assert.True(t, strings.HasPrefix(out, "The bounce\n\nHow does the controller notice"))
	assert.Regexp(t, `\n    0    \d\.\d{3} s  admin              Operation: guard broker-epoch is on: no\n`, out)
	assert.Regexp(t, `New: none; dead: none; bounced: none\. Epochs cached: 0=0x\w+, 1=0x\w+, 2=0x\w+; read: 0=0x\w+, 1=0x\w+, 2=0x\w+\n`, out)
	assert.Contains(t, out, "\n  * Everyone agrees on a leader that hosts nothing\n")
	assert.Contains(t, lines(out)[len(lines(out))-1], "  !! leader-hosts orders-1")
	assert.NotContains(t, out, "{") // every argument of every sentence is filled in
}

func TestEveryArgumentIsFilledInInBothLessons(t *testing.T) {
	for _, l := range []string{"03-election", "10-bounce"} {
		for _, lang := range []string{"en", "zh"} {
			code, out, errw := headless("run", l, "--lang", lang)
			require.Equal(t, exitOK, code, errw)
			assert.NotContains(t, out, "{", "%s %s", l, lang)
		}
	}
}

func TestALessonStandsInAFolderToo(t *testing.T) {
	code, embedded, _ := headless("run", "03-election", "--stops")
	require.Equal(t, exitOK, code)
	code, opened, errw := headless("run", "../lessons/03-election/", "--stops")
	require.Equal(t, exitOK, code, errw)
	assert.Equal(t, embedded, opened)
}

func TestAScriptThatFails(t *testing.T) {
	f := file(t, "a.txt", start+"expect broker[0].state = 4\n")
	code, out, errw := headless("run", "-f", f)
	assert.Equal(t, exitFailed, code)
	assert.Regexp(t, `^headless: a\.txt:4: expect broker\[0\]\.state = 4: it does not hold \(step \d+, \S+, \d+ ms\)\n$`, errw)
	assert.Contains(t, out, "Operation: start broker 0\n") // the steps that led there are told all the same

	code, _, errw = headless("run", "-f", file(t, "b.txt", start+"never broker[1].up = true\nbroker start 1\nuntil idle\n"))
	assert.Equal(t, exitFailed, code)
	assert.Contains(t, errw, "headless: b.txt:4: never broker[1].up = true: it happened")

	code, _, errw = headless("run", "-f", file(t, "c.txt", start+"until broker[1].up = true\n"))
	assert.Equal(t, exitFailed, code)
	assert.Contains(t, errw, "headless: c.txt:4: until broker[1].up = true: it never held")
}

func TestAScriptThatIsWrong(t *testing.T) {
	for _, c := range []struct{ script, want string }{
		{"cluster brokers=0\nbrker start 0\n", "headless: s.txt:2:1: there is no verb brker; expected "},
		{"cluster brokers=0\nbroker start 5\n", "headless: s.txt:2: broker start 5: no broker 5; the cluster has [0]\n"},
		{"cluster brokers=0\nexpect broker[0\n", "headless: s.txt:2:14: the bracket is not closed"},
	} {
		code, out, errw := headless("run", "-f", file(t, "s.txt", c.script))
		assert.Equal(t, exitUsage, code)
		assert.Empty(t, out)
		assert.True(t, strings.HasPrefix(errw, c.want), errw)
	}
	_, _, errw := headless("run", "-f", file(t, "s.txt", "brker start 0\n"))
	assert.Equal(t, []string{"    brker start 0", "    ^^^^^"}, lines(errw)[1:])
}

func TestBadInput(t *testing.T) {
	script := file(t, "s.txt", start)
	for _, c := range []struct {
		args []string
		want string
	}{
		{nil, "usage: headless SUBCOMMAND [FLAGS] ARGUMENTS\n"},
		{[]string{"paly"}, "headless: there is no subcommand \"paly\"; `headless help` lists them\n"},
		{[]string{"run"}, "headless: run takes one lesson (lessons/10-bounce), or -f SCRIPT, or --trace FILE; --load goes with -f or alone, --zk not with --trace\n"},
		{[]string{"run", "10-bounce", "03-election"}, "headless: run takes one lesson"},
		{[]string{"run", "10-bounce", "-f", script}, "headless: run takes one lesson"},
		{[]string{"run", "10-bounce", "--speed", "2"}, "headless: there is no flag --speed; run -h lists the flags\n"},
		{[]string{"run", "-f", script, "--seed", "x"}, "headless: --seed \"x\": a whole number is wanted, 0 or more\n"},
		{[]string{"run", "-f"}, "headless: -f needs a value: FILE\n"},
		{[]string{"run", script}, "headless: " + script + " is no lesson, which is a folder; a script is given with -f, a trace with --trace\n"},
		{[]string{"run", filepath.Dir(script)}, "headless: " + filepath.Dir(script) + " is no lesson: no lesson.yaml is in it\n"},
		{[]string{"swarm", "--seed", "9223372036854775807"}, "headless: --seed 9223372036854775807 and the 100 that follow are more than the 9223372036854775807 that run takes\n"},
		{[]string{"config", "explain", "broker", "0", "num.io.threads", "-f", script, "--broker", "-2"}, "headless: config explain: --broker -2 is no broker id\n"},
		{[]string{"config", "explain", "broker", "0", "num.io.threads", "-f", script, "--properties", "x"}, "headless: config explain: --properties goes with --load or --zk; a script sets server.properties itself\n"},
		{[]string{"run", "99-nowhere"}, "headless: 99-nowhere: no such lesson; there are [01-znodes 03-election 04-epochs 07-topic 08-broker-dies 09-broker-joins 10-bounce 13-deletion 15-config 16-purge]\n"},
		{[]string{"run", "10-bounce", "--lang", "xx"}, "headless: no messages in language \"xx\"; there are [en zh]\n"},
		{[]string{"run", "10-bounce", "--only", "x"}, "headless: lesson 10-bounce has no run \"x\"\n"},
		{[]string{"run", "-f", "no-such-file"}, "headless: open no-such-file: no such file or directory\n"},
		{[]string{"run", "-f", script, "--upto", "step.i ="}, "headless: --upto: 1:9: expected a path, a value, not or (\n"},
		{[]string{"run", "-f", script, "--upto", "step.i = 9999"}, "headless: --upto step.i = 9999: it holds at no step\n"},
		{[]string{"run", "-f", script, "--why", "zk["}, "headless: --why: 1:3: the bracket is not closed"},
		{[]string{"run", "-f", script, "--why", "zk[/x]", "--json"}, "headless: --why answers in sentences; leave --json out\n"},
		{[]string{"run", "-f", script, "--why", "zk[/x]@step.i = 9999"}, "headless: --why zk[/x]@step.i = 9999: what stands behind the @ holds at no step\n"},
		{[]string{"run", "-f", script, "--why", "zk[/x]"}, "headless: --why zk[/x]: no step wrote it\n"},
		{[]string{"run", "-f", script, "--record", "/no/such/folder/t.json"}, "headless: --record /no/such/folder/t.json: no such file or directory\n"},
		{[]string{"diff", script}, "headless: diff takes two trace files, got 1\n"},
	} {
		code, _, errw := headless(c.args...)
		assert.Equal(t, exitUsage, code, "%v", c.args)
		assert.True(t, strings.HasPrefix(errw, c.want), "%v: %s", c.args, errw)
	}
}

func TestHelp(t *testing.T) {
	code, out, errw := headless("help")
	assert.Equal(t, exitOK, code)
	assert.Empty(t, errw)
	for _, c := range commands() {
		assert.Contains(t, out, "\n  "+c.name+" ")
	}
}

func TestUpto(t *testing.T) {
	code, out, errw := headless("run", "10-bounce", "--upto", "step.msg = brokers.changed")
	require.Equal(t, exitOK, code, errw)
	assert.Contains(t, out, "\n  * Same id, newer znode: broker 2 bounced\n")
	assert.NotContains(t, out, "The lane to broker 2 is torn down") // a later stop
	// The world as it stands: the cache still has the old epoch, ZooKeeper the new one.
	cached := regexp.MustCompile(`\nctx\[0\]\.liveBrokerEpochs\[2\] = "(zxid:0x\w+)"\n`).FindStringSubmatch(out)
	read := regexp.MustCompile(`\nzk\[/brokers/ids/2\]\.czxid = "(zxid:0x\w+)"\n`).FindStringSubmatch(out)
	require.Len(t, cached, 2)
	require.Len(t, read, 2)
	assert.NotEqual(t, cached[1], read[1])
	assert.NotContains(t, out, "\nview.")
}

func TestWhy(t *testing.T) {
	code, out, errw := headless("run", "10-bounce", "--only", "main", "--stops",
		"--why", "zk[/brokers/topics/orders/partitions/1/state].data@step.msg = psm.stored")
	require.Equal(t, exitOK, code, errw)
	_, why, found := strings.Cut(out, "why zk[/brokers/topics/orders/partitions/1/state].data\n")
	require.True(t, found)
	first, last := lines(why)[0], lines(why)[len(lines(why))-1]
	assert.Contains(t, first, "set /brokers/topics/orders/partitions/1/state OK") // what wrote it
	assert.Contains(t, last, "Operation: release 0.controller")                   // the operation that it goes back to
	assert.Contains(t, why, "\n        read ctx[0].partitionAssignments.orders-1 = {\"adding\":[],\"removing\":[],\"replicas\":[2,0,1]}\n")
	assert.Contains(t, why, "\n        read ctx[0].liveBrokerEpochs[2] = none\n")
}

func TestJSONLinesAreSteps(t *testing.T) {
	code, out, errw := headless("run", "-f", file(t, "s.txt", start), "--json")
	require.Equal(t, exitOK, code, errw)
	for i, line := range lines(out) {
		var step struct {
			I    int
			ID   string
			Kind string
			Msg  struct{ Key string }
		}
		require.NoError(t, json.Unmarshal([]byte(line), &step), line)
		assert.Equal(t, i, step.I)
		assert.NotEmpty(t, step.ID)
		assert.NotEmpty(t, step.Kind)
		assert.NotEmpty(t, step.Msg.Key)
	}
	code, out, _ = headless("run", "-f", file(t, "s.txt", start), "--json", "--upto", "step.i = 1")
	require.Equal(t, exitOK, code)
	var leaf struct {
		Path  []string
		Value any
	}
	require.NoError(t, json.Unmarshal([]byte(lines(out)[2]), &leaf)) // after two steps, the world
	assert.Equal(t, []string{"broker", "0", "state"}, leaf.Path)
	assert.EqualValues(t, 1, leaf.Value)
}

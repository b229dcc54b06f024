package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// With clocks together no update is lost; with clocks 20 minutes off the swarm prints a script that loses one when it is run.
func TestConfigSwarmCommand(t *testing.T) {
	code, out, errs := headless("swarm", "--config", "--runs", "10")
	assert.Equal(t, exitOK, code, errs)
	assert.Equal(t, "# 10 scripts of config changes from seed 1 on, 0 findings\n", out)

	code, out, errs = headless("swarm", "--config", "--skew", "--seed", "8", "--runs", "1")
	assert.Equal(t, exitOK, code, errs)
	first, rest, _ := strings.Cut(out, "\n")
	assert.Equal(t, "# seed 8 loses an update; broker and entity: 1 clients/app (run this with: headless run --seed 0 -f FILE)", first)
	text, tail, found := strings.Cut(rest, "# known in 2.8.2: ")
	require.True(t, found, out)
	assert.Equal(t, "a notice is purged by a fast clock before a slow broker has read it, met by 1 scripts\n# 1 scripts of config changes from seed 8 on, 0 findings\n", tail)

	file := filepath.Join(t.TempDir(), "lost.txt")
	require.NoError(t, os.WriteFile(file, []byte(text+
		"expect zk[/config/clients/app].data.config[consumer_byte_rate] = 9\nexpect not exists(config[1].clients.app)\nexpect exists(config[0].clients.app)\n"), 0o600))
	code, _, errs = headless("run", "--seed", "0", "-f", file)
	assert.Equal(t, exitOK, code, errs)

	for _, args := range [][]string{{"swarm", "--skew"}, {"swarm", "--config", "--switch", "guard.broker-epoch off"}} {
		code, _, errs := headless(args...)
		assert.Equal(t, exitUsage, code)
		oneSentence(t, errs)
	}
}

// What the search prints is, as it stands, a script that shows the finding again.
func TestSwarmPrintsAScript(t *testing.T) {
	code, out, errs := headless("swarm", "--seed", "27", "--runs", "1", "--switch", "guard.broker-epoch off")
	require.Equal(t, exitFailed, code, errs)
	assert.True(t, strings.HasPrefix(out, "# seed 27 breaks "), out)
	code, told, errs := headless("run", "--seed", "27", "-f", file(t, "found.txt", out))
	require.Equal(t, exitOK, code, errs)
	assert.Contains(t, told, "  !! context-equals-zookeeper /brokers/ids/4")
}

func TestSwarmRefusesLinesThatAreNoSwitches(t *testing.T) {
	for line, want := range map[string]string{
		"guard.nosuch off":         "no guard nosuch; there are [broker-epoch controller-epoch]",
		"broker start 0":           "--switch broker start 0: that is no switch; write guard.NAME on|off, fix.NAME on|off or order sorted|scala",
		"guard.broker-epoch maybe": "expected on or off: guard.NAME on|off",
	} {
		code, out, errs := headless("swarm", "--switch", line)
		assert.Equal(t, exitUsage, code, line)
		assert.Empty(t, out, line)
		assert.Contains(t, errs, want, line)
	}
}

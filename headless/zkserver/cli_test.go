package zkserver

import (
	"context"
	"net"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"controllerscope/headless/internal/zkensemble"
)

// cliScript uses what ZooKeeper's own shell offers, with the Java client behind it.
const cliScript = `create /a hello
create -s /a/s- x
create -e /e y
create -c /c z
create /a again
get -s /a
ls -s -w /
stat -w /a
set -s /a world
set -v 7 /a world
setAcl -s /a world:anyone:cdrwa
getAcl -s /a
addauth digest u:p
create /p secret auth:u:p:cdrwa
getAcl /p
ls -R /
sync /a
delete /a
deleteall /a
get /a
delete /p
delete /c
config
close
quit
`

// TestZooKeepersShell runs the same script against a real server and the emulator: its output must not differ.
func TestZooKeepersShell(t *testing.T) {
	real := zkensemble.ForTest(t, zkensemble.Options{})
	s := newServer(t)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	go func() { _ = s.Serve(l) }()
	want, wantEvents := shell(t, real.Connect())
	got, gotEvents := shell(t, l.Addr().String())
	assert.Contains(t, want, "Created /a/s-0000000000")
	assert.Equal(t, want, got)
	assert.Contains(t, wantEvents, "WatchedEvent state:SyncConnected type:NodeChildrenChanged path:/")
	assert.Equal(t, wantEvents, gotEvents)
}

// unstable are the parts of the shell's output that differ from run to run.
var unstable = regexp.MustCompile(`(?m)^(\d{4}-\d\d-\d\d .*|[cm]time = [A-Z].*|Connecting to .*|ephemeralOwner = 0x.+)\n`)

// shell runs the script and returns what it prints, without log lines, times and addresses; watch events apart, since the
// shell prints them from a thread of their own.
func shell(t *testing.T, address string) (lines, events []string) {
	ctx, cancel := context.WithTimeout(context.Background(), 60*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, "java", "-cp", zkensemble.Jar, "org.apache.zookeeper.ZooKeeperMain", "-waitforconnection", "-server", address)
	cmd.Stdin = strings.NewReader(cliScript)
	out, _ := cmd.CombinedOutput() // its exit code is that of the last command
	for _, line := range strings.Split(unstable.ReplaceAllString(string(out), ""), "\n") {
		switch {
		case strings.HasPrefix(line, "WatchedEvent "):
			events = append(events, line)
		case line != "" && line != "WATCHER::":
			lines = append(lines, line)
		}
	}
	return lines, events
}

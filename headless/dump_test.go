package main

import (
	"bytes"
	"net"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"controllerscope/core/zk/zkmem"
	"controllerscope/core/zk/zktree"
	"controllerscope/headless/zkserver"
)

// secretTree has a secret of every kind; what stands after it is the dump.
const secretTree = `zktree/1
/ version=0 creates=4 data=
/brokers version=0 creates=1
/brokers/ids version=0 creates=2
/brokers/ids/1 version=1 creates=0 owner=0x100004609bb0001 data={"port":9092}
/config version=0 creates=2
/config/brokers version=0 creates=1
/config/brokers/1 version=0 creates=0 data={"config":{"ssl.key.password":"geheim"},"version":1}
/config/users version=0 creates=1
/config/users/alice version=3 creates=0 data={"config":{"SCRAM-SHA-512":"salt=geheim"},"version":1}
/delegation_token version=0 creates=1
/delegation_token/tokens version=0 creates=1
/delegation_token/tokens/x version=0 creates=0 data={"owner":"User:geheim"}
"/two lines" version=0 creates=0 quoted="a\nb"
`

const secretDump = `zktree/1
/ version=0 creates=4 data=
/brokers version=0 creates=1
/brokers/ids version=0 creates=2
/brokers/ids/1 version=1 creates=0 owner=0x100004609bb0001 data={"port":9092}
/config version=0 creates=2
/config/brokers version=0 creates=1
/config/brokers/1 version=0 creates=0 data={"config":{"ssl.key.password":"(redacted)"},"version":1}
/config/users version=0 creates=1
/config/users/alice version=3 creates=0 data={"config":{"SCRAM-SHA-512":"(redacted)"},"version":1}
/delegation_token version=0 creates=1
/delegation_token/tokens version=0 creates=1
/delegation_token/tokens/x version=0 creates=0 data=(redacted)
"/two lines" version=0 creates=0 quoted="a\nb"
`

// serveTree is the address of an emulator that begins with a tree.
func serveTree(t *testing.T, text string) string {
	tree, err := zktree.Read("tree", text)
	require.NoError(t, err)
	store := zkmem.New(zkmem.Options{})
	require.NoError(t, store.Plant(1000, tree))
	s := zkserver.New(store, zkserver.Options{})
	t.Cleanup(func() { assert.NoError(t, s.Close()) })
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	go func() { _ = s.Serve(l) }() // ends with the server
	return l.Addr().String()
}

func dumped(args ...string) (code int, out, errs string) {
	var o, e bytes.Buffer
	code = dumpCommand(args, &o, &e)
	return code, o.String(), e.String()
}

// TestDump: through the wire and a real client the tree is the text again, but for its secrets; below a chroot paths begin
// there.
func TestDump(t *testing.T) {
	server := serveTree(t, secretTree)
	code, out, errs := dumped("--zk", server)
	assert.Equal(t, 0, code, errs)
	assert.Equal(t, secretDump, out)
	assert.Equal(t, "13 nodes of "+server+"/, 1 of them ephemeral; secrets left out of 3, 0 not readable\n", errs)
	code, out, _ = dumped("--zk", server+"/brokers")
	assert.Equal(t, 0, code)
	assert.Equal(t, "zktree/1\n/ version=0 creates=1\n/ids version=0 creates=2\n/ids/1 version=1 creates=0 owner=0x100004609bb0001 data={\"port\":9092}\n", out)
	file := filepath.Join(t.TempDir(), "tree.txt")
	code, out, _ = dumped("--zk", server, "-o", file)
	assert.Equal(t, []any{0, ""}, []any{code, out})
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, secretDump, string(text))
}

func TestDumpErrors(t *testing.T) {
	server := serveTree(t, "zktree/1\n")
	for _, c := range []struct {
		args []string
		code int
		errs string
	}{
		{nil, exitUsage, "headless: dump takes --zk HOST:PORT/CHROOT and nothing else but -o FILE\n"},
		{[]string{"--zk", "localhost:port"}, exitUsage, "not a port"},
		{[]string{"--zk", server + "/nowhere"}, exitUsage, "headless: dump: there is no /nowhere on that server: NONODE\n"},
		{[]string{"--zk", "127.0.0.1:1"}, exitEnvironment, "127.0.0.1:1"},
		{[]string{"--zk", server, "-o", "/nowhere/x"}, exitUsage, "/nowhere"},
	} {
		code, out, errs := dumped(c.args...)
		assert.Equal(t, c.code, code, c.args)
		assert.Empty(t, out)
		assert.Contains(t, errs, c.errs)
	}
}

// TestRunLoad tells a run over a real Kafka's tree; a script can be given instead; bad text names line and reason.
func TestRunLoad(t *testing.T) {
	play := func(args ...string) (int, string, string) {
		var o, e bytes.Buffer
		code := runCommand(args, &o, &e)
		return code, o.String(), e.String()
	}
	tree := filepath.Join("..", "core", "run", "testdata", "kafka-2.8.2-tree.txt")
	code, out, errs := play("--load", tree)
	assert.Equal(t, 0, code, errs)
	assert.Contains(t, out, "Broker 1 is elected controller with epoch 2")
	script := filepath.Join(t.TempDir(), "s")
	require.NoError(t, os.WriteFile(script, []byte("cluster brokers=7\nbroker start 7\nclock +20s\nexpect ctl.7.isActive\n"), 0o644))
	code, out, errs = play("--load", tree, "-f", script)
	assert.Equal(t, 0, code, errs)
	assert.Contains(t, out, "Broker 7 is elected controller with epoch 2")
	require.NoError(t, os.WriteFile(script, []byte("zktree/1\n/a creates=1\n"), 0o644))
	code, _, errs = play("--load", script)
	assert.Equal(t, exitUsage, code)
	assert.Equal(t, "headless: --load: "+script+":2: version=N and creates=N are both needed, none below 0\n", errs)
	code, _, errs = play("--load", "nowhere")
	assert.Equal(t, exitUsage, code)
	assert.Contains(t, errs, "nowhere")
}

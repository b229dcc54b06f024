package zkserver

import (
	"bytes"
	"context"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	gozk "github.com/go-zookeeper/zk"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"controllerscope/core/zk"
	"controllerscope/core/zk/jute"
)

// fourLetters sends a four-letter word and reads the whole answer.
func fourLetters(t *testing.T, s *Server, word string) string {
	c := dialRaw(t, s)
	_, err := c.Write([]byte(word))
	require.NoError(t, err)
	b, err := io.ReadAll(c)
	require.NoError(t, err)
	return string(b)
}

func TestFourLetterWords(t *testing.T) {
	s := newServer(t)
	assert.Equal(t, "imok", fourLetters(t, s, "ruok"))
	assert.Equal(t, "rw", fourLetters(t, s, "isro"))
	assert.Equal(t, "tickTime=100\nminSessionTimeout=200\nmaxSessionTimeout=2000\n", fourLetters(t, s, "conf"))
	assert.Equal(t, "dump is not executed because it is not in the whitelist.\n", fourLetters(t, s, "dump"))
	c := dialRaw(t, s)
	c.connect(jute.ConnectRequest{TimeoutMS: 2000})
	c.ask(jute.Request{Xid: 1, Code: jute.OpCreate, Op: zk.Op{Kind: zk.Create, Path: "/e", Data: []byte("abc"), Mode: zk.Ephemeral}})
	c.ask(jute.Request{Xid: 2, Code: jute.OpExists, Op: zk.Op{Kind: zk.Exists, Path: "/x", Watch: true}})

	stat := fourLetters(t, s, "stat")
	assert.True(t, strings.HasPrefix(stat, "Zookeeper version: "+Version+"\nClients:\n"), stat)
	assert.Contains(t, stat, "(queued=0,recved=3,sent=3)\n")
	assert.Contains(t, stat, "\nZxid: 0x2\nMode: standalone\nNode count: 6\n")
	assert.NotContains(t, fourLetters(t, s, "srvr"), "Clients:")

	values := map[string]string{}
	for _, line := range strings.Split(strings.TrimSpace(fourLetters(t, s, "mntr")), "\n") {
		name, value, ok := strings.Cut(line, "\t")
		require.True(t, ok, line)
		values[name] = value
	}
	// A fresh server counts 5 nodes and 44 bytes; /e with abc makes it 6 and 49.
	for name, want := range map[string]string{"zk_version": Version, "zk_server_state": "standalone", "zk_znode_count": "6",
		"zk_ephemerals_count": "1", "zk_watch_count": "1", "zk_approximate_data_size": "49", "zk_global_sessions": "1",
		"zk_outstanding_requests": "0"} {
		assert.Equal(t, want, values[name], name)
	}
}

// TestOverTCP has go-zookeeper's own reader of ruok agree. Its reader of srvr knows only the dates of ZooKeeper before 3.6.
func TestOverTCP(t *testing.T) {
	s := newServer(t)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	go func() { _ = s.Serve(l) }()
	assert.Equal(t, []bool{true}, gozk.FLWRuok([]string{l.Addr().String()}, 5*time.Second))
}

func TestLatency(t *testing.T) {
	var l latency
	assert.Equal(t, "0.0", l.avgMS())
	l.add(1000 * time.Microsecond)
	assert.Equal(t, "1.0", l.avgMS())
	l.add(2500 * time.Microsecond)
	assert.Equal(t, "1.75", l.avgMS())
	assert.Equal(t, latency{count: 2, total: 3500, min: 1000, max: 2500}, l)
}

func TestCommand(t *testing.T) {
	run := func(ctx context.Context, args ...string) (int, string, string) {
		var out, errw bytes.Buffer
		code := command(ctx, args, &out, &errw)
		return code, out.String(), errw.String()
	}
	ended, end := context.WithCancel(context.Background())
	end()
	code, out, errs := run(ended, "--listen", "127.0.0.1:0")
	assert.Equal(t, 0, code, errs)
	assert.Regexp(t, `^ZooKeeper 3\.8\.0-controllerscope, .* on 127\.0\.0\.1:\d+\n$`, out)
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer taken.Close()
	code, _, errs = run(ended, "--listen", taken.Addr().String())
	assert.Equal(t, 3, code)
	assert.Contains(t, errs, "choose another address with --listen")
	for _, wrong := range []string{"here", "127.0.0.1:99999", "127.0.0.1:port:2"} {
		code, _, errs = run(ended, "--listen", wrong)
		assert.Equal(t, 2, code, errs)
	}
	code, out, errs = run(ended, "--listen=")
	assert.Equal(t, []any{2, ""}, []any{code, out})
	assert.Contains(t, errs, "--listen is empty, which would be any port of every interface; write host:port")
	code, _, _ = run(ended, "--listen")
	assert.Equal(t, 2, code)
	code, _, errs = run(ended, "--tick", "0")
	assert.Equal(t, 2, code)
	assert.Contains(t, errs, "--tick is 1 to 1000000 ms")
}

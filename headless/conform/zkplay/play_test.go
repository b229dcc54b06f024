package zkplay

import (
	"net"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"controllerscope/core/kafka"
	"controllerscope/core/run"
	"controllerscope/core/zk/zkmem"
	"controllerscope/core/zk/zktest"
	"controllerscope/headless/internal/zkensemble"
	"controllerscope/headless/zkserver"
	"controllerscope/site/fidelity"
)

// TestRecorded plays the recorded cases on every kind of server at the same time, since most of the time goes into waiting
// for reconnects and expiries. Every case must pass on each.
func TestRecorded(t *testing.T) {
	t.Run("emulator", func(t *testing.T) {
		t.Parallel()
		overTCP := emulator(t)
		l, err := net.Listen("tcp", "127.0.0.1:0")
		require.NoError(t, err)
		served := make(chan error, 1)
		go func() { served <- overTCP.Serve(l) }()
		playAll(t, "emulator", map[string]Target{"pipe": pipe(emulator(t)), "TCP": tcp(l.Addr().String())})
		require.NoError(t, overTCP.Close())
		require.NoError(t, <-served)
	})
	t.Run("real", func(t *testing.T) {
		t.Parallel()
		standalone := zkensemble.ForTest(t, zkensemble.Options{TickMS: 500})
		three := zkensemble.ForTest(t, zkensemble.Options{Servers: 3, TickMS: 500})
		// A follower has to ask the leader for every write.
		playAll(t, "real", map[string]Target{"standalone": tcp(standalone.Connect()), "follower of three": tcp(three.Addresses()[three.Follower()])})
	})
}

// playAll plays the recorded cases on all targets at once.
func playAll(t *testing.T, kind string, targets map[string]Target) {
	var wait sync.WaitGroup
	names := kafka.SortedKeys(targets)
	rows := make([]fidelity.Row, len(names))
	for i, name := range names {
		wait.Go(func() {
			report, err := Run(targets[name], zktest.Recorded(), nil)
			assert.NoError(t, err, name)
			assert.Equal(t, Report{Passed: 53}, report, name)
			rows[i] = fidelity.Row{Name: name, Steps: len(zktest.Recorded().Cases), Played: report.Passed + report.Failed, Passed: report.Passed, Failed: report.Failed}
		})
	}
	wait.Wait()
	require.NoError(t, fidelity.Write("../../..", "zookeeper-"+kind, fidelity.Result{Against: "ZooKeeper 3.8.0", Played: kind, Core: run.Version, Rows: rows}))
}

// emulator is a fresh one with ticks of half a second.
func emulator(t *testing.T) *zkserver.Server {
	s := zkserver.New(zkmem.New(zkmem.Options{TickMS: 500}), zkserver.Options{TickMS: 500})
	t.Cleanup(func() { assert.NoError(t, s.Close()) })
	return s
}

func pipe(s *zkserver.Server) Target {
	return Target{Servers: []string{"127.0.0.1:2181"}, Dial: func(string, string, time.Duration) (net.Conn, error) { return s.Dial() }}
}

func tcp(addresses ...string) Target { return Target{Servers: addresses, Dial: net.DialTimeout} }

// play reads steps of one case, after the opening of session A, and plays them on an emulator.
func play(t *testing.T, tags, steps string) Report {
	t.Helper()
	f, err := zktest.Read("f", []byte(`{"format":"zkcases/1","cases":[{"name":"c","tags":[`+tags+`],"steps":[{"session":"A","op":"open"},`+steps+`]}]}`))
	require.NoError(t, err)
	r, err := Run(pipe(emulator(t)), f, nil)
	require.NoError(t, err)
	return r
}

// texts are the failures as they are printed.
func texts(r Report) []string {
	out := []string{}
	for _, f := range r.Failures {
		out = append(out, f.String())
	}
	return out
}

func TestWrongExpectationsFail(t *testing.T) {
	t.Parallel()
	r := play(t, ``, `
		{"session":"A","op":"create","args":{"path":"~/a","data":"x"},"expect":{"error":"ErrNoNode","path":"~/b"}},
		{"session":"A","op":"get_w","args":{"path":"~/a","watch":"w"},"expect":{"data":"y"}},
		{"session":"A","op":"set","args":{"path":"~/a"},"expect":{"stat":"zero"}},
		{"session":"A","op":"watch","args":{"watch":"w"},"expect":{"event":null,"closed":false}},
		{"session":"A","op":"events","expect":{"events":[]}}`)
	assert.Equal(t, 0, r.Passed)
	assert.Equal(t, 1, r.Failed)
	assert.Equal(t, []string{
		`case c, step 2 (create), error: want "ErrNoNode", got null`,
		`case c, step 2 (create), path: want "~/b", got "~/a"`,
		`case c, step 3 (get_w), data: want "y", got "x"`,
		`case c, step 4 (set), stat: want "zero", got {"aversion":0,"cversion":0,"czxid":2,"dataLength":0,"ephemeralOwner":0,"mzxid":3,"numChildren":0,"pzxid":2,"version":1}`,
		`case c, step 5 (watch), closed: want false, got true`,
		`case c, step 5 (watch), event: want null, got {"path":"~/a","state":"SyncConnected","type":"NodeDataChanged"}`,
		`case c, step 6 (events), events: want [], got [{"path":"~/a","state":"SyncConnected","type":"NodeDataChanged"}]`,
	}, texts(r))
}

func TestMicroVersionIsCountedApart(t *testing.T) {
	t.Parallel()
	r := play(t, `"micro-version"`, `{"session":"A","op":"state","expect":{"state":"Expired"}}`)
	assert.Equal(t, [4]int{0, 0, 0, 1}, [4]int{r.Passed, r.Failed, r.MicroPassed, r.MicroFailed})
}

// TestStall has a call sent to a server that does not answer: it is applied all the same, and answered when the network
// is there again (reference, section 0).
func TestStall(t *testing.T) {
	t.Parallel()
	r := play(t, ``, `
		{"session":"B","op":"open"},
		{"session":"A","op":"stall"},
		{"session":"A","op":"create","args":{"path":"~/a"},"async":"h"},
		{"session":"B","op":"exists","args":{"path":"~/a"},"expect":{"exists":true}},
		{"session":"A","op":"state","expect":{"state":"HasSession"}},
		{"session":"A","op":"heal"},
		{"session":"A","op":"await","args":{"handle":"h"},"expect":{"error":null,"path":"~/a"}}`)
	assert.Empty(t, texts(r))
}

// TestStallForTooLong has the client give the connection up after 2/3 of its timeout of 3 s, and its call with it, though
// it was applied; the session goes on (reference, 6.3 and 6.4).
func TestStallForTooLong(t *testing.T) {
	t.Parallel()
	f, err := zktest.Read("f", []byte(`{"format":"zkcases/1","cases":[{"name":"c","steps":[
		{"session":"A","op":"open","args":{"timeout_ms":3000}},
		{"session":"A","op":"create","args":{"path":"~/e","flags":1}},
		{"session":"A","op":"stall"},
		{"session":"A","op":"create","args":{"path":"~/a"},"expect":{"error":"ErrConnectionClosed"}},
		{"session":"A","op":"heal"},
		{"session":"A","op":"exists","args":{"path":"~/a"},"expect":{"exists":true}},
		{"session":"A","op":"exists","args":{"path":"~/e"},"expect":{"exists":true}},
		{"session":"A","op":"events","expect":{"events":[{"type":"Session","state":"Disconnected"},{"type":"Session","state":"Connecting"},{"type":"Session","state":"Connected"},{"type":"Session","state":"HasSession"}]}}]}]}`))
	require.NoError(t, err)
	s := zkserver.New(zkmem.New(zkmem.Options{TickMS: 500}), zkserver.Options{TickMS: 500})
	defer s.Close()
	r, err := Run(pipe(s), f, nil)
	require.NoError(t, err)
	assert.Empty(t, texts(r))
}

func TestServerAway(t *testing.T) {
	t.Parallel()
	s := zkserver.New(zkmem.New(zkmem.Options{}), zkserver.Options{})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	go func() { _ = s.Serve(l) }()
	version, err := ServerVersion(l.Addr().String())
	require.NoError(t, err)
	assert.Equal(t, "3.8.0-controllerscope", version)
	require.NoError(t, s.Close())
	_, err = ServerVersion(l.Addr().String())
	assert.Error(t, err)
}

package zkrealtest

import (
	"fmt"
	"testing"
	"time"

	gozk "github.com/go-zookeeper/zk"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"controllerscope/headless/internal/zkensemble"
)

// What the emulator's ensemble (zkmem.Ensemble, sim's LoseQuorum) claims of a real one, where it can be provoked.

// quiet keeps the library's reconnections out of the output.
type quiet struct{}

func (quiet) Printf(string, ...any) {}

// connectTo is a client of one server.
func connectTo(t *testing.T, timeout time.Duration, servers ...string) *gozk.Conn {
	t.Helper()
	c, _, err := gozk.Connect(servers, timeout, gozk.WithLogInfo(false), gozk.WithLogger(quiet{}))
	require.NoError(t, err)
	t.Cleanup(c.Close)
	require.Eventually(t, func() bool { return c.State() == gozk.StateHasSession }, 20*time.Second, 10*time.Millisecond)
	return c
}

// TestStaleRead: a client of a follower reads what was true a moment ago while a client of another server has written, and
// never after a sync.
func TestStaleRead(t *testing.T) {
	e := ensemble(t)
	leader := connectTo(t, 10*time.Second, e.Addresses()[e.Leader()])
	reader := connectTo(t, 10*time.Second, e.Addresses()[e.Follower()])
	path, err := leader.Create("/stale-", []byte("-1"), gozk.FlagSequence, gozk.WorldACL(gozk.PermAll))
	require.NoError(t, err)
	stale := map[bool]int{}
	const times = 1500
	for i := range times {
		cure := i%2 == 1
		want := fmt.Sprint(i)
		_, err := leader.Set(path, []byte(want), -1)
		require.NoError(t, err)
		if cure {
			_, err = reader.Sync(path)
			require.NoError(t, err)
		}
		data, _, err := reader.Get(path)
		require.NoError(t, err)
		if string(data) != want {
			stale[cure]++
		}
	}
	t.Logf("%d of %d reads from the follower were stale, %d of %d after a sync", stale[false], times/2, stale[true], times/2)
	assert.Positive(t, stale[false], "a follower lags")
	assert.Zero(t, stale[true], "a sync is the cure")
}

// TestMoveAndLostQuorum: a client whose server dies goes on elsewhere with its session; one whose ensemble has no quorum
// is not answered, for longer than its timeout, and keeps its session and its ephemeral all the same.
func TestMoveAndLostQuorum(t *testing.T) {
	e := zkensemble.ForTest(t, zkensemble.Options{Servers: 3, TickMS: 500})
	const timeout = 4 * time.Second
	c := connectTo(t, timeout, e.Addresses()...)
	id := c.SessionID()
	_, err := c.Create("/e", nil, gozk.FlagEphemeral, gozk.WorldACL(gozk.PermAll))
	require.NoError(t, err)
	for i, address := range e.Addresses() {
		if address == c.Server() {
			require.NoError(t, e.Kill(i))
			require.Eventually(t, func() bool { there, _, err := c.Exists("/e"); return err == nil && there }, 30*time.Second, 50*time.Millisecond)
			assert.Equal(t, id, c.SessionID(), "the same session at another server")
			assert.NotEqual(t, address, c.Server())
			require.NoError(t, e.Restart(i))
			break
		}
	}
	killed := []int{e.Leader(), e.Follower()}
	for _, i := range killed {
		require.NoError(t, e.Kill(i))
	}
	require.Eventually(t, func() bool { return c.State() != gozk.StateHasSession }, 30*time.Second, 10*time.Millisecond)
	for end := time.Now().Add(2 * timeout); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		require.NotEqual(t, gozk.StateHasSession, c.State(), "nobody answers without a quorum")
	}
	for _, i := range killed {
		go func() { _ = e.Restart(i) }() // the client says whether it serves
	}
	require.Eventually(t, func() bool { there, _, err := c.Exists("/e"); return err == nil && there }, 60*time.Second, 50*time.Millisecond)
	assert.Equal(t, id, c.SessionID(), "no session expired meanwhile")
}

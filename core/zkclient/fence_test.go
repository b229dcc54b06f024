package zkclient

import (
	"testing"

	"github.com/stretchr/testify/require"

	"controllerscope/core/env"
	"controllerscope/core/kafka"
	"controllerscope/core/zk"
)

func TestFenceOutcomes(t *testing.T) {
	w, c := fixture(t)
	w.put("/a", "")
	answers, err := c.RetryFenced([]zk.Op{setOp("/a", []byte("x"), 0), setOp("/a", []byte("y"), 0), createOp("/b", nil), deleteOp("/none")}, 0)
	require.NoError(t, err)
	require.Equal(t, []zk.Code{zk.OK, zk.BadVersion, zk.OK, zk.NoNode},
		[]zk.Code{answers[0].Err, answers[1].Err, answers[2].Err, answers[3].Err})
	require.EqualValues(t, 1, answers[0].Stat.Version, "the answer is that of the operation itself")
	require.Equal(t, "/b", answers[2].Path)
	require.Equal(t, []string{"4 multi[check /controller_epoch v0, set /a v0] OK",
		"4 multi[check /controller_epoch v0, set /a v0] OK BADVERSION",
		"4 multi[check /controller_epoch v0, create /b] OK",
		"4 multi[check /controller_epoch v0, delete /none v-1] OK NONODE"}, w.take())

	_, err = c.RetryFenced([]zk.Op{deleteOp("/a")}, 1)
	require.ErrorIs(t, err, ErrControllerMoved)
	require.Equal(t, []string{"1 multi[check /controller_epoch v1, delete /a v-1] BADVERSION RUNTIMEINCONSISTENCY"}, w.take())

	answers, err = c.RetryFenced([]zk.Op{deleteOp("/b")}, kafka.MatchAnyVersion)
	require.NoError(t, err)
	require.Equal(t, zk.OK, answers[0].Err)
	require.Equal(t, []string{"1 delete /b v-1 OK"}, w.take(), "-1 is not fenced")

	_, err = c.RetryFenced([]zk.Op{deleteOp("/a")}, -2)
	require.EqualError(t, err, "the expected version -2 of /controller_epoch must be -1 or more")
	require.Empty(t, w.take())
}

func TestFenceWithoutTheEpochZNode(t *testing.T) {
	w := newWorld(t)
	c := w.client("0")
	_, err := c.RetryFenced([]zk.Op{createOp("/a", nil)}, 0)
	require.ErrorIs(t, err, zk.NoNode)
	require.EqualError(t, err, "ZooKeeper answered NONODE for /controller_epoch")
	require.NotErrorIs(t, err, ErrControllerMoved)
}

func TestFenceOnAnExpiredSession(t *testing.T) {
	_, c := fixture(t)
	c.current().expire()
	_, err := c.RetryFenced([]zk.Op{createOp("/a", nil)}, 0)
	require.ErrorIs(t, err, zk.SessionExpired)
}

func TestFencedElementsAppliedBeforeTheMoveStay(t *testing.T) {
	w, c := fixture(t)
	c.current().faults = []fault{none, lostRequest}
	bumped := false
	// While the second element waits for the connection, another controller raises the epoch.
	w.events = append(w.events, func() {
		other := w.second()
		_, _, err := other.ConditionalUpdatePath("/controller_epoch", []byte("2"), 0, nil)
		require.NoError(t, err)
		bumped = true
	})
	_, err := c.RetryFenced([]zk.Op{createOp("/a", nil), createOp("/b", nil)}, 0)
	require.ErrorIs(t, err, ErrControllerMoved)
	require.True(t, bumped)
	for path, want := range map[string]bool{"/a": true, "/b": false} {
		exists, err := c.PathExists(path)
		require.NoError(t, err)
		require.Equal(t, want, exists, path)
	}
}

// second is another client of the same ZooKeeper.
func (w *world) second() *Client {
	c := New(w, w, Options{Client: "1", TimeoutMS: 18000})
	c.open()
	w.events[len(w.events)-1]()
	w.events = w.events[:len(w.events)-1]
	return c
}

func TestGuardControllerEpochOff(t *testing.T) {
	w, c := fixture(t)
	w.guards[env.GuardControllerEpoch] = true
	answers, err := c.RetryFenced([]zk.Op{createOp("/a", nil)}, 7)
	require.NoError(t, err)
	require.Equal(t, zk.OK, answers[0].Err)
	require.Equal(t, []string{"1 create /a OK"}, w.take())
}

func TestElectionCreatesTheEpoch(t *testing.T) {
	w := newWorld(t)
	c := w.client("1")
	epoch, version, err := c.RegisterControllerAndIncrementControllerEpoch(1)
	require.NoError(t, err)
	require.EqualValues(t, 1, epoch)
	require.EqualValues(t, 1, version)
	require.Equal(t, []string{"1 get /controller_epoch NONODE", "1 create /controller_epoch OK",
		"1 multi[create /controller ephemeral, set /controller_epoch v0] OK"}, w.take())
	data, stat, found := w.store.Node("/controller")
	require.True(t, found)
	require.Equal(t, `{"version":1,"brokerid":1,"timestamp":"1669713420123"}`, string(data))
	require.Equal(t, c.SessionID(), stat.EphemeralOwner)
}

func TestElectionThenGivingUp(t *testing.T) { // ZKC-42
	_, c := fixture(t)
	id, err := c.GetControllerID()
	require.NoError(t, err)
	require.Equal(t, kafka.NoBroker, id)
	epoch, version, err := c.RegisterControllerAndIncrementControllerEpoch(1)
	require.NoError(t, err)
	require.EqualValues(t, 2, epoch)
	require.EqualValues(t, 1, version)
	id, err = c.GetControllerID()
	require.NoError(t, err)
	require.Equal(t, kafka.BrokerID(1), id)
	require.ErrorIs(t, c.DeleteController(0), ErrControllerMoved)
	require.NoError(t, c.DeleteController(version))
	id, err = c.GetControllerID()
	require.NoError(t, err)
	require.Equal(t, kafka.NoBroker, id)
	require.NoError(t, c.DeleteController(version), "the code of the delete is ignored")
}

func TestElectionAfterALostAnswer(t *testing.T) {
	w, c := fixture(t)
	c.current().faults = []fault{none, lostAnswer}
	epoch, version, err := c.RegisterControllerAndIncrementControllerEpoch(1)
	require.NoError(t, err)
	require.EqualValues(t, 2, epoch)
	require.EqualValues(t, 1, version)
	multi := "1 multi[create /controller ephemeral, set /controller_epoch v0]"
	require.Equal(t, []string{"1 get /controller_epoch OK", multi + " OK", "Disconnected", "Connected",
		multi + " NODEEXISTS RUNTIMEINCONSISTENCY", "1 get /controller OK", "1 get /controller_epoch OK"}, w.take())
}

func TestElectionLost(t *testing.T) {
	w, c := fixture(t)
	_, _, err := c.RegisterControllerAndIncrementControllerEpoch(1)
	require.NoError(t, err)
	other := w.second()
	w.take()
	_, _, err = other.RegisterControllerAndIncrementControllerEpoch(2)
	require.ErrorIs(t, err, ErrControllerMoved)
	require.Equal(t, []string{"1 get /controller_epoch OK",
		"1 multi[create /controller ephemeral, set /controller_epoch v1] NODEEXISTS RUNTIMEINCONSISTENCY", "1 get /controller OK"}, w.take())

	_, _, err = c.RegisterControllerAndIncrementControllerEpoch(1)
	require.ErrorIs(t, err, ErrControllerMoved, "our own /controller of an earlier round: the epoch differs")
}

func TestElectionLostWhileTheEpochMoves(t *testing.T) {
	w, c := fixture(t)
	c.current().faults = []fault{none, lostRequest}
	w.events = append(w.events, func() {
		_, _, err := w.second().ConditionalUpdatePath("/controller_epoch", []byte("9"), 0, nil)
		require.NoError(t, err)
	})
	_, _, err := c.RegisterControllerAndIncrementControllerEpoch(1)
	require.ErrorIs(t, err, ErrControllerMoved, "BADVERSION and nobody holds /controller")
	require.Equal(t, "1 get /controller NONODE", w.log[len(w.log)-1])
}

func TestControllerEpochThatIsNoNumber(t *testing.T) {
	w := newWorld(t)
	c := w.client("0")
	w.put("/controller_epoch", "seven")
	_, _, err := c.RegisterControllerAndIncrementControllerEpoch(0)
	require.EqualError(t, err, `/controller_epoch: "seven" is not a controller epoch`)
}

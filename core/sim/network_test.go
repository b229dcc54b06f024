package sim

import (
	"testing"

	"github.com/stretchr/testify/require"

	"controllerscope/core/request"
	"controllerscope/core/zk/zkmem"
)

// shelf is a process that keeps the requests that it receives, to answer them in any order.
type shelf struct{ replies []func(request.Response) }

func (s *shelf) Receive(_ string, _ request.Request, reply func(request.Response)) {
	s.replies = append(s.replies, reply)
}

// twoUnderWay is a world in which process 0 has sent broker 1 two requests on one connection of a purpose, both received;
// heard are those whose outcome process 0 knows, in the order in which it heard.
func twoUnderWay(t *testing.T, purpose string) (w *World, n network, at *shelf, heard *[]string) {
	t.Helper()
	w = New(Config{Store: zkmem.New(zkmem.Options{})})
	at, heard = &shelf{}, &[]string{}
	w.newProcess("1", 0).handler = at
	n = network{w.newProcess("0", 0)}
	for _, id := range []string{"r1", "r2"} {
		n.Send(request.Conn{To: 1, Purpose: purpose}, id, request.Metadata{}, func(_ request.Response, err error) {
			if err != nil {
				id += " broken"
			}
			*heard = append(*heard, id)
		})
	}
	require.NoError(t, w.RunToIdle(0, nil))
	require.Len(t, at.replies, 2)
	return w, n, at, heard
}

func TestAnswersOfAConnectionComeInOrder(t *testing.T) {
	w, _, at, heard := twoUnderWay(t, "control")
	at.replies[1](request.MetadataResponse{})
	require.Empty(t, w.Choices(), "the second answer waits for the first")
	at.replies[0](request.MetadataResponse{})
	require.Len(t, w.Choices(), 1, "and there is no choice between the two")
	require.NoError(t, w.RunToIdle(0, nil))
	require.Equal(t, []string{"r1", "r2"}, *heard)
	require.Empty(t, w.wires)
}

func TestAnswersOfManyClientsComeInAnyOrder(t *testing.T) {
	w, _, at, heard := twoUnderWay(t, "api")
	at.replies[1](request.MetadataResponse{})
	at.replies[0](request.MetadataResponse{})
	require.Len(t, w.Choices(), 2)
	require.NoError(t, w.RunToIdle(0, nil))
	require.Equal(t, []string{"r2", "r1"}, *heard)
}

func TestABrokenConnectionIsHeardAtOnce(t *testing.T) {
	w, n, at, heard := twoUnderWay(t, "control")
	n.Send(request.Conn{To: 1, Purpose: "control"}, "r3", request.Metadata{}, func(_ request.Response, err error) {
		require.ErrorIs(t, err, ErrConnection)
		*heard = append(*heard, "r3 broken")
	})
	require.NoError(t, w.DropChoice(w.Choices()[0].ID()))
	require.NoError(t, w.RunToIdle(0, nil))
	require.Equal(t, []string{"r3 broken"}, *heard)
	at.replies[1](request.MetadataResponse{})
	w.procs["1"].pending[0].lose() // broker 1 ends before it answers the first
	require.NoError(t, w.RunToIdle(0, nil))
	require.Equal(t, []string{"r3 broken", "r1 broken", "r2"}, *heard)
}

func TestANewConnectionOwesTheOldOneNothing(t *testing.T) {
	w, n, at, heard := twoUnderWay(t, "control")
	n.Drop(request.Conn{To: 1, Purpose: "control"})
	n.Send(request.Conn{To: 1, Purpose: "control", Ordinal: 1}, "r3", request.Metadata{}, func(request.Response, error) {
		*heard = append(*heard, "r3")
	})
	require.NoError(t, w.RunToIdle(0, nil))
	at.replies[2](request.MetadataResponse{})
	require.NoError(t, w.RunToIdle(0, nil))
	require.Equal(t, []string{"r3"}, *heard)
}

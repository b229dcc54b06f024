package zkclient

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"controllerscope/core/env"
	"controllerscope/core/zk"
)

func TestBatchIsOneDoAndEmptyBatchIsNone(t *testing.T) {
	w, c := fixture(t)
	answers, err := c.RetryRequestsUntilConnected(nil)
	require.NoError(t, err)
	require.Empty(t, answers)
	require.Empty(t, w.take())
	answers, err = c.RetryRequestsUntilConnected([]zk.Op{getOp("/controller_epoch"), getOp("/missing")})
	require.NoError(t, err)
	require.Equal(t, []zk.Code{zk.OK, zk.NoNode}, []zk.Code{answers[0].Err, answers[1].Err})
	require.Equal(t, []string{"2 get /controller_epoch OK", "2 get /missing NONODE"}, w.take())
}

func TestOnlyLostRequestsAreSentAgain(t *testing.T) {
	w, c := fixture(t)
	c.current().faults = []fault{none, lostAnswer}
	answers, err := c.RetryRequestsUntilConnected([]zk.Op{createOp("/a", nil), createOp("/b", nil), createOp("/c", nil)})
	require.NoError(t, err)
	require.Equal(t, []string{"3 create /a OK", "3 create /b OK", "Disconnected", "Connected",
		"2 create /b NODEEXISTS", "2 create /c OK"}, w.take())
	require.Equal(t, []zk.Code{zk.OK, zk.NodeExists, zk.OK}, []zk.Code{answers[0].Err, answers[1].Err, answers[2].Err})
}

func TestRetryHasNoLimit(t *testing.T) {
	w, c := fixture(t)
	for range 20 {
		c.current().faults = append(c.current().faults, lostRequest)
	}
	exists, err := c.PathExists("/controller_epoch")
	require.NoError(t, err)
	require.True(t, exists)
	require.Equal(t, "1 exists /controller_epoch OK", w.log[len(w.log)-1])
	require.Len(t, w.log, 41)
}

func TestExpiryWhileWaitingIsFinal(t *testing.T) {
	w, c := fixture(t)
	c.current().faults = []fault{expiry}
	_, err := c.PathExists("/controller_epoch")
	require.ErrorIs(t, err, ErrClientExpired)
	require.Equal(t, []string{"Disconnected", "Expired"}, w.take())
	_, err = c.PathExists("/controller_epoch")
	require.ErrorIs(t, err, zk.SessionExpired, "a request on an expired session is answered so")
}

func TestReinitialize(t *testing.T) {
	w, c := fixture(t)
	old := c.SessionID()
	var heard []string
	say := func(s string) func() { return func() { heard = append(heard, s+" "+c.State().String()) } }
	released := false
	c.RegisterStateChangeHandler(StateChangeHandler{Name: "controller", BeforeInitializingSession: func() {
		say("before controller")()
		w.Wait("expire", func() bool { return released })
	}, AfterInitializingSession: say("after controller")})
	c.RegisterStateChangeHandler(StateChangeHandler{Name: "config", AfterInitializingSession: say("after config")})
	c.RegisterStateChangeHandler(StateChangeHandler{Name: "gone", AfterInitializingSession: say("after gone")})
	c.UnregisterStateChangeHandler("gone")
	c.RegisterZNodeChangeHandler("/controller", ZNodeChangeHandler{})

	c.current().expire()
	w.events = append(w.events, func() {
		require.Equal(t, []string{"before controller Expired"}, heard, "no new session before the old work has ended")
		require.Equal(t, old, c.SessionID())
		released = true
	})
	w.idle()
	require.Equal(t, []string{"before controller Expired", "after controller Connecting", "after config Connecting"}, heard)
	require.Equal(t, []string{"Expired", "Connected"}, w.take())
	require.NotEqual(t, old, c.SessionID())
	_, err := c.PathExists("/controller")
	require.NoError(t, err)
	require.Equal(t, []string{"1 exists /controller watch NONODE"}, w.take(), "handlers survive, watches do not")
}

func TestClosedClientOpensNoFurtherSession(t *testing.T) {
	w, c := fixture(t)
	released := false
	c.RegisterStateChangeHandler(StateChangeHandler{Name: "x", BeforeInitializingSession: func() {
		w.Wait("x", func() bool { return released })
	}})
	c.current().expire()
	w.events = append(w.events, func() { c.Close(); released = true })
	w.idle()
	require.Equal(t, []string{"Expired"}, w.take())
	require.Equal(t, zk.ClosedState, c.State())
}

func TestFirstConnectionTimesOut(t *testing.T) {
	w := newWorld(t)
	c := New(w, silent{w}, Options{Client: "0", TimeoutMS: 18000})
	require.ErrorIs(t, c.Connect(), ErrClientTimeout)
	_, err := New(w, silent{w}, Options{Client: "0"}).PathExists("/a")
	require.EqualError(t, err, "the ZooKeeper client was never connected: call Connect first")
}

// silent is a ZooKeeper that nobody reaches.
type silent struct{ w *world }

func (s silent) Open(owner zk.Owner, _ zk.Options) zk.Session { return &session{w: s.w, owner: owner} }

func TestHandlersAndWatches(t *testing.T) {
	w, c := fixture(t)
	var heard []string
	say := func(s string) func() { return func() { heard = append(heard, s) } }
	h := ZNodeChangeHandler{Created: say("created"), Deleted: say("deleted"), DataChanged: say("changed")}

	exists, err := c.RegisterZNodeChangeHandlerAndCheckExistence("/foo", h)
	require.NoError(t, err)
	require.False(t, exists)
	w.put("/foo", "")
	_, _, err = c.GetDataAndVersion("/foo")
	require.NoError(t, err)
	_, _, err = c.ConditionalUpdatePath("/foo", []byte("x"), 0, nil)
	require.NoError(t, err)
	require.Equal(t, []string{"created", "changed"}, heard)
	require.Equal(t, []string{"1 exists /foo watch NONODE", "NodeCreated /foo", "1 get /foo watch OK",
		"NodeDataChanged /foo", "1 set /foo v0 OK"}, w.take())

	_, _ = c.GetChildren("/foo")
	c.RegisterZNodeChildChangeHandler("/foo", say("children"))
	_, _ = c.getChildren("/foo", false)
	_, _ = c.GetChildren("/foo")
	_, err = c.PathExists("/foo")
	require.NoError(t, err)
	require.Equal(t, []string{"1 children /foo OK", "1 children /foo OK", "1 children /foo watch OK", "1 exists /foo watch OK"}, w.take())
	c.UnregisterZNodeChangeHandler("/foo")
	require.NoError(t, c.DeletePath("/foo", -1))
	require.Equal(t, []string{"created", "changed"}, heard, "a deletion reaches no child handler, and no handler that is gone")
	require.False(t, c.Interested("/foo", zk.DataWatch))
	require.True(t, c.Interested("/foo", zk.ChildWatch))
}

// What is sent again asks for the watches that are wanted by then, and the caller's list stays as it was.
func TestWatchesAreThoseWantedWhenSent(t *testing.T) {
	w, c := fixture(t)
	w.put("/foo", "")
	w.take()
	c.current().faults = []fault{lostRequest}
	w.events = append(w.events, func() {
		c.RegisterZNodeChangeHandler("/foo", ZNodeChangeHandler{})
		c.RegisterZNodeChildChangeHandler("/foo", func() {})
	})
	ops := []zk.Op{{Kind: zk.Children, Path: "/foo", Watch: true}, {Kind: zk.Exists, Path: "/foo"}, {Kind: zk.Exists, Path: "/bar"}}
	given := slices.Clone(ops)
	answers, err := c.RetryRequestsUntilConnected(ops)
	require.NoError(t, err)
	require.Equal(t, []string{"Disconnected", "Connected", "3 children /foo watch OK", "3 exists /foo watch OK", "3 exists /bar NONODE"}, w.take())
	require.Equal(t, []zk.Code{zk.OK, zk.OK, zk.NoNode}, []zk.Code{answers[0].Err, answers[1].Err, answers[2].Err})
	require.Equal(t, given, ops)
}

func TestGetOfMissingNodeArmsNothing(t *testing.T) {
	w, c := fixture(t)
	called := false
	c.RegisterZNodeChangeHandler("/foo", ZNodeChangeHandler{Created: func() { called = true }})
	data, version, err := c.GetDataAndVersion("/foo")
	require.NoError(t, err)
	require.Nil(t, data)
	require.EqualValues(t, -2, version)
	w.put("/foo", "")
	require.False(t, called)
}

func TestListingWithoutWatchKeepsTheWatch(t *testing.T) { // ZKC-08
	w, c := fixture(t)
	require.NoError(t, c.CreateTopLevelPaths())
	fired := 0
	c.RegisterZNodeChildChangeHandler("/brokers/topics", func() { fired++ })
	for _, watch := range []bool{true, false} {
		topics, err := c.GetAllTopicsInCluster(watch)
		require.NoError(t, err)
		require.Empty(t, topics)
	}
	w.put("/brokers/topics/topic1", "")
	require.Equal(t, 1, fired)
}

// leaves reduces notes to the document's leaves.
func leaves(notes []env.Note) map[string]any {
	doc := map[string]any{}
	for _, n := range notes {
		for _, ch := range n.Changes {
			for key := range doc {
				if key == join(ch.Path) || len(key) > len(join(ch.Path)) && key[:len(join(ch.Path))+1] == join(ch.Path)+"|" {
					delete(doc, key)
				}
			}
			if ch.After != nil {
				doc[join(ch.Path)] = ch.After
			}
		}
	}
	return doc
}

func join(p []string) string {
	s := ""
	for i, word := range p {
		if i > 0 {
			s += "|"
		}
		s += word
	}
	return s
}

type dump map[string]any

func (d dump) Set(after any, path ...string) { d[join(path)] = after }

func TestDumpEqualsNotes(t *testing.T) {
	w, c := fixture(t)
	check := func(want ...string) {
		t.Helper()
		d := dump{}
		c.Dump(d)
		require.Equal(t, leaves(w.notes), map[string]any(d))
		require.Len(t, d, len(want))
		for _, leaf := range want {
			require.Equal(t, true, d[leaf])
		}
	}
	c.RegisterZNodeChangeHandler("/controller", ZNodeChangeHandler{})
	c.RegisterZNodeChangeHandler("/controller", ZNodeChangeHandler{})
	c.RegisterZNodeChildChangeHandler("/brokers/ids", func() {})
	check("handler|0|data:/controller", "handler|0|child:/brokers/ids")
	c.UnregisterZNodeChangeHandler("/controller")
	c.UnregisterZNodeChangeHandler("/controller")
	check("handler|0|child:/brokers/ids")
	notes := len(w.notes)
	c.Close()
	check()
	require.Len(t, w.notes, notes+1)
}

func TestEveryNoteHasAMessage(t *testing.T) {
	known := map[string][]string{}
	for _, m := range Messages {
		known[m.Key] = m.Args
	}
	w, c := fixture(t)
	w.put("/admin", "")
	w.put("/admin/reassign_partitions", "not json")
	_, err := c.GetPartitionReassignment()
	require.NoError(t, err)
	c.RegisterZNodeChangeHandler("/a", ZNodeChangeHandler{})
	c.UnregisterZNodeChangeHandler("/a")
	c.RegisterZNodeChangeHandler("/a", ZNodeChangeHandler{})
	c.current().faults = []fault{expiry}
	_, _ = c.PathExists("/a")
	w.idle()
	c.Close()
	used := map[string]bool{}
	for _, n := range w.notes {
		used[n.Msg] = true
		args := []string{}
		for _, a := range n.Args {
			args = append(args, a.Name)
		}
		require.ElementsMatch(t, known[n.Msg], args, n.Msg)
	}
	require.Len(t, used, len(Messages), "every message occurs: %v", used)
}

package zktest

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"controllerscope/core/zk/zkmem"
)

// TestWrongExpectationIsReported: a recorded case with one number changed fails with that number's place.
func TestWrongExpectationIsReported(t *testing.T) {
	f, err := Read("f", file(open+`
		{"session":"A","op":"create","args":{"path":"~/a","data":"x"},"expect":{"error":null,"path":"~/b"}},
		{"session":"A","op":"exists","args":{"path":"~/a"},"expect":{"stat":{"czxid":2,"mzxid":2,"pzxid":2,"version":1,
			"cversion":0,"aversion":0,"ephemeralOwner":0,"dataLength":1,"numChildren":0}}},
		{"session":"A","op":"get_w","args":{"path":"~/a","watch":"w"}},
		{"session":"A","op":"delete","args":{"path":"~/a"}},
		{"session":"A","op":"events","expect":{"events":[{"type":"Session","state":"HasSession"},
			{"type":"NodeCreated","state":"SyncConnected","path":"~/a"}]}},
		{"session":"A","op":"state","expect":{"state":"HasSession"}}`))
	require.NoError(t, err)
	o, err := PlayOn(zkmem.New(zkmem.Options{}), &f.Cases[0], "/base")
	require.NoError(t, err)
	var got []string
	for _, d := range o.Differences {
		got = append(got, d.String())
	}
	assert.Equal(t, []string{
		`case n, step 2 (create), path: want "~/b", got "~/a"`,
		`case n, step 3 (exists), stat.version: want 1, got 0`,
		`case n, step 6 (events), events[0].type: want "NodeCreated", got "NodeDeleted"`,
	}, got)
	assert.Equal(t, 2, o.Skipped, "HasSession among the events, and the state")
}

func TestClientPathRules(t *testing.T) {
	for path, want := range map[string]bool{"": false, "a": false, "/": true, "/a": true, "/a/": false, "//": false, "/a//b": false,
		"/.": false, "/..": false, "/a/.": false, "/a/./b": false, "/./x": true, "/...": true, "/.a": true, "/a.": true,
		"/\x00": false, "/\x1f": false, "/\x7f": false, "/\u0085": false, "/\ue000": true, "/\uf000": false, "/\ufffd": false,
		"/\uffff": true, "/😀": true, "/\xff": false} {
		assert.Equal(t, want, clientTakes(path, false), "%q", path)
	}
	assert.True(t, clientTakes("/a/", true), "a sequential prefix may end in a slash")
}

// TestStallAndAsync: what a stalled client sends is executed, what it would hear is lost with the connection and comes
// again after the reconnect.
func TestStallAndAsync(t *testing.T) {
	f, err := Read("f", file(open+`
		{"session":"B","op":"open"},
		{"session":"B","op":"create","args":{"path":"~/a"}},
		{"session":"A","op":"get_w","args":{"path":"~/a","watch":"w"}},
		{"session":"A","op":"stall"},
		{"session":"A","op":"create","async":"h","args":{"path":"~/b"}},
		{"session":"B","op":"exists","args":{"path":"~/b"},"expect":{"exists":true}},
		{"session":"B","op":"set","args":{"path":"~/a","data":"1"}},
		{"session":"A","op":"cut"},
		{"session":"A","op":"await","args":{"handle":"h"},"expect":{"error":"ErrConnectionClosed"}},
		{"session":"A","op":"watch","args":{"watch":"w","no_barrier":true},"expect":{"event":null,"closed":false}},
		{"session":"A","op":"get","args":{"path":"~/b"},"expect":{"error":"ErrNoServer"}},
		{"session":"A","op":"heal"},
		{"session":"A","op":"events","expect":{"events":[{"type":"NodeDataChanged","state":"SyncConnected","path":"~/a"}]}},
		{"session":"A","op":"watch","args":{"watch":"w"},"expect":{"closed":true}}`))
	require.NoError(t, err)
	o, err := PlayOn(zkmem.New(zkmem.Options{}), &f.Cases[0], "/base")
	require.NoError(t, err)
	assert.Empty(t, o.Differences)
	assert.Equal(t, 7, o.Checked)
}

// TestRecordedHistoryIsACase: what was recorded passes, is read back from a file, and fails on a store that differs.
func TestRecordedHistoryIsACase(t *testing.T) {
	seed := Seed(7)
	c := Random(&seed, "recorded", 60, true)
	p, err := NewStorePlayer(zkmem.New(zkmem.Options{}), "/base")
	require.NoError(t, err)
	require.NoError(t, Record(&c, p))
	f, err := Read("f", []byte(`{"format":"zkcases/1","cases":[`+c.JSON()+`]}`))
	require.NoError(t, err)
	require.Equal(t, c, f.Cases[0])
	o, err := PlayOn(zkmem.New(zkmem.Options{}), &c, "/other")
	require.NoError(t, err)
	assert.Empty(t, o.Differences)
	assert.Greater(t, o.Checked, 60)
}

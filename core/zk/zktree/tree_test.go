package zktree

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"controllerscope/core/zk"
	"controllerscope/core/zk/zkmem"
)

const small = `zktree/1
/ version=0 creates=2 data=
/a version=0 creates=12
/a/s-0000000011 version=3 creates=0 data={"version":1,"x":"é # y"}
/a/é version=0 creates=0 owner=0xf00000000000001 data=e
/a-b version=0 creates=1 data=
"/a-b/two words" version=1 creates=0 quoted="line\nand \xff"
`

func TestRoundTrip(t *testing.T) {
	tree, err := Read("small", small)
	require.NoError(t, err)
	assert.Equal(t, Tree{
		{Path: "/", Data: []byte{}, Creates: 2},
		{Path: "/a", Creates: 12},
		{Path: "/a/s-0000000011", Data: []byte(`{"version":1,"x":"é # y"}`), Version: 3},
		{Path: "/a/é", Data: []byte("e"), Owner: 0x0f00000000000001},
		{Path: "/a-b", Data: []byte{}, Creates: 1},
		{Path: "/a-b/two words", Data: []byte("line\nand \xff"), Version: 1},
	}, tree)
	assert.Equal(t, small, tree.String())
	marked, err := Read("small", "\ufeff"+strings.ReplaceAll(small, "\n", "\r\n")) // as an editor on Windows saves it
	require.NoError(t, err)
	assert.Equal(t, tree, marked)
}

// planted is a fresh emulator that begins with a tree.
func planted(t *testing.T, tree Tree) *zkmem.Store {
	s := zkmem.New(zkmem.Options{})
	require.NoError(t, s.Plant(1000, tree))
	return s
}

// TestPlanted: the emulator shows the tree as it was, and goes on from there: the next sequence name follows, the Cversion
// is 2 × creates − children, the owner's end deletes its node.
func TestPlanted(t *testing.T) {
	tree, err := Read("small", small)
	require.NoError(t, err)
	s := planted(t, tree)
	assert.Equal(t, small, Of(s.Walk).String())
	_, stat, _ := s.Node("/a")
	assert.Equal(t, zk.Stat{Czxid: 1, Mzxid: 1, Pzxid: 3, Ctime: 1000, Mtime: 1000, Cversion: 22, NumChildren: 2}, stat)
	assert.Equal(t, []zkmem.Session{{ID: 0x0f00000000000001, TimeoutMS: 18000}}, s.Sessions())
	id, _, fx, err := s.Open(2000, 10_000)
	require.NoError(t, err)
	assert.EqualValues(t, 6, fx.Zxid)
	r, _, _ := s.Apply(2000, id, zk.Op{Kind: zk.Create, Path: "/a/s-", Mode: zk.PersistentSequential})
	assert.Equal(t, "/a/s-0000000012", r.Path)
	fx, err = s.Expire(3000, 0x0f00000000000001)
	require.NoError(t, err)
	assert.Equal(t, "/a/é", fx.Nodes[0].Path)
	assert.True(t, fx.Nodes[0].Gone)
	assert.ErrorIs(t, s.Plant(0, tree), zkmem.ErrPlanted)
}

func TestPlantRefuses(t *testing.T) {
	for name, nodes := range map[string]Tree{
		"no parent": {{Path: "/a/b"}}, "twice": {{Path: "/a"}, {Path: "/a"}}, "no path": {{Path: "a"}},
		"below an ephemeral": {{Path: "/a", Owner: 1, Creates: 1}, {Path: "/a/b"}}, "creates": {{Path: "/a"}, {Path: "/a/b"}},
	} {
		assert.ErrorIs(t, zkmem.New(zkmem.Options{}).Plant(0, nodes), zkmem.ErrPlanted, name)
	}
}

func TestBadText(t *testing.T) {
	for text, want := range map[string]string{
		"":                                    "t:1: the text is empty; the first line must be zktree/1",
		"# x\n/a\n":                           `t:2: "/a" is not a tree; the first line must be zktree/1`,
		"zktree/1\na":                         `t:2: version=N and creates=N are both needed, none below 0`,
		"zktree/1\na version=0 creates=0":     `t:2: "a" is not a path; paths begin with a slash`,
		"zktree/1\n/a//b version=0 creates=0": `t:2: "/a//b" is not a path: no name in it may be empty, . or ..`,
		"zktree/1\n\"/a\\u0001\" version=0 creates=0":                                   `t:2: "/a\x01" is not a path: ZooKeeper does not allow the character '\x01'`,
		"zktree/1\n\"/a version=0 creates=0":                                            `t:2: "\"/a version=0 creates=0" begins with a quote that does not end`,
		"zktree/1\n/a version=x creates=0":                                              `t:2: version=x is not a number from 0 to 2147483647`,
		"zktree/1\n/a version=0 creates=-1":                                             `t:2: creates=-1 is not a number from 0 to 1073741823`,
		"zktree/1\n/a version=0 creates=0 owner=me":                                     `t:2: owner=me is not the id of a session, such as 0x100000000000001`,
		"zktree/1\n/a version=0 creates=0 colour=red":                                   `t:2: "colour=red" is not known here; a node has version=, creates=, owner= and last data= or quoted=`,
		"zktree/1\n/a version=0 creates=0 quoted=x":                                     `t:2: "x" is not a quoted string to the end of the line`,
		"zktree/1\n/a version=0 creates=0\n/a version=0 creates=0":                      `t:3: /a stands twice`,
		"zktree/1\n/a version=0 creates=0\n/ version=0 creates=1":                       `t:3: the root, /, must stand before all others and is nobody's ephemeral`,
		"zktree/1\n/a/b version=0 creates=0":                                            `t:2: /a/b has no parent here; /a must stand before it`,
		"zktree/1\n/a version=0 creates=1 owner=0x1\n/a/b version=0 creates=0":          `t:3: /a/b cannot be: its parent is ephemeral, and those have no children`,
		"zktree/1\n# x\n/a version=0 creates=0\n/a/b version=0 creates=0":               `t:3: /a has 1 children, so creates=0 cannot be: it counts all that were ever made`,
		"zktree/1\n/zookeeper/quota version=0 creates=0":                                `t:2: /zookeeper/quota belongs to ZooKeeper itself and cannot be part of a tree`,
		"zktree/1\n/" + strings.Repeat("a", 80) + "/ version=0 creates=0 data=" + "x y": `t:2: "/` + strings.Repeat("a", 59) + `…" is not a path: no name in it may be empty, . or ..`,
	} {
		_, err := Read("t", text)
		assert.EqualError(t, err, want, text)
	}
}

func TestRedact(t *testing.T) {
	for _, c := range []struct {
		path, data, want string
	}{
		{"/config/users/alice", `{"version":1,"config":{"SCRAM-SHA-256":"salt=c2Fs,stored_key=a,server_key=b,iterations=4096","producer_byte_rate":"9"}}`,
			`{"config":{"SCRAM-SHA-256":"(redacted)","producer_byte_rate":"9"},"version":1}`},
		{"/config/users/bob", `{"version":1,"config":{"producer_byte_rate":"9"}}`, ""},
		{"/config/brokers/1", `{"version":1,"config":{"listener.name.x.ssl.keystore.password":"abc","num.io.threads":"9"}}`,
			`{"config":{"listener.name.x.ssl.keystore.password":"(redacted)","num.io.threads":"9"},"version":1}`},
		{"/config/brokers/<default>", `{"version":1,"config":{"listener.name.x.plain.sasl.jaas.config":"abc"}}`,
			`{"config":{"listener.name.x.plain.sasl.jaas.config":"(redacted)"},"version":1}`},
		{"/config/topics/t", `{"version":1,"config":{"password":"x"}}`, ""},
		{"/config/users/c", `SCRAM in the old form`, "(redacted)"},
		{"/config/users/d", ``, ""},
		{"/delegation_token/tokens/abc", `{"version":1,"owner":"User:x","tokenId":"abc"}`, "(redacted)"},
	} {
		n := zk.Plant{Path: c.path, Data: []byte(c.data)}
		assert.Equal(t, c.want != "", Redact(&n), c.path)
		if c.want == "" {
			c.want = c.data
		}
		assert.Equal(t, c.want, string(n.Data), c.path)
	}
}

// TestOrder: a node's children follow it at once, whatever else begins with its name.
func TestOrder(t *testing.T) {
	tree := Tree{{Path: "/a-b"}, {Path: "/a/z"}, {Path: "/a"}, {Path: "/"}, {Path: "/a.b"}, {Path: "/a/b/c"}, {Path: "/a/b"}}
	tree.Sort()
	var paths []string
	for _, n := range tree {
		paths = append(paths, n.Path)
	}
	assert.Equal(t, []string{"/", "/a", "/a/b", "/a/b/c", "/a/z", "/a-b", "/a.b"}, paths)
}

// FuzzRead: any text is refused in a sentence, or is a tree that can be planted and comes back as the same text.
func FuzzRead(f *testing.F) {
	f.Add(small)
	f.Add("zktree/1\n\"/\\\"\" version=0 creates=0 quoted=\" \"\n/b version=1 creates=9 owner=1 data= x \n")
	f.Fuzz(func(t *testing.T, text string) {
		tree, err := Read("fuzzed", text)
		if err != nil {
			require.IsType(t, &Error{}, err)
			return
		}
		again, err := Read("again", tree.String())
		require.NoError(t, err)
		require.Equal(t, tree, again)
		shown := Of(planted(t, tree).Walk)
		if len(tree) > 0 && tree[0].Path != "/" || len(tree) == 0 {
			shown = shown[1:]
		}
		require.Equal(t, tree.String(), shown.String())
	})
}

package zkcases

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"controllerscope/core/zk"
)

func TestReadRecorded(t *testing.T) {
	f, err := Read("zookeeper-cases.json", Recorded)
	require.NoError(t, err)
	require.Len(t, f.Cases, 53)
	steps := 0
	for _, c := range f.Cases {
		steps += len(c.Steps)
	}
	assert.Equal(t, 486, steps)
	assert.Equal(t, "session-open-close", f.Cases[0].Name)
	assert.Equal(t, Args{Version: -1, TimeoutMS: 10000, ACL: []zk.ACL{{Perms: 31, Scheme: "world", ID: "anyone"}}}, f.Cases[0].Steps[0].Args)
}

// file wraps steps into a file of one case.
func file(steps string) []byte {
	return []byte(`{"format":"zkcases/1","about":"","cases":[{"name":"c","steps":[{"session":"A","op":"open"},` + steps + `]}]}`)
}

func TestArguments(t *testing.T) {
	f, err := Read("f", file(`
		{"session":"A","op":"create","args":{"path":"~/a","data":{"repeat":"xy","count":5},"flags":3,"acl":[{"perms":1,"scheme":"digest","id":"u","password":"p"}]}},
		{"session":"A","op":"set_acl","args":{"path":"~/a","no_acl":true,"version":0}},
		{"session":"A","op":"multi","args":{"ops":[{"op":"create","path":"~/b"},{"op":"check","path":"/","version":2}]},"expect":{"error":null}}`))
	require.NoError(t, err)
	s := f.Cases[0].Steps
	assert.Equal(t, Args{Path: "~/a", Data: []byte("xyxyx"), Version: -1, Flags: 3, TimeoutMS: 10000,
		// base64 of sha1("u:p"), as printf u:p | openssl sha1 -binary | base64 writes it
		ACL: []zk.ACL{{Perms: 1, Scheme: "digest", ID: "u:Jq7wMyA/w2Vd5WIDAKdu4OIIFEQ="}}}, s[1].Args)
	assert.Equal(t, []zk.ACL{}, s[2].Args.ACL)
	assert.Equal(t, int32(0), s[2].Args.Version)
	assert.Equal(t, []zk.Op{{Kind: zk.Create, Path: "~/b", Version: -1, ACL: []zk.ACL{{Perms: 31, Scheme: "world", ID: "anyone"}}},
		{Kind: zk.Check, Path: "/", Version: 2}}, s[3].Args.Ops)
	assert.Equal(t, map[string]any{"error": nil}, s[3].Expect)
}

// TestRefusals has one file per thing that can be wrong, each with the place and what is allowed.
func TestRefusals(t *testing.T) {
	for _, c := range []struct {
		name, data, want string
	}{
		{"syntax", "{\n\"format\": zkcases\n}", `f: line 2: not JSON: `},
		{"empty", "", `f: line 1: not JSON: EOF; a case file is {"format":"zkcases/1","about":…,"cases":[…]}`},
		{"behind", `{"format":"zkcases/1","cases":[]} x`, `f: line 1: not JSON: `},
		{"list", "[]", `f: the file is []; an object is wanted`},
		{"format", `{"format":"zkcases/2","cases":[]}`, `f: "format" is "zkcases/2"; "zkcases/1" is wanted`},
		{"no cases", `{"format":"zkcases/1"}`, `f: there is no "cases"; a list of cases is wanted`},
		{"fraction", `{"format":"zkcases/1","cases":[1.5]}`, `f: 1.5 is not a whole number of 64 bits`},
		{"no name", `{"format":"zkcases/1","cases":[{"steps":[]}]}`, `f, case 1: "name" is ""; every case has a name of its own`},
		{"same name", `{"format":"zkcases/1","cases":[{"name":"a","steps":[]},{"name":"a","steps":[]}]}`, `f, case "a": "name" is "a"; every case has a name of its own`},
		{"op", string(file(`{"session":"A","op":"creat"}`)), `f, case "c", step 2 (creat): unknown op "creat"; allowed: add_auth, await, await_gone, children, children_w, close, create, create_container, create_ttl, cut, delete, events, exists, exists_w, fill, get, get_acl, get_w, heal, multi, open, set, set_acl, stall, state, sync, watch`},
		{"no session", string(file(`{"op":"get"}`)), `f, case "c", step 2 (get): there is no "session"; every step names the session that acts`},
		{"unopened", string(file(`{"session":"B","op":"get"}`)), `f, case "c", step 2 (get): session "B" has not been opened; a session's first step, and only that, is open`},
		{"open twice", string(file(`{"session":"A","op":"open"}`)), `f, case "c", step 2 (open): session "A" is open already; a session's first step, and only that, is open`},
		{"argument", string(file(`{"session":"A","op":"get","args":{"pth":"~"}}`)), `f, case "c", step 2 (get): "args" has an unknown field "pth"; allowed: path`},
		{"argument type", string(file(`{"session":"A","op":"get","args":{"path":3}}`)), `f, case "c", step 2 (get): "path" is 3; a string is wanted`},
		{"range", string(file(`{"session":"A","op":"set","args":{"path":"~","version":3000000000}}`)), `f, case "c", step 2 (set): "version" is 3000000000; a whole number from -2147483648 to 2147483647 is wanted`},
		{"outside", string(file(`{"session":"A","op":"create","args":{"path":"/a"}}`)), `f, case "c", step 2 (create): path "/a" is outside the case's base node; write it as ~ or ~/…, or expect an "error"`},
		{"outside multi", string(file(`{"session":"A","op":"multi","args":{"ops":[{"op":"delete","path":"/a"}]}}`)), `f, case "c", step 2 (multi): path "/a" is outside the case's base node; write it as ~ or ~/…, or expect an "error"`},
		{"multi op", string(file(`{"session":"A","op":"multi","args":{"ops":[{"op":"get"}]}}`)), `f, case "c", step 2 (multi), operation 1 of the multi: unknown op "get"; allowed: check, create, delete, set`},
		{"watch", string(file(`{"session":"A","op":"watch","args":{"watch":"w"}}`)), `f, case "c", step 2 (watch): watch "w" of session "A" was not set by an earlier step`},
		{"await", string(file(`{"session":"A","op":"await","args":{"handle":"h"}}`)), `f, case "c", step 2 (await): handle "h" of session "A" was not started by an earlier async step`},
		{"missing argument", string(file(`{"session":"A","op":"await_gone"}`)), `f, case "c", step 2 (await_gone): the argument "path" is missing`},
		{"async", string(file(`{"session":"A","op":"cut","async":"x"}`)), `f, case "c", step 2 (cut): "cut" is no call and cannot be "async"`},
		{"field", string(file(`{"session":"A","op":"delete","args":{"path":"~"},"expect":{"stat":null}}`)), `f, case "c", step 2 (delete): "expect" has an unknown field "stat"; allowed: error`},
		{"stat", string(file(`{"session":"A","op":"get","args":{"path":"~"},"expect":{"stat":{"czxid":0}}}`)), `f, case "c", step 2 (get), expected "stat": a Stat without "aversion"; it has all of aversion, cversion, czxid, dataLength, ephemeralOwner, mzxid, numChildren, pzxid, version`},
		{"data", string(file(`{"session":"A","op":"set","args":{"path":"~","data":{"repeat":"","count":1}}}`)), `f, case "c", step 2 (set): "data" is {"count":1,"repeat":""}; a string or {"repeat":"x","count":n} is wanted`},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, err := Read("f", []byte(c.data))
			require.Error(t, err)
			assert.True(t, strings.HasPrefix(err.Error(), c.want), "got %s", err)
			assert.Empty(t, f.Cases)
		})
	}
}

// TestOutsideAllowed has paths without ~ that the reader takes: the root, system nodes, and writes said to fail.
func TestOutsideAllowed(t *testing.T) {
	_, err := Read("f", file(`{"session":"A","op":"set","args":{"path":"/"}},
		{"session":"A","op":"delete","args":{"path":"/zookeeper/quota"}},
		{"session":"A","op":"get","args":{"path":"/elsewhere"}},
		{"session":"A","op":"create","args":{"path":"//a"},"expect":{"error":"ErrInvalidPath"}}`))
	assert.NoError(t, err)
}

func TestCompare(t *testing.T) {
	c := Case{Name: "c", Steps: []Step{{Op: "get", Expect: map[string]any{"error": nil, "data": "x", "stat": "zero"}}}}
	got := Compare(c, 0, map[string]any{"error": "ErrNoNode", "data": "x"})
	require.Len(t, got, 2)
	assert.Equal(t, `case c, step 1 (get), error: want null, got "ErrNoNode"`, got[0].String())
	assert.Equal(t, `case c, step 1 (get), stat: want "zero", got "(no such field)"`, got[1].String())
}

func TestValues(t *testing.T) {
	owner := func(id zk.SessionID) string { return map[zk.SessionID]string{7: "A"}[id] }
	assert.Nil(t, StatValue(nil, 100, owner))
	assert.Equal(t, "zero", StatValue(&zk.Stat{}, 100, owner))
	assert.Equal(t, map[string]any{"czxid": int64(0), "mzxid": int64(2), "pzxid": "pre", "version": int64(1), "cversion": int64(-1),
		"aversion": int64(3), "ephemeralOwner": "A", "dataLength": int64(4), "numChildren": int64(5)},
		StatValue(&zk.Stat{Czxid: 100, Mzxid: 102, Pzxid: 99, Version: 1, Cversion: -1, Aversion: 3, EphemeralOwner: 7, DataLength: 4, NumChildren: 5}, 100, owner))
	assert.Equal(t, map[string]any{"len": int64(201)}, DataValue(make([]byte, 201)))
	assert.Equal(t, "", DataValue([]byte{}))
	r := map[string]any{}
	AddChildren(r, []string{"b", "a"})
	assert.Equal(t, map[string]any{"children": []any{"a", "b"}}, r)
	r = map[string]any{}
	AddChildren(r, make([]string, 101))
	assert.Equal(t, map[string]any{"count": int64(101)}, r)
	assert.Equal(t, "/b/x", Expand("~/x", "/b"))
	assert.Equal(t, "~x", Expand("~x", "/b"))
	assert.Equal(t, "~", Contract("/b", "/b"))
	assert.Equal(t, "/bb", Contract("/bb", "/b"))
}

// FuzzRead looks for input that makes the reader panic, or an error that does not start with the file's name.
func FuzzRead(f *testing.F) {
	f.Add(file(`{"session":"A","op":"multi","args":{"ops":[{"op":"create","acl":[{}]}]}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		if _, err := Read("name", data); err != nil && !strings.HasPrefix(err.Error(), "name") {
			t.Fatalf("an error without the file's name: %v", err)
		}
	})
}

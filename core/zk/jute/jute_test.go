package jute

import (
	"encoding/hex"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"controllerscope/core/zk"
)

// raw is bytes written as hex, blanks ignored.
func raw(t testing.TB, text string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.ReplaceAll(text, " ", ""))
	require.NoError(t, err)
	return b
}

func TestConnect(t *testing.T) {
	wire := raw(t, "00000000 0000000000000007 00002710 0100000000000002 00000010 000102030405060708090a0b0c0d0e0f")
	password := []byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}
	want := ConnectRequest{LastZxidSeen: 7, TimeoutMS: 10000, SessionID: 0x0100000000000002, Password: password}
	got, err := DecodeConnectRequest(wire)
	require.NoError(t, err)
	assert.Equal(t, want, got)
	assert.Equal(t, wire, want.Append(nil))
	// A Java client adds the read-only byte.
	got, err = DecodeConnectRequest(append(wire, 1))
	require.NoError(t, err)
	assert.True(t, got.HasReadOnly && got.ReadOnly)

	answer := ConnectResponse{TimeoutMS: 4000, SessionID: 5, Password: password, HasReadOnly: true}
	wire = raw(t, "00000000 00000fa0 0000000000000005 00000010 000102030405060708090a0b0c0d0e0f 00")
	assert.Equal(t, wire, answer.Append(nil))
	back, err := DecodeConnectResponse(wire)
	require.NoError(t, err)
	assert.Equal(t, answer, back)
}

// requests are one of each kind with its bytes.
var requests = []struct {
	name, wire string
	want       Request
}{
	{"create", "00000001 00000001 00000002 2f61 ffffffff 00000001 0000001f 00000005 776f726c64 00000006 616e796f6e65 00000003",
		Request{Xid: 1, Code: OpCreate, Op: zk.Op{Kind: zk.Create, Path: "/a", ACL: worldAll, Mode: zk.EphemeralSequential}}},
	{"createTTL", "00000001 00000015 00000002 2f61 00000000 00000000 00000005 00000000000003e8",
		Request{Xid: 1, Code: OpCreateTTL, Op: zk.Op{Kind: zk.Create, Path: "/a", Data: []byte{}, ACL: []zk.ACL{}, Mode: zk.TTL, TTL: 1000}}},
	{"delete", "00000002 00000002 00000002 2f61 ffffffff", Request{Xid: 2, Code: OpDelete, Op: zk.Op{Kind: zk.Delete, Path: "/a", Version: -1}}},
	{"exists", "00000003 00000003 00000002 2f61 01", Request{Xid: 3, Code: OpExists, Op: zk.Op{Kind: zk.Exists, Path: "/a", Watch: true}}},
	{"getData", "00000004 00000004 00000002 2f61 00", Request{Xid: 4, Code: OpGetData, Op: zk.Op{Kind: zk.Get, Path: "/a"}}},
	{"setData", "00000005 00000005 00000002 2f61 00000001 78 00000007", Request{Xid: 5, Code: OpSetData, Op: zk.Op{Kind: zk.Set, Path: "/a", Data: []byte("x"), Version: 7}}},
	{"getACL", "00000006 00000006 00000002 2f61", Request{Xid: 6, Code: OpGetACL, Op: zk.Op{Kind: zk.GetACL, Path: "/a"}}},
	{"setACL", "00000007 00000007 00000002 2f61 00000000 00000002", Request{Xid: 7, Code: OpSetACL, Op: zk.Op{Kind: zk.SetACL, Path: "/a", ACL: []zk.ACL{}, Version: 2}}},
	{"getChildren2", "00000008 0000000c 00000001 2f 01", Request{Xid: 8, Code: OpGetChildren2, Op: zk.Op{Kind: zk.Children, Path: "/", Watch: true}}},
	{"sync", "00000009 00000009 00000001 2f", Request{Xid: 9, Code: OpSync, Op: zk.Op{Kind: zk.Sync, Path: "/"}}},
	{"ping", "fffffffe 0000000b", Request{Xid: XidPing, Code: OpPing}},
	{"close", "0000000a fffffff5", Request{Xid: 10, Code: OpClose}},
	{"auth", "fffffffc 00000064 00000000 00000006 646967657374 00000003 753a70",
		Request{Xid: XidAuth, Code: OpAuth, Op: zk.Op{Kind: zk.AddAuth, Auth: zk.Auth{Scheme: "digest", Data: []byte("u:p")}}}},
	{"setWatches", "fffffff8 00000065 0000000000000009 00000001 00000002 2f64 00000000 00000001 00000002 2f63",
		Request{Xid: XidSetWatches, Code: OpSetWatches, Watches: SetWatches{RelativeZxid: 9, Data: []string{"/d"}, Exist: []string{}, Child: []string{"/c"}}}},
	{"multi", "0000000b 0000000e" + " 0000000d 00 ffffffff 00000002 2f61 00000003" + " 00000002 00 ffffffff 00000002 2f62 ffffffff" + " ffffffff 01 ffffffff",
		Request{Xid: 11, Code: OpMulti, Codes: []OpCode{OpCheck, OpDelete}, Op: zk.Op{Kind: zk.Multi, Ops: []zk.Op{
			{Kind: zk.Check, Path: "/a", Version: 3}, {Kind: zk.Delete, Path: "/b", Version: -1}}}}},
	{"unknown", "0000000c 0000006b", Request{Xid: 12, Code: 107}},
}

func TestRequests(t *testing.T) {
	for _, c := range requests {
		got, err := DecodeRequest(raw(t, c.wire))
		require.NoError(t, err, c.name)
		assert.Equal(t, c.want, got, c.name)
		assert.Equal(t, raw(t, c.wire), c.want.Append(nil), c.name)
	}
}

func TestWatches(t *testing.T) {
	w := SetWatches{Data: []string{"/d"}, Exist: []string{"/e"}, Child: []string{"/c"}}
	assert.Equal(t, []zk.Watch{{Path: "/d", Kind: zk.DataWatch}, {Path: "/e", Kind: zk.DataWatch, Exists: true},
		{Path: "/c", Kind: zk.ChildWatch}}, w.Watches())
}

// stat has a different value in every field, so that two exchanged ones are seen.
var stat = zk.Stat{Czxid: 1, Mzxid: 2, Ctime: 3, Mtime: 4, Version: 5, Cversion: 6, Aversion: 7, EphemeralOwner: 8,
	DataLength: 9, NumChildren: 10, Pzxid: 11}

const statWire = " 0000000000000001 0000000000000002 0000000000000003 0000000000000004 00000005 00000006 00000007" +
	" 0000000000000008 00000009 0000000a 000000000000000b"

func TestReplies(t *testing.T) {
	const header = "00000005 0000000000000063 00000000"
	multi := Request{Xid: 5, Code: OpMulti, Codes: []OpCode{OpCreate, OpCreate, OpSetData, OpCheck}, Op: zk.Op{Kind: zk.Multi,
		Ops: []zk.Op{{Kind: zk.Create}, {Kind: zk.Create, Mode: zk.Container}, {Kind: zk.Set}, {Kind: zk.Check}}}}
	for _, c := range []struct {
		name, wire string
		request    Request
		result     zk.Result
	}{
		{"error", "00000005 0000000000000063 ffffff9b", Request{Xid: 5, Code: OpGetData}, zk.Result{Err: zk.NoNode, Zxid: 99}},
		{"create", header + " 00000002 2f61", Request{Xid: 5, Code: OpCreate}, zk.Result{Path: "/a", Zxid: 99}},
		{"create2", header + " 00000002 2f61" + statWire, Request{Xid: 5, Code: OpCreate2}, zk.Result{Path: "/a", Stat: stat, Zxid: 99}},
		{"getData", header + " ffffffff" + statWire, Request{Xid: 5, Code: OpGetData}, zk.Result{Stat: stat, Zxid: 99}},
		{"getChildren", header + " 00000001 00000001 78", Request{Xid: 5, Code: OpGetChildren}, zk.Result{Children: []string{"x"}, Zxid: 99}},
		{"getChildren2", header + " 00000000" + statWire, Request{Xid: 5, Code: OpGetChildren2}, zk.Result{Children: []string{}, Stat: stat, Zxid: 99}},
		{"getACL", header + " 00000001 00000001 00000001 73 00000001 69" + statWire, Request{Xid: 5, Code: OpGetACL},
			zk.Result{ACL: []zk.ACL{{Perms: 1, Scheme: "s", ID: "i"}}, Stat: stat, Zxid: 99}},
		{"ping", header, Request{Xid: 5, Code: OpPing}, zk.Result{Zxid: 99}},
		{"multi", header + " 00000001 00 00000000 00000002 2f61" + " 0000000f 00 00000000 00000002 2f63" + statWire +
			" 00000005 00 00000000" + statWire + " 0000000d 00 00000000" + " ffffffff 01 ffffffff", multi,
			zk.Result{Zxid: 99, Results: []zk.Result{{Path: "/a", Zxid: 99}, {Path: "/c", Stat: stat, Zxid: 99}, {Stat: stat, Zxid: 99}, {Zxid: 99}}}},
		// A failed multi answers 0 for what stood before the failure and -2 for what stood after it (reference, 5.2).
		{"failed multi", header + " ffffffff 00 00000000 00000000" + " ffffffff 00 ffffff92 ffffff92" + " ffffffff 00 fffffffe fffffffe" + " ffffffff 01 ffffffff",
			multi, zk.Result{Err: zk.NodeExists, Zxid: 99, Results: []zk.Result{{Zxid: 99}, {Err: zk.NodeExists, Zxid: 99}, {Err: zk.RuntimeInconsistency, Zxid: 99}}}},
		{"empty multi", header + " ffffffff 01 ffffffff", Request{Xid: 5, Code: OpMulti}, zk.Result{Results: []zk.Result{}, Zxid: 99}},
		{"multi refused whole", "00000005 0000000000000063 fffffffb", multi, zk.Result{Err: zk.MarshallingError, Zxid: 99}},
	} {
		assert.Equal(t, raw(t, c.wire), AppendReply(nil, c.request, 99, c.result), c.name)
		_, got, err := DecodeReply(c.request, raw(t, c.wire))
		require.NoError(t, err, c.name)
		assert.Equal(t, c.result, got, c.name)
	}
}

func TestEvent(t *testing.T) {
	wire := raw(t, "ffffffff ffffffffffffffff 00000000 00000003 00000003 00000002 2f61")
	assert.Equal(t, wire, AppendEvent(nil, zk.Event{Type: zk.NodeDataChanged, Path: "/a"}))
	d := NewDecoder(wire)
	assert.Equal(t, ReplyHeader{Xid: XidNotification, Zxid: -1}, d.ReplyHeader())
	assert.Equal(t, zk.Event{Type: zk.NodeDataChanged, Path: "/a"}, d.Event())
	require.NoError(t, d.Err())
}

func TestFrames(t *testing.T) {
	b := EndFrame(append(BeginFrame([]byte("before")), 1, 2, 3), 6)
	assert.Equal(t, raw(t, "6265666f7265 00000003 010203"), b)
	n, err := FrameLength([4]byte{0, 0x0f, 0xff, 0xff}, MaxFrame)
	require.NoError(t, err)
	assert.Equal(t, 1048575, n)
	_, err = FrameLength([4]byte{0, 0x10, 0, 0}, MaxFrame)
	assert.EqualError(t, err, "jute: the frame announces 1048576 bytes; 0 to 1048575 are allowed")
	_, err = FrameLength([4]byte{0xff, 0xff, 0xff, 0xff}, MaxFrame)
	assert.EqualError(t, err, "jute: the frame announces -1 bytes; 0 to 1048575 are allowed")
}

func TestDamage(t *testing.T) {
	for wire, want := range map[string]string{
		"000000":                                                      "jute: byte 0: an int of 4 bytes does not fit into the 3 that are left",
		"00000001 00000004 00000009":                                  "jute: byte 12: a string of 9 bytes does not fit into the 0 that are left",
		"00000001 00000004 fffffff0":                                  "jute: byte 8: a string has length -16",
		"00000001 00000001 00000000 00000000 7fffffff":                "jute: byte 20: a vector of ACL entries of 2147483647 members does not fit into the 0 bytes that are left",
		"00000001 0000000e 00000004 00 ffffffff":                      "jute: byte 17: an int of 4 bytes does not fit into the 0 that are left",
		"00000001 0000000e 00000004 00 ffffffff 00000000 00 00000000": "jute: byte 22: a multi holds create, delete, set and check, not operation 4",
	} {
		_, err := DecodeRequest(raw(t, wire))
		assert.EqualError(t, err, want, wire)
	}
}

// FuzzRequest looks for packets that make the decoder panic, or that change on the way through it.
func FuzzRequest(f *testing.F) {
	for _, c := range requests {
		f.Add(raw(f, c.wire))
	}
	f.Fuzz(func(t *testing.T, wire []byte) {
		r, err := DecodeRequest(wire)
		if err != nil {
			return
		}
		again, err := DecodeRequest(r.Append(nil))
		require.NoError(t, err)
		assert.Equal(t, normal(r), normal(again))
	})
}

// normal drops the difference between a vector that is null and one that is empty, which the encoder does not keep.
func normal(r Request) Request {
	for _, list := range []*[]string{&r.Watches.Data, &r.Watches.Exist, &r.Watches.Child, &r.Watches.Persistent, &r.Watches.Recursive} {
		if len(*list) == 0 {
			*list = nil
		}
	}
	return r
}

// FuzzReply looks for answers that make the client's side panic.
func FuzzReply(f *testing.F) {
	f.Add(int32(OpGetData), raw(f, "00000005 0000000000000063 00000000 ffffffff"+statWire))
	f.Add(int32(OpMulti), raw(f, "00000005 0000000000000063 00000000 00000001 00 00000000 00000002 2f61 ffffffff 01 ffffffff"))
	f.Fuzz(func(_ *testing.T, code int32, wire []byte) {
		_, _, _ = DecodeReply(Request{Code: OpCode(code)}, wire)
		_, _ = DecodeConnectRequest(wire)
		_, _ = DecodeConnectResponse(wire)
		NewDecoder(wire).Event()
	})
}

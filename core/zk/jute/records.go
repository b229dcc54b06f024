package jute

import "controllerscope/core/zk"

// The xids that are not a request's number.
const (
	XidNotification int32 = -1 // a watch event
	XidPing         int32 = -2
	XidAuth         int32 = -4 // the Java client's; others number it like a request
	XidSetWatches   int32 = -8
)

// PasswordLength is the length of a session's password in bytes.
const PasswordLength = 16

// ConnectRequest is the first packet of a connection: a new session (SessionID 0) or the resumption of one.
type ConnectRequest struct {
	ProtocolVersion int32
	LastZxidSeen    int64
	TimeoutMS       int32
	SessionID       zk.SessionID
	Password        []byte
	// HasReadOnly tells whether the client wrote the read-only byte (not before ZooKeeper 3.4, and go-zookeeper does not);
	// the answer to one that did not has none either.
	HasReadOnly, ReadOnly bool
}

// Append appends the record.
func (r ConnectRequest) Append(b []byte) []byte {
	b = AppendInt(b, r.ProtocolVersion)
	b = AppendLong(b, r.LastZxidSeen)
	b = AppendInt(b, r.TimeoutMS)
	b = AppendLong(b, int64(r.SessionID))
	b = AppendBuffer(b, r.Password)
	if r.HasReadOnly {
		b = AppendBool(b, r.ReadOnly)
	}
	return b
}

// DecodeConnectRequest reads a connection's first packet.
func DecodeConnectRequest(b []byte) (ConnectRequest, error) {
	d := NewDecoder(b)
	r := ConnectRequest{ProtocolVersion: d.Int(), LastZxidSeen: d.Long(), TimeoutMS: d.Int(),
		SessionID: zk.SessionID(d.Long()), Password: d.Buffer()}
	if d.Err() == nil && d.Rest() > 0 {
		r.HasReadOnly, r.ReadOnly = true, d.Bool()
	}
	return r, d.Err()
}

// ConnectResponse answers it; SessionID 0 and TimeoutMS 0 mean that the session is gone or the password wrong.
type ConnectResponse struct {
	ProtocolVersion       int32
	TimeoutMS             int32
	SessionID             zk.SessionID
	Password              []byte
	HasReadOnly, ReadOnly bool
}

// Append appends the record.
func (r ConnectResponse) Append(b []byte) []byte {
	b = AppendInt(b, r.ProtocolVersion)
	b = AppendInt(b, r.TimeoutMS)
	b = AppendLong(b, int64(r.SessionID))
	b = AppendBuffer(b, r.Password)
	if r.HasReadOnly {
		b = AppendBool(b, r.ReadOnly)
	}
	return b
}

// DecodeConnectResponse reads a server's first packet.
func DecodeConnectResponse(b []byte) (ConnectResponse, error) {
	d := NewDecoder(b)
	r := ConnectResponse{ProtocolVersion: d.Int(), TimeoutMS: d.Int(), SessionID: zk.SessionID(d.Long()),
		Password: d.Buffer()}
	if d.Err() == nil && d.Rest() > 0 {
		r.HasReadOnly, r.ReadOnly = true, d.Bool()
	}
	return r, d.Err()
}

// ReplyHeader precedes every packet of a server but the connect response.
type ReplyHeader struct {
	Xid  int32
	Zxid int64
	Err  zk.Code
}

// Append appends the record.
func (h ReplyHeader) Append(b []byte) []byte {
	return AppendInt(AppendLong(AppendInt(b, h.Xid), h.Zxid), int32(h.Err))
}

// ReplyHeader reads one.
func (d *Decoder) ReplyHeader() ReplyHeader {
	return ReplyHeader{Xid: d.Int(), Zxid: d.Long(), Err: zk.Code(d.Int())}
}

// stateSyncConnected is the KeeperState that a server writes into every watch event.
const stateSyncConnected = 3

// AppendEvent appends a watch event with its header (xid -1, zxid -1), without a frame.
func AppendEvent(b []byte, e zk.Event) []byte {
	b = ReplyHeader{Xid: XidNotification, Zxid: -1}.Append(b)
	b = AppendInt(b, int32(e.Type))
	b = AppendInt(b, stateSyncConnected)
	return AppendString(b, e.Path)
}

// Event reads the watch event behind a header with XidNotification.
func (d *Decoder) Event() zk.Event {
	t := d.Int()
	d.Int()
	e := zk.Event{Type: zk.EventType(t), Path: d.String()}
	if d.err == nil && (t < int32(zk.NodeCreated) || t > int32(zk.NodeChildrenChanged)) {
		d.fail("a watch event of type %d; 1 to 4 are known", t)
	}
	return e
}

// AppendStat appends a Stat, 68 bytes.
func AppendStat(b []byte, s zk.Stat) []byte {
	b = AppendLong(AppendLong(AppendLong(AppendLong(b, s.Czxid), s.Mzxid), s.Ctime), s.Mtime)
	b = AppendInt(AppendInt(AppendInt(b, s.Version), s.Cversion), s.Aversion)
	b = AppendLong(b, int64(s.EphemeralOwner))
	return AppendLong(AppendInt(AppendInt(b, s.DataLength), s.NumChildren), s.Pzxid)
}

// Stat reads one.
func (d *Decoder) Stat() zk.Stat {
	return zk.Stat{Czxid: d.Long(), Mzxid: d.Long(), Ctime: d.Long(), Mtime: d.Long(),
		Version: d.Int(), Cversion: d.Int(), Aversion: d.Int(), EphemeralOwner: zk.SessionID(d.Long()),
		DataLength: d.Int(), NumChildren: d.Int(), Pzxid: d.Long()}
}

// worldAll is what a nil list in a zk.Op stands for.
var worldAll = []zk.ACL{{Perms: 31, Scheme: "world", ID: "anyone"}}

// AppendACL appends a list; nil is world:anyone with all permissions.
func AppendACL(b []byte, acl []zk.ACL) []byte {
	if acl == nil {
		acl = worldAll
	}
	b = AppendInt(b, int32(len(acl)))
	for _, a := range acl {
		b = AppendString(AppendString(AppendInt(b, a.Perms), a.Scheme), a.ID)
	}
	return b
}

// ACL reads a list; null reads as the empty one, which a server refuses alike, so the result is never nil.
func (d *Decoder) ACL() []zk.ACL {
	n, _ := d.vector(12, "a vector of ACL entries")
	acl := []zk.ACL{}
	for range n {
		acl = append(acl, zk.ACL{Perms: d.Int(), Scheme: d.String(), ID: d.String()})
	}
	return acl
}

// SetWatches is what a client sends after a reconnect: its watches, and the zxid of the last answer it read.
type SetWatches struct {
	RelativeZxid       int64
	Data, Exist, Child []string
	// Persistent and Recursive are the two lists that SetWatches2 has more.
	Persistent, Recursive []string
}

// Watches lists them as a Store takes them.
func (w SetWatches) Watches() []zk.Watch {
	out := make([]zk.Watch, 0, len(w.Data)+len(w.Exist)+len(w.Child))
	for _, p := range w.Data {
		out = append(out, zk.Watch{Path: p, Kind: zk.DataWatch})
	}
	for _, p := range w.Exist {
		out = append(out, zk.Watch{Path: p, Kind: zk.DataWatch, Exists: true})
	}
	for _, p := range w.Child {
		out = append(out, zk.Watch{Path: p, Kind: zk.ChildWatch})
	}
	return out
}

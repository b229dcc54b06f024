// Package zk is the border between Kafka's code and ZooKeeper: what a request, an answer, a Stat and a watch event are,
// and the two ports. Session is what Kafka's code sees of ZooKeeper; Store is what the world sees of it. zkmem is a Store
// in memory, zkreal is both over a real ensemble, sim makes Sessions over any Store.
package zk

import "strconv"

// SessionID names a ZooKeeper session; 0 is none.
type SessionID int64

// Kind is the kind of a request.
type Kind uint8

const (
	Create Kind = iota + 1
	Delete
	Exists
	Get
	Set
	Children
	Check // inside Multi only
	Multi
	Sync
	GetACL
	SetACL
	AddAuth // gives a credential to the session's connection; it is lost with the connection
)

var kindNames = [...]string{"", "create", "delete", "exists", "get", "set", "children", "check", "multi", "sync",
	"getACL", "setACL", "addAuth"}

func (k Kind) String() string { return kindNames[k] }

// IsWrite reports whether a request of this kind goes through the transaction log (and so takes a zxid).
func (k Kind) IsWrite() bool {
	return k == Create || k == Delete || k == Set || k == Multi || k == SetACL
}

// Mode is a create mode; the values are ZooKeeper's flags.
type Mode int32

const (
	Persistent           Mode = 0
	Ephemeral            Mode = 1
	PersistentSequential Mode = 2
	EphemeralSequential  Mode = 3
	Container            Mode = 4
	TTL                  Mode = 5
	TTLSequential        Mode = 6
)

// AnyVersion as the version of a set, delete or check matches every version.
const AnyVersion int32 = -1

// Op is one request. Data nil is ZooKeeper's null, which differs from empty data.
type Op struct {
	Kind    Kind
	Path    string
	Data    []byte
	Version int32 // Set, Delete, Check, SetACL (there the Aversion)
	Mode    Mode  // Create
	TTL     int64 // Create with a TTL mode, in ms
	ACL     []ACL // Create, SetACL; nil is world:anyone with all permissions, empty is refused as InvalidACL
	Watch   bool  // Exists, Get, Children
	Ops     []Op  // Multi
	Auth    Auth  // AddAuth
}

// Subject is the path that names a request: of a multi, that of its last operation (the first is often a check).
func (op Op) Subject() string {
	if op.Kind == Multi && len(op.Ops) > 0 {
		return op.Ops[len(op.Ops)-1].Path
	}
	return op.Path
}

// Outcomes shows each operation of a multi with its own code: "check /controller_epoch OK".
func (op Op) Outcomes(r Result) []any {
	out := make([]any, len(op.Ops))
	for i, o := range op.Ops {
		code := OK
		if i < len(r.Results) {
			code = r.Results[i].Err
		}
		out[i] = o.Kind.String() + " " + o.Path + " " + code.Error()
	}
	return out
}

// Auth is a credential: scheme "digest" with "user:password", or "ip" with nothing.
type Auth struct {
	Scheme string
	Data   []byte
}

// ACL is one entry of an access control list.
type ACL struct {
	Perms      int32
	Scheme, ID string
}

// Stat is ZooKeeper's Stat, all fields as the server shows them. Times are ms since 1970 by the server's clock.
type Stat struct {
	Czxid, Mzxid, Pzxid         int64
	Ctime, Mtime                int64
	Version, Cversion, Aversion int32
	EphemeralOwner              SessionID
	DataLength, NumChildren     int32
}

// Result answers one Op. A failed Multi has the code of its first failure in Err and every op's own code in Results.
type Result struct {
	Err      Code
	Path     string   // Create: the finished name
	Data     []byte   // Get
	Stat     Stat     // Exists, Get, Set, Children, GetACL, SetACL; Create too where the store knows it
	Children []string // Children, in the server's order
	Results  []Result // Multi; nil if it failed as a whole (MarshallingError)
	ACL      []ACL    // GetACL
	Zxid     int64    // of a write: its transaction, also when refused; of a read: the last one applied
}

// Code is ZooKeeper's error code; OK is success. A Code other than OK is an error.
type Code int32

const (
	OK                      Code = 0
	RuntimeInconsistency    Code = -2
	ConnectionLoss          Code = -4
	MarshallingError        Code = -5
	Unimplemented           Code = -6
	BadArguments            Code = -8
	NoNode                  Code = -101
	NoAuth                  Code = -102
	BadVersion              Code = -103
	NoChildrenForEphemerals Code = -108
	NodeExists              Code = -110
	NotEmpty                Code = -111
	SessionExpired          Code = -112
	InvalidACL              Code = -114
	AuthFailed              Code = -115
	SessionMoved            Code = -118
	// Closed is the client's own: its session was closed by itself.
	Closed Code = -1000
)

var codeNames = map[Code]string{OK: "OK", RuntimeInconsistency: "RUNTIMEINCONSISTENCY", ConnectionLoss: "CONNECTIONLOSS",
	MarshallingError: "MARSHALLINGERROR", Unimplemented: "UNIMPLEMENTED", BadArguments: "BADARGUMENTS", NoNode: "NONODE",
	NoAuth: "NOAUTH", BadVersion: "BADVERSION", NoChildrenForEphemerals: "NOCHILDRENFOREPHEMERALS", NodeExists: "NODEEXISTS",
	NotEmpty: "NOTEMPTY", SessionExpired: "SESSIONEXPIRED", InvalidACL: "INVALIDACL", AuthFailed: "AUTHFAILED",
	SessionMoved: "SESSIONMOVED", Closed: "CLOSED"}

// Error is the name that Kafka's logs and the recordings give the code.
func (c Code) Error() string {
	if n, ok := codeNames[c]; ok {
		return n
	}
	return "ZK_" + strconv.Itoa(int(c))
}

// EventType is the type of a watch event.
type EventType uint8

const (
	NodeCreated EventType = iota + 1
	NodeDeleted
	NodeDataChanged
	NodeChildrenChanged
)

var eventNames = [...]string{"", "NodeCreated", "NodeDeleted", "NodeDataChanged", "NodeChildrenChanged"}

func (t EventType) String() string { return eventNames[t] }

// Event is a watch event.
type Event struct {
	Type EventType
	Path string
}

// WatchKind tells the two sets of watches apart that a server keeps per connection.
type WatchKind uint8

const (
	DataWatch  WatchKind = iota + 1 // armed by Get and Exists (also on a missing node)
	ChildWatch                      // armed by Children
)

func (k WatchKind) String() string { return [...]string{"", "data", "child"}[k] }

// State is the state of a client's connection, as it tells its owner.
type State uint8

const (
	Connecting State = iota
	Connected
	Disconnected
	Expired // final: the owner opens another session
	ClosedState
)

func (s State) String() string {
	return [...]string{"Connecting", "Connected", "Disconnected", "Expired", "Closed"}[s]
}

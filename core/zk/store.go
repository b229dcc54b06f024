package zk

// Store is ZooKeeper as the world sees it: a state that answers one request at a time. now is the world's virtual time in
// ms; a store in memory stamps it on nodes, a real server has its own clock and its Stats are translated (see zkreal).
//
// Every method returns what it caused in Effects. Errors of ZooKeeper are Codes inside results; a Go error means that the
// store itself failed (a real server that went away) and the run cannot go on.
type Store interface {
	// Open makes a new session and returns its id and the negotiated timeout.
	Open(now int64, timeoutMS int32) (id SessionID, negotiatedMS int32, fx Effects, err error)
	// Apply executes one request of a session whose connection is up. A request of an expired or closed session
	// is answered SessionExpired.
	Apply(now int64, id SessionID, op Op) (Result, Effects, error)
	// Close ends the session by the client's own wish, Expire by the server's: the same transaction.
	Close(now int64, id SessionID) (Effects, error)
	Expire(now int64, id SessionID) (Effects, error)
	// Cut breaks the connection: the server drops the session's watches, keeps the session.
	Cut(id SessionID) error
	// Heal resumes the session and sets the given watches again as a client library does after a reconnect
	// (SetWatches with relZxid, the last zxid that the client saw): changes missed meanwhile come back as Effects.Events.
	// ok is false when the session is gone. On a connection that is up it only sets the watches.
	Heal(now int64, id SessionID, relZxid int64, watches []Watch) (ok bool, fx Effects, err error)
	// Shutdown releases what the store holds outside memory (connections).
	Shutdown() error
}

// CheckContainersEveryMS is how often a server looks for containers and TTL nodes to remove (znode.container.checkIntervalMs).
const CheckContainersEveryMS = 60_000

// ContainerChecker is a Store that removes empty containers and outlived TTL nodes when it is told the time; every removal
// is a transaction of its own. A real server does it by itself, once a minute (ContainerManager.checkContainers).
type ContainerChecker interface {
	CheckContainers(now int64) []Effects
	// HasRemovable reports whether any container or TTL node exists, so that CheckContainers may have something to do.
	HasRemovable() bool
}

// Sizer is a Store that knows its own size, as a server's mntr shows it.
type Sizer interface {
	Sizes() Sizes
}

// Sizes counts what a Store holds. Watches counts entries of sessions; DataBytes is paths and data together
// (DataTree.approximateDataSize).
type Sizes struct {
	Nodes, Ephemerals, Watches int
	DataBytes                  int64
}

// Watch is a watch a client holds; Exists marks a data watch that was set on a missing node.
type Watch struct {
	Path   string
	Kind   WatchKind
	Exists bool
}

// Effects is what one transaction caused, in the server's order.
type Effects struct {
	Zxid    int64     // the transaction, 0 for none
	Nodes   []Node    // nodes that changed, as they stand afterwards
	Fired   []Fired   // watches used up, in the order in which the server sends their events
	Armed   []ArmedAt // watches this request armed (new entries only)
	Dropped []ArmedAt // watches that went away without an event (session closed or cut)
}

// Node is a changed znode as it stands after the transaction; Gone means it was deleted.
type Node struct {
	Path string
	Gone bool
	Data []byte
	Stat Stat
}

// Fired is one watch event on its way to one session. Kinds are the entries it used up (a delete can use up two).
type Fired struct {
	Session SessionID
	Event   Event
	Kinds   []WatchKind
}

// ArmedAt is one entry of a session's watch sets.
type ArmedAt struct {
	Session SessionID
	Path    string
	Kind    WatchKind
}

// Planter is a Store that can begin with a tree that grew elsewhere.
type Planter interface {
	// Plant puts nodes into a Store that nobody has written to yet, in the order given: parents first, the root may be
	// among them. Each owner becomes a session without a connection, with the id that it had.
	Plant(now int64, nodes []Plant) error
}

// Plant is a znode as it goes from one tree to another: what matters of it to whoever takes the tree over. Creates counts
// the children that it ever had; sequence names and the Cversion come from it.
type Plant struct {
	Path             string
	Data             []byte
	Version, Creates int32
	Owner            SessionID // of an ephemeral, else 0
}

// Ensemble is a Store of several servers: 0 leads, the others follow and may lag. Every session is connected to one of
// them, at first to the leader. Reads are answered by that server as it stands; its own writes, and a sync, make it catch
// up first. Effects name the watch events of all servers that have come as far.
type Ensemble interface {
	Store
	// Servers is how many there are.
	Servers() int
	// Lag has a follower fall behind from now on, or catch up, which may fire watches of its sessions.
	Lag(server int, lags bool) Effects
	// Server is the server a session is connected to.
	Server(id SessionID) int
	// Move has a session that is cut connect to another server with its next Heal. A server that has not come as far as
	// seen, the last zxid that the client saw, refuses (ZooKeeperServer.processConnectRequest); false then.
	Move(id SessionID, server int, seen int64) bool
	// Elect has a new leader begin the next epoch: the upper 32 bits of its zxids; the lower ones start again.
	Elect()
}

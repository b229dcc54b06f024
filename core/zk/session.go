package zk

// Connector makes sessions: what constructing a ZooKeeper client is in Kafka. An owner has at most one open session;
// after Expired it opens the next.
type Connector interface {
	// Open asks for a session. It does not block; the owner is told Connected or Disconnected through its Owner.
	Open(owner Owner, o Options) Session
}

// Options of a session.
type Options struct {
	TimeoutMS   int32 // asked session timeout
	MaxInFlight int   // unanswered requests at most, zookeeper.max.in.flight.requests; 0 is no limit
}

// Owner hears of a session. Its methods run outside any thread and must not block.
type Owner interface {
	// WatchEvent delivers a watch event, always before the answer to any read that shows the change.
	WatchEvent(Event)
	// StateChanged delivers a new state of the connection.
	StateChanged(State)
	// Interested reports whether a handler would act on watch events of this path and kind, so that a trace can show
	// a change that nobody heard of because no watch was armed.
	Interested(path string, kind WatchKind) bool
}

// Session is a client's connection to ZooKeeper. One Session is one ZooKeeper session: it never turns into another.
type Session interface {
	// ID is the session's id, 0 before the first Connected.
	ID() SessionID
	// State is the state last told to the owner.
	State() State
	// Do sends the requests so that they are in flight together, in order, and blocks the calling thread until each has
	// its answer. Answers stand at the index of their request, in a list that is the caller's. A request that was lost
	// with the connection is answered ConnectionLoss (it may have been applied); after an expiry SessionExpired, after
	// Close Closed.
	Do(ops ...Op) []Result
	// Close ends the session at the server and blocks until it answered.
	Close()
}

// Package zkreal puts a real ZooKeeper behind both ports of package zk, through github.com/go-zookeeper/zk. It is the only
// package that imports that library, and the only one under core that uses goroutines and real time.
//
// # Stepped
//
// Store (NewStore) is for the deterministic world: virtual clocks, brokers and schedule stay as they are, only ZooKeeper
// is real. One library connection stands for each simulated session, and one request is under way at a time.
//
//   - Every connection goes through a wire, a tap that sees the session's password and each answer's zxid, puts frames of
//     its own between the library's, and can be broken. Cut breaks it and keeps the session alive on a second, raw
//     connection. Heal resumes the session on a new one and sets the given watches again. Expire resumes the session
//     elsewhere and closes it there, which is what an expiry is to everybody else. A library that would go on in a new
//     session of its own after an expiry never can: a connection is dialed once and no second time.
//   - After each write a barrier collects what it caused: on every session with a watch a cheap read (on an ensemble
//     behind a sync) until an answer shows the write's zxid. ZooKeeper delivers a watch event before the answer to any
//     later read of that session, so then all events are in.
//   - A mirror (zkmem) receives every request too. It says what changed and in which order events are told, and every
//     answer, Stat and event of the server is compared with its own: the first difference is an error that names request,
//     field and both sides. Each run is thus a differential test.
//   - zxids and session ids in results and effects are the server's. Times are the virtual instants at which the world
//     delivered the transactions; the server's clock is not compared.
//
// The mirror starts from an empty tree, so each Store works in a fresh folder <chroot>/run-NNNNNNNNNN, created by NewStore
// and removed by Shutdown. The nodes that a server has by itself (/zookeeper and below) are not in there: requests
// about them are the mirror's alone.
//
// # Live
//
// Connector (NewConnector) makes the sessions of a process in real time. Its tree is the chroot itself.
//
// # A guest on the ensemble
//
// Both write only under the chroot of the connection string (DefaultChroot if it has none), which they mark with a node
// MarkNode. A chroot that holds anything and no mark is refused. Clean removes what carries the mark.
package zkreal

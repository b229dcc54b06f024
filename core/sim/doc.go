// Package sim is the deterministic world: processes over any zk.Store, a network, virtual time, and faults.
//
// A world is a list of choices. Whatever can happen next (a request reaching ZooKeeper, an answer or a watch event reaching
// a client, a control request reaching a broker, a thread taking its next event, a timer, a session's expiry) is a pending
// Choice; a schedule is the order in which they are taken. Next takes the earliest one; Deliver takes a named one. The
// guarantees of ZooKeeper and TCP are never violated, because what travels in order stands in a pipe and only the head of
// a pipe is a choice.
//
// Threads of processes are coroutines: exactly one runs at a time, to its next store batch or wait, so that other actors
// may act between any two store requests of one event. Nothing about Kafka is decided here.
//
// Read world.go (time and choices), cursor.go (where a step gets its causes), rest.go (running until nothing is due),
// thread.go, process.go (what a process gets: env.Env), session.go (zk.Session over the store), network.go, operations.go
// and schedule.go (what scripts do from outside), clients.go (clients of ZooKeeper that are no brokers), invariants.go.
package sim

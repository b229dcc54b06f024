// Package live runs Kafka processes in real time: what core/sim is to the deterministic world this package is to the real
// one. It implements env.Env, request.Net and the recording; ZooKeeper is a real client's (core/zk/zkreal), between
// processes Kafka's protocol is spoken (headless/kafkawire). Nothing about Kafka is decided here.
//
// # Threads
//
// Every Process has one lock. Its threads are goroutines that hold it while they run and give it up only inside Do, Wait
// and Sleep; callbacks (watch events, answers, timers, requests) take it for their whole length. Wait is a condition
// variable that every release of the lock signals. A process that has ended never lets a thread of it come back: the
// goroutine ends where it waits.
//
// # What a recording holds
//
// A Recorder takes the steps of all processes of one operating-system process. vtime_ms counts real ms from its start. A
// process knows of ZooKeeper only what it asked: zk/PATH holds a node as it was last read or written here (a later
// transaction is never overwritten by an earlier one), so nodes that nobody here asked for are absent and changes by others
// appear when they are read. The times of a node that was created here and not read since are absent. watch/PATH stands from
// the read that armed it until its event. A request from another operating-system process is in the document from its
// arrival to its answer, under the correlation id that it came with. Invariants are not checked: what is seen here need
// not be what holds.
package live

// Package env is what a process of ours gets from outside: a clock, threads, timers, ids, and a place to say what it did.
// The deterministic world (core/sim) and real time (headless/live) implement Env; the code that uses it cannot tell which.
//
// # Threads
//
// What waits in Kafka is a thread here: a body that runs blocking code and gives up control only inside zk.Session.Do,
// Env.Wait and Env.Sleep. Between those points nothing else of the same process runs, so its data need no locks: in the
// world because everything is one coroutine at a time, live because every process holds one lock while it runs. Callbacks
// (watch events, answers, timers) run outside any thread, under the same rule, and must not block.
//
// A process can be killed at any such point: its threads never come back from the call they are in. A body must
// therefore not recover and must not do observable work in a defer.
package env

import "controllerscope/core/kafka"

// Env is the surroundings of one process (a broker, or an administrator's tool).
type Env interface {
	// Now is this process's own clock in ms since 1970. Each broker's clock may be skewed.
	Now() int64
	// NewUUID draws a random id.
	NewUUID() kafka.UUID
	// Go starts a thread. name is unique among the running threads of the process ("controller", "startup", "config").
	Go(name string, body func())
	// Wait parks the calling thread until ready reports true. ready is called often: it must be cheap and without effect.
	// why is one word for the trace and for hold ("queue", "metadata").
	Wait(why string, ready func() bool)
	// Sleep parks the calling thread for ms of this process's time.
	Sleep(why string, ms int64)
	// After runs f once, outside any thread, in ms. Periodic work re-arms itself and says so: a periodic timer alone does
	// not keep the world from being idle.
	After(t Timer, f func()) (cancel func())
	// Tracing reports whether notes are kept. Build a Note only if it is true.
	Tracing() bool
	// Note records one thing that happened in this process.
	Note(Note)
	// Guard reports whether a protection that 2.8.2 has is in force (true unless a script switched it off).
	Guard(name string) bool
	// Fix reports whether a later fix of a known 2.8.2 defect is in force (false unless a script switched it on).
	Fix(name string) bool
}

// Timer says what a timer is for. A quiet one is housekeeping (a timeout that hardly ever ends anything, a retry, a
// periodic look): it makes no steps and no leaves, and what follows from it follows from what set it.
type Timer struct {
	Name     string
	MS       int64
	Periodic bool
	Quiet    bool
}

// Guards that scripts can switch off, each documented where it is defined.
const (
	GuardBrokerEpoch     = "broker-epoch"     // controller and brokers compare broker epochs (KIP-380)
	GuardControllerEpoch = "controller-epoch" // writes are fenced by /controller_epoch (KAFKA-6082)
)

// Guards lists the names that guard.NAME takes.
func Guards() []string { return []string{GuardBrokerEpoch, GuardControllerEpoch} }

// Later fixes of defects of 2.8.2 that scripts can switch on, each documented where it is defined.
const (
	FixNeverLed           = "never-led"            // a reassignment of a partition that never had a leader is refused before anything is written
	FixOwnWrite           = "own-write"            // a write that was applied and repeated is known by its data (KAFKA-1382, KAFKA-2729)
	FixRebalanceForeign   = "rebalance-foreign"    // a reassignment holds back the rebalance of its own partitions only (KAFKA-10149, Kafka 3.4.0)
	FixBatchAfterMove     = "batch-after-move"     // a fenced controller's half-filled request batches are cleared when it resigns
	FixDeletionWaits      = "deletion-waits"       // the deletion of a topic waits for the end of its reassignments (TR-29 of the reference)
	FixLogConfig          = "log-config"           // a broker whose session ends while it creates a log reads the topic's config over its next session
	FixMetadataNewOffline = "metadata-new-offline" // only newly leaderless partitions stand for the metadata of a failed broker (KAFKA-13225, Kafka 3.1.0)
)

// Fixes lists the names that fix.NAME takes.
func Fixes() []string {
	return []string{FixBatchAfterMove, FixDeletionWaits, FixLogConfig, FixMetadataNewOffline, FixNeverLed, FixOwnWrite, FixRebalanceForeign}
}

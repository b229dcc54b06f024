// Package core is the map; it holds no code. Everything below it is deterministic: no goroutine, no clock, no chance of
// its own (core/zk/zkreal excepted). Natively, in WASM and on a real ZooKeeper it is the same code.
//
// # One ring
//
//	in    site, headless, lessons -> run -> sim
//	ring  store -watch event-> queue -> controller event -> context + state machines -> request batch -> channels -> broker -> store / queue
//	out   stations -Note-> sim, live -> trace -> view -> run -> site, headless
//
// Data goes round one ring; imports go one way; only sim (in the world) and headless/live (in real time) close the ring.
// The stations note what they do and never read the trace.
//
// # Reading order
//
//	kafka       the nouns: partitions, assignments, states and their legal moves
//	env         what a thread gets from outside, and how it says what it did
//	zk          the border to ZooKeeper: requests, answers, Stat; the ports Session and Store
//	zk/zkmem    ZooKeeper in memory
//	jsonvalue   JSON as plain values, without reflection
//	zkdata      Kafka's znodes: paths and JSON
//	zkclient    Kafka's store calls: pipelines, retries, handlers, fencing
//	election    the leader-election strategies as pure functions
//	request     what controller, brokers and clients say to each other
//	controller  queue.go, brokers.go (the bounce), failover.go; then any file by its event
//	broker      obeys and fences; replicas, ISR
//	dynconfig   change notifications
//	admin       what the operator's tools ask
//	server      one Kafka process, put together
//	sim         the world: choices, coroutines, virtual time, faults
//	trace       steps, diffs, causes; doc.go there documents the world document
//	view        what pictures need, projected from the document
//	script      the command language and its expressions
//	run         scripts carried out; seek, fork, why
//	exercise    exercises: variants, hand-ins, and the grader that executes them again
//	lesson      lessons: stops anchored in traces
//	zk/zktree   trees as text: a real ZooKeeper's, read by dump, loaded by run
//	cases       every restated test of Kafka and every field case, by its id
//	zk/zkreal   a real ensemble behind both ports; zk/jute its wire records; zk/zktest one suite for every Store
//	            (zk/zktest/drawn: rapid makes up its random histories)
//
// law_test.go holds the import law.
package core

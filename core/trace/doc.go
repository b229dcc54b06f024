// Package trace is the product: typed, reversible steps with causes, over one world document (trace contract, version 1).
//
// # The document
//
// A document is a tree of words with values at its leaves (string, bool, whole number, list, or a small record that is
// replaced whole). An absent leaf is the null. Every station owns the subtrees it writes; nobody else changes them.
//
//	zk/PATH/{data,version,cversion,aversion,czxid,mzxid,pzxid,ctime,mtime,owner}   sim: the znodes. data is the text as
//	                                  written (absent for null data); czxid.. tagged zxid; ctime, mtime tagged time;
//	                                  owner tagged session, absent for a persistent node
//	zxid                              sim: the last transaction, tagged
//	session/ID/{client,state,timeout,number,expires}  sim: ID tagged; number: the n-th session ever opened; client "0", "admin" or a plain client "A"; state connected|cut|expired|closed;
//	                                  expires: virtual ms at which a silent session will expire, absent while it is heard
//	watch/PATH/KIND/SESSION           sim: true while the server holds that watch (KIND data|child)
//	handler/B/KIND:PATH               zkclient: true while client B has a handler registered for it
//	client/C/up                       sim: true while the plain client C is open
//	client/C/heard/PATH               sim: how many watch events about PATH have reached a handler of C
//	client/C/sees/PATH/{exists,data,children}   sim: what the answers to C's reads said last, however long ago: data as text,
//	                                  children as a sorted list, each absent when never read or not there
//	broker/B/{state,up,epoch,controllerEpoch,exit}   broker: BrokerState number; up false after a kill or stop; own broker
//	                                  epoch, tagged; highest controller epoch seen; exit: why the process ended by itself
//	broker/B/replica/TP/{role,leader,leaderEpoch,isr,zkVersion,leo,hw}   broker: what it really hosts (role
//	                                  leader|follower|idle|offline; isr of a leader only; an offline one has nothing but its role)
//	broker/B/log/TP                   broker: log end offset of a log on its disk (survives the process)
//	broker/B/meta/{controller,brokers}, broker/B/meta/partition/TP    broker: its metadata cache; brokers is a record of
//	                                  id to list of endpoints, a partition one of {leader,leaderEpoch,isr,zkVersion,controllerEpoch,replicas,offline}
//	ctl/B/{active,isActive,state,event}   controller: activeControllerId, whether it thinks it is it, ControllerState
//	                                  number, id of the event in process
//	queue/B/ID                        controller: one record per queued event {name, …}; ids e1, e2, … per process
//	ctx/B/{epoch,epochZkVersion}      controller: ControllerContext, only while it holds something
//	ctx/B/liveBrokerEpochs/N, ctx/B/liveBrokers/N, ctx/B/shuttingDownBrokerIds/N, ctx/B/allTopics/T, ctx/B/topicIds/T
//	ctx/B/partitionAssignments/TP     record {replicas,adding,removing}
//	ctx/B/partitionLeadershipInfo/TP  record {leader,leaderEpoch,isr,zkVersion,controllerEpoch}
//	ctx/B/partitionStates/TP, ctx/B/replicaStates/TP·N    names of states
//	ctx/B/partitionsBeingReassigned/TP, ctx/B/replicasOnOfflineDirs/N/TP, ctx/B/topicsToBeDeleted/T,
//	ctx/B/topicsWithDeletionStarted/T, ctx/B/topicsIneligibleForDeletion/T
//	ctx/B/{offlinePartitionCount,preferredReplicaImbalanceCount}
//	metric/B/NAME                     controller: gauges as refreshed after each event (OfflinePartitionsCount, …)
//	batch/B/MACHINE/KIND/TO           controller: what the batch tray holds (MACHINE psm|rsm|controller): list of partitions
//	channel/B/TO                      controller: true while it has a channel (lane) to broker TO
//	lane/B>TO/ID/{kind,state,controllerEpoch,brokerEpoch,body}   a request: controller while state is queued (it waits in
//	                                  a channel), sim while it is flight (on its way) or waiting (at its recipient)
//	config/B/TYPE/NAME                dynconfig: what a broker applied
//	notices/B/PATH/{last,asked,now,listed}   dynconfig: its listener of the notifications below PATH: lastExecutedChange; true
//	                                  while a pass is asked for (the work item); its clock as a pass read it, tagged, while
//	                                  it runs; how many names all its passes have listed, each read by the purge too
//	layers/B/KEY                      server: {value,source,layers} of a broker config that is set dynamically: what is in
//	                                  effect, Kafka's name of the level it comes from, and SOURCE:KEY=VALUE of each level
//	timer/B/NAME                      sim: virtual ms at which a timer fires
//	clock/B                           sim: skew of a process's clock in ms, absent when 0
//	hold/WHAT                         sim: true while held: a process's thread ("0.controller") or a choice
//	guard/NAME, fix/NAME              sim: only when switched away from the default
//	view/…                            view: what pictures need (package view documents it)
//
// # Normal form
//
// Zxids, session ids, wall-clock times and correlation ids are tagged strings (package env); Normalise renumbers each kind
// in the order of first occurrence.
//
// # Passwords
//
// Of what Kafka holds for a password, a step and the document show what Kafka's own logs and znodes do: requests name the keys
// that they change, znodes and those who applied them have what was encrypted, layers say [hidden]. What an operator writes
// into a znode by himself is shown as it stands there. Setup and script are the reader's own text and are kept as they are,
// since a trace is executed again from them: whoever passes a trace on passes on the passwords that he wrote into its script.
//
// # JSON
//
// A trace is one compact object, or JSON lines: its header on the first line (everything before "steps"), each step on one
// of its own; or it is packed (below). Read takes all three, the command line also when they are compressed with gzip. Every
// step has a message that msgs documents. Fields of a step that are empty, and before or after of an absent value, are left out.
// initial lists the leaves that hold before the first step; causes are indices of steps; hash is Hash.
//
//	{"schema":1,"core":"1.0","setup":{...},"seed":7,"script":"broker kill 1\n",
//	 "initial":[{"path":["broker","1","epoch"],"after":"zxid:0x1"}],
//	 "msgs":{"ctx.dead":{"src":"controller.removeLiveBrokers","kafka":"ControllerContext.removeLiveBrokers","article":"S2"}},
//	 "steps":[
//	  {"i":0,"id":"op#1","vtime_ms":5,"lane":"op","kind":"broker.state","entity":"broker 1","msg":{"key":"op.kill"},"hash":"..."},
//	  {"i":1,"id":"zk#1","vtime_ms":6,"lane":"zk","kind":"session.expire","msg":{"key":"session.expired","args":{"client":"1"}},
//	   "diff":[{"path":["zk","/brokers/ids/1","czxid"],"before":"zxid:0x11"},
//	           {"path":["zk","/brokers/ids/1","data"],"before":"{...}"},{"path":["zxid"],"after":"zxid:0x12"}],
//	   "causes":[0],"reads":[["zk","/brokers/ids/1"]],"ids":{"session":"session:0x100"},"invariants":["..."],"hash":"..."}],
//	 "hash":"..."}
//
// # Packed JSON
//
// Pages load traces in a form that leaves out what a reader can work out; nothing is lost, Read gives the same trace back.
// The header says "packed":1. initial is a tree of objects; a value that is itself a list or a record stands in a list of
// its own, so every object is an inner node. In a step, i is its position and id counts the steps of its lane; vtime_ms is
// the time since the step before, absent when there is none; a cause is how many steps earlier it is; a diff is a list of
// the path and the value after, of the path alone when the leaf goes: the value before is what stood there; a path may begin
// with how many words it shares with the path before it in the same step. The trace above:
//
//	{"schema":1,"packed":1,"core":"1.0","setup":{...},"seed":7,"script":"broker kill 1\n",
//	 "initial":{"broker":{"1":{"epoch":"zxid:0x1","replica":{"orders-0":[{"role":"leader"}]}}}},
//	 "msgs":{...},
//	 "steps":[
//	  {"lane":"op","vtime_ms":5,"kind":"broker.state","entity":"broker 1","msg":{"key":"op.kill"},"hash":"..."},
//	  {"lane":"zk","vtime_ms":1,"kind":"session.expire","msg":{"key":"session.expired","args":{"client":"1"}},
//	   "diff":[[["zk","/brokers/ids/1","czxid"]],[[2,"data"]],[["zxid"],"zxid:0x12"]],
//	   "causes":[1],"reads":[["zk","/brokers/ids/1"]],"ids":{"session":"session:0x100"},"invariants":["..."],"hash":"..."}],
//	 "hash":"..."}
package trace

package run

import (
	"slices"
	"strings"

	"controllerscope/core/env"
	"controllerscope/core/trace"
)

// Defect is something that Kafka 2.8.2 really does and that breaks an invariant.
type Defect struct {
	Name   string
	Breaks []string // invariants, and liveness after healing
	Kafka  string   // its number, or where in Kafka it is
	Reason string
	Script string // shrunk: breaks it
	Fix    string // the switch with which the script breaks nothing

	afterLoss bool                     // it begins with the lost reply of a write of a partition's state
	shows     func(s *trace.Step) bool // a step that it makes
}

// Defects lists the known true violations of 2.8.2: the invariants stay, and a swarm reports them as known.
var Defects = []Defect{{
	Name: "lost-reply-of-partition-state", Breaks: []string{"context-equals-zookeeper", "leader-hosts", "live-isr-has-leader"},
	Kafka: "KAFKA-1382, KAFKA-2729 (class of problem); F03, recording 49",
	Reason: "The controller creates a partition's state and the reply is lost: KafkaZkClient.retryRequestsUntilConnected sends it " +
		"again, the second try is answered NODEEXISTS, which PartitionStateMachine.initializeLeaderAndIsrForPartitions takes for a " +
		"failed state change. The partition stays without leader for this controller until another one reads the state.",
	Script: `broker start 1
topic create t0 1x2
zk lose-reply 1 /brokers/topics/t0/partitions/0/state
until idle
`,
	Fix: env.FixOwnWrite, afterLoss: true,
	shows: func(s *trace.Step) bool {
		why, _ := s.Arg("error").(string)
		return s.Msg == "psm.failed" && s.Arg("from") == "NewPartition" && strings.Contains(why, "NODEEXISTS")
	},
}, {
	Name: "lost-reply-of-alter-isr", Breaks: []string{"context-equals-zookeeper"},
	Kafka: "KAFKA-1382, KAFKA-2729 (class of problem); F03",
	Reason: "The controller writes an ISR that a leader proposed and the reply is lost: its second try is answered BADVERSION, " +
		"which KafkaController.processAlterIsr answers with INVALID_UPDATE_VERSION without reading the state again. Controller and " +
		"leader go on with the old ISR and zkVersion.",
	Script: `broker start 0
broker start 1
topic create t0 2x2
broker pause 0
clock +36s
zk lose-reply 1 /brokers/topics/t0/partitions/0/state
broker resume 0
until idle
`,
	Fix: env.FixOwnWrite, afterLoss: true,
	shows: func(s *trace.Step) bool {
		verdicts, _ := s.Arg("partitions").(env.Record)
		return s.Msg == "alterIsr.reply" && slices.ContainsFunc(verdicts, func(v env.Arg) bool { return v.Value == "INVALID_UPDATE_VERSION" })
	},
}, {
	Name: "log-not-created-when-the-session-ends", Breaks: []string{"live-isr-has-leader", "deletion-finishes", "reassignment-finishes", "leader-hosts"},
	Kafka: "Partition.createLog, LogManager.fetchLogConfig",
	Reason: "A broker is told of a new partition while its ZooKeeper session ends: the topic's configuration cannot be read, so " +
		"no log is created, ReplicaManager.becomeLeaderOrFollower marks the partition offline, and the broker answers " +
		"KAFKA_STORAGE_ERROR for it, also to StopReplica, until its process starts again.",
	Script: `broker start 0
broker start 1
until idle
broker pause 1
topic create t0 4x1
until idle
broker resume 1
until idle
`,
	Fix:   env.FixLogConfig,
	shows: func(s *trace.Step) bool { return s.Msg == "broker.offline" },
}, {
	Name: "deletion-during-reassignment", Breaks: []string{"context-equals-zookeeper /admin/reassign_partitions"},
	Kafka: "TopicDeletionManager.markTopicIneligibleForDeletion (TR-29 of the reference)",
	Reason: "A topic with a reassignment under way is to be held back from deletion, but only topics that are queued already are, " +
		"and it is queued afterwards: the deletion starts at once, and its partition counts as being reassigned until another " +
		"controller takes office, which switches automatic rebalance off.",
	Script: `cluster brokers=0,1,2
broker start 0
broker start 1
broker start 2
topic create t0 2x2
clock +24s
reassign t0-1 [2,0,1]
topic delete t0
until idle
`,
	Fix:   env.FixDeletionWaits,
	shows: func(s *trace.Step) bool { return s.Msg == "deletion.queue" },
}, {
	Name: "reassignment-of-a-partition-never-led", Breaks: []string{"reassignment-finishes", "context-equals-zookeeper /admin/reassign_partitions"},
	Kafka: "KafkaController.updateCurrentReassignment, updateLeaderEpoch (IllegalStateException)",
	Reason: "A partition that never had a leader is reassigned: it counts as being reassigned and its assignment is written, then its " +
		"leader epoch cannot be raised and the request is answered UNKNOWN_SERVER_ERROR. When the partition gets its first leader all " +
		"target replicas are in the ISR, so no ISR change ever comes that would complete the reassignment, until another controller " +
		"takes office.",
	Script: `broker start 2
broker start 0
until idle
broker kill 0
topic create t1 3x1
hold 2.controller
broker start 0
until idle
zk expire 0
reassign t1-0 [2]
release 2.controller
until idle
`,
	Fix: env.FixNeverLed, shows: neverLed("reassign.failed"),
}, {
	Name: "election-storm-of-a-partition-never-led", Breaks: []string{Restless},
	Kafka: "KafkaController.initializePartitionReassignments, elect",
	Reason: "The same, and then another controller takes office while the partition still has no leader: to go on with the " +
		"reassignment it must raise a leader epoch that is nowhere, so it cannot take office and gives it up; nor can the next one, " +
		"for ever, until a replica of the partition lives.",
	Script: `broker start 0
until idle
topic create t0 2x1
until idle
broker stop 0
topic delete t0
broker start 1
reassign t0-1 [1,0]
until idle
`,
	Fix: env.FixNeverLed, shows: neverLed("elect.failed"),
}, {
	Name: "batch-left-filled", Breaks: []string{"deletion-finishes", "reassignment-finishes", "live-isr-has-leader", "leader-hosts"},
	Kafka: "AbstractControllerBrokerRequestBatch.newBatch (TR-14 of the reference, recorded)",
	Reason: "A controller loses its office while a state machine fills a batch of requests: the machine stops where it is and the batch " +
		"stays filled. When the same process is controller again, that machine refuses every batch, for as long as the process lives.",
	Script: `cluster brokers=0,1,2,3,4 controlled.shutdown.enable=true
broker start 0
broker start 2
topic create t0 1x1
topic create t1 3x2
until idle
zk delete /controller
zk expire 2
broker stop 2
until idle
topic delete t0
until idle
`,
	Fix: env.FixBatchAfterMove,
	shows: func(s *trace.Step) bool {
		why, _ := s.Arg("error").(string)
		return strings.Contains(why, "batch is not empty while creating a new one")
	},
}}

// neverLed is a step that fails because a partition under reassignment has no state yet.
func neverLed(msg string) func(*trace.Step) bool {
	return func(s *trace.Step) bool {
		why, _ := s.Arg("error").(string)
		return s.Msg == msg && (strings.Contains(why, "isr path is empty") || strings.Contains(why, "there is no leadership"))
	}
}

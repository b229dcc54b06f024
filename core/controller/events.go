package controller

import (
	"controllerscope/core/env"
	"controllerscope/core/kafka"
	"controllerscope/core/request"
)

// State is what the controller is doing; the values are those of Kafka's gauge ControllerState. Kafka: ControllerState.
type State uint8

const (
	Idle                                  State = 0
	StateControllerChange                 State = 1
	StateBrokerChange                     State = 2
	StateTopicChange                      State = 3
	StateTopicDeletion                    State = 4
	StateAlterPartitionReassignment       State = 5
	StateAutoLeaderBalance                State = 6
	StateManualLeaderBalance              State = 7
	StateControlledShutdown               State = 8
	StateIsrChange                        State = 9
	StateLeaderAndIsrResponseReceived     State = 10
	StateLogDirChange                     State = 11
	StateControllerShutdown               State = 12
	StateUncleanLeaderElectionEnable      State = 13
	StateTopicUncleanLeaderElectionEnable State = 14
	StateListPartitionReassignment        State = 15
	StateUpdateMetadataResponseReceived   State = 16
	StateUpdateFeatures                   State = 17
)

// event is what stands in the controller's queue. Kafka: ControllerEvent.
type event interface {
	name() string
	state() State
	args() []env.Arg // what it carries, for the trace
}

// plain is an event that carries nothing.
type plain struct {
	title string
	doing State
}

func (p plain) name() string    { return p.title }
func (p plain) state() State    { return p.doing }
func (p plain) args() []env.Arg { return nil }

// The events that carry nothing, under Kafka's names.
var (
	startupEvent                  = plain{"Startup", StateControllerChange}
	controllerChangeEvent         = plain{"ControllerChange", StateControllerChange}
	reelectEvent                  = plain{"Reelect", StateControllerChange}
	registerBrokerAndReelectEvent = plain{"RegisterBrokerAndReelect", StateControllerChange}
	expireEvent                   = plain{"Expire", StateControllerChange}
	shutdownEventThreadEvent      = plain{"ShutdownEventThread", StateControllerShutdown}
	brokerChangeEvent             = plain{"BrokerChange", StateBrokerChange}
	topicChangeEvent              = plain{"TopicChange", StateTopicChange}
	topicDeletionEvent            = plain{"TopicDeletion", StateTopicDeletion}
	zkPartitionReassignmentEvent  = plain{"ZkPartitionReassignment", StateAlterPartitionReassignment}
	isrChangeNotificationEvent    = plain{"IsrChangeNotification", StateIsrChange}
	logDirEventNotificationEvent  = plain{"LogDirEventNotification", StateLogDirChange}
	autoLeaderRebalanceEvent      = plain{"AutoPreferredReplicaLeaderElection", StateAutoLeaderBalance}

	uncleanLeaderElectionEnableEvent = plain{"UncleanLeaderElectionEnable", StateUncleanLeaderElectionEnable}
)

// brokerModifications: the data of /brokers/ids/BROKER changed.
type brokerModifications struct{ broker kafka.BrokerID }

func (brokerModifications) name() string       { return "BrokerModifications" }
func (brokerModifications) state() State       { return StateBrokerChange }
func (ev brokerModifications) args() []env.Arg { return []env.Arg{env.A("broker", env.Int(ev.broker))} }

// partitionReassignmentIsrChange: the state of a partition under reassignment changed; only below protocol 2.7-IV2.
type partitionReassignmentIsrChange struct{ tp kafka.TopicPartition }

func (partitionReassignmentIsrChange) name() string { return "PartitionReassignmentIsrChange" }
func (partitionReassignmentIsrChange) state() State { return StateAlterPartitionReassignment }
func (ev partitionReassignmentIsrChange) args() []env.Arg {
	return []env.Arg{env.A("partition", ev.tp.String())}
}

// partitionModifications: the data of /brokers/topics/TOPIC changed.
type partitionModifications struct{ topic string }

func (partitionModifications) name() string       { return "PartitionModifications" }
func (partitionModifications) state() State       { return StateTopicChange }
func (ev partitionModifications) args() []env.Arg { return []env.Arg{env.A("topic", ev.topic)} }

// replicaLeaderElection asks for elections of one kind. partitions nil means those listed in the znode.
type replicaLeaderElection struct {
	partitions []kafka.TopicPartition
	election   electionType
	trigger    electionTrigger
	reply      func(map[kafka.TopicPartition]ElectionResult) // nil when nobody asked
}

func (replicaLeaderElection) name() string { return "ReplicaLeaderElection" }
func (replicaLeaderElection) state() State { return StateManualLeaderBalance }
func (ev replicaLeaderElection) args() []env.Arg {
	return []env.Arg{partitionArg("partitions", ev.partitions), env.A("election", ev.election.String()), env.A("trigger", ev.trigger.String())}
}

// controlledShutdown is a broker's request to be relieved of its leaderships.
type controlledShutdown struct {
	req   request.ControlledShutdown
	reply func(request.ControlledShutdownResponse)
}

func (controlledShutdown) name() string { return "ControlledShutdown" }
func (controlledShutdown) state() State { return StateControlledShutdown }
func (ev controlledShutdown) args() []env.Arg {
	return []env.Arg{env.A("broker", env.Int(ev.req.BrokerID)), env.A("brokerEpoch", env.Zxid(ev.req.BrokerEpoch))}
}

// alterIsrReceived is a leader's proposal of new ISRs.
type alterIsrReceived struct {
	req   request.AlterIsr
	reply func(request.AlterIsrResponse)
}

func (alterIsrReceived) name() string { return "AlterIsrReceived" }
func (alterIsrReceived) state() State { return StateIsrChange }
func (ev alterIsrReceived) args() []env.Arg {
	return []env.Arg{env.A("broker", env.Int(ev.req.BrokerID)), env.A("brokerEpoch", env.Zxid(ev.req.BrokerEpoch)),
		env.A("partitions", isrPartitions(ev.req))}
}

func isrPartitions(req request.AlterIsr) []any {
	out := make([]any, len(req.Partitions))
	for i, p := range req.Partitions {
		out[i] = p.TopicPartition.String()
	}
	return out
}

// controlResponse is what a broker answered to a control request: LeaderAndIsrResponseReceived,
// UpdateMetadataResponseReceived or TopicDeletionStopReplicaResponseReceived.
type controlResponse struct {
	title   string
	doing   State
	broker  kafka.BrokerID
	request string // id of the request that is answered
	resp    request.ControlResponse
}

func (ev controlResponse) name() string { return ev.title }
func (ev controlResponse) state() State { return ev.doing }
func (ev controlResponse) args() []env.Arg {
	failed := []any{}
	for _, p := range ev.resp.Errors {
		if p.Error != kafka.NONE {
			failed = append(failed, p.TopicPartition.String()+" "+p.Error.Error())
		}
	}
	return []env.Arg{env.A("broker", env.Int(ev.broker)), env.A("request", ev.request), env.A("error", ev.resp.Error.Error()),
		env.A("errors", failed)}
}

// electionType and electionTrigger are Kafka's words. Kafka: ElectionType, ElectionTrigger.
type electionType uint8

const (
	preferredElection electionType = iota
	uncleanElection
)

func (t electionType) String() string { return [...]string{"PREFERRED", "UNCLEAN"}[t] }

type electionTrigger uint8

const (
	autoTriggered electionTrigger = iota
	zkTriggered
	adminClientTriggered
)

func (t electionTrigger) String() string {
	return [...]string{"AutoTriggered", "ZkTriggered", "AdminClientTriggered"}[t]
}

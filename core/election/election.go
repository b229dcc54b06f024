// Package election chooses leaders. The four strategies of Kafka 2.8.2's controller are pure functions from what is known of
// a partition to its next leadership. Each strategy has two layers, as in Kafka: an algorithm that picks a broker
// (PartitionLeaderElectionAlgorithms), and the election around it that makes the new state and names who must hear of it
// (kafka.controller.Election).
package election

import (
	"slices"

	"controllerscope/core/kafka"
)

// Set says whether a broker belongs to a set: the brokers on which a replica is online, or those shutting down.
type Set func(kafka.BrokerID) bool

// Of is the set of the listed brokers.
func Of(members ...kafka.BrokerID) Set {
	return func(b kafka.BrokerID) bool { return slices.Contains(members, b) }
}

// OfflinePartitionLeader picks the first assigned replica that is online and in the ISR; if there is none and unclean
// election is allowed, the first that is online, and wasUnclean is true: messages may be lost.
// Kafka: PartitionLeaderElectionAlgorithms.offlinePartitionLeaderElection.
func OfflinePartitionLeader(assignment, isr []kafka.BrokerID, online Set, allowUnclean bool) (leader kafka.BrokerID, found, wasUnclean bool) {
	if leader, found = first(assignment, isr, online); found || !allowUnclean {
		return leader, found, false
	}
	for _, b := range assignment {
		if online(b) {
			return b, true, true
		}
	}
	return kafka.NoLeader, false, false
}

// ReassignPartitionLeader picks the first target replica that is online and in the ISR.
// Kafka: PartitionLeaderElectionAlgorithms.reassignPartitionLeaderElection.
func ReassignPartitionLeader(target, isr []kafka.BrokerID, online Set) (leader kafka.BrokerID, found bool) {
	return first(target, isr, online)
}

// PreferredReplicaLeader picks the first assigned replica, or nobody if that one is not online or not in the ISR.
// Kafka: PartitionLeaderElectionAlgorithms.preferredReplicaPartitionLeaderElection.
func PreferredReplicaLeader(assignment, isr []kafka.BrokerID, online Set) (leader kafka.BrokerID, found bool) {
	return first(assignment[:min(1, len(assignment))], isr, online)
}

// ControlledShutdownLeader picks the first assigned replica that is online, in the ISR and not shutting down. Brokers that
// are shutting down count as online here, which changes nothing for the choice.
// Kafka: PartitionLeaderElectionAlgorithms.controlledShutdownPartitionLeaderElection.
func ControlledShutdownLeader(assignment, isr []kafka.BrokerID, online, shuttingDown Set) (leader kafka.BrokerID, found bool) {
	return first(assignment, isr, func(b kafka.BrokerID) bool { return online(b) && !shuttingDown(b) })
}

// first is the first candidate that is eligible and in the ISR.
func first(candidates, isr []kafka.BrokerID, eligible Set) (kafka.BrokerID, bool) {
	for _, b := range candidates {
		if eligible(b) && slices.Contains(isr, b) {
			return b, true
		}
	}
	return kafka.NoLeader, false
}

package election

import "controllerscope/core/kafka"

// Result is the outcome of one election. Next is meaningful only if Elected: leader epoch one higher, the zkVersion carried
// over for the compare-and-set. Recipients shall get the LeaderAndIsr. Unclean says that the leader was not in the ISR.
// Kafka: ElectionResult.
type Result struct {
	Next       kafka.LeaderAndIsr
	Elected    bool
	Unclean    bool
	Recipients []kafka.BrokerID
}

// Offline elects for a partition that is new or lost its leader. The new ISR is the old one without members that are not
// online, or only the leader if the election was unclean. Recipients are the online replicas.
// Kafka: Election.leaderForOffline.
func Offline(current kafka.LeaderAndIsr, assignment []kafka.BrokerID, online Set, allowUnclean bool) Result {
	leader, found, unclean := OfflinePartitionLeader(assignment, current.ISR, online, allowUnclean)
	isr := keep(current.ISR, online)
	if unclean {
		isr = []kafka.BrokerID{leader}
	}
	return Result{Next: lead(current, leader, isr), Elected: found, Unclean: unclean, Recipients: keep(assignment, online)}
}

// Reassign elects among the target replicas of a reassignment; the ISR stays. Recipients are all target replicas.
// Kafka: Election.leaderForReassign.
func Reassign(current kafka.LeaderAndIsr, target []kafka.BrokerID, online Set) Result {
	leader, found := ReassignPartitionLeader(target, current.ISR, online)
	return Result{Next: lead(current, leader, current.ISR), Elected: found, Recipients: target}
}

// Preferred gives leadership to the first assigned replica, also if that one leads already; the ISR stays. Recipients are
// all assigned replicas. Kafka: Election.leaderForPreferredReplica.
func Preferred(current kafka.LeaderAndIsr, assignment []kafka.BrokerID, online Set) Result {
	leader, found := PreferredReplicaLeader(assignment, current.ISR, online)
	return Result{Next: lead(current, leader, current.ISR), Elected: found, Recipients: assignment}
}

// ControlledShutdown moves leadership away from brokers that are shutting down, and all of them leave the ISR; members that
// are not online stay in it. onlineOrShuttingDown counts brokers that are shutting down as online. Recipients are the
// replicas in it, so the leaving broker hears of it too. Kafka: Election.leaderForControlledShutdown.
func ControlledShutdown(current kafka.LeaderAndIsr, assignment []kafka.BrokerID, onlineOrShuttingDown, shuttingDown Set) Result {
	leader, found := ControlledShutdownLeader(assignment, current.ISR, onlineOrShuttingDown, shuttingDown)
	isr := keep(current.ISR, func(b kafka.BrokerID) bool { return !shuttingDown(b) })
	return Result{Next: lead(current, leader, isr), Elected: found, Recipients: keep(assignment, onlineOrShuttingDown)}
}

// lead is the next state of a partition under a new leader. Kafka: LeaderAndIsr.newLeaderAndIsr.
func lead(current kafka.LeaderAndIsr, leader kafka.BrokerID, isr []kafka.BrokerID) kafka.LeaderAndIsr {
	return kafka.LeaderAndIsr{Leader: leader, LeaderEpoch: current.LeaderEpoch + 1, ISR: isr, ZkVersion: current.ZkVersion}
}

// keep returns the members of list that are in s, in their order, as a new slice.
func keep(list []kafka.BrokerID, s Set) []kafka.BrokerID {
	kept := make([]kafka.BrokerID, 0, len(list))
	for _, b := range list {
		if s(b) {
			kept = append(kept, b)
		}
	}
	return kept
}

package kafka

import "slices"

// ReplicaAssignment is the ordered replica list of a partition with what a reassignment adds and removes.
// Kafka: ReplicaAssignment in ControllerContext.scala.
type ReplicaAssignment struct {
	Replicas, Adding, Removing []BrokerID
}

// IsReassigning reports whether replicas are being added or removed.
func (a ReplicaAssignment) IsReassigning() bool { return len(a.Adding)+len(a.Removing) > 0 }

// Origin is the list before the reassignment: replicas without the adding ones.
func (a ReplicaAssignment) Origin() []BrokerID { return Without(a.Replicas, a.Adding) }

// Target is the list after the reassignment: replicas without the removing ones.
func (a ReplicaAssignment) Target() []BrokerID { return Without(a.Replicas, a.Removing) }

// ReassignTo starts, replaces or cancels a reassignment: the target comes first, then what is left of the origin.
func (a ReplicaAssignment) ReassignTo(target []BrokerID) ReplicaAssignment {
	origin := a.Origin()
	full := slices.Clone(target)
	for _, b := range origin {
		if !slices.Contains(full, b) {
			full = append(full, b)
		}
	}
	return ReplicaAssignment{Replicas: full, Adding: Without(full, origin), Removing: Without(full, target)}
}

// RemoveReplica drops b from all three lists.
func (a ReplicaAssignment) RemoveReplica(b BrokerID) ReplicaAssignment {
	drop := []BrokerID{b}
	return ReplicaAssignment{Without(a.Replicas, drop), Without(a.Adding, drop), Without(a.Removing, drop)}
}

// Equal compares all three ordered lists.
func (a ReplicaAssignment) Equal(o ReplicaAssignment) bool {
	return slices.Equal(a.Replicas, o.Replicas) && slices.Equal(a.Adding, o.Adding) && slices.Equal(a.Removing, o.Removing)
}

// Without returns the members of list that are not in drop, in their order, as a new slice.
func Without(list, drop []BrokerID) []BrokerID {
	kept := make([]BrokerID, 0, len(list))
	for _, b := range list {
		if !slices.Contains(drop, b) {
			kept = append(kept, b)
		}
	}
	return kept
}

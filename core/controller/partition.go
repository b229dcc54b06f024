package controller

import "controllerscope/core/kafka"

// partition is all that the context holds of one partition. Kafka's ControllerContext keeps it in four maps
// (partitionAssignments, partitionLeadershipInfo, partitionStates, replicaStates); here it is found at once. A record stays for
// as long as the context: also of a deleted partition a state is left.
type partition struct {
	kafka.TopicPartition
	assigned   bool // the authority for whether it exists
	led        bool // its leadership is known, be it that there is no leader
	known      bool // it has a state
	state      kafka.PartitionState
	assignment kafka.ReplicaAssignment
	leadership kafka.Leadership
	replicas   []replica // those that have a state
}

type replica struct {
	broker kafka.BrokerID
	state  kafka.ReplicaState
}

// partition is the record of a partition, nil if nothing was ever known of it.
func (x *controllerContext) partition(tp kafka.TopicPartition) *partition {
	return x.partitions[tp.Topic][tp.Partition]
}

// partitionFor is the record of a partition, made if there is none.
func (x *controllerContext) partitionFor(tp kafka.TopicPartition) *partition {
	of := x.partitions[tp.Topic]
	p := of[tp.Partition]
	if p == nil {
		if of == nil {
			of = map[int32]*partition{}
			x.partitions[tp.Topic] = of
		}
		p = &partition{TopicPartition: tp}
		of[tp.Partition] = p
	}
	return p
}

// placeOf is where the state of a broker's replica stands, -1 if it has none.
func (p *partition) placeOf(b kafka.BrokerID) int {
	for i, r := range p.replicas {
		if r.broker == b {
			return i
		}
	}
	return -1
}

// assignment is the full assignment, empty if the partition is unknown. Kafka: partitionFullReplicaAssignment.
func (x *controllerContext) assignment(tp kafka.TopicPartition) kafka.ReplicaAssignment {
	if p := x.partition(tp); p != nil {
		return p.assignment
	}
	return kafka.ReplicaAssignment{}
}

// isAssigned reports whether the partition exists as far as the controller knows.
func (x *controllerContext) isAssigned(tp kafka.TopicPartition) bool {
	p := x.partition(tp)
	return p != nil && p.assigned
}

// leadership is what is known of a partition's leadership, if anything. Kafka: ControllerContext.partitionLeadershipInfo.
func (x *controllerContext) leadership(tp kafka.TopicPartition) (kafka.Leadership, bool) {
	if p := x.partition(tp); p != nil {
		return p.leadership, p.led
	}
	return kafka.Leadership{}, false
}

// partitionState is the state of a partition, NonExistentPartition if it has none. Kafka: ControllerContext.partitionState.
func (x *controllerContext) partitionState(tp kafka.TopicPartition) kafka.PartitionState {
	if p := x.partition(tp); p != nil && p.known {
		return p.state
	}
	return kafka.NonExistentPartition
}

// hasState reports whether a partition has a state.
func (x *controllerContext) hasState(tp kafka.TopicPartition) bool {
	p := x.partition(tp)
	return p != nil && p.known
}

// replicaState is the state of a replica, 0 if it has none. Kafka: ControllerContext.replicaState.
func (x *controllerContext) replicaState(r kafka.PartitionReplica) kafka.ReplicaState {
	if p := x.partition(r.TopicPartition); p != nil {
		if i := p.placeOf(r.Replica); i >= 0 {
			return p.replicas[i].state
		}
	}
	return 0
}

// index keeps, for each broker, the partitions that stand under it. A broker without partitions is absent.
type index map[kafka.BrokerID]set[*partition]

func (x index) add(b kafka.BrokerID, p *partition) {
	s, ok := x[b]
	if !ok {
		s = set[*partition]{}
		x[b] = s
	}
	s.add(p)
}

func (x index) remove(b kafka.BrokerID, p *partition) {
	if s, ok := x[b]; ok {
		delete(s, p)
		if len(s) == 0 {
			delete(x, b)
		}
	}
}

// sorted lists the partitions of a set.
func sorted(s set[*partition]) []kafka.TopicPartition {
	out := make([]kafka.TopicPartition, 0, len(s))
	for p := range s {
		out = append(out, p.TopicPartition)
	}
	kafka.Sort(out, kafka.ComparePartitions)
	return out
}

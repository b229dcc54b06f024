package admin

import (
	"slices"

	"controllerscope/core/kafka"
)

// Placement is where an assignment begins: the index of the first leader and the first shift of the followers. Kafka
// draws both at random for a new topic. The same placement always gives the same assignment.
type Placement struct{ Start, Shift int }

// AssignReplicas places replicas on brokers for the partitions first, first+1, ... first+partitions-1. With a rack on
// every broker replicas are spread over racks; racks on some brokers only are an error. brokers must be sorted by id.
// Kafka: AdminUtils.assignReplicasToBrokers.
func AssignReplicas(brokers []kafka.Broker, partitions, replication, first int, at Placement) ([][]kafka.BrokerID, error) {
	racked := 0
	for _, b := range brokers {
		if b.Rack != "" {
			racked++
		}
	}
	switch {
	case partitions <= 0:
		return nil, fail(kafka.INVALID_PARTITIONS, "Number of partitions must be larger than 0.")
	case replication <= 0:
		return nil, fail(kafka.INVALID_REPLICATION_FACTOR, "Replication factor must be larger than 0.")
	case replication > len(brokers):
		return nil, fail(kafka.INVALID_REPLICATION_FACTOR, "Replication factor: %d larger than available brokers: %d.", replication, len(brokers))
	case racked > 0 && racked < len(brokers):
		return nil, fail(kafka.INVALID_REQUEST, "Not all brokers have rack information for replica rack aware assignment.")
	}
	place := unaware(brokers)
	if racked > 0 {
		place = aware(brokers)
	}
	out := make([][]kafka.BrokerID, partitions)
	shift := at.Shift
	for i := range out {
		p := first + i
		if p > 0 && p%len(brokers) == 0 {
			shift++
		}
		out[i] = place((p+at.Start)%len(brokers), shift, replication)
	}
	return out, nil
}

// placer gives the replicas of one partition from the index of its leader and the shift.
type placer func(leader, shift, replication int) []kafka.BrokerID

func unaware(brokers []kafka.Broker) placer {
	n := len(brokers)
	return func(leader, shift, replication int) []kafka.BrokerID {
		replicas := []kafka.BrokerID{brokers[leader].ID}
		for j := 0; j < replication-1; j++ {
			replicas = append(replicas, brokers[(leader+1+(shift+j)%(n-1))%n].ID)
		}
		return replicas
	}
}

func aware(brokers []kafka.Broker) placer {
	list, racks := alternate(brokers)
	n := len(list)
	return func(leader, shift, replication int) []kafka.BrokerID {
		replicas := []kafka.BrokerID{list[leader].ID}
		usedRacks := map[string]bool{list[leader].Rack: true}
		for k := 0; len(replicas) < replication; k++ {
			b := list[(leader+1+(shift*racks+k)%(n-1))%n]
			taken := slices.Contains(replicas, b.ID)
			if (!usedRacks[b.Rack] || len(usedRacks) == racks) && !taken {
				replicas = append(replicas, b.ID)
				usedRacks[b.Rack] = true
			}
		}
		return replicas
	}
}

// alternate goes round the racks by name and takes the next broker of each; it also counts the racks.
// Kafka: AdminUtils.getRackAlternatedBrokerList.
func alternate(brokers []kafka.Broker) ([]kafka.Broker, int) {
	byRack := map[string][]kafka.Broker{}
	for _, b := range brokers {
		byRack[b.Rack] = append(byRack[b.Rack], b)
	}
	racks := kafka.SortedKeys(byRack)
	var out []kafka.Broker
	for round := 0; len(out) < len(brokers); round++ {
		for _, rack := range racks {
			if round < len(byRack[rack]) {
				out = append(out, byRack[rack][round])
			}
		}
	}
	return out, len(racks)
}

package admin

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"controllerscope/core/dynconfig"
	"controllerscope/core/kafka"
	"controllerscope/core/request"
	"controllerscope/core/zkdata"
)

// Throttles of one broker; those of a topic are dynconfig.LeaderThrottledReplicas and FollowerThrottledReplicas.
var brokerThrottles = []string{"leader.replication.throttled.rate", "follower.replication.throttled.rate", "replica.alter.log.dirs.io.max.bytes.per.second"}

var topicThrottles = []string{dynconfig.LeaderThrottledReplicas, dynconfig.FollowerThrottledReplicas}

// move is what a reassignment does with one partition: the brokers that it comes from and those that it goes to.
// Kafka: ReassignPartitionsCommand.PartitionMove.
type move struct{ sources, destinations []kafka.BrokerID }

// proposedMoves joins what is under way with what is proposed; a partition that is under way keeps its sources.
// Kafka: ReassignPartitionsCommand.calculateProposedMoveMap.
func proposedMoves(underWay map[kafka.TopicPartition]kafka.ReplicaAssignment, targets []Target,
	current map[kafka.TopicPartition][]kafka.BrokerID) (map[kafka.TopicPartition]move, error) {
	moves := map[kafka.TopicPartition]move{}
	for tp, a := range underWay {
		moves[tp] = move{without(a.Replicas, a.Adding), a.Adding}
	}
	for _, t := range targets {
		sources, found := current[t.TopicPartition]
		if m, moving := moves[t.TopicPartition]; moving {
			sources, found = m.sources, true
		}
		if !found {
			return nil, fmt.Errorf("Trying to reassign a topic partition %s with 0 replicas", t.TopicPartition)
		}
		moves[t.TopicPartition] = move{sources, without(t.Replicas, sources)}
	}
	return moves, nil
}

func without(ids, those []kafka.BrokerID) (out []kafka.BrokerID) {
	for _, id := range ids {
		if !slices.Contains(those, id) {
			out = append(out, id)
		}
	}
	return out
}

// throttledReplicas lists per topic the replicas PARTITION:BROKER that are throttled, in the order of their text, topics
// without any included. Kafka: ReassignPartitionsCommand.calculateLeaderThrottles, calculateFollowerThrottles.
func throttledReplicas(moves map[kafka.TopicPartition]move, of func(move) []kafka.BrokerID) map[string]string {
	words := map[string][]string{}
	for tp, m := range moves {
		list := words[tp.Topic]
		for _, id := range of(m) {
			list = append(list, fmt.Sprintf("%d:%d", tp.Partition, id))
		}
		words[tp.Topic] = list
	}
	out := map[string]string{}
	for topic, list := range words {
		slices.Sort(list)
		out[topic] = strings.Join(slices.Compact(list), ",")
	}
	return out
}

func leaders(m move) []kafka.BrokerID   { return m.sources }
func followers(m move) []kafka.BrokerID { return without(m.destinations, m.sources) }

// movingBrokers are all brokers that moves are from or to. Kafka: ReassignPartitionsCommand.calculateReassigningBrokers.
func movingBrokers(moves map[kafka.TopicPartition]move) []kafka.BrokerID {
	seen := map[kafka.BrokerID]bool{}
	for _, m := range moves {
		for _, id := range slices.Concat(m.sources, m.destinations) {
			seen[id] = true
		}
	}
	return kafka.SortedKeys(seen)
}

// throttle is a change of the throttles of topics and brokers, one resource an entity, in the order in which it is made.
func throttle(moves map[kafka.TopicPartition]move, rate int64) (topics, brokers []request.AlterConfigs) {
	of, to := throttledReplicas(moves, leaders), throttledReplicas(moves, followers)
	for _, topic := range kafka.SortedKeys(of) {
		topics = append(topics, request.AlterConfigs{Type: zkdata.ConfigTypeTopics, Name: topic, Ops: []request.ConfigOp{
			{Key: topicThrottles[0], Value: of[topic]}, {Key: topicThrottles[1], Value: to[topic]}}})
	}
	return topics, setThrottles(movingBrokers(moves), brokerThrottles[:2], rate)
}

// setThrottles sets throttles of brokers to one rate, in bytes per second.
func setThrottles(ids []kafka.BrokerID, keys []string, rate int64) (out []request.AlterConfigs) {
	for _, id := range ids {
		x := request.AlterConfigs{Type: zkdata.ConfigTypeBrokers, Name: id.String()}
		for _, key := range keys {
			x.Ops = append(x.Ops, request.ConfigOp{Key: key, Value: strconv.FormatInt(rate, 10)})
		}
		out = append(out, x)
	}
	return out
}

// unthrottle takes all throttles of entities away.
func unthrottle(entityType string, names, keys []string) (out []request.AlterConfigs) {
	for _, name := range names {
		x := request.AlterConfigs{Type: entityType, Name: name}
		for _, key := range keys {
			x.Ops = append(x.Ops, request.ConfigOp{Key: key, Delete: true})
		}
		out = append(out, x)
	}
	return out
}

// alterInZooKeeper changes configs as a --zookeeper tool does: over its own session, whoever the broker is. An entity that
// has none of the keys that are to go is left alone. Kafka: AdminZkClient.changeTopicConfig, changeBrokerConfig.
func (m *Manager) alterInZooKeeper(resources []request.AlterConfigs) error {
	for _, x := range resources {
		config, err := m.zk.GetEntityConfigs(x.Type, x.Name)
		if err != nil {
			return err
		}
		if !slices.ContainsFunc(x.Ops, func(op request.ConfigOp) bool { return !op.Delete || hasKey(config, op.Key) }) {
			continue
		}
		config = change(config, x.Ops)
		if x.Type == zkdata.ConfigTypeTopics {
			err = m.validateTopicConfig(x.Name, config)
		}
		if err == nil {
			err = m.store(x.Type, x.Name, config)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func hasKey(config map[string]string, key string) bool {
	_, found := config[key]
	return found
}

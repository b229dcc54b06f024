package admin

import (
	"fmt"

	"controllerscope/core/kafka"
)

// replica is one replica of a partition. Kafka: TopicPartitionReplica.
type replica struct {
	kafka.TopicPartition
	broker kafka.BrokerID
}

// logDirs are the log directories that targets ask for.
func logDirs(targets []Target) map[replica]string {
	out := map[replica]string{}
	for _, t := range targets {
		for i, id := range t.Replicas {
			if t.LogDirs[i] != AnyLogDir {
				out[replica{t.TopicPartition, id}] = t.LogDirs[i]
			}
		}
	}
	return out
}

// logDirBrokers are the brokers on which they lie. Kafka: ReassignPartitionsCommand.calculateMovingBrokers.
func logDirBrokers(targets []Target) []kafka.BrokerID {
	seen := map[kafka.BrokerID]bool{}
	for r := range logDirs(targets) {
		seen[r.broker] = true
	}
	return kafka.SortedKeys(seen)
}

// errLogDir says what our brokers do not do: they keep each log where it was created. The controller takes no part in such a
// move: the tool sends AlterReplicaLogDirs and DescribeLogDirs to the broker that holds the replica, and nothing of it is
// written to ZooKeeper; a controller hears of log directories only when one fails (/log_dir_event_notification).
func errLogDir(moves map[replica]string) error {
	if len(moves) == 0 {
		return nil
	}
	return fmt.Errorf("moves between the log directories of one broker are not modelled; write \"%s\" for each in log_dirs", AnyLogDir)
}

// startLogDirMoves moves logs between directories of one broker. Kafka: ReassignPartitionsCommand.executeMoves.
func (t *ReassignPartitions) startLogDirMoves(moves map[replica]string) error {
	return errLogDir(moves)
}

// sayLogDirMoves prints how far such moves are, and reports whether one is under way: an empty line when none is asked for.
// Kafka: ReassignPartitionsCommand.verifyReplicaMoves.
func (t *ReassignPartitions) sayLogDirMoves(moves map[replica]string) (moving bool, err error) {
	if err := errLogDir(moves); err != nil {
		return false, err
	}
	t.say("")
	return false, nil
}

// cancelLogDirMoves takes such moves back.
func (t *ReassignPartitions) cancelLogDirMoves(moves map[replica]string) error {
	if err := errLogDir(moves); err != nil {
		return err
	}
	t.say("None of the specified partition moves are active.")
	return nil
}

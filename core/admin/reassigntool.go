package admin

import (
	"errors"
	"fmt"
	"strings"

	"controllerscope/core/env"
	"controllerscope/core/kafka"
	"controllerscope/core/zkclient"
)

// ReassignPartitions is the tool kafka-reassign-partitions: an admin client's, or with --zookeeper a ZooKeeper client's. It
// prints what Kafka's prints, but stack traces and usage. Sets are printed in ascending order, where Kafka's order is that
// of a hash map. Kafka: ReassignPartitionsCommand.
type ReassignPartitions struct {
	Env       env.Env
	Client    Client
	ZooKeeper func() (*zkclient.Client, error) // opens a session, which the tool closes
	Print     func(line string)
	// Draw, if set, chooses where --generate begins to place a topic on so many brokers. Kafka, and we without it, draw both
	// numbers at random.
	Draw func(brokers int) Placement

	options reassignOptions
	manager *Manager // over the tool's own session
}

// terse is a failure that is told without "Error: ". Kafka: TerseReassignmentFailureException.
type terse string

func (t terse) Error() string { return string(t) }

// Run carries out one call of the tool and reports whether it succeeded, as its exit code does. The files that options name
// are given as their text. Kafka: ReassignPartitionsCommand.main.
func (t *ReassignPartitions) Run(args []string) bool {
	err := t.run(args)
	var failure *Failure
	switch {
	case err == nil:
		return true
	case errors.As(err, new(terse)), errors.As(err, new(usage)):
		t.say("%s", err)
	case errors.As(err, &failure):
		t.say("Error: %s", failure.Message)
	default:
		t.say("Error: %s", err)
	}
	return false
}

func (t *ReassignPartitions) run(args []string) (err error) {
	if t.options, err = parseReassignOptions(args); err != nil {
		return err
	}
	if t.options.has("bootstrap-server") {
		if t.options.has("zookeeper") {
			t.say("Warning: ignoring deprecated --zookeeper option because --bootstrap-server was specified.  The --zookeeper option will be removed in a future version of Kafka.")
		}
		return t.withClient()
	}
	t.say("Warning: --zookeeper is deprecated, and will be removed in a future version of Kafka.")
	zk, err := t.ZooKeeper()
	if err != nil {
		return err
	}
	defer zk.Close()
	t.manager = New(Config{}, t.Env, zk, nil)
	return t.withZooKeeper()
}

// say prints, a line at a time.
func (t *ReassignPartitions) say(format string, args ...any) {
	for _, line := range strings.Split(fmt.Sprintf(format, args...), "\n") {
		t.Print(line)
	}
}

// plural is the s of so many.
func plural(n int) string {
	if n == 1 {
		return ""
	}
	return "s"
}

func join[T fmt.Stringer](list []T) string {
	words := make([]string, len(list))
	for i, x := range list {
		words[i] = x.String()
	}
	return strings.Join(words, ",")
}

// refusals lists what was refused, a line per partition.
func refusals(refused map[kafka.TopicPartition]string) string {
	var lines []string
	for _, tp := range kafka.SortedFunc(refused, kafka.ComparePartitions) {
		lines = append(lines, tp.String()+": "+refused[tp])
	}
	return strings.Join(lines, "\n")
}

// Sentences of Kafka's.
const (
	cannotExecute = terse("Cannot execute because there is an existing partition assignment.  Use --additional to override this and create a " +
		"new partition assignment in addition to the existing one. The --additional flag can also be used to change the throttle by " +
		"resubmitting the current reassignment.")
	runVerify      = "Warning: You must run --verify periodically, until the reassignment completes, to ensure the throttle is removed."
	needsBootstrap = "bootstrap-server needs to be provided when replica reassignments are present."
	rackless       = "Not all brokers have rack information. Add --disable-rack-aware in command line to make replica assignment without rack information."
)

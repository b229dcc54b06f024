package admin

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"controllerscope/core/jsonvalue"
	"controllerscope/core/kafka"
)

// Target is one entry of a reassignment file: what a partition shall have. LogDirs has one entry per replica, AnyLogDir
// where the broker chooses.
type Target struct {
	kafka.TopicPartition
	Replicas []kafka.BrokerID
	LogDirs  []string
}

// AnyLogDir stands for a log directory of the broker's own choice.
const AnyLogDir = "any"

// node is one value of a JSON text. Its methods refuse what has another shape in the words of Kafka's decoder.
// Kafka: kafka.utils.json.JsonValue.
type node string

func (n node) String() string {
	if short, ok := jsonvalue.AppendCompact(nil, string(n)); ok {
		return string(short)
	}
	return string(n)
}

func (n node) object() (map[string]string, error) {
	fields, ok := jsonvalue.Fields(string(n))
	if !ok {
		return nil, fmt.Errorf("Expected JSON object, received %s", n) //nolint:staticcheck // Kafka's words
	}
	return fields, nil
}

func (n node) array() ([]string, error) {
	items, ok := jsonvalue.Items(string(n))
	if !ok {
		return nil, fmt.Errorf("Expected JSON array, received %s", n)
	}
	return items, nil
}

func (n node) int() (int32, error) {
	out, err := strconv.ParseInt(string(n), 10, 32)
	if err != nil {
		return 0, fmt.Errorf("Expected `Int` value, received %s", n)
	}
	return int32(out), nil
}

func (n node) text() (string, error) {
	v, _ := jsonvalue.Parse(string(n)) // it was read before
	out, is := v.(string)
	if !is {
		return "", fmt.Errorf("Expected `String` value, received %s", n)
	}
	return out, nil
}

// field is a field that must be there.
func field(of map[string]string, name string) (node, error) {
	if raw, found := of[name]; found {
		return node(raw), nil
	}
	return "", fmt.Errorf("No such field exists: `%s`", name)
}

// each calls f with every element of an array.
func (n node) each(f func(element node) error) error {
	list, err := n.array()
	for i := 0; err == nil && i < len(list); i++ {
		err = f(node(list[i]))
	}
	return err
}

// versionOne refuses a file of a version that is not known; the first is meant where none is named.
func versionOne(of map[string]string) error {
	raw, found := of["version"]
	if !found {
		return nil
	}
	if version, err := node(raw).int(); err != nil || version == 1 {
		return err
	} else {
		return fmt.Errorf("Not supported version field value %d", version)
	}
}

// parseTopics reads the file of --generate: {"topics":[{"topic":"foo"}],"version":1}.
// Kafka: ReassignPartitionsCommand.parseTopicsData.
func parseTopics(text string) (topics []string, err error) {
	if _, err := jsonvalue.Parse(text); err != nil {
		return nil, fmt.Errorf("The input string is not a valid JSON")
	}
	file, err := node(text).object()
	if err == nil {
		err = versionOne(file)
	}
	if list, found := file["topics"]; err == nil && found {
		err = node(list).each(func(n node) error {
			topic, err := topicOf(n)
			topics = append(topics, topic)
			return err
		})
	}
	return topics, err
}

func topicOf(n node) (string, error) {
	fields, err := n.object()
	if err != nil {
		return "", err
	}
	topic, err := field(fields, "topic")
	if err != nil {
		return "", err
	}
	return topic.text()
}

// parseTargets reads a reassignment file and keeps what it says twice. A text that is no JSON is refused in our words, not
// in those of Kafka's parser. Kafka: ReassignPartitionsCommand.parsePartitionReassignmentData.
func parseTargets(text string) (targets []Target, err error) {
	if text == "" {
		return nil, fmt.Errorf("The input string shouldn't be empty")
	}
	_, rest, err := jsonvalue.First(text)
	if err != nil {
		return nil, fmt.Errorf("the reassignment is no JSON: %w", err)
	}
	file, err := node(text[:len(text)-len(rest)]).object()
	if err == nil {
		err = versionOne(file)
	}
	if list, found := file["partitions"]; err == nil && found {
		err = node(list).each(func(n node) error {
			t, err := parseTarget(n)
			targets = append(targets, t)
			return err
		})
	}
	return targets, err
}

func parseTarget(n node) (t Target, err error) {
	fields, err := n.object()
	if err != nil {
		return t, err
	}
	if t.Topic, err = topicOf(n); err != nil {
		return t, err
	}
	partition, err := field(fields, "partition")
	if err == nil {
		t.Partition, err = partition.int()
	}
	if err != nil {
		return t, err
	}
	replicas, err := field(fields, "replicas")
	if err == nil {
		err = replicas.each(func(n node) error {
			id, err := n.int()
			t.Replicas = append(t.Replicas, kafka.BrokerID(id))
			return err
		})
	}
	if err != nil {
		return t, err
	}
	return t, t.readLogDirs(fields)
}

// readLogDirs reads log_dirs, one for each replica.
func (t *Target) readLogDirs(fields map[string]string) error {
	dirs, found := fields["log_dirs"]
	if !found {
		t.LogDirs = slices.Repeat([]string{AnyLogDir}, len(t.Replicas))
		return nil
	}
	err := node(dirs).each(func(n node) error {
		dir, err := n.text()
		t.LogDirs = append(t.LogDirs, dir)
		return err
	})
	if err == nil && len(t.LogDirs) != len(t.Replicas) {
		return fmt.Errorf("Size of replicas list List(%s) is different from size of log dirs list List(%s) for partition %s",
			strings.Join(idWords(t.Replicas), ", "), strings.Join(t.LogDirs, ", "), t.TopicPartition)
	}
	return err
}

// formatReassignment writes an assignment as a reassignment file. Kafka: ReassignPartitionsCommand.formatAsReassignmentJson.
func formatReassignment(assignment map[kafka.TopicPartition][]kafka.BrokerID) string {
	var list []string
	for _, tp := range kafka.SortedFunc(assignment, kafka.ComparePartitions) {
		replicas := assignment[tp]
		dirs := slices.Repeat([]string{`"` + AnyLogDir + `"`}, len(replicas))
		list = append(list, fmt.Sprintf(`{"topic":%s,"partition":%d,"replicas":[%s],"log_dirs":[%s]}`,
			jsonvalue.AppendString(nil, tp.Topic), tp.Partition, strings.Join(idWords(replicas), ","), strings.Join(dirs, ",")))
	}
	return `{"version":1,"partitions":[` + strings.Join(list, ",") + `]}`
}

func idWords(ids []kafka.BrokerID) []string {
	out := make([]string, len(ids))
	for i, id := range ids {
		out[i] = id.String()
	}
	return out
}

package sim

import (
	"slices"
	"strconv"

	"controllerscope/core/env"
	"controllerscope/core/kafka"
	"controllerscope/core/trace"
	"controllerscope/core/zkdata"
)

// Invariant is a named sentence that must hold after every step (Settled: whenever the world is idle).
type Invariant struct {
	Name     string
	Sentence string
	Settled  bool
}

// Invariants lists them all.
func Invariants() []Invariant {
	return []Invariant{
		{"leader-in-isr", "A partition's leader is in its ISR, or there is none.", false},
		{"isr-in-assignment", "The ISR is a subset of the assignment.", false},
		{"isr-not-empty", "The ISR is never empty.", false},
		{"leader-epoch-rises", "A partition's leader epoch never falls.", false},
		{"controller-epoch-rises", "The controller epoch never falls, nor does that of a partition's state.", false},
		{"one-controller", "At most one process holds each controller epoch.", false},
		{"leader-hosts", "A live broker that ZooKeeper and the controller both name leader hosts the partition as leader.", true},
		{"context-equals-zookeeper", "The controller in office believes what ZooKeeper holds.", true},
	}
}

// Checker holds a recording to the invariants. It remembers topics that it has read, each while its znode stays.
type Checker struct{ topics map[string]readTopic }

// readTopic is the text of a topic's znode and what it says.
type readTopic struct {
	data       string
	partitions map[int32]kafka.ReplicaAssignment
}

// NewChecker returns the Checker of one recording.
func NewChecker() *Checker { return &Checker{map[string]readTopic{}} }

// Check names the invariants that a step broke; it looks only at what the step changed. It fits trace.Recorder.Check.
func (c *Checker) Check(step *trace.Step, doc *trace.Document) []string {
	var broken []string
	for _, d := range step.Diff {
		switch {
		case len(d.Path) == 3 && d.Path[0] == "zk" && d.Path[2] == "data":
			broken = append(broken, c.checkNode(d, doc)...)
		case len(d.Path) == 3 && d.Path[0] == "ctx" && d.Path[2] == "epoch" && d.After != nil:
			broken = append(broken, checkOffice(d, doc)...)
		}
	}
	slices.Sort(broken)
	return slices.Compact(broken)
}

// checkNode looks at one znode whose data changed.
func (c *Checker) checkNode(d trace.Diff, doc *trace.Document) []string {
	path, after := d.Path[1], text(d.After)
	before := text(d.Before)
	if path == "/controller_epoch" && before != "" {
		was, _ := strconv.Atoi(before)
		if is, _ := strconv.Atoi(after); is < was {
			return []string{"controller-epoch-rises"}
		}
	}
	tp, ok := statePartition(path)
	if !ok || after == "" {
		return nil
	}
	is, ok := state(tp, after)
	if !ok {
		return nil
	}
	var broken []string
	if is.Leader != kafka.NoLeader && !slices.Contains(is.ISR, is.Leader) {
		broken = append(broken, "leader-in-isr")
	}
	if len(is.ISR) == 0 {
		broken = append(broken, "isr-not-empty")
	}
	if assigned := c.topic(doc, tp.Topic)[tp.Partition].Replicas; assigned != nil {
		for _, b := range is.ISR {
			if !slices.Contains(assigned, b) {
				broken = append(broken, "isr-in-assignment")
			}
		}
	}
	if was, ok := state(tp, before); ok {
		if is.LeaderEpoch < was.LeaderEpoch {
			broken = append(broken, "leader-epoch-rises")
		}
		if is.ControllerEpoch < was.ControllerEpoch {
			broken = append(broken, "controller-epoch-rises")
		}
	}
	return broken
}

// checkOffice looks for a second holder of a controller epoch.
func checkOffice(d trace.Diff, doc *trace.Document) []string {
	for _, other := range doc.Names("ctx") {
		if other != d.Path[1] && doc.Get("ctx", other, "epoch") == d.After {
			return []string{"one-controller"}
		}
	}
	return nil
}

// CheckSettled names the invariants that an idle world breaks, each with the partition or path it is about.
func CheckSettled(doc *trace.Document) []string {
	var broken []string
	for _, path := range doc.Names("zk") {
		tp, ok := statePartition(path)
		if !ok {
			continue
		}
		is, ok := state(tp, text(doc.Get("zk", path, "data")))
		if !ok || is.Leader < 0 {
			continue
		}
		leader := is.Leader.String()
		named := doc.Get("broker", leader, "up") == true && doc.Has("zk", "/brokers/ids/"+leader) && believed(doc, tp, is.Leader)
		if named && doc.Get("broker", leader, "replica", tp.String(), "role") != "leader" {
			broken = append(broken, "leader-hosts "+tp.String())
		}
	}
	for _, b := range doc.Names("view", "controller") {
		if doc.Get("view", "controller", b) != "active" {
			continue
		}
		for _, path := range doc.Names("view", "belief", b) {
			if belief, ok := doc.Get("view", "belief", b, path).(env.Record); ok && belief.Get("mark") == "≠" {
				broken = append(broken, "context-equals-zookeeper "+path)
			}
		}
	}
	return broken
}

// believed reports whether a controller in office holds leader for the leader of tp.
func believed(doc *trace.Document, tp kafka.TopicPartition, leader kafka.BrokerID) bool {
	for _, b := range doc.Names("ctx") {
		if record, ok := doc.Get("ctx", b, "partitionLeadershipInfo", tp.String()).(env.Record); ok && record.Get("leader") == int64(leader) {
			return true
		}
	}
	return false
}

func text(v any) string {
	s, _ := v.(string)
	return s
}

// statePartition reads the partition out of a state znode's path.
func statePartition(path string) (kafka.TopicPartition, bool) {
	topic, number, ok := zkdata.StatePathParts(path)
	if !ok {
		return kafka.TopicPartition{}, false
	}
	n, err := strconv.Atoi(number)
	return kafka.TopicPartition{Topic: topic, Partition: int32(n)}, err == nil
}

func state(tp kafka.TopicPartition, data string) (kafka.Leadership, bool) {
	if data == "" {
		return kafka.Leadership{}, false
	}
	l, ok, err := zkdata.DecodeTopicPartitionState(tp, []byte(data), 0)
	return l, ok && err == nil
}

// topic is storedTopic, read once for each text of the znode: every partition asks for it.
func (c *Checker) topic(doc *trace.Document, topic string) map[int32]kafka.ReplicaAssignment {
	data := text(doc.Get("zk", zkdata.TopicPath(topic), "data"))
	if known, ok := c.topics[topic]; ok && known.data == data {
		return known.partitions
	}
	read := readTopic{data, storedTopic(doc, topic)}
	c.topics[topic] = read
	return read.partitions
}

// storedTopic is what a topic's znode says, by partition; one that cannot be read says nothing.
func storedTopic(doc *trace.Document, topic string) map[int32]kafka.ReplicaAssignment {
	t, err := zkdata.DecodeTopic(topic, []byte(text(doc.Get("zk", zkdata.TopicPath(topic), "data"))))
	if err != nil {
		return nil
	}
	return t.Partitions
}

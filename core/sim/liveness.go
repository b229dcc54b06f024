package sim

import (
	"slices"
	"strconv"
	"strings"

	"controllerscope/core/kafka"
	"controllerscope/core/trace"
	"controllerscope/core/zkdata"
)

// Liveness lists what a world must have come to once every fault is healed and it is at rest. Unlike an invariant it need
// not hold while something is held, cut off or dead.
func Liveness() []Invariant {
	return []Invariant{
		{"live-isr-has-leader", "Every partition with a live ISR member has a live leader.", true},
		{"deletion-finishes", "A topic whose replicas are all on live brokers does not stay marked for deletion.", true},
		{"reassignment-finishes", "A reassignment whose replicas are all on live brokers does not stay under way.", true},
	}
}

// CheckLive names what an idle and healed world should have come to and did not, each with the topic or partition it is
// about. Without a controller in office nothing can be asked of it.
func CheckLive(doc *trace.Document) []string {
	if !doc.Has("zk", zkdata.ControllerPath) {
		return nil
	}
	live := map[kafka.BrokerID]bool{}
	for _, b := range doc.Names("broker") {
		if id, err := strconv.ParseInt(b, 10, 32); err == nil {
			live[kafka.BrokerID(id)] = doc.Get("broker", b, "up") == true && doc.Has("zk", "/brokers/ids/"+b)
		}
	}
	dead := func(id kafka.BrokerID) bool { return !live[id] }
	var broken []string
	for _, path := range doc.Names("zk") {
		topic, ok := strings.CutPrefix(path, zkdata.TopicsPath+"/")
		if !ok || strings.Contains(topic, "/") {
			continue
		}
		partitions := storedTopic(doc, topic)
		doomed := doc.Has("zk", zkdata.DeleteTopicsPath+"/"+topic)
		if doomed {
			if !slices.ContainsFunc(all(partitions), dead) {
				broken = append(broken, "deletion-finishes "+topic)
			}
			continue
		}
		for _, p := range kafka.SortedKeys(partitions) {
			tp := kafka.TopicPartition{Topic: topic, Partition: p}
			is, ok := state(tp, text(doc.Get("zk", zkdata.TopicPartitionStatePath(tp), "data")))
			if ok && dead(is.Leader) && slices.ContainsFunc(is.ISR, func(b kafka.BrokerID) bool { return live[b] }) {
				broken = append(broken, "live-isr-has-leader "+tp.String())
			}
			if a := partitions[p]; a.IsReassigning() && !slices.ContainsFunc(a.Replicas, dead) {
				broken = append(broken, "reassignment-finishes "+tp.String())
			}
		}
	}
	return broken
}

// all lists the replicas of all partitions.
func all(partitions map[int32]kafka.ReplicaAssignment) (out []kafka.BrokerID) {
	for _, p := range kafka.SortedKeys(partitions) {
		out = append(out, partitions[p].Replicas...)
	}
	return out
}

package view

import (
	"strconv"
	"strings"

	"controllerscope/core/kafka"
	"controllerscope/core/zkdata"
)

// The znodes that lines and beliefs speak of.
const (
	controllerPath      = "/controller"
	controllerEpochPath = "/controller_epoch"
	idsPath             = "/brokers/ids"
	topicsPath          = "/brokers/topics"
	deleteTopicsPath    = "/admin/delete_topics"
	reassignPath        = "/admin/reassign_partitions"
	preferredPath       = "/admin/preferred_replica_election"
	configTopicsPath    = "/config/topics"
	configChangesPath   = "/config/changes"
	isrChangePath       = "/isr_change_notification"
	logDirEventPath     = "/log_dir_event_notification"
)

// topicNode is what a topic znode says: the assignment of each partition, by its number as text.
type topicNode map[string]kafka.ReplicaAssignment

// leadership is what a state znode says, or a controller's cached copy of it.
type leadership struct {
	Leader      kafka.BrokerID
	ISR         []kafka.BrokerID
	LeaderEpoch int32
}

func topicPath(topic string) string { return topicsPath + "/" + topic }

func statePath(tp string) string {
	topic, n := splitPartition(tp)
	return topicsPath + "/" + topic + "/partitions/" + n + "/state"
}

func splitPartition(tp string) (topic, number string) {
	i := strings.LastIndexByte(tp, '-')
	return tp[:max(i, 0)], tp[i+1:]
}

// topicOf reads /brokers/topics/T.
func topicOf(znode string) (topic string, ok bool) {
	topic, ok = strings.CutPrefix(znode, topicsPath+"/")
	return topic, ok && !strings.Contains(topic, "/")
}

// partitionOf reads /brokers/topics/T/partitions/P/state.
func partitionOf(znode string) (tp string, ok bool) {
	topic, number, ok := zkdata.StatePathParts(znode)
	if !ok {
		return "", false
	}
	return topic + "-" + number, true
}

// exists reports whether the document holds the znode.
func (p *Projector) exists(znode string) bool { return p.doc.Get("zk", znode, "czxid") != nil }

func (p *Projector) data(znode string) string { return text(p.doc.Get("zk", znode, "data")) }

// reparse reads the data of a topic, state or reassignment znode again. What cannot be read says nothing.
func (p *Projector) reparse(znode string) {
	if topic, ok := topicOf(znode); ok {
		p.reparseTopic(topic)
	} else if tp, ok := partitionOf(znode); ok {
		p.reparseState(znode, tp)
	} else if znode == reassignPath {
		p.reparsePlan()
	}
}

func (p *Projector) reparseState(znode, tp string) {
	old, had := p.states[tp]
	if had {
		put(p.led, old.Leader.String(), tp, false)
		delete(p.states, tp)
	}
	var l leadership
	if is, ok, err := zkdata.DecodeTopicPartitionState(kafka.TopicPartition{}, []byte(p.data(znode)), 0); ok && err == nil && p.exists(znode) {
		l = leadership{is.Leader, is.ISR, is.LeaderEpoch}
		p.states[tp] = l
		put(p.led, l.Leader.String(), tp, true)
	}
	p.replicasMarked(tp, old.ISR, l.ISR)
	p.mark(partitions, tp, "")
}

func (p *Projector) reparseTopic(topic string) {
	old := p.topics[topic]
	node := parseTopic(topic, p.data(topicPath(topic)))
	if !p.exists(topicPath(topic)) {
		node = nil
	}
	if node == nil {
		delete(p.topics, topic)
	} else {
		p.topics[topic] = node
	}
	for _, list := range []topicNode{old, node} {
		for n := range list {
			was, had := old[n]
			is, has := node[n]
			if had == has && was.Equal(is) {
				continue
			}
			tp := topic + "-" + n
			p.moving.put(tp, is.IsReassigning())
			p.replicasMarked(tp, was.Replicas, is.Replicas)
			p.mark(partitions, tp, "")
			for b := range p.active {
				p.compareAssignment(b, tp)
				p.compareReassignment(b, tp)
			}
		}
	}
}

// replicasMarked makes the chips of both replica lists stale.
func (p *Projector) replicasMarked(tp string, lists ...[]kafka.BrokerID) {
	for _, list := range lists {
		for _, b := range list {
			p.mark(chips, b.String(), tp)
		}
	}
}

func parseTopic(topic, data string) topicNode {
	t, err := zkdata.DecodeTopic(topic, []byte(data))
	if err != nil {
		return nil
	}
	node := topicNode{}
	for n, a := range t.Partitions {
		node[strconv.Itoa(int(n))] = a
	}
	return node
}

// planned reads the partitions that /admin/reassign_partitions names.
func planned(data string) set {
	named := set{}
	entries, _ := zkdata.DecodePartitionReassignment([]byte(data)) // what cannot be read names none
	for _, e := range entries {
		named.put(e.TopicPartition.String(), true)
	}
	return named
}

// preferred reads the partitions that the znode of the preferred replica election names.
func preferred(data string) set {
	named := set{}
	entries, _ := zkdata.DecodePreferredReplicaElection([]byte(data)) // what cannot be read names none
	for _, tp := range entries {
		named.put(tp.String(), true)
	}
	return named
}

func (p *Projector) reparsePlan() {
	old := p.plan
	p.plan = set{}
	if p.exists(reassignPath) {
		p.plan = planned(p.data(reassignPath))
	}
	for _, list := range []set{old, p.plan} {
		for tp := range list {
			for b := range p.active {
				p.compareReassignment(b, tp)
			}
		}
	}
}

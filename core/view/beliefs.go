package view

import (
	"strconv"
	"strings"

	"controllerscope/core/env"
	"controllerscope/core/kafka"
)

// touchContext takes one change of a controller's context into the indexes.
func (p *Projector) touchContext(path []string, before, after any) {
	b, field := path[1], path[2]
	switch field {
	case "epoch", "epochZkVersion":
		p.markBelief(b, controllerEpochPath)
		p.mark(lead, "", "")
		p.mark(controllers, b, "")
	case "liveBrokerEpochs":
		p.markBelief(b, idsPath+"/"+path[3])
	case "allTopics":
		p.markBelief(b, topicPath(path[3]))
	case "partitionAssignments":
		tp := path[3]
		topic, n := splitPartition(tp)
		if p.assigned[b] == nil {
			p.assigned[b] = map[string]set{}
		}
		put(p.assigned[b], topic, n, after != nil)
		p.compareAssignment(b, tp)
		p.replicasMarked(tp, assignmentOf(before).Replicas, assignmentOf(after).Replicas)
	case "partitionLeadershipInfo":
		p.markBelief(b, statePath(path[3]))
		p.mark(partitions, path[3], "")
	case "topicsToBeDeleted":
		p.markBelief(b, deleteTopicsPath)
		p.compareDeletion(b, path[3])
	case "partitionsBeingReassigned":
		p.markBelief(b, reassignPath)
		p.compareReassignment(b, path[3])
	case "partitionStates":
		p.count(b, "partition", before, after)
	case "replicaStates":
		p.count(b, "replica", before, after)
		if tp, broker, ok := strings.Cut(path[3], "·"); ok {
			p.mark(chips, broker, tp)
		}
	}
}

// compareAll compares every list of a broker that became, or ceased to be, a controller.
func (p *Projector) compareAll(b string) {
	for topic, node := range p.topics {
		for n := range node {
			p.compareAssignment(b, topic+"-"+n)
		}
	}
	for topic, numbers := range p.assigned[b] {
		for n := range numbers {
			p.compareAssignment(b, topic+"-"+n)
		}
	}
	for _, tp := range p.doc.Names("ctx", b, "partitionLeadershipInfo") {
		p.markBelief(b, statePath(tp))
	}
	for _, field := range []struct {
		name    string
		compare func(b, member string)
	}{{"topicsToBeDeleted", p.compareDeletion}, {"partitionsBeingReassigned", p.compareReassignment}} {
		for _, member := range p.doc.Names("ctx", b, field.name) {
			field.compare(b, member)
		}
	}
	for name := range p.listing[deleteTopicsPath] {
		p.compareDeletion(b, name)
	}
	for _, list := range []set{p.plan, p.moving} {
		for tp := range list {
			p.compareReassignment(b, tp)
		}
	}
	for _, broker := range p.doc.Names("ctx", b, "liveBrokerEpochs") {
		p.markBelief(b, idsPath+"/"+broker)
	}
	for _, topic := range p.doc.Names("ctx", b, "allTopics") {
		p.markBelief(b, topicPath(topic))
	}
}

// compareAssignment notes whether belief and truth agree on one partition's assignment.
func (p *Projector) compareAssignment(b, tp string) {
	topic, n := splitPartition(tp)
	truth, known := p.topics[topic][n]
	belief := p.doc.Get("ctx", b, "partitionAssignments", tp)
	same := known == (belief != nil) && truth.Equal(assignmentOf(belief))
	put(p.differ, b+" "+topicPath(topic), n, p.active.has(b) && !same)
	p.markBelief(b, topicPath(topic))
}

func (p *Projector) compareDeletion(b, topic string) {
	same := p.listing[deleteTopicsPath].has(topic) == (p.doc.Get("ctx", b, "topicsToBeDeleted", topic) != nil)
	put(p.differ, b+" "+deleteTopicsPath, topic, p.active.has(b) && !same)
	p.markBelief(b, deleteTopicsPath)
}

// compareReassignment compares with what ZooKeeper asks for: the plan that waits in its znode, and the reassignments that
// topic znodes show under way.
func (p *Projector) compareReassignment(b, tp string) {
	asked := p.plan.has(tp) || p.moving.has(tp)
	same := asked == (p.doc.Get("ctx", b, "partitionsBeingReassigned", tp) != nil)
	put(p.differ, b+" "+reassignPath, tp, p.active.has(b) && !same)
	p.markBelief(b, reassignPath)
}

func assignmentOf(v any) kafka.ReplicaAssignment {
	m, _ := v.(env.Record)
	return kafka.ReplicaAssignment{Replicas: brokersOf(m.Get("replicas")), Adding: brokersOf(m.Get("adding")), Removing: brokersOf(m.Get("removing"))}
}

func brokersOf(v any) []kafka.BrokerID {
	list, _ := v.([]any)
	out := make([]kafka.BrokerID, len(list))
	for i, x := range list {
		out[i] = kafka.BrokerID(number(x, -1))
	}
	return out
}

func leadershipOf(v any) (l leadership, zkVersion int64, ok bool) {
	m, ok := v.(env.Record)
	return leadership{kafka.BrokerID(number(m.Get("leader"), -1)), brokersOf(m.Get("isr")), int32(number(m.Get("leaderEpoch"), -1))},
		number(m.Get("zkVersion"), -1), ok
}

// believedToExist reports whether a controller believes in a znode that lists nothing else.
func (p *Projector) believedToExist(znode string) bool {
	for b := range p.active {
		if broker, ok := strings.CutPrefix(znode, idsPath+"/"); ok {
			if p.doc.Has("ctx", b, "liveBrokerEpochs", broker) {
				return true
			}
		} else if topic, ok := topicOf(znode); ok {
			if len(p.assigned[b][topic]) > 0 || p.doc.Has("ctx", b, "allTopics", topic) {
				return true
			}
		} else if tp, ok := partitionOf(znode); ok && p.doc.Has("ctx", b, "partitionLeadershipInfo", tp) {
			return true
		}
	}
	return false
}

// belief is one cell of the controller's column.
type belief struct {
	field, value, brief string
	same                bool
	from                env.Path // within the controller's own subtrees
}

// computeBelief writes what controller b believes about a znode, if it believes anything.
func (p *Projector) computeBelief(b, znode string) {
	c, ok := belief{}, false
	if p.active.has(b) && p.rows.has(znode) {
		c, ok = p.belief(b, znode)
	}
	head := znode == idsPath || znode == topicsPath
	put(p.unlike, b, znode, ok && !head && !c.same)
	p.mark(mismatches, b, "")
	if !ok {
		p.unset("belief", b, znode)
		return
	}
	mark := "≠"
	if head {
		mark = ""
	} else if c.same {
		mark = "="
	}
	if c.brief == c.value {
		c.brief = ""
	}
	was := p.record("belief", b, znode)
	if was.Get("value") == c.value && was.Get("mark") == mark && text(was.Get("brief")) == c.brief {
		return // field and from are the same for ever
	}
	record := make(env.Record, 0, 5)
	if c.brief != "" {
		record = append(record, env.A("brief", c.brief))
	}
	record = append(record, env.A("field", c.field))
	if from := was.Get("from"); from != nil {
		record = append(record, env.A("from", from))
	} else if c.from != nil {
		record = append(record, env.A("from", env.Strings(c.from)))
	}
	p.set(append(record, env.A("mark", mark), env.A("value", c.value)), "belief", b, znode)
}

// at is a path of the document, until the next one is asked for.
func (p *Projector) at(words ...string) env.Path {
	p.from = append(p.from[:0], words...)
	return p.from
}

func (p *Projector) belief(b, znode string) (belief, bool) {
	switch znode {
	case controllerPath:
		id := kafka.BrokerID(number(p.doc.Get("ctl", b, "active"), -1))
		value := id.String()
		if id == kafka.NoBroker {
			value = nothing
		}
		return belief{"activeControllerId", value, "", id == p.namedController(), p.at("ctl", b, "active")}, true
	case controllerEpochPath:
		return p.believedEpoch(b), true
	case idsPath:
		return belief{field: "liveBrokerEpochs"}, true
	case topicsPath:
		return belief{field: "partitionAssignments"}, true
	case deleteTopicsPath:
		return p.believedSet(b, "topicsToBeDeleted", znode), true
	case reassignPath:
		return p.believedSet(b, "partitionsBeingReassigned", znode), true
	}
	if broker, ok := strings.CutPrefix(znode, idsPath+"/"); ok {
		value := text(p.doc.Get("ctx", b, "liveBrokerEpochs", broker))
		same := value == text(p.doc.Get("zk", znode, "czxid"))
		if value == "" {
			value = nothing
		}
		return belief{"broker " + broker, value, "", same, p.at("ctx", b, "liveBrokerEpochs", broker)}, true
	}
	if topic, ok := topicOf(znode); ok {
		return p.believedTopic(b, topic), true
	}
	if tp, ok := partitionOf(znode); ok {
		return p.believedLeadership(b, tp), true
	}
	return belief{}, false
}

func (p *Projector) believedEpoch(b string) belief {
	epoch, version, from := p.doc.Get("ctx", b, "epoch"), p.doc.Get("ctx", b, "epochZkVersion"), p.at("ctx", b, "epoch")
	if epoch == nil {
		return belief{"epoch · zkVersion", nothing, "", !p.exists(controllerEpochPath), from}
	}
	e := strconv.FormatInt(number(epoch, 0), 10)
	same := p.data(controllerEpochPath) == e && p.doc.Get("zk", controllerEpochPath, "version") == version
	return belief{"epoch · zkVersion", e + " · v" + strconv.FormatInt(number(version, 0), 10), e, same, from}
}

func (p *Projector) believedSet(b, field, znode string) belief {
	n := p.doc.Count("ctx", b, field)
	var members []string
	if n <= 3 {
		members = p.doc.Names("ctx", b, field)
	}
	return belief{field, listed(members, n), "", len(p.differ[b+" "+znode]) == 0, p.at("ctx", b, field)}
}

func (p *Projector) believedTopic(b, topic string) belief {
	node := topicNode{}
	numbers := p.assigned[b][topic]
	for n := range numbers {
		node[n] = kafka.ReplicaAssignment{}
		if len(numbers) <= 3 {
			node[n] = assignmentOf(p.doc.Get("ctx", b, "partitionAssignments", topic+"-"+n))
		}
	}
	znode := topicPath(topic)
	same := p.exists(znode) == p.doc.Has("ctx", b, "allTopics", topic) && len(p.differ[b+" "+znode]) == 0
	value := assignments(node)
	if d := len(p.differ[b+" "+znode]); d > 0 && len(node) > 3 {
		value += " (≠ " + strconv.Itoa(d) + ")"
	}
	return belief{"", value, "", same, p.at("ctx", b, "allTopics", topic)}
}

// believedLeadership compares the cached leadership with the state znode, its version included; the version is written
// only where it makes the difference. The controller epoch is left out: Kafka stamps its own one on cached entries that it
// looked at without writing them (ReplicaStateMachine.doRemoveReplicasFromIsr), which is not a belief about the znode.
func (p *Projector) believedLeadership(b, tp string) belief {
	truth, known := p.states[tp]
	from := p.at("ctx", b, "partitionLeadershipInfo", tp)
	l, version, ok := leadershipOf(p.doc.Get(from...))
	if !ok {
		return belief{tp, nothing, "", !known, from}
	}
	sameState := known && truth.equal(l)
	same := sameState && p.doc.Get("zk", statePath(tp), "version") == version
	value, brief := l.texts()
	c := belief{tp, value, brief, same, from}
	if sameState && !same {
		c.value += " v" + strconv.FormatInt(version, 10)
		c.brief = c.value
	}
	return c
}

func (p *Projector) computeMismatch(b, _ string) {
	if !p.active.has(b) {
		p.unset("mismatch", b)
		return
	}
	p.set(int64(len(p.unlike[b])), "mismatch", b)
}

package view

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"controllerscope/core/env"
	"controllerscope/core/kafka"
)

// computeLead chooses the controller whose beliefs come first. When it changes, every chip is that controller's view.
func (p *Projector) computeLead(_, _ string) {
	chosen, best := "", int64(-1)
	for _, b := range p.active.sorted() {
		epoch := number(p.doc.Get("ctx", b, "epoch"), 0)
		if p.standing(b) == "active" {
			epoch = 1 << 40
		}
		if epoch > best {
			chosen, best = b, epoch
		}
	}
	if chosen == "" {
		p.unset("lead")
	} else {
		p.setText(chosen, "lead")
	}
	if chosen == p.leadNow {
		return
	}
	for _, b := range []string{p.leadNow, chosen} {
		for _, tp := range p.doc.Names("ctx", b, "partitionAssignments") {
			p.replicasMarked(tp, assignmentOf(p.doc.Get("ctx", b, "partitionAssignments", tp)).Replicas)
		}
		for _, replica := range p.doc.Names("ctx", b, "replicaStates") {
			if tp, broker, ok := strings.Cut(replica, "·"); ok {
				p.mark(chips, broker, tp)
			}
		}
		for _, tp := range p.doc.Names("ctx", b, "partitionLeadershipInfo") {
			p.mark(partitions, tp, "")
		}
	}
	for tp := range p.states {
		p.mark(partitions, tp, "")
	}
	p.leadNow = chosen
}

// standing tells a controller from one that only thinks it is: ZooKeeper names another, or has counted a later epoch.
func (p *Projector) standing(b string) string {
	if p.namedController().String() != b {
		return "stale"
	}
	epoch := p.doc.Get("ctx", b, "epoch")
	if epoch != nil && strconv.FormatInt(number(epoch, 0), 10) != p.data(controllerEpochPath) {
		return "stale"
	}
	return "active"
}

func (p *Projector) computeController(b, _ string) {
	if p.active.has(b) {
		p.setText(p.standing(b), "controller", b)
	} else {
		p.unset("controller", b)
	}
}

// computeBell counts the watches of a kind at a znode and finds the clients that will not hear of a change.
func (p *Projector) computeBell(znode, kind string) {
	armed := int64(p.doc.Count("watch", znode, kind))
	var blind []string
	for client := range p.handlers[item{znode, kind}] {
		if live := p.liveSession(client); live != "" && !p.doc.Has("watch", znode, kind, live) {
			blind = append(blind, client)
		}
	}
	slices.Sort(blind)
	if armed == 0 && len(blind) == 0 {
		p.unset("bell", znode, kind)
		return
	}
	was := p.record("bell", znode, kind)
	if list, _ := was.Get("blind").([]any); was.Get("armed") != armed || !slices.EqualFunc(list, blind, func(a any, b string) bool { return a == b }) {
		p.set(env.R(env.A("armed", armed), env.A("blind", env.Strings(blind))), "bell", znode, kind)
	}
}

// liveSession is the session that a client has, connected or cut, "" for none.
func (p *Projector) liveSession(client string) string {
	return p.newest(client, func(state any) bool { return state == "connected" || state == "cut" })
}

// newest is the session of a client that was opened last among those that fit, "" for none.
func (p *Projector) newest(client string, fits func(state any) bool) string {
	newest, most := "", int64(-1)
	for id := range p.sessions[client] {
		session := p.doc.At("session", id)
		number, _ := session.Get("number").(int64)
		if fits(session.Get("state")) && (number > most || number == most && (len(id) > len(newest) || len(id) == len(newest) && id > newest)) {
			newest, most = id, number
		}
	}
	return newest
}

// computeRing names the session that a client has, or had last.
func (p *Projector) computeRing(client, _ string) {
	id := p.liveSession(client)
	if id == "" {
		id = p.newest(client, func(any) bool { return true })
	}
	if id == "" {
		p.unset("ring", client)
		return
	}
	p.setText(id, "ring", client)
}

// count moves one partition or replica from a state to another.
func (p *Projector) count(b, kind string, before, after any) {
	for _, move := range []struct {
		state any
		by    int64
	}{{before, -1}, {after, 1}} {
		if state := text(move.state); state != "" {
			p.counts[item{b, kind + "/" + state}] += move.by
			p.mark(charts, b, kind+"/"+state)
		}
	}
}

func (p *Projector) computeChart(b, what string) {
	kind, state, _ := strings.Cut(what, "/")
	n := p.counts[item{b, what}]
	if n == 0 {
		delete(p.counts, item{b, what})
		p.unset("chart", b, kind, state)
		return
	}
	p.set(n, "chart", b, kind, state)
}

// brokerStates are Kafka's names and numbers. Kafka: org.apache.kafka.metadata.BrokerState.
var brokerStates = map[int64]string{0: "NOT_RUNNING", 1: "STARTING", 2: "RECOVERY", 3: "RUNNING",
	6: "PENDING_CONTROLLED_SHUTDOWN", 7: "SHUTTING_DOWN", 127: "UNKNOWN"}

func (p *Projector) computeBroker(b, _ string) {
	n, ok := p.doc.Get("broker", b, "state").(int64)
	if !ok {
		p.unset("broker", b)
		return
	}
	p.setText(brokerStates[n]+" ("+strconv.FormatInt(n, 10)+")", "broker", b)
}

// computeChip says of one replica what the controller believes, what both lists say, and what the broker really does.
func (p *Projector) computeChip(b, tp string) {
	topic, n := splitPartition(tp)
	broker, _ := strconv.ParseInt(b, 10, 32)
	zk := slices.Contains(p.topics[topic][n].Replicas, kafka.BrokerID(broker))
	believed, _ := p.doc.Get("ctx", p.leadNow, "partitionAssignments", tp).(env.Record)
	list, _ := believed.Get("replicas").([]any)
	ctl := slices.ContainsFunc(list, func(id any) bool { return id == broker })
	hosts := p.doc.At("broker", b)
	role, log := text(hosts.Get("replica", tp, "role")), hosts.Get("log", tp) != nil
	state := text(p.doc.Get("ctx", p.leadNow, "replicaStates", tp+"·"+b))
	if !zk && !ctl && !log && role == "" && state == "" {
		p.unset("chip", b, tp)
		return
	}
	isr := slices.Contains(p.states[tp].ISR, kafka.BrokerID(broker))
	was := p.record("chip", b, tp)
	if was.Get("state") != state || was.Get("role") != role || was.Get("isr") != isr || was.Get("zk") != zk || was.Get("ctl") != ctl || was.Get("log") != log {
		p.set(env.R(env.A("ctl", ctl), env.A("isr", isr), env.A("log", log), env.A("role", role),
			env.A("state", state), env.A("zk", zk)), "chip", b, tp)
	}
}

// computePartition follows the leader that ZooKeeper names to the broker itself.
func (p *Projector) computePartition(tp, _ string) {
	state, known := p.states[tp]
	belief, believed := p.doc.Get("ctx", p.leadNow, "partitionLeadershipInfo", tp).(env.Record)
	if !known && !believed {
		p.unset("partition", tp)
		return
	}
	if !known {
		state.Leader = kafka.NoLeader
	}
	zk, ctl := int64(state.Leader), number(belief.Get("leader"), int64(kafka.NoLeader))
	really, produce := p.reality(state.Leader, tp)
	was := p.record("partition", tp)
	if was.Get("zk") != zk || was.Get("ctl") != ctl || was.Get("really") != really || was.Get("produce") != produce {
		p.set(env.R(env.A("ctl", ctl), env.A("produce", produce), env.A("really", really), env.A("zk", zk)), "partition", tp)
	}
}

// reality is what a broker does for a partition and what it answers a producer. Kafka: ReplicaManager.getPartitionOrError,
// Partition.appendRecordsToLeader.
func (p *Projector) reality(leader kafka.BrokerID, tp string) (really, produce string) {
	if leader < 0 {
		return "nothing", "LEADER_NOT_AVAILABLE"
	}
	broker := p.doc.At("broker", leader.String())
	if broker.Get("up") != true {
		return "down", "NETWORK_EXCEPTION"
	}
	switch broker.Get("replica", tp, "role") {
	case "leader":
		return "leader", "NONE"
	case "follower":
		return "follower", "NOT_LEADER_OR_FOLLOWER"
	}
	if broker.Get("meta", "partition", tp) != nil {
		return "nothing", "NOT_LEADER_OR_FOLLOWER"
	}
	return "nothing", "UNKNOWN_TOPIC_OR_PARTITION"
}

// mbeans are the JMX types of gauges that do not belong to KafkaController.
var mbeans = map[string]string{
	"EventQueueSize": "kafka.controller:type=ControllerEventManager,name=EventQueueSize",
	"TotalQueueSize": "kafka.controller:type=ControllerChannelManager,name=TotalQueueSize",
}

func (p *Projector) computeMetric(b, name string) {
	bean := p.beans[name]
	if bean == "" {
		bean = cmp.Or(mbeans[name], "kafka.controller:type=KafkaController,name="+name)
		p.beans[name] = bean
	}
	if v := p.doc.Get("metric", b, name); v == nil {
		p.unset("metric", bean, b)
	} else {
		p.set(v, "metric", bean, b)
	}
}

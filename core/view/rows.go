package view

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"controllerscope/core/env"
	"controllerscope/core/jsonvalue"
	"controllerscope/core/kafka"
	"controllerscope/core/zkdata"
)

// nothing is what an empty list is written as.
const nothing = "∅"

// computeRow writes where a znode has its line, or what stands there.
func (p *Projector) computeRow(znode, what string) {
	if what == "at" {
		p.computePlace(znode)
	} else {
		p.computeValue(znode)
	}
}

// computePlace decides whether a znode has a line, and where.
func (p *Projector) computePlace(znode string) {
	has := p.exists(znode) || p.doc.Has("watch", znode) || p.believedToExist(znode) ||
		len(p.handlers[item{znode, "data"}])+len(p.handlers[item{znode, "child"}]) > 0
	if has == p.rows.has(znode) {
		return
	}
	p.rows.put(znode, has)
	p.markBeliefs(znode)
	if !has {
		p.unset("row", znode)
		return
	}
	label, depth, order, fold := place(znode)
	p.set(env.R(env.A("depth", int64(depth)), env.A("fold", fold), env.A("label", label), env.A("order", order)), "row", znode, "at")
}

// computeValue writes what a znode says in short.
func (p *Projector) computeValue(znode string) {
	if !p.exists(znode) {
		p.unset("row", znode, "value")
		p.unset("row", znode, "brief")
		return
	}
	value, brief := p.truth(znode)
	p.setText(value, "row", znode, "value")
	if brief == value {
		p.unset("row", znode, "brief")
	} else {
		p.setText(brief, "row", znode, "brief")
	}
}

// heads are the lines at the left edge, in the order in which Kafka's own reading goes.
var heads = []string{controllerPath, controllerEpochPath, idsPath, topicsPath, deleteTopicsPath, reassignPath, preferredPath,
	configTopicsPath, configChangesPath, isrChangePath, logDirEventPath}

// place gives a znode its line: the heads in their order with what belongs to them below, everything else after them,
// folded.
func place(znode string) (label string, depth int, order string, fold bool) {
	if tp, ok := partitionOf(znode); ok {
		topic, n := splitPartition(tp)
		return "…/" + n + "/state", 2, orderOf(topicsPath) + "/" + topic + "/" + padded(n), false
	}
	if i := slices.Index(heads, znode); i >= 0 {
		return znode, 0, orderOf(znode), znode == configTopicsPath
	}
	if i := strings.LastIndexByte(znode, '/'); i > 0 {
		parent, name := znode[:i], znode[i+1:]
		switch parent {
		case idsPath, topicsPath, deleteTopicsPath, configChangesPath, isrChangePath, logDirEventPath:
			return name, 1, orderOf(parent) + "/" + padded(name), false
		case configTopicsPath:
			return znode, 0, orderOf(parent) + "/" + name, false
		}
	}
	return znode, 0, "99" + znode, true
}

func orderOf(head string) string { return fmt.Sprintf("%02d", slices.Index(heads, head)) }

// padded makes numbers sort as numbers.
func padded(name string) string {
	if n, err := strconv.ParseInt(name, 10, 32); err == nil && n >= 0 {
		return fmt.Sprintf("%010d", n)
	}
	return name
}

// truth is what an existing znode says in short, and in shorter.
func (p *Projector) truth(znode string) (value, brief string) {
	data := p.data(znode)
	switch znode {
	case controllerPath:
		if id := p.namedController(); id != kafka.NoBroker {
			return "brokerid " + id.String(), id.String()
		}
	case idsPath, topicsPath, configTopicsPath:
		return "", ""
	case deleteTopicsPath:
		return one(listed(p.listing[znode].sorted(), len(p.listing[znode])))
	case configChangesPath, isrChangePath, logDirEventPath:
		if n := len(p.listing[znode]); n > 0 {
			return one(strconv.Itoa(n))
		}
		return one(nothing)
	case reassignPath:
		named := planned(data)
		return one(listed(named.sorted(), len(named)))
	case preferredPath:
		named := preferred(data)
		return one(listed(named.sorted(), len(named)))
	}
	if topic, ok := topicOf(znode); ok {
		return one(assignments(p.topics[topic]))
	}
	if tp, ok := partitionOf(znode); ok {
		if l, ok := p.states[tp]; ok {
			return l.texts()
		}
	}
	if strings.HasPrefix(znode, idsPath+"/") {
		czxid := text(p.doc.Get("zk", znode, "czxid"))
		return "czxid " + czxid, czxid
	}
	if strings.HasPrefix(znode, changePrefix) {
		return one(announced(data))
	}
	if strings.HasPrefix(znode, "/config/") {
		return one(config(data))
	}
	return one(data)
}

// announced is the config that a notification names, or the data as they are. Kafka: ConfigEntityChangeNotificationZNode;
// version 1 names type and entity apart.
func announced(data string) string {
	fields := object(data)
	path, _ := fields["entity_path"].(string)
	entityType, _ := fields["entity_type"].(string)
	name, _ := fields["entity_name"].(string)
	switch {
	case path != "":
		return path
	case entityType != "" && name != "":
		return entityType + "/" + name
	}
	return data
}

func one(s string) (string, string) { return s, s }

// namedController is the broker that /controller names. Kafka: ControllerZNode.decode.
func (p *Projector) namedController() kafka.BrokerID {
	id, ok, err := zkdata.DecodeController([]byte(p.data(controllerPath)))
	if !p.exists(controllerPath) || !ok || err != nil {
		return kafka.NoBroker
	}
	return id
}

// listed writes a set: its members while they are few, else their number.
func listed(members []string, n int) string {
	switch {
	case n == 0:
		return nothing
	case n > 3:
		return "×" + strconv.Itoa(n)
	}
	return "{" + strings.Join(members, ",") + "}"
}

// assignments writes a topic: the replicas of each partition while they are few, else their number.
func assignments(node topicNode) string {
	switch {
	case len(node) == 0:
		return nothing
	case len(node) > 3:
		return "×" + strconv.Itoa(len(node))
	}
	parts := make([]string, 0, len(node))
	for _, n := range kafka.SortedKeys(node) {
		a := n + ":" + ids(node[n].Replicas)
		if len(node[n].Adding) > 0 {
			a += "+" + ids(node[n].Adding)
		}
		if len(node[n].Removing) > 0 {
			a += "−" + ids(node[n].Removing)
		}
		parts = append(parts, a)
	}
	return strings.Join(parts, " ")
}

func ids(list []kafka.BrokerID) string {
	var some [64]byte
	return string(appendIDs(some[:0], list))
}

func appendIDs(out []byte, list []kafka.BrokerID) []byte {
	out = append(out, '[')
	for i, b := range list {
		if i > 0 {
			out = append(out, ',')
		}
		out = strconv.AppendInt(out, int64(b), 10)
	}
	return append(out, ']')
}

// texts are leader, ISR and leader epoch, "1 [1,2,0] e0", and the same without the epoch.
func (l leadership) texts() (value, brief string) {
	var some [64]byte
	out := some[:0]
	if l.Leader < 0 {
		out = append(out, "−"...)
	}
	out = append(strconv.AppendInt(out, max(int64(l.Leader), -int64(l.Leader)), 10), ' ')
	out = appendIDs(out, l.ISR)
	n := len(out)
	value = string(strconv.AppendInt(append(out, " e"...), int64(l.LeaderEpoch), 10))
	return value, value[:n]
}

func (l leadership) equal(o leadership) bool {
	return l.Leader == o.Leader && l.LeaderEpoch == o.LeaderEpoch && slices.Equal(l.ISR, o.ISR)
}

// config writes a config znode: its keys and values; what is no config is shown as it stands.
func config(data string) string {
	entries, is := object(data)["config"].(map[string]any)
	if !is {
		return data
	}
	parts := make([]string, 0, len(entries))
	for _, k := range kafka.SortedKeys(entries) {
		value, plain := entries[k].(string)
		if !plain {
			value = string(jsonvalue.Append(nil, entries[k]))
		}
		parts = append(parts, k+"="+value)
	}
	return "{" + strings.Join(parts, " ") + "}"
}

// object reads a JSON object; any other text has no fields.
func object(data string) map[string]any {
	v, _ := jsonvalue.Parse(data) // nil on an error
	fields, _ := v.(map[string]any)
	return fields
}

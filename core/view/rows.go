package view

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"controllerscope/core/jsonvalue"
	"controllerscope/core/kafka"
	"controllerscope/core/zkdata"
)

// nothing is what an empty list is written as.
const nothing = "∅"

// computeRow decides whether a znode has a line, where it stands, and what it says in short.
func (p *Projector) computeRow(znode, _ string) {
	has := p.exists(znode) || p.doc.Has("watch", znode) || p.believedToExist(znode) ||
		len(p.handlers[item{znode, "data"}])+len(p.handlers[item{znode, "child"}]) > 0
	if has != p.rows.has(znode) {
		p.rows.put(znode, has)
		for b := range p.active {
			p.mark(beliefs, b, znode)
		}
	}
	if !has {
		p.set(nil, "row", znode)
		return
	}
	label, depth, order, fold := place(znode)
	p.set(map[string]any{"label": label, "depth": int64(depth), "order": order, "fold": fold}, "row", znode, "at")
	if !p.exists(znode) {
		p.set(nil, "row", znode, "value")
		p.set(nil, "row", znode, "brief")
		return
	}
	value, brief := p.truth(znode)
	p.set(value, "row", znode, "value")
	if brief == value {
		p.set(nil, "row", znode, "brief")
	} else {
		p.set(brief, "row", znode, "brief")
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
		return one(listed(p.listing[znode], len(p.listing[znode])))
	case configChangesPath, isrChangePath, logDirEventPath:
		if n := len(p.listing[znode]); n > 0 {
			return one(strconv.Itoa(n))
		}
		return one(nothing)
	case reassignPath:
		named := planned(data)
		return one(listed(named, len(named)))
	case preferredPath:
		named := preferred(data)
		return one(listed(named, len(named)))
	}
	if topic, ok := topicOf(znode); ok {
		return one(assignments(p.topics[topic]))
	}
	if tp, ok := partitionOf(znode); ok {
		if l, ok := p.states[tp]; ok {
			return l.String(), l.brief()
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
func listed(members set, n int) string {
	switch {
	case n == 0:
		return nothing
	case n > 3:
		return "×" + strconv.Itoa(n)
	}
	return "{" + strings.Join(members.sorted(), ",") + "}"
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
	words := make([]string, len(list))
	for i, b := range list {
		words[i] = b.String()
	}
	return "[" + strings.Join(words, ",") + "]"
}

// String is leader, ISR and leader epoch: "1 [1,2,0] e0".
func (l leadership) String() string { return l.brief() + " e" + strconv.Itoa(int(l.LeaderEpoch)) }

func (l leadership) brief() string {
	return strings.Replace(l.Leader.String(), "-", "−", 1) + " " + ids(l.ISR)
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

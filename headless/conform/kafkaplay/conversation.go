package kafkaplay

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"controllerscope/core/zk"
)

// laneKey is one conversation: what one thread of one process says to ZooKeeper.
type laneKey struct{ by, lane string }

// entry is one request with its answer, or one watch event, in the words of a recording.
type entry struct {
	key     string // what is asked: operation, paths, watch flag; of an event its type and path
	shown   object // everything that is compared
	event   bool
	connect bool
	slot    int // of an event: how many requests of its lane were answered before it
	batch   int // of a recorded request
	w       int // of a recorded write: its rank, 0 for none
	matched bool
}

// conversations are the entries of one step, by lane, each in order.
type conversations map[laneKey][]*entry

// add appends an entry and returns how many requests the lane has before it.
func (c conversations) add(k laneKey, e *entry) { c[k] = append(c[k], e) }

// requests counts the requests of a lane; connects are none.
func (c conversations) requests(k laneKey) int {
	n := 0
	for _, e := range c[k] {
		if !e.event && !e.connect {
			n++
		}
	}
	return n
}

const mainLane = "main"

// recorded takes the conversations of steps of a recording apart.
func recorded(zks []object) conversations {
	out := conversations{}
	for _, o := range zks {
		k := laneKey{by(o["by"]), cmp.Or(o.text("lane"), mainLane)}
		e := &entry{batch: max(0, o.number("batch")), w: max(0, o.number("w")), event: o.text("event") != "",
			connect: o.text("op") == "connect", shown: object{}}
		for name, v := range o {
			switch name {
			case "by", "lane", "batch", "w", "pending", "reply":
			default:
				e.shown[name] = v
			}
		}
		e.key = keyOf(sortWatches(e.shown))
		if e.event {
			e.slot = out.requests(k) - max(0, o.number("pending"))
		}
		out.add(k, e)
	}
	return out
}

func by(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	return canon(v)
}

// keyOf is what a request asks, without data and versions.
func keyOf(o object) string {
	if t := o.text("event"); t != "" {
		return t + " " + o.text("path")
	}
	var b strings.Builder
	b.WriteString(o.text("op") + " " + o.text("path"))
	if o["watch"] == true {
		b.WriteString(" watch")
	}
	ops, _ := o["ops"].([]any)
	for _, x := range ops {
		switch sub := x.(type) {
		case map[string]any:
			b.WriteString(" + " + keyOf(sub))
		case object:
			b.WriteString(" + " + keyOf(sub))
		}
	}
	return b.String()
}

var (
	configType  = regexp.MustCompile(`^/config/(topics|clients|users|users/[^/]+/clients|ips|brokers)$`)
	topicZnode  = regexp.MustCompile(`^/brokers/topics/[^/]+$`)
	deleteTopic = regexp.MustCompile(`^/admin/delete_topics/[^/]+$`)
)

// laneOf is the recorder's guess which thread of a broker sent a request (laneOf in its recorder.go): path, operation and
// watch flag tell the threads apart. early: the session has not registered the broker yet.
func laneOf(op, path string, watch, early bool) string {
	writes := op == "create" || op == "set" || op == "exists"
	switch {
	case strings.HasPrefix(path, "/feature"):
		return "feature"
	case early:
		return "startup"
	case path == "/latest_producer_id_block", path == "/brokers/topics/__consumer_offsets", path == "/brokers/topics/__transaction_state",
		op == "children" && configType.MatchString(path):
		return "startup"
	case op == "event" && strings.HasPrefix(path, "/config/"),
		op == "children" && strings.HasPrefix(path, "/config/changes"),
		op == "get" && strings.HasPrefix(path, "/config/"),
		op == "delete" && strings.HasPrefix(path, "/config/changes/"):
		return "config"
	case writes && strings.HasPrefix(path, "/config"),
		writes && topicZnode.MatchString(path),
		op == "get" && topicZnode.MatchString(path) && !watch,
		op == "create" && deleteTopic.MatchString(path),
		op == "children" && path == "/brokers/ids" && !watch:
		return "api"
	}
	return mainLane
}

// showWatches is a setWatches request; each kind of watch is a set.
func showWatches(watches []zk.Watch) object {
	o := object{"op": "setWatches", "err": "OK", "data_watches": []any{}, "exists_watches": []any{}, "child_watches": []any{}}
	for _, x := range watches {
		kind := "data_watches"
		switch {
		case x.Kind == zk.ChildWatch:
			kind = "child_watches"
		case x.Exists:
			kind = "exists_watches"
		}
		o[kind] = append(o[kind].([]any), x.Path)
	}
	return sortWatches(o)
}

// sortWatches puts the lists of a setWatches request into one order: they come out of hash maps.
func sortWatches(o object) object {
	for _, kind := range []string{"data_watches", "exists_watches", "child_watches"} {
		if list, ok := o[kind].([]any); ok {
			slices.SortFunc(list, func(a, b any) int { return strings.Compare(canon(a), canon(b)) })
		}
	}
	return o
}

var modes = map[zk.Mode]string{zk.Ephemeral: "ephemeral", zk.PersistentSequential: "persistent_sequential",
	zk.EphemeralSequential: "ephemeral_sequential", zk.Container: "container", zk.TTL: "ttl"}

// showOp is a request in the words of a recording.
func (n *names) showOp(op zk.Op) object {
	o := object{"op": op.Kind.String()}
	switch op.Kind {
	case zk.Multi:
		ops := make([]any, len(op.Ops))
		for i, sub := range op.Ops {
			ops[i] = n.showOp(sub)
		}
		o["ops"] = ops
		return o
	case zk.Create:
		o["data"] = n.data(op.Path, op.Data)
		if m := modes[op.Mode]; m != "" {
			o["mode"] = m
		}
	case zk.Set:
		o["data"], o["version"] = n.data(op.Path, op.Data), op.Version
	case zk.Delete, zk.Check:
		o["version"] = op.Version
	case zk.Exists, zk.Get, zk.Children:
		if op.Watch {
			o["watch"] = true
		}
	}
	o["path"] = op.Path
	return o
}

// showResult adds the answer to a request.
func (n *names) showResult(o object, op zk.Op, r zk.Result) {
	o["err"] = r.Err.Error()
	if op.Kind == zk.Multi {
		if r.Err != zk.OK {
			o["err"] = "failed"
		}
		ops := o["ops"].([]any)
		for i := range r.Results {
			n.showResult(ops[i].(object), op.Ops[i], r.Results[i])
		}
		return
	}
	if r.Err != zk.OK {
		return
	}
	switch op.Kind {
	case zk.Create:
		if r.Path != "" && r.Path != op.Path {
			o["created"] = r.Path
		}
	case zk.Exists, zk.Get:
		o["found"] = r.Stat.Version
	case zk.Set:
		o["new_version"] = r.Stat.Version
	case zk.Children:
		children := make([]any, len(r.Children))
		for i, c := range r.Children {
			children[i] = c
		}
		o["children"] = children
	}
}

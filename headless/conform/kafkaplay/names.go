package kafkaplay

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"controllerscope/core/kafka"
)

// names gives our values the names that recordings give theirs: broker epochs, topic ids, time stamps, addresses.
type names struct {
	epochs        map[int64]string       // czxid of a registration -> "E2.1"
	registrations map[kafka.BrokerID]int // how many there were
	current       map[kafka.BrokerID]string
	topics        map[string]string // topic id -> "id:t"
	ids           map[string]int    // topic -> how many ids it has had
	fresh         map[string]bool   // topic ids that were first seen in this step
}

func newNames() *names {
	return &names{epochs: map[int64]string{}, registrations: map[kafka.BrokerID]int{}, current: map[kafka.BrokerID]string{},
		topics: map[string]string{}, ids: map[string]int{}, fresh: map[string]bool{}}
}

var brokerPath = regexp.MustCompile(`^/brokers/ids/(\d+)$`)

// registered names the epoch of a new registration node.
func (n *names) registered(path string, zxid int64) {
	m := brokerPath.FindStringSubmatch(path)
	if m == nil || n.epochs[zxid] != "" {
		return
	}
	id := brokerID(m[1])
	n.registrations[id]++
	n.epochs[zxid] = fmt.Sprintf("E%d.%d", id, n.registrations[id])
	n.current[id] = n.epochs[zxid]
}

func brokerID(s string) kafka.BrokerID {
	n, err := strconv.Atoi(s)
	if err != nil {
		return kafka.NoBroker
	}
	return kafka.BrokerID(n)
}

// epoch names a broker epoch; what no registration made stays a number.
func (n *names) epoch(e int64) any {
	if s, ok := n.epochs[e]; ok {
		return s
	}
	return e
}

// topicID names a topic id that stands in the topic's znode, or (topic "") in a request.
func (n *names) topicID(topic, id string) string {
	if s, ok := n.topics[id]; ok {
		return s
	}
	if (id == kafka.UUID{}.String()) {
		return "id:none"
	}
	if topic == "" {
		return "id:?"
	}
	n.ids[topic]++
	s := "id:" + topic
	if c := n.ids[topic]; c > 1 {
		s += "." + strconv.Itoa(c)
	}
	n.topics[id], n.fresh[id] = s, true
	return s
}

// Brokers of a recording advertise the port P, listen on the port L and have a spare one, X; all on one host. Ours have a
// host each.
var (
	theirPort = regexp.MustCompile(`\b127\.0\.0\.1:([PLX])(\d+)\b`)
	ourPort   = regexp.MustCompile(`\bbroker(\d+):(9092|9192|9292)\b`)
	ports     = map[string]string{"P": "9092", "L": "9192", "X": "9292", "9092": "P", "9192": "L", "9292": "X"}
)

// addresses writes the addresses of our brokers as recordings do.
func addresses(s string) string {
	return ourPort.ReplaceAllStringFunc(s, func(a string) string {
		m := ourPort.FindStringSubmatch(a)
		return "127.0.0.1:" + ports[m[2]] + m[1]
	})
}

// ours writes the addresses in a line of a recording as those of our brokers.
func ours(s string) string {
	return theirPort.ReplaceAllStringFunc(s, func(a string) string {
		m := theirPort.FindStringSubmatch(a)
		return "broker" + m[2] + ":" + ports[m[1]]
	})
}

// data is znode data as a recording shows it: a JSON object with its values named, any other text, or null.
func (n *names) data(path string, b []byte) any {
	if b == nil {
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	var v map[string]any
	if len(b) == 0 || b[0] != '{' || d.Decode(&v) != nil || d.More() {
		return addresses(string(b))
	}
	if m := brokerPath.FindStringSubmatch(path); m != nil {
		hostAndPort(v, m[1])
	}
	return n.walk(path, "", v)
}

// hostAndPort names the two fields of a registration that repeat the address of its first endpoint.
func hostAndPort(v map[string]any, id string) {
	if v["host"] == "broker"+id {
		v["host"] = "127.0.0.1"
	}
	if v["port"] == json.Number("9092") {
		v["port"] = "P" + id
	}
}

func (n *names) walk(path, key string, v any) any {
	switch x := v.(type) {
	case map[string]any:
		for _, k := range kafka.SortedKeys(x) {
			x[k] = n.walk(path, k, x[k])
		}
	case []any:
		for i := range x {
			x[i] = n.walk(path, key, x[i])
		}
	case string:
		switch {
		case key == "timestamp":
			return "T"
		case key == "topic_id":
			return n.topicID(strings.TrimPrefix(path, "/brokers/topics/"), x)
		case key == "id" && path == "/cluster/id":
			return "cluster-id"
		}
		return addresses(x)
	}
	return v
}

package script

import (
	"strconv"
	"strings"
)

// Kind is what one argument of a verb consists of.
type Kind int

const (
	Broker     Kind = iota // id of a broker: Arg.Int
	Int                    // whole number: Arg.Int
	Word                   // any word
	Path                   // path of a znode
	Partition              // orders-0: Arg.Topic, Arg.Int
	All                    // the word *
	List                   // [1,2,0]: Arg.Ints
	Shape                  // 2x3, partitions x replicas: Arg.Ints has both
	Duration               // 4s, +15m, -250ms, 1h30m: Arg.Int in ms
	Epoch                  // E3.1, the 1st registration of broker 3: Arg.Ints has both
	Switch                 // on or off: Arg.Int is 1 or 0
	Entity                 // topics/orders, users/U/clients/C, brokers/<default>
	HostPort               // host:port: Arg.Topic is the host, Arg.Int the port
	Key                    // a word without =
	KeyValue               // k=v: goes to Line.Options
	Raw                    // the rest of the line
	Expression             // an expression up to the end of the line: Line.Expr
)

// kinds says of each kind what errors and completion call it, and how one is read.
var kinds = map[Kind]struct {
	want string
	read func(text string, a *Arg) bool
}{
	Broker:     {"a broker id, such as 1", readID},
	Int:        {"a whole number", readInt},
	Word:       {"a word", func(text string, a *Arg) bool { return text != "" }},
	Path:       {"the path of a znode, such as /controller", func(text string, a *Arg) bool { return strings.HasPrefix(text, "/") }},
	Partition:  {"a partition, such as orders-0", readPartition},
	All:        {"*", func(text string, a *Arg) bool { return text == "*" }},
	List:       {"a list of broker ids, such as [1,2,0]", readList},
	Shape:      {"partitions x replicas up to a million, such as 2x3", readShape},
	Duration:   {"a time, such as 4s, +15m or 250ms", readDuration},
	Epoch:      {"a registration, such as E3.1", func(text string, a *Arg) bool { return readPair(text, "E", ".", a) }},
	Switch:     {"on or off", readSwitch},
	Entity:     {"an entity, such as topics/orders or brokers/<default>", readEntity},
	HostPort:   {"host:port", readHostPort},
	Key:        {"a name", func(text string, a *Arg) bool { return text != "" && !strings.Contains(text, "=") }},
	KeyValue:   {"name=value", func(text string, a *Arg) bool { return strings.Index(text, "=") > 0 }},
	Raw:        {"data", nil},
	Expression: {"an expression, such as ctx[0].epoch = 2", nil},
}

func readID(text string, a *Arg) bool { return readInt(text, a) && a.Int >= 0 && a.Int <= 1<<31-1 }

func readInt(text string, a *Arg) (ok bool) {
	n, err := strconv.ParseInt(text, 10, 64)
	a.Int = n
	return err == nil
}

func readPartition(text string, a *Arg) bool {
	dash := strings.LastIndexByte(text, '-')
	if dash < 1 {
		return false
	}
	a.Topic = text[:dash]
	return readID(text[dash+1:], a)
}

func readList(text string, a *Arg) bool {
	inner, open := strings.CutPrefix(text, "[")
	inner, closed := strings.CutSuffix(inner, "]")
	if !open || !closed {
		return false
	}
	a.Ints = []int64{}
	if inner == "" {
		return true
	}
	for _, part := range strings.Split(inner, ",") {
		var one Arg
		if !readInt(part, &one) {
			return false
		}
		a.Ints = append(a.Ints, one.Int)
	}
	return true
}

// readShape keeps worlds at a size that a computer holds.
func readShape(text string, a *Arg) bool {
	return readPair(text, "", "x", a) && a.Ints[0]*a.Ints[1] <= 1_000_000
}

func readPair(text, prefix, separator string, a *Arg) bool {
	text, ok := strings.CutPrefix(text, prefix)
	left, right, cut := strings.Cut(text, separator)
	var l, r Arg
	if !ok || !cut || !readID(left, &l) || !readID(right, &r) {
		return false
	}
	a.Ints = []int64{l.Int, r.Int}
	return true
}

// readDuration reads a sign and whole numbers with units: h, m, s, ms.
func readDuration(text string, a *Arg) bool {
	sign := int64(1)
	rest := strings.TrimPrefix(text, "+")
	if rest == text {
		if rest = strings.TrimPrefix(text, "-"); rest != text {
			sign = -1
		}
	}
	total := int64(0)
	for first := true; first || rest != ""; first = false {
		n := 0
		for n < len(rest) && rest[n] >= '0' && rest[n] <= '9' {
			n++
		}
		number, err := strconv.ParseInt(rest[:n], 10, 32)
		rest = rest[n:]
		unit := int64(0)
		for _, u := range []struct {
			name string
			ms   int64
		}{{"ms", 1}, {"h", 3_600_000}, {"m", 60_000}, {"s", 1000}} {
			if strings.HasPrefix(rest, u.name) {
				rest, unit = rest[len(u.name):], u.ms
				break
			}
		}
		if err != nil || unit == 0 {
			return false
		}
		total += number * unit
	}
	a.Int = sign * total
	return true
}

func readSwitch(text string, a *Arg) bool {
	if text == "on" {
		a.Int = 1
	}
	return text == "on" || text == "off"
}

// readEntity reads pairs of an entity type and a name.
func readEntity(text string, a *Arg) bool {
	parts := strings.Split(text, "/")
	for i := 0; i < len(parts); i += 2 {
		switch parts[i] {
		case "topics", "clients", "users", "brokers", "ips":
		default:
			return false
		}
		if i+1 >= len(parts) || parts[i+1] == "" {
			return false
		}
	}
	return true
}

func readHostPort(text string, a *Arg) bool {
	colon := strings.LastIndexByte(text, ':')
	if colon < 1 {
		return false
	}
	a.Topic = text[:colon]
	return readID(text[colon+1:], a) && a.Int <= 65535
}

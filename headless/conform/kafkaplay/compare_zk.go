package kafkaplay

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// conversations compares the sequence of every lane. Requests that were in flight together are a set (rule 5). After a
// failover a loser looks at /controller sooner or later, and once or twice more or less (rule 11).
func (c *comparison) conversations() {
	want, got := recorded(c.step.Zk), c.listener.said
	keys := []laneKey{}
	for _, m := range []conversations{want, got} {
		for k := range m {
			keys = append(keys, k)
		}
	}
	for _, k := range keys {
		if k.lane == "api" {
			alignAPIReads(want, got, k.by)
			alignAPIReads(got, want, k.by)
		}
	}
	slices.SortFunc(keys, func(a, b laneKey) int { return cmp.Or(strings.Compare(a.by, b.by), strings.Compare(a.lane, b.lane)) })
	for _, k := range slices.Compact(keys) {
		c.conversation(k, want[k], got[k])
	}
}

// alignAPIReads takes out reads of a topic znode that an API handler made: at the controller it carries the watch flag, and
// so stands in the main lane, when the controller had registered its handler by then, which is a race (rule 7). Whatever a
// has more of in its main lane and b in its api lane is the same read.
func alignAPIReads(a, b conversations, by string) {
	main, api := laneKey{by, mainLane}, laneKey{by, "api"}
	for _, e := range slices.Clone(b[api]) {
		path := e.shown.text("path")
		if e.shown.text("op") != "get" || !topicZnode.MatchString(path) {
			continue
		}
		watched := "get " + path + " watch"
		if count(a[main], watched) > count(b[main], watched) && count(b[api], e.key) > count(a[api], e.key) {
			a[main], b[api] = without(a[main], watched), without(b[api], e.key)
		}
	}
}

func count(list []*entry, key string) (n int) {
	for _, e := range list {
		if e.key == key {
			n++
		}
	}
	return n
}

// without takes out the last entry with that key.
func without(list []*entry, key string) []*entry {
	for i := len(list) - 1; i >= 0; i-- {
		if list[i].key == key {
			return slices.Delete(slices.Clone(list), i, i+1)
		}
	}
	return list
}

func (c *comparison) conversation(k laneKey, want, got []*entry) {
	name := "zk " + k.by + " " + k.lane
	loser := k.lane == mainLane && brokerID(k.by) != c.step.Controller
	if loser && c.looksFreely(want, got) {
		want, got = withoutLooks(want), withoutLooks(got)
	}
	c.events(name, events(want, k.lane == mainLane && !loser), events(got, k.lane == mainLane && !loser))
	w, g := requestsOf(want), requestsOf(got)
	for i := 0; i < len(w); {
		n := 1
		for w[i].batch > 0 && i+n < len(w) && w[i+n].batch == w[i].batch {
			n++
		}
		if i+n > len(g) {
			c.differ(fmt.Sprintf("%s #%d", name, i+1), texts(w[i:i+n], false), texts(g[min(i, len(g)):], false))
			return
		}
		if asSet := !c.opts.order || k.lane != mainLane; texts(w[i:i+n], asSet) != texts(g[i:i+n], asSet) {
			c.differ(fmt.Sprintf("%s #%d", name, i+1), texts(w[i:i+n], false), texts(g[i:i+n], false))
			return
		}
		i += n
	}
	if len(g) > len(w) {
		c.differ(fmt.Sprintf("%s #%d", name, len(w)+1), "the end", texts(g[len(w):], false))
	}
}

// looksFreely reports whether two conversations of a loser differ in its looks at /controller as rule 11 allows: in a step
// in which /controller went or came, by at most two pairs of exists and get.
func (c *comparison) looksFreely(want, got []*entry) bool {
	isElection := func(e *entry) bool { return e.event && e.shown.text("path") == "/controller" }
	looks := func(list []*entry) int { return len(requestsOf(list)) - len(requestsOf(withoutLooks(list))) }
	more := looks(want) - looks(got)
	return -4 <= more && more <= 4 && (slices.ContainsFunc(want, isElection) || slices.ContainsFunc(got, isElection))
}

// events compares the sequence of watch events of a lane.
func (c *comparison) events(name string, want, got []string) {
	if w, g := strings.Join(want, ", "), strings.Join(got, ", "); w != g {
		c.differ(name+" events", orNone(w), orNone(g))
	}
}

func events(list []*entry, placed bool) (out []string) {
	for _, e := range list {
		if e.event && placed {
			out = append(out, fmt.Sprintf("%s after #%d", e.key, e.slot))
		} else if e.event {
			out = append(out, e.key)
		}
	}
	return out
}

func requestsOf(list []*entry) (out []*entry) {
	for _, e := range list {
		if !e.event {
			out = append(out, e)
		}
	}
	return out
}

// withoutLooks leaves out reads of /controller and the events about it.
func withoutLooks(list []*entry) []*entry {
	return slices.DeleteFunc(slices.Clone(list), func(e *entry) bool {
		op := e.shown.text("op")
		return e.shown.text("path") == "/controller" && (e.event || op == "exists" || op == "get")
	})
}

// texts joins entries, as a set when sorted.
func texts(list []*entry, sorted bool) string {
	out := make([]string, len(list))
	for i, e := range list {
		out[i] = canon(e.shown)
	}
	if sorted {
		slices.Sort(out)
	}
	if len(out) == 0 {
		return "the end"
	}
	return strings.Join(out, " ")
}

package kafkaplay

import (
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"controllerscope/core/kafka"
	"controllerscope/core/request"
)

// isrInput is what a leader of the recording decided on (FORMAT.md, rule 8): new ISRs, proposed in one AlterIsr or, below
// protocol 2.7-IV2, written by the leader itself; or, without items, the announcement of what it wrote.
type isrInput struct {
	from  kafka.BrokerID
	items []request.AlterIsrPartition
	rank  int // of its first write among those of the step, 0 when nothing was written for it
}

// isrInputs are those of a step, in the order of their writes.
func isrInputs(s *Step, want conversations) []isrInput {
	out := leaderWrites(want)
	for _, o := range s.ToController {
		var r alterIsr
		if json.Unmarshal([]byte(canon(o)), &r) != nil || r.Kind != "AlterIsr" || r.Response != kafka.NONE.Error() || r.byLine(s.Do) {
			continue
		}
		in := isrInput{from: r.From, rank: rankOf(want, r)}
		for _, p := range r.Partitions {
			in.items = append(in.items, request.AlterIsrPartition{TopicPartition: kafka.TopicPartition{Topic: p.Topic, Partition: p.Partition},
				LeaderEpoch: p.LeaderEpoch, ISR: p.NewIsr, ZkVersion: p.ZkVersion})
		}
		out = append(out, in)
	}
	slices.SortStableFunc(out, func(a, b isrInput) int { return a.rank - b.rank })
	return out
}

// byLine reports whether the line itself sends the request: alterisr TO FROM T-P LEADER-EPOCH ZK-VERSION [isr].
func (r alterIsr) byLine(do string) bool {
	words := strings.Fields(do)
	return len(words) > 6 && words[0] == "alterisr" && len(r.Partitions) == 1 && words[1] == r.To.String() && words[2] == r.From.String() &&
		words[3] == r.Partitions[0].Topic+"-"+canon(r.Partitions[0].Partition) && words[5] == canon(r.Partitions[0].ZkVersion) &&
		strings.Join(words[6:], "") == canon(r.Partitions[0].NewIsr)
}

// rankOf is the place of a proposal among the writes of the step.
func rankOf(want conversations, r alterIsr) int {
	best := 0
	for _, list := range want {
		for _, e := range list {
			if e.w > 0 && (best == 0 || e.w < best) && writesISR(e, r) {
				best = e.w
			}
		}
	}
	return best
}

// writesISR reports whether a recorded write stores one of the ISRs that r proposes.
func writesISR(e *entry, r alterIsr) bool {
	ops, _ := e.shown["ops"].([]any)
	for _, x := range ops {
		o, _ := x.(map[string]any)
		data, _ := o["data"].(map[string]any)
		for _, p := range r.Partitions {
			path := "/brokers/topics/" + p.Topic + "/partitions/" + canon(p.Partition) + "/state"
			if o["op"] == "set" && o["path"] == path && canon(o["version"]) == canon(p.ZkVersion) && canon(data["isr"]) == canon(p.NewIsr) {
				return true
			}
		}
	}
	return false
}

var statePath = regexp.MustCompile(`^/brokers/topics/([^/]+)/partitions/(\d+)/state$`)

// leaderWrites are the ISRs that leaders wrote themselves, each a plain set of a state znode, and their announcements.
func leaderWrites(want conversations) (out []isrInput) {
	for k, list := range want {
		for _, e := range list {
			m := statePath.FindStringSubmatch(e.shown.text("path"))
			switch op := e.shown.text("op"); {
			case k.by == "operator" || e.w == 0:
			case op == "create" && e.shown.text("path") == "/isr_change_notification/isr_change_":
				out = append(out, isrInput{from: brokerID(k.by), rank: e.w})
			case op == "set" && m != nil:
				var state struct {
					LeaderEpoch int32            `json:"leader_epoch"`
					ISR         []kafka.BrokerID `json:"isr"`
				}
				partition, _ := strconv.ParseInt(m[2], 10, 32)
				if json.Unmarshal([]byte(canon(e.shown["data"])), &state) != nil {
					continue
				}
				out = append(out, isrInput{from: brokerID(k.by), rank: e.w, items: []request.AlterIsrPartition{{
					TopicPartition: kafka.TopicPartition{Topic: m[1], Partition: int32(partition)},
					LeaderEpoch:    state.LeaderEpoch, ISR: state.ISR, ZkVersion: int32(e.shown.number("version"))}}})
			}
		}
	}
	return out
}

// due reports whether an input's write is the next one of the recording.
func (g *guide) due(in isrInput) bool { return in.rank > 0 && in.rank <= g.lowest() }

// propose has a leader do what it did next in the recording.
func (g *guide) propose() {
	in := g.isrs[0]
	g.isrs = g.isrs[1:]
	var err error
	if in.items == nil {
		err = g.world.AnnounceISRs(in.from)
	} else {
		err = g.world.ProposeISR(in.from, in.items)
	}
	if err == nil {
		g.moved = g.world.Now()
	}
}

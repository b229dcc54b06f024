package kafkaplay

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"controllerscope/core/env"
	"controllerscope/core/kafka"
	"controllerscope/core/request"
	"controllerscope/core/zkdata"
)

// isrInput is what a leader of the recording decided on (FORMAT.md, rule 8): new ISRs, proposed in one AlterIsr or, below
// protocol 2.7-IV2, written by the leader itself; or, without items, the announcement of what it wrote.
type isrInput struct {
	from  kafka.BrokerID
	epoch string // its broker epoch
	items []request.AlterIsrPartition
	rank  int    // of its first write among those of the step, 0 when nothing was written for it
	early int    // it comes so many writes sooner
	wrote *entry // the recorded write of a leader that wrote itself, nil for others
	tried *entry // without a write: the recorded attempt at one that failed, nil when there was none either
	old   bool   // refused with FENCED_LEADER_EPOCH: the controller knew a later leader epoch of all items
}

// isrInputs are those of a step, in the order of their writes.
func isrInputs(s *Step, want conversations) []isrInput {
	out := leaderWrites(want)
	for _, o := range s.ToController {
		var r alterIsr
		if json.Unmarshal([]byte(canon(o)), &r) != nil || r.Kind != "AlterIsr" || r.Response != kafka.NONE.Error() || r.byLine(s.Do) {
			continue
		}
		in := isrInput{from: r.From, epoch: by(r.BrokerEpoch), rank: rankOf(want, r)}
		if in.rank == 0 {
			in.tried = triedOf(want, r)
		}
		in.old = len(r.Refused) > 0
		for _, p := range r.Refused {
			in.old = in.old && p.Error == kafka.FENCED_LEADER_EPOCH.Error()
		}
		for _, p := range r.Partitions {
			in.items = append(in.items, request.AlterIsrPartition{TopicPartition: kafka.TopicPartition{Topic: p.Topic, Partition: p.Partition},
				LeaderEpoch: p.LeaderEpoch, ISR: p.NewIsr, ZkVersion: p.ZkVersion})
		}
		out = append(out, in)
	}
	slices.SortStableFunc(out, func(a, b isrInput) int { return a.place() - b.place() })
	return out
}

// place orders inputs by their writes; what wrote nothing comes last.
func (in isrInput) place() int {
	if in.silent() {
		return 1 << 30
	}
	return in.rank
}

// silent reports whether nothing in the conversations with ZooKeeper says when a proposal was made.
func (in isrInput) silent() bool { return in.rank == 0 && in.tried == nil }

// sooner has inputs come earlier, as the search found out, by number: one that wrote something so many writes, a silent one
// so many places. It also says by how much each could be.
func sooner(list []isrInput, by map[int]int) (moved []isrInput, most []int) {
	moved = list
	first := slices.IndexFunc(list, isrInput.silent)
	for n := range list {
		in := &list[n]
		if !in.silent() {
			in.early = by[n]
			most = append(most, earliest)
			continue
		}
		most = append(most, first)
		if k := min(by[n], n); k > 0 {
			moved = slices.Insert(slices.Delete(slices.Clone(moved), n, n+1), n-k, *in)
		}
	}
	return moved, most
}

// earliest is how many writes ahead of its own place a proposal is tried.
const earliest = 4

// byLine reports whether the line itself sends the request: alterisr TO FROM T-P LEADER-EPOCH ZK-VERSION [isr] [E3.1].
func (r alterIsr) byLine(do string) bool {
	words := strings.Fields(do)
	isr, _, _ := strings.Cut(strings.Join(words[min(6, len(words)):], ""), "]")
	return len(words) > 6 && words[0] == "alterisr" && len(r.Partitions) == 1 && words[1] == r.To.String() && words[2] == r.From.String() &&
		words[3] == r.Partitions[0].Topic+"-"+canon(r.Partitions[0].Partition) && words[5] == canon(r.Partitions[0].ZkVersion) &&
		isr+"]" == canon(r.Partitions[0].NewIsr)
}

// byLine reports whether the line itself sends a recorded request.
func byLine(o object, do string) bool {
	var r alterIsr
	return json.Unmarshal([]byte(canon(o)), &r) == nil && r.Kind == "AlterIsr" && r.byLine(do)
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

// triedOf is the recorded write for a proposal that failed, nil when none was tried.
func triedOf(want conversations, r alterIsr) *entry {
	for _, list := range want {
		for _, e := range list {
			if e.shown.text("err") == "failed" && writesISR(e, r) {
				return e
			}
		}
	}
	return nil
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

// leaderWrites are the ISRs that leaders wrote themselves, each a plain set of a state znode, and their announcements.
func leaderWrites(want conversations) (out []isrInput) {
	for k, list := range want {
		for _, e := range list {
			topic, number, isState := zkdata.StatePathParts(e.shown.text("path"))
			switch op := e.shown.text("op"); {
			case k.by == "operator" || e.w == 0:
			case op == "create" && e.shown.text("path") == "/isr_change_notification/isr_change_":
				out = append(out, isrInput{from: brokerID(k.by), rank: e.w, wrote: e})
			case op == "set" && isState:
				var state struct {
					LeaderEpoch int32            `json:"leader_epoch"`
					ISR         []kafka.BrokerID `json:"isr"`
				}
				partition, _ := strconv.ParseInt(number, 10, 32)
				if json.Unmarshal([]byte(canon(e.shown["data"])), &state) != nil {
					continue
				}
				out = append(out, isrInput{from: brokerID(k.by), rank: e.w, wrote: e, items: []request.AlterIsrPartition{{
					TopicPartition: kafka.TopicPartition{Topic: topic, Partition: int32(partition)},
					LeaderEpoch:    state.LeaderEpoch, ISR: state.ISR, ZkVersion: int32(e.shown.number("version"))}}})
			}
		}
	}
	return out
}

// dueISR is the place of the input that comes next in the recording, -1 when it is not time for any. A silent one that was
// moved ahead of others comes when those before it have been made, its sender has the epoch that was recorded, and it would
// be refused as it was. pressing asks for those only that come before anything else: what a leader writes itself is sent before
// its process says more, as it may be controller too.
func (g *guide) dueISR(pressing bool) int {
	low := g.lowest()
	for i, in := range g.isrs {
		switch {
		case in.silent():
			last := !slices.ContainsFunc(g.isrs[i:], func(x isrInput) bool { return !x.silent() })
			if i == 0 && !last && !pressing && g.listener.names.current[in.from] == in.epoch && (!in.old || g.isOld(in)) {
				return i
			}
			return -1
		case pressing && in.wrote != nil:
			if in.rank-in.early <= low && g.isNext(in.wrote) && g.leads(in) {
				return i
			}
		case pressing && in.early == 0:
		case in.rank > 0 && in.rank-in.early <= low, in.tried != nil && g.isNext(in.tried):
			return i
		}
	}
	return -1
}

// leads reports whether the broker has been told that it leads the partitions, in the leader epochs of what it wrote.
func (g *guide) leads(in isrInput) bool {
	return !slices.ContainsFunc(in.items, func(p request.AlterIsrPartition) bool {
		at := []string{"broker", in.from.String(), "replica", p.TopicPartition.String()}
		return g.doc.Get(append(at, "role")...) != "leader" || g.doc.Get(append(at, "leaderEpoch")...) != int64(p.LeaderEpoch)
	})
}

// isOld reports whether the controller in office knows later leader epochs than those of the proposal.
func (g *guide) isOld(in isrInput) bool {
	office := g.world.ControllerInOffice().String()
	return !slices.ContainsFunc(in.items, func(p request.AlterIsrPartition) bool {
		info, _ := g.doc.Get("ctx", office, "partitionLeadershipInfo", p.TopicPartition.String()).(env.Record)
		epoch, known := info.Get("leaderEpoch").(int64)
		return !known || epoch <= int64(p.LeaderEpoch)
	})
}

// isNext reports whether everything that its conversation has before e has happened.
func (g *guide) isNext(e *entry) bool {
	for _, list := range g.want {
		if i := slices.Index(list, e); i >= 0 {
			return !slices.ContainsFunc(list[:i], func(x *entry) bool { return !x.matched && !x.connect })
		}
	}
	return false
}

// propose has a leader do what it did in the recording.
func (g *guide) propose(i int) {
	in := g.isrs[i]
	g.isrs = slices.Delete(g.isrs, i, i+1)
	g.trail.proposes()
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

package kafkaplay

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"controllerscope/core/kafka"
	"controllerscope/core/request"
)

// requests compares, per sender and recipient, the sequence of control requests with their answers. Requests to a
// registration that ended in this step may be missing, unanswered or sent twice (rule 10); so may those to a broker that
// crashed and whose session lives on, as nobody takes its connections. Below protocol 2.2 requests do not name the registration,
// so all to that broker may.
func (c *comparison) requests() {
	want, got := c.sent()
	ending := func(r *sentRequest) bool {
		return c.gone[r.epoch] || r.epoch == "-1" && c.goneBroker(r.to) || c.crashed[brokerID(r.to)]
	}
	for _, lane := range union(want, got) {
		c.dying(lane, filter(want[lane], ending), filter(got[lane], ending))
		c.lane(lane, filter(want[lane], not(ending)), filter(got[lane], not(ending)))
	}
	c.toControllers()
}

// goneBroker reports whether a registration of the broker ended in this step.
func (c *comparison) goneBroker(id string) bool {
	for epoch := range c.gone {
		if strings.HasPrefix(epoch, "E"+id+".") {
			return true
		}
	}
	return false
}

func not(pass func(*sentRequest) bool) func(*sentRequest) bool {
	return func(r *sentRequest) bool { return !pass(r) }
}

func filter(list []*sentRequest, pass func(*sentRequest) bool) (out []*sentRequest) {
	for _, r := range list {
		if pass(r) {
			out = append(out, r)
		}
	}
	return out
}

// dying compares what was sent to a registration that ended: without repetitions, what one side has more may be missing on
// the other.
func (c *comparison) dying(lane string, want, got []*sentRequest) {
	w, g := distinct(want), distinct(got)
	if !within(w, g) && !within(g, w) {
		c.differ("requests "+lane+" (ended)", strings.Join(w, " "), strings.Join(g, " "))
	}
}

// distinct are the requests, each retry taken as the one before it.
func distinct(list []*sentRequest) (out []string) {
	for _, r := range list {
		if t := r.text(); len(out) == 0 || out[len(out)-1] != t {
			out = append(out, t)
		}
	}
	return out
}

// within reports whether the texts of a stand in b in their order.
func within(a, b []string) bool {
	for _, t := range b {
		if len(a) > 0 && a[0] == t {
			a = a[1:]
		}
	}
	return len(a) == 0
}

// sent are the requests of controllers, by sender and recipient.
func (c *comparison) sent() (want, got map[string][]*sentRequest) {
	want, got = map[string][]*sentRequest{}, map[string][]*sentRequest{}
	for _, o := range c.step.Requests {
		r := recordedRequest(o)
		want[r.lane()] = append(want[r.lane()], r)
	}
	for _, r := range c.listener.reqs {
		got[r.lane()] = append(got[r.lane()], r)
	}
	return want, got
}

// toControllers compares the requests of brokers to controllers. NOT_CONTROLLER is answered to a retry after a change of
// controllers, and left out (rule 8); so is what a broker sent with the epoch of a registration that had ended, if it was
// sent again and dealt with: how often is a matter of speed.
func (c *comparison) toControllers() {
	var all []*sentRequest
	for _, o := range c.step.ToController {
		r := recordedRequest(o)
		r.operator = byLine(o, c.step.Do)
		all = append(all, r)
	}
	want, got := settled(all), settled(c.listener.toController)
	for _, lane := range union(want, got) {
		c.lane(lane, want[lane], got[lane])
	}
}

// settled are the requests to controllers that count, by sender and recipient.
func settled(all []*sentRequest) map[string][]*sentRequest {
	out := map[string][]*sentRequest{}
	for i, r := range all {
		switch r.answer["response"] {
		case kafka.NOT_CONTROLLER.Error():
			continue
		case kafka.STALE_BROKER_EPOCH.Error():
			if !r.operator && slices.ContainsFunc(all[i+1:], r.isPartOf) {
				continue
			}
		}
		lane := "controller " + r.lane()
		out[lane] = append(out[lane], r)
	}
	return out
}

// isPartOf reports whether a later AlterIsr of the same broker proposes the same again and was dealt with.
func (r *sentRequest) isPartOf(later *sentRequest) bool {
	again := sortedTexts(later.shown["partitions"])
	return r.from == later.from && r.shown["kind"] == (request.AlterIsr{}).Kind() && later.answer["response"] == kafka.NONE.Error() &&
		!slices.ContainsFunc(sortedTexts(r.shown["partitions"]), func(p string) bool { return !slices.Contains(again, p) })
}

func (c *comparison) lane(lane string, want, got []*sentRequest) {
	for i := range max(len(want), len(got)) {
		path := fmt.Sprintf("requests %s #%d", lane, i+1)
		switch {
		case i >= len(got):
			c.differ(path, want[i].text(), "no request")
		case i >= len(want):
			c.differ(path, "no request", got[i].text())
		case want[i].text() != got[i].text():
			c.differ(path, want[i].text(), got[i].text())
			return // what follows is shifted
		default:
			c.answer(path, want[i], got[i])
		}
	}
}

// answer compares answers that both sides have; a missing one only says that the step ended first.
func (c *comparison) answer(path string, want, got *sentRequest) {
	if want.answer["response"] == unanswered || got.answer["response"] == unanswered {
		return
	}
	if w, g := canon(want.answer["response"]), canon(got.answer["response"]); w != g {
		c.differ(path+" response", w, g)
	}
	for _, part := range answerParts {
		if w, g := sortedTexts(want.answer[part]), sortedTexts(got.answer[part]); !slices.Equal(w, g) {
			c.differ(path+" "+part, canon(w), canon(g))
		}
	}
}

// answerParts are what an answer says beside its error; each is a set.
var answerParts = []string{"partitionResponses", "remaining"}

// sameAnswer reports whether two requests were answered alike.
func (r *sentRequest) sameAnswer(s *sentRequest) bool {
	return canon(r.answer["response"]) == canon(s.answer["response"]) && !slices.ContainsFunc(answerParts, func(part string) bool {
		return !slices.Equal(sortedTexts(r.answer[part]), sortedTexts(s.answer[part]))
	})
}

func (r *sentRequest) lane() string { return r.from + "→" + r.to }

// text is everything of a request that is compared. Partitions have an order (FORMAT.md, Orders); live brokers and leaders
// come out of hash sets of objects, whose order changes from run to run, and are compared as sets; so are the partitions of
// AlterIsr, which is an input (rule 8).
func (r *sentRequest) text() string {
	o := object{}
	for k, v := range r.shown {
		switch k {
		case "liveBrokers", "liveLeaders":
			o[k] = sortedTexts(v)
		case "partitions":
			if r.shown["kind"] == "AlterIsr" {
				v = sortedTexts(v)
			}
			o[k] = v
		default:
			o[k] = v
		}
	}
	return canon(o)
}

func sortedTexts(v any) []string {
	list, _ := v.([]any)
	out := []string{}
	for _, x := range list {
		out = append(out, canon(x))
	}
	slices.Sort(out)
	return out
}

// idsSince are the versions since which a request carries topic ids, and its type. Older ones say nothing of them.
var idsSince = map[string]int{"LeaderAndIsr": 5, "UpdateMetadata": 7}

// recordedRequest is a request of the recording in the form of ours: a version without topic ids has the zero id.
func recordedRequest(o object) *sentRequest {
	r := &sentRequest{from: by(o["from"]), to: by(o["to"]), epoch: by(o["brokerEpoch"]), shown: object{}, answer: object{}}
	for k, v := range o {
		switch k {
		case "from", "to", "version":
		case "response", "partitionResponses", "remaining":
			r.answer[k] = v
		default:
			r.shown[k] = v
		}
	}
	if v := o.number("version"); v >= 0 && v < idsSince[o.text("kind")] {
		withoutIDs(r.shown)
	}
	if v := o.number("version"); v >= 0 {
		olderFields(r.shown, v)
	}
	return r
}

// fieldsSince are what a request says of a partition since a version of it, with what its absence amounts to.
var fieldsSince = map[string][]struct {
	version int
	field   string
	absent  any
}{
	"LeaderAndIsr":   {{1, "isNew", false}, {3, "adding", []any{}}, {3, "removing", []any{}}},
	"UpdateMetadata": {{4, "offline", []any{}}},
	"StopReplica":    {{3, "leaderEpoch", int32(kafka.NoEpoch)}},
}

// olderFields adds what a request of that version does not say.
func olderFields(shown object, version int) {
	kind, _ := shown["kind"].(string)
	list, _ := shown["partitions"].([]any)
	partitions := make([]any, len(list))
	for i, x := range list {
		p, _ := x.(map[string]any)
		p = maps.Clone(p)
		for _, f := range fieldsSince[kind] {
			if _, there := p[f.field]; version < f.version && !there {
				p[f.field] = f.absent
			}
		}
		partitions[i] = p
	}
	if list != nil {
		shown["partitions"] = partitions
	}
}

func withoutIDs(shown object) {
	if shown["kind"] == "LeaderAndIsr" {
		shown["type"] = 0
	}
	list, _ := shown["partitions"].([]any)
	partitions := make([]any, len(list))
	for i, x := range list {
		p, _ := x.(map[string]any)
		p = maps.Clone(p)
		p["topicId"] = "id:none"
		partitions[i] = p
	}
	shown["partitions"] = partitions
}

package cases

import (
	"embed"
	"fmt"
	"sort"
	"strconv"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/stretchr/testify/require"

	"controllerscope/core/kafka"
	"controllerscope/core/request"
	"controllerscope/core/run"
	"controllerscope/core/script"
	"controllerscope/core/sim"
	"controllerscope/core/trace"
	"controllerscope/core/zkdata"
)

// The cases from the field, F01 to F12. Each file in testdata holds a case as it was written down: its steps, what each is
// in the language of scripts, and what must be seen of it: writes, requests, state changes, gauges, answers. Order counts
// where it can be observed: writes of one znode, requests to one broker.

//go:embed testdata/F*.yaml
var fieldCases embed.FS

type fieldCase struct {
	ID    string `yaml:"id"`
	Setup string `yaml:"setup"`
	Steps []struct {
		Do     string         `yaml:"do"`
		Script string         `yaml:"script"`
		Expect map[string]any `yaml:"expect"`
	} `yaml:"steps"`
	Final map[string]any `yaml:"final"`
}

// field plays a case. What 2.8.2 breaks itself in it is listed: those invariants may fail.
func field(t *testing.T, id string, broken ...string) *fieldRun {
	data, err := fieldCases.ReadFile("testdata/" + id + ".yaml")
	require.NoError(t, err)
	var c fieldCase
	require.NoError(t, yaml.UnmarshalWithOptions(data, &c, yaml.UseOrderedMap()), id)
	f := &fieldRun{story: tell(t, c.Setup)}
	f.broken = broken
	f.seen = len(f.Trace().Steps)
	f.states = f.remembered()
	for i, step := range c.Steps {
		f.at = fmt.Sprintf("%s, step %d: %s", id, i+1, step.Do)
		f.doLines(step.Script)
		f.compare(step.Expect)
	}
	f.at = id + ", at the end"
	f.final(c.Final)
	return f
}

type fieldRun struct {
	*story
	at     string
	seen   int               // steps that were compared
	states map[string]string // what the active controller remembered after the last step
	reply  []*answered       // every request so far
}

// answered is a request whose answer a case may ask for.
type answered struct {
	of  request.Request
	out *sim.Outcome
}

// doLines plays lines; requests of tools are kept for their answers, after which the world comes to rest. A line that
// begins with ask N sends the request to broker N and lets the world rest before it is answered.
func (f *fieldRun) doLines(text string) {
	f.Helper()
	for _, line := range strings.Split(strings.TrimSpace(text), "\n") {
		line = strings.TrimSpace(line)
		to := kafka.NoBroker
		if rest, ok := strings.CutPrefix(line, "ask "); ok {
			id, rest, _ := strings.Cut(rest, " ")
			n, err := strconv.Atoi(id)
			require.NoError(f, err)
			to, line = kafka.BrokerID(n), rest
		}
		parsed, err := script.ParseLine(f.Name(), 1, line)
		require.NoError(f, err)
		asking, ok, err := run.Asked(f.World(), parsed)
		require.NoError(f, err, line)
		if !ok {
			f.play(line)
			continue
		}
		if to == kafka.NoBroker {
			to = asking.To
		}
		a := &answered{of: asking.Request}
		if to == kafka.NoBroker {
			a.out = f.World().Ask(asking.Request, asking.Entity)
		} else {
			a.out = f.World().AskBroker(to, asking.Request, asking.Entity)
		}
		f.reply = append(f.reply, a)
		f.play("until idle")
	}
}

// compare holds a step to what is expected of it, and begins the next one.
func (f *fieldRun) compare(expect map[string]any) {
	f.Helper()
	steps := f.Trace().Steps[f.seen:]
	now := f.remembered()
	for key, want := range expect {
		switch key {
		case "note":
		case "znode_writes":
			require.Equal(f, grouped(texts(want), writtenPath), grouped(writes(steps, f.Trace(), f.seen), writtenPath), f.at)
		case "requests":
			require.Equal(f, grouped(spread(f, texts(want)), recipient), grouped(requests(steps), recipient), f.at)
		case "state_changes":
			require.Equal(f, record(want), changes(f.states, now), f.at)
		case "metrics":
			for name, value := range record(want) {
				require.Equal(f, value, fmt.Sprint(f.Doc().Get("metric", f.controller(), name)), "%s: %s", f.at, name)
			}
		case "reply":
			if strings.Contains(want.(string), "dropped silently") {
				continue // several answers: the test of the case looks at them
			}
			require.NotEmpty(f, f.reply, f.at)
			require.Equal(f, want, f.reply[len(f.reply)-1].text(), f.at)
		default:
			f.partition(key, want)
		}
	}
	f.seen, f.states = f.seen+len(steps), now
}

// controller is the broker that /controller names.
func (f *fieldRun) controller() string {
	data, _ := f.node(zkdata.ControllerPath)
	id, _, err := zkdata.DecodeController([]byte(data))
	require.NoError(f, err)
	return id.String()
}

// remembered are the states of partitions and replicas ("t-0 on 2") in the memory of the active controller.
func (f *fieldRun) remembered() map[string]string {
	out := map[string]string{}
	id := f.controller()
	for _, tp := range f.Doc().Names("ctx", id, "partitionStates") {
		out[tp] = f.Doc().Get("ctx", id, "partitionStates", tp).(string)
	}
	for _, r := range f.Doc().Names("ctx", id, "replicaStates") {
		out[strings.Replace(r, "·", " on ", 1)] = f.Doc().Get("ctx", id, "replicaStates", r).(string)
	}
	return out
}

func changes(before, after map[string]string) map[string]string {
	out := map[string]string{}
	for k, v := range after {
		if before[k] != v {
			out[k] = v
		}
	}
	for k := range before {
		if _, still := after[k]; !still {
			out[k] = "NonExistentReplica (forgotten)"
		}
	}
	return out
}

// partition holds the stored state of a partition.
func (f *fieldRun) partition(tp string, want any) {
	f.Helper()
	w := record(want)
	f.state(tp, fmt.Sprintf("leader=%s leader_epoch=%s isr=%s controller_epoch=%s version=%s", w["leader"], w["leader_epoch"],
		strings.ReplaceAll(strings.ReplaceAll(w["isr"], " ", ", "), ",,", ","), w["controller_epoch"], w["version"]))
}

// final holds what is left at the end.
func (f *fieldRun) final(want map[string]any) {
	f.Helper()
	for key, value := range want {
		switch {
		case key == "controller":
			require.Equal(f, fmt.Sprint(value), f.controller(), f.at)
		case key == "controller_epoch":
			data, _ := f.node(zkdata.ControllerEpochPath)
			require.Equal(f, fmt.Sprint(value), data, f.at)
		case value == "absent":
			require.False(f, f.Doc().Has("zk", key), "%s: %s", f.at, key)
		case strings.HasPrefix(key, "/"):
			require.Equal(f, value, fmt.Sprintf("%s (version %d)", nodeText(key, text(f.Doc().Get("zk", key, "data"))), f.Doc().Get("zk", key, "version")), f.at)
		default:
			f.partition(key, value)
		}
	}
}

func text(v any) string { s, _ := v.(string); return s }

// texts reads a list of lines.
func texts(v any) (out []string) {
	for _, x := range v.([]any) {
		out = append(out, x.(string))
	}
	return out
}

// record reads a map whose order does not count; lists are printed as Kafka's brokers: [1, 2].
func record(v any) map[string]string {
	out := map[string]string{}
	switch m := v.(type) {
	case map[string]any:
		for k, x := range m {
			out[k] = valueText(x)
		}
	case yaml.MapSlice:
		for _, item := range m {
			out[fmt.Sprint(item.Key)] = valueText(item.Value)
		}
	}
	return out
}

func valueText(v any) string {
	list, ok := v.([]any)
	if !ok {
		return fmt.Sprint(v)
	}
	words := make([]string, len(list))
	for i, x := range list {
		words[i] = fmt.Sprint(x)
	}
	return "[" + strings.Join(words, ", ") + "]"
}

// grouped puts lines under what their order counts for.
func grouped(lines []string, key func(string) string) map[string][]string {
	out := map[string][]string{}
	for _, l := range lines {
		out[key(l)] = append(out[key(l)], l)
	}
	return out
}

// writtenPath is what a write is of: "set /a -> version 1: ...", "create /a: ...", "delete /a".
func writtenPath(line string) string { return strings.TrimSuffix(strings.Fields(line)[1], ":") }

// recipient is the channel of "LeaderAndIsr from 4 (epoch 1) to 1: ...".
func recipient(line string) string {
	_, rest, _ := strings.Cut(line, " from ")
	channel, _, _ := strings.Cut(rest, ": ")
	channel, _, _ = strings.Cut(channel, ", live brokers")
	return channel
}

// spread makes one line per recipient.
func spread(t require.TestingT, lines []string) (out []string) {
	for _, l := range lines {
		before, after, found := strings.Cut(l, " to ")
		require.True(t, found, l)
		end := strings.IndexAny(after, ": ")
		if comma := strings.Index(after, ", "); comma >= 0 && comma < end {
			end = comma
		}
		for _, id := range strings.Split(after[:end], ",") {
			out = append(out, before+" to "+id+after[end:])
		}
	}
	return out
}

// writes are the successful writes of brokers in these steps, below the paths that the cases look at.
func writes(steps []*trace.Step, tr *trace.Trace, from int) (out []string) {
	cursor := trace.NewCursor(tr)
	for i, s := range steps {
		client := fmt.Sprint(argOf(s, "client"))
		if !strings.HasPrefix(string(s.Kind), "zk.") || client == "admin" || argOf(s, "client") == nil {
			continue
		}
		cursor.Seek(from + i)
		for _, d := range s.Diff {
			if len(d.Path) != 3 || d.Path[0] != "zk" || d.Path[2] != "version" || !watched(d.Path[1]) {
				continue
			}
			path := d.Path[1]
			content := nodeText(path, text(cursor.Doc().Get("zk", path, "data")))
			switch {
			case d.After == nil:
				out = append(out, "delete "+path)
			case d.Before == nil && content == "":
				out = append(out, "create "+path+" (no data)")
			case d.Before == nil:
				out = append(out, "create "+path+": "+content)
			default:
				out = append(out, fmt.Sprintf("set %s -> version %v: %s", path, d.After, content))
			}
		}
	}
	return out
}

func watched(path string) bool {
	for _, root := range []string{"/brokers/topics", "/config", "/admin", "/controller", "/controller_epoch"} {
		if path == root || strings.HasPrefix(path, root+"/") {
			return true
		}
	}
	return false
}

// nodeText is the data of a znode in the words of the cases.
func nodeText(path, data string) string {
	switch {
	case path == zkdata.ControllerPath:
		id, _, _ := zkdata.DecodeController([]byte(data))
		return fmt.Sprintf("brokerid=%d (ephemeral)", id)
	case strings.HasSuffix(path, "/state"):
		l, _, _ := zkdata.DecodeTopicPartitionState(kafka.TopicPartition{}, []byte(data), 0)
		return fmt.Sprintf("%s controller_epoch=%d", leadership(l.LeaderAndIsr), l.ControllerEpoch)
	case path == zkdata.ReassignPartitionsPath:
		entries, _ := zkdata.DecodePartitionReassignment([]byte(data))
		var parts []string
		for _, e := range entries {
			parts = append(parts, e.TopicPartition.String()+" -> "+brokerList(e.Replicas))
		}
		return strings.Join(parts, "; ")
	case strings.HasPrefix(path, zkdata.TopicsPath+"/") && data != "":
		topic, _ := zkdata.DecodeTopic("t", []byte(data))
		var parts []string
		for _, p := range kafka.SortedKeys(topic.Partitions) {
			parts = append(parts, fmt.Sprintf("%d:%s", p, assignmentText(topic.Partitions[p], " adding ", " removing ")))
		}
		return strings.Join(parts, "; ")
	}
	return data
}

func assignmentText(a kafka.ReplicaAssignment, adding, removing string) string {
	out := brokerList(a.Replicas)
	if len(a.Adding) > 0 {
		out += adding + brokerList(a.Adding)
	}
	if len(a.Removing) > 0 {
		out += removing + brokerList(a.Removing)
	}
	return out
}

func argOf(s *trace.Step, name string) any {
	for _, a := range s.Args {
		if a.Name == name {
			return a.Value
		}
	}
	return nil
}

// requests are the control requests that controllers gave to their channels in these steps.
func requests(steps []*trace.Step) (out []string) {
	for _, s := range steps {
		if s.Msg != "batch.send" {
			continue
		}
		from, _, _ := strings.Cut(s.Lane, ".")
		var epoch any
		var body map[string]any
		for _, d := range s.Diff {
			if len(d.Path) == 4 && d.Path[0] == "lane" && d.After != nil {
				switch d.Path[3] {
				case "controllerEpoch":
					epoch = d.After
				case "body":
					body = d.After.(map[string]any)
				}
			}
		}
		out = append(out, fmt.Sprintf("%v from %s (epoch %v) to %v%s", argOf(s, "request"), from, epoch, argOf(s, "broker"), bodyText(body)))
	}
	return out
}

// bodyText is what the cases say of a request after its recipient.
func bodyText(body map[string]any) string {
	live := ""
	if brokers, ok := body["liveBrokers"]; ok {
		live = ", live brokers " + valueText(brokers)
	}
	var parts []string
	for _, x := range body["partitions"].([]any) {
		parts = append(parts, partitionText(x.(map[string]any), live != ""))
	}
	sort.Strings(parts)
	if len(parts) == 0 {
		parts = []string{"no partitions"}
	}
	return live + ": " + strings.Join(parts, "; ")
}

func partitionText(p map[string]any, metadata bool) string {
	out := fmt.Sprintf("%v", p["partition"])
	if del, stop := p["delete"]; stop {
		return fmt.Sprintf("%s leader_epoch=%v delete=%s", out, p["leaderEpoch"], map[any]string{true: "yes", false: "no"}[del])
	}
	out += fmt.Sprintf(" leader=%v leader_epoch=%v isr=%s", p["leader"], p["leaderEpoch"], valueText(p["isr"]))
	if metadata {
		if offline := valueText(p["offline"]); offline != "[]" {
			out += " offline=" + offline
		}
		return out
	}
	out += fmt.Sprintf(" zk_version=%v replicas=%s", p["zkVersion"], valueText(p["replicas"]))
	for _, list := range []string{"adding", "removing"} {
		if text := valueText(p[list]); text != "[]" {
			out += " " + list + "=" + text
		}
	}
	if p["isNew"] == true {
		out += " isNew"
	}
	return out
}

// text is an answer in the words of the cases.
func (a *answered) text() string {
	switch r := a.out.Answer.(type) {
	case request.AlterIsrResponse:
		if r.Error != kafka.NONE {
			return r.Error.Error()
		}
		p := r.Partitions[0]
		if p.Error != kafka.NONE {
			return p.TopicPartition.String() + ": " + p.Error.Error()
		}
		return fmt.Sprintf("%s: %s version=%d", p.TopicPartition, leadership(p.LeaderAndIsr), p.ZkVersion)
	case request.PartitionResponse:
		var parts []string
		for _, p := range r.Partitions {
			parts = append(parts, p.TopicPartition.String()+": "+p.Error.Error())
		}
		return strings.Join(parts, "; ")
	}
	return fmt.Sprint(a.out.Answer, a.out.Error)
}

// F01a: all replicas of a partition fail one after another, then return in the wrong order.
func TestF01a(t *testing.T) { field(t, "F01a") }

// F01b: the dead leader was also the controller.
func TestF01b(t *testing.T) { field(t, "F01b") }

// F02: a broker restarts so fast that the controller sees no missing child.
func TestF02(t *testing.T) { field(t, "F02") }

// F03: the reply of a committed write is lost and the client repeats the write.
// The controller's memory and the leader stay behind what was written.
func TestF03(t *testing.T) {
	field(t, "F03", "context-equals-zookeeper /brokers/topics/t/partitions/0/state")
}

// F04: the operator deletes /controller while the old controller is busy.
func TestF04(t *testing.T) { field(t, "F04") }

// F05: the session of the active controller expires while requests wait in its queue. Two of them are answered that the
// controller moved, the shutting-down broker too (ControllerMovedException is STALE_CONTROLLER_EPOCH on the wire), which
// then asks the next one; a leader's proposal is never answered.
func TestF05(t *testing.T) {
	f := field(t, "F05")
	require.Len(t, f.reply, 4)
	require.Equal(t, kafka.NOT_CONTROLLER.Error(), f.reply[0].out.Error, "%+v", f.reply[0].out)
	require.Equal(t, kafka.NOT_CONTROLLER.Error(), f.reply[1].out.Error, "%+v", f.reply[1].out)
	require.Equal(t, kafka.STALE_CONTROLLER_EPOCH, f.reply[2].out.Answer.(request.ControlledShutdownResponse).Error)
	require.False(t, f.reply[3].out.Done, "nobody answers an AlterIsr that was preempted")
	var order []string
	for _, s := range f.Trace().Steps {
		event := fmt.Sprint(argOf(s, "event"))
		switch {
		case s.Kind == "event.preempt" && s.Lane[0] == '1':
			order = append(order, "preempt "+event)
		case s.Kind == "event.done" && event == "Expire":
			order = append(order, "Expire done")
		case s.Kind == "session.open" && len(order) > 0:
			order = append(order, "new session")
		case s.Kind == "event.done" && s.Lane[0] == '1' && event == "RegisterBrokerAndReelect":
			order = append(order, "registered")
		}
	}
	require.Equal(t, []string{"preempt ApiPartitionReassignment", "preempt ReplicaLeaderElection", "preempt ControlledShutdown",
		"preempt AlterIsrReceived", "preempt AutoPreferredReplicaLeaderElection", "Expire done", "new session", "registered"}, order)
	f.play("expect ctl[1].active = 2\nexpect ctl[1].isActive = false")
}

// F06: a topic is deleted while one replica is on a dead broker.
func TestF06(t *testing.T) { field(t, "F06") }

// F07: the operator removes a topic's znode by hand and creates the topic again.
// The brokers' replicas are older than the topic, so that the new leader epoch, 0 again, means nothing to them.
func TestF07(t *testing.T) {
	field(t, "F07", "leader-hosts t-0", "context-equals-zookeeper /brokers/topics/t", "context-equals-zookeeper /brokers/topics/t/partitions/0/state")
}

// F09: automatic rebalance: the threshold, and a foreign reassignment that blocks it.
func TestF09(t *testing.T) { field(t, "F09") }

// F10: every step of one reassignment.
func TestF10(t *testing.T) { field(t, "F10") }

// F11: /admin/reassign_partitions is overwritten while a reassignment runs.
// Its new content waits for a controller that reads it.
func TestF11(t *testing.T) { field(t, "F11", "context-equals-zookeeper /admin/reassign_partitions") }

// F12: a broker without replicas dies while some other partition is offline.
func TestF12(t *testing.T) { field(t, "F12") }

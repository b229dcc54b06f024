package cases

import (
	"fmt"
	"sort"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/stretchr/testify/require"

	"controllerscope/core/env"
	"controllerscope/core/kafka"
	"controllerscope/core/request"
	"controllerscope/core/trace"
	"controllerscope/core/zkdata"
)

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
		var body env.Record
		for _, d := range s.Diff {
			if len(d.Path) == 4 && d.Path[0] == "lane" && d.After != nil {
				switch d.Path[3] {
				case "controllerEpoch":
					epoch = d.After
				case "body":
					body = d.After.(env.Record)
				}
			}
		}
		out = append(out, fmt.Sprintf("%v from %s (epoch %v) to %v%s", argOf(s, "request"), from, epoch, argOf(s, "broker"), bodyText(body)))
	}
	return out
}

// bodyText is what the cases say of a request after its recipient.
func bodyText(body env.Record) string {
	live := ""
	if brokers := body.Get("liveBrokers"); brokers != nil {
		live = ", live brokers " + valueText(brokers)
	}
	var parts []string
	for _, x := range body.Get("partitions").([]any) {
		parts = append(parts, partitionText(x.(env.Record), live != ""))
	}
	sort.Strings(parts)
	if len(parts) == 0 {
		parts = []string{"no partitions"}
	}
	return live + ": " + strings.Join(parts, "; ")
}

func partitionText(p env.Record, metadata bool) string {
	out := fmt.Sprintf("%v", p.Get("partition"))
	if del := p.Get("delete"); del != nil {
		return fmt.Sprintf("%s leader_epoch=%v delete=%s", out, p.Get("leaderEpoch"), map[any]string{true: "yes", false: "no"}[del])
	}
	out += fmt.Sprintf(" leader=%v leader_epoch=%v isr=%s", p.Get("leader"), p.Get("leaderEpoch"), valueText(p.Get("isr")))
	if metadata {
		if offline := valueText(p.Get("offline")); offline != "[]" {
			out += " offline=" + offline
		}
		return out
	}
	out += fmt.Sprintf(" zk_version=%v replicas=%s", p.Get("zkVersion"), valueText(p.Get("replicas")))
	for _, list := range []string{"adding", "removing"} {
		if text := valueText(p.Get(list)); text != "[]" {
			out += " " + list + "=" + text
		}
	}
	if p.Get("isNew") == true {
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

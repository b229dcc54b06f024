package cases

import (
	"embed"
	"fmt"
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
	c := readField(t, id)
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

func readField(t *testing.T, id string) (c fieldCase) {
	data, err := fieldCases.ReadFile("testdata/" + id + ".yaml")
	require.NoError(t, err)
	require.NoError(t, yaml.UnmarshalWithOptions(data, &c, yaml.UseOrderedMap()), id)
	return c
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

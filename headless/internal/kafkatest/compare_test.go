package kafkatest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"controllerscope/headless/conform/kafkaplay"
)

// differences holds a recording made on the emulator against the one made on a real ZooKeeper, by the rules of the
// recorder's FORMAT.md: everything that two recordings on a real ZooKeeper have in common is compared here, entity by
// entity. The conversations with ZooKeeper are not: which requests were in flight together is a matter of load. They are
// held against the deterministic world instead, which explains both recordings (see replayed).
func differences(want, got *kafkaplay.Recording) (out []string) {
	if len(want.Steps) != len(got.Steps) {
		return []string{fmt.Sprintf("want %d steps, got %d", len(want.Steps), len(got.Steps))}
	}
	for i := range want.Steps {
		a, b := facts(&want.Steps[i]), facts(&got.Steps[i])
		for _, k := range slices.Sorted(maps.Keys(a)) {
			if _, both := b[k]; !both {
				b[k] = "nothing"
			}
		}
		for _, k := range slices.Sorted(maps.Keys(b)) {
			if _, both := a[k]; !both {
				a[k] = "nothing"
			}
			if a[k] != b[k] {
				out = append(out, fmt.Sprintf("step %d (%s), %s:\n  want %s\n  got  %s", i+1, want.Steps[i].Do, k, a[k], b[k]))
			}
		}
	}
	return out
}

// facts is what a step came to, by name, each in a form in which equal facts have equal texts.
func facts(s *kafkaplay.Step) map[string]string {
	out := map[string]string{
		"result": s.Result, "controller": fmt.Sprintf("%d in epoch %d", s.Controller, s.ControllerEpoch), "metrics": text(s.Metrics),
		"deleted znodes": text(s.Znodes.Deleted),
	}
	for path, n := range s.Znodes.Set {
		out["znode "+path] = text(n)
	}
	for _, t := range s.Transitions {
		k := fmt.Sprintf("transitions of %s %s-%d %d at controller %d", t.Kind, t.Topic, t.Partition, t.Broker, t.Controller)
		out[k] += fmt.Sprintf(" %s→%s", t.From, t.To)
		if t.Failed {
			out[k] += " failed"
		}
	}
	if !movesISR(s) {
		for _, r := range s.Requests {
			if !ended(s, fmt.Sprint(r["to"])) {
				k := fmt.Sprintf("requests from %v to %v", r["from"], r["to"])
				sent := maps.Clone(r)
				for _, answer := range []string{"response", "partitionResponses", "from", "to"} {
					delete(sent, answer)
				}
				out[k] += "\n    " + text(sent)
			}
		}
	}
	return out
}

// movesISR reports whether ISRs changed by AlterIsr in a step: how they travel in requests is then a race of fetchers
// (rule 8). What they came to is compared with the znodes.
func movesISR(s *kafkaplay.Step) bool {
	for _, r := range s.ToController {
		if r["kind"] == "AlterIsr" {
			return true
		}
	}
	return false
}

// ended reports whether a broker's registration ended in a step: requests to it are then sent, unanswered or repeated as it
// happens (rule 10).
func ended(s *kafkaplay.Step, id string) bool {
	path := "/brokers/ids/" + id
	return slices.Contains(s.Znodes.Deleted, path) || s.Znodes.Set[path]["recreated"] == true || strings.HasSuffix(s.Do, " "+id)
}

// text is a value as JSON, with the lists in order that have none: members of an ISR, partitions and brokers of a request.
func text(v any) string {
	raw, _ := json.Marshal(v)
	var plain any
	_ = json.Unmarshal(raw, &plain) // it was written a line above
	raw, _ = json.Marshal(sorted("", plain))
	return string(bytes.TrimSpace(raw))
}

func sorted(key string, v any) any {
	switch v := v.(type) {
	case map[string]any:
		for k, x := range v {
			v[k] = sorted(k, x)
		}
	case []any:
		for i, x := range v {
			v[i] = sorted("", x)
		}
		if slices.Contains([]string{"isr", "partitions", "liveBrokers", "liveLeaders"}, key) {
			slices.SortFunc(v, func(a, b any) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
		}
	}
	return v
}

// replayed is what the deterministic world, over the emulator as a Store, does otherwise than the recording.
func replayed(t *testing.T, r *kafkaplay.Recording) (out []string) {
	report, err := kafkaplay.Play(r, kafkaplay.Options{})
	require.NoError(t, err)
	for _, s := range report.Steps {
		for _, f := range s.Failures {
			out = append(out, f.String())
		}
	}
	return out
}

// TestDifferences changes one thing of a recording after the other: each is found, and what is free is not.
func TestDifferences(t *testing.T) {
	const recording = `{"format":"controllerscope-golden/1","name":"r","cluster":{"brokers":[{"id":1},{"id":2}]},"steps":[{"do":"d","result":"ok",
		"controller":1,"controllerEpoch":3,"metrics":{"GlobalTopicCount":1},
		"transitions":[{"kind":"partition","controller":1,"topic":"t","partition":0,"from":"NonExistent","to":"New"}],
		"requests":[{"from":1,"to":2,"kind":"UpdateMetadata","epoch":3,"liveBrokers":[{"id":1},{"id":2}],"response":"NONE"}],
		"znodes":{"set":{"/s":{"data":{"isr":[1,2],"leader":1},"version":0}},"deleted":["/x"]}}]}`
	read := func(text string) *kafkaplay.Recording {
		r, err := kafkaplay.Read("r", []byte(text))
		require.NoError(t, err)
		return r
	}
	for from, to := range map[string]string{`"isr":[1,2]`: `"isr":[2,1]`, `[{"id":1},{"id":2}],"response"`: `[{"id":2},{"id":1}],"response"`,
		`"response":"NONE"`: `"response":"none"`} {
		assert.Empty(t, differences(read(recording), read(strings.Replace(recording, from, to, 1))), from)
	}
	for from, to := range map[string]string{`"ok"`: `"error: NONE"`, `Epoch":3`: `Epoch":4`, `Count":1`: `Count":2`, `"New"`: `"Online"`,
		`"leader":1`: `"leader":2`, `"/x"`: ``, `"version":0`: `"version":1`, `"epoch":3`: `"epoch":4`, `"/s"`: `"/r"`} {
		assert.NotEmpty(t, differences(read(recording), read(strings.Replace(recording, from, to, 1))), from)
	}
	assert.Equal(t, []string{"step 1 (d), metrics:\n  want {\"GlobalTopicCount\":1}\n  got  {\"GlobalTopicCount\":2}"},
		differences(read(recording), read(strings.Replace(recording, `Count":1`, `Count":2`, 1))))
}

package conform

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"controllerscope/core/trace"
)

// kafka runs the command and returns what it printed.
func kafka(args ...string) (code int, out, errs string) {
	var o, e bytes.Buffer
	code = Kafka(args, &o, &e)
	return code, o.String(), e.String()
}

func TestKafkaCommand(t *testing.T) {
	data := filepath.Join("kafkaplay", "testdata")
	code, out, errs := kafka(filepath.Join(data, "f01b-leader-was-controller.json.gz"), filepath.Join(data, "33-isr-ibp26.json.gz"), "-v")
	require.Equal(t, exitOK, code, errs)
	require.Contains(t, out, "f01b-leader-was-controller step 6 (broker kill 1): passed\n")
	require.Contains(t, out, "33-isr-ibp26 step 10 (topic delete t): passed\n")
	require.Contains(t, out, "\n16 passed, 0 failed\n")
}

func TestKafkaCommandNamesDifferences(t *testing.T) {
	file := filepath.Join(t.TempDir(), "one.json")
	require.NoError(t, os.WriteFile(file, []byte(`{"format":"controllerscope-golden/1","name":"one","cluster":{"brokers":[{"id":1}]},
		"steps":[{"do":"start 1","result":"ok","controller":1,"controllerEpoch":2,"metrics":{"OfflinePartitionsCount":0}}]}`), 0o644))
	code, out, _ := kafka(file, "--only", "gauges")
	require.Equal(t, exitFailed, code)
	require.Equal(t, "one step 1 (start 1): controllerEpoch: want 2, got 1\n0 passed, 1 failed\n", out)
	code, out, _ = kafka("--json", "--only=gauges", file)
	require.Equal(t, exitFailed, code)
	require.Contains(t, out, `"failures":[{"recording":"one","step":1,"do":"start 1","path":"controllerEpoch","want":"2","got":"1"}]`)
}

// Both sides of a failed step are traces that part where the failure says.
func TestKafkaCommandWritesSides(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "one.json")
	require.NoError(t, os.WriteFile(file, []byte(`{"format":"controllerscope-golden/1","name":"one","cluster":{"brokers":[{"id":1}]},
		"steps":[{"do":"start 1","result":"ok","controller":1,"controllerEpoch":2,"metrics":{"OfflinePartitionsCount":0}}]}`), 0o644))
	sides := filepath.Join(dir, "sides")
	code, out, _ := kafka(file, "--only", "gauges", "--sides", sides)
	require.Equal(t, exitFailed, code)
	want, got := filepath.Join(sides, "one-step1-want.json"), filepath.Join(sides, "one-step1-got.json")
	require.Contains(t, out, "headless diff --per-lane "+want+" "+got+"\n")
	read := func(name string) *trace.Trace {
		data, err := os.ReadFile(name)
		require.NoError(t, err)
		read, err := trace.Read(name, data)
		require.NoError(t, err)
		return read
	}
	d := trace.Compare(read(want), read(got), trace.PerLane)
	require.NotNil(t, d)
	require.Equal(t, "state#1", d.Step)
	require.Contains(t, d.ValueA, "1 in epoch 2")
	require.Contains(t, d.ValueB, "1 in epoch 1")
	require.Nil(t, trace.Compare(read(want), read(want), trace.PerLane))
}

func TestKafkaCommandRefuses(t *testing.T) {
	bad := filepath.Join(t.TempDir(), "bad.json")
	require.NoError(t, os.WriteFile(bad, []byte("name: yaml"), 0o644))
	for _, c := range []struct {
		args []string
		want string
	}{
		{nil, "usage: headless conform kafka"},
		{[]string{"nowhere.json"}, "give a recording or a folder of recordings"},
		{[]string{t.TempDir()}, "holds no recording"},
		{[]string{bad}, "it is not JSON"},
		{[]string{"--only", "colours", bad}, `there is no part "colours"`},
		{[]string{"--frobnicate"}, "conform kafka: there is no flag --frobnicate; conform kafka -h lists the flags"},
	} {
		code, _, errs := kafka(c.args...)
		require.Equal(t, exitUsage, code, "%v", c.args)
		require.Contains(t, errs, c.want)
	}
}

package run_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"controllerscope/core/env"
	"controllerscope/core/run"
	"controllerscope/core/trace"
	"controllerscope/core/zk"
)

// What a picture shows: how old a notice is to each broker's own clock, what is done, and watches against the simple design.
func TestViewOfNotices(t *testing.T) {
	const path = "/config/changes/config_change_0000000000"
	seen := map[string]env.Record{}
	r := start(t, run.Inputs{Name: t.Name(), Script: `cluster brokers=0,1 auto.leader.rebalance.enable=false
broker start 0
until idle
broker start 1
until idle
topic create t 1x2
topic create u 1x2
until idle
skew 1 +10m
config set topics/t retention.ms=1
until idle
clock +6m
config set topics/u retention.ms=1
until idle
`}, run.Options{OnStep: func(s *trace.Step, doc *trace.Document) {
		if s.Msg == "dynconfig.pass" && s.Arg("listed") == int64(2) {
			b := s.Lane[:1]
			seen[b], _ = doc.Get("view", "notice", path, b).(env.Record)
		}
	}})
	require.NoError(t, r.Finish())
	for b, old := range map[string]bool{"0": false, "1": true} {
		require.Equal(t, old, seen[b].Get("old"), b)
		require.Equal(t, true, seen[b].Get("done"), b)
	}
	require.Equal(t, int64(600_000), seen["1"].Get("age").(int64)-seen["0"].Get("age").(int64))
	require.Nil(t, r.Doc().Get("view", "notice", path, "0"), "purged by broker 1")
	require.Equal(t, env.Record{env.A("armed", int64(2)), env.A("naive", int64(4))}, r.Doc().Get("view", "watching"))
}

// A broker is behind while it has not applied what the config znode says; a broker's own config concerns no other.
func TestViewOfBrokersThatAreBehind(t *testing.T) {
	r := played(t, `cluster brokers=0,1 auto.leader.rebalance.enable=false
broker start 0
until idle
broker start 1
until idle
topic create t 1x2
until idle
hold client.1
config set topics/t retention.ms=1
config set brokers/0 log.cleaner.threads=2
until idle
`)
	behind := func() any { return r.Doc().Names("view", "behind", "/config/topics/t") }
	require.Equal(t, []string{"1"}, behind())
	require.Equal(t, "≠", r.Doc().Get("view", "behind", "/config/topics/t", "1"))
	require.Empty(t, r.Doc().Names("view", "behind", "/config/brokers/0"))
	appended := func(lines ...string) {
		for _, line := range lines {
			require.NoError(t, r.Append(line))
		}
	}
	appended("release client.1", "until idle")
	require.Empty(t, behind())
	appended("zk set /config/topics/t {}", "broker stop 1", "until idle")
	require.Equal(t, []string{"0"}, behind(), "no notice, no pass; a broker that is gone is not behind")
}

// comes first, the broker ends with the new config, and the log has it.
func TestConfigChangesBesideTheCreationOfALog(t *testing.T) {
	during, after := 0, 0
	for k := 0; ; k++ {
		r := start(t, run.Inputs{Name: t.Name(), Setup: "cluster brokers=0 auto.leader.rebalance.enable=false\nbroker start 0\nuntil idle\n"}, run.Options{Bare: true})
		require.NoError(t, r.Append("topic create t 1x1"))
		left := k
		require.NoError(t, r.World().RunToIdle(0, func() bool { left--; return left < 0 }))
		atRest := r.World().Idle()
		if !r.Doc().Has("zk", "/config/topics/t") {
			continue // nothing to change yet
		}
		r.World().Zk(zk.Op{Kind: zk.Set, Path: "/config/topics/t", Version: zk.AnyVersion, Data: []byte(`{"version":1,"config":{"retention.ms":"2"}}`)})
		r.World().Zk(zk.Op{Kind: zk.Create, Path: "/config/changes/config_change_", Mode: zk.PersistentSequential, Data: []byte(`{"version":2,"entity_path":"topics/t"}`)})
		require.NoError(t, r.World().RunToIdle(0, nil))
		require.Equal(t, "2", r.Doc().Get("config", "0", "topics", "t").(env.Record).Get("retention.ms"), "after %d deliveries", k)
		require.True(t, r.Doc().Has("broker", "0", "log", "t-0"))
		// The last read of the config by the broker comes after the write: it is the notice's, or the second one of the log.
		written, read, logged, applied := -1, -1, -1, -1
		for _, s := range r.Trace().Steps {
			switch {
			case s.Kind == "zk.set" && s.Entity == "/config/topics/t":
				written = s.I
			case s.Msg == "zk.get" && s.Entity == "/config/topics/t":
				read = s.I
			case s.Msg == "dynconfig.apply":
				applied = s.I
			}
			for _, c := range s.Diff {
				if len(c.Path) == 4 && c.Path[2] == "log" && c.Before == nil {
					logged = s.I
				}
			}
		}
		require.Greater(t, read, written, "after %d deliveries", k)
		if applied < logged {
			during++
		} else {
			after++
		}
		if atRest {
			break
		}
	}
	require.Positive(t, during)
	require.Positive(t, after)
}

// Two steps frame time that passes, so that every clock is seen where it went although nothing happened on the way; time
// that is cut short has no second one.
func TestTimeThatPassedIsAStep(t *testing.T) {
	r := played(t, "cluster brokers=0 auto.leader.rebalance.enable=false\nbroker start 0\nuntil idle\n")
	before := r.Steps()
	from := r.World().Now()
	require.NoError(t, r.Append("clock +15m"))
	steps := r.Trace().Steps
	begun, passed := steps[before], steps[len(steps)-1]
	require.Equal(t, "admin.clock", begun.Msg)
	require.Equal(t, from, begun.VTimeMS)
	require.Equal(t, "clock.passed", passed.Msg)
	require.Equal(t, from+900_000, passed.VTimeMS)
	require.Equal(t, []int{before}, passed.Causes)
	require.Equal(t, "admin", passed.Lane)
	require.Equal(t, int64(900_000), passed.Arg("ms"))

	in, err := r.Fork(before, "skew 0 +1m")
	require.NoError(t, err)
	fork := finished(t, in)
	steps = fork.Trace().Steps
	require.Len(t, steps, before+2, "the fork leaves before the time passes")
	require.Equal(t, "admin.skew", steps[before+1].Msg)
	require.Equal(t, from, fork.World().Now())
}

package run_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"controllerscope/core/run"
	"controllerscope/core/zk"
)

// the first goes, by one 20 minutes ahead all three, by one 20 minutes behind none.
func TestSurvivorsOfAPurge(t *testing.T) {
	for skew, want := range map[string][]bool{"+0m": {false, true, true}, "+20m": {false, false, false}, "-20m": {true, true, true}} {
		r := played(t, alone+"skew 0 "+skew+"\nhold client.0\n"+`notice write '{"version":2,"entity_path":"topics/t"}'
clock +70s
notice write '{"version":2,"entity_path":"topics/t"}'
clock +890s
notice write '{"version":2,"entity_path":"topics/t"}'
release client.0
until idle
`)
		for n, stays := range want {
			require.Equal(t, stays, r.Doc().Has("zk", fmt.Sprintf("/config/changes/config_change_%010d", n)), "%s notice %d", skew, n)
		}
	}
}

// To the millisecond: what is exactly 15:00.000 old when the pass reads the clock stays, what is 15:00.001 old goes.
func TestTheEdgeOfAPurge(t *testing.T) {
	const born = "zk /config/changes/config_change_0000000000 ctime"
	pass := func(skew int64) (age int64, stays bool) {
		r := played(t, fmt.Sprintf("%sskew 0 +%dms\n%s", alone, skew, good))
		times := map[string]int64{}
		for _, s := range r.Trace().Steps {
			for _, d := range s.Diff {
				path := strings.Join(d.Path, " ")
				if times[path] > times[born] && times[born] != 0 {
					continue // the purge rings again, and the clock is read again
				}
				if text, is := d.After.(string); is && strings.HasPrefix(text, "time:") {
					ms, err := strconv.ParseInt(strings.TrimPrefix(text, "time:"), 10, 64)
					require.NoError(t, err)
					times[path] = ms
				}
			}
		}
		return times["notices 0 /config/changes now"] - times[born], r.Doc().Has("zk", "/config/changes/config_change_0000000000")
	}
	young, _ := pass(1)
	for age, want := range map[int64]bool{899_999: true, 900_000: true, 900_001: false} {
		got, stays := pass(age - young + 1)
		require.Equal(t, age, got)
		require.Equal(t, want, stays, "at %d ms", age)
	}
}

// A thousand notices, one watch, one pass, in the order of their numbers though ZooKeeper lists them in another.
func TestAThousandNoticesInOnePass(t *testing.T) {
	r := start(t, run.Inputs{Name: t.Name(), Setup: alone + "hold client.0\n", Script: ""}, run.Options{Bare: true})
	for range 1000 {
		r.World().Zk(zk.Op{Kind: zk.Create, Path: "/config/changes/config_change_", Mode: zk.PersistentSequential,
			Data: []byte(`{"version":2,"entity_path":"topics/t"}`)})
	}
	require.NoError(t, r.World().RunToIdle(0, nil))
	require.NoError(t, r.World().Release("client.0"))
	require.NoError(t, r.World().RunToIdle(0, nil))
	want, fired := int64(0), 0
	for _, s := range r.Trace().Steps {
		switch {
		case s.Msg == "dynconfig.notice.done":
			require.Equal(t, want, s.Arg("last"))
			want++
		case s.Kind == "watch.fire" && s.Entity == "/config/changes":
			fired++
		}
	}
	require.Equal(t, int64(1000), want)
	require.Equal(t, 1, fired)
	require.Equal(t, 1, steps(r, "dynconfig.pass.done"))
	require.Equal(t, int64(1000), r.Doc().Get("notices", "0", "/config/changes", "listed"))
}

// cost 1+2+…+n of these reads on a broker, and n when one pass finds them all.
func TestNoticesThatArriveSinglyAreQuadratic(t *testing.T) {
	const n = 40
	read := func(text string) (reads int, listed any) {
		r := played(t, alone+text)
		for _, s := range r.Trace().Steps {
			if s.Msg == "zk.get" && strings.HasPrefix(s.Entity, "/config/changes/") {
				reads++
			}
		}
		return reads, r.Doc().Get("notices", "0", "/config/changes", "listed")
	}
	reads, listed := read(strings.Repeat(good, n))
	require.Equal(t, int64(820), listed, "40·41/2")
	require.Equal(t, n+820, reads, "each to carry it out, and the purge's")
	reads, listed = read("hold client.0\n" + strings.Repeat(good, n) + "release client.0\nuntil idle\n")
	require.Equal(t, int64(n), listed)
	require.Equal(t, n+n, reads)
}

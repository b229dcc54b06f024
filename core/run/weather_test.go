package run_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"controllerscope/core/run"
)

const windy = "cluster brokers=0,1,2\nbroker start 0\nuntil idle\nbroker start 1\nuntil idle\nbroker start 2\nuntil idle\ntopic create orders 2x3\nuntil idle\n"

// blown is what a weather makes of a cluster: the lines of so many gusts, a little time after each.
func blown(t *testing.T, weather string, seed uint64, gusts int) (lines []string) {
	t.Helper()
	r := start(t, run.Inputs{Name: "weather", Setup: windy, Seed: seed}, run.Options{Bare: true})
	require.NoError(t, r.Finish())
	for range gusts {
		line := r.Gust(weather)
		require.Equal(t, line, r.Gust(weather), "the same place has the same weather")
		require.NotEmpty(t, line)
		require.NoError(t, r.Append(line), "%v: %s", lines, line)
		lines = append(lines, line)
		require.NoError(t, r.Append("wait 3ms"))
	}
	return lines
}

// TestWeather: every line that blows can be carried out; a breeze ends no process and loses nothing, a storm does both; the
// seed decides.
func TestWeather(t *testing.T) {
	rough := []string{"broker stop", "broker kill", "broker crash", "drop", "duplicate", "zk delete /controller"}
	seen := map[string]int{}
	for seed := uint64(1); seed <= 20; seed++ {
		breeze, storm := blown(t, "breezy", seed, 24), blown(t, "storm", seed, 24)
		require.NotEqual(t, breeze, storm)
		require.Equal(t, storm, blown(t, "storm", seed, 24))
		for _, verb := range rough {
			require.False(t, strings.Contains("\n"+strings.Join(breeze, "\n"), "\n"+verb), "%v", breeze)
			seen[verb] += strings.Count("\n"+strings.Join(storm, "\n"), "\n"+verb)
		}
	}
	for _, verb := range rough {
		require.NotZero(t, seen[verb], "%s: %v", verb, seen)
	}
	require.NotEqual(t, blown(t, "storm", 1, 24), blown(t, "storm", 2, 24))
}

// TestWeatherWithoutAWorld: where nothing is, nothing can go wrong.
func TestWeatherWithoutAWorld(t *testing.T) {
	require.Empty(t, start(t, run.Inputs{Name: "weather", Seed: 1}, run.Options{Bare: true}).Gust("storm"))
}

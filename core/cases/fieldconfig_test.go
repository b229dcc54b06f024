package cases

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"controllerscope/core/env"
)

// configRun is the story of F08. How far a broker has carried notifications out is seen from what it does not do again.
type configRun struct {
	*story
	seen int
}

// calls are the calls of the handler of topics since the last time, per broker: "t retention.ms=2000". The values do not
// change within a step of the case, so that they can be read at its end.
func (c *configRun) calls() map[string][]string {
	out := map[string][]string{}
	for _, s := range c.Trace().Steps[c.seen:] {
		name, topic := strings.CutPrefix(s.Entity, "topics/")
		if s.Kind != "config.apply" || !topic {
			continue
		}
		broker, thread, _ := strings.Cut(s.Lane, ".")
		call := name + " empty configuration"
		if config, ok := c.Doc().Get("config", broker, "topics", name).(env.Record); ok {
			call = fmt.Sprintf("%s retention.ms=%v", name, config.Get("retention.ms"))
		}
		if thread == "startup" {
			call += " (initial load)"
		}
		out[broker] = append(out[broker], call)
	}
	c.seen = len(c.Trace().Steps)
	return out
}

// children are the numbers of the notifications that are left.
func (c *configRun) children() (out []int) {
	for n := range 10 {
		if c.Doc().Has("zk", fmt.Sprintf("/config/changes/config_change_%010d", n)) {
			out = append(out, n)
		}
	}
	return out
}

const quarterHour = 15 * 60 * 1000

// untilQuarter plays steps 1 and 2 with broker 1's clock set off by skew ms. It returns how old notification 0 was when
// broker 1 purged it, 0 if it did not.
func untilQuarter(t *testing.T, skew int64) (c *configRun, purgedAt int64) {
	c = &configRun{story: tell(t, fmt.Sprintf(`
		cluster brokers=1,2
		broker start 1
		until idle
		skew 1 %+dms`, skew))}
	c.calls()
	c.play(`
		hold client.1
		zk create /config/topics/t {"version":1,"config":{"retention.ms":"1000"}}
		notice write '{"version":2,"entity_path":"topics/t"}'
		zk set /config/topics/t {"version":1,"config":{"retention.ms":"2000"}}
		notice write '{"version":2,"entity_path":"topics/t"}'
		until idle
		release client.1
		until idle`)
	require.Equal(t, map[string][]string{"1": {"t retention.ms=2000", "t retention.ms=2000"}}, c.calls(), "1000 is never seen")
	require.Equal(t, []int{0, 1}, c.children())
	c.play(`
		clock +15m
		zk create /config/topics/u {"version":1,"config":{"retention.ms":"7"}}
		notice write '{"version":2,"entity_path":"topics/u"}'
		until idle`)
	require.Equal(t, map[string][]string{"1": {"u retention.ms=7"}}, c.calls())
	for _, s := range c.Trace().Steps {
		if s.Kind == "notice.purge" && strings.HasSuffix(s.Entity, "0000000000") {
			purgedAt = argOf(s, "age").(int64)
		}
	}
	return c, purgedAt
}

// F08: notifications of config changes: coalesced, purged after 15 minutes, a late broker, a removed config.
func TestF08(t *testing.T) {
	_, age := untilQuarter(t, 1000)
	require.Greater(t, age, int64(quarterHour))
	exactly := 1000 - (age - quarterHour)
	c, age := untilQuarter(t, exactly+1)
	require.EqualValues(t, quarterHour+1, age, "one millisecond more is purged")
	require.NotContains(t, c.children(), 0)
	c, age = untilQuarter(t, exactly)
	require.Zero(t, age)
	require.Equal(t, []int{0, 1, 2}, c.children(), "exactly 15 minutes is kept")

	c.play("broker start 2\nuntil idle")
	calls := c.calls()
	require.ElementsMatch(t, []string{"t retention.ms=2000", "t retention.ms=2000", "u retention.ms=7",
		"t retention.ms=2000 (initial load)", "u retention.ms=7 (initial load)"}, calls["2"])
	require.Empty(t, calls["1"], "woken by the removal, it finds nothing new")
	require.Equal(t, []int{2}, c.children())

	c.play(`
		clock +1m
		zk delete /config/topics/u
		notice write '{"version":2,"entity_path":"topics/u"}'
		until idle`)
	require.Equal(t, map[string][]string{"1": {"u empty configuration"}, "2": {"u empty configuration"}}, c.calls())
	require.Equal(t, []int{2, 3}, c.children())

	c.play("clock +44m\nuntil idle")
	require.Empty(t, c.calls())
	require.Equal(t, []int{2, 3}, c.children(), "no timer purges")

	c.play(`
		notice write '{"version":2,"entity_path":"topics/t"}'
		until idle`)
	require.Equal(t, map[string][]string{"1": {"t retention.ms=2000"}, "2": {"t retention.ms=2000"}}, c.calls())
	require.Equal(t, []int{4}, c.children())
}

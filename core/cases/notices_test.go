package cases

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// ZNL-01: each sequential notification is processed once, in order; old ones are purged, and a number that was seen is
// skipped while its znode still exists. The listener here is that of config changes.
func TestZNL_01(t *testing.T) {
	s := cluster(t, 1)
	s.play("topic create t [0]\nuntil idle")
	notice := func(n int) {
		for range n {
			s.play(`notice write '{"version":2,"entity_path":"topics/t"}'`)
		}
		s.play("until idle")
	}
	handled := func() (sources []string) {
		for _, step := range s.Trace().Steps {
			if step.Kind == "config.apply" && step.Entity == "topics/t" {
				sources = append(sources, step.ID)
			}
		}
		return sources
	}
	before := len(handled())
	notice(1)
	require.Len(t, handled(), before+1)
	notice(1)
	require.Len(t, handled(), before+2)
	notice(8)
	require.Len(t, handled(), before+10)
	s.play("expect count(zk[/config/changes]) > 0")
	for n := range 10 {
		require.True(t, s.Doc().Has("zk", fmt.Sprintf("/config/changes/config_change_%010d", n)), "seen, and still there")
	}
	s.play("clock +901s")
	notice(1)
	require.Len(t, handled(), before+11)
	for n := range 11 {
		_, found := s.node(fmt.Sprintf("/config/changes/config_change_%010d", n))
		require.Equal(t, n == 10, found, "%d", n)
	}
}

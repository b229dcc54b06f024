package zktest

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"controllerscope/core/zk/zkmem"
)

// TestRandomHistoriesDecideWhatTheyCompare: two servers can be compared only on what their clients decide. What would be
// left to chance or to a server's clock does not come up.
func TestRandomHistoriesDecideWhatTheyCompare(t *testing.T) {
	for i := range 300 {
		seed := Seed(i)
		c := Random(&seed, "random", 100, true)
		containers := map[string]bool{}
		for at, s := range c.Steps {
			if s.Op == "cut" {
				before := c.Steps[at-1]
				require.Equal(t, []string{s.Session, "events"}, []string{before.Session, before.Op},
					"seed %d, step %d: an event on its way to a client that is cut arrives or not", i, at+1)
			}
			if s.Op == "create_container" {
				containers[s.Args.Path] = true
			}
			for _, o := range append(s.Args.Ops, SubOp{Op: s.Op, Path: s.Args.Path, Flags: s.Args.Flags}) {
				if o.Op != "create" {
					continue
				}
				require.False(t, o.Flags >= 2 && (o.Path == "~" || o.Path == ""),
					"seed %d, step %d: a sequence number after ~ makes a node beside the base node, where others are", i, at+1)
				require.NotContains(t, containers, o.Path[:max(0, strings.LastIndexByte(o.Path, '/'))],
					"seed %d, step %d: a container that had a child is removed when the server's clock says so", i, at+1)
			}
		}
	}
}

// TestCaseWithoutItsSession: a history that is made smaller may have lost the step that opens a session.
func TestCaseWithoutItsSession(t *testing.T) {
	c := Case{Name: "short", Steps: []Step{{Session: "A", Op: "create", Args: Args{Path: "~/a"}}}}
	_, err := PlayOn(zkmem.New(zkmem.Options{}), &c, "/base")
	assert.EqualError(t, err, "case short, step 1 (create): session A is not open")
}

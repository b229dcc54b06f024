// Package drawn has rapid make up random histories, so that it can make a failing one smaller. Only tests import it.
package drawn

import (
	"flag"
	"strconv"

	"pgregory.net/rapid"

	"controllerscope/core/zk/zktest"
)

// Defaults says how many histories rapid makes up, and of about how many steps; the command line may say otherwise. A test's
// TestMain calls it.
func Defaults(histories, steps int) {
	for name, value := range map[string]string{"rapid.checks": strconv.Itoa(histories), "rapid.steps": strconv.Itoa(steps), "rapid.nofailfile": "true"} {
		if err := flag.Set(name, value); err != nil {
			panic(err) // rapid has these flags
		}
	}
}

// dice are thrown by rapid. Roll is as likely to fall on any number.
type dice struct{ t *rapid.T }

func (d dice) Roll(n int) int {
	faces := make([]int, n)
	for i := range faces {
		faces[i] = i
	}
	return rapid.SampledFrom(faces).Draw(d.t, "roll")
}

// History is one random history; clocked as zktest.Begin has it.
func History(t *rapid.T, clocked bool) zktest.Case {
	h := zktest.Begin(dice{t}, clocked)
	step := rapid.Custom(func(t *rapid.T) int { h.Step(dice{t}); return 0 })
	t.Repeat(map[string]func(*rapid.T){"step": func(t *rapid.T) { step.Draw(t, "step") }})
	return h.End("random")
}

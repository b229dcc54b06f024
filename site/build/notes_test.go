package main

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"controllerscope/core/run"
	"controllerscope/core/script"
	"controllerscope/core/zk/zkmem"
	"controllerscope/lessons"
)

// TestWhatIfRecipes plays every recipe of the plan at its stop: its lines can be done there, and what they are said to show
// is so.
func TestWhatIfRecipes(t *testing.T) {
	var file teachFile
	require.NoError(t, readStrict(filepath.Join("..", "text", "teach.yaml"), &file))
	tried := 0
	for _, block := range file.Blocks {
		for _, try := range block.Try {
			tried++
			t.Run(block.Lesson+"/"+try.At, func(t *testing.T) {
				l, err := lessons.Embedded(block.Lesson)
				require.NoError(t, err)
				r := atStop(t, block.Lesson, try.At)
				for _, line := range try.Lines {
					require.NoError(t, r.Append(line), line)
				}
				expr, err := script.ParseExpr(try.Expect)
				require.NoError(t, err)
				require.True(t, expr.True(&script.Moment{Now: r.Doc()}), "%s: %s", l.ID, try.Expect)
			})
		}
	}
	require.NotZero(t, tried)
}

// atStop is a run of a lesson that stands right after the step of a stop.
func atStop(t *testing.T, name, stop string) *run.Run {
	t.Helper()
	l, err := lessons.Embedded(name)
	require.NoError(t, err)
	for _, r := range l.Runs {
		tr, at, err := play(l, r)
		require.NoError(t, err)
		for i, s := range r.Stops {
			if s.ID != stop {
				continue
			}
			whole, err := run.Start(l.Inputs(r), run.Options{Store: zkmem.New(zkmem.Options{}), Record: true})
			require.NoError(t, err)
			t.Cleanup(func() { whole.Close() })
			require.NoError(t, whole.Finish())
			require.Len(t, tr.Steps, whole.Steps())
			in, err := whole.At(at[i])
			require.NoError(t, err)
			here, err := run.Start(in, run.Options{Store: zkmem.New(zkmem.Options{}), Record: true})
			require.NoError(t, err)
			t.Cleanup(func() { here.Close() })
			require.NoError(t, here.Finish())
			return here
		}
	}
	t.Fatalf("lesson %s has no stop %s", name, stop)
	return nil
}

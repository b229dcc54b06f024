package conform

import (
	"bytes"
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"

	"controllerscope/core/zk/zktest"
)

// compared runs a comparison whose every play is given.
func compared(ctx context.Context, operations int, play func(times int, c *zktest.Case) (*zktest.Difference, error)) (code int, out, errs string) {
	var o, e bytes.Buffer
	times := 0
	c := &comparison{zookeeperRun: &zookeeperRun{random: operations, seed: 5, out: &o, errw: &e}, ctx: ctx,
		play: func(c *zktest.Case) (*zktest.Difference, error) {
			times++
			return play(times, c)
		},
		record: func(c *zktest.Case) error {
			for i := range c.Steps {
				c.Steps[i].Expect = map[string]any{"error": "recorded"}
			}
			return nil
		}}
	code = c.run()
	return code, o.String(), e.String()
}

func TestADifferenceThatComesAgainEndsTheRun(t *testing.T) {
	code, out, _ := compared(t.Context(), 1000, func(times int, c *zktest.Case) (*zktest.Difference, error) {
		for i, s := range c.Steps {
			if s.Op == "multi" && times > 1 { // the first history agrees
				return &zktest.Difference{Case: c.Name, Step: i + 1, Op: s.Op, Field: "error", Want: "a", Got: "b"}, nil
			}
		}
		return nil, nil
	})
	assert.Equal(t, exitFailed, code)
	assert.Regexp(t, `^seed 6: case random-6, step \d+ \(multi\), error: want "a", got "b"\n  \{"name":"random-6",\n[^\n]*\n[^\n]*\n   "steps":\[\n[^\n]*"op":"multi"[^\n]*"expect":\{"error":"recorded"\}\}\n   \]\}\n`+
		`\d+ operations in 1 histories from seed 5, \d+ sessions expired, \S+, \d+ operations a second: a difference at seed 6\n$`, out)
}

func TestADifferenceThatComesOnceFailsTheRun(t *testing.T) {
	code, out, _ := compared(t.Context(), 400, func(times int, c *zktest.Case) (*zktest.Difference, error) {
		if times == 1 {
			return &zktest.Difference{Case: c.Name, Step: 3, Op: "get", Field: "data", Want: 1, Got: 2}, nil
		}
		return nil, nil
	})
	assert.Equal(t, exitFailed, code)
	assert.Regexp(t, `^seed 5, not a second time: case random-5, step 3 \(get\), data: want 1, got 2\n`+
		`\d+ operations in 2 histories from seed 5, .*: 1 differences that did not come a second time\n$`, out)
}

func TestARunThatCannotGoOnSaysWhereTo(t *testing.T) {
	code, out, errs := compared(t.Context(), 1000, func(times int, c *zktest.Case) (*zktest.Difference, error) {
		if times == 3 {
			return nil, errors.New("no session")
		}
		return nil, nil
	})
	assert.Equal(t, exitEnvironment, code)
	assert.Equal(t, "conform zookeeper: seed 7: no session\n", errs)
	assert.Regexp(t, `^\d+ operations in 2 histories from seed 5, .*: not finished; go on with --seed 7 --random \d+\n$`, out)

	ctx, stop := context.WithCancel(t.Context())
	code, out, _ = compared(ctx, 1000, func(times int, c *zktest.Case) (*zktest.Difference, error) {
		stop()
		return nil, nil
	})
	assert.Equal(t, exitFailed, code)
	assert.Regexp(t, `^\d+ operations in 1 histories from seed 5, .*: stopped; go on with --seed 6 --random \d+\n$`, out)
}

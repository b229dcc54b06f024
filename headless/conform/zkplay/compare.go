package zkplay

import (
	"errors"
	"fmt"
	"sync"

	"controllerscope/core/zk/zktest"
)

// Compare plays one case on two servers at the same time, each through a real client, and returns the first field in which
// their results differ; nil if there is none. Expectations of the case play no part. A session that is to expire is ended
// at once instead of after its timeout. An error means that a server could not be used or a step not be made.
func Compare(c *zktest.Case, want, got Target) (*zktest.Difference, error) {
	var results [2]tape
	var errs [2]error
	var wait sync.WaitGroup
	for i, t := range []Target{want, got} {
		wait.Go(func() { results[i], errs[i] = record(c, t) })
	}
	wait.Wait()
	if err := errors.Join(errs[0], errs[1]); err != nil {
		return nil, err
	}
	return zktest.Compare(c, &results[0], &results[1])
}

// Record plays a case on a server and makes what its client saw the expectations: a history becomes a case for a file.
func Record(c *zktest.Case, t Target) error {
	results, err := record(c, t)
	if err != nil {
		return err
	}
	return zktest.Record(c, &results)
}

// tape is a player that gives recorded results, one a step.
type tape []zktest.Result

// Do gives the next result.
func (t *tape) Do(*zktest.Step) (zktest.Result, error) {
	r := (*t)[0]
	*t = (*t)[1:]
	return r, nil
}

// Visible reports that everything was recorded.
func (*tape) Visible(_ *zktest.Step, _ string, want any) (any, int) { return want, 0 }

// record plays a case and keeps what every step gave.
func record(c *zktest.Case, t Target) (tape, error) {
	admin, err := openSession("", t, 30_000)
	if err != nil {
		return nil, err
	}
	p := &player{target: t, admin: admin, sessions: map[string]*session{}, hasty: true}
	out, err := p.record(c)
	// Sessions that end late would take a zxid of the next history.
	return out, errors.Join(err, p.tidy(), admin.close())
}

// record plays the case.
func (p *player) record(c *zktest.Case) (out tape, err error) {
	if err := p.plant(); err != nil {
		return nil, err
	}
	for i := range c.Steps {
		r, err := p.Do(&c.Steps[i])
		if err != nil {
			return nil, fmt.Errorf("case %s, step %d (%s): %w", c.Name, i+1, c.Steps[i].Op, err)
		}
		out = append(out, r)
	}
	return out, nil
}

// Random is the history of a seed, ready to be compared.
func Random(seed uint64, steps int) zktest.Case {
	dice := zktest.Seed(seed)
	return readBack(zktest.Random(&dice, fmt.Sprintf("random-%d", seed), steps, true))
}

// readBack has a fresh session read the whole tree at the end.
func readBack(c zktest.Case) zktest.Case {
	c.Steps = append(c.Steps, zktest.Step{Session: "reader", Op: "open"})
	c.Steps = append(c.Steps, zktest.ReadBack("reader")...)
	return c
}

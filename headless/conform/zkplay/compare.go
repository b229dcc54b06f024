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
	one, err := newPlayer(want)
	if err != nil {
		return nil, err
	}
	other, err := newPlayer(got)
	if err != nil {
		return nil, errors.Join(err, one.finish())
	}
	// The same full paths on both: a server deletes the ephemerals of a session in the order of the hashes of theirs.
	err = one.plant()
	if err == nil {
		err = other.plantAt(one.names.Base)
	}
	var results [2]tape
	if err == nil {
		results, err = both(c, one, other)
	}
	// Sessions that end late would take a zxid of the next history.
	if err := errors.Join(err, one.finish(), other.finish()); err != nil {
		return nil, err
	}
	return zktest.Compare(c, &results[0], &results[1])
}

// both has two players play at the same time.
func both(c *zktest.Case, one, other *player) (results [2]tape, err error) {
	var errs [2]error
	var wait sync.WaitGroup
	for i, p := range []*player{one, other} {
		wait.Go(func() { results[i], errs[i] = p.record(c) })
	}
	wait.Wait()
	return results, errors.Join(errs[:]...)
}

// Record plays a case on a server and makes what its client saw the expectations: a history becomes a case for a file.
func Record(c *zktest.Case, t Target) error {
	p, err := newPlayer(t)
	if err != nil {
		return err
	}
	var results tape
	if err = p.plant(); err == nil {
		results, err = p.record(c)
	}
	if err := errors.Join(err, p.finish()); err != nil {
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

// newPlayer is a player that has sessions expire at once; it has no base node yet.
func newPlayer(t Target) (*player, error) {
	admin, err := openSession("", t, 30_000)
	return &player{target: t, admin: admin, sessions: map[string]*session{}, hasty: true}, err
}

// finish tidies up and waits until every session has ended.
func (p *player) finish() error { return errors.Join(p.tidy(), p.admin.close()) }

// record plays a case and keeps what every step gave.
func (p *player) record(c *zktest.Case) (out tape, err error) {
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

package zkmem

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"controllerscope/core/zk"
	"controllerscope/core/zk/zktest"
	"controllerscope/core/zk/zktest/drawn"
)

// playBoth plays a case on the emulator and on the plain model and compares every answer, the final tree and the watches
// left.
func playBoth(c *zktest.Case) error {
	emulator, model := New(Options{}), newPlain()
	if err := play(c, &zktest.Twin{One: sorted{emulator}, Other: plainStore{model}}); err != nil {
		return err
	}
	return sameState(emulator, model)
}

// play plays a case on both stores of a twin. A case that cannot be played (the shrinker leaves some) has no difference.
func play(c *zktest.Case, twin *zktest.Twin) error {
	p, err := zktest.NewStorePlayer(twin, "/base")
	if err != nil {
		return err
	}
	for i := range c.Steps {
		if _, err := p.Do(&c.Steps[i]); err != nil {
			if differ := new(zktest.DifferenceError); errors.As(err, &differ) {
				return fmt.Errorf("step %d (%s): %w", i+1, c.Steps[i].Op, err)
			}
			return nil
		}
	}
	return nil
}

func sameState(emulator *Store, model *plain) error {
	var differ error
	count := 0
	emulator.Walk(func(path string, data []byte, stat zk.Stat) {
		count++
		n, there := model.nodes[path]
		if !there || stat != n.shown() || !slices.Equal(data, n.data) || !slices.Equal(emulator.lookup(path).acl.entries, n.acl) {
			differ = fmt.Errorf("node %s: emulator %q %+v, model %+v", path, data, stat, n)
		}
	})
	if differ != nil {
		return differ
	}
	watches := slices.Clone(model.watches)
	slices.SortFunc(watches, compareArmed)
	if count != len(model.nodes) || !slices.Equal(emulator.Watches(), watches) {
		return fmt.Errorf("emulator: %d nodes, watches %v; model: %d nodes, watches %v", count, emulator.Watches(),
			len(model.nodes), watches)
	}
	return nil
}

func TestMain(m *testing.M) {
	drawn.Defaults(500, 80)
	os.Exit(m.Run())
}

// TestRandomHistories compares emulator and model on histories that rapid makes up: 500 of about 80 steps, a fifth of them
// under -short. A failure names the seed and shows the shrunk history as a case that can be added to a file.
func TestRandomHistories(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawn.History(t, false)
		if differ := playBoth(&c); differ != nil {
			t.Fatalf("%v\nwith the model's answers:\n%s", differ, modelled(t, c))
		}
	})
}

// modelled is a case with the model's answers as expectations, as it stands in a file. A difference may have come before
// the first step: then nothing is left to expect.
func modelled(t require.TestingT, c zktest.Case) string {
	p, err := zktest.NewStorePlayer(plainStore{newPlain()}, "/base")
	require.NoError(t, err)
	_ = zktest.Record(&c, p) // it stops at a step that cannot be played
	return c.JSON()
}

// compareOn fails with the seed and the shrunk history, as a case that can be added to a file.
func compareOn(t *testing.T, name string, dice zktest.Dice, steps int) {
	t.Helper()
	c := zktest.Random(dice, name, steps, false)
	if playBoth(&c) == nil {
		return
	}
	small := zktest.Shrink(c, func(c *zktest.Case) bool { return playBoth(c) != nil })
	t.Fatalf("%s: %v\nwith the model's answers:\n%s", name, playBoth(&small), modelled(t, small))
}

// TestSeededHistories compares emulator and model on the same 300 histories everywhere, in the build for the browser too
// (TestUnderJS).
func TestSeededHistories(t *testing.T) {
	for i := range 300 {
		seed := zktest.Seed(i)
		compareOn(t, fmt.Sprintf("random-seed-%d", i), &seed, 80)
	}
}

// TestRandomHistoriesReachEverything: the generator is worth something only if all operations, errors and events come up.
func TestRandomHistoriesReachEverything(t *testing.T) {
	codes, events, kinds := map[zk.Code]int{}, map[zk.EventType]int{}, map[zk.Kind]int{}
	both, healed, dropped := 0, 0, 0
	for i := range 200 {
		seed := zktest.Seed(i)
		c := zktest.Random(&seed, "reach", 80, false)
		counter := &counting{Store: New(Options{}), codes: codes, events: events, kinds: kinds}
		p, err := zktest.NewStorePlayer(counter, "/base")
		require.NoError(t, err)
		for i := range c.Steps {
			_, err := p.Do(&c.Steps[i])
			require.NoError(t, err)
		}
		both, healed, dropped = both+counter.both, healed+counter.healed, dropped+counter.dropped
	}
	for _, code := range []zk.Code{zk.OK, zk.NoNode, zk.NoAuth, zk.BadVersion, zk.NodeExists, zk.NotEmpty, zk.InvalidACL,
		zk.NoChildrenForEphemerals, zk.BadArguments, zk.Unimplemented} {
		assert.Positive(t, codes[code], code.Error())
	}
	for e := zk.NodeCreated; e <= zk.NodeChildrenChanged; e++ {
		assert.Positive(t, events[e], e.String())
	}
	for _, k := range []zk.Kind{zk.Create, zk.Delete, zk.Exists, zk.Get, zk.Set, zk.Children, zk.Multi, zk.Sync, zk.GetACL,
		zk.SetACL, zk.AddAuth} {
		assert.Positive(t, kinds[k], k.String())
	}
	assert.Positive(t, both, "one NodeDeleted used up a data and a child watch")
	assert.Positive(t, healed, "an event was told after a reconnect")
	assert.Positive(t, dropped, "an event was kept from a session that may not read the node")
}

// counting is a store that counts what it answers.
type counting struct {
	*Store
	codes                 map[zk.Code]int
	events                map[zk.EventType]int
	kinds                 map[zk.Kind]int
	both, healed, dropped int
}

func (c *counting) Apply(now int64, id zk.SessionID, op zk.Op) (zk.Result, zk.Effects, error) {
	r, fx, err := c.Store.Apply(now, id, op)
	c.codes[r.Err]++
	c.kinds[op.Kind]++
	for _, f := range fx.Fired {
		c.events[f.Event.Type]++
		if len(f.Kinds) == 2 {
			c.both++
		}
	}
	c.dropped += len(fx.Dropped)
	return r, fx, err
}

func (c *counting) Heal(now int64, id zk.SessionID, rel int64, watches []zk.Watch) (bool, zk.Effects, error) {
	ok, fx, err := c.Store.Heal(now, id, rel, watches)
	c.healed += len(fx.Fired)
	return ok, fx, err
}

// TestModelPlaysTheRecordedCases: the second opinion agrees with the real server too.
func TestModelPlaysTheRecordedCases(t *testing.T) {
	zktest.Run(t, func() zk.Store { return plainStore{newPlain()} })
}

// TestDifferencesAreFoundAndShrunk: whatever one side gets wrong is found, and the history left is short.
func TestDifferencesAreFoundAndShrunk(t *testing.T) {
	for _, c := range []struct {
		wrong string
		steps int // left
		fault func(op zk.Op, r *zk.Result, fx *zk.Effects)
	}{
		{"set_acl counts twice", 2, func(op zk.Op, r *zk.Result, fx *zk.Effects) {
			if op.Kind == zk.SetACL {
				r.Stat.Aversion++
			}
		}},
		{"an event comes twice", 5, func(op zk.Op, r *zk.Result, fx *zk.Effects) {
			if op.Kind == zk.Set {
				fx.Fired = append(fx.Fired, fx.Fired...)
			}
		}},
		{"events of a deletion come in the wrong order", 6, func(op zk.Op, r *zk.Result, fx *zk.Effects) {
			if op.Kind == zk.Delete {
				slices.Reverse(fx.Fired)
			}
		}},
		{"a deletion does not move Pzxid", 4, func(op zk.Op, r *zk.Result, fx *zk.Effects) {
			if op.Kind == zk.Delete && len(fx.Nodes) == 2 {
				fx.Nodes[1].Stat.Pzxid = fx.Nodes[1].Stat.Czxid
			}
		}},
		{"null data has a length", 4, func(op zk.Op, r *zk.Result, fx *zk.Effects) {
			if op.Kind == zk.Set && op.Data == nil && r.Err == zk.OK {
				r.Stat.DataLength++
			}
		}},
		{"the rest of a refused multi has its code", 2, func(op zk.Op, r *zk.Result, fx *zk.Effects) {
			for i := range r.Results {
				if r.Results[i].Err == zk.RuntimeInconsistency {
					r.Results[i].Err = r.Err
				}
			}
		}},
		{"a refused write takes no zxid", 2, func(op zk.Op, r *zk.Result, fx *zk.Effects) {
			if op.Kind.IsWrite() && r.Err != zk.OK {
				fx.Zxid = 0
			}
		}},
		{"a container belongs to its session", 2, func(op zk.Op, r *zk.Result, fx *zk.Effects) {
			if op.Mode == zk.Container {
				r.Stat.EphemeralOwner = 1
			}
		}},
	} {
		t.Run(c.wrong, func(t *testing.T) {
			differs := func(h *zktest.Case) bool {
				twin := &zktest.Twin{One: sorted{New(Options{})}, Other: faulty{plainStore{newPlain()}, c.fault}}
				return errors.As(play(h, twin), new(*zktest.DifferenceError))
			}
			seed := zktest.Seed(1)
			history := zktest.Random(&seed, "faulty", 1000, false)
			require.True(t, differs(&history))
			small := zktest.Shrink(history, differs)
			assert.Len(t, small.Steps, c.steps, small.JSON())
			f, err := zktest.Read("shrunk", []byte(`{"format":"zkcases/1","cases":[`+small.JSON()+`]}`))
			require.NoError(t, err, "a shrunk history is a case")
			assert.Equal(t, small, f.Cases[0])
		})
	}
}

// faulty is a model whose answers to requests are wrong.
type faulty struct {
	plainStore
	fault func(zk.Op, *zk.Result, *zk.Effects)
}

func (f faulty) Apply(now int64, id zk.SessionID, op zk.Op) (zk.Result, zk.Effects, error) {
	r, fx, err := f.plainStore.Apply(now, id, op)
	f.fault(op, &r, &fx)
	return r, fx, err
}

// FuzzHistories compares emulator and model on histories that the fuzzer chooses byte by byte.
func FuzzHistories(f *testing.F) {
	for i := range 20 {
		seed := zktest.Seed(i)
		dice := make([]byte, 400)
		for j := range dice {
			dice[j] = byte(seed.Roll(256))
		}
		f.Add(dice)
	}
	f.Fuzz(func(t *testing.T, dice []byte) {
		bytes := zktest.Bytes(dice)
		compareOn(t, "fuzzed", &bytes, min(len(dice)/4, 200))
	})
}

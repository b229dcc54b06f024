package worldreal

import (
	"fmt"
	"os"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"controllerscope/core/run"
	"controllerscope/core/trace"
	"controllerscope/core/zk"
	"controllerscope/core/zk/zkmem"
	"controllerscope/core/zk/zkreal"
	"controllerscope/headless/internal/zkensemble"
	"controllerscope/lessons"
)

// place is a real ZooKeeper that the tests of this package share.
type place struct {
	name    string
	options zkensemble.Options
	once    sync.Once
	e       *zkensemble.Ensemble
	err     error
}

var places = []*place{{name: "standalone"}, {name: "three servers", options: zkensemble.Options{Servers: 3}}}

func (p *place) connect(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("skipped 1: -short leaves out what needs real ZooKeeper servers")
	}
	p.once.Do(func() { p.e, p.err = zkensemble.Start(p.options) })
	require.NoError(t, p.err)
	return p.e.Connect()
}

func TestMain(m *testing.M) {
	code := m.Run()
	for _, p := range places {
		if p.e != nil && p.e.Stop() != nil {
			code = 1
		}
	}
	os.Exit(code)
}

// played is the trace of a run on a store. On a real server every answer and event is compared with the emulator's on the
// way, and the whole tree at the end: the first difference is an error.
func played(t *testing.T, in run.Inputs, store zk.Store) *trace.Trace {
	t.Helper()
	r, err := run.Start(in, run.Options{Store: store, Record: true})
	require.NoError(t, err)
	err = r.Finish()
	require.NoError(t, r.Close())
	require.NoError(t, err)
	return r.Trace()
}

// same requires that the inputs make the same steps in the same order on the emulator and at every place, but for the names
// of zxids and sessions.
func same(t *testing.T, chroot string, in run.Inputs) {
	for _, p := range places {
		t.Run(p.name, func(t *testing.T) {
			address, err := zkreal.ParseAddress(p.connect(t) + "/" + chroot)
			require.NoError(t, err)
			store, err := zkreal.NewStore(address, nil)
			require.NoError(t, err)
			real := played(t, in, store)
			emulated := played(t, in, zkmem.New(zkmem.Options{}))
			require.NotEmpty(t, real.Steps)
			if d := trace.Compare(emulated, real, trace.Whole); d != nil {
				require.Fail(t, "the emulator (a) and the real server (b) part", "%s\n%s", d, in.Script)
			}
			require.Equal(t, trace.Normalise(emulated).Steps[len(emulated.Steps)-1].Hash, trace.Normalise(real).Steps[len(real.Steps)-1].Hash)
		})
	}
}

func TestLessons(t *testing.T) {
	for _, name := range lessons.Names() {
		l, err := lessons.Embedded(name)
		require.NoError(t, err)
		for _, r := range l.Runs {
			t.Run(name+"/"+r.ID, func(t *testing.T) { same(t, "lessons", l.Inputs(r)) })
		}
	}
}

func TestRandomScripts(t *testing.T) {
	for seed := range uint64(20) {
		text, err := run.Random{}.Script(seed, zkmem.New(zkmem.Options{}))
		require.NoError(t, err)
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			same(t, "random", run.Inputs{Name: fmt.Sprintf("random %d", seed), Script: text, Seed: seed})
		})
	}
}

package zkrealtest

import (
	"os"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"controllerscope/core/zk/zkreal"
	"controllerscope/headless/internal/zkensemble"
)

// shared are servers that several tests use; each test has a chroot or a run of its own.
type shared struct {
	once sync.Once
	e    *zkensemble.Ensemble
	err  error
}

func (s *shared) get(t *testing.T, o zkensemble.Options) *zkensemble.Ensemble {
	t.Helper()
	if testing.Short() {
		t.Skip("skipped 1: -short leaves out what needs real ZooKeeper servers")
	}
	s.once.Do(func() { s.e, s.err = zkensemble.Start(o) })
	require.NoError(t, s.err)
	return s.e
}

var single, three shared

// quick is a tick that lets sessions be as short as 200 ms.
const quick = 100

func standalone(t *testing.T) *zkensemble.Ensemble {
	return single.get(t, zkensemble.Options{TickMS: quick, Config: map[string]string{"maxSessionTimeout": "30000"}})
}

func ensemble(t *testing.T) *zkensemble.Ensemble {
	return three.get(t, zkensemble.Options{Servers: 3})
}

func TestMain(m *testing.M) {
	code := m.Run()
	for _, s := range []*shared{&single, &three} {
		if s.e != nil && s.e.Stop() != nil {
			code = 1
		}
	}
	os.Exit(code)
}

func address(t *testing.T, s string) zkreal.Address {
	t.Helper()
	a, err := zkreal.ParseAddress(s)
	require.NoError(t, err)
	return a
}

// newStore opens a store that is shut down at the end of the test, which must succeed.
func newStore(t *testing.T, connect string) *zkreal.Store {
	t.Helper()
	s, err := zkreal.NewStore(address(t, connect), nil)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Shutdown()) })
	return s
}

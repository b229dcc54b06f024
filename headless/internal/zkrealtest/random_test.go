package zkrealtest

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"controllerscope/core/zk"
	"controllerscope/core/zk/zkreal"
)

// client is what a simulated client knows of its session.
type client struct {
	id      zk.SessionID
	cut     bool
	seen    int64
	watches map[zk.Watch]bool
}

// history plays random requests and faults on a store. The store itself compares every answer and event with its mirror.
type history struct {
	t       *testing.T
	rnd     *rand.Rand
	store   *zkreal.Store
	now     int64
	clients []*client
}

var paths = []string{"/a", "/b", "/c", "/a/x", "/a/y", "/b/x", "/a/x/1", "/a/x/2", "/", "/d", "/d/é", "/zookeeper"}

func (h *history) path() string { return paths[h.rnd.IntN(len(paths))] }

func (h *history) version() int32 { return []int32{-1, -1, -1, 0, 1, 2}[h.rnd.IntN(6)] }

func (h *history) data() []byte {
	return [][]byte{nil, {}, []byte("x"), []byte("something longer")}[h.rnd.IntN(4)]
}

func (h *history) write() zk.Op {
	switch h.rnd.IntN(7) {
	case 0, 1, 2:
		return zk.Op{Kind: zk.Create, Path: h.path(), Data: h.data(), Mode: zk.Mode(h.rnd.IntN(4))}
	case 3, 4:
		return zk.Op{Kind: zk.Delete, Path: h.path(), Version: h.version()}
	case 5:
		return zk.Op{Kind: zk.Check, Path: h.path(), Version: h.version()}
	}
	return zk.Op{Kind: zk.Set, Path: h.path(), Data: h.data(), Version: h.version()}
}

func (h *history) op() zk.Op {
	switch n := h.rnd.IntN(20); {
	case n < 8:
		for {
			if op := h.write(); op.Kind != zk.Check {
				return op
			}
		}
	case n < 10:
		op := zk.Op{Kind: zk.Multi}
		for range h.rnd.IntN(4) {
			if o := h.write(); o.Path != "/zookeeper" { // that cannot be part of a multi
				op.Ops = append(op.Ops, o)
			}
		}
		return op
	case n < 11:
		return zk.Op{Kind: zk.Sync, Path: h.path()}
	}
	kind := []zk.Kind{zk.Exists, zk.Get, zk.Children}[h.rnd.IntN(3)]
	return zk.Op{Kind: kind, Path: h.path(), Watch: h.rnd.IntN(2) == 0}
}

func (h *history) open() {
	id, negotiated, fx, err := h.store.Open(h.now, 10_000)
	require.NoError(h.t, err)
	require.EqualValues(h.t, 10_000, negotiated)
	require.NotZero(h.t, fx.Zxid)
	h.clients = append(h.clients, &client{id: id, watches: map[zk.Watch]bool{}})
}

// hear takes the watches that an effect used up from the clients.
func (h *history) hear(fx zk.Effects) {
	for _, f := range fx.Fired {
		for _, c := range h.clients {
			if c.id == f.Session {
				for _, k := range f.Kinds {
					delete(c.watches, zk.Watch{Path: f.Event.Path, Kind: k})
					delete(c.watches, zk.Watch{Path: f.Event.Path, Kind: k, Exists: true})
				}
			}
		}
	}
}

func (h *history) step() {
	h.now += h.rnd.Int64N(100)
	i := h.rnd.IntN(len(h.clients))
	c := h.clients[i]
	n := h.rnd.IntN(60)
	switch {
	case c.cut && n < 30:
		var list []zk.Watch
		for w := range c.watches {
			list = append(list, w)
		}
		ok, fx, err := h.store.Heal(h.now, c.id, c.seen, list)
		require.NoError(h.t, err)
		require.True(h.t, ok)
		c.cut = false
		h.hear(fx)
	case n == 57 || c.cut && n == 58:
		end := h.store.Expire
		if h.rnd.IntN(2) == 0 && !c.cut {
			end = h.store.Close
		}
		fx, err := end(h.now, c.id)
		require.NoError(h.t, err)
		h.clients[i] = h.clients[len(h.clients)-1]
		h.clients = h.clients[:len(h.clients)-1]
		h.hear(fx)
		h.open()
	case n == 59 && !c.cut:
		require.NoError(h.t, h.store.Cut(c.id))
		c.cut = true
	case !c.cut:
		op := h.op()
		res, fx, err := h.store.Apply(h.now, c.id, op)
		require.NoError(h.t, err)
		h.hear(fx)
		c.seen = max(c.seen, res.Zxid)
		for _, a := range fx.Armed {
			c.watches[zk.Watch{Path: a.Path, Kind: a.Kind, Exists: op.Kind == zk.Exists && res.Err == zk.NoNode}] = true
		}
	}
}

func play(t *testing.T, address string, seed uint64, steps int) {
	store := newStore(t, address+"/random")
	h := &history{t: t, rnd: rand.New(rand.NewPCG(seed, 1)), store: store, now: 1_600_000_000_000}
	for range 4 {
		h.open()
	}
	for range steps {
		h.step()
	}
	t.Logf("seed %d: %+v", seed, store.Counts())
}

// TestRandomHistories plays random histories. Every answer and event is compared by the store itself.
func TestRandomHistories(t *testing.T) {
	t.Run("standalone", func(t *testing.T) {
		for seed := range uint64(4) {
			play(t, standalone(t).Connect(), seed, 400)
		}
	})
	t.Run("ensemble", func(t *testing.T) {
		for seed := range uint64(4) {
			play(t, ensemble(t).Connect(), seed, 200)
		}
	})
}

package sim

import "fmt"

// Idle reports whether nothing is pending but periodic timers and what is held.
func (w *World) Idle() bool {
	if w.peek() == nil {
		return true
	}
	for _, c := range w.agenda {
		if !c.gone && !c.background && !w.blocked(c) {
			return false
		}
	}
	return true
}

// RunLimit bounds a run to rest: more choices than this are a livelock.
const RunLimit = 20_000_000

// ErrRestless says that a world did not come to rest.
type ErrRestless struct{ Choices int }

func (e ErrRestless) Error() string {
	return fmt.Sprintf("the world did not come to rest within %d choices: something goes round in circles, or there is more to do than the limit allows", e.Choices)
}

// RunToIdle takes choices until the world is idle or stop says so (nil: never). limit 0 is RunLimit.
func (w *World) RunToIdle(limit int, stop func() bool) error {
	if limit == 0 {
		limit = RunLimit
	}
	for n := 0; ; n++ {
		if w.failed != nil {
			return w.failed
		}
		if stop != nil && stop() || w.Idle() {
			return nil
		}
		if n == limit {
			return ErrRestless{limit}
		}
		w.Next()
	}
}

// Advance lets ms of virtual time pass: everything due until then happens, then the clock stands at the new time.
func (w *World) Advance(ms int64) error { return w.advance(ms, 0, nil) }

// advance is Advance that ends early, between two choices, when stop says so (nil: never).
func (w *World) advance(ms int64, limit int, stop func() bool) error {
	if limit == 0 {
		limit = RunLimit
	}
	until := w.now + ms
	for n := 0; ; n++ {
		if w.failed != nil {
			return w.failed
		}
		if stop != nil && stop() {
			return nil
		}
		c := w.peek()
		if c == nil || c.Due > until {
			break
		}
		if n == limit {
			return ErrRestless{n}
		}
		w.take(c)
	}
	w.now = until
	return nil
}

package live

import (
	"testing"

	"github.com/stretchr/testify/require"

	"controllerscope/core/env"
)

// A thread sees what other threads of its process did before it waited, and nobody runs while it runs.
func TestThreadsTakeTurns(t *testing.T) {
	p := newProcess("1", nil, nil)
	done := make(chan []int)
	var order []int
	turn := 0
	p.lock()
	for i := range 10 {
		p.Go("t"+string(rune('0'+i)), func() {
			for round := range 20 {
				p.Wait("turn", func() bool { return turn == round*10+i })
				order = append(order, turn)
				turn++
			}
			if turn == 200 {
				done <- order
			}
		})
	}
	p.unlock()
	got := <-done
	require.Len(t, got, 200)
	for i, n := range got {
		require.Equal(t, i, n)
	}
}

// Timers fire once, in a callback; a cancelled one never does, nor does any in a process that has ended.
func TestTimers(t *testing.T) {
	p := newProcess("1", nil, nil)
	fired := make(chan string, 10)
	p.lock()
	p.After(env.Timer{Name: "never"}, func() { fired <- "never" })()
	p.After(env.Timer{Name: "once"}, func() { fired <- "once" })
	late := p.After(env.Timer{Name: "late", MS: 3_600_000}, func() { fired <- "late" })
	p.unlock()
	require.Equal(t, "once", <-fired)
	p.lock()
	require.Len(t, p.timers, 1)
	late()
	late()
	p.After(env.Timer{Name: "ended"}, func() { fired <- "ended" })
	p.end()
	p.Go("after the end", func() { fired <- "after the end" })
	p.unlock()
	waiting := make(chan struct{})
	q := newProcess("2", nil, nil)
	q.lock()
	q.Go("sleeper", func() {
		q.Sleep("nap", 1)
		close(waiting)
	})
	q.unlock()
	<-waiting
	require.Empty(t, fired)
}

// A thread that waits when its process ends never comes back.
func TestEndKeepsThreads(t *testing.T) {
	p := newProcess("1", nil, nil)
	gone := make(chan bool, 2)
	ready, waits := false, false
	p.lock()
	p.Go("waiter", func() {
		defer func() { gone <- true }()
		waits = true
		p.Wait("ever", func() bool { return ready })
		gone <- false
	})
	p.unlock()
	eventually(t, "it waits", func() bool { p.lock(); defer p.unlock(); return waits })
	p.lock()
	p.end()
	ready = true
	p.unlock()
	require.True(t, <-gone)
	require.Empty(t, gone)
}

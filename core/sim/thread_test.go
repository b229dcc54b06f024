package sim

import (
	"testing"

	"github.com/stretchr/testify/require"

	"controllerscope/core/zk/zkmem"
)

func brokenBody() { panic("a mistake") }

// TestCrashShowsWhere holds that a panic in a thread names the place in the thread.
func TestCrashShowsWhere(t *testing.T) {
	w := New(Config{Setup: Setup{}, Store: zkmem.New(zkmem.Options{})})
	w.newProcess("p", 0).Go("body", brokenBody)
	defer func() {
		crash, ok := recover().(*Crash)
		require.True(t, ok)
		require.EqualError(t, crash, "a mistake")
		require.Contains(t, crash.Stack, "brokenBody")
	}()
	_ = w.RunToIdle(0, nil)
	require.Fail(t, "no panic")
}
